// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of reports: shares and kernels. Loops are in words_loop.c.
#include "divcost/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- shares ------------------------------------------------------------------------------------

dc_severity dc_share_severity(dc_interval share) {
  return share.low >= 0.1     ? DC_SEVERITY_BAD
         : share.high >= 0.02 ? DC_SEVERITY_NOTE
                              : DC_SEVERITY_NONE;
}

static dc_interval part_of(dc_interval part, dc_interval whole, double most) {
  if (part.low < 0 || whole.low <= 0)
    return (dc_interval){-1, -1};
  bool exact = part.low == part.high && whole.low == whole.high;
  dc_interval share = {part.low / whole.high, part.high / whole.low};
  if (!exact)
    share.high = fmax(share.low, fmin(share.high, most));
  return share;
}

dc_interval dc_imbalance_share(const dc_estimate *estimate) {
  return part_of(estimate->imbalance, estimate->cycles, estimate->share.high);
}

dc_interval dc_reconvergence_share(const dc_estimate *estimate) {
  return part_of(estimate->reconvergence, estimate->cycles, estimate->share.high);
}

// ---- kernels -----------------------------------------------------------------------------------

// What snprintf returns, which fails only where nothing can be done about it.
static size_t length(int written) { return written > 0 ? (size_t)written : 0; }

static size_t say_dims(const uint32_t dims[3], char *words, size_t size) {
  if (dims[2] > 1)
    return length(snprintf(words, size, "%ux%ux%u", dims[0], dims[1], dims[2]));
  if (dims[1] > 1)
    return length(snprintf(words, size, "%ux%u", dims[0], dims[1]));
  return length(snprintf(words, size, "%u", dims[0]));
}

size_t dc_block_words(const dc_launch *launch, char *words, size_t size) {
  return say_dims(launch->block, words, size);
}

size_t dc_grid_words(const dc_launch *launch, char *words, size_t size) {
  char grid[40], block[40];
  say_dims(launch->grid, grid, sizeof grid);
  say_dims(launch->block, block, sizeof block);
  return length(snprintf(words, size, "%s blocks of %s", grid, block));
}

size_t dc_launch_words(const dc_launch *launch, char *words, size_t size) {
  static const char *const from[] = {[DC_BLOCK_OPTION] = "from the option",
                                     [DC_BLOCK_PRAGMA] = "from the pragma",
                                     [DC_BLOCK_ANNOTATIONS] = "from the annotation file",
                                     [DC_BLOCK_REQNTID] = "required by the kernel",
                                     [DC_BLOCK_LAUNCH] = "from the launch",
                                     [DC_BLOCK_PROFILE] = "from the profile",
                                     [DC_BLOCK_LAUNCH_BOUNDS] = "assumed, within __launch_bounds__",
                                     [DC_BLOCK_ASSUMED] = "assumed",
                                     [DC_BLOCK_COMPUTED] = "assumed; the launch computes them"};
  char dims[40];
  dc_block_words(launch, dims, sizeof dims);
  return length(snprintf(words, size, "%s threads, %s", dims,
                         launch->from <= DC_BLOCK_COMPUTED ? from[launch->from] : ""));
}

size_t dc_values_words(const dc_kernel *kernel, char *words, size_t size) {
  size_t used = 0;
  *words = 0;
  for (uint32_t k = 0; k < kernel->n_params && used < size; ++k)
    if (kernel->params[k].known)
      used +=
          length(snprintf(words + used, size - used, "%s = %" PRId64 ", ",
                          dc_kernel_text(kernel, kernel->params[k].name), kernel->params[k].value));
  if (used > 0 && used < size)
    used += length(snprintf(words + used, size - used, "as launched"));
  return used;
}

// Whether two shares differ by a percent or more at an end.
static bool differ(dc_interval a, dc_interval b) {
  return fabs(a.low - b.low) >= 0.01 || fabs(a.high - b.high) >= 0.01;
}

size_t dc_efficiency_words(const dc_estimate *estimate, char *words, size_t size) {
  dc_interval expected = estimate->expected_efficiency, certain = estimate->certain_efficiency;
  *words = 0;
  if (expected.low < 0 || certain.low < 0 ||
      !(differ(expected, estimate->efficiency) || differ(certain, estimate->efficiency)))
    return 0;
  return length(snprintf(words, size, "%s expected, %s certain", dc_number_percent(expected).text,
                         dc_number_percent(certain).text));
}

size_t dc_measured_words(const dc_unit_kernel *kernel, char *words, size_t size) {
  const dc_unit_measured *measured = &kernel->measured;
  const dc_estimate *worst = dc_worst_estimate(kernel);
  char time[60] = "", recorded[80] = "", estimated[160] = "";
  *words = 0;
  if (measured->launches == 0)
    return 0;
  if (measured->time_share >= 0)
    snprintf(time, sizeof time, ", %.3g%% of the program's time", 100 * measured->time_share);
  if (measured->by == DC_MEASURED_RECORDER)
    snprintf(recorded, sizeof recorded,
             measured->of_blocks >= 0 ? " (recorded; %.1f%% of the blocks alone)" : " (recorded)",
             100 * measured->of_blocks);
  if (worst && worst->expected_efficiency.low >= 0)
    snprintf(estimated, sizeof estimated, "; estimated: %s",
             dc_number_percent(worst->expected_efficiency).text);
  return length(snprintf(words, size, "efficiency %.1f%%%s, %" PRIu64 " launch%s%s%s",
                         100 * measured->efficiency, time, measured->launches,
                         measured->launches == 1 ? "" : "es", recorded, estimated));
}

size_t dc_waits_words(const dc_unit_measured *measured, char *words, size_t size) {
  enum { SHOWN = 3 };
  const double least = 0.05;
  dc_wait ranked[DC_WAIT_COUNT - 1];
  *words = 0;
  if (!(measured->samples > 0))
    return 0;
  dc_waits_rank(measured->waits, ranked);
  size_t at = length(snprintf(words, size, "%.1f%% of %.0f samples of its warps issue",
                              100 * measured->waits[DC_WAIT_SELECTED], measured->samples));
  for (unsigned k = 0; k < SHOWN && measured->waits[ranked[k]] >= least; ++k)
    at += length(snprintf(words + (at < size ? at : size), at < size ? size - at : 0,
                          "%s %.1f%%%s %s (%s)", k ? "," : ";", 100 * measured->waits[ranked[k]],
                          k ? "" : " wait for", dc_wait_words(ranked[k]), dc_wait_name(ranked[k])));
  if (measured->unlisted >= least)
    at += length(snprintf(words + (at < size ? at : size), at < size ? size - at : 0,
                          "; %.1f%% are at code that Nsight Compute doesn't list",
                          100 * measured->unlisted));
  return at;
}

size_t dc_branches_words(const dc_estimate *estimate, char *words, size_t size) {
  *words = 0;
  if (estimate->divergent_branches.low < 0)
    return 0;
  return length(snprintf(words, size, "%s diverge per warp, loop exits included%s",
                         dc_number_count(estimate->divergent_branches).text,
                         estimate->emulated ? " (emulated)" : ""));
}

size_t dc_idle_words(const dc_estimate *estimate, uint32_t branch, char *words, size_t size) {
  *words = 0;
  if (branch >= estimate->n_branches || estimate->branches[branch].idle.high <= 0)
    return 0;
  const dc_branch_estimate *figures = &estimate->branches[branch];
  return length(snprintf(words, size, "%s of the lane-slots idle%s",
                         dc_number_percent(figures->idle).text,
                         figures->from == DC_FROM_ASSUMED ? " (assumed)" : ""));
}

// The functions of one kind, "; through a pointer: f(int), g(int) and 3 more". Returns what is
// written in all.
static size_t calls_of(const dc_kernel *kernel, dc_call_kind kind, const char *label, char *words,
                       size_t used, size_t size) {
  enum { MOST = 4, LENGTH = 80 };
  uint32_t shown = 0, more = 0;
  for (uint32_t k = 0; k < kernel->n_calls; ++k) {
    const dc_call *call = &kernel->calls[k];
    const char *name = dc_kernel_text(kernel, call->function);
    if (!call->function)
      name = shown ? "others" : "not known which";
    if (call->kind != kind)
      continue;
    if (shown == MOST) {
      ++more;
      continue;
    }
    if (used < size)
      used +=
          length(snprintf(words + used, size - used, "%s%s%.*s%s",
                          shown  ? ", "
                          : used ? "; "
                                 : "",
                          shown ? "" : label, LENGTH, name, strlen(name) > LENGTH ? "..." : ""));
    ++shown;
  }
  if (more && used < size)
    used += length(snprintf(words + used, size - used, " and %" PRIu32 " more", more));
  return used;
}

size_t dc_calls_words(const dc_kernel *kernel, char *words, size_t size) {
  static const char *const labels[] = {"", "through a pointer: ", "in another unit: "};
  char names[DC_WORDS - 150] = "recursive, very large, or through a pointer";
  size_t used = 0;
  if (size)
    *words = 0;
  if (!kernel->n_calls)
    return 0;
  for (unsigned kind = 0; kind <= DC_CALL_ELSEWHERE; ++kind)
    used = calls_of(kernel, (dc_call_kind)kind, labels[kind], names, used, sizeof names);
  return length(snprintf(words, size,
                         "of functions that aren't inlined (%s): what happens in them is in none "
                         "of the kernel's figures",
                         names));
}

size_t dc_costs_words(const dc_arch *arch, const dc_kernel *kernel, bool full, char *words,
                      size_t size) {
  bool told = full || strstr(arch->issue_provenance, "assumed");
  char counts[64] = "";
  if (kernel && kernel->machine_code && kernel->machine_code != arch->sm)
    snprintf(counts, sizeof counts, "; instruction counts assumed (from sm_%u)",
             kernel->machine_code);
  return length(snprintf(words, size, "sm_%u: reconvergence %s%s%s%s", arch->sm, arch->provenance,
                         told ? "; instructions " : "", told ? arch->issue_provenance : "",
                         counts));
}

bool dc_branches_matter(const dc_estimate *estimate) {
  for (uint32_t k = 0; k < estimate->n_branches; ++k)
    if (estimate->branches[k].idle.high >= 0.05)
      return true;
  if (estimate->cycles.high <= 0)
    return false;
  double cost = estimate->reconvergence.high;
  for (uint32_t k = 0; k < estimate->n_loops; ++k)
    if (estimate->loops[k].reconvergence.high > 0)
      cost -= estimate->loops[k].reconvergence.high;
  return cost >= 0.01 * estimate->cycles.high;
}

const char *dc_legend(unsigned k, const char **words) {
  static const char *const legend[][2] = {
      {"issue cycles", "in which one warp issues: not its time, for most of it a warp waits"},
      {"lost",
       "share of the kernel's issue cycles: those that lanes idle (imbalance), and those that "
       "the hardware takes to manage divergence (reconvergence)"},
      {"imbalance", "slots issued over slots used: 1 is none, 32 the worst"},
      {"efficiency",
       "lanes that work, of the 32 of each machine instruction that is expected to be issued; "
       "where divergent branches are not emulated, the instructions of both branch targets count "
       "as full, so this is what "
       "loops leave of it"},
      {"low..high", "depends on an assumption, and lies between these ends"}};
  bool good = k < sizeof legend / sizeof *legend;
  *words = good ? legend[k][1] : "";
  return good ? legend[k][0] : NULL;
}
