// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which order the report for people shows things: worst first, decided at the low end of spans.
#include "report_internal.h"

bool dc_share_is_worse(dc_span x, dc_span y) {
  return x.low > y.low || (x.low == y.low && x.high > y.high);
}

const dc_estimate *dc_unit_worst_estimate(const dc_unit_kernel *kernel) {
  const dc_estimate *worst = NULL;
  for (uint32_t k = 0; k < kernel->n_estimates; ++k)
    if (!worst || dc_share_is_worse(dc_lost_share(&kernel->estimates[k]), dc_lost_share(worst)))
      worst = &kernel->estimates[k];
  return worst;
}

int dc_compare_ranks(const void *a, const void *b) {
  const dc_rank *x = a, *y = b;
  if (x->parent != y->parent)
    return x->parent < y->parent ? -1 : 1;
  if (dc_share_is_worse(x->share, y->share))
    return -1;
  if (dc_share_is_worse(y->share, x->share))
    return 1;
  return x->index < y->index ? -1 : x->index > y->index;
}
