// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of the enumerations of kernel skeletons, and back.
#include "divcost/kernel.h"

#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const char *const class_names[] = {"uniform",     "block-uniform", "warp-uniform",
                                          "lane-affine", "strided",       "data-dependent",
                                          "unknown"};
static const char *const from_names[] = {"derived", "annotated", "profile", "range", "assumed"};
static const char *const block_from_names[] = {"option",        "pragma",  "annotations",
                                               "reqntid",       "launch",  "profile",
                                               "launch_bounds", "assumed", "computed"};
static const char *const level_names[] = {"uniform", "block-uniform", "warp-uniform", "divergent"};
static const char *const mix_names[] = {"integer", "fp32",    "fp64",     "sfu",    "global",
                                        "shared",  "local",   "constant", "atomic", "warp",
                                        "barrier", "control", "call"};
static const char *const predication_names[] = {"unknown", "likely", "unlikely"};
static const char *const call_kind_names[] = {"not-inlined", "pointer", "elsewhere"};
static const char *const row_part_names[] = {"node", "branch", "exit", "loop"};

static const char *const space_names[] = {"generic", "global", "shared", "local", "constant"};
static const char *const l2_state_names[] = {"any", "warm", "cold"};
static const char *const access_kind_names[] = {"load", "store", "atomic"};

static const char *name_of(const char *const *names, size_t count, unsigned value) {
  return value < count ? names[value] : "?";
}

static int value_of(const char *const *names, size_t count, const char *name) {
  for (size_t k = 0; k < count; ++k)
    if (strcmp(names[k], name) == 0)
      return (int)k;
  return -1;
}

#define DEFINE_NAMES(enumeration, value, print, parse, table)                                      \
  const char *print(enumeration value) { return name_of(table, COUNT(table), (unsigned)(value)); } \
  int parse(const char *name) { return value_of(table, COUNT(table), name); }

DEFINE_NAMES(dc_class, loop_class, dc_class_name, dc_class_parse, class_names)
DEFINE_NAMES(dc_from, from, dc_from_name, dc_from_parse, from_names)
DEFINE_NAMES(dc_block_from, from, dc_block_from_name, dc_block_from_parse, block_from_names)
DEFINE_NAMES(dc_uniformity, level, dc_uniformity_name, dc_uniformity_parse, level_names)
DEFINE_NAMES(dc_mix, mix, dc_mix_name, dc_mix_parse, mix_names)
DEFINE_NAMES(dc_predication, predication, dc_predication_name, dc_predication_parse,
             predication_names)
DEFINE_NAMES(dc_call_kind, kind, dc_call_kind_name, dc_call_kind_parse, call_kind_names)
DEFINE_NAMES(dc_row_part, of, dc_row_part_name, dc_row_part_parse, row_part_names)
DEFINE_NAMES(dc_space, space, dc_space_name, dc_space_parse, space_names)
DEFINE_NAMES(dc_l2_state, state, dc_l2_state_name, dc_l2_state_parse, l2_state_names)
DEFINE_NAMES(dc_access_kind, kind, dc_access_kind_name, dc_access_kind_parse, access_kind_names)
