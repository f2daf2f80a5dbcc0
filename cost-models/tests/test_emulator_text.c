// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembly under the rules: conditionals, exits of regions, calls, warp-synchronising; limits
// that are errors; and what the assembler says of texts that are wrong.
#include "emulation.h"

#include <string.h>

// Lanes below `limit` take the one target, the others the other.
static const char if_else[] = ".param limit 1\n"
                              ".array out 0 * 32\n"
                              "S2R R0, SR_LANEID\n"
                              "ISETP.LT P0, R0, limit\n"
                              "BSSY B0, join\n"
                              "@!P0 BRA otherwise\n"
                              "IADD R1, R1, 5\n"
                              "BRA join\n"
                              "otherwise: IADD R1, R1, 7\n"
                              "join: BSYNC B0\n"
                              "ST out[R0], R1\n"
                              "EXIT\n";

static emulated open_text(const char *text, dc_rules rules, unsigned lanes) {
  emulated e = assemble(text, rules == DC_RULES_BARRIERS ? "sm_90" : "sm_35", lanes);
  e.arch.rules = rules;
  return e;
}

static void lanes_part_at_an_if_only_if_some_take_each_target(void **state) {
  (void)state;
  for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules)
    for (int limit = 0; limit <= 8; limit += 4) {
      emulated e = open_text(if_else, (dc_rules)rules, 8);
      set_param(&e, "limit", limit);
      dc_emulation r = run(&e);
      assert_int_equal(r.divergent_branches, limit == 4);
      assert_int_equal(r.divergent_exits, 0);
      for (int lane = 0; lane < 8; ++lane)
        assert_int_equal(dc_emulator_words(e.emulator)[lane], lane < limit ? 5 : 7);
      // After the join all lanes are together again.
      assert_int_equal(dc_emulator_at(e.emulator, e.program.length - 1).executions, 1);
      // Predication issues both targets whoever is there.
      unsigned targets = limit == 4 || rules == DC_RULES_NONE ? 2 : 1;
      assert_int_equal(dc_emulator_at(e.emulator, 4).executions +
                           dc_emulator_at(e.emulator, 6).executions,
                       targets);
      release_emulated(&e);
    }
}

static void the_same_region_works_with_tokens_and_with_barriers(void **state) {
  (void)state;
  static const char text[] = "S2R R0, SR_LANEID\nISETP.LT P0, R0, 3\nSSY join\n@P0 BRA other\n"
                             "IADD R1, R1, 7\nNOP.S\nother: IADD R1, R1, 5\nNOP.S\n"
                             "join: EXIT\n";
  dc_emulation stack = run_text(text, "sm_35", 8), barriers = run_text(text, "sm_90", 8);
  assert_int_equal(stack.pushes, 2);
  assert_int_equal(stack.max_depth, 2);
  assert_int_equal(barriers.pushes, 1);
  assert_int_equal(barriers.waits, 1);
  assert_int_equal(stack.instructions, barriers.instructions);
  assert_int_equal(stack.lane_instructions, barriers.lane_instructions);
}

// ---- exits of a region -----------------------------------------------------------------------

// Lanes that exit inside are not waited for.
static void an_early_exit_is_not_waited_for(void **state) {
  (void)state;
  static const char text[] = "S2R R0, SR_LANEID\nISETP.LT P0, R0, 3\nBSSY B0, join\n"
                             "@P0 EXIT\nISETP.LT P1, R0, 5\n@P1 BRA join\nNOP\n"
                             "join: BSYNC B0\nNOP\nEXIT\n";
  for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules) {
    emulated e = open_text(text, (dc_rules)rules, 8);
    run(&e);
    dc_emulated after = dc_emulator_at(e.emulator, 8);
    assert_int_equal(after.executions, 1);
    assert_int_equal(after.lane_executions, 5);
    release_emulated(&e);
  }
}

// The last lanes that others wait for exit: then these go on.
static void waiting_lanes_go_on_when_the_others_have_exited(void **state) {
  (void)state;
  static const char text[] = "S2R R0, SR_LANEID\nISETP.LT P0, R0, 3\nBSSY B0, join\n"
                             "@P0 BRA join\nNOP\nEXIT\njoin: BSYNC B0\nNOP\nEXIT\n";
  emulated e = open_text(text, DC_RULES_BARRIERS, 8);
  dc_emulation r = run(&e);
  assert_int_equal(r.waits, 1);
  assert_int_equal(r.pops, 1);
  assert_int_equal(dc_emulator_at(e.emulator, 7).lane_executions, 3);
  release_emulated(&e);
}

// A break out of two loops: BREAK leaves the barrier that the others meet at.
static void break_leaves_a_barrier(void **state) {
  (void)state;
  static const char text[] = "S2R R0, SR_LANEID\nISETP.LT P0, R0, 3\nBSSY B1, last\nBSSY B0, join\n"
                             "@!P0 BRA stay\nBREAK B0\nBRA last\nstay: NOP\n"
                             "join: BSYNC B0\nNOP\nlast: BSYNC B1\nEXIT\n";
  emulated e = open_text(text, DC_RULES_BARRIERS, 8);
  dc_emulation r = run(&e);
  assert_int_equal(dc_emulator_at(e.emulator, 9).lane_executions, 5);
  assert_int_equal(dc_emulator_at(e.emulator, 11).executions, 1);
  assert_int_equal(dc_emulator_at(e.emulator, 11).lane_executions, 8);
  assert_int_equal(r.pushes, 2);
  assert_int_equal(r.pops, 2);
  release_emulated(&e);
}

// ---- warp-synchronising -------------------------------------------------------------------------

static void warpsync_brings_lanes_together(void **state) {
  (void)state;
  static const char text[] = "S2R R0, SR_LANEID\nISETP.LT P0, R0, 3\n@P0 BRA there\nNOP\n"
                             "there: WARPSYNC 0xffffffff\nNOP\nEXIT\n";
  emulated e = open_text(text, DC_RULES_BARRIERS, 8);
  run(&e);
  assert_int_equal(dc_emulator_at(e.emulator, 4).executions, 2);
  assert_int_equal(dc_emulator_at(e.emulator, 5).executions, 1);
  release_emulated(&e);
}

static void lanes_that_wait_for_each_other_are_an_error(void **state) {
  (void)state;
  static const char text[] = "S2R R0, SR_LANEID\nISETP.LT P0, R0, 3\nBSSY B0, join\n"
                             "@P0 BRA join\nWARPSYNC 0xff\njoin: BSYNC B0\nEXIT\n";
  emulated e = open_text(text, DC_RULES_BARRIERS, 8);
  assert_int_equal(try_to_run(&e), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(e.error.text, "all lanes wait"));
  release_emulated(&e);
}

// ---- calls --------------------------------------------------------------------------------------

// Lanes call with different numbers, and return at different depths of recursion.
static const char recursion[] =
    ".param most 3\n.array out 0 * 32\n"
    "S2R R0, SR_LANEID\nIMIN R1, R0, most\nCAL f\nST out[R0], R2\nEXIT\n"
    "f: ISETP.LE P0, R1, RZ\n@P0 RET\nISUB R1, R1, 1\nCAL f\n"
    "IADD R2, R2, 1\nRET\n";

static void recursion_returns_each_lane_from_its_own_depth(void **state) {
  (void)state;
  for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules) {
    emulated e = open_text(recursion, (dc_rules)rules, 8);
    set_param(&e, "most", 5);
    run(&e);
    for (int lane = 0; lane < 8; ++lane)
      assert_int_equal(dc_emulator_words(e.emulator)[lane], lane < 5 ? lane : 5);
    if (rules != DC_RULES_BARRIERS) // a RET doesn't bring lanes together there
      assert_int_equal(dc_emulator_at(e.emulator, 4).executions, 1);
    release_emulated(&e);
  }
}

static void recursion_without_end_is_an_error(void **state) {
  (void)state;
  static const char text[] = "f: CAL f\n EXIT\n";
  for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules) {
    emulated e = open_text(text, (dc_rules)rules, 4);
    e.options.call_depth = 100;
    assert_int_equal(try_to_run(&e), DC_ERROR_LIMIT);
    assert_non_null(strstr(e.error.text, "more than 100 calls within calls"));
    assert_non_null(strstr(e.error.text, "line 1"));
    release_emulated(&e);
  }
}

// ---- limits -------------------------------------------------------------------------------------

static void expect_failure(const char *text, dc_rules rules, dc_status status, const char *what) {
  emulated e = open_text(text, rules, 4);
  e.options.steps = 10000;
  e.options.tokens = 50;
  assert_int_equal(try_to_run(&e), status);
  if (!strstr(e.error.text, what))
    fail_msg("'%s' has no '%s'", e.error.text, what);
  release_emulated(&e);
}

static void what_never_ends_is_an_error(void **state) {
  (void)state;
  for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules)
    expect_failure("here: BRA here\n EXIT\n", (dc_rules)rules, DC_ERROR_LIMIT,
                   "line 1, lanes 0xf: more than 10000 steps");
  expect_failure("here: SSY here\n BRA here\n EXIT\n", DC_RULES_STACK, DC_ERROR_LIMIT,
                 "more than 50 tokens");
  expect_failure("here: SSY here\n BRA here\n EXIT\n", DC_RULES_BARRIERS, DC_ERROR_LIMIT,
                 "more than 50 barriers");
}

static void what_makes_no_sense_is_an_error(void **state) {
  (void)state;
  expect_failure("NOP.S\nEXIT\n", DC_RULES_STACK, DC_ERROR_ARGUMENT, "the stack is empty");
  expect_failure("NOP.S\nEXIT\n", DC_RULES_BARRIERS, DC_ERROR_ARGUMENT, "no barrier is open");
  expect_failure("NOP.S\nEXIT\n", DC_RULES_NONE, DC_ERROR_ARGUMENT, "pop bit is not for these");
  expect_failure("CAL f\nEXIT\nf: NOP.S\n", DC_RULES_STACK, DC_ERROR_ARGUMENT, "a call's token");
  expect_failure("RET\nEXIT\n", DC_RULES_STACK, DC_ERROR_ARGUMENT, "RET outside");
  expect_failure("RET\nEXIT\n", DC_RULES_BARRIERS, DC_ERROR_ARGUMENT, "RET outside");
  expect_failure("RET\nEXIT\n", DC_RULES_NONE, DC_ERROR_ARGUMENT, "RET outside");
  expect_failure("BREAK B0\nEXIT\n", DC_RULES_STACK, DC_ERROR_ARGUMENT, "BREAK is not for");
  expect_failure("BSSY B0, x\nBSSY B1, y\nx: BSYNC B0\ny: BSYNC B1\nEXIT\n", DC_RULES_BARRIERS,
                 DC_ERROR_ARGUMENT, "line 3, lanes 0xf: B0 is not the innermost barrier: B1 is");
  expect_failure("NOP\n", DC_RULES_STACK, DC_ERROR_ARGUMENT, "the program ends here");
  expect_failure(".array a 1 2\nS2R R0, SR_LANEID\nLD R1, a[R0]\nEXIT\n", DC_RULES_STACK,
                 DC_ERROR_ARGUMENT, "lane 2 wants a[2], but it has 2 words");
  emulated e = open_text("EXIT\n", DC_RULES_STACK, 65);
  assert_int_equal(try_to_run(&e), DC_ERROR_ARGUMENT);
  assert_string_equal(e.error.text, "lanes is 65, but must be from 1 to 64");
  release_emulated(&e);
}

// ---- the assembler ------------------------------------------------------------------------------

static void wrong_texts_are_told_by_line(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } wrong[] = {
      {"EXIT\nFLY R1\n", "line 2: unknown instruction 'FLY'"},
      {"BRA nowhere\n", "line 1: no label 'nowhere'"},
      {"x: NOP\nx: EXIT\n", "line 2: label 'x' is there twice"},
      {"IADD R1, R2\n", "line 1: expected ',' before"},
      {"IADD R32, R2, 1\n", "line 1: expected a register R0 to R31 before 'R32'"},
      {"MOV R1, what\n", "line 1: 'what' is neither register, number nor .param above"},
      {"MOV R1,\n5: EXIT\n", "line 1: expected a name before"},
      {"MOV R1, 0x1ffffffff\n", "does not fit 32 bits"},
      {"@P7 BRA x\nx: EXIT\n", "line 1: expected a predicate P0 to P6"},
      {"@P0 SSY x\nx: EXIT\n", "line 1: SSY can't be predicated"},
      {"BRA.S x\nx: EXIT\n", "line 1: BRA can't have a pop bit"},
      {"BSSY B0, x\nx: BSYNC B1\n", "line 1: the label of this BSSY must stand before a BSYNC B0"},
      {"BRA x\nNOP\nx:\n", "line 1: its label stands after the last instruction"},
      {".thing\n", "line 1: unknown directive '.thing'"},
      {".param n\nEXIT\n", "line 1: expected the value of 'n'"},
      {".param n 1\n.param n 2\nEXIT\n", "line 2: 'n' is there twice"},
      {".array a 1 * 2000000\nEXIT\n", "line 1: the arrays have more than"},
      {"LD R1, a[R0]\nEXIT\n", "line 1: no .array 'a' above"},
      {"EXIT now\n", "line 1: unexpected 'now"},
      {"S2R R1, SR_NONE\n", "line 1: expected SR_LANEID or SR_TID.X"},
      {"S2R R1,\nsecret\n", "line 1: expected SR_LANEID or SR_TID.X before the end of the line"},
      {"S2R R1, \x1b[2J\n", "line 1: expected SR_LANEID or SR_TID.X before '?'"},
      {"MOV R1, \nsecret\n", "line 1: expected a name before the end of the line"},
      {".array a 1 *\nsecret\n", "line 1: expected how often 1 comes before the end of the line"},
      {".param n // why\nsecret\n", "line 1: expected the value of 'n' before the end of the line"},
      {"// nothing\n", "there are no instructions"},
      {"", "there are no instructions"},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    dc_program program;
    dc_error error = {0};
    assert_int_equal(dc_program_assemble(wrong[k].text, &program, &error), DC_ERROR_SYNTAX);
    if (!strstr(error.text, wrong[k].message))
      fail_msg("'%s' has no '%s'", error.text, wrong[k].message);
    assert_null(strstr(error.text, "secret")); // what stands on other lines
    assert_in_range(error.offset, 0, strlen(wrong[k].text));
    assert_null(program.code);
  }
}

static void data_instructions_compute(void **state) {
  (void)state;
  static const char text[] =
      ".array out 0 * 16\nMOV R1, 0x7fffffff\nIADD R2, R1, 1\nST out[0], R2\nIMUL R2, 7, -6\n"
      "ST out[1], R2\nIMAX R2, -3, 2\nST out[2], R2\nIMIN R2, -3, 2\nST out[3], R2\n"
      "AND R2, 12, 10\nST out[4], R2\nOR R2, 12, 10\nST out[5], R2\nXOR R2, 12, 10\n"
      "ST out[6], R2\nSHL R2, 3, 4\nST out[7], R2\nSHR R2, -1, 28\nST out[8], R2\n"
      "SHL R2, 1, 32\nST out[9], R2\nISUB R2, 1, 3\nST out[10], R2\n"
      "ISETP.GE P1, 2, 2\n@P1 MOV R3, 1\nST out[11], R3\nISETP.GT P1, 2, 2\n@!P1 MOV R3, 9\n"
      "ST out[12], R3\nISETP.NE P2, 1, 1\n@P2 MOV R3, 4\nST out[13], R3\nISETP.EQ P2, 1, 1\n"
      "@P2 MOV R3, 8\nST out[14], R3\nISETP.LE P2, 5, 4\n@P2 MOV R3, 0\nST out[15], R3\nEXIT\n";
  static const int32_t wanted[] = {INT32_MIN, -42, 2, -3, 8, 14, 6, 48, 15, 0, -2, 1, 9, 9, 8, 8};
  emulated e = assemble(text, "sm_90", 1);
  run(&e);
  for (size_t k = 0; k < sizeof wanted / sizeof *wanted; ++k)
    assert_int_equal(dc_emulator_words(e.emulator)[k], wanted[k]);
  release_emulated(&e);
}

static void warps_of_64_lanes_work(void **state) {
  (void)state;
  char *text = listing("single_loop.sass");
  emulated e = assemble(text, "sm_35", 64);
  set_param(&e, "n", 63);
  set_param(&e, "most", 64);
  dc_emulation r = run(&e);
  assert_int_equal(r.pushes, 64);
  assert_int_equal(r.max_depth, 64);
  release_emulated(&e);
  free(text);
}

// ---- another run of the same program ------------------------------------------------------------

static void another_run_is_as_that_of_a_new_emulator(void **state) {
  (void)state;
  for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules) {
    emulated e = open_text(if_else, (dc_rules)rules, 8);
    set_param(&e, "limit", 4);
    dc_emulation first = run(&e);
    static const unsigned lanes[] = {3, 8}; // fewer, and as many again
    for (size_t k = 0; k < 2; ++k) {
      emulated fresh = open_text(if_else, (dc_rules)rules, lanes[k]);
      set_param(&fresh, "limit", 4);
      dc_emulation wanted = run(&fresh);
      e.options.lanes = lanes[k];
      assert_int_equal(dc_emulator_restart(e.emulator, &e.options, &e.error), DC_OK);
      assert_int_equal(dc_emulator_result(e.emulator).steps, 0);
      assert_int_equal(dc_emulator_run(e.emulator, &e.error), DC_OK);
      dc_emulation again = dc_emulator_result(e.emulator);
      assert_int_equal(again.steps, wanted.steps);
      assert_int_equal(again.lane_instructions, wanted.lane_instructions);
      assert_int_equal(again.divergent_branches, wanted.divergent_branches);
      assert_true(again.cycles == wanted.cycles);
      for (unsigned word = 0; word < 32; ++word)
        assert_int_equal(dc_emulator_words(e.emulator)[word],
                         dc_emulator_words(fresh.emulator)[word]);
      release_emulated(&fresh);
    }
    assert_int_equal(first.steps, dc_emulator_result(e.emulator).steps);
    release_emulated(&e);
  }
}

static void another_run_needs_no_more_than_the_first(void **state) {
  (void)state;
  emulated e = open_text(if_else, DC_RULES_BARRIERS, 8);
  e.options.tokens = 10;
  dc_emulation first = run(&e);
  static const struct {
    dc_emulator_options options;
    const char *text;
  } cases[] = {{{.lanes = 9, .tokens = 1}, "lanes is 9, but the emulator was made for 8"},
               {{.lanes = 0}, "lanes is 0, but must be from 1 to 64"},
               {{.lanes = 1, .tokens = 11}, "tokens is 11, but the emulator was made for 10"},
               {{.lanes = 1}, "tokens is 4096, but the emulator was made for 10"},
               {{.lanes = 1, .tokens = 1, .call_depth = 257},
                "call_depth is 257, but the emulator was made for 256"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    assert_int_equal(dc_emulator_restart(e.emulator, &cases[k].options, &e.error),
                     DC_ERROR_ARGUMENT);
    assert_string_equal(e.error.text, cases[k].text);
  }
  assert_int_equal(dc_emulator_result(e.emulator).steps, first.steps); // as it was
  release_emulated(&e);
  dc_emulator_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_part_at_an_if_only_if_some_take_each_target),
      cmocka_unit_test(the_same_region_works_with_tokens_and_with_barriers),
      cmocka_unit_test(an_early_exit_is_not_waited_for),
      cmocka_unit_test(waiting_lanes_go_on_when_the_others_have_exited),
      cmocka_unit_test(break_leaves_a_barrier),
      cmocka_unit_test(warpsync_brings_lanes_together),
      cmocka_unit_test(lanes_that_wait_for_each_other_are_an_error),
      cmocka_unit_test(recursion_returns_each_lane_from_its_own_depth),
      cmocka_unit_test(recursion_without_end_is_an_error),
      cmocka_unit_test(what_never_ends_is_an_error),
      cmocka_unit_test(what_makes_no_sense_is_an_error),
      cmocka_unit_test(wrong_texts_are_told_by_line),
      cmocka_unit_test(data_instructions_compute),
      cmocka_unit_test(warps_of_64_lanes_work),
      cmocka_unit_test(another_run_is_as_that_of_a_new_emulator),
      cmocka_unit_test(another_run_needs_no_more_than_the_first),
  };
  return cmocka_run_group_tests_name("emulator_text", tests, NULL, NULL);
}
