// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk's closed forms against the emulator, on random kernels of which everything is known:
// loops in loops and branches, whose trips and conditions go by the lane and the iterations around.
// Such a kernel is emulated. One more loop, whose single iteration is an annotation's, makes the
// walk answer instead, and adds four blocks of one instruction.
#include "structured.h"

#include "divcost/estimate.h"

#define MORE 4 // blocks of the last loop: its header twice, its body, and what follows

static unsigned draw(uint64_t *seed, unsigned below) {
  *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)((*seed >> 33) % below);
}

// Of the lane, or of an iteration around.
static dc_expr some_value(code *c, uint64_t *seed) {
  uint32_t loop = c->loop;
  for (unsigned up = draw(seed, 3);
       up > 0 && loop != DC_NONE && c->kernel.loops[loop].parent != DC_NONE; --up)
    loop = c->kernel.loops[loop].parent;
  return loop == DC_NONE || draw(seed, 2) ? tid(c) : iteration(c, loop);
}

// From 0 to 4.
static dc_expr some_trips(code *c, uint64_t *seed) {
  dc_expr mixed = op(c, DC_OP_ADD, some_value(c, seed), some_value(c, seed));
  return draw(seed, 3) == 0 ? value(c, draw(seed, 4))
                            : op(c, DC_OP_UREM, mixed, value(c, 2 + (int64_t)draw(seed, 4)));
}

static dc_expr some_condition(code *c, uint64_t *seed) {
  dc_expr left = op(c, DC_OP_ADD, tid(c), some_value(c, seed));
  switch (draw(seed, 3)) {
  case 0:
    return op(c, DC_OP_SLT, left, value(c, draw(seed, 40)));
  case 1:
    return op(c, DC_OP_EQ, op(c, DC_OP_AND, left, value(c, 1 + (int64_t)draw(seed, 15))),
              value(c, draw(seed, 4)));
  default:
    return op(c, DC_OP_ULT, op(c, DC_OP_UREM, left, value(c, 1 + (int64_t)draw(seed, 9))),
              value(c, 1 + (int64_t)draw(seed, 6)));
  }
}

static uint32_t some_block(code *c, uint64_t *seed) {
  uint32_t block = new_block(c);
  c->kernel.blocks[block].mix[DC_MIX_INTEGER] = 1 + draw(seed, 9);
  return block;
}

static void make_statements(code *c, uint64_t *seed, unsigned depth);

static void make_branch(code *c, uint64_t *seed, unsigned depth) {
  uint32_t first = some_block(c, seed), join = new_block(c);
  uint32_t second = draw(seed, 2) ? some_block(c, seed) : join;
  branch_to(c, some_condition(c, seed), first, second);
  c->at = first;
  make_statements(c, seed, depth);
  add_edge_to(c, c->at, join);
  if (second != join) {
    c->at = second;
    make_statements(c, seed, depth);
    add_edge_to(c, c->at, join);
  }
  c->at = join;
}

static void make_statements(code *c, uint64_t *seed, unsigned depth) {
  for (unsigned left = 1 + draw(seed, 2); left > 0; --left) {
    unsigned kind = depth ? draw(seed, 3) : 0;
    if (kind == 0) {
      fall_into(c, some_block(c, seed));
    } else if (kind == 1) {
      make_branch(c, seed, depth - 1);
    } else {
      open_loop(c, some_trips(c, seed));
      make_statements(c, seed, depth - 1);
      close_loop(c);
    }
  }
}

static dc_estimate estimate_of(uint64_t seed, bool drawn) {
  static const unsigned threads[] = {32, 64, 96, 40};
  code c = begin_code(threads[draw(&seed, 4)]);
  make_statements(&c, &seed, 3);
  if (drawn) {
    uint32_t loop = open_loop(&c, DC_NO_EXPR);
    c.kernel.loops[loop].distribution = dc_kernel_add_text(&c.kernel, "const(1)");
    c.kernel.loops[loop].trips_from = DC_FROM_ANNOTATED;
    close_loop(&c);
  }
  finish(&c);
  dc_arch arch = arch_named("sm_90");
  dc_estimate estimate;
  dc_error error = {0};
  if (dc_estimate_kernel(&c.kernel, &arch, &c.kernel.launches[0], NULL, &estimate, &error) != DC_OK)
    fail_msg("%s", error.text);
  dc_kernel_free(&c.kernel);
  return estimate;
}

static void assert_same(uint64_t seed, const char *what, double walked, double emulated) {
  if (fabs(walked - emulated) > 1e-9 * (1 + fabs(emulated)))
    fail_msg("kernel %llu: %s is %.12g walked, %.12g emulated", (unsigned long long)seed, what,
             walked, emulated);
}

static void closed_forms_are_what_the_emulator_counts(void **state) {
  (void)state;
  unsigned emulated = 0;
  size_t kernels = cases_of(2000, 200);
  for (uint64_t seed = 1; seed <= kernels; ++seed) {
    dc_estimate e = estimate_of(seed, false), w = estimate_of(seed, true);
    if (e.emulated) { // else it takes too many steps
      uint32_t threads = e.launch.block[0], warps = (threads + 31) / 32;
      double full = threads / (32.0 * warps);
      ++emulated;
      assert_same(seed, "instructions", w.instructions.low - MORE, e.instructions.low);
      assert_same(seed, "those of lanes", w.efficiency.low * w.instructions.low - MORE * full,
                  e.efficiency.low * e.instructions.low);
      assert_same(seed, "divergent branches", w.divergent_branches.low, e.divergent_branches.low);
      for (uint32_t loop = 0; loop < e.n_loops; ++loop)
        assert_same(seed, "trips", w.loops[loop].mean_trips.low, e.loops[loop].mean_trips.low);
    }
    dc_estimate_free(&e);
    dc_estimate_free(&w);
  }
  assert_true(emulated > kernels / 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closed_forms_are_what_the_emulator_counts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
