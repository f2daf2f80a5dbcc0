// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No part of an estimate exceeds its whole: on random skeletons, of all that the analysis may know
// or not know of a loop and a branch (dc_estimate_check says what has to hold).
#include "structured.h"

#include "divcost/estimate.h"

static uint64_t pick(uint64_t *random, uint64_t n) { return random_bits(random) % n; }

// ---- expressions --------------------------------------------------------------------------------

static dc_expr parameter_of(code *c, uint64_t *random) {
  if (c->kernel.n_params < 3) {
    uint32_t index = dc_kernel_add_param(&c->kernel);
    c->kernel.params[index] =
        (dc_param){.known = pick(random, 2), .value = (int64_t)pick(random, 3000)};
  }
  return dc_expr_leaf(&c->kernel.pool, DC_OP_PARAM, 32, DC_UNIFORM,
                      (int64_t)pick(random, c->kernel.n_params));
}

static dc_expr load_of(code *c, dc_uniformity level) {
  uint32_t name = dc_kernel_add_load_name(&c->kernel, "a");
  return dc_expr_leaf(&c->kernel.pool, DC_OP_LOAD, 32, level, name);
}

static dc_expr random_leaf(code *c, uint64_t *random) {
  switch (pick(random, 9)) {
  case 0:
  case 1:
    return tid(c);
  case 2:
    return parameter_of(c, random);
  case 3:
    return dc_expr_leaf(&c->kernel.pool, DC_OP_CTAID, 32, DC_BLOCK_UNIFORM, 0);
  case 4:
    return dc_expr_leaf(&c->kernel.pool, DC_OP_NTID, 32, DC_UNIFORM, 0);
  case 5:
    return load_of(c, pick(random, 2) ? DC_DIVERGENT : DC_UNIFORM);
  case 6:
    if (c->loop != DC_NONE) {
      uint32_t loop = c->loop;
      while (c->kernel.loops[loop].parent != DC_NONE && pick(random, 2))
        loop = c->kernel.loops[loop].parent;
      return iteration(c, loop);
    }
    return value(c, 1);
  default:
    return value(c, (int64_t)pick(random, pick(random, 4) ? 40 : 100000));
  }
}

static dc_expr random_number(code *c, uint64_t *random, unsigned depth) {
  static const dc_expr_op ops[] = {DC_OP_ADD,  DC_OP_ADD,  DC_OP_SUB,  DC_OP_MUL,  DC_OP_UDIV,
                                   DC_OP_UREM, DC_OP_AND,  DC_OP_LSHR, DC_OP_SMIN, DC_OP_UMIN,
                                   DC_OP_UMIN, DC_OP_SMAX, DC_OP_XOR,  DC_OP_STEPS};
  if (depth == 0 || pick(random, 4) == 0)
    return random_leaf(c, random);
  dc_expr_op operation = ops[pick(random, sizeof ops / sizeof *ops)];
  dc_expr x = random_number(c, random, depth - 1);
  return op(c, operation, x, random_number(c, random, depth - 1));
}

static dc_expr random_condition(code *c, uint64_t *random, unsigned depth) {
  static const dc_expr_op ops[] = {DC_OP_EQ, DC_OP_NE, DC_OP_SLT, DC_OP_ULT, DC_OP_SLE};
  if (pick(random, 4) == 0)
    return DC_NO_EXPR;
  dc_expr x = random_number(c, random, depth);
  return op(c, ops[pick(random, 5)], x, random_number(c, random, 1));
}

// A search for the first iteration of the loop in which something holds.
static dc_expr random_search(code *c, uint64_t *random, uint32_t loop) {
  dc_expr sum = op(c, DC_OP_ADD, random_number(c, random, 1), iteration(c, loop));
  dc_expr masked = op(c, DC_OP_AND, sum, value(c, (int64_t)pick(random, 64)));
  dc_expr holds = op(c, DC_OP_EQ, masked, value(c, (int64_t)pick(random, 64)));
  return dc_expr_apply(&c->kernel.pool, DC_OP_FIRST, 32, DC_UNIFORM, holds, DC_NO_EXPR, DC_NO_EXPR,
                       loop);
}

// ---- code ---------------------------------------------------------------------------------------

static void add_statements(code *c, uint64_t *random, unsigned nest);

static void set_branch(code *c, uint64_t *random, uint32_t branch) {
  dc_branch *data = &c->kernel.branches[branch];
  if (data->condition != DC_NO_EXPR)
    data->level = dc_expr_uniformity(&c->kernel.pool, data->condition);
  else
    data->level = pick(random, 3) ? DC_DIVERGENT : DC_UNIFORM;
  data->predication = (uint8_t)pick(random, 3);
}

static void add_if(code *c, uint64_t *random, unsigned nest) {
  uint32_t one = new_block(c), other = pick(random, 2) ? new_block(c) : DC_NONE;
  uint32_t join = new_block(c);
  branch_to(c, random_condition(c, random, 2), one, other == DC_NONE ? join : other);
  set_branch(c, random, c->kernel.n_branches - 1);
  c->at = one;
  add_statements(c, random, nest);
  fall_into(c, join);
  if (other == DC_NONE)
    return;
  c->at = other;
  add_statements(c, random, nest);
  fall_into(c, join);
}

static void set_distribution(code *c, uint64_t *random, dc_loop *loop) {
  static const char *const distributions[] = {
      "poisson(64)", "geometric(0.05)",      "uniform(0,3)", "uniform(0,1)",
      "const(0)",    "list(0:0.9, 500:0.1)", "zipf(2,1000)", "const(7)"};
  loop->distribution = dc_kernel_add_text(
      &c->kernel, distributions[pick(random, sizeof distributions / sizeof *distributions)]);
  loop->trips_from = pick(random, 2) ? DC_FROM_ANNOTATED : DC_FROM_PROFILE;
  loop->correlation = pick(random, 3) ? 0 : (double)pick(random, 11) / 10;
}

static void add_loop(code *c, uint64_t *random, unsigned nest) {
  dc_expr trips = pick(random, 4) ? random_number(c, random, 3) : DC_NO_EXPR;
  uint32_t loop = open_loop(c, trips);
  if (pick(random, 5) == 0) {
    dc_expr search = random_search(c, random, loop);
    c->kernel.loops[loop].trips = trips == DC_NO_EXPR ? search : op(c, DC_OP_UMIN, trips, search);
  }
  add_statements(c, random, nest);
  if (pick(random, 4) == 0) { // a second exit
    jump_if(c, random_condition(c, random, 2), c->leave[c->depth - 1]);
    set_branch(c, random, c->kernel.n_branches - 1);
  }
  close_loop(c);
  dc_loop *data = &c->kernel.loops[loop];
  data->level = data->trips == DC_NO_EXPR ? (pick(random, 3) ? DC_DIVERGENT : DC_UNIFORM)
                                          : dc_expr_uniformity(&c->kernel.pool, data->trips);
  static const dc_class divergent[] = {DC_CLASS_LANE_AFFINE, DC_CLASS_STRIDED,
                                       DC_CLASS_DATA_DEPENDENT, DC_CLASS_UNKNOWN};
  data->loop_class =
      (uint8_t)(data->level >= DC_DIVERGENT ? divergent[pick(random, 4)] : (unsigned)data->level);
  data->unroll_expected = (uint32_t)(pick(random, 2) ? 1u << pick(random, 4) : pick(random, 6));
  data->unroll_shared = data->unroll_expected > 1 ? (uint32_t)pick(random, 6) : 0;
  data->unroll_once = data->unroll_shared / (1.0 + pick(random, 2));
  data->unroll_llvm = (uint32_t)pick(random, 5);
  data->unroll_setup = data->unroll_expected > 1 ? (uint32_t)pick(random, 6) : 0;
  if (pick(random, 4) == 0)
    set_distribution(c, random, data);
}

static void add_statements(code *c, uint64_t *random, unsigned nest) {
  unsigned n = nest ? 1 + (unsigned)pick(random, 2) : 1;
  for (unsigned k = 0; k < n && c->kernel.n_blocks < 60; ++k)
    switch (nest ? pick(random, 5) : 4) {
    case 0:
      add_if(c, random, nest - 1);
      break;
    case 1:
    case 2:
      if (c->depth < 4)
        add_loop(c, random, nest - 1);
      break;
    case 3:
      if (pick(random, 3) == 0) {
        jump_if(c, random_condition(c, random, 2), c->end); // return
        set_branch(c, random, c->kernel.n_branches - 1);
      }
      break;
    default:
      fall_into(c, new_block(c));
    }
}

static void set_block(dc_block *block, uint64_t *random, bool counted) {
  block->mix[DC_MIX_INTEGER] = (uint16_t)pick(random, 20);
  block->mix[DC_MIX_FP32] = (uint16_t)(pick(random, 3) ? 0 : pick(random, 500));
  block->mix[DC_MIX_SPECIAL] = (uint16_t)(pick(random, 3) ? 0 : pick(random, 5));
  block->counted = counted;
  block->machine = (uint16_t)(counted ? pick(random, 40) : 0);
}

static code random_kernel(uint64_t seed) {
  uint64_t random = seed * 977 + 1;
  code c = begin_code(1 + (uint32_t)pick(&random, pick(&random, 2) ? 32 : 300));
  c.kernel.launches[0].grid[0] = (uint32_t)pick(&random, 4);
  add_statements(&c, &random, 3);
  finish(&c);
  bool counted = pick(&random, 2);
  for (uint32_t k = 0; k < c.kernel.n_blocks; ++k)
    set_block(&c.kernel.blocks[k], &random, counted);
  return c;
}

// ---- tests --------------------------------------------------------------------------------------

typedef struct tally {
  unsigned estimated, emulated, assumed, lossy;
} tally;

static void check_kernel(code *c, uint64_t seed, const char *name, tally *tally) {
  dc_arch arch = arch_named(name);
  dc_estimate e;
  dc_error error = {0};
  if (dc_estimate_kernel(&c->kernel, &arch, &c->kernel.launches[0], NULL, &e, &error) != DC_OK)
    fail_msg("skeleton %u on %s: %s", (unsigned)seed, name, error.text);
  ++tally->estimated;
  tally->emulated += e.emulated;
  tally->assumed += e.cycles.low < e.cycles.high;
  tally->lossy += e.imbalance.low > 0;
  dc_estimate_free(&e);
}

static size_t skeletons;

static void no_part_exceeds_the_whole(void **state) {
  (void)state;
  tally tally = {0};
  for (uint64_t seed = 0; seed < skeletons; ++seed) {
    code c = random_kernel(seed);
    // Stacks that spill take by far the longest.
    check_kernel(&c, seed, seed % 32 == 0 ? "sm_50" : seed % 32 == 1 ? "sm_20" : "sm_90", &tally);
    dc_kernel_free(&c.kernel);
  }
  print_message("%u skeletons: %u emulated, %u with assumptions, %u that lose something\n",
                tally.estimated, tally.emulated, tally.assumed, tally.lossy);
  assert_true(tally.emulated > tally.estimated / 20 && tally.assumed > tally.estimated / 20 &&
              tally.lossy > tally.estimated / 20);
}

// An argument asks for another number of skeletons; 100000 take five minutes.
int main(int count, char **arguments) {
  skeletons = count > 1 ? strtoul(arguments[1], NULL, 10) : cases_of(3000, 100);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_part_exceeds_the_whole),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
