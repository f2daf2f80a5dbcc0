// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Naive string matching: each thread compares the pattern with the text at its own starts. To be
// found: the loop over the starts is grid-strided, so the lanes differ by one round at most; the
// comparison stops at the first difference, which depends on the text. Most lanes stop at once and
// wait for the few that have found a prefix.

__global__ void string_match(const char *__restrict__ text, int n, const char *__restrict__ pattern,
                             int m, int *__restrict__ matches) {
  int last = n - m;
  int step = gridDim.x * blockDim.x;
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = first; i <= last; i += step) { // expect: class=strided
    int k = 0;
    while (k < m && text[i + k] == pattern[k]) { // expect: class=data-dependent warn=data-dependent
      ++k;
    }
    if (k == m)
      atomicAdd(matches, 1);
  }
}

cudaError_t run_string_match(const char *text, int n, const char *pattern, int m, int *matches) {
  string_match<<<512, 256>>>(text, n, pattern, m, matches);
  return cudaDeviceSynchronize();
}
