// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the emulator adds to an estimate. Where everything that decides the lanes' ways can be
// evaluated (under the assumptions of this walk), the warps that are walked are emulated, or as
// many of them, evenly chosen, as few steps do for: then divergent exits, depth and spills of whole
// nests, divergent branches that are no exits, and the lanes on their targets are what happens, and
// not the sum of what each loop would do alone with assumed targets of each branch. Elsewhere the
// closed forms of the walk stand.
#include "estimate/estimate_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_MAX 20000       // for one combination of assumptions
#define OPERATIONS_MAX 300000 // of expressions, likewise
#define BLOCKS_MAX 1000       // of a kernel
#define TOKENS_MAX 1024
#define BLOCKS_PER_STEP 4 // blocks whose memory is prepared in the time of a step

dc_status dc__emulated_prepare(const dc_kernel *kernel, const dc_arch *arch, dc_emulated_sums *sums,
                               dc_error *error) {
  *sums = (dc_emulated_sums){.arch = arch};
  if (kernel->n_blocks > BLOCKS_MAX || kernel->n_blocks == 0 || kernel->n_loops > BLOCKS_MAX ||
      kernel->n_exits > BLOCKS_MAX)
    return DC_OK;
  dc_status status = dc_program_from_kernel(kernel, &sums->program, error);
  if (status != DC_OK)
    return status;
  sums->options = (dc_emulator_options){.lanes = DC_WARP, .tokens = TOKENS_MAX, .exact = true};
  status = dc_emulator_create(&sums->program, arch, &sums->options, &sums->emulator, error);
  sums->loops = calloc(kernel->n_loops + 1u, sizeof *sums->loops);
  sums->visits = calloc(kernel->n_blocks + 1u, sizeof *sums->visits);
  if (status == DC_OK && !(sums->loops && sums->visits))
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for emulating a kernel of %u blocks",
                     (unsigned)kernel->n_blocks);
  if (status != DC_OK)
    dc__emulated_free(sums);
  return status == DC_ERROR_ARGUMENT ? DC_OK : status; // not for these rules: not emulated
}

void dc__emulated_free(dc_emulated_sums *sums) {
  dc_program_free(&sums->program);
  dc_emulator_free(sums->emulator);
  free(sums->loops);
  free(sums->visits);
  *sums = (dc_emulated_sums){0};
}

void dc__emulated_begin(dc_emulated_sums *sums) {
  const dc_kernel *kernel = sums->program.kernel;
  sums->valid = kernel != NULL;
  sums->steps = sums->operations = 0;
  sums->weight = sums->branches = sums->spills = 0;
  sums->executed = (dc_executed){0};
  if (kernel) {
    memset(sums->loops, 0, kernel->n_loops * sizeof *sums->loops);
    memset(sums->visits, 0, kernel->n_blocks * sizeof *sums->visits);
  }
}

// Adds what one block's instruction did.
static void add_block(dc_emulated_sums *sums, const dc_flow *flow, const dc_emulated *at,
                      const dc_instruction *in, double weight) {
  const dc_kernel *kernel = sums->program.kernel;
  const dc_block *block = &kernel->blocks[in->block];
  double spills = weight * (double)at->spills;
  if (block->loop == DC_NONE)
    sums->spills += spills;
  else
    sums->loops[block->loop].spills += spills;
  sums->branches += weight * (double)(at->divergent - at->divergent_exits);
  if (block->loop != DC_NONE)
    sums->loops[block->loop].exits += weight * (double)at->divergent_exits;
  if (in->opcode != DC_OPCODE_BLOCK)
    return;
  double cycles = flow->costs[in->block].cycles * weight * (double)at->executions;
  sums->visits[in->block].executions += weight * (double)at->executions;
  sums->visits[in->block].lanes += weight * (double)at->lane_executions;
  sums->executed.cycles += cycles;
  if (block->loop != DC_NONE)
    sums->loops[block->loop].cycles += cycles;
}

bool dc__emulated_has_room(const dc_emulated_sums *sums, unsigned done) {
  return sums->valid &&
         (done == 0 || (sums->steps + sums->steps / done < STEPS_MAX &&
                        sums->operations + sums->operations / done < OPERATIONS_MAX));
}

void dc__emulated_add_warp(dc_emulated_sums *sums, const dc_walk *walk, double weight) {
  const dc_kernel *kernel = sums->program.kernel;
  if (!sums->valid)
    return;
  sums->weight += weight;
  const dc_expr_environment *first = &walk->environments[0];
  dc_emulator_options *o = &sums->options;
  sums->steps += kernel->n_blocks / BLOCKS_PER_STEP;
  sums->valid = sums->steps < STEPS_MAX && sums->operations < OPERATIONS_MAX;
  if (!sums->valid)
    return;
  o->lanes = walk->lanes;
  o->steps = STEPS_MAX - sums->steps;
  o->operations = OPERATIONS_MAX - sums->operations;
  o->assumed = walk->assumed;
  for (unsigned axis = 0; axis < 3; ++axis) {
    o->block[axis] = (uint32_t)first->ntid[axis];
    o->grid[axis] = (uint32_t)first->nctaid[axis];
    o->ctaid[axis] = (uint32_t)first->ctaid[axis];
  }
  o->first_lane =
      (uint32_t)(first->tid[0] + first->ntid[0] * (first->tid[1] + first->ntid[1] * first->tid[2]));
  dc_emulator *emulator = sums->emulator;
  sums->valid =
      dc_emulator_restart(emulator, o, NULL) == DC_OK && dc_emulator_run(emulator, NULL) == DC_OK;
  if (!sums->valid)
    return;
  dc_emulation result = dc_emulator_result(emulator);
  sums->steps += result.steps;
  sums->operations += result.operations;
  for (uint32_t pc = 0; pc < sums->program.length; ++pc) {
    dc_emulated at = dc_emulator_at(emulator, pc);
    add_block(sums, walk->flow, &at, &sums->program.code[pc], weight);
  }
  for (uint32_t loop = 0; loop < kernel->n_loops; ++loop) {
    uint64_t entries, depths = dc_emulator_loop_depths(emulator, loop, &entries);
    sums->loops[loop].depth += weight * (double)depths;
    sums->loops[loop].entries += weight * (double)entries;
  }
}

static double ratio_of(double to, double from) { return from > 0 ? to / from : 1; }

// Of the executions of an unrolled loop's blocks, as it was written, those of the machine: by the
// share that the walk has found. What else there is, tests behind the last iteration, the walk
// knows, too.
static void unroll_visits(const dc_walk *walk, uint32_t loop, const dc_visits *others,
                          dc_visits *visits) {
  const dc_issued *written = &walk->written[loop], *passes = &walk->passes[loop];
  double times = ratio_of(passes->instructions, written->instructions),
         lanes = ratio_of(passes->lane_instructions, written->lane_instructions);
  visits->executions =
      others->executions + times * fmax(visits->executions - others->executions, 0);
  visits->lanes = fmin(others->lanes + lanes * fmax(visits->lanes - others->lanes, 0),
                       DC_WARP * visits->executions);
}

static void apply_to_blocks(const dc_emulated_sums *sums, double scale, dc_walk *walk) {
  const dc_kernel *kernel = sums->program.kernel;
  walk->executed =
      (dc_executed){.cycles = scale * sums->executed.cycles, .branches = scale * sums->branches};
  for (uint32_t block = 0; block < kernel->n_blocks; ++block) {
    double instructions = walk->flow->costs[block].instructions;
    uint32_t loop = kernel->blocks[block].loop;
    dc_visits visits = {scale * sums->visits[block].executions, scale * sums->visits[block].lanes};
    if (loop != DC_NONE && dc__is_unrolled(walk, loop))
      unroll_visits(walk, loop, &walk->visits[block], &visits);
    walk->visits[block] = visits;
    walk->executed.instructions += instructions * visits.executions;
    walk->executed.lane_instructions += instructions * visits.lanes;
  }
  memset(walk->passes, 0, (kernel->n_loops + 1u) * sizeof *walk->passes);
}

void dc__emulated_apply(const dc_emulated_sums *sums, dc_walk *walk) {
  const dc_kernel *kernel = sums->program.kernel;
  if (!sums->valid)
    return;
  double scale = 1 / sums->weight;
  for (uint32_t loop = 0; loop < kernel->n_loops; ++loop) {
    const dc_emulated_loop *own = &sums->loops[loop];
    if (walk->flow->detached[loop])
      continue;
    // The walk knows which shares of a loop's cycles idle lanes lose, and to which loops; whose
    // warps the emulator didn't have all of.
    double walked = walk->sums[loop].cycles;
    for (unsigned d = 0; d < DC_WALK_DEPTH; ++d)
      walk->sums[loop].lost_to[d] *= walked > 0 ? scale * own->cycles / walked : 0;
    bool unrolled = dc__is_unrolled(walk, loop);
    walk->sums[loop].parted =
        unrolled ? ratio_of(walk->sums[loop].parted, walk->sums[loop].exits) : 1;
    walk->sums[loop].exits = scale * own->exits;
    walk->sums[loop].parted *= walk->sums[loop].exits;
    walk->sums[loop].spills = scale * own->spills;
    walk->sums[loop].cycles = scale * own->cycles;
    if (own->entries > 0)
      walk->sums[loop].depth = walk->sums[loop].entries * own->depth / own->entries;
  }
  apply_to_blocks(sums, scale, walk);
  walk->spills = scale * sums->spills;
}
