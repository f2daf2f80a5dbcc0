// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/emulator.h"

static uint32_t greater(uint32_t a, uint32_t b) { return a > b ? a : b; }

static void halve(dc_depth_history *history) {
  history->count /= 2;
  history->every *= 2;
  for (size_t k = 0; k < history->count; ++k)
    history->depths[k] = greater(history->depths[2 * k], history->depths[2 * k + 1]);
}

void dc_depth_record(void *context, const dc_step *step) {
  dc_depth_history *history = context;
  if (history->steps++ % history->every == 0) {
    if (history->count == DC_DEPTHS_MAX)
      halve(history);
    history->depths[history->count++] = 0;
  }
  uint32_t *last = &history->depths[history->count - 1];
  *last = greater(*last, step->depth);
}
