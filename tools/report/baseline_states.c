// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the gate's baseline says of findings, for formats that tell it.
#include "report/gate.h"

#include <string.h>

// What is suppressed isn't the baseline's matter.
static const char *state_of(void *context, const dc_unit_kernel *kernel,
                            const dc_finding *finding) {
  const gate_item *item = gate_find(context, kernel, finding);
  if (!item)
    return NULL;
  if (item->in_new_place)
    return "new";
  switch (item->state) {
  case GATE_UNCHANGED:
    return "unchanged";
  case GATE_UPDATED:
    return "updated";
  case GATE_NEW:
    return "new";
  }
  return NULL;
}

// The index-th entry of the baseline that is gone. Losses of kernels are no findings of SARIF's.
static bool absent_entry(void *context, uint32_t index, dc_absent_finding *finding) {
  const gate *gate = context;
  for (uint32_t k = 0; k < gate->known.count; ++k) {
    const baseline_entry *entry = &gate->known.entries[k];
    int rule = dc_rule_parse(entry->rule);
    if (rule < 0 || !gate_is_gone(gate, entry) || index-- > 0)
      continue;
    *finding = (dc_absent_finding){(dc_rule)rule, entry->fingerprint, entry->file, entry->kernel,
                                   entry->message};
    return true;
  }
  return false;
}

dc_baseline gate_baseline(gate *gate) { return (dc_baseline){state_of, absent_entry, gate}; }
