// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A translation unit's kernels with their estimates: releasing them, estimating a kernel for
// several architectures and launches, and merging units: the parts that the compilations for
// several architectures leave, or the units of a program.
#include "divcost/unit.h"

#include "kernel/equal.h"

#include <stdlib.h>
#include <string.h>

static void free_estimates(dc_estimate *estimates, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k)
    dc_estimate_free(&estimates[k]);
  free(estimates);
}

static void free_finding(dc_finding *finding) {
  free(finding->message);
  dc_name_list_free(&finding->others);
}

void dc_unit_kernel_free(dc_unit_kernel *kernel) {
  for (uint32_t f = 0; f < kernel->n_findings; ++f)
    free_finding(&kernel->findings[f]);
  free(kernel->findings);
  dc_name_list_free(&kernel->instances);
  free_estimates(kernel->estimates, kernel->n_estimates);
  dc_unit_measured_free(&kernel->measured);
  dc_kernel_free(&kernel->kernel);
  *kernel = (dc_unit_kernel){0};
}

void dc_unit_free(dc_unit *unit) {
  for (uint32_t k = 0; k < unit->n_kernels; ++k)
    dc_unit_kernel_free(&unit->kernels[k]);
  free(unit->kernels);
  free(unit->archs);
  free(unit->path);
  *unit = (dc_unit){0};
}

uint32_t dc_finding_chain(const dc_kernel *kernel, const dc_finding *finding, uint32_t *first) {
  const dc_barrier *barrier =
      finding->barrier == DC_NONE ? NULL : &kernel->barriers[finding->barrier];
  const dc_loop *loop = finding->loop == DC_NONE ? NULL : &kernel->loops[finding->loop];
  *first = barrier ? barrier->first_reason : loop ? loop->first_reason : 0;
  return barrier ? barrier->n_reasons : loop ? loop->n_reasons : 0;
}

bool dc_finding_warns(const dc_finding *finding) {
  return dc_rule_about(finding->rule)->warns || finding->switched_on;
}

static const char *const suppressors[] = {
    [DC_BY_SOURCE] = "source", [DC_BY_OPTIONS] = "options", [DC_BY_LIBRARY] = "library"};

const char *dc_suppressor_name(dc_suppressor by) { return suppressors[by]; }

int dc_suppressor_parse(const char *name) {
  for (size_t k = 0; k < sizeof suppressors / sizeof *suppressors; ++k)
    if (strcmp(suppressors[k], name) == 0)
      return (int)k;
  return -1;
}

const char *dc_finding_reason(const dc_kernel *kernel, const dc_finding *finding) {
  if (!dc_rule_about(finding->rule)->of_cost || !finding->suppressed || finding->loop == DC_NONE)
    return "";
  return dc_kernel_text(kernel, kernel->loops[finding->loop].ignored);
}

static dc_status get_kernel(void *context, uint32_t index, const dc_unit_kernel **kernel,
                            dc_error *error) {
  const dc_unit *unit = context;
  if (index >= unit->n_kernels)
    return dc_fail(error, DC_ERROR_ARGUMENT, "kernel %u is asked for, there are %u", index,
                   unit->n_kernels);
  *kernel = &unit->kernels[index];
  return DC_OK;
}

dc_kernels dc_unit_kernels(const dc_unit *unit) {
  return (dc_kernels){unit->path,      unit->archs, unit->n_archs,
                      unit->n_kernels, get_kernel,  (void *)unit}; // only read through it
}

// Whether x is worse than y: certainly loses more, else may lose more, else takes longer.
static bool is_worse(const dc_estimate *x, const dc_estimate *y) {
  dc_interval lost_x = x->share, lost_y = y->share;
  if (lost_x.low != lost_y.low)
    return lost_x.low > lost_y.low;
  if (lost_x.high != lost_y.high)
    return lost_x.high > lost_y.high;
  return x->cycles.high > y->cycles.high;
}

// Insertion sort: launches are few, and equal ones keep their order.
static void sort_worst_first(dc_estimate *estimates, uint32_t count) {
  for (uint32_t k = 1; k < count; ++k) {
    dc_estimate moved = estimates[k];
    uint32_t to = k;
    for (; to && is_worse(&moved, &estimates[to - 1]); --to)
      estimates[to] = estimates[to - 1];
    estimates[to] = moved;
  }
}

bool dc_estimate_decides(const dc_unit_kernel *kernel, uint32_t estimate) {
  bool last = estimate + 1 == kernel->n_estimates ||
              kernel->estimates[estimate + 1].sm != kernel->estimates[estimate].sm;
  return last || kernel->estimates[estimate].launch.from < DC_BLOCK_ASSUMED;
}

dc_status dc_unit_estimate(dc_unit_kernel *kernel, const dc_arch *archs, uint32_t n_archs,
                           dc_estimate_cache *cache, dc_error *error) {
  uint32_t n_launches = kernel->kernel.n_launches, done = 0;
  dc_estimate *estimates = calloc((size_t)n_archs * n_launches + 1, sizeof *estimates);
  if (!estimates)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for %u estimates", n_archs * n_launches);
  dc_status status = DC_OK;
  for (uint32_t a = 0; a < n_archs && status == DC_OK; ++a) {
    for (uint32_t l = 0; l < n_launches && status == DC_OK; ++l) {
      status = dc_estimate_kernel(&kernel->kernel, &archs[a], &kernel->kernel.launches[l], cache,
                                  &estimates[done], error);
      done += status == DC_OK;
    }
    if (status == DC_OK)
      sort_worst_first(estimates + (size_t)a * n_launches, n_launches);
  }
  if (status != DC_OK) {
    free_estimates(estimates, done);
    return status;
  }
  free_estimates(kernel->estimates, kernel->n_estimates);
  kernel->estimates = estimates;
  kernel->n_estimates = done;
  return DC_OK;
}

dc_status dc_unit_estimate_again(dc_unit_kernel *kernel, const unsigned *sms, uint32_t n_sms,
                                 dc_error *error) {
  dc_arch *archs = malloc(((size_t)n_sms + kernel->n_estimates + 1) * sizeof *archs);
  if (!archs)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for architectures");
  uint32_t count = 0;
  dc_status status = DC_OK;
  for (uint32_t k = 0; status == DC_OK && k < kernel->n_estimates; ++k) {
    const dc_estimate *estimate = &kernel->estimates[k];
    if (count && archs[count - 1].sm == estimate->sm)
      continue;
    if (!dc_estimate_arch(estimate, &archs[count]))
      status = dc_arch_find_sm(estimate->sm, &archs[count], error);
    ++count;
  }
  for (uint32_t k = 0; status == DC_OK && kernel->n_estimates == 0 && k < n_sms; ++k)
    status = dc_arch_find_sm(sms[k], &archs[count++], error);
  if (status == DC_OK)
    status = dc_unit_estimate(kernel, archs, count, NULL, error);
  free(archs);
  return status;
}

// ---- merging -----------------------------------------------------------------------------------
//
// A figure must follow from the skeleton that it stands beside, so estimates are merged only
// where the skeletons are equal; and what is newer replaces what is older.

static const char *file_of(const dc_kernel *kernel) {
  return kernel->location == DC_NONE
             ? ""
             : dc_kernel_text(kernel, kernel->locations[kernel->location].file);
}

static bool same_kernel(const dc_kernel *x, const dc_kernel *y) {
  return strcmp(dc_kernel_text(x, x->symbol), dc_kernel_text(y, y->symbol)) == 0 &&
         strcmp(file_of(x), file_of(y)) == 0;
}

static int compare_kernels(const void *a, const void *b) {
  const dc_unit_kernel *x = a, *y = b;
  int order = strcmp(file_of(&x->kernel), file_of(&y->kernel));
  if (order)
    return order;
  uint32_t line_x =
      x->kernel.location == DC_NONE ? 0 : x->kernel.locations[x->kernel.location].line;
  uint32_t line_y =
      y->kernel.location == DC_NONE ? 0 : y->kernel.locations[y->kernel.location].line;
  if (line_x != line_y)
    return line_x < line_y ? -1 : 1;
  order = strcmp(dc_kernel_text(&x->kernel, x->kernel.symbol),
                 dc_kernel_text(&y->kernel, y->kernel.symbol));
  if (order)
    return order;
  unsigned sm_x = x->n_estimates ? x->estimates[0].sm : 0;
  unsigned sm_y = y->n_estimates ? y->estimates[0].sm : 0;
  return (sm_x > sm_y) - (sm_x < sm_y);
}

static bool has_arch(const dc_unit_kernel *kernel, unsigned sm) {
  for (uint32_t k = 0; k < kernel->n_estimates; ++k)
    if (kernel->estimates[k].sm == sm)
      return true;
  return false;
}

// Removes the estimates of `old` that `newer` replaces.
static void remove_replaced(dc_unit_kernel *old, const dc_unit_kernel *newer) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < old->n_estimates; ++k) {
    if (has_arch(newer, old->estimates[k].sm))
      dc_estimate_free(&old->estimates[k]);
    else
      old->estimates[kept++] = old->estimates[k];
  }
  old->n_estimates = kept;
}

// Moves estimates and findings of `from` to `into`, which has room for them. Architectures ascend.
static void join_kernels(dc_unit_kernel *into, dc_unit_kernel *from) {
  for (uint32_t k = 0; k < from->n_estimates; ++k) {
    uint32_t to = into->n_estimates++;
    for (; to && into->estimates[to - 1].sm > from->estimates[k].sm; --to)
      into->estimates[to] = into->estimates[to - 1];
    into->estimates[to] = from->estimates[k];
  }
  from->n_estimates = 0;
  if (from->measured.launches) {
    dc_unit_measured_free(&into->measured);
    into->measured = from->measured;
    from->measured = (dc_unit_measured){0};
  }
  if (from->instances.count) {
    dc_name_list_free(&into->instances);
    into->instances = from->instances;
    from->instances = (dc_name_list){0};
  }
  for (uint32_t k = 0; k < from->n_findings; ++k) {
    dc_finding *finding = &from->findings[k];
    uint32_t to = 0;
    while (to < into->n_findings && (into->findings[to].rule != finding->rule ||
                                     into->findings[to].fingerprint != finding->fingerprint ||
                                     into->findings[to].loop != finding->loop ||
                                     into->findings[to].barrier != finding->barrier))
      ++to;
    if (to == into->n_findings)
      ++into->n_findings;
    else
      free_finding(&into->findings[to]);
    into->findings[to] = *finding;
    finding->message = NULL;
    finding->others = (dc_name_list){0};
  }
  dc_unit_kernel_free(from);
}

// All memory that the merge needs, without a change that could be seen: arrays keep their counts.
static bool reserve_merge(dc_unit *into, const dc_unit *from) {
  size_t n_kernels = (size_t)into->n_kernels + from->n_kernels;
  dc_unit_kernel *kernels = realloc(into->kernels, (n_kernels + 1) * sizeof *kernels);
  if (!kernels)
    return false;
  into->kernels = kernels;
  unsigned *archs =
      realloc(into->archs, ((size_t)into->n_archs + from->n_archs + 1) * sizeof *archs);
  if (!archs)
    return false;
  into->archs = archs;
  for (uint32_t k = 0; k < into->n_kernels; ++k) {
    dc_unit_kernel *kernel = &kernels[k];
    size_t n_estimates = kernel->n_estimates, n_findings = kernel->n_findings;
    bool grows = false;
    for (uint32_t f = 0; f < from->n_kernels; ++f)
      if (same_kernel(&kernel->kernel, &from->kernels[f].kernel)) {
        n_estimates += from->kernels[f].n_estimates;
        n_findings += from->kernels[f].n_findings;
        grows = true;
      }
    if (!grows)
      continue;
    dc_estimate *estimates = realloc(kernel->estimates, (n_estimates + 1) * sizeof *estimates);
    if (!estimates)
      return false;
    kernel->estimates = estimates;
    dc_finding *findings = realloc(kernel->findings, (n_findings + 1) * sizeof *findings);
    if (!findings)
      return false;
    kernel->findings = findings;
  }
  return true;
}

// Whether `path` is one of the paths in a list "a.cu, b.cu".
static bool lists_path(const char *list, const char *path, size_t length) {
  for (const char *entry = list; entry;) {
    const char *end = strstr(entry, ", ");
    size_t size = end ? (size_t)(end - entry) : strlen(entry);
    if (size == length && memcmp(entry, path, length) == 0)
      return true;
    entry = end ? end + 2 : NULL;
  }
  return false;
}

// The paths of x and then those of y that x doesn't have, or NULL when memory is out.
static char *join_paths(const char *x, const char *y) {
  x = x ? x : "";
  y = y ? y : "";
  char *joined = malloc(strlen(x) + strlen(y) + 3);
  if (!joined)
    return NULL;
  strcpy(joined, x);
  for (const char *entry = *y ? y : NULL; entry;) {
    const char *end = strstr(entry, ", ");
    size_t size = end ? (size_t)(end - entry) : strlen(entry);
    if (!*joined || !lists_path(joined, entry, size)) {
      if (*joined)
        strcat(joined, ", ");
      strncat(joined, entry, size);
    }
    entry = end ? end + 2 : NULL;
  }
  return joined;
}

static void merge_archs(dc_unit *into, const dc_unit *from) {
  for (uint32_t k = 0; k < from->n_archs; ++k) {
    uint32_t to = 0;
    while (to < into->n_archs && into->archs[to] < from->archs[k])
      ++to;
    if (to < into->n_archs && into->archs[to] == from->archs[k])
      continue;
    memmove(&into->archs[to + 1], &into->archs[to], (into->n_archs - to) * sizeof *into->archs);
    into->archs[to] = from->archs[k];
    ++into->n_archs;
  }
}

// Drops kernels of `into` of which every architecture is replaced.
static void drop_replaced(dc_unit *into, const dc_unit *from) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < into->n_kernels; ++k) {
    dc_unit_kernel *kernel = &into->kernels[k];
    bool met = false;
    for (uint32_t f = 0; f < from->n_kernels; ++f)
      if (same_kernel(&kernel->kernel, &from->kernels[f].kernel)) {
        met = true;
        remove_replaced(kernel, &from->kernels[f]);
      }
    if (met && kernel->n_estimates == 0)
      dc_unit_kernel_free(kernel);
    else
      into->kernels[kept++] = *kernel;
  }
  into->n_kernels = kept;
}

// Moves one kernel to where it belongs in `into`.
static void merge_kernel(dc_unit *into, uint32_t n_old, dc_unit_kernel *kernel) {
  for (uint32_t k = 0; k < n_old; ++k) {
    if (!same_kernel(&into->kernels[k].kernel, &kernel->kernel))
      continue;
    if (dc__kernels_equal(&into->kernels[k].kernel, &kernel->kernel)) {
      for (uint32_t r = 0; r < kernel->kernel.resources.n_ptxas; ++r)
        dc_kernel_set_registers(&into->kernels[k].kernel, kernel->kernel.resources.ptxas[r].sm,
                                kernel->kernel.resources.ptxas[r].count);
      join_kernels(&into->kernels[k], kernel);
      return;
    }
    if (kernel->n_estimates == 0) { // for no architecture, where there are kernels for some
      dc_unit_kernel_free(kernel);
      return;
    }
  }
  into->kernels[into->n_kernels++] = *kernel;
}

dc_status dc_unit_merge(dc_unit *into, dc_unit *from, dc_error *error) {
  char *path = join_paths(into->path, from->path);
  if (!path || !reserve_merge(into, from)) {
    free(path);
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for merging %u and %u kernels",
                   into->n_kernels, from->n_kernels);
  }
  free(into->path);
  into->path = path;
  merge_archs(into, from);
  drop_replaced(into, from);
  uint32_t n_old = into->n_kernels;
  for (uint32_t k = 0; k < from->n_kernels; ++k)
    merge_kernel(into, n_old, &from->kernels[k]);
  qsort(into->kernels, into->n_kernels, sizeof *into->kernels, compare_kernels);
  from->n_kernels = 0;
  dc_unit_free(from);
  return DC_OK;
}
