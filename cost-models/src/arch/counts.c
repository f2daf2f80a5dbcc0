// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arch/machine_code.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static unsigned distance(const dc_machine_code *code, unsigned sm) {
  unsigned least = UINT_MAX;
  for (unsigned k = 0; k < code->n_sm; ++k) {
    unsigned apart = sm > code->sm[k] ? sm - code->sm[k] : code->sm[k] - sm;
    least = apart < least ? apart : least;
  }
  return least;
}

const dc_machine_code *dc_machine_code_find(unsigned sm) {
  const dc_machine_code *nearest = &dc__machine_code_table[0];
  for (unsigned k = 1; k < dc__machine_code_table_count; ++k)
    if (distance(&dc__machine_code_table[k], sm) < distance(nearest, sm))
      nearest = &dc__machine_code_table[k];
  return nearest;
}

const char *dc_machine_code_provenance(const dc_machine_code *code, unsigned sm) {
  return distance(code, sm) == 0 ? code->label : code->elsewhere;
}

unsigned dc_machine_code_sm(const dc_machine_code *code, unsigned sm) {
  return distance(code, sm) == 0 ? sm : code->sm[0];
}

static int compare(const void *name, const void *count) {
  return strcmp(name, ((const dc_operation_count *)count)->name);
}

const dc_operation_count *dc_machine_code_operation(const dc_machine_code *code, const char *name) {
  return bsearch(name, code->counts, code->n_counts, sizeof *code->counts, compare);
}

bool dc_predication_is_close(uint64_t instructions, uint32_t most) {
  return instructions > most / 2 && instructions <= 2 * (uint64_t)most;
}

uint32_t dc_machine_code_count(const dc_machine_code *code, const char *name, uint32_t otherwise) {
  const dc_operation_count *found = dc_machine_code_operation(code, name);
  return found ? found->instructions : otherwise;
}
