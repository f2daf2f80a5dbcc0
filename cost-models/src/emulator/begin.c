// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The emulator's memory, one piece, and what is in it before the first step.
#include "emulator/emulator_internal.h"

#include "kernel/small_params.h"
#include "kernel/unknowns.h"

#include <stdlib.h>
#include <string.h>

#define STEPS_DEFAULT UINT64_C(1000000000)
#define OPERATIONS_DEFAULT UINT64_C(100000000000)
#define CALLS_DEFAULT 256
#define TOKENS_DEFAULT 4096
#define LIMIT_MAX 50000 // of calls and tokens
#define ASSUMED_DEFAULT 65536
#define LEAVES_DEPTH 12 // of an expression, in which unknown values are looked for

// ---- memory -------------------------------------------------------------------------------------

// Hands out pieces of memory; without memory it only measures.
typedef struct arena {
  char *at;
  size_t used;
} arena;

static void *piece(arena *a, size_t count, size_t size) {
  void *here = a->at ? a->at + a->used : NULL;
  a->used += (count * size + 15) & ~(size_t)15;
  return here;
}

static dc_emulator_options with_defaults(const dc_emulator_options *options) {
  dc_emulator_options o = *options;
  o.steps = o.steps ? o.steps : STEPS_DEFAULT;
  o.operations = o.operations ? o.operations : OPERATIONS_DEFAULT;
  o.call_depth = o.call_depth ? o.call_depth : CALLS_DEFAULT;
  o.tokens = o.tokens ? o.tokens : TOKENS_DEFAULT;
  o.assumed = o.assumed ? o.assumed : ASSUMED_DEFAULT;
  return o;
}

static void lay_out(dc_emulator *e, arena *a) {
  const dc_program *program = e->program;
  const dc_kernel *kernel = program->kernel;
  const dc_emulator_options *o = &e->options;
  e->links_max = o->tokens + (program->has_calls ? o->lanes * o->call_depth : 0);
  e->at = piece(a, program->length, sizeof *e->at);
  e->cycles = piece(a, program->length, sizeof *e->cycles);
  e->shown = piece(a, 2 * DC_LANES, sizeof *e->shown);
  e->frames = piece(a, program->has_calls ? o->call_depth : 0, sizeof *e->frames);
  e->tokens = piece(a, o->tokens, sizeof *e->tokens);
  e->anchors = piece(a, o->tokens, sizeof *e->anchors);
  e->links = piece(a, e->links_max, sizeof *e->links);
  if (!kernel) {
    e->registers = piece(a, DC_REGISTERS, sizeof *e->registers);
    e->words = piece(a, program->n_words, sizeof *e->words);
    e->values = piece(a, program->n_params, sizeof *e->values);
    return;
  }
  size_t loops = kernel->n_loops, exits = kernel->n_exits;
  e->environments = piece(a, o->lanes, sizeof *e->environments);
  e->iv = piece(a, o->lanes * loops, sizeof *e->iv);
  e->params = piece(a, kernel->n_params, sizeof *e->params);
  e->params_known = piece(a, kernel->n_params, sizeof *e->params_known);
  e->params_assumed = piece(a, kernel->n_params, sizeof *e->params_assumed);
  e->trips = piece(a, exits, sizeof *e->trips);
  e->drawn = piece(a, loops * DC_LANES, sizeof *e->drawn);
  e->entries = piece(a, loops * DC_LANES, sizeof *e->entries);
  e->visits = piece(a, (size_t)kernel->n_blocks * DC_LANES, sizeof *e->visits);
  e->depths = piece(a, loops, sizeof *e->depths);
  e->block_exit = piece(a, kernel->n_blocks, sizeof *e->block_exit);
  e->header_exit = piece(a, kernel->n_blocks, sizeof *e->header_exit);
  e->several = piece(a, exits + kernel->n_branches, sizeof *e->several);
}

static size_t bytes_of(const dc_program *program, const dc_emulator_options *options) {
  arena a = {NULL, 0};
  dc_emulator e = {.program = program, .options = with_defaults(options)};
  piece(&a, 1, sizeof e);
  lay_out(&e, &a);
  return a.used;
}

// ---- begin --------------------------------------------------------------------------------------

static double cycles_of(const dc_emulator *e, const dc_instruction *in) {
  if (!e->arch->has_cycles || in->opcode <= DC_OPCODE_NOP)
    return 0;
  if (in->opcode != DC_OPCODE_BLOCK)
    return e->arch->issue[in->mix];
  double cycles = 0;
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    cycles += e->program->kernel->blocks[in->region].mix[mix] * e->arch->issue[mix];
  return cycles;
}

// Whether an expression depends on several values that nobody knows.
static bool rests_on_several(const dc_kernel *kernel, dc_expr expr) {
  dc_expr leaf = DC_NO_EXPR;
  return expr != DC_NO_EXPR && dc__has_several_unknowns(kernel, expr, &leaf, LEAVES_DEPTH);
}

bool dc__emulator_asks_too_much(const dc_kernel *kernel, dc_expr condition) {
  return rests_on_several(kernel, condition) ||
         (condition != DC_NO_EXPR && dc__asks_for_value(kernel, condition, LEAVES_DEPTH));
}

static void begin_loops(dc_emulator *e) {
  const dc_kernel *kernel = e->program->kernel;
  size_t lanes = e->options.lanes;
  memset(e->iv, 0xff, lanes * kernel->n_loops * sizeof *e->iv);
  memset(e->trips, 0, kernel->n_exits * sizeof *e->trips);
  memset(e->drawn, 0xff, (size_t)kernel->n_loops * DC_LANES * sizeof *e->drawn);
  memset(e->entries, 0, (size_t)kernel->n_loops * DC_LANES * sizeof *e->entries);
  memset(e->visits, 0, (size_t)kernel->n_blocks * DC_LANES * sizeof *e->visits);
  memset(e->depths, 0, kernel->n_loops * sizeof *e->depths);
  memset(e->block_exit, 0xff, kernel->n_blocks * sizeof *e->block_exit);
  memset(e->header_exit, 0xff, kernel->n_blocks * sizeof *e->header_exit);
  for (uint32_t loop = 0; loop < kernel->n_loops; ++loop) {
    e->header_exit[kernel->loops[loop].header] = dc__guarded_exit(kernel, loop);
    for (uint32_t k = 0; k < kernel->loops[loop].n_exits; ++k) {
      uint32_t exit = kernel->loops[loop].first_exit + k;
      dc_expr trips = kernel->exits[exit].trips;
      if (kernel->blocks[kernel->exits[exit].block].loop == loop)
        e->block_exit[kernel->exits[exit].block] = exit;
      e->several[exit] =
          rests_on_several(kernel, trips == DC_NO_EXPR ? kernel->loops[loop].trips : trips);
    }
  }
  for (uint32_t k = 0; k < kernel->n_branches; ++k)
    e->several[kernel->n_exits + k] =
        dc__emulator_asks_too_much(kernel, kernel->branches[k].condition);
}

static void begin_environments(dc_emulator *e) {
  const dc_kernel *kernel = e->program->kernel;
  const dc_emulator_options *o = &e->options;
  uint32_t x = o->block[0] ? o->block[0] : o->lanes, y = o->block[1] ? o->block[1] : 1;
  uint32_t z = o->block[2] ? o->block[2] : 1;
  for (uint32_t k = 0; k < kernel->n_params; ++k) {
    e->params[k] = kernel->params[k].value;
    e->params_known[k] = kernel->params[k].known;
    e->params_assumed[k] = dc__assumed_small(&kernel->params[k], o->assumed);
  }
  for (unsigned lane = 0; lane < o->lanes; ++lane) {
    uint64_t thread = (uint64_t)o->first_lane + lane;
    e->environments[lane] = (dc_expr_environment){
        .ntid = {x, y, z},
        .nctaid = {o->grid[0], o->grid[1], o->grid[2]},
        .ctaid = {o->ctaid[0], o->ctaid[1], o->ctaid[2]},
        .tid = {(int64_t)(thread % x), (int64_t)(thread / x % y), (int64_t)(thread / x / y)},
        .lane = (int64_t)lane,
        .params = e->params,
        .params_known = e->params_known,
        .params_assumed = e->params_assumed,
        .n_params = kernel->n_params,
        .iv = e->iv + (size_t)lane * kernel->n_loops,
        .n_iv = kernel->n_loops};
  }
}

static void begin_words(dc_emulator *e) {
  const dc_program *program = e->program;
  memset(e->registers, 0, DC_REGISTERS * sizeof *e->registers);
  if (program->n_words)
    memcpy(e->words, program->words, program->n_words * sizeof *e->words);
  for (uint32_t k = 0; k < program->n_params; ++k)
    e->values[k] = e->options.values ? e->options.values[k] : program->params[k].value;
}

static dc_status check(const dc_program *program, const dc_arch *arch,
                       const dc_emulator_options *options, dc_error *error) {
  char where[40];
  if (options->lanes < 1 || options->lanes > DC_LANES)
    return dc_fail(error, DC_ERROR_ARGUMENT, "lanes is %u, but must be from 1 to %u",
                   options->lanes, DC_LANES);
  if (options->call_depth > LIMIT_MAX || options->tokens > LIMIT_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT, "%s is %u, but must be at most %u",
                   options->tokens > LIMIT_MAX ? "tokens" : "call_depth",
                   (unsigned)(options->tokens > LIMIT_MAX ? options->tokens : options->call_depth),
                   LIMIT_MAX);
  for (uint32_t pc = 0; pc < program->length; ++pc) {
    const dc_instruction *in = &program->code[pc];
    bool missing = (arch->rules == DC_RULES_NONE && in->pop) ||
                   (arch->rules != DC_RULES_BARRIERS && in->opcode == DC_OPCODE_BREAK);
    if (!missing)
      continue;
    dc_program_where(program, pc, where, sizeof where);
    return dc_fail(error, DC_ERROR_ARGUMENT, "%s: %s is not for these rules", where,
                   in->pop ? "a pop bit" : "BREAK");
  }
  return DC_OK;
}

static const dc_rule_set *rules_of(const dc_arch *arch) {
  switch (arch->rules) {
  case DC_RULES_STACK:
    return &dc__rules_stack;
  case DC_RULES_BARRIERS:
    return &dc__rules_barriers;
  case DC_RULES_NONE:
    return &dc__rules_masks;
  }
  return &dc__rules_masks;
}

// All of it, whatever it was before.
static void begin(dc_emulator *e, const dc_program *program, const dc_arch *arch,
                  const dc_emulator_options *options, dc_room room) {
  arena a = {(char *)e, 0};
  piece(&a, 1, sizeof *e);
  *e = (dc_emulator){.program = program,
                     .arch = arch,
                     .options = with_defaults(options),
                     .room = room,
                     .rules = rules_of(arch),
                     .live = dc__all_lanes(options->lanes) &
                             (options->present ? options->present : UINT64_MAX),
                     .free_link = DC_NONE,
                     .link = DC_NONE};
  e->active = e->live;
  lay_out(e, &a);
  memset(e->at, 0, program->length * sizeof *e->at);
  for (uint32_t pc = 0; pc < program->length; ++pc)
    e->cycles[pc] = cycles_of(e, &program->code[pc]);
  if (program->kernel) {
    begin_loops(e);
    begin_environments(e);
    dc__begin_in_loops(e);
  } else {
    begin_words(e);
  }
}

dc_status dc_emulator_create(const dc_program *program, const dc_arch *arch,
                             const dc_emulator_options *options, dc_emulator **emulator,
                             dc_error *error) {
  *emulator = NULL;
  dc_status status = check(program, arch, options, error);
  if (status != DC_OK)
    return status;
  size_t bytes = bytes_of(program, options);
  dc_emulator *e = malloc(bytes);
  if (!e)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for an emulator of %zu bytes", bytes);
  dc_emulator_options o = with_defaults(options);
  begin(e, program, arch, options, (dc_room){o.lanes, o.tokens, o.call_depth});
  *emulator = e;
  return DC_OK;
}

// Less of each is laid out in the memory that there is.
static dc_status check_room(const dc_room *room, const dc_emulator_options *options,
                            dc_error *error) {
  dc_emulator_options o = with_defaults(options);
  const struct {
    const char *name;
    uint32_t asked, room;
  } all[] = {{"lanes", o.lanes, room->lanes},
             {"tokens", o.tokens, room->tokens},
             {"call_depth", o.call_depth, room->call_depth}};
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
    if (all[k].asked > all[k].room)
      return dc_fail(error, DC_ERROR_ARGUMENT, "%s is %u, but the emulator was made for %u",
                     all[k].name, (unsigned)all[k].asked, (unsigned)all[k].room);
  return DC_OK;
}

dc_status dc_emulator_restart(dc_emulator *emulator, const dc_emulator_options *options,
                              dc_error *error) {
  const dc_program *program = emulator->program;
  dc_status status = check(program, emulator->arch, options, error);
  if (status == DC_OK)
    status = check_room(&emulator->room, options, error);
  if (status == DC_OK)
    begin(emulator, program, emulator->arch, options, emulator->room);
  return status;
}

void dc_emulator_free(dc_emulator *emulator) { free(emulator); }
