// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One warp of a block, where no estimate is made, the block's dimensions are a guess, or not every
// warp is walked.
#include "base/lanes.h"
#include "memory/access.h"

enum { LOOPS_MAX = 64 };

uint32_t dc__warp_environments(const uint32_t block[3], uint32_t warp, const int64_t *iv,
                               uint32_t n_iv, dc_expr_environment environments[DC_LANES]) {
  uint64_t threads = (uint64_t)block[0] * block[1] * block[2], first = (uint64_t)warp * DC_LANES;
  uint64_t left = threads > first ? threads - first : 0;
  unsigned n = left < DC_LANES ? (unsigned)left : DC_LANES;
  for (unsigned lane = 0; lane < n; ++lane) {
    uint64_t thread = first + lane;
    environments[lane] = (dc_expr_environment){.ntid = {block[0], block[1], block[2]},
                                               .ctaid = {-1, -1, -1},
                                               .tid = {(int64_t)(thread % block[0]),
                                                       (int64_t)(thread / block[0] % block[1]),
                                                       (int64_t)(thread / block[0] / block[1])},
                                               .lane = lane,
                                               .iv = iv,
                                               .n_iv = n_iv};
  }
  return (uint32_t)dc__all_lanes(n);
}

uint32_t dc__access_of_warp(const dc_kernel *kernel, uint32_t access, const uint32_t block[3],
                            uint32_t warp, const int64_t *iv, uint32_t n_iv, dc__lane_values *out) {
  dc_expr_environment environments[DC_LANES];
  uint32_t lanes = dc__warp_environments(block, warp, iv, n_iv, environments);
  dc__access_address(kernel, access, environments, lanes, NULL, out);
  return lanes;
}

double dc_access_excess(const dc_kernel *kernel, uint32_t access, const uint32_t block[3]) {
  const dc_access *data = &kernel->accesses[access];
  dc__lane_values address;
  if (data->address == DC_NO_EXPR || data->level < DC_DIVERGENT)
    return 1;
  uint32_t lanes = dc__access_of_warp(kernel, access, block, 0, NULL, 0, &address);
  if (address.form != DC_LANES_APART && kernel->n_loops > 0 && kernel->n_loops <= LOOPS_MAX &&
      dc_expr_mentions(&kernel->pool, data->address, DC_OP_IV, -1)) {
    // A step that doubles in each iteration is neither 1 any more then, nor beyond the block.
    int64_t third[LOOPS_MAX];
    for (uint32_t loop = 0; loop < kernel->n_loops; ++loop)
      third[loop] = 2;
    dc__access_of_warp(kernel, access, block, 0, third, kernel->n_loops, &address);
  }
  dc__taken taken = dc__access_taken(data, &address, lanes, false);
  return taken.ideal_high > 0 ? taken.low / taken.ideal_high : 1;
}
