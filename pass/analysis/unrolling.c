// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By how much a loop is expected to be unrolled: first by LLVM, as its rules for NVPTX are
// (LoopUnrollPass.cpp, NVPTXTargetTransformInfo.cpp: thresholds of 150 for whole loops, at -O3 300,
// a quarter for others), or by nvcc's, as it was found to do with loops made for it
// (bench/results/sm_90/unrolled_cuda.tsv), then by ptxas, likewise
// (cost-models/data/*.machine.json). Sizes are of our own simplified IR, so a loop near a threshold
// may come out on the other side.
#include "analysis/analysis.h"
#include "analysis/copies.h"

#include <stdlib.h>

#define LATCH 2 // of a loop's size, what isn't repeated: comparison and branch back

// What a compiler unrolls before ptxas does: LLVM's sizes of the loop that comes of it.
typedef struct rules {
  uint32_t whole, partial; // all iterations in a row, by ptxas at last; some of them
  uint32_t copies;         // at most, where the number of iterations isn't known
  uint32_t once;           // size of a loop that isn't copied at all then
  bool halves;             // copies of a known number are a power of two
  bool together;           // what lanes do together is copied, too
  bool again;              // ptxas unrolls what comes of it
  bool strides;            // what steps by more than one is copied, too, if it counts with a sign
} rules;

static const rules compilers[] = {
    [DCP_CLANG_O2] = {150, 37, 8, UINT32_MAX, false, false, false, false},
    [DCP_CLANG_O3] = {300, 75, 8, UINT32_MAX, false, false, false, false},
    [DCP_NVCC] = {912, 204, 4, 96, true, true, true, true},
};

typedef struct unrolling {
  const dcp_analysis *analysis;
  const rules *compiler;
  dcp_copies copies;
  bool *gone; // of each loop: unrolled as a whole
} unrolling;

typedef struct body {
  uint32_t size;         // as LLVM counts
  uint32_t instructions; // of PTX
  uint32_t loads, stores;
  bool together; // has operations that lanes do together, or calls
  bool loops;    // a function that it calls has a loop, and is inlined
  bool atomics;
  bool branches; // has branches that stay
} body;

static bool is_small_side(const ssa_function *f, uint32_t loop, uint32_t block) {
  uint32_t count = 0;
  const ssa_block *data = &f->blocks[block];
  for (uint32_t n = 0; n < data->n_values; ++n)
    count += dcp_ptx_instructions(f, &f->values[f->block_values[data->first_value + n]]);
  return data->loop == loop && data->n_successors == 1 &&
         count <= f->machine_code->unrolling.predicated;
}

// Whether a branch that leaves no loop is one when it runs.
static bool stays_branch(const ssa_function *f, uint32_t loop, uint32_t block) {
  const ssa_block *data = &f->blocks[block];
  for (uint32_t s = 0; data->n_successors > 1 && s < data->n_successors; ++s) {
    uint32_t to = f->edges[data->first_successor + s];
    if (!ssa_loop_contains(f, loop, f->blocks[to].loop))
      return false;
  }
  for (uint32_t s = 0; data->n_successors > 1 && s < data->n_successors; ++s) {
    uint32_t to = f->edges[data->first_successor + s];
    if (to != data->post_dominator && !is_small_side(f, loop, to))
      return true;
  }
  return false;
}

static body measure(const dcp_copies *copies, uint32_t loop) {
  const ssa_function *f = copies->function;
  body out = {0};
  for (uint32_t k = 0; k < f->loops[loop].n_blocks; ++k) {
    uint32_t at = f->loop_blocks[f->loops[loop].first_block + k];
    const ssa_block *block = &f->blocks[at];
    out.branches |= stays_branch(f, loop, at);
    for (uint32_t n = 0; n < block->n_values; ++n) {
      uint32_t value = f->block_values[block->first_value + n];
      const ssa_value *v = &f->values[value];
      dc_mix mix = ssa_mix(v);
      out.size += v->size * copies->size[value];
      out.instructions += dcp_ptx_instructions(f, v) * copies->size[value];
      out.loads += v->op == SSA_LOAD && mix == DC_MIX_GLOBAL;
      out.stores += v->op == SSA_STORE;
      out.together |= mix == DC_MIX_WARP || mix == DC_MIX_BARRIER || mix == DC_MIX_CALL;
      out.atomics |= mix == DC_MIX_ATOMIC;
      out.loops |= v->loops;
    }
  }
  return out;
}

static bool fits(const body *b, uint64_t copies, uint32_t most) {
  return copies <= most && (b->size - LATCH) * copies + LATCH <= most;
}

// The most copies, halved from `count`, that fit, and of which `trips` is a multiple.
static uint32_t halved(uint32_t count, const body *b, uint32_t most, int64_t trips) {
  while (count > 1 && (!fits(b, count, most) || trips % count))
    count /= 2;
  return count;
}

static uint32_t highest_bit(uint32_t n) {
  while (n & (n - 1))
    n &= n - 1;
  return n;
}

static uint32_t of_unknown(const rules *compiler, const body *b) {
  return b->size < compiler->once ? halved(compiler->copies, b, compiler->partial, 0) : 1;
}

static uint32_t of_known(const rules *compiler, const body *b, int64_t trips) {
  if (trips <= 1)
    return 1;
  if (fits(b, (uint64_t)trips, compiler->whole))
    return (uint32_t)trips;
  uint32_t count = (compiler->partial - LATCH) / (b->size - LATCH);
  if (compiler->halves)
    count = halved(highest_bit(count), b, compiler->partial, trips);
  while (count > 1 && trips % count != 0)
    --count;
  return count > 1 ? count : of_unknown(compiler, b);
}

// The number that is widened, or that a constant is added to.
static uint32_t without_constant(const ssa_function *f, uint32_t value) {
  const ssa_value *v = &f->values[value];
  bool widens = v->op == SSA_EXPR && (v->expr == DC_OP_ZEXT || v->expr == DC_OP_SEXT);
  bool adds =
      v->op == SSA_EXPR && v->expr == DC_OP_ADD && f->values[ssa_operand(f, v, 1)].op == SSA_CONST;
  return widens || adds ? ssa_operand(f, v, 0) : value;
}

// How a loop's tests count.
typedef struct counting {
  bool unsigned_too; // some compare a counter without its sign
  bool wide;         // some compare one that begins with a constant, in more than 32 bits
} counting;

static void look_at_side(const ssa_function *f, uint32_t loop, const ssa_value *test, uint32_t side,
                         counting *out) {
  uint32_t compared = ssa_operand(f, test, side),
           counter = without_constant(f, without_constant(f, compared));
  if (!ssa_is_counter(f, loop, counter))
    return;
  out->unsigned_too |= test->expr == DC_OP_ULT || test->expr == DC_OP_ULE;
  out->wide |= f->values[compared].bits > 32 &&
               f->values[ssa_value_before(f, loop, counter)].op == SSA_CONST;
}

static counting look_at_tests(const ssa_function *f, uint32_t loop) {
  counting out = {false, false};
  for (uint32_t k = 0; k < f->loops[loop].n_blocks; ++k) {
    const ssa_block *block = &f->blocks[f->loop_blocks[f->loops[loop].first_block + k]];
    const ssa_value *test = block->condition == DC_NONE ? NULL : &f->values[block->condition];
    bool compares =
        test && test->op == SSA_EXPR && test->expr >= DC_OP_EQ && test->expr <= DC_OP_SLE;
    for (uint32_t side = 0; compares && side < test->n_operands; ++side)
      look_at_side(f, loop, test, side, &out);
  }
  return out;
}

// How an index follows from a loop's counter.
typedef struct follows {
  bool times; // a constant
  bool plus;  // something that doesn't step with it
} follows;

enum { DEEPEST = 6 };

// Whether a value is a counter that steps by what doesn't change in the loop.
static bool steps_evenly(const dcp_analysis *analysis, uint32_t loop, uint32_t value) {
  const ssa_function *f = analysis->function;
  if (!ssa_is_counter(f, loop, value))
    return false;
  const ssa_value *next = &f->values[ssa_value_carried(f, loop, value)];
  if (next->op != SSA_EXPR || (next->expr != DC_OP_ADD && next->expr != DC_OP_SUB))
    return false;
  uint32_t of = ssa_operand(f, next, 0), step = ssa_operand(f, next, 1);
  return (of == value && dcp_is_invariant_value(analysis, step, loop)) ||
         (step == value && dcp_is_invariant_value(analysis, of, loop));
}

// Whether a value steps with a counter: a sum or product of it and of what doesn't change.
static bool steps_with_counter(const dcp_analysis *analysis, uint32_t loop, uint32_t value,
                               unsigned depth, follows *out) {
  const ssa_function *f = analysis->function;
  const ssa_value *v = &f->values[value];
  *out = (follows){false, false};
  if (steps_evenly(analysis, loop, value))
    return true;
  bool sum = v->expr == DC_OP_ADD || v->expr == DC_OP_SUB,
       product = v->expr == DC_OP_MUL || v->expr == DC_OP_SHL;
  if (v->op != SSA_EXPR || !(sum || product) || depth == DEEPEST)
    return false;
  uint32_t sides[] = {ssa_operand(f, v, 0), ssa_operand(f, v, 1)};
  unsigned fixed = dcp_is_invariant_value(analysis, sides[0], loop) ? 0 : 1;
  if (!dcp_is_invariant_value(analysis, sides[fixed], loop) ||
      !steps_with_counter(analysis, loop, sides[1 - fixed], depth + 1, out))
    return false;
  out->plus |= sum;
  out->times |= product && f->values[sides[fixed]].op == SSA_CONST;
  return true;
}

// Whether nvcc's LLVM lets an index step beside the counter, in fewer bits than the address has, as
// it does where the index may wrap between copies. Then the loop's test is of a sum of the counter,
// which ptxas doesn't unroll. What doesn't wrap with a sign is signed, whatever widens it.
static bool has_own_index(const dcp_analysis *analysis, uint32_t loop) {
  const ssa_function *f = analysis->function;
  for (uint32_t k = 0; k < f->loops[loop].n_blocks; ++k) {
    const ssa_block *block = &f->blocks[f->loop_blocks[f->loops[loop].first_block + k]];
    for (uint32_t n = 0; n < block->n_values; ++n) {
      const ssa_value *v = &f->values[f->block_values[block->first_value + n]];
      if (v->op != SSA_EXPR || (v->expr != DC_OP_ZEXT && v->expr != DC_OP_SEXT))
        continue;
      uint32_t index = ssa_operand(f, v, 0);
      bool wraps = v->expr == DC_OP_ZEXT && !(f->values[index].no_wrap & SSA_NO_SIGNED_WRAP);
      follows how;
      if (!ssa_is_counter(f, loop, index) && steps_with_counter(analysis, loop, index, 0, &how) &&
          (wraps ? how.times || how.plus : how.times && how.plus))
        return true;
    }
  }
  return false;
}

// Of a loop that LLVM has copied so often. A store counts twice. What keeps ptxas from unrolling
// loops doesn't where nvcc has begun to.
static uint32_t by_ptxas(const dc_unrolling *ptxas, const body *b, uint32_t copies,
                         uint32_t shared) {
  bool hindered = b->together || b->branches || (b->loads && b->stores);
  if (b->atomics || (copies == 1 && hindered))
    return 1;
  uint64_t own = b->instructions > shared ? b->instructions - shared : 0,
           weight = copies * (own + b->stores) + (b->instructions - own);
  return weight <= (b->loads ? ptxas->with_loads : ptxas->instructions) ? ptxas->copies : 1;
}

// The step between two trips that a trip count tells of; 0: it is no number, or unknown. What
// counts down to zero, or up from there without a sign, steps by one.
static int64_t step_of(const dc_expr_pool *pool, dc_expr trips) {
  const dc_expr_node *node = &pool->nodes[trips];
  if (node->op == DC_OP_ADD && pool->nodes[node->b].op == DC_OP_CONST) // tested at the end
    node = &pool->nodes[node->a];
  if (node->op == DC_OP_STEPS || node->op == DC_OP_USTEPS)
    return pool->nodes[node->b].op == DC_OP_CONST ? pool->nodes[node->b].i : 0;
  if (node->op == DC_OP_ZEXT)
    node = &pool->nodes[node->a];
  return node->op >= DC_OP_PARAM && node->op <= DC_OP_XOR ? 1 : 0;
}

// Loops directly inside of this one, in the code, or those that machine code has still.
static uint32_t count_inside(const unrolling *u, uint32_t loop, bool still) {
  const ssa_function *f = u->analysis->function;
  uint32_t n = 0;
  for (uint32_t k = loop + 1; k < f->n_loops; ++k)
    n += f->loops[k].parent == loop && !(still && u->gone[k]);
  return n;
}

// The number of trips that compilers know, or NULL.
static const dc_expr_node *known_trips(const unrolling *u, const dc_loop *data) {
  const dc_expr_node *nodes = u->analysis->kernel->pool.nodes;
  bool known = data->trips != DC_NO_EXPR && nodes[data->trips].op == DC_OP_CONST;
  return known ? &nodes[data->trips] : NULL;
}

// By how much LLVM is expected to unroll a loop. Where `*again`, ptxas may, too, and *b is filled.
static uint32_t expect_llvm(const unrolling *u, uint32_t loop, const dc_loop *data, body *b,
                            bool *again) {
  const dc_expr_node *count = known_trips(u, data);
  *again = false;
  if (data->unroll && count && count->i < data->unroll)
    return count->i > 1 ? (uint32_t)count->i : 1;
  if (data->unroll)
    return data->unroll;
  if (data->trips == DC_NO_EXPR || data->n_exits != 1 || data->irreducible ||
      count_inside(u, loop, true))
    return 1;
  *b = measure(&u->copies, loop);
  b->size = b->size > LATCH ? b->size : LATCH + 1;
  if (b->loops)
    return 1;
  if (count)
    return of_known(u->compiler, b, count->i);
  int64_t step =
      count_inside(u, loop, false) ? 0 : step_of(&u->analysis->kernel->pool, data->trips);
  counting tests = look_at_tests(u->analysis->function, loop);
  bool llvm = step == 1 || (step && u->compiler->strides && !tests.unsigned_too);
  llvm &= !b->together || u->compiler->together;
  uint32_t copies = llvm ? of_unknown(u->compiler, b) : 1;
  bool own = copies > 1 && has_own_index(u->analysis, loop);
  *again = step != 0 && (copies == 1 || u->compiler->again) && !tests.wide && !own;
  return copies;
}

static void expect_loop(unrolling *u, uint32_t loop, dc_loop *data) {
  const dc_expr_node *count = known_trips(u, data);
  body b = {0};
  bool again;
  uint32_t copies = expect_llvm(u, loop, data, &b, &again);
  data->unroll_expected = copies;
  if ((copies <= 1 && !again) || count_inside(u, loop, true))
    return;
  u->gone[loop] = count && count->i == copies && data->n_exits == 1;
  uint32_t shared = dcp_copies_share(&u->copies, loop, u->gone[loop]);
  if (again)
    data->unroll_expected *= by_ptxas(&u->analysis->function->machine_code->unrolling, &b, copies,
                                      u->copies.shared_of_ptx);
  if (data->unroll_expected <= 1)
    return;
  // What is left of two copies is one, in no loop, which clang's code has under a predicate.
  bool looped = copies > 2 || u->compiler->again;
  data->unroll_llvm = count || !looped ? 1 : copies;
  data->unroll_shared = shared;
  data->unroll_setup = count ? 0 : dcp_copies_set_up(&u->copies);
  dcp_copies_unroll(&u->copies, data->unroll_expected);
}

bool dcp_expect_unrolling(const dcp_analysis *analysis, uint32_t first_loop) {
  uint32_t n = analysis->function->n_loops;
  unrolling u = {.analysis = analysis,
                 .compiler = &compilers[analysis->function->compiler],
                 .gone = calloc((size_t)n + 1, sizeof *u.gone)};
  bool good = dcp_copies_init(&u.copies, analysis->function) && u.gone;
  for (uint32_t loop = n; good && loop-- > 0;)
    expect_loop(&u, loop, &analysis->kernel->loops[first_loop + loop]);
  for (uint32_t loop = 0; good && loop < n; ++loop) {
    dc_loop *data = &analysis->kernel->loops[first_loop + loop];
    data->unroll_once = data->unroll_expected > 1 ? dcp_copies_once(&u.copies, loop) : 0;
  }
  dcp_copies_free(&u.copies);
  free(u.gone);
  return good;
}
