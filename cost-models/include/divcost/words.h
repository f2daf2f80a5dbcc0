// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reports say of a kernel and its loops, in words: the same ones in the report as text and on
// the HTML page, each figure with where it comes from.
//
// Functions that write words do so as snprintf does: at most size bytes with the terminating zero;
// they return the length of the whole, 0 where there is nothing to say (the text is then empty).
// O(length) unless said otherwise; no allocation.
#ifndef DIVCOST_WORDS_H
#define DIVCOST_WORDS_H

#include "divcost/number.h"
#include "divcost/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bytes in which all words of one kind fit, but for what users wrote without end.
#define DC_WORDS 1200

// ---- shares ------------------------------------------------------------------------------------

// What a lost share deserves: bad from 10% at its low end, noteworthy from 2% at its high end.
typedef enum dc_severity { DC_SEVERITY_NONE, DC_SEVERITY_NOTE, DC_SEVERITY_BAD } dc_severity;
dc_severity dc_share_severity(dc_interval share);

// What imbalance and reconvergence are of an estimate's cycles. Where these are intervals, one that
// contains it, of their ends; and imbalance, which is of loops, is no more than these lose.
dc_interval dc_imbalance_share(const dc_estimate *estimate);
dc_interval dc_reconvergence_share(const dc_estimate *estimate);

// ---- kernels -----------------------------------------------------------------------------------

// "256", "16x16".
size_t dc_block_words(const dc_launch *launch, char *words, size_t size);
// "4096 blocks of 16x16", of a grid that is known.
size_t dc_grid_words(const dc_launch *launch, char *words, size_t size);

// "256 threads, from the launch": where that stands in the source is launch->location.
size_t dc_launch_words(const dc_launch *launch, char *words, size_t size);

// "n = 1000, from the pragma": the parameters whose values are known.
size_t dc_values_words(const dc_kernel *kernel, char *words, size_t size);

// "efficiency 57%, 37.6% of the program's time, 3 launches; estimated: 46..69%", where the kernel
// was measured; else "".
size_t dc_measured_words(const dc_unit_kernel *kernel, char *words, size_t size);

// "2.3% of 521 samples of its warps issue; 90.2% wait for what they read of ... memory (long_sb)
// ...", where a profiler looked; else "".
size_t dc_waits_words(const dc_unit_measured *measured, char *words, size_t size);

// "16..100% expected, 3.1..100% certain", where that says more than the efficiency; else "".
size_t dc_efficiency_words(const dc_estimate *estimate, char *words, size_t size);

// "6.2 diverge per warp, loop exits included (emulated)".
size_t dc_branches_words(const dc_estimate *estimate, char *words, size_t size);

// "75..100%, 48..64 of 64 warps of an SM, in 6..8 blocks; limited by registers, or by warps; about
// 31..68 registers a thread (estimated)"; "" where nothing is known.
size_t dc_occupancy_words(const dc_estimate *estimate, char *words, size_t size);

// "22..90 us; goes to its longest warps (49%), issue slots (30%); divergence costs 22 to 49% of the
// kernel's time, the tail at most 29% (assumed: what L2 holds)", with all that costs 5%; or why
// that isn't known; "" where nothing is known of such GPUs.
size_t dc_time_words(const dc_estimate *estimate, char *words, size_t size);
// "22 to 49% of the kernel's time"; "" where the time isn't known.
size_t dc_time_cost_words(const dc_time_estimate *time, char *words, size_t size);
// What the divergence at one loop or branch (the other DC_NONE) costs, where the kernel has
// several: "12 to 30% of the kernel's time"; "": not known, or not told apart.
size_t dc_time_part_words(const dc_time_estimate *time, uint32_t loop, uint32_t branch, char *words,
                          size_t size);
// "37% less: 19..76 us", what the launch would take with the items of each warp alike, and those
// that take longest first, where that is 5% less at least; else "".
size_t dc_time_longest_words(const dc_time_estimate *time, char *words, size_t size);
// "45.3 us" of seconds; "0" of 0, "-" below it.
size_t dc_seconds_words(double seconds, char *words, size_t size);
// "its longest warps".
const char *dc_bound_words(dc_bound bound);

// What a warp takes of memory in all, and what would do: "1,180 sectors, 440 needed; 64 passes over
// shared memory, 32 needed"; "" where nothing is known.
size_t dc_memory_words(const dc_kernel *kernel, const dc_estimate *estimate, char *words,
                       size_t size);

// One access: "store to 'out', strided by 4,096 bytes: 32 sectors a request, 4 needed".
size_t dc_access_words(const dc_kernel *kernel, const dc_estimate *estimate, uint32_t access,
                       char *words, size_t size);

// The accesses whose requests take more than they need, by how much that is in all at the most: the
// one that takes most too much where `last` is DC_NONE, and the next one after `last`; DC_NONE:
// there is none. O(accesses).
uint32_t dc_next_access(const dc_estimate *estimate, uint32_t last);

// What idles behind one branch: "43..75% of the lane-slots idle (assumed)"; "" where none do, or
// for an estimate without branches.
size_t dc_idle_words(const dc_estimate *estimate, uint32_t branch, char *words, size_t size);

// "of functions that aren't inlined (f(int); through a pointer: g(int)): what happens in them is in
// none of the kernel's figures": what these leave out. Nothing where they leave nothing out, which
// can be asked with size 0. O(blocks).
size_t dc_calls_words(const dc_kernel *kernel, char *words, size_t size);

// Bytes of a kernel's name before its parameters: parentheses of "(anonymous namespace)" and within
// template arguments don't begin these.
size_t dc_name_length(const char *name);

// "<float, 1>, <half, 2> and 21 more": what tells instances of a template from each other.
size_t dc_instances_words(const dc_name_list *names, char *words, size_t size);

// "sm_80: reconvergence assumed (from sm_90)": where costs come from. Those of instructions are
// told if they are assumed, or in full; how many instructions there are, where the kernel's were
// counted for another architecture. kernel may be NULL.
size_t dc_costs_words(const dc_arch *arch, const dc_kernel *kernel, bool full, char *words,
                      size_t size);

// Whether branches that leave no loop cost a noteworthy share, 1%, or lanes idle behind one in 5%
// of the slots.
bool dc_branches_matter(const dc_estimate *estimate);

// How to read the figures: entry number k, from 0, and its words; NULL after the last.
const char *dc_legend(unsigned k, const char **words);

// ---- loops -------------------------------------------------------------------------------------

// Whether the loop's figures depend on an assumption: within a range too, a distribution is
// assumed.
bool dc_depends_on_assumption(const dc_loop_estimate *figures);

// Whether a loop is worth more than a line: it may lose something, or nobody knows. figures may be
// NULL.
bool dc_loop_is_worth_reading(const dc_loop *loop, const dc_loop_estimate *figures);

// "loses 12% of the kernel (assumed)", or, of a loop that isn't worth reading or has no price,
// "strided loop, nothing lost"; of one in a function that is called, that it is in none of the
// kernel's figures. estimate may be NULL.
size_t dc_loop_words(const dc_kernel *kernel, uint32_t index, const dc_estimate *estimate,
                     char *words, size_t size);

// What is said of a loop, line by line.
typedef enum dc_figure {
  DC_FIGURE_TRIPS,  // the expression
  DC_FIGURE_ORIGIN, // where its value comes from, and the mean
  DC_FIGURE_UNROLLED,
  DC_FIGURE_IMBALANCE,
  DC_FIGURE_EFFICIENCY,
  DC_FIGURE_DIVERGENCE,
  DC_FIGURE_CYCLES,
  DC_FIGURE_COUNT
} dc_figure;

// "trips", "imbalance" ...; the origin's is "trips" too.
const char *dc_figure_label(dc_figure figure);

// The words of one figure; figures may be NULL: what the kernel alone says. O(nodes of the
// expression).
size_t dc_figure_words(const dc_kernel *kernel, uint32_t index, const dc_loop_estimate *figures,
                       dc_figure figure, char *words, size_t size);

#ifdef __cplusplus
}
#endif

#endif
