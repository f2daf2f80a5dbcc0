// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Claims against what the lanes do. Each time that a lane leaves a loop, its trip count is held
// against the report's expressions and bounds; when the launch is over, those of lanes that came to
// the loop together (by the same calls, in the same iterations of the loops around it) against each
// other.
#ifndef DIVCOST_ORACLE_CHECK_H
#define DIVCOST_ORACLE_CHECK_H

#include "claims.h"
#include "machine.h"

// What a check found wrong; `kind` is a word that stays the same while a program is shrunk.
typedef struct violation {
  const char *kind;
  uint32_t line;
  char text[600];
} violation;

enum { MOST_VIOLATIONS = 16 };

typedef struct counts {
  uint64_t entries;     // of loops, by lanes
  uint64_t unclaimed;   // of loops that the report doesn't have
  uint64_t ambiguous;   // of loops that stand in one place with others
  uint64_t outside;     // in launches that the loop's condition leaves out
  uint64_t undecided;   // whose condition is about what isn't known
  uint64_t expressions; // trip counts held against an expression
  uint64_t bounds;      // ... against an upper bound
  uint64_t exits;       // ... of one exit
  uint64_t alike;       // lanes held against others
  uint64_t estimates;   // figures of loops held against an estimate
} counts;

// What the lanes of a launch did in a loop.
typedef struct loop_count {
  uint64_t lanes, trips;  // entries by lanes, and their iterations
  uint64_t warps, issued; // entries by warps, whose lanes are together where they have come the
                          // same way, and iterations of their slowest lanes
} loop_count;

typedef struct check {
  const claims *claims;
  const probe_program *program;
  const int64_t *arguments;
  bool (*read)(uint64_t address, unsigned bits, int64_t *value);
  uint32_t block_number; // of the block that runs, counted through the grid
  counts counts;
  violation violations[MOST_VIOLATIONS]; // those of the launch that runs, of one kind and line once
  uint32_t n_violations;
  loop_count *loops; // of the launch that runs, one for each claim
  bool uncounted;    // they aren't all, or bits were lost
} check;

// Which check the probes report to.
extern check *probe_check;

// At the beginning of a launch of some blocks, and at its end.
void begin_launch(check *c);
void end_launch(check *c);

// A violation of this kind, once for each line.
void violate(check *c, const char *kind, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// A barrier that threads wait at in vain must be in a finding, in one of these lines at least.
void check_barrier(check *c, const machine *m, const probe_dim3 *block);

// From the probes.
int32_t find_claim(const probe_frame *frame);
void check_entry(const probe_frame *frame);

#endif
