// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One result of a SARIF log.
#ifndef DIVCOST_SRC_SARIF_RESULT_H
#define DIVCOST_SRC_SARIF_RESULT_H

#include "report/source_files.h"
#include "json/json_internal.h"

// What results are made with.
typedef struct dc_sarif_maker {
  dc_json_writer writer;
  const dc_report_options *options; // or NULL
  dc_source_files *sources;
} dc_sarif_maker;

// A rule that warns is a "warning", one that doesn't a "note".
const char *dc__sarif_level(dc_rule rule);

// The object {"text": text}.
json_t *dc__sarif_message(const char *text);

// The result of a finding: its rule, place, fingerprints, and why.
json_t *dc__sarif_result(dc_sarif_maker *m, const dc_unit_kernel *of, const dc_finding *finding);

// A result that was: its place is what the baseline knows of it.
json_t *dc__sarif_absent(dc_json_writer *writer, const dc_absent_finding *entry);

#endif
