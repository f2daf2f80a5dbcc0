// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a profiler counted of kernels as they ran: how often warps and lanes executed each
// instruction of the machine code. `divcost profile import-ncu` makes it of what Nsight Compute
// exports, the plugin's option `measured` reads it. docs/measured.md.
//
// A lane-slot is one lane's place in one instruction that a warp executes: 32 for each. Those that
// no lane uses idle, and each of them is charged once, to the place in the machine code where the
// lane left: a loop that it left in an earlier iteration, a branch at which it went another way, or
// the start, where it never was. What can't be charged (functions that are called by a pointer,
// say) is told apart. Only counts and the ways through the code decide; there is no model in it,
// and nothing is fitted.
#ifndef DIVCOST_MEASURED_H
#define DIVCOST_MEASURED_H

#include "divcost/error.h"
#include "divcost/waits.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DC_SITE_NONE UINT32_MAX

// A line of the source that instructions belong to.
typedef struct dc_measured_line {
  char *file; // as the compiler named it, often an absolute path
  uint32_t line;
  char *text; // without blanks around it; "": the profiler didn't have the file
} dc_measured_line;

typedef enum dc_site_kind {
  DC_SITE_START,  // the kernel's: lanes that aren't there
  DC_SITE_LOOP,   // a natural loop of the machine code
  DC_SITE_BRANCH, // a conditional branch or exit that isn't a loop's
} dc_site_kind;

// Where lanes leave.
typedef struct dc_site {
  uint8_t kind;           // dc_site_kind
  uint32_t parent;        // site around it, in dc_measured_kernel.sites; DC_SITE_NONE for the start
  double idle;            // lane-slots that are charged to it
  double warps, lanes;    // that come: to the branch, into the loop, into the kernel
  double iterations;      // of warps: how often they execute a loop's first instruction;
  double lane_iterations; // of lanes; else 0
  uint32_t first_line, n_lines; // of the jumps that make it, in dc_measured_kernel.site_lines
  uint32_t n_main_lines;        // how many of these are of the jump that most warps execute
} dc_site;

// What accesses to a kind of memory took: sectors of 32 bytes of global memory, wavefronts (passes)
// of shared memory.
typedef struct dc_traffic {
  bool known;   // it was counted; else the others are 0
  double warps; // executions of the instructions, by warps
  double taken;
  double ideal; // what would do for the same lanes and bytes, side by side
} dc_traffic;

typedef enum dc_traffic_kind {
  DC_TRAFFIC_GLOBAL,
  DC_TRAFFIC_SHARED,
  DC_TRAFFIC_COUNT
} dc_traffic_kind;

// "global", "shared"; and back, or -1.
const char *dc_traffic_kind_name(dc_traffic_kind kind);
int dc_traffic_kind_parse(const char *name);

// What a profiler has of instructions besides their counts; all zeroes where it wasn't asked.
typedef struct dc_instruction_use {
  bool sampled;                  // it was looked where warps stand; else `samples` is zeroes
  double samples[DC_WAIT_COUNT]; // of warps that stood there, by what they waited for
  dc_traffic traffic[DC_TRAFFIC_COUNT];
} dc_instruction_use;

// The same of all instructions of a kernel that have these lines: those of the calls that they were
// inlined by, and behind these their own.
typedef struct dc_line_use {
  uint32_t first_line, n_lines; // in dc_measured_kernel.use_lines; none: what no line is known of
  dc_instruction_use use;
} dc_line_use;

// All launches of a kernel that were measured.
typedef struct dc_measured_kernel {
  char *symbol; // mangled
  uint64_t launches;
  double seconds;      // of all of them; negative: not known
  uint32_t block[3];   // of the longest; 0: not known
  double warps, lanes; // instructions that they executed, summed over all
  double untold;       // lane-slots that idle, and the machine code doesn't tell where lanes left
  dc_site *sites;      // sites[0] is the start, around all others
  uint32_t n_sites;
  uint32_t *site_lines; // in dc_measured.lines; of one jump calls before what was inlined there
  uint32_t n_site_lines;
  dc_line_use *uses; // by ascending lines, each list of these once; only where something is known
  uint32_t n_uses;
  uint32_t *use_lines; // in dc_measured.lines
  uint32_t n_use_lines;
  bool traffic_known[DC_TRAFFIC_COUNT]; // whether it was counted at the lines; else `uses` has none
} dc_measured_kernel;

typedef struct dc_measured {
  dc_measured_line *lines;
  uint32_t n_lines;
  dc_measured_kernel *kernels; // in ascending order of their symbols
  uint32_t n_kernels;
  double seconds; // of all launches that were timed, of other kernels, too; 0: not known
} dc_measured;

void dc_measured_free(dc_measured *measured);

// The kernel of that symbol, or NULL. Symbols of nvcc and of clang are one where they differ in how
// internal linkage and anonymous namespaces are written. O(kernels).
const dc_measured_kernel *dc_measured_find(const dc_measured *measured, const char *symbol);

// Share of a kernel's lane-slots: in [0, 1]; 0 where it executed nothing.
double dc_measured_share(const dc_measured_kernel *kernel, double lane_slots);

// SIMT efficiency: lanes / (32 * warps), in [0, 1]; 1 where it executed nothing.
double dc_measured_efficiency(const dc_measured_kernel *kernel);

// The sum of all uses. O(uses).
dc_instruction_use dc_measured_use(const dc_measured_kernel *kernel);

// The line that a use is of itself, in dc_measured.lines; DC_SITE_NONE: it has none.
uint32_t dc_measured_own_line(const dc_measured_kernel *kernel, const dc_line_use *use);

// Adds `from` to `to`; all samples of a use.
void dc_instruction_use_add(dc_instruction_use *to, const dc_instruction_use *from);
double dc_instruction_samples(const dc_instruction_use *use);

// DC_ERROR_ARGUMENT says what can't be: an index out of range, sites that aren't a tree from the
// start, more lanes than 32 for each warp, a number that is negative or none; DC_ERROR_MEMORY.
// O(size).
dc_status dc_measured_check(const dc_measured *measured, dc_error *error);

// ---- making it of instructions -----------------------------------------------------------------

// An instruction, with what was counted of it in one launch.
typedef struct dc_counted_instruction {
  uint64_t address;
  uint64_t warps, lanes;        // that executed it
  const char *text;             // SASS, as nvdisasm and Nsight Compute print it
  uint32_t first_line, n_lines; // in `lines` of dc_counts_add_launch; each line once
  dc_instruction_use use;
} dc_counted_instruction;

// Whether an instruction loads the stack pointer, as kernels do first and functions never: "LDC R1,
// c[0x0][0x28]", "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]".
bool dc_sass_begins_kernel(const char *text);

// Counts of kernels, launch by launch, until they are charged.
typedef struct dc_counts dc_counts;

dc_counts *dc_counts_new(void); // NULL: out of memory
void dc_counts_free(dc_counts *counts);

// The number of a line of the source, for `lines` of dc_counts_add_launch; DC_SITE_NONE: out of
// memory. Amortised O(length).
uint32_t dc_counts_line(dc_counts *counts, const char *file, uint32_t line, const char *text);

// Adds a launch: its machine code, list[n] in ascending order of addresses. The kernel begins where
// the stack pointer is loaded, else with the first one. Launches of the same code add up, wherever
// it was loaded. Errors: DC_ERROR_ARGUMENT, naming address and reason: no code, more lanes than 32
// for each warp, counts beyond 2^53, an address twice; DC_ERROR_LIMIT for sums beyond 2^53;
// DC_ERROR_MEMORY. O(n log n).
dc_status dc_counts_add_launch(dc_counts *counts, const char *symbol,
                               const dc_counted_instruction *list, uint32_t n,
                               const uint32_t *lines, dc_error *error);

// What a profiler says of a launch as a whole.
typedef struct dc_launch_totals {
  double seconds;
  uint32_t block[3];   // 0: not known
  double warps, lanes; // instructions that they executed; 0: not known
  dc_instruction_use use;
} dc_launch_totals;

// Adds the totals of a launch, which dc_counts_add_launch need not know. Instructions of which no
// code was given idle untold, and what they use is without a line; traffic only where it was
// counted of instructions, too. Errors: DC_ERROR_MEMORY.
dc_status dc_counts_add_totals(dc_counts *counts, const char *symbol,
                               const dc_launch_totals *totals, dc_error *error);

// Charges all launches, and makes *measured of it; kernels that only have a time are left out. A
// kernel of which there are several codes, of several programs or GPUs, has the sites of each.
// Errors: DC_ERROR_MEMORY. For each code O(instructions * depth of its nesting); control flow that
// no structured program has may take O(instructions^2).
dc_status dc_counts_charge(const dc_counts *counts, dc_measured *measured, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
