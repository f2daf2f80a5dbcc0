// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changing a kernel's skeleton and estimating it again. Skeletons that were read hold no room in
// their arrays, so texts are added here by making the table larger, and not by dc_kernel_add_text.
#include "divcost/what_if.h"
#include "base/lanes.h"
#include "divcost/distribution.h"
#include "divcost/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- checking ----------------------------------------------------------------------------------

static dc_status check_block(const uint32_t block[3], dc_error *error) {
  uint64_t threads = (uint64_t)block[0] * (block[1] ? block[1] : 1);
  if (block[0] == 0)
    return DC_OK;
  if (!block[1] || !block[2] || block[0] > 1024 || block[1] > 1024 || block[2] > 64 ||
      threads * block[2] > 1024)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "a block of %ux%ux%u threads, must have 1 to 1024, at most 64 in z", block[0],
                   block[1], block[2]);
  return DC_OK;
}

static dc_status check_distribution(const dc_what_if_trips *trips, dc_error *error) {
  dc_distribution_spec *spec;
  size_t bytes;
  dc_status status = dc_distribution_parse(trips->distribution, &spec, error);
  if (status == DC_OK)
    status = dc_distribution_bytes(spec, NULL, &bytes, error);
  dc_distribution_spec_free(spec);
  if (status == DC_OK && !(trips->correlation >= 0 && trips->correlation <= 1))
    status = dc_fail(error, DC_ERROR_ARGUMENT, "a correlation of %g, must be in [0, 1]",
                     trips->correlation);
  return status;
}

static dc_status check_share(unsigned lanes_per_item, dc_error *error) {
  if (lanes_per_item > DC_WARP || (lanes_per_item & (lanes_per_item - 1)) != 0)
    return dc_fail(error, DC_ERROR_ARGUMENT, "%u lanes per item, must be 1, 2, 4, 8, 16 or 32",
                   lanes_per_item);
  return DC_OK;
}

dc_status dc_what_if_check(const dc_what_if *change, dc_error *error) {
  dc_status status = check_block(change->block, error);
  for (size_t k = 0; status == DC_OK && k < change->n_trips; ++k)
    status = check_distribution(&change->trips[k], error);
  return status == DC_OK ? check_share(change->lanes_per_item, error) : status;
}

// ---- the skeleton ------------------------------------------------------------------------------

static bool same_launch(const dc_launch *x, const dc_launch *y) {
  return memcmp(x->block, y->block, sizeof x->block) == 0 &&
         memcmp(x->grid, y->grid, sizeof x->grid) == 0;
}

// Dynamic shared memory goes by the block, more often than not: another block may have another.
static bool keeps_shared(const dc_launch *old, const uint32_t block[3]) {
  return old->shared_known &&
         (old->shared == 0 || memcmp(old->block, block, sizeof old->block) == 0);
}

// Launches that only differed in their blocks are one then.
static void change_block(dc_kernel *kernel, const uint32_t block[3]) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < kernel->n_launches; ++k) {
    dc_launch launch = {.from = DC_BLOCK_OPTION, .location = DC_NONE};
    for (unsigned d = 0; d < 3; ++d) {
      const dc_launch *old = &kernel->launches[k];
      uint64_t threads = (uint64_t)old->grid[d] * old->block[d];
      uint64_t blocks = (threads + block[d] - 1) / block[d];
      launch.block[d] = block[d];
      launch.grid[d] = blocks < UINT32_MAX ? (uint32_t)blocks : UINT32_MAX;
    }
    launch.shared_known = keeps_shared(&kernel->launches[k], block);
    launch.shared = launch.shared_known ? kernel->launches[k].shared : 0;
    uint32_t same = 0;
    while (same < kept && !same_launch(&kernel->launches[same], &launch))
      ++same;
    if (same == kept)
      kernel->launches[kept++] = launch;
  }
  kernel->n_launches = kept;
}

static bool is_used(const dc_kernel *kernel, uint32_t param) {
  for (uint32_t e = 0; e < kernel->pool.count; ++e)
    if (kernel->pool.nodes[e].op == DC_OP_PARAM && kernel->pool.nodes[e].i == param)
      return true;
  return false;
}

static bool is_pointer(const dc_kernel *kernel, uint32_t param) {
  for (uint32_t a = 0; a < kernel->n_accesses; ++a) {
    dc_expr root = kernel->accesses[a].root;
    if (root != DC_NO_EXPR && kernel->pool.nodes[root].op == DC_OP_PARAM &&
        kernel->pool.nodes[root].i == param)
      return true;
  }
  return false;
}

static void change_param(dc_kernel *kernel, uint32_t k, dc_what_if_param *change) {
  change->met = true;
  if (is_pointer(kernel, k)) {
    change->is_pointer = true;
    return;
  }
  kernel->params[k].known = true;
  kernel->params[k].value = change->value;
  change->used |= is_used(kernel, k);
}

static void change_params(dc_kernel *kernel, dc_what_if *change) {
  for (uint32_t k = 0; k < kernel->n_params; ++k)
    for (size_t p = 0; p < change->n_params; ++p)
      if (strcmp(dc_kernel_text(kernel, kernel->params[k].name), change->params[p].name) == 0)
        change_param(kernel, k, &change->params[p]);
}

// The offset of a text that is added to the table; 0: out of memory.
static dc_text add_text(dc_kernel *kernel, const char *text) {
  size_t size = strlen(text) + 1, old = kernel->text_size ? kernel->text_size : 1;
  if (old + size > UINT32_MAX)
    return 0;
  char *table = realloc(kernel->text, old + size);
  if (!table)
    return 0;
  table[0] = 0;
  memcpy(table + old, text, size);
  kernel->text = table;
  kernel->text_size = (uint32_t)(old + size);
  return (dc_text)old;
}

// Whether a path ends with the parts of another one.
static bool ends_with(const char *path, const char *end) {
  size_t whole = strlen(path), size = strlen(end);
  return size <= whole && strcmp(path + whole - size, end) == 0 &&
         (size == whole || path[whole - size - 1] == '/');
}

static bool is_meant(const dc_kernel *kernel, const dc_loop *loop, const dc_what_if_trips *trips) {
  if (!trips->file)
    return loop->id == trips->id;
  if (loop->location == DC_NONE)
    return false;
  const dc_location *at = &kernel->locations[loop->location];
  return at->line == trips->line && ends_with(dc_kernel_text(kernel, at->file), trips->file);
}

// Forgets the condition by which a block is left: it would decide before a distribution does.
static void forget_condition(dc_kernel *kernel, uint32_t block) {
  uint32_t branch = kernel->blocks[block].branch;
  if (branch != DC_NONE)
    kernel->branches[branch].condition = DC_NO_EXPR;
}

// The distribution takes the place of the expressions, which would come first.
static bool change_loop(dc_kernel *kernel, dc_loop *loop, const dc_what_if_trips *trips) {
  dc_text spec = add_text(kernel, trips->distribution), at = spec ? add_text(kernel, "what-if") : 0;
  if (!at)
    return false;
  loop->distribution = spec;
  loop->distribution_at = at;
  loop->correlation = trips->correlation;
  loop->trips_from = DC_FROM_ANNOTATED;
  loop->trips = DC_NO_EXPR;
  for (uint32_t k = 0; k < loop->n_exits; ++k) {
    dc_exit *leave = &kernel->exits[loop->first_exit + k];
    leave->trips = DC_NO_EXPR;
    forget_condition(kernel, leave->block);
  }
  return true;
}

static bool change_trips(dc_kernel *kernel, dc_what_if *change) {
  for (uint32_t l = 0; l < kernel->n_loops; ++l)
    for (size_t t = 0; t < change->n_trips; ++t)
      if (is_meant(kernel, &kernel->loops[l], &change->trips[t])) {
        change->trips[t].met = true;
        if (!change_loop(kernel, &kernel->loops[l], &change->trips[t]))
          return false;
      }
  return true;
}

// ---- the estimates -----------------------------------------------------------------------------

// What was found of figures that are no longer the kernel's.
static void drop_priced_findings(dc_unit_kernel *kernel) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < kernel->n_findings; ++k) {
    dc_finding *finding = &kernel->findings[k];
    if (dc_rule_about(finding->rule)->of_cost)
      free(finding->message);
    else
      kernel->findings[kept++] = *finding;
  }
  kernel->n_findings = kept;
}

dc_status dc_what_if_kernel(dc_unit_kernel *kernel, dc_what_if *change, dc_error *error) {
  drop_priced_findings(kernel);
  if (change->block[0])
    change_block(&kernel->kernel, change->block);
  change_params(&kernel->kernel, change);
  if (!change_trips(&kernel->kernel, change))
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a distribution");
  dc_status status = change->arch ? dc_unit_estimate(kernel, change->arch, 1, NULL, error)
                                  : dc_unit_estimate_again(kernel, NULL, 0, error);
  if (status == DC_OK && change->lanes_per_item > 1)
    status = dc_what_if_share(kernel, change->lanes_per_item, error);
  return status;
}

// ---- what was meant ----------------------------------------------------------------------------

// Of how many letters two texts differ, seen from their ends.
static uint64_t unlike(const char *x, const char *y) {
  size_t a = strlen(x), b = strlen(y), same = 0;
  while (same < a && same < b && x[a - 1 - same] == y[b - 1 - same])
    ++same;
  return (a > b ? a : b) - same;
}

uint32_t dc_what_if_nearest(const dc_kernel *kernel, const dc_what_if_trips *trips,
                            uint64_t *distance) {
  uint32_t nearest = DC_NONE;
  *distance = UINT64_MAX;
  for (uint32_t l = 0; l < kernel->n_loops; ++l) {
    if (kernel->loops[l].location == DC_NONE)
      continue;
    const dc_location *at = &kernel->locations[kernel->loops[l].location];
    const char *file = dc_kernel_text(kernel, at->file);
    uint64_t files = 0;
    if (trips->file && !ends_with(file, trips->file))
      files = 1 + unlike(dc_base_name(file), dc_base_name(trips->file));
    uint64_t lines = at->line > trips->line ? at->line - trips->line : trips->line - at->line;
    if ((files << 32 | lines) < *distance) {
      *distance = files << 32 | lines;
      nearest = l;
    }
  }
  return nearest;
}
