// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses whose requests take much more than they need, for certain, and that are a noteworthy
// share of what the kernel takes of that memory. What is said of an array is said once, of the
// access that takes most too much; instances of a place (templates, inlining) are one finding.
#include "findings/findings.h"
#include "findings/messages.h"
#include "findings/rules.h"

#include "divcost/hash.h"

#include <stdlib.h>
#include <string.h>

// The worst access of an array.
typedef struct candidate {
  uint32_t kernel, access, estimate;
  double excess;   // of what the warp takes, all requests
  unsigned others; // accesses of the array that are alike
  dcp_place place;
} candidate;

typedef struct candidates {
  candidate *list;
  uint32_t n;
  size_t room;
} candidates;

static dc_rule rule_of(const dc_access *access) {
  return access->space == DC_SPACE_SHARED     ? DC_RULE_BANK_CONFLICT
         : access->space == DC_SPACE_CONSTANT ? DC_RULE_CONSTANT
                                              : DC_RULE_COALESCING;
}

// What the requests of a warp take beyond what they need; 0 where that isn't certain or isn't much.
static double excess_of(const dc_access_estimate *figures) {
  bool certain = figures->requests > 0 && figures->from == DC_FROM_DERIVED;
  return certain && figures->taken.low >= DCP_MEMORY_EXCESS * figures->ideal.high
             ? figures->requests * (figures->taken.low - figures->ideal.high)
             : 0;
}

// All that the kernel's requests to such memory take, per warp, at the most.
static double all_of(const dc_kernel *kernel, const dc_estimate *estimate, dc_rule rule) {
  double sum = 0;
  for (uint32_t a = 0; a < estimate->n_accesses; ++a)
    if (rule_of(&kernel->accesses[a]) == rule && estimate->accesses[a].requests > 0)
      sum += estimate->accesses[a].requests * estimate->accesses[a].taken.high;
  return sum;
}

static bool same_array(const dc_kernel *kernel, const dc_access *a, const dc_access *b) {
  return a->space == b->space && a->root == b->root &&
         strcmp(dc_kernel_text(kernel, a->name), dc_kernel_text(kernel, b->name)) == 0;
}

// Whether what a request touches too much is what others of the loop take: the fields of a
// structure, read or written one after the other. Then half of each stride is used, or more.
static bool is_used_by_others(const dc_kernel *kernel, const dc_estimate *estimate, uint32_t a) {
  const dc_access *access = &kernel->accesses[a];
  int64_t stride = estimate->accesses[a].stride;
  uint64_t size = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
  uint64_t used[DC_ACCESS_ATOMIC + 1] = {0}, whole = size < DC_SECTOR ? size : DC_SECTOR;
  for (uint32_t k = 0; k < kernel->n_accesses && stride; ++k) {
    const dc_access *other = &kernel->accesses[k];
    if (kernel->blocks[other->block].loop == kernel->blocks[access->block].loop &&
        same_array(kernel, access, other) && estimate->accesses[k].stride == stride)
      used[other->kind] += other->bytes;
  }
  for (unsigned kind = 0; kind <= DC_ACCESS_ATOMIC; ++kind)
    if (used[kind] > access->bytes && 2 * used[kind] >= whole)
      return true;
  return false;
}

// Adds an access to those of its array in this estimate, which are those from `first`.
static bool add_candidate(candidates *to, uint32_t first, const dc_kernel *kernel, candidate one) {
  for (uint32_t k = first; k < to->n; ++k) {
    candidate *have = &to->list[k];
    if (!same_array(kernel, &kernel->accesses[have->access], &kernel->accesses[one.access]))
      continue;
    one.others = have->others + 1;
    have->others = one.others;
    if (one.excess > have->excess)
      *have = one;
    return true;
  }
  if (to->n == to->room) {
    size_t room = to->room ? 2 * to->room : 16;
    candidate *grown = realloc(to->list, room * sizeof *grown);
    if (!grown)
      return false;
    to->list = grown;
    to->room = room;
  }
  to->list[to->n++] = one;
  return true;
}

// Drops arrays, from `first` on, that take less than the threshold of `all` too much.
static void drop_small(candidates *of, uint32_t first, double least) {
  uint32_t kept = first;
  for (uint32_t k = first; k < of->n; ++k)
    if (of->list[k].excess * (1 + of->list[k].others) >= least)
      of->list[kept++] = of->list[k];
  of->n = kept;
}

static bool look(const dc_unit *unit, uint32_t k, uint32_t e, dc_rule rule, double threshold,
                 candidates *out) {
  const dc_kernel *kernel = &unit->kernels[k].kernel;
  const dc_estimate *estimate = &unit->kernels[k].estimates[e];
  uint32_t first = out->n;
  for (uint32_t a = 0; a < estimate->n_accesses; ++a) {
    const dc_access *access = &kernel->accesses[a];
    double excess = rule_of(access) == rule ? excess_of(&estimate->accesses[a]) : 0;
    // What lies side by side, with lanes that are off, is no matter of where it lies.
    bool scattered =
        rule != DC_RULE_COALESCING || estimate->accesses[a].access_class == DC_ACCESS_STRIDED;
    if (!(excess > 0) || !scattered ||
        (rule == DC_RULE_COALESCING && is_used_by_others(kernel, estimate, a)))
      continue;
    candidate one = {.kernel = k,
                     .access = a,
                     .estimate = e,
                     .excess = excess,
                     .place = dcp_place_of(kernel, access->location)};
    if (!add_candidate(out, first, kernel, one))
      return false;
  }
  if (out->n > first)
    drop_small(out, first, threshold * all_of(kernel, estimate, rule));
  return true;
}

// By place; in one place the worst first.
static int compare(const void *left, const void *right) {
  const candidate *a = left, *b = right;
  int order = dcp_compare_places(&a->place, &b->place);
  if (order)
    return order;
  if (a->excess != b->excess)
    return a->excess > b->excess ? -1 : 1;
  return a->kernel != b->kernel ? (a->kernel < b->kernel ? -1 : 1)
                                : (a->access > b->access) - (a->access < b->access);
}

static dc_status add(dc_unit_kernel *kernel, const candidate *of, dc_rule rule, unsigned instances,
                     dc_error *error) {
  const dc_kernel *skeleton = &kernel->kernel;
  const dc_access *access = &skeleton->accesses[of->access];
  char message[DCP_MESSAGE_SIZE];
  dcp_word_access(skeleton, of->access, &kernel->estimates[of->estimate], of->others, instances,
                  message, sizeof message);
  uint64_t hash = dc_hash_u64(DC_HASH_BEGIN, rule);
  hash = dc_hash_text(hash, dc_kernel_text(skeleton, skeleton->symbol));
  hash = dc_hash_text(hash, dc_kernel_text(skeleton, access->name));
  dc_finding finding = {.rule = rule,
                        .loop = DC_NONE,
                        .barrier = DC_NONE,
                        .location = access->location,
                        .fingerprint = hash};
  return dcp_add_finding(kernel, finding, message, error);
}

static dc_status find(dc_unit *unit, dc_rule rule, double threshold, dc_error *error) {
  candidates all = {NULL, 0, 0};
  bool good = true;
  for (uint32_t k = 0; good && k < unit->n_kernels; ++k) {
    const dc_unit_kernel *kernel = &unit->kernels[k];
    const bool *known = kernel->measured.traffic_known;
    bool counted = (rule == DC_RULE_COALESCING && known[DC_TRAFFIC_GLOBAL]) ||
                   (rule == DC_RULE_BANK_CONFLICT && known[DC_TRAFFIC_SHARED]);
    if (kernel->n_estimates == 0 || counted || !dcp_may_scatter(&kernel->kernel))
      continue;
    for (uint32_t e = 0; good && e < kernel->n_estimates; ++e)
      if (dc_estimate_decides(kernel, e))
        good = look(unit, k, e, rule, threshold, &all);
  }
  if (all.n)
    qsort(all.list, all.n, sizeof *all.list, compare);
  dc_status status = good ? DC_OK : dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  for (uint32_t first = 0, end; status == DC_OK && first < all.n; first = end) {
    for (end = first + 1; end < all.n && all.list[first].place.line &&
                          dcp_compare_places(&all.list[first].place, &all.list[end].place) == 0;)
      ++end;
    const candidate *worst = &all.list[first];
    status = add(&unit->kernels[worst->kernel], worst, rule,
                 dcp_count_kernels(&worst->kernel, sizeof *worst, end - first), error);
    for (uint32_t k = first + 1; k < end && status == DC_OK; ++k)
      status =
          dcp_note_other(&unit->kernels[worst->kernel], &unit->kernels[all.list[k].kernel], error);
  }
  free(all.list);
  return status;
}

dc_status dcp_find_coalescing(dc_unit *unit, const dcp_options *options, dc_error *error) {
  return find(unit, DC_RULE_COALESCING, options->threshold, error);
}

dc_status dcp_find_bank_conflict(dc_unit *unit, const dcp_options *options, dc_error *error) {
  return find(unit, DC_RULE_BANK_CONFLICT, options->threshold, error);
}

dc_status dcp_find_constant(dc_unit *unit, const dcp_options *options, dc_error *error) {
  return find(unit, DC_RULE_CONSTANT, options->threshold, error);
}
