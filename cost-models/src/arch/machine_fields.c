// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one table of a machine's numbers, which readers, writers and generators walk.
#include "divcost/machine.h"

#include <string.h>

// Of what an SM divides by, nothing may be zero.
#define SOME 1e-6
#define CYCLES(name) {#name, offsetof(dc_machine, name), DC_MACHINE_REAL, 0, 1e6, "cycles"}
#define RATE(name) {#name, offsetof(dc_machine, name), DC_MACHINE_REAL, SOME, 1e6, "cycles"}
#define COUNT(name, most) {#name, offsetof(dc_machine, name), DC_MACHINE_COUNT, 1, most, ""}
#define SECONDS(name) {#name, offsetof(dc_machine, name), DC_MACHINE_REAL, 0, 1, "seconds"}
#define BYTES(name) {#name, offsetof(dc_machine, name), DC_MACHINE_BYTES, 1, 1e12, "bytes"}

const dc_machine_field dc_machine_fields[DC_MACHINE_FIELDS] = {
    {"clock", offsetof(dc_machine, clock), DC_MACHINE_REAL, 1e6, 1e11, "Hz"},
    COUNT(sms, 4096),
    COUNT(schedulers, 16),
    RATE(issue),
    RATE(alu),
    CYCLES(branch),
    CYCLES(shared),
    CYCLES(shared_more),
    CYCLES(l1),
    CYCLES(l1_more),
    CYCLES(l2),
    CYCLES(l2_far),
    CYCLES(l2_more),
    CYCLES(dram),
    CYCLES(dram_more),
    CYCLES(l1_request),
    RATE(l1_line),
    RATE(shared_wavefront),
    RATE(l2_sector),
    RATE(l2_line_sector),
    RATE(l2_sector_alone),
    RATE(dram_sector),
    RATE(dram_line_sector),
    RATE(dram_sector_alone),
    RATE(l2_write_sector),
    RATE(l2_write_line_sector),
    RATE(dram_write_sector),
    RATE(dram_write_line_sector),
    CYCLES(shuffle),
    CYCLES(barrier),
    CYCLES(atomic),
    CYCLES(shared_atomic),
    RATE(atomic_sector),
    RATE(reduce_sector),
    CYCLES(same_address),
    CYCLES(block_start),
    CYCLES(block_start_warp),
    CYCLES(block_each),
    SECONDS(launch_low),
    SECONDS(launch_high),
    BYTES(l1_bytes),
    BYTES(l2_bytes),
};

double dc_machine_get(const dc_machine *machine, unsigned field) {
  const char *at = (const char *)machine + dc_machine_fields[field].offset;
  double real;
  unsigned count;
  uint64_t bytes;
  switch (dc_machine_fields[field].kind) {
  case DC_MACHINE_REAL:
    memcpy(&real, at, sizeof real);
    return real;
  case DC_MACHINE_COUNT:
    memcpy(&count, at, sizeof count);
    return count;
  case DC_MACHINE_BYTES:
    memcpy(&bytes, at, sizeof bytes);
    return (double)bytes;
  }
  return 0;
}

// Only the kind's own conversion is made: another could be out of its range.
void dc_machine_set(dc_machine *machine, unsigned field, double value) {
  char *at = (char *)machine + dc_machine_fields[field].offset;
  switch (dc_machine_fields[field].kind) {
  case DC_MACHINE_REAL:
    memcpy(at, &value, sizeof value);
    break;
  case DC_MACHINE_COUNT:
    memcpy(at, &(unsigned){(unsigned)value}, sizeof(unsigned));
    break;
  case DC_MACHINE_BYTES:
    memcpy(at, &(uint64_t){(uint64_t)value}, sizeof(uint64_t));
    break;
  }
}

int dc_machine_find_field(const char *name) {
  for (int k = 0; k < DC_MACHINE_FIELDS; ++k)
    if (strcmp(dc_machine_fields[k].name, name) == 0)
      return k;
  return -1;
}
