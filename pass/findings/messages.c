// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sentences about loops, from skeleton and estimate.
#include "findings/messages.h"

#include "findings/findings.h"
#include "findings/places.h"

#include "divcost/distribution.h"
#include "divcost/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPRESSION_SIZE 512

// A text that is written piece by piece into the caller's memory, cut where it is full.
typedef struct sentence {
  char *text;
  size_t size, length;
} sentence;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void say(sentence *to, const char *format, ...) {
  if (to->length + 1 >= to->size)
    return;
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(to->text + to->length, to->size - to->length, format, arguments);
  va_end(arguments);
  if (length > 0)
    to->length += (size_t)length;
}

// The kernel's name. Long parameters say nothing that the name with its template arguments doesn't,
// and hide what the message is about.
static void say_name(sentence *to, const dc_kernel *kernel) {
  enum { PARAMETERS = 60 };
  const char *name = dc_kernel_text(kernel, kernel->name);
  size_t length = dc_name_length(name);
  bool all = strlen(name + length) <= PARAMETERS;
  say(to, "'%.*s%s'", (int)length, name, all ? name + length : "(...)");
}

static bool is_known(dc_interval interval) { return interval.low >= 0; }

// A share as a percentage: one figure, or two where they differ by a point or more.
static void say_share(sentence *to, dc_interval share, const char *one, const char *from,
                      const char *until) {
  if (share.high - share.low < 0.01)
    say(to, "%s%.0f%%", one, 100 * share.low);
  else
    say(to, "%s%.0f%%%s%.0f%%", from, 100 * share.low, until, 100 * share.high);
}

// Parameters that the trip count needs and whose values nobody gave, "n, width"; false: there are
// none.
static bool name_unknown_parameters(const dc_kernel *kernel, dc_expr trips, sentence *to) {
  bool any = false;
  for (uint32_t p = 0; p < kernel->n_params; ++p)
    if (kernel->params[p].name && dcp_needs_parameter(kernel, trips, p)) {
      say(to, "%s%s", any ? ", " : "", dc_kernel_text(kernel, kernel->params[p].name));
      any = true;
    }
  return any;
}

// Whether the trip count follows from the launch alone, once that is known.
static bool rests_on_launch(const dc_kernel *kernel, const dc_loop *loop) {
  return !loop->distribution && dcp_rests_on_launch(kernel, loop->trips);
}

static void say_derived(sentence *to, const dc_launch *launch) {
  bool known = launch->from < DC_BLOCK_LAUNCH_BOUNDS;
  say(to, known ? " (derived from the code and the launch)"
                : " (derived from the code; assumed: block dimensions)");
}

// Where the figures of a loop come from, in parentheses.
static void say_origin(sentence *to, const dc_kernel *kernel, uint32_t number,
                       const dc_estimate *of) {
  const dc_loop *loop = &kernel->loops[number];
  const dc_loop_estimate *estimate = &of->loops[number];
  switch (estimate->from) {
  case DC_FROM_DERIVED:
    say_derived(to, &of->launch);
    return;
  case DC_FROM_ANNOTATED:
  case DC_FROM_PROFILE: {
    const char *distribution = dc_kernel_text(kernel, loop->distribution);
    say(to, " (%s: %.*s%s", dc_from_name(estimate->from), DC_DISTRIBUTION_SHOWN, distribution,
        strlen(distribution) > DC_DISTRIBUTION_SHOWN ? "..." : "");
    if (loop->correlation > 0)
      say(to, ", per_warp_correlated(%.3g)", loop->correlation);
    say(to, ")");
    return;
  }
  case DC_FROM_RANGE:
  case DC_FROM_ASSUMED:
    break;
  }
  if (rests_on_launch(kernel, loop)) {
    char names[200] = "";
    sentence list = {names, sizeof names, 0};
    if (name_unknown_parameters(kernel, loop->trips, &list))
      say(to, " (assumed: values of %s)", names);
    else
      say(to, " (assumed: the launch)");
  } else if (estimate->from == DC_FROM_RANGE &&
             (loop->level < DC_DIVERGENT || loop->loop_class == DC_CLASS_STRIDED)) {
    int64_t most = dc_most_trips(kernel, number);
    say(to, " (range: %" PRId64 " trips at most; %" PRId64 " assumed)", most,
        dc_trips_assumed(most));
  } else if (estimate->from == DC_FROM_RANGE) {
    int64_t most = dc_most_trips(kernel, number);
    dc_assumed_distributions distributions = dc_distributions_assumed(most);
    say(to, " (range: %" PRId64 " trips at most; assumed: from %s to %s)", most, distributions.low,
        distributions.high);
  } else if (loop->swaps && !loop->distribution) {
    say(to, " (assumed: lanes of one address take turns)");
  } else if (loop->distribution) {
    say(to, " (assumed: %s, since %s)", dc_kernel_text(kernel, loop->distribution),
        dc_kernel_text(kernel, loop->distribution_at));
  } else {
    dc_assumed_distributions distributions = dc_distributions_assumed(-1);
    say(to, " (assumed: trip counts from %s to %s)", distributions.low, distributions.high);
  }
}

static void say_instances(sentence *to, unsigned instances) {
  if (instances > 1)
    say(to, "in the worst of %u instances examined ", instances);
}

// What divergence costs in time, before what it loses: at the loop or branch, where the kernel has
// several; else in the kernel.
static void say_time(sentence *to, const dc_time_estimate *time, uint32_t loop, uint32_t branch) {
  char words[100];
  bool here = dc_time_part_words(time, loop, branch, words, sizeof words);
  if (here || dc_time_cost_words(time, words, sizeof words))
    say(to, "divergence %scosts %s, which goes to %s most%s; ", here ? "here " : "", words,
        dc_bound_words((dc_bound)time->bound),
        time->assumed_l2 || time->assumed_extents ? " (assumed: caches, arrays)" : "");
}

void dcp_word_imbalance(const dc_kernel *kernel, uint32_t loop, const dc_estimate *estimate,
                        unsigned instances, char *text, size_t size) {
  sentence to = {text, size, 0};
  say(&to, "loop runs a different number of iterations in each lane: ");
  say_instances(&to, instances);
  say_time(&to, &estimate->time, loop, DC_NONE);
  say_share(&to, dc_loop_share(estimate, loop), "about ", "", " to ");
  say(&to, " of the kernel's issue cycles are lost");
  say_origin(&to, kernel, loop, estimate);
}

// What would tell the share that a loop loses, where its trip counts follow from the launch.
static void say_what_launch_tells(sentence *to, const dc_kernel *kernel, const dc_loop *loop) {
  char names[200] = "";
  sentence list = {names, sizeof names, 0};
  say(to, "; DIVCOST_LAUNCH(...) before the kernel");
  if (name_unknown_parameters(kernel, loop->trips, &list))
    say(to, ", with %s = typical values,", names);
  say(to, " would tell");
}

// Of a loop in which the lanes of a warp compare and swap at one address.
static void say_turns(sentence *to, const dc_estimate *estimate, uint32_t loop,
                      unsigned instances) {
  say(to, "lanes go round until they have swapped at one address, one after the other: ");
  say_instances(to, instances);
  say_share(to, dc_loop_share(estimate, loop), "about ", "", " to ");
  say(to, " of the kernel's issue cycles are lost (assumed: nobody else is faster); let one lane "
          "swap what all of the warp bring");
}

void dcp_word_data_dependent(const dc_kernel *kernel, uint32_t loop, const dc_estimate *estimate,
                             unsigned instances, char *text, size_t size) {
  sentence to = {text, size, 0};
  const dc_loop *statement = &kernel->loops[loop];
  if (statement->swaps == DC_SWAPS_ONE && estimate->loops[loop].from == DC_FROM_ASSUMED) {
    say_turns(&to, estimate, loop, instances);
    return;
  }
  bool of_launch = rests_on_launch(kernel, statement);
  say(&to, "loop may run a different number of iterations in each lane, by %s: ",
      of_launch ? "values of the launch" : "data");
  say_instances(&to, instances);
  say_share(&to, dc_loop_share(estimate, loop), "about ", "", " to ");
  say(&to, " of the kernel's issue cycles are lost%s",
      of_launch ? "" : " if the lanes are independent, none if they are alike");
  say_origin(&to, kernel, loop, estimate);
  if (of_launch)
    say_what_launch_tells(&to, kernel, statement);
  else
    say(&to, "; DIVCOST_TRIPS(DISTRIBUTION) before it would tell");
}

// "; its loops lose of the issue cycles, by line: 12 (7%), 20 (5%)": the three that lose most.
static void say_contributors(sentence *to, const dc_kernel *kernel, const dc_estimate *estimate) {
  uint32_t told[3];
  for (unsigned n = 0; n < 3; ++n) {
    uint32_t most = DC_NONE;
    for (uint32_t l = 0; l < estimate->n_loops; ++l) {
      double share = dc_loop_share(estimate, l).low;
      bool again = (n > 0 && told[0] == l) || (n > 1 && told[1] == l);
      if (!again && kernel->loops[l].location != DC_NONE && share >= 0.005 &&
          estimate->loops[l].from < DC_FROM_RANGE &&
          (most == DC_NONE || share > dc_loop_share(estimate, most).low))
        most = l;
    }
    if (most == DC_NONE)
      return;
    told[n] = most;
    say(to, "%s %" PRIu32 " (%.0f%%)", n ? "," : "; its loops lose of the issue cycles, by line:",
        kernel->locations[kernel->loops[most].location].line,
        100 * dc_loop_share(estimate, most).low);
  }
}

// "; an expected 49% at the branch in line 20", where who takes it follows from the launch.
static void say_worst_branch(sentence *to, const dc_kernel *kernel, const dc_estimate *estimate) {
  uint32_t worst = DC_NONE;
  for (uint32_t b = 0; b < estimate->n_branches; ++b)
    if (estimate->branches[b].from == DC_FROM_DERIVED && estimate->branches[b].idle.low >= 0.05 &&
        kernel->branches[b].location != DC_NONE &&
        (worst == DC_NONE || estimate->branches[b].idle.low > estimate->branches[worst].idle.low))
      worst = b;
  if (worst != DC_NONE)
    say(to, "; an expected %.0f%% at the branch in line %" PRIu32,
        100 * estimate->branches[worst].idle.low,
        kernel->locations[kernel->branches[worst].location].line);
}

void dcp_word_efficiency(const dc_kernel *kernel, const dc_estimate *estimate, char *text,
                         size_t size) {
  sentence to = {text, size, 0};
  const uint32_t *block = estimate->launch.block;
  uint32_t threads = block[0] * block[1] * block[2];
  say(&to, "at least %.0f%% of the lanes of kernel ",
      100 * (1 - estimate->certain_efficiency.high));
  say_name(&to, kernel);
  say(&to, " idle, whatever its data are");
  if (dcp_has_part_warp(block))
    say(&to, ": blocks of %" PRIu32 "x%" PRIu32 "x%" PRIu32 " threads are %s", block[0], block[1],
        block[2], threads < 32 ? "smaller than a warp of 32" : "no multiple of a warp of 32");
  say_contributors(&to, kernel, estimate);
  say_worst_branch(&to, kernel, estimate);
}

// A line of the user's that lanes may part at, and the share of the kernel that is lost there in
// the middle of what is estimated.
typedef struct parting {
  uint32_t line;
  double share;
} parting;

static uint32_t file_of(const dc_kernel *kernel, uint32_t location) {
  return location == DC_NONE ? DC_NONE : kernel->locations[location].file;
}

// Of a loop, or of a branch behind the loops; line 0: in another file than the kernel.
static parting parting_of(const dc_kernel *kernel, const dc_estimate *estimate, uint32_t number) {
  bool is_loop = number < estimate->n_loops;
  uint32_t b = number - estimate->n_loops;
  dc_interval lost = is_loop ? dc_loop_share(estimate, number) : estimate->branches[b].idle;
  uint32_t at = is_loop ? kernel->loops[number].location : kernel->branches[b].location;
  if (at != DC_NONE)
    at = dcp_users_location(kernel, at);
  if (at == DC_NONE || file_of(kernel, at) != file_of(kernel, kernel->location))
    return (parting){0, 0};
  return (parting){kernel->locations[at].line, (lost.low + lost.high) / 2};
}

// Adds it to its line's; what has no room any more is left out.
static unsigned add_parting(parting next, parting *list, unsigned n, unsigned room) {
  unsigned at = 0;
  while (at < n && list[at].line != next.line)
    ++at;
  if (at == room)
    return n;
  if (at == n)
    list[n++] = (parting){next.line, 0};
  list[at].share += next.share;
  return n;
}

static int compare_partings(const void *left, const void *right) {
  const parting *a = left, *b = right;
  if (a->share != b->share)
    return a->share > b->share ? -1 : 1;
  return a->line < b->line ? -1 : a->line > b->line;
}

// "; most in lines 27, 29 and 31": the three of the kernel's file in which most idles.
static void say_largest_partings(sentence *to, const dc_kernel *kernel,
                                 const dc_estimate *estimate) {
  enum { LINES = 200 };
  parting list[LINES];
  unsigned n = 0;
  for (uint32_t k = 0; k < estimate->n_loops + estimate->n_branches; ++k) {
    parting next = parting_of(kernel, estimate, k);
    if (next.line && next.share > 0)
      n = add_parting(next, list, n, LINES);
  }
  qsort(list, n, sizeof *list, compare_partings);
  unsigned told = 0;
  while (told < n && told < 3 && list[told].share >= 0.01)
    ++told;
  if (told > 0)
    say(to, "; most in line%s %" PRIu32, told > 1 ? "s" : "", list[0].line);
  for (unsigned k = 1; k < told; ++k)
    say(to, "%s %" PRIu32, k + 1 < told ? "," : " and", list[k].line);
}

void dcp_word_spread(const dc_kernel *kernel, const dc_estimate *estimate, unsigned instances,
                     char *text, size_t size) {
  sentence to = {text, size, 0};
  dc_interval expected = estimate->expected_efficiency;
  say(&to, "lanes of kernel ");
  say_name(&to, kernel);
  say(&to, " may part in several places, by data: ");
  say_instances(&to, instances);
  say(&to, "up to %.0f%% of them idle if each decides for itself, %.0f%% if they are alike",
      100 * (1 - expected.low), 100 * (1 - expected.high));
  say_largest_partings(&to, kernel, estimate);
  say(&to, " (assumed: what data decide%s)",
      kernel->n_calls > 0 ? ", and what functions that aren't inlined do" : "");
}

void dcp_word_always_idle(const dc_kernel *kernel, const dc_estimate *estimate, unsigned instances,
                          char *text, size_t size) {
  sentence to = {text, size, 0};
  dc_interval expected = estimate->expected_efficiency;
  say_instances(&to, instances);
  say_share(&to, (dc_interval){1 - expected.high, 1 - expected.low}, "about ", "", " to ");
  say(&to, " of the lanes of kernel ");
  say_name(&to, kernel);
  say(&to, " idle under all that is assumed of its launch and data");
  say_largest_partings(&to, kernel, estimate);
}

static bool has_assumed_loops(const dc_estimate *estimate) {
  for (uint32_t l = 0; l < estimate->n_loops; ++l)
    if (estimate->loops[l].from >= DC_FROM_RANGE)
      return true;
  return false;
}

// Where all is told, and all warps of the launch were looked at, something is certain.
static bool has_assumed_branches(const dc_estimate *estimate) {
  dc_interval certain = estimate->certain_efficiency;
  return estimate->launch.from < DC_BLOCK_LAUNCH_BOUNDS && !estimate->sampled &&
         certain.low <= 1.0 / 32 && certain.high > certain.low;
}

void dcp_word_idle_branch(const dc_kernel *kernel, uint32_t branch, const dc_estimate *estimate,
                          unsigned instances, char *text, size_t size) {
  sentence to = {text, size, 0};
  const dc_branch_estimate *figures = &estimate->branches[branch];
  bool told = figures->from == DC_FROM_DERIVED;
  dc_expr condition = kernel->branches[branch].condition;
  char names[200] = "";
  sentence list = {names, sizeof names, 0};
  say(&to, "lanes of a warp %s here, by %s: ", told ? "part" : "may part",
      told ? "their index" : "data");
  say_instances(&to, instances);
  say_time(&to, &estimate->time, DC_NONE, branch);
  say_share(&to, figures->idle, "about ", "", " to ");
  say(&to, " of the kernel's issue slots idle%s",
      told ? "" : " if each lane decides for itself, none if all decide alike");
  uint32_t taken = kernel->branches[branch].taken;
  if (!told && taken)
    say(&to, " (by the code: %.3g%% of the lanes go the rarer way)",
        100.0 * (taken < DC_CHANCE / 2 ? taken : DC_CHANCE - taken) / DC_CHANCE);
  else if (!told)
    say(&to, " (assumed: half of the lanes go each way, or one in a warp)");
  else if (condition != DC_NO_EXPR && name_unknown_parameters(kernel, condition, &list))
    say(&to, " (assumed: values of %s)", names);
  else if (has_assumed_loops(estimate))
    say(&to, " (assumed: how long the kernel's loops run)");
  else if (has_assumed_branches(estimate))
    say(&to, " (assumed: which way the kernel's other branches go)");
  else
    say_derived(&to, &estimate->launch);
}

// The least padding of rows of this many bytes, in words, that leaves a load of a column without
// conflicts; 0: there is none.
static unsigned padding_of(int64_t stride, unsigned bytes) {
  for (unsigned words = 1; words <= 4; ++words) {
    int64_t column[32];
    for (unsigned lane = 0; lane < 32; ++lane)
      column[lane] = lane * (stride + 4 * (int64_t)words);
    unsigned taken = dc_request_wavefronts(column, UINT32_MAX, bytes, DC_ACCESS_LOAD);
    if (4 * words % bytes == 0 && taken == dc_request_ideal_wavefronts(UINT32_MAX, bytes, taken))
      return words;
  }
  return 0;
}

// "each store of a warp to 'out'"
static void say_access(sentence *to, const dc_kernel *kernel, const dc_access *access) {
  static const char *const kinds[] = {"load", "store", "atomic operation"};
  static const char *const prepositions[] = {"from", "to", "on"};
  static const char *const spaces[] = {"memory", "global memory", "shared memory", "local memory",
                                       "constant memory"};
  const char *name = dc_kernel_text(kernel, access->name);
  say(to, "each %s of a warp %s ", kinds[access->kind], prepositions[access->kind]);
  if (*name)
    say(to, "'%s'", name);
  else
    say(to, "%s", spaces[access->space]);
}

void dcp_word_access(const dc_kernel *kernel, uint32_t access, const dc_estimate *estimate,
                     unsigned others, unsigned instances, char *text, size_t size) {
  sentence to = {text, size, 0};
  const dc_access *data = &kernel->accesses[access];
  const dc_access_estimate *figures = &estimate->accesses[access];
  double taken = figures->taken.low, ideal = figures->ideal.high;
  bool shared = data->space == DC_SPACE_SHARED;
  say_access(&to, kernel, data);
  if (data->space == DC_SPACE_CONSTANT)
    say(&to, " reads %.3g addresses, one after the other", taken);
  else
    say(&to,
        shared ? " takes %.3g passes over the banks of shared memory where %.3g would do"
               : " touches %.3g sectors of 32 bytes where %.3g would do",
        taken, ideal);
  if (figures->stride)
    say(&to, ": neighbouring threads are %.0f bytes apart", fabs((double)figures->stride));
  else if (data->space != DC_SPACE_CONSTANT)
    say(&to, ": neighbouring threads are not side by side");
  unsigned words = shared && figures->stride % 4 == 0 && figures->stride >= 32
                       ? padding_of(figures->stride, data->bytes)
                       : 0;
  if (words)
    say(&to, "; with rows of %" PRId64 " bytes it takes %.3g", figures->stride + 4 * (int64_t)words,
        ideal);
  if (others)
    say(&to, " (as %s %u other access%s of it)", others == 1 ? "does" : "do", others,
        others == 1 ? "" : "es");
  if (instances > 1)
    say(&to, " (in %u instances)", instances);
}

// "; the kernel takes 38% of the program's GPU time, in 3 launches)"
static void say_launches(sentence *to, const dc_unit_measured *measured) {
  if (measured->time_share >= 0)
    say(to, "; the kernel takes %.3g%% of the program's GPU time", 100 * measured->time_share);
  say(to, ", in %" PRIu64 " launch%s)", measured->launches, measured->launches == 1 ? "" : "es");
}

// "(measured: SIMT efficiency 57%; the kernel takes 38% of the program's GPU time, in 3 launches)";
// "(recorded: SIMT efficiency 57%, in 3 launches)"
static void say_measured(sentence *to, const dc_unit_measured *measured) {
  say(to, " (%s: SIMT efficiency %.0f%%",
      measured->by == DC_MEASURED_RECORDER ? "recorded" : "measured", 100 * measured->efficiency);
  say_launches(to, measured);
}

// Of blocks with warps that aren't full, as the estimates have them.
static void say_part_warps(sentence *to, const dc_unit_kernel *kernel) {
  for (uint32_t e = 0; e < kernel->n_estimates; ++e) {
    const uint32_t *block = kernel->estimates[e].launch.block;
    if (!dc_estimate_decides(kernel, e) || !dcp_has_part_warp(block))
      continue;
    say(to, ", in blocks of %" PRIu32 "x%" PRIu32 "x%" PRIu32 " threads", block[0], block[1],
        block[2]);
    return;
  }
}

static void say_kernel_idles(sentence *to, const dc_unit_kernel *kernel, double share) {
  say(to, "%.0f%% of the lane-slots of kernel ", 100 * share);
  say_name(to, &kernel->kernel);
  say(to, " idle");
}

void dcp_word_measured(const dc_unit_kernel *kernel, const dc_measured_part *part,
                       unsigned instances, double threshold, char *text, size_t size) {
  sentence to = {text, size, 0};
  const dc_unit_measured *measured = &kernel->measured;
  if (!part) {
    say_kernel_idles(&to, kernel, measured->untold);
    say(&to, measured->by == DC_MEASURED_RECORDER && kernel->kernel.n_calls > 0
                 ? " in functions that it calls, which lanes of a warp begin without the others"
                 : " where its machine code doesn't tell why");
  } else if (part->share < threshold) {
    say_kernel_idles(&to, kernel, 1 - measured->efficiency);
    say(&to, ", in several places; most of them, %.0f%%, ", 100 * part->share);
    say(&to, part->location == DC_NONE ? "from its start" : "by what is here");
  } else if (part->loop != DC_NONE) {
    say(&to, "loop runs a different number of iterations in each lane: ");
    if (instances > 1)
      say(&to, "in the worst of %u instances measured ", instances);
    say(&to, "%.0f%% of the kernel's lane-slots idle", 100 * part->share);
  } else if (part->branch != DC_NONE) {
    say(&to, "lanes of a warp part here: ");
    if (instances > 1)
      say(&to, "in the worst of %u instances measured ", instances);
    say(&to, "%.0f%% of the kernel's lane-slots idle", 100 * part->share);
  } else {
    say_kernel_idles(&to, kernel, part->share);
    say(&to, part->location == DC_NONE ? " from its start"
             : measured->by == DC_MEASURED_RECORDER
                 ? " while others take the slow path of what is computed here, or have their "
                   "turn at an address"
                 : " by what is in this line");
  }
  if (part && part->location == DC_NONE)
    say_part_warps(&to, kernel);
  say_measured(&to, measured);
}

// How far apart the lanes of an access are by the code, as far as it tells.
static void say_stride(sentence *to, const dc_unit_kernel *kernel, uint32_t access) {
  const dc_estimate *worst = dc_worst_estimate(kernel);
  if (worst && access < worst->n_accesses && worst->accesses[access].stride)
    say(to, "; neighbouring threads are %.0f bytes apart",
        fabs((double)worst->accesses[access].stride));
}

void dcp_word_measured_access(const dc_unit_kernel *kernel, const dc_measured_access *access,
                              unsigned instances, char *text, size_t size) {
  sentence to = {text, size, 0};
  const dc_kernel *skeleton = &kernel->kernel;
  bool shared = access->kind == DC_TRAFFIC_SHARED;
  if (access->access < skeleton->n_accesses)
    say_access(&to, skeleton, &skeleton->accesses[access->access]);
  else
    say(&to, "each access of a warp to %s memory in this line", shared ? "shared" : "global");
  say(&to,
      shared ? " takes %.3g passes over the banks of shared memory where %.3g would do"
             : " touches %.3g sectors of 32 bytes where %.3g would do",
      access->taken, access->ideal);
  say(&to, ": ");
  if (instances > 1)
    say(&to, "in the worst of %u instances measured ", instances);
  say(&to, "%.0f%% of the kernel's %s", 100 * access->share,
      shared ? "passes over shared memory aren't needed" : "global sectors aren't needed");
  say_stride(&to, kernel, access->access);
  say(&to, " (measured");
  say_launches(&to, &kernel->measured);
}

void dcp_word_loop(const dc_kernel *kernel, uint32_t loop, const dc_estimate *estimate, char *text,
                   size_t size) {
  sentence to = {text, size, 0};
  const dc_loop *statement = &kernel->loops[loop];
  char trips[EXPRESSION_SIZE];
  say(&to, "%s loop in kernel ", dc_class_name((dc_class)statement->loop_class));
  say_name(&to, kernel);
  if (statement->unknown)
    say(&to, " (%s)", dc_kernel_text(kernel, statement->unknown));
  if (statement->trips != DC_NO_EXPR) {
    dc_kernel_print_expr(kernel, statement->trips, trips, sizeof trips);
    say(&to, ", trip count %s", trips);
  }
  if (statement->condition)
    say(&to, ", %s", dc_kernel_text(kernel, statement->condition));
  if (statement->ignored)
    say(&to, ", ignored: %s", dc_kernel_text(kernel, statement->ignored));
  if (!estimate)
    return;
  const dc_loop_estimate *figures = &estimate->loops[loop];
  if (!is_known(figures->efficiency))
    return;
  say_share(&to, figures->efficiency, ", SIMT efficiency ", ", SIMT efficiency ", " to ");
  if (is_known(figures->divergent_exits)) {
    say(&to, ", %.3g", figures->divergent_exits.low);
    if (figures->divergent_exits.high > figures->divergent_exits.low)
      say(&to, " to %.3g", figures->divergent_exits.high);
    say(&to, " divergent exits an entry");
  }
  say_origin(&to, kernel, loop, estimate);
}

void dcp_word_branch(const dc_kernel *kernel, uint32_t branch, char *text, size_t size) {
  sentence to = {text, size, 0};
  say(&to, "divergent branch in kernel ");
  say_name(&to, kernel);
  if (kernel->branches[branch].condition == DC_NO_EXPR)
    return;
  char condition[EXPRESSION_SIZE];
  dc_kernel_print_expr(kernel, kernel->branches[branch].condition, condition, sizeof condition);
  say(&to, ", on %s", condition);
}

void dcp_word_others(const dc_kernel *const *kernels, uint32_t n, char *text, size_t size) {
  enum { NAMED = 2 };
  sentence to = {text, size, 0};
  say(&to, n > 1 ? "; kernels " : "; kernel ");
  for (uint32_t k = 0; k < n && k < NAMED; ++k) {
    if (k > 0)
      say(&to, n > NAMED ? ", " : " and ");
    say_name(&to, kernels[k]);
  }
  if (n > NAMED)
    say(&to, " and %" PRIu32 " more", n - NAMED);
  say(&to, n > 1 ? " have it, too" : " has it, too");
}

void dcp_word_name(const dc_kernel *kernel, char *text, size_t size) {
  sentence to = {text, size, 0};
  say_name(&to, kernel);
}

void dcp_word_launch(const dc_kernel *kernel, const dc_estimate *estimate, char *text,
                     size_t size) {
  sentence to = {text, size, 0};
  const uint32_t *block = estimate->launch.block;
  say(&to, "kernel ");
  say_name(&to, kernel);
  say(&to, " is estimated for sm_%u and blocks of %" PRIu32 "x%" PRIu32 "x%" PRIu32 " threads (",
      estimate->sm, block[0], block[1], block[2]);
  switch ((dc_block_from)estimate->launch.from) {
  case DC_BLOCK_OPTION:
    say(&to, "option 'block')");
    return;
  case DC_BLOCK_PRAGMA:
    say(&to, "'#pragma divcost launch')");
    return;
  case DC_BLOCK_ANNOTATIONS:
    say(&to, "from the annotation file)");
    return;
  case DC_BLOCK_REQNTID:
    say(&to, "required by the kernel)");
    return;
  case DC_BLOCK_LAUNCH:
    say(&to, "as launched here)");
    return;
  case DC_BLOCK_PROFILE:
    say(&to, "as recorded)");
    return;
  case DC_BLOCK_LAUNCH_BOUNDS:
    say(&to, "from __launch_bounds__)");
    return;
  case DC_BLOCK_ASSUMED:
    say(&to, "assumed)");
    return;
  case DC_BLOCK_COMPUTED:
    say(&to, "assumed; the launch computes them)");
    return;
  }
}
