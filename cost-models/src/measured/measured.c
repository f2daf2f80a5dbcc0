// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/measured.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LANES 32.0
#define ROUNDING 1e-9 // relative, of sums
#define COUNT_MAX 1e18

static void free_kernel(dc_measured_kernel *kernel) {
  free(kernel->symbol);
  free(kernel->sites);
  free(kernel->site_lines);
  free(kernel->uses);
  free(kernel->use_lines);
}

void dc_measured_free(dc_measured *measured) {
  for (uint32_t k = 0; k < measured->n_lines; ++k) {
    free(measured->lines[k].file);
    free(measured->lines[k].text);
  }
  for (uint32_t k = 0; k < measured->n_kernels; ++k)
    free_kernel(&measured->kernels[k]);
  free(measured->lines);
  free(measured->kernels);
  *measured = (dc_measured){0};
}

// The part of a symbol that nvcc and clang agree about: nvcc marks no internal linkage, and names
// an anonymous namespace after the file. *at moves behind it; 0 at the end.
static int next_of_symbol(const char **at) {
  static const char anonymous[] = "_GLOBAL__N_";
  const char *here = *at;
  if (*here == 'L' && here[1] >= '0' && here[1] <= '9')
    ++here;
  if (*here >= '1' && *here <= '9') {
    char *name;
    unsigned long length = strtoul(here, &name, 10);
    if (strncmp(name, anonymous, sizeof anonymous - 1) == 0 && strlen(name) >= length) {
      *at = name + length;
      return 1;
    }
  }
  *at = *here ? here + 1 : here;
  return (unsigned char)*here;
}

static bool same_symbol(const char *x, const char *y) {
  int next;
  do {
    next = next_of_symbol(&x);
    if (next != next_of_symbol(&y))
      return false;
  } while (next);
  return true;
}

const dc_measured_kernel *dc_measured_find(const dc_measured *measured, const char *symbol) {
  for (uint32_t k = 0; k < measured->n_kernels; ++k)
    if (same_symbol(measured->kernels[k].symbol, symbol))
      return &measured->kernels[k];
  return NULL;
}

double dc_measured_share(const dc_measured_kernel *kernel, double lane_slots) {
  return kernel->warps > 0 ? lane_slots / (LANES * kernel->warps) : 0;
}

double dc_measured_efficiency(const dc_measured_kernel *kernel) {
  return kernel->warps > 0 ? kernel->lanes / (LANES * kernel->warps) : 1;
}

static const char *const traffic_kinds[] = {"global", "shared"};

const char *dc_traffic_kind_name(dc_traffic_kind kind) { return traffic_kinds[kind]; }

int dc_traffic_kind_parse(const char *name) {
  for (int k = 0; k < DC_TRAFFIC_COUNT; ++k)
    if (strcmp(name, traffic_kinds[k]) == 0)
      return k;
  return -1;
}

void dc_instruction_use_add(dc_instruction_use *to, const dc_instruction_use *from) {
  to->sampled |= from->sampled;
  for (unsigned w = 0; w < DC_WAIT_COUNT; ++w)
    to->samples[w] += from->samples[w];
  for (unsigned t = 0; t < DC_TRAFFIC_COUNT; ++t) {
    to->traffic[t].known |= from->traffic[t].known;
    to->traffic[t].warps += from->traffic[t].warps;
    to->traffic[t].taken += from->traffic[t].taken;
    to->traffic[t].ideal += from->traffic[t].ideal;
  }
}

double dc_instruction_samples(const dc_instruction_use *use) {
  double sum = 0;
  for (unsigned w = 0; w < DC_WAIT_COUNT; ++w)
    sum += use->samples[w];
  return sum;
}

dc_instruction_use dc_measured_use(const dc_measured_kernel *kernel) {
  dc_instruction_use sum = {0};
  for (unsigned t = 0; t < DC_TRAFFIC_COUNT; ++t)
    sum.traffic[t].known = kernel->traffic_known[t];
  for (uint32_t u = 0; u < kernel->n_uses; ++u)
    dc_instruction_use_add(&sum, &kernel->uses[u].use);
  return sum;
}

uint32_t dc_measured_own_line(const dc_measured_kernel *kernel, const dc_line_use *use) {
  return use->n_lines ? kernel->use_lines[use->first_line + use->n_lines - 1] : DC_SITE_NONE;
}

// ---- checking -----------------------------------------------------------------------------------

static bool is_count(double value) { return isfinite(value) && value >= 0; }

// Whether going up from each site ends at the start; `known` are those of which it is known.
static bool is_tree(const dc_measured_kernel *kernel, bool *known) {
  known[0] = true;
  for (uint32_t s = 0; s < kernel->n_sites; ++s) {
    uint32_t at = s, steps = 0;
    while (at < kernel->n_sites && !known[at] && steps++ < kernel->n_sites)
      at = kernel->sites[at].parent;
    if (at >= kernel->n_sites || !known[at])
      return false;
    for (at = s; !known[at]; at = kernel->sites[at].parent)
      known[at] = true;
  }
  return true;
}

static const char *wrong_with_site(const dc_measured_kernel *kernel, uint32_t number) {
  const dc_site *site = &kernel->sites[number];
  if ((site->kind == DC_SITE_START) != (number == 0) || site->kind > DC_SITE_BRANCH)
    return "the first site, and no other, must be the start";
  if (number == 0 && site->parent != DC_SITE_NONE)
    return "the start is in no other site";
  if (!is_count(site->idle) || !is_count(site->warps) || !is_count(site->lanes) ||
      !is_count(site->iterations) || !is_count(site->lane_iterations))
    return "counts must be finite and not negative";
  if (site->first_line > kernel->n_site_lines ||
      site->n_lines > kernel->n_site_lines - site->first_line || site->n_main_lines > site->n_lines)
    return "lines are out of range";
  return NULL;
}

// Whether the lines of a use come after those of the one before it.
static bool is_behind(const dc_measured_kernel *kernel, const dc_line_use *use) {
  const dc_line_use *before = use - 1;
  for (uint32_t k = 0; k < before->n_lines && k < use->n_lines; ++k) {
    uint32_t x = kernel->use_lines[before->first_line + k];
    uint32_t y = kernel->use_lines[use->first_line + k];
    if (x != y)
      return x < y;
  }
  return before->n_lines < use->n_lines;
}

static const char *wrong_with_traffic(const dc_traffic *traffic, bool known) {
  if (!is_count(traffic->warps) || !is_count(traffic->taken) || !is_count(traffic->ideal) ||
      traffic->taken > COUNT_MAX || traffic->ideal > COUNT_MAX || traffic->warps > COUNT_MAX)
    return "counts must be finite and not negative";
  if (traffic->warps > 0 && traffic->warps < 1)
    return "a part of a warp executes nothing";
  return !known && traffic->taken > 0 ? "has traffic that isn't known" : NULL;
}

static const char *wrong_with_use(const dc_measured_kernel *kernel, uint32_t number) {
  const dc_line_use *of = &kernel->uses[number];
  if (of->first_line > kernel->n_use_lines || of->n_lines > kernel->n_use_lines - of->first_line)
    return "lines are out of range";
  if (number && !is_behind(kernel, of))
    return "uses of lines are out of order";
  for (unsigned w = 0; w < DC_WAIT_COUNT; ++w)
    if (!is_count(of->use.samples[w]) || of->use.samples[w] > COUNT_MAX)
      return "samples must be finite and not negative";
  const char *wrong = NULL;
  for (unsigned t = 0; !wrong && t < DC_TRAFFIC_COUNT; ++t)
    wrong = wrong_with_traffic(&of->use.traffic[t], kernel->traffic_known[t]);
  return wrong;
}

static const char *wrong_with(const dc_measured *measured, const dc_measured_kernel *kernel) {
  if (!is_count(kernel->warps) || !is_count(kernel->lanes) || !is_count(kernel->untold) ||
      kernel->lanes > LANES * kernel->warps * (1 + ROUNDING))
    return "a warp has 32 lanes";
  if (isnan(kernel->seconds) || isinf(kernel->seconds))
    return "seconds must be finite";
  if (kernel->n_sites == 0)
    return "has no site";
  double idle = kernel->untold;
  for (uint32_t k = 0; k < kernel->n_sites; ++k) {
    const char *wrong = wrong_with_site(kernel, k);
    if (wrong)
      return wrong;
    idle += kernel->sites[k].idle;
  }
  if (idle > LANES * kernel->warps * (1 + ROUNDING))
    return "more lane-slots idle than there are";
  for (uint32_t k = 0; k < kernel->n_site_lines; ++k)
    if (kernel->site_lines[k] >= measured->n_lines)
      return "lines are out of range";
  for (uint32_t k = 0; k < kernel->n_uses; ++k) {
    const char *wrong = wrong_with_use(kernel, k);
    if (wrong)
      return wrong;
  }
  for (uint32_t k = 0; k < kernel->n_use_lines; ++k)
    if (kernel->use_lines[k] >= measured->n_lines)
      return "lines are out of range";
  return NULL;
}

static dc_status check_tree(const dc_measured_kernel *kernel, dc_error *error) {
  bool *known = calloc(kernel->n_sites, sizeof *known);
  bool good = known && is_tree(kernel, known);
  bool no_memory = !known;
  free(known);
  if (no_memory)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for what was measured");
  return good ? DC_OK
              : dc_fail(error, DC_ERROR_ARGUMENT,
                        "kernel '%.100s': sites must be a tree from the start", kernel->symbol);
}

dc_status dc_measured_check(const dc_measured *measured, dc_error *error) {
  if (!is_count(measured->seconds))
    return dc_fail(error, DC_ERROR_ARGUMENT, "seconds must be finite and not negative");
  for (uint32_t k = 0; k < measured->n_kernels; ++k) {
    const dc_measured_kernel *kernel = &measured->kernels[k];
    const char *wrong = wrong_with(measured, kernel);
    if (wrong)
      return dc_fail(error, DC_ERROR_ARGUMENT, "kernel '%.100s': %s", kernel->symbol, wrong);
    dc_status status = check_tree(kernel, error);
    if (status != DC_OK)
      return status;
    if (k && strcmp(kernel[-1].symbol, kernel->symbol) >= 0)
      return dc_fail(error, DC_ERROR_ARGUMENT, "kernel '%.100s': is out of order", kernel->symbol);
  }
  return DC_OK;
}
