// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as an architecture file: what is taken has costs in their ranges.
#define _POSIX_C_SOURCE 200809L // fmemopen

#include "json/read_arch.h"

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_cycles(double cycles) { REQUIRE(cycles >= 0 && cycles <= 1e6); }

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  dc_arch_data file;
  dc_arch arch;
  dc_error error = {0};
  FILE *stream = size ? fmemopen((void *)data, size, "r") : NULL;
  if (!stream)
    return 0;
  dc_status status = dc__arch_read_json(stream, &file, &error);
  fclose(stream);
  if (status != DC_OK) {
    REQUIRE(error.text[0]);
    return 0;
  }
  if (dc_arch_find_sm(file.sm[0], &arch, &error) != DC_OK) { // of a GPU that nobody knows
    REQUIRE(error.text[0]);
    return 0;
  }
  dc__arch_apply(&arch, &file, true);
  check_cycles(arch.divergent_branch);
  check_cycles(arch.divergent_exit);
  check_cycles(arch.displaced);
  check_cycles(arch.spill);
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    check_cycles(arch.issue[mix]);
  REQUIRE(arch.rules != DC_RULES_STACK || arch.spill_entries <= arch.stack_entries);
  for (unsigned field = 0; arch.machine.known && field < DC_MACHINE_FIELDS; ++field) {
    double value = dc_machine_get(&arch.machine, field);
    REQUIRE(value >= dc_machine_fields[field].least && value <= dc_machine_fields[field].most);
  }
  REQUIRE(memchr(arch.machine.provenance, 0, sizeof arch.machine.provenance));
  REQUIRE(memchr(arch.provenance, 0, sizeof arch.provenance));
  return 0;
}
