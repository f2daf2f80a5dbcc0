// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as an assembly. What assembles is run under all rules, for some steps: it ends, or
// fails with a text, its figures fit together, and each step prints as long as it says.
#include "divcost/emulator.h"

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 300, CALLS = 8, TOKENS = 24 };

typedef struct watch {
  const dc_program *program;
  unsigned lanes;
  double clock;
} watch;

static void check_step(void *context, const dc_step *step) {
  watch *w = context;
  char text[64];
  size_t length = dc_step_print(w->program, step, w->lanes, text, sizeof text);
  REQUIRE(strlen(text) == (length < sizeof text ? length : sizeof text - 1));
  REQUIRE(step->pc < w->program->length && step->clock >= w->clock);
  REQUIRE(w->lanes == 64 || step->active >> w->lanes == 0);
  w->clock = step->clock;
}

static void check_figures(const dc_program *program, const dc_emulator *emulator, bool done) {
  dc_emulation r = dc_emulator_result(emulator);
  uint64_t executions = 0;
  for (uint32_t pc = 0; pc < program->length; ++pc)
    executions += dc_emulator_at(emulator, pc).executions;
  REQUIRE(executions == r.instructions && r.steps == r.instructions && r.steps <= STEPS);
  REQUIRE(r.pops <= r.pushes);
  REQUIRE(r.reloads <= r.spills);
  REQUIRE(r.max_depth <= TOKENS);
  REQUIRE(r.divergent_exits <= r.divergent_branches);
  REQUIRE(r.efficiency >= 0 && r.efficiency <= 1 && r.cycles >= 0);
  REQUIRE(!done || r.steps > 0);
}

static void run(const dc_program *program, const dc_arch *arch, unsigned lanes) {
  watch w = {program, lanes, 0};
  dc_emulator_options options = {.lanes = lanes,
                                 .steps = STEPS,
                                 .call_depth = CALLS,
                                 .tokens = TOKENS,
                                 .trace = check_step,
                                 .context = &w};
  dc_emulator *emulator;
  dc_error error = {0};
  if (dc_emulator_create(program, arch, &options, &emulator, &error) == DC_OK) {
    bool done = dc_emulator_run(emulator, &error) == DC_OK;
    REQUIRE(done || error.text[0]);
    check_figures(program, emulator, done);
  } else {
    REQUIRE(error.text[0] && !emulator);
  }
  dc_emulator_free(emulator);
}

static void run_under_all_rules(const dc_program *program, unsigned lanes) {
  dc_arch arch;
  REQUIRE(dc_arch_find("sm_50", &arch, NULL) == DC_OK);
  arch.stack_entries = 8; // so that small programs spill
  run(program, &arch, lanes);
  arch.reload = DC_RELOAD_EAGER;
  run(program, &arch, lanes);
  REQUIRE(dc_arch_find("sm_90", &arch, NULL) == DC_OK);
  run(program, &arch, lanes);
  arch.rules = DC_RULES_NONE;
  run(program, &arch, lanes);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  char *text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = 0;
  dc_program program;
  dc_error error = {0};
  if (dc_program_assemble(text, &program, &error) == DC_OK) {
    run_under_all_rules(&program, 5);
    run_under_all_rules(&program, 64);
    dc_program_free(&program);
  } else {
    REQUIRE(error.text[0] && error.offset <= strlen(text));
  }
  free(text);
  return 0;
}
