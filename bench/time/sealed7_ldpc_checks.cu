// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A code that corrects errors (LDPC), half a round of its decoder (min-sum): each check reads what
// the bits of it are believed to be, with a sign and how sure, from where they lie, and tells each
// of them what the others say, which is as sure as the least sure of these, less one.

__global__ void ldpc_checks(const int *__restrict__ order, const int *__restrict__ begin,
                            const int *__restrict__ places, const int *__restrict__ beliefs,
                            int *__restrict__ told, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = begin[item], end = begin[item + 1];
  int least = 1000, next = 1000, which = -1, sign = 0;
  for (int k = from; k < end; ++k) { // loop: reads
    int belief = beliefs[places[k]];
    int sure = belief < 0 ? -belief : belief;
    sign ^= belief;
    if (sure < least) {
      next = least;
      least = sure;
      which = k;
    } else {
      next = min(next, sure);
    }
    told[k] = belief;
  }
  least = max(least - 1, 0);
  next = max(next - 1, 0);
  for (int k = from; k < end; ++k) { // loop: writes
    int sure = k == which ? next : least;
    told[k] = (sign ^ told[k]) < 0 ? -sure : sure;
  }
}
