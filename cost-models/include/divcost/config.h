// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A project's configuration, the file `.divcost` (libdivcost-json): which rules warn from which
// share on, in which headers, for which architectures, what is known of kernels and loops, and the
// baseline. docs/configuration.md is its manual, docs/divcost-config-1.schema.json its format.
#ifndef DIVCOST_CONFIG_H
#define DIVCOST_CONFIG_H

#include "divcost/error.h"
#include "divcost/rules.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DC_CONFIG_NAME ".divcost"
#define DC_DEFAULT_THRESHOLD 0.10 // share of the kernel's issue cycles
#define DC_CONFIG_VERSION_KEY "divcost-config"

typedef enum dc_config_switch { DC_CONFIG_UNSAID, DC_CONFIG_OFF, DC_CONFIG_ON } dc_config_switch;

// Strings are owned. Paths of files that the configuration names start from its own folder.
typedef struct dc_config {
  char *path;
  double threshold;                      // in [0, 1]; negative: not said
  dc_config_switch rules[DC_RULE_COUNT]; // which may warn
  char *header_filter;                   // a regular expression; NULL: not said
  char *architectures;                   // "sm_80,sm_90"; NULL: not said
  char *baseline;                        // NULL: none
  char *annotations;                     // a file of annotations: it may be `path` itself, which
                                         // has the members of one, too; NULL: nothing is annotated
  uint32_t n_kernels, n_loops;           // annotations in the configuration itself
} dc_config;

// The `.divcost` in the folder of a file (which need not exist), or in the nearest folder above it
// that has one; folders of this name don't count. The caller frees it. NULL: there is none, or no
// memory. O(folders).
char *dc_config_nearest(const char *file);

// Reads and checks a configuration, but for its annotations, which pass/findings reads. Errors:
// those of dc_input_open and dc_input_json; DC_ERROR_SYNTAX naming the member at fault;
// DC_ERROR_MEMORY. The text doesn't name the file; *config is then empty. O(size).
dc_status dc_config_load(const char *path, dc_config *config, dc_error *error);

void dc_config_free(dc_config *config);

// Whether a text is a regular expression that a header filter can be: POSIX's extended ones.
// Errors: DC_ERROR_SYNTAX with the reason, DC_ERROR_MEMORY.
dc_status dc_config_check_filter(const char *expression, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
