// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of the emulator share: assembly, from a text or one of bench/listings, run to its
// end.
#ifndef DIVCOST_TESTS_EMULATION_H
#define DIVCOST_TESTS_EMULATION_H

#include "support.h"

#include "divcost/emulator.h"

typedef struct emulated {
  char *text;
  dc_program program;
  dc_arch arch;
  dc_emulator_options options;
  dc_emulator *emulator;
  dc_error error;
} emulated;

static inline dc_arch arch_named(const char *name) {
  dc_arch arch;
  dc_error error = {0};
  if (dc_arch_find(name, &arch, &error) != DC_OK)
    fail_msg("%s: %s", name, error.text);
  return arch;
}

static inline char *listing(const char *name) {
  char path[400];
  snprintf(path, sizeof path, "%s/%s", DIVCOST_LISTINGS, name);
  FILE *stream = fopen(path, "r");
  if (!stream)
    fail_msg("cannot read %s", path);
  char *text = calloc(1, 10000);
  assert_in_range(fread(text, 1, 9999, stream), 1, 9998);
  fclose(stream);
  return text;
}

static inline emulated assemble(const char *text, const char *arch, unsigned lanes) {
  emulated e = {.arch = arch_named(arch), .options = {.lanes = lanes}};
  e.text = strcpy(malloc(strlen(text) + 1), text);
  if (dc_program_assemble(e.text, &e.program, &e.error) != DC_OK)
    fail_msg("%s", e.error.text);
  return e;
}

static inline dc_status try_to_run(emulated *e) {
  dc_emulator_free(e->emulator);
  dc_status status =
      dc_emulator_create(&e->program, &e->arch, &e->options, &e->emulator, &e->error);
  return status == DC_OK ? dc_emulator_run(e->emulator, &e->error) : status;
}

static inline dc_emulation run(emulated *e) {
  if (try_to_run(e) != DC_OK)
    fail_msg("%s", e->error.text);
  return dc_emulator_result(e->emulator);
}

static inline void release_emulated(emulated *e) {
  dc_emulator_free(e->emulator);
  dc_program_free(&e->program);
  free(e->text);
}

// Sets a parameter of the program.
static inline void set_param(emulated *e, const char *name, int32_t value) {
  int at = dc_program_find_param(&e->program, name);
  assert_true(at >= 0);
  e->program.params[at].value = value;
}

// Runs a text once.
static inline dc_emulation run_text(const char *text, const char *arch, unsigned lanes) {
  emulated e = assemble(text, arch, lanes);
  dc_emulation result = run(&e);
  release_emulated(&e);
  return result;
}

#endif
