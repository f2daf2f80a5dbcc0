// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of ../annotations_kernels.cu that only a header has.
template <class T> __global__ void each(T *out, int n) {
  for (int j = threadIdx.x; j < n; ++j)
    out[j] += 1;
}
__global__ void plain(int *out) { out[threadIdx.x] = 1; }
