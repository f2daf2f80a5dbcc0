// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The workload of Swatman et al., "Modelling performance loss due to thread imbalance in stochastic
// variable-length SIMT workloads": each thread multiplies its own 16 x 16 matrix by itself a random
// number of times. To be found: the number of multiplications is loaded; everything within one is
// uniform, in local memory, and so long that imbalance is all that matters.

constexpr int SIZE = 16;

__device__ void multiply(float *power, const float *base) {
  for (int r = 0; r < SIZE; ++r) { // expect: class=uniform
    float row[SIZE];
    for (int c = 0; c < SIZE; ++c) { // expect: class=uniform
      float sum = 0.0f;
      for (int k = 0; k < SIZE; ++k) { // expect: class=uniform
        sum += power[r * SIZE + k] * base[k * SIZE + c];
      }
      row[c] = sum;
    }
    for (int c = 0; c < SIZE; ++c) { // expect: class=uniform
      power[r * SIZE + c] = row[c];
    }
  }
}

// Element e of matrix i is at matrices[e * n + i], so that the lanes' loads are side by side.
__global__ void matrix_power(const float *__restrict__ matrices, const int *__restrict__ counts,
                             float *__restrict__ traces, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float base[SIZE * SIZE];
  float power[SIZE * SIZE];
  for (int e = 0; e < SIZE * SIZE; ++e) { // expect: class=uniform
    base[e] = matrices[(size_t)e * n + i];
    power[e] = base[e];
  }
  int count = counts[i];
  for (int m = 0; m < count; ++m) { // expect: class=data-dependent warn=data-dependent
    multiply(power, base);
  }
  float trace = 0.0f;
  for (int r = 0; r < SIZE; ++r) { // expect: class=uniform
    trace += power[r * SIZE + r];
  }
  traces[i] = trace;
}

cudaError_t run_matrix_power(const float *matrices, const int *counts, float *traces, int n) {
  matrix_power<<<(n + 31) / 32, 32>>>(matrices, counts, traces, n);
  return cudaDeviceSynchronize();
}
