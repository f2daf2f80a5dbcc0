// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Binary search for the first element that isn't less than a key, one key per thread, in two forms.
// To be found: with two ends that close in, the exit depends on the elements seen, so it counts as
// data-dependent, though halving keeps the lanes within one round of each other: nothing to warn
// about. With a length that halves in every lane alike, the same search is uniform.

__global__ void search_by_ends(const int *__restrict__ sorted, int n, const int *__restrict__ keys,
                               int *__restrict__ positions, int queries) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= queries)
    return;
  int key = keys[i];
  int low = 0;
  int high = n;
  while (low < high) { // expect: class=data-dependent
    int middle = low + (high - low) / 2;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  positions[i] = low;
}

__global__ void search_by_length(const int *__restrict__ sorted, int n,
                                 const int *__restrict__ keys, int *__restrict__ positions,
                                 int queries) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= queries)
    return;
  int key = keys[i];
  int low = 0;
  for (int length = n; length > 1; length -= length / 2) { // expect: class=uniform
    int half = length / 2;
    low += sorted[low + half - 1] < key ? half : 0;
  }
  positions[i] = low + (n > 0 && sorted[low] < key ? 1 : 0);
}

cudaError_t run_search_by_ends(const int *sorted, int n, const int *keys, int *positions,
                               int queries) {
  search_by_ends<<<(queries + 255) / 256, 256>>>(sorted, n, keys, positions, queries);
  return cudaDeviceSynchronize();
}

cudaError_t run_search_by_length(const int *sorted, int n, const int *keys, int *positions,
                                 int queries) {
  search_by_length<<<(queries + 255) / 256, 256>>>(sorted, n, keys, positions, queries);
  return cudaDeviceSynchronize();
}
