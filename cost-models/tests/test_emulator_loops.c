// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The benchmarks of Bialas and Strzelecki through the emulator: pushes, depths, spills and cycles
// for n = 0 .. 31 divergent lanes, the walk-through of their figure 3, and what was measured on an
// H200. The texts are those of bench/listings.
#include "emulation.h"

#include "divcost/reconvergence.h"

static dc_emulation run_for(emulated *e, int n) {
  set_param(e, "n", n);
  return run(e);
}

static emulated open_listing(const char *name, const char *arch) {
  char *text = listing(name);
  emulated e = assemble(text, arch, 32);
  free(text);
  return e;
}

static unsigned single_spills(int n) { return n < 16 ? 0 : (unsigned)(n - 12) / 4; }

static unsigned double_spills(int n) {
  unsigned b = n < 15 ? 0 : (unsigned)(n - 11) / 4;
  return b * (33 - (unsigned)n + 2 * b);
}

// ---- the stack ----------------------------------------------------------------------------------

static void the_single_loop_pushes_a_token_for_each_divergent_lane(void **state) {
  (void)state;
  emulated e = open_listing("single_loop.sass", "sm_35");
  for (int n = 0; n < 32; ++n) {
    dc_emulation r = run_for(&e, n);
    assert_int_equal(r.pushes, n + 1);
    assert_int_equal(r.pops, n + 1);
    assert_int_equal(r.max_depth, n + 1);
    assert_int_equal(r.divergent_exits, n);
    assert_int_equal(r.divergent_branches, n);
    assert_int_equal(r.spills, single_spills(n));
    assert_int_equal(r.reloads, r.spills);
  }
  release_emulated(&e);
}

static void the_double_loop_pushes_in_every_round(void **state) {
  (void)state;
  emulated e = open_listing("double_loop.sass", "sm_35");
  for (int n = 0; n < 32; ++n) {
    dc_emulation r = run_for(&e, n);
    assert_int_equal(r.pushes, n * (65 - n) / 2 + 33);
    assert_int_equal(r.pops, r.pushes);
    assert_int_equal(r.max_depth, n + 2);
    assert_int_equal(r.divergent_exits, n * (65 - n) / 2);
    assert_int_equal(r.spills, double_spills(n));
    assert_int_equal(r.reloads, r.spills);
  }
  release_emulated(&e);
}

static void the_single_loop_spills_more_with_every_fourth_lane(void **state) {
  (void)state;
  emulated e = open_listing("single_loop.sass", "sm_52");
  uint64_t before = 0;
  for (int n = 0; n < 32; ++n) {
    uint64_t spills = run_for(&e, n).spills;
    assert_int_equal(spills - before, n >= 16 && n % 4 == 0);
    before = spills;
  }
  release_emulated(&e);
}

static void eager_reloading_spills_at_least_as_often(void **state) {
  (void)state;
  emulated e = open_listing("double_loop.sass", "sm_35");
  bool more = false;
  e.arch.reload = DC_RELOAD_EAGER;
  for (int n = 0; n < 32; ++n) {
    dc_emulation r = run_for(&e, n);
    assert_int_equal(r.reloads, r.spills); // everything comes back in the end
    assert_true(r.spills >= double_spills(n));
    more |= r.spills > double_spills(n);
  }
  assert_true(more);
  release_emulated(&e);
}

// Cycles of a divergent branch and of a spill, read off the single loop, tell the double loop's.
static void the_single_loop_predicts_the_double_loops_cycles(void **state) {
  (void)state;
  static const struct {
    const char *arch;
    double branch, spill;
  } measured[] = {{"kepler", 32, 84}, {"maxwell", 26, 176}};
  for (size_t k = 0; k < 2; ++k) {
    emulated single = open_listing("single_loop.sass", measured[k].arch);
    emulated twice = open_listing("double_loop.sass", measured[k].arch);
    double at_0 = run_for(&single, 0).cycles, at_15 = run_for(&single, 15).cycles;
    double branch = (at_15 - at_0) / 15;
    double spill = run_for(&single, 16).cycles - at_15 - branch;
    assert_within(branch, measured[k].branch, 1e-9);
    assert_within(spill, measured[k].spill, 1e-9);
    double base = run_for(&twice, 0).cycles;
    for (int n = 0; n < 32; ++n)
      assert_within(run_for(&twice, n).cycles,
                    base + branch * n * (65 - n) / 2 + spill * double_spills(n), 1e-6);
    release_emulated(&single);
    release_emulated(&twice);
  }
}

static void fermi_has_counts_and_no_cycles(void **state) {
  (void)state;
  emulated e = open_listing("single_loop.sass", "fermi");
  dc_emulation r = run_for(&e, 20);
  assert_int_equal(r.spills, 2);
  assert_true(r.cycles == 0 && r.reconvergence == 0);
  release_emulated(&e);
}

// ---- the walk-through ---------------------------------------------------------------------------

typedef struct lines {
  const dc_program *program;
  char text[4000];
} lines;

static void keep_line(void *context, const dc_step *step) {
  lines *l = context;
  size_t length = strlen(l->text);
  dc_step_print(l->program, step, 4, l->text + length, sizeof l->text - length);
  strcat(l->text, "\n");
}

// Figure 3: n = 2. Four lanes with the limits 3, 2, 1, 1: two leave after the first iteration, one
// after the second; then the tokens come off in the opposite order.
static void the_walk_through_of_figure_3(void **state) {
  (void)state;
  static const char wanted[] =
      "     0    0  1111  S2R   R0, SR_TID.X\n"
      "     1    1  1111  IMIN  R1, R0, n\n"
      "     2    2  1111  ISUB  R1, most, R1\n"
      "     3    3  1111  MOV   R2, 0\n"
      "     4    4  1111  SSY   meet\n"
      "     5    5  1111  FFMA  R3, R3, 0.5, 1.0       SYNC(1111, 10)\n"
      "     6    6  1111  IADD  R2, R2, 1              SYNC(1111, 10)\n"
      "     7    7  1111  ISETP.LT P0, R2, R1          SYNC(1111, 10)\n"
      "     8    8  1111  @P0 BRA loop                 SYNC(1111, 10)\n"
      "     9    5  ..11  FFMA  R3, R3, 0.5, 1.0       SYNC(1111, 10) DIV(11.., 9)\n"
      "    10    6  ..11  IADD  R2, R2, 1              SYNC(1111, 10) DIV(11.., 9)\n"
      "    11    7  ..11  ISETP.LT P0, R2, R1          SYNC(1111, 10) DIV(11.., 9)\n"
      "    12    8  ..11  @P0 BRA loop                 SYNC(1111, 10) DIV(11.., 9)\n"
      "    13    5  ...1  FFMA  R3, R3, 0.5, 1.0       SYNC(1111, 10) DIV(11.., 9) DIV(..1., 9)\n"
      "    14    6  ...1  IADD  R2, R2, 1              SYNC(1111, 10) DIV(11.., 9) DIV(..1., 9)\n"
      "    15    7  ...1  ISETP.LT P0, R2, R1          SYNC(1111, 10) DIV(11.., 9) DIV(..1., 9)\n"
      "    16    8  ...1  @P0 BRA loop                 SYNC(1111, 10) DIV(11.., 9) DIV(..1., 9)\n"
      "    17    9  ...1  NOP.S                        SYNC(1111, 10) DIV(11.., 9) DIV(..1., 9)\n"
      "    18    9  ..1.  NOP.S                        SYNC(1111, 10) DIV(11.., 9)\n"
      "    19    9  11..  NOP.S                        SYNC(1111, 10)\n"
      "    20   10  1111  EXIT\n";
  char *text = listing("single_loop.sass");
  emulated e = assemble(text, "kepler", 4);
  lines l = {&e.program, ""};
  e.options.trace = keep_line;
  e.options.context = &l;
  set_param(&e, "most", 3);
  set_param(&e, "n", 2);
  run(&e);
  assert_string_equal(l.text, wanted);
  release_emulated(&e);
  free(text);
}

// ---- convergence barriers -----------------------------------------------------------------------

typedef struct series {
  double cycles[2][32]; // of the single loop, of the double loop
} series;

static series read_measured(void) {
  series s;
  char line[400];
  int rows = 0;
  FILE *stream = fopen(DIVCOST_TEST_DATA "/hopper_loops.tsv", "r");
  assert_non_null(stream);
  while (fgets(line, sizeof line, stream)) {
    int n;
    double once, twice;
    if (sscanf(line, "%d\t%lf\t%lf", &n, &once, &twice) != 3)
      continue;
    assert_int_equal(n, rows);
    s.cycles[0][n] = once;
    s.cycles[1][n] = twice;
    ++rows;
  }
  fclose(stream);
  assert_int_equal(rows, 32);
  return s;
}

// The listing with n lanes that leave alone, one after another, and 32 - n that stay to the end; as
// it stands, 32 - n leave first, together.
static char *listing_of_lanes_alone(const char *name) {
  static const char limits[] = "ISUB  R1, most, R1";
  char *text = listing(name), *at = strstr(text, limits);
  assert_non_null(at);
  size_t size = strlen(text) + 100;
  char *changed = malloc(size);
  assert_non_null(changed);
  snprintf(changed, size, "%.*sISUB R1, n, R1\nISUB R1, most, R1%s", (int)(at - text), text,
           at + strlen(limits));
  free(text);
  return changed;
}

// One constant is fitted for each series, at n = 0: what the instructions themselves cost, which
// the emulator, having no latencies, doesn't know. The other 31 values are predicted.
static void an_h200_is_reproduced_exactly(void **state) {
  (void)state;
  static const char *const names[] = {"single_loop.sass", "double_loop.sass"};
  series measured = read_measured();
  for (unsigned k = 0; k < 2; ++k) {
    char *text = listing_of_lanes_alone(names[k]);
    emulated e = assemble(text, "sm_90", 32);
    dc_emulation r = run_for(&e, 0);
    double base = measured.cycles[k][0] - r.cycles;
    for (int n = 1; n < 32; ++n) {
      r = run_for(&e, n);
      assert_true(measured.cycles[k][n] == base + r.cycles);
      assert_int_equal(r.waits, r.divergent_branches);
      assert_int_equal(r.spills, 0);
    }
    release_emulated(&e);
    free(text);
  }
}

// Iterations of lane 0, by its own clock; the last is what comes after the loop.
static void precise(const char *arch, int n, int32_t *cycles) {
  emulated e = open_listing("single_loop_precise.sass", arch);
  run_for(&e, n);
  const int32_t *clocks = dc_emulator_words(e.emulator);
  for (unsigned k = 0; k < 32; ++k)
    cycles[k] = clocks[k + 1] - clocks[k];
  release_emulated(&e);
}

// On an H200 the cost shows in the iteration in which the fewer lanes leave; 29 lanes that leave
// first wait until the others are done, and going on with them costs at the end. On the stack all
// costs show when it is unwound. (bench/results/h200/loops.tsv, single_loop_precise, n = 3)
static void single_loop_precise_shows_when_divergence_costs(void **state) {
  (void)state;
  int32_t plain[32], cycles[32];
  precise("sm_90", 0, plain);
  precise("sm_90", 3, cycles);
  for (int k = 0; k < 32; ++k)
    assert_int_equal(cycles[k] - plain[k], k < 29 ? 0 : k < 31 ? 13 : 16 + 35);
  precise("kepler", 0, plain);
  precise("kepler", 3, cycles);
  for (int k = 0; k < 32; ++k)
    assert_int_equal(cycles[k] - plain[k], k == 31 ? 3 * 32 : 0);
}

// ---- closed forms -------------------------------------------------------------------------------

// Random limits; a limit of 0 is a guard before the loop, by which lanes go to where it ends.
static void listed_closed_forms_are_what_the_emulator_counts(void **state) {
  (void)state;
  static const char guarded[] = "S2R R0, SR_LANEID\n LD R1, limits[R0]\n SSY meet\n"
                                "ISETP.LE P0, R1, RZ\n @P0 BRA end\n"
                                "loop: IADD R2, R2, 1\n ISETP.LT P0, R2, R1\n @P0 BRA loop\n"
                                "end: NOP.S\n meet: EXIT\n";
  uint64_t random = 7;
  for (unsigned trial = 0; trial < 400; ++trial) {
    char text[1000] = ".array limits";
    int64_t counts[32];
    unsigned lanes = 1 + (unsigned)(random_bits(&random) % 32);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      counts[lane] = (int64_t)(random_bits(&random) % (trial % 40 + 1));
      snprintf(text + strlen(text), sizeof text - strlen(text), " %d", (int)counts[lane]);
    }
    snprintf(text + strlen(text), sizeof text - strlen(text), "\n%s", guarded);
    dc_reconvergence wanted;
    assert_int_equal(dc_single_loop_listed(counts, lanes, &wanted, NULL), DC_OK);
    dc_emulation r = run_text(text, "sm_35", lanes);
    assert_true(r.divergent_exits == wanted.divergent_exits);
    assert_true(r.divergent_branches == wanted.divergent_exits + wanted.divergent_guard);
    assert_true(r.max_depth == wanted.depth);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_single_loop_pushes_a_token_for_each_divergent_lane),
      cmocka_unit_test(the_double_loop_pushes_in_every_round),
      cmocka_unit_test(the_single_loop_spills_more_with_every_fourth_lane),
      cmocka_unit_test(eager_reloading_spills_at_least_as_often),
      cmocka_unit_test(the_single_loop_predicts_the_double_loops_cycles),
      cmocka_unit_test(fermi_has_counts_and_no_cycles),
      cmocka_unit_test(the_walk_through_of_figure_3),
      cmocka_unit_test(an_h200_is_reproduced_exactly),
      cmocka_unit_test(single_loop_precise_shows_when_divergence_costs),
      cmocka_unit_test(listed_closed_forms_are_what_the_emulator_counts),
  };
  return cmocka_run_group_tests_name("emulator_loops", tests, NULL, NULL);
}
