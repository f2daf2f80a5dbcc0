// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the report for people says first of several kernels: where something was found, each place
// once. The kernels below tell it in full, each of its own.
#include "report/places.h"
#include "report/text_internal.h"

#include <stdio.h>
#include <string.h>

// "36 findings, and 3 remarks of rules that are off".
static void heading(dc_report *r, uint32_t warnings, uint32_t remarks) {
  char text[120];
  size_t used =
      (size_t)snprintf(text, sizeof text, "%u finding%s", warnings, warnings == 1 ? "" : "s");
  if (remarks)
    snprintf(text + used, sizeof text - used, ", and %u remark%s of rules that are off", remarks,
             remarks == 1 ? "" : "s");
  dc__page_line(&r->page);
  dc__page_text(&r->page, DC_STYLE_TITLE, text);
  dc__page_line(&r->page);
}

static void entry(dc_report *r, const dc_finding *finding, uint32_t instances) {
  char at[DC_REPORT_TEXT], name[DC_REPORT_WIDTH], words[2 * DC_REPORT_TEXT], others[60] = "";
  dc__report_location(r, finding->location, NULL, at, sizeof at);
  dc__short_name(dc__report_text(r, r->of->kernel.name), name, sizeof name);
  if (instances > 1)
    snprintf(others, sizeof others, " and %u other%s", instances - 1, instances == 2 ? "" : "s");
  snprintf(words, sizeof words, "%s  %s, in %s%s", *at ? at : "(no location)",
           dc_rule_name(finding->rule), name, others);
  dc__page_column(&r->page, 2);
  dc__page_wrap(&r->page, DC_STYLE_PLAIN, 6, words);
  dc__page_line(&r->page);
}

dc_status dc__report_findings(dc_report *r, const dc_kernels *kernels, dc_error *error) {
  uint32_t warnings = 0, remarks = 0;
  dc_places places;
  dc_status status = dc__places_find(kernels, NULL, &places, error);
  for (uint32_t k = 0; status == DC_OK && k < places.n_findings; ++k)
    if (!places.findings[k].suppressed)
      ++*(places.findings[k].warns ? &warnings : &remarks);
  if (warnings + remarks > 0)
    heading(r, warnings, remarks);
  for (uint32_t k = 0; status == DC_OK && k < places.n_findings; ++k) {
    const dc_placed_finding *placed = &places.findings[k];
    if (placed->suppressed)
      continue;
    status = kernels->get(kernels->context, placed->kernel, &r->of, error);
    if (status == DC_OK)
      entry(r, &r->of->findings[placed->finding], placed->instances);
  }
  dc__places_free(&places);
  return status;
}
