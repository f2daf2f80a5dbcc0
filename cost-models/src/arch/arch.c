// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The architectures. Two tables: what managing divergence costs, from the files of
// cost-models/data, and how many lanes an SM serves per clock, by compute capability.
//
// Issue cycles of an instruction on its scheduler are 32 lanes / (lanes per clock and SM /
// schedulers). Arithmetic: CUDA C++ Programming Guide, table "Throughput of Native Arithmetic
// Instructions" (rows 32-bit and 64-bit floating-point add, multiply, multiply-add; 32-bit integer
// add; reciprocal, root, logarithm, exponential, sine; warp shuffle), and its section on
// synchronisation for __syncthreads(). Loads, stores and atomics: the 32 load/store units of the
// SM of sm_90 (sm_60 and sm_2x: 16), without latency, cache misses or conflicts. Branches and calls
// take the time of an integer instruction: assumed. Dual issue (sm_2x, sm_3x) shows as less than
// one cycle.
#include "arch/arch_internal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

// Lanes per clock and SM.
typedef struct rates {
  unsigned sm, schedulers;
  unsigned integer, fp32, fp64, special, shuffle, load_store, barrier;
  const char *provenance; // NULL: the guide has a column for it
} rates;

static const rates table[] = {
    // sm, schedulers, int, fp32, fp64, special, shuffle, load/store, barrier
    {20, 2, 32, 32, 16, 4, 16, 16, 16, NULL},
    {21, 2, 48, 48, 4, 8, 16, 16, 16, NULL},
    {30, 4, 160, 192, 8, 32, 32, 32, 128, NULL},
    {32, 4, 160, 192, 8, 32, 32, 32, 128, NULL},
    {35, 4, 160, 192, 64, 32, 32, 32, 128, NULL},
    {37, 4, 160, 192, 64, 32, 32, 32, 128, NULL},
    {50, 4, 128, 128, 4, 32, 32, 32, 64, NULL},
    {52, 4, 128, 128, 4, 32, 32, 32, 64, NULL},
    {53, 4, 128, 128, 4, 32, 32, 32, 64, NULL},
    {60, 2, 64, 64, 32, 16, 32, 16, 32, NULL},
    {61, 4, 128, 128, 4, 32, 32, 32, 64, NULL},
    {62, 4, 128, 128, 4, 32, 32, 32, 64, NULL},
    {70, 4, 64, 64, 32, 16, 32, 32, 16, NULL},
    {72, 4, 64, 64, 32, 16, 32, 32, 16, NULL},
    {75, 4, 64, 64, 2, 16, 32, 32, 16, NULL},
    {80, 4, 64, 64, 32, 16, 32, 32, 16, NULL},
    {86, 4, 64, 128, 2, 16, 32, 32, 16, NULL},
    {87, 4, 64, 128, 2, 16, 32, 32, 16, "assumed (from sm_86)"},
    {88, 4, 64, 128, 2, 16, 32, 32, 16, "assumed (from sm_86)"},
    {89, 4, 64, 128, 2, 16, 32, 32, 16, NULL},
    {90, 4, 64, 128, 64, 16, 32, 32, 16, NULL},
    {100, 4, 64, 128, 64, 16, 32, 32, 16, "assumed (from sm_90)"},
    {101, 4, 64, 128, 64, 16, 32, 32, 16, "assumed (from sm_90)"},
    {103, 4, 64, 128, 64, 16, 32, 32, 16, "assumed (from sm_90)"},
    {110, 4, 64, 128, 64, 16, 32, 32, 16, "assumed (from sm_90)"},
    {120, 4, 128, 128, 2, 16, 32, 32, 16, NULL},
    {121, 4, 128, 128, 2, 16, 32, 32, 16, NULL},
};

#define TABLE_COUNT (sizeof table / sizeof *table)

static const char names[] =
    "sm_20, sm_21, sm_30, sm_32, sm_35, sm_37, sm_50, sm_52, sm_53, sm_60, sm_61, sm_62, sm_70, "
    "sm_72, sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, sm_101, sm_103, sm_110, "
    "sm_120, sm_121";

// The file that an architecture's costs are from: its own, or the nearest measured one with the
// same rules. Rules: the stack up to sm_62, convergence barriers from sm_70.
static const dc_arch_data *data_of(unsigned sm, bool *own) {
  dc_rules rules = sm >= 70 ? DC_RULES_BARRIERS : DC_RULES_STACK;
  const dc_arch_data *nearest = NULL;
  unsigned best = UINT_MAX;
  for (unsigned k = 0; k < dc__arch_table_count; ++k)
    for (unsigned j = 0; j < dc__arch_table[k].n_sm; ++j) {
      const dc_arch_data *data = &dc__arch_table[k];
      unsigned distance = sm > data->sm[j] ? sm - data->sm[j] : data->sm[j] - sm;
      bool usable = distance == 0 || (data->rules == rules && data->has_cycles);
      if (usable && distance < best) {
        nearest = data;
        best = distance;
      }
    }
  *own = best == 0;
  return nearest;
}

void dc__arch_apply(dc_arch *arch, const dc_arch_data *data, bool own) {
  bool measured = false;
  arch->rules = data->rules;
  arch->has_cycles = data->has_cycles;
  arch->divergent_branch = data->divergent_branch;
  arch->divergent_exit = data->divergent_exit;
  arch->displaced = data->displaced;
  arch->predicated = data->predicated;
  arch->stack_entries = data->stack_entries;
  arch->spill_entries = data->spill_entries;
  arch->reload = data->reload;
  arch->spill = data->spill;
  snprintf(arch->provenance, sizeof arch->provenance, "%s", own ? data->label : data->elsewhere);
  for (unsigned mix = 0; own && mix < DC_MIX_COUNT; ++mix)
    if (data->issue[mix] > 0) {
      arch->issue[mix] = data->issue[mix];
      measured = true;
    }
  if (own && data->machine.known)
    arch->machine = data->machine;
  if (measured)
    snprintf(arch->issue_provenance, sizeof arch->issue_provenance, "%s", data->label);
}

static void set_issue(dc_arch *arch, const rates *row) {
  double warp = 32.0 * row->schedulers;
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix) {
    unsigned lanes = 0;
    switch ((dc_mix)mix) {
    case DC_MIX_INTEGER:
    case DC_MIX_CONTROL:
    case DC_MIX_CALL:
      lanes = row->integer;
      break;
    case DC_MIX_FP32:
      lanes = row->fp32;
      break;
    case DC_MIX_FP64:
      lanes = row->fp64;
      break;
    case DC_MIX_SPECIAL:
      lanes = row->special;
      break;
    case DC_MIX_GLOBAL:
    case DC_MIX_SHARED:
    case DC_MIX_LOCAL:
    case DC_MIX_CONSTANT:
    case DC_MIX_ATOMIC:
      lanes = row->load_store;
      break;
    case DC_MIX_WARP:
      lanes = row->shuffle;
      break;
    case DC_MIX_BARRIER:
      lanes = row->barrier;
      break;
    case DC_MIX_COUNT:
      break;
    }
    arch->issue[mix] = warp / lanes;
  }
  if (row->provenance)
    snprintf(arch->issue_provenance, sizeof arch->issue_provenance, "%s", row->provenance);
  else
    snprintf(arch->issue_provenance, sizeof arch->issue_provenance,
             "CUDA C++ Programming Guide, arithmetic throughput, compute capability %u.%u",
             row->sm / 10, row->sm % 10);
}

const char *dc_arch_names(void) { return names; }

dc_status dc_arch_find(const char *name, dc_arch *arch, dc_error *error) {
  char first[16];
  for (unsigned k = 0; k < dc__arch_table_count; ++k)
    if (strcmp(name, dc__arch_table[k].name) == 0) {
      snprintf(first, sizeof first, "sm_%u", dc__arch_table[k].sm[0]);
      name = first;
    }
  memset(arch, 0, sizeof *arch);
  for (size_t k = 0; k < TABLE_COUNT; ++k) {
    char known[16];
    int length = snprintf(known, sizeof known, "sm_%u", table[k].sm);
    if (strncmp(name, known, (size_t)length) != 0)
      continue;
    const char *suffix = name + length;
    if (*suffix && strcmp(suffix, "a") != 0 && strcmp(suffix, "f") != 0)
      continue;
    arch->sm = table[k].sm;
    bool own;
    const dc_arch_data *data = data_of(arch->sm, &own);
    set_issue(arch, &table[k]);
    dc__machine_of(arch->sm, &arch->machine);
    dc__arch_apply(arch, data, own);
    return DC_OK;
  }
  // The list alone nearly fills an error's text.
  return dc_fail(error, DC_ERROR_ARGUMENT, "unknown architecture '%.12s', known are %s", name,
                 names);
}

static const char *const rules_names[] = {"stack", "barriers", "none"};
static const char *const reload_names[] = {"lazy", "eager"};

static int parse(const char *const *list, int count, const char *name) {
  for (int k = 0; k < count; ++k)
    if (strcmp(list[k], name) == 0)
      return k;
  return -1;
}

const char *dc_rules_name(dc_rules rules) { return rules_names[rules]; }
int dc_rules_parse(const char *name) { return parse(rules_names, 3, name); }
const char *dc_reload_name(dc_reload reload) { return reload_names[reload]; }
int dc_reload_parse(const char *name) { return parse(reload_names, 2, name); }

dc_status dc_arch_find_sm(unsigned sm, dc_arch *arch, dc_error *error) {
  char name[16];
  snprintf(name, sizeof name, "sm_%u", sm);
  return dc_arch_find(name, arch, error);
}
