// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "findings/places.h"

#include <string.h>

bool dcp_is_library(const dc_kernel *kernel, uint32_t location) {
  return location != DC_NONE && kernel->locations[location].library;
}

uint32_t dcp_users_location(const dc_kernel *kernel, uint32_t location) {
  uint32_t at = location;
  while (dcp_is_library(kernel, at))
    at = kernel->locations[at].inlined_at;
  return at == DC_NONE ? location : at;
}

const char *dcp_called_library(const dc_kernel *kernel, uint32_t location) {
  uint32_t call = dcp_users_location(kernel, location), at = location;
  if (call == location)
    return NULL;
  while (kernel->locations[at].inlined_at != call)
    at = kernel->locations[at].inlined_at;
  return dc_kernel_text(kernel, kernel->locations[at].function);
}

dcp_place dcp_own_place_of(const dc_kernel *kernel, uint32_t location) {
  if (location == DC_NONE)
    return (dcp_place){"", 0, 0};
  const dc_location *at = &kernel->locations[location];
  return (dcp_place){dc_kernel_text(kernel, at->file), at->line, at->column};
}

dcp_place dcp_place_of(const dc_kernel *kernel, uint32_t location) {
  return dcp_own_place_of(kernel, dcp_users_location(kernel, location));
}

int dcp_compare_places(const dcp_place *a, const dcp_place *b) {
  int order = strcmp(a->file, b->file);
  if (order)
    return order;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  return a->column < b->column ? -1 : a->column > b->column;
}
