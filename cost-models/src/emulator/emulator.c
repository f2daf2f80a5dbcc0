// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emulator's loop over steps, and its figures. What happens where lanes diverge and meet is for
// the rules (stack.c, barriers.c, masks.c).
#include "emulator/emulator_internal.h"
#include "kernel/instructions.h"
#include "kernel/predication.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void dc__emulator_fail(dc_emulator *e, dc_status status, const char *format, ...) {
  char where[40], detail[200];
  va_list arguments;
  if (e->status != DC_OK)
    return;
  dc_program_where(e->program, e->pc, where, sizeof where);
  va_start(arguments, format);
  vsnprintf(detail, sizeof detail, format, arguments);
  va_end(arguments);
  e->status = dc_fail(e->error, status, "%s, lanes 0x%" PRIx64 ": %s", where, e->active, detail);
}

// ---- steps --------------------------------------------------------------------------------------

static void count(dc_emulator *e, uint32_t pc, uint64_t lanes) {
  ++e->at[pc].executions;
  e->at[pc].lane_executions += dc__lanes_count(lanes);
  e->clock += e->cycles[pc];
}

static void count_parting(dc_emulator *e, bool exits, unsigned ways) {
  e->at[e->pc].divergent += ways - 1;
  e->counts.divergent_branches += ways - 1;
  if (!exits)
    return;
  e->at[e->pc].divergent_exits += ways - 1;
  e->counts.divergent_exits += ways - 1;
}

static void trace(dc_emulator *e) {
  dc_step step = {
      .number = e->steps, .pc = e->pc, .active = e->active, .clock = e->clock, .iv = e->iv};
  e->rules->show(e, &step);
  e->options.trace(e->options.context, &step);
}

// Both targets of a predicated branch, one after the other, whether or not there are lanes for
// them: all lanes are active, and those whose target it isn't do nothing.
static void run_targets(dc_emulator *e, const dc_block *block) {
  const dc_kernel *kernel = e->program->kernel;
  dc_way ways[DC_LANES];
  uint64_t active = e->active;
  uint32_t pc = e->pc;
  bool exits;
  unsigned n = dc__decide(e, e->program->code[pc].region, ways, &exits);
  for (unsigned target = 0; target < 2; ++target) {
    uint32_t edge = block->first_successor + target, at = kernel->successors[edge];
    if (at == block->post_dominator || (target && at == kernel->successors[edge - 1]))
      continue;
    e->pc = e->program->block_pc[at];
    while (e->program->code[e->pc].opcode != DC_OPCODE_BLOCK)
      ++e->pc;
    e->active = 0;
    for (unsigned k = 0; k < n; ++k)
      e->active |= ways[k].edge == edge ? ways[k].lanes : 0;
    if (e->options.trace)
      trace(e);
    count(e, e->pc, active);
  }
  e->active = active;
  e->pc = pc;
  e->rules->go(e, e->program->block_pc[block->post_dominator]);
}

// Lanes whose target just returns exit at once; the others go on, and nobody waits. Not so at a
// loop's exit (but for its guard), since the others go back.
static bool quit_some(dc_emulator *e, bool exits, const dc_way *ways, unsigned n) {
  const dc_program *program = e->program;
  if (e->rules->predicated || n != 2 || exits)
    return false;
  for (unsigned k = 0; k < n; ++k)
    if (dc__is_bare_return(program->kernel, program->kernel->successors[ways[k].edge])) {
      e->rules->exit(e, ways[k].lanes);
      e->rules->go(e, ways[1 - k].target);
      return true;
    }
  return false;
}

static void run_block(dc_emulator *e, const dc_instruction *in) {
  const dc_block *block = &e->program->kernel->blocks[in->region];
  dc_way ways[DC_LANES];
  if (block->n_successors == 0) {
    e->rules->exit(e, e->active);
    return;
  }
  if (in->predicated && !e->rules->predicated) {
    run_targets(e, block);
    return;
  }
  unsigned n = 1;
  bool exits = false;
  if (block->n_successors == 1)
    ways[0] = (dc_way){e->active, e->program->edges[block->first_successor].target,
                       block->first_successor, false};
  else
    n = dc__decide(e, in->region, ways, &exits);
  for (unsigned k = 0; k < n; ++k)
    dc__follow(e, ways[k].edge, ways[k].lanes);
  if (n == 1) {
    e->rules->go(e, ways[0].target);
    return;
  }
  if (quit_some(e, exits, ways, n))
    return;
  count_parting(e, exits, n);
  e->rules->part(e, ways, n);
}

static void run_branch(dc_emulator *e, const dc_instruction *in, uint64_t taken) {
  uint64_t others = e->active & ~taken;
  if (!others || !taken || in->target == e->pc + 1) {
    e->rules->go(e, taken ? in->target : e->pc + 1);
    return;
  }
  const dc_way ways[2] = {{taken, in->target, 0, false}, {others, e->pc + 1, 0, false}};
  count_parting(e, in->exits, 2);
  e->rules->part(e, ways, 2);
}

// The active lanes that have an instruction's guard.
static uint64_t guarded(const dc_emulator *e, const dc_instruction *in) {
  if (in->guard == DC_GUARD_NONE)
    return e->active;
  uint64_t holds = e->predicates[in->guard];
  return e->active & (in->guard_not ? ~holds : holds);
}

static void run_data(dc_emulator *e, const dc_instruction *in, uint64_t lanes) {
  dc__lanes_execute(e, in, lanes);
  if (e->status != DC_OK)
    return;
  if (in->pop)
    e->rules->close(e, in);
  else
    e->rules->go(e, e->pc + 1);
}

static uint64_t sync_mask(const dc_emulator *e, const dc_instruction *in) {
  uint32_t mask = (uint32_t)dc__lanes_operand(e, &in->a, dc__first_lane(e->active));
  return mask == UINT32_MAX ? UINT64_MAX : mask | e->active;
}

static void execute(dc_emulator *e, const dc_instruction *in) {
  uint64_t lanes = guarded(e, in);
  if (!lanes && in->opcode != DC_OPCODE_BRA) {
    e->rules->go(e, e->pc + 1);
    return;
  }
  switch ((dc_opcode)in->opcode) {
  case DC_OPCODE_OPEN:
    e->rules->open(e, in);
    break;
  case DC_OPCODE_CLOSE:
    e->rules->close(e, in);
    break;
  case DC_OPCODE_BREAK:
    e->rules->leave(e, in);
    break;
  case DC_OPCODE_BLOCK:
    run_block(e, in);
    break;
  case DC_OPCODE_BRA:
    run_branch(e, in, lanes);
    break;
  case DC_OPCODE_CAL:
    e->rules->call(e, in->target);
    break;
  case DC_OPCODE_RET:
    e->rules->ret(e, lanes);
    break;
  case DC_OPCODE_EXIT:
    e->rules->exit(e, lanes);
    break;
  case DC_OPCODE_WARPSYNC:
    e->rules->warpsync(e, sync_mask(e, in));
    break;
  default:
    run_data(e, in, lanes);
  }
}

// Whether a region is managed here at all: not under predication, and one that the library placed
// only where it isn't open yet, or is the innermost.
static bool is_void(const dc_emulator *e, const dc_instruction *in) {
  if (in->opcode != DC_OPCODE_OPEN && in->opcode != DC_OPCODE_CLOSE)
    return false;
  return e->rules->predicated ||
         (in->placed && (e->rules->innermost(e) == in->target) == (in->opcode == DC_OPCODE_OPEN));
}

static void step(dc_emulator *e) {
  if (e->pc >= e->program->length) {
    e->pc = e->program->length - 1;
    dc__emulator_fail(e, DC_ERROR_ARGUMENT, "the program ends here, but lanes go on");
    return;
  }
  if (e->steps == e->options.steps) {
    dc__emulator_fail(e, DC_ERROR_LIMIT, "more than %" PRIu64 " steps", e->options.steps);
    return;
  }
  const dc_instruction *in = &e->program->code[e->pc];
  if (is_void(e, in)) {
    e->rules->go(e, e->pc + 1);
    return;
  }
  if (in->opcode == DC_OPCODE_BLOCK && dc__pass_guard(e, in->region))
    return;
  if (e->options.trace)
    trace(e);
  ++e->steps;
  count(e, e->pc, e->active);
  execute(e, in);
}

dc_status dc_emulator_run(dc_emulator *e, dc_error *error) {
  e->error = error;
  while (e->live && e->status == DC_OK)
    step(e);
  e->error = NULL;
  return e->status;
}

// ---- figures ------------------------------------------------------------------------------------

// Instructions that one of the program stands for.
static uint64_t weight_of(const dc_emulator *e, uint32_t pc) {
  const dc_instruction *in = &e->program->code[pc];
  if (in->opcode != DC_OPCODE_BLOCK)
    return 1;
  return dc__block_instructions(&e->program->kernel->blocks[in->region]);
}

static double efficiency(const dc_emulator *e, uint64_t lanes, uint64_t executions) {
  double full = e->options.lanes > 32 ? 64 : 32;
  return executions ? (double)lanes / ((double)executions * full) : 0;
}

dc_emulation dc_emulator_result(const dc_emulator *e) {
  dc_emulation result = e->counts;
  result.steps = e->steps;
  for (uint32_t pc = 0; pc < e->program->length; ++pc) {
    uint64_t weight = weight_of(e, pc);
    result.instructions += e->at[pc].executions * weight;
    result.lane_instructions += e->at[pc].lane_executions * weight;
    result.issue += (double)e->at[pc].executions * e->cycles[pc];
  }
  result.efficiency = efficiency(e, result.lane_instructions, result.instructions);
  result.reconvergence = e->arch->has_cycles ? e->managing : 0;
  result.cycles = result.issue + result.reconvergence;
  return result;
}

dc_emulated dc_emulator_at(const dc_emulator *e, uint32_t pc) { return e->at[pc]; }

double dc_emulator_efficiency_at(const dc_emulator *e, uint32_t pc) {
  return efficiency(e, e->at[pc].lane_executions, e->at[pc].executions);
}

uint64_t dc_emulator_loop_depths(const dc_emulator *e, uint32_t loop, uint64_t *entries) {
  *entries = e->depths[loop].entries;
  return e->depths[loop].sum + e->depths[loop].peak - e->depths[loop].base;
}

const int32_t *dc_emulator_words(const dc_emulator *e) { return e->words; }
