// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A damped Fourier series at one place for each item, with as many terms as the item has.

__global__ void fourier(const int *__restrict__ order, const int *__restrict__ terms,
                        const float *__restrict__ place, float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = terms[item];
  float x = place[item], sum = 0.0f;
  for (int k = 0; k < count; ++k) // loop: terms
    sum += __sinf((float)k * x) * __expf(-0.01f * (float)k);
  out[item] = sum;
}
