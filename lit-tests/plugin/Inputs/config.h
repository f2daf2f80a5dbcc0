// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of a header.
__global__ void triangle(int *x) {
  for (int i = 0; i < threadIdx.x; ++i)
    x[i] += 1;
}
