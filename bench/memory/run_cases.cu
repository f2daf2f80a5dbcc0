// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the kernels of cases.cu, each once: run_cases [LENGTH OF ROWS [OFFSET]].
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include "cases.cu"

static void fill(char *b, std::vector<int> &indices, int (*make)(int before, int k)) {
  for (size_t k = 0; k < indices.size(); ++k)
    indices[k] = make(k ? indices[k - 1] : 0, (int)k);
  cudaMemcpy(b, indices.data(), indices.size() * sizeof(int), cudaMemcpyHostToDevice);
}

int main(int argc, char **argv) {
  int length = argc > 1 ? atoi(argv[1]) : 64, offset = argc > 2 ? atoi(argv[2]) : 3;
  std::vector<int> indices(16 << 20);
  char *a, *b;
  if (cudaMalloc(&a, indices.size() * 4) || cudaMalloc(&b, indices.size() * 4)) {
    fprintf(stderr, "run_cases: no GPU, or no memory on it\n");
    return 1;
  }
  fill(b, indices, [](int, int k) { return (int)(k * 2654435761u >> 22); });
  launch_cases(a, b, length, offset);
  fill(b, indices, [](int before, int k) { return (before + k % 5) & ((1 << 22) - 1); });
  launch_rows(a, b);
  fill(b, indices, [](int, int k) { return k * 7 % N; });
  launch_constants(a, b);
  cudaError_t status = cudaDeviceSynchronize();
  printf("run_cases: %s\n", cudaGetErrorString(status));
  return status != cudaSuccess;
}
