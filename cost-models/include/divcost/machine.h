// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one GPU of a compute capability takes for the work of a kernel: latencies, throughputs and
// sizes. Costs of divergence are of an architecture (divcost/arch.h); how many multiprocessors
// there are, how fast they run and what memory they wait for is of a product. Cycles are those of
// an SM's clock. "All" is where all SMs ask at the same time, "alone" where one does.
#ifndef DIVCOST_MACHINE_H
#define DIVCOST_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dc_machine {
  bool known;           // false: nobody said anything of a GPU of this compute capability
  char device[48];      // whose figures these are: "NVIDIA H200"
  char provenance[128]; // "measured on ...", "published (...), latencies assumed from sm_90"
  double clock;         // Hz, under load
  unsigned sms;
  unsigned schedulers; // warp schedulers of an SM

  double issue;  // cycles of a scheduler for a warp instruction of a usual mix
  double alu;    // cycles from an instruction to one that needs its result
  double branch; // cycles of a compare and a conditional branch in a chain

  // Cycles from a load of one line, or one wavefront, to what needs its result. A request waits for
  // the slowest of its lines, so that each doubling of them takes as much more.
  double shared, shared_more; // more: for each further wavefront
  double l1, l1_more;         // more: for each doubling of the lines
  double l2, l2_far, l2_more; // of up to 1 MiB of data; of more than 8 MiB, in all parts of L2
  double dram, dram_more;

  double l1_request, l1_line; // cycles of an SM for a request that looks into L1, and for each line
  double shared_wavefront;    // cycles of an SM for a wavefront of shared memory

  double l2_sector;         // cycles of an SM for a sector from L2, single ones, all
  double l2_line_sector;    // the same in whole lines
  double l2_sector_alone;   // single ones, alone
  double dram_sector;       // from DRAM, single ones, all
  double dram_line_sector;  // in whole lines
  double dram_sector_alone; // single ones, alone

  double l2_write_sector;        // cycles of an SM for a sector that is written to L2, single ones
  double l2_write_line_sector;   // in whole lines
  double dram_write_sector;      // that goes on to DRAM, single ones, all bytes of them; others are
  double dram_write_line_sector; // read before; in whole lines

  double shuffle, barrier;      // cycles; a barrier of one warp
  double atomic, shared_atomic; // cycles from an atomic to what needs its result
  double atomic_sector;         // cycles of an SM for a global atomic's sector, all
  double reduce_sector;         // the same where nobody uses what it gives back
  double same_address;          // cycles of the whole GPU between atomics to one address

  double block_start;      // cycles from a block's end to the beginning of the one that takes its
  double block_start_warp; // place, and as many more for each warp
  double block_each;       // cycles of the whole GPU for each block of a launch

  double launch_low;  // seconds that an empty kernel takes, as profilers tell it
  double launch_high; // the same between two events

  uint64_t l1_bytes; // the most that L1 gives to data
  uint64_t l2_bytes; // of scattered reads, what L2 holds: less than its size
} dc_machine;

// The numbers of a machine by their names in files, which are those of the members: clock to
// l2_bytes, in this order.
typedef enum dc_machine_kind {
  DC_MACHINE_REAL,  // a double
  DC_MACHINE_COUNT, // an unsigned
  DC_MACHINE_BYTES  // a uint64_t
} dc_machine_kind;

typedef struct dc_machine_field {
  const char *name;
  size_t offset;
  dc_machine_kind kind;
  double least, most;
  const char *unit; // "cycles", "Hz", "seconds", "bytes" or ""
} dc_machine_field;

#define DC_MACHINE_FIELDS 42
extern const dc_machine_field dc_machine_fields[DC_MACHINE_FIELDS];

// The number of that field. A double holds all that counts and bytes may be.
double dc_machine_get(const dc_machine *machine, unsigned field);
void dc_machine_set(dc_machine *machine, unsigned field, double value);

// The field of that name, or -1.
int dc_machine_find_field(const char *name);

#ifdef __cplusplus
}
#endif

#endif
