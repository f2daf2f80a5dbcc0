// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random structured programs. Under all rules each lane must take the path of blocks that it takes
// when it runs alone, and lanes that diverge must be together again at the immediate post-dominator
// of the branch. Broken rules must be caught.
#include "random_code.h"

#include "emulator/emulator_internal.h"

#include <stdlib.h>

#define PARTINGS_MAX 4096

static unsigned programs(void) { return (unsigned)cases_of(400, 30); }

// ---- what is watched ----------------------------------------------------------------------------

// Lanes that met at a branch, until they meet again.
typedef struct parting {
  uint64_t lanes;
  uint32_t block, meets;
} parting;

typedef struct watch {
  const emulated *e;
  const dc_kernel *kernel;
  uint64_t path[32], length[32]; // hash of the blocks, and how many
  uint64_t live;
  parting partings[PARTINGS_MAX];
  unsigned n_partings;
  bool torn; // lanes came to a meeting place without the others
} watch;

static void check_meeting(watch *w, uint32_t block, uint64_t lanes) {
  unsigned kept = 0;
  for (unsigned k = 0; k < w->n_partings; ++k) {
    parting *p = &w->partings[k];
    if (p->meets == block && (p->lanes & lanes))
      w->torn |= (p->lanes & w->live & ~lanes) != 0;
    else
      w->partings[kept++] = *p;
  }
  w->n_partings = kept;
}

static void look(void *context, const dc_step *step) {
  watch *w = context;
  const dc_instruction *in = &w->e->program.code[step->pc];
  if (in->opcode != DC_OPCODE_BLOCK || !step->active)
    return;
  const dc_block *block = &w->kernel->blocks[in->region];
  for (unsigned lane = 0; lane < 32; ++lane)
    if (step->active >> lane & 1) {
      w->path[lane] = (w->path[lane] ^ in->region) * UINT64_C(0x100000001b3) + 1;
      ++w->length[lane];
    }
  check_meeting(w, in->region, step->active);
  if (block->n_successors == 0)
    w->live &= ~step->active;
  if (block->n_successors > 1 && block->post_dominator != DC_NONE && w->n_partings < PARTINGS_MAX)
    w->partings[w->n_partings++] = (parting){step->active, in->region, block->post_dominator};
}

// Runs some lanes and watches them. `rules`, where given, replace the architecture's.
static dc_status run_watched(code *c, dc_rules kind, const dc_rule_set *rules, uint64_t present,
                             watch *w) {
  emulated e = emulate_code(c, kind, 32);
  *w = (watch){.e = &e, .kernel = &c->kernel, .live = present};
  e.options.present = present;
  e.options.trace = look;
  e.options.context = w;
  e.options.steps = 2000000;
  e.options.seed = 5;
  dc_status status = dc_emulator_create(&e.program, &e.arch, &e.options, &e.emulator, &e.error);
  assert_int_equal(status, DC_OK);
  if (rules)
    e.emulator->rules = rules;
  status = dc_emulator_run(e.emulator, &e.error);
  release_emulated(&e);
  return status;
}

static bool same_paths(const watch *w, const watch *alone) {
  for (unsigned lane = 0; lane < 32; ++lane)
    if (w->path[lane] != alone->path[lane] || w->length[lane] != alone->length[lane])
      return false;
  return true;
}

// Each lane by itself.
static void run_alone(code *c, watch *all) {
  static watch one;
  *all = (watch){0};
  for (unsigned lane = 0; lane < 32; ++lane) {
    assert_int_equal(run_watched(c, DC_RULES_STACK, NULL, UINT64_C(1) << lane, &one), DC_OK);
    all->path[lane] = one.path[lane];
    all->length[lane] = one.length[lane];
  }
}

// ---- tests --------------------------------------------------------------------------------------

static void lanes_take_their_own_paths_and_meet_again(void **state) {
  (void)state;
  static watch alone, w;
  uint64_t blocks = 0;
  for (uint64_t seed = 0; seed < programs(); ++seed) {
    code c = random_program(seed);
    run_alone(&c, &alone);
    for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules) {
      if (run_watched(&c, (dc_rules)rules, NULL, UINT32_MAX, &w) != DC_OK)
        fail_msg("program %u does not end under %s", (unsigned)seed,
                 dc_rules_name((dc_rules)rules));
      if (!same_paths(&w, &alone))
        fail_msg("program %u: a lane takes another path under %s", (unsigned)seed,
                 dc_rules_name((dc_rules)rules));
      if (w.torn)
        fail_msg("program %u: lanes don't meet under %s", (unsigned)seed,
                 dc_rules_name((dc_rules)rules));
    }
    for (unsigned lane = 0; lane < 32; ++lane)
      blocks += w.length[lane];
    dc_kernel_free(&c.kernel);
  }
  assert_true(blocks > 100u * programs() * 32 / 8); // the programs do something
}

// Lanes don't wait at the end of their region.
static void close_without_waiting(dc_emulator *e, const dc_instruction *in) {
  (void)in;
  ++e->pc;
}

// The lanes that don't take a branch are lost.
static void part_and_forget(dc_emulator *e, const dc_way *ways, unsigned n) {
  (void)n;
  e->live &= ~e->active | ways[0].lanes;
  e->active = ways[0].lanes;
  e->pc = ways[0].target;
}

// A token's lanes go on where the branch was taken to.
static void part_the_wrong_way(dc_emulator *e, const dc_way *ways, unsigned n) {
  dc_way wrong[DC_LANES];
  for (unsigned k = 0; k < n; ++k)
    wrong[k] = (dc_way){ways[k].lanes, ways[n - 1 - k].target, ways[k].edge, false};
  dc__rules_stack.part(e, wrong, n);
}

// Programs in which rules that are broken show: as a path, a meeting, or a run that fails.
static unsigned caught(dc_rules kind, const dc_rule_set *rules) {
  static watch alone, w;
  unsigned n = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    code c = random_program(seed);
    run_alone(&c, &alone);
    dc_status status = run_watched(&c, kind, rules, UINT32_MAX, &w);
    n += status != DC_OK || w.torn || !same_paths(&w, &alone);
    dc_kernel_free(&c.kernel);
  }
  return n;
}

static void broken_rules_are_caught(void **state) {
  (void)state;
  dc_rule_set no_wait = dc__rules_barriers, forgets = dc__rules_stack, wrong = dc__rules_stack;
  no_wait.close = close_without_waiting;
  forgets.part = part_and_forget;
  wrong.part = part_the_wrong_way;
  assert_int_equal(caught(DC_RULES_BARRIERS, &dc__rules_barriers), 0);
  assert_int_equal(caught(DC_RULES_STACK, &dc__rules_stack), 0);
  assert_true(caught(DC_RULES_BARRIERS, &no_wait) > 20);
  assert_true(caught(DC_RULES_STACK, &forgets) > 20);
  assert_true(caught(DC_RULES_STACK, &wrong) > 20);
}

// Figures that don't depend on the order of execution are the same under tokens and barriers, but
// for lanes that go on together after they waited for their turn at one place: how often they
// diverge from then on is different.
static void tokens_and_barriers_issue_the_same(void **state) {
  (void)state;
  uint64_t together = 0;
  for (uint64_t seed = 0; seed < programs(); ++seed) {
    code c = random_program(seed);
    dc_emulation r[2];
    uint64_t lanes[2] = {0, 0};
    for (int rules = DC_RULES_STACK; rules <= DC_RULES_BARRIERS; ++rules) {
      emulated e = emulate_code(&c, (dc_rules)rules, 32);
      r[rules] = run(&e);
      uint64_t blocks = 0;
      for (uint32_t block = 0; block < c.kernel.n_blocks; ++block)
        if (e.program.block_pc[block] != DC_NONE) {
          blocks += block_figures(&e, block).executions;
          lanes[rules] += block_figures(&e, block).lane_executions;
        }
      assert_true(blocks <= r[rules].instructions);
      release_emulated(&e);
    }
    assert_int_equal(r[0].pushes, r[0].pops);
    assert_int_equal(r[1].pushes, r[1].pops);
    assert_int_equal(lanes[0], lanes[1]);
    together += r[1].divergent_branches != r[0].divergent_branches;
    dc_kernel_free(&c.kernel);
  }
  assert_true(together > 0 && together < programs() / 2);
}

static void assert_same_figures(const emulated *x, const emulated *y) {
  dc_emulation a = dc_emulator_result(x->emulator), b = dc_emulator_result(y->emulator);
  assert_memory_equal(&a, &b, offsetof(dc_emulation, uses_assumed));
  assert_int_equal(a.uses_assumed, b.uses_assumed);
  for (uint32_t pc = 0; pc < x->program.length; ++pc) {
    dc_emulated p = dc_emulator_at(x->emulator, pc), q = dc_emulator_at(y->emulator, pc);
    assert_memory_equal(&p, &q, sizeof p);
  }
}

// One emulator for all warps, of 32 lanes and of fewer, in turn with a new one for each.
static void another_warp_is_as_that_of_a_new_emulator(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < programs() / 8; ++seed) {
    code c = random_program(seed);
    for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules) {
      emulated one = emulate_code(&c, (dc_rules)rules, 32);
      run(&one);
      for (uint32_t warp = 0; warp < 4; ++warp) {
        emulated fresh = emulate_code(&c, (dc_rules)rules, warp % 2 ? 32 : 7);
        fresh.options.warp = one.options.warp = warp;
        one.options.lanes = fresh.options.lanes;
        run(&fresh);
        if (dc_emulator_restart(one.emulator, &one.options, &one.error) != DC_OK ||
            dc_emulator_run(one.emulator, &one.error) != DC_OK)
          fail_msg("%s", one.error.text);
        assert_same_figures(&one, &fresh);
        release_emulated(&fresh);
      }
      release_emulated(&one);
    }
    dc_kernel_free(&c.kernel);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_take_their_own_paths_and_meet_again),
      cmocka_unit_test(broken_rules_are_caught),
      cmocka_unit_test(tokens_and_barriers_issue_the_same),
      cmocka_unit_test(another_warp_is_as_that_of_a_new_emulator),
  };
  return cmocka_run_group_tests_name("emulator_random", tests, NULL, NULL);
}
