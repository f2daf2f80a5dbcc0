// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances of a template, and a kernel that calls the same function twice: one finding in each
// place.
template <int N, class T> __device__ T walk(const int *begin, const T *values, int row) {
  T sum = 0;
  for (int j = begin[row * N]; j < begin[row * N + 1]; ++j)
    sum += values[j];
  return sum;
}

template <class T, int N> __global__ void rows(const int *begin, const T *values, T *out) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = walk<N>(begin, values, row);
  if (row & 1)
    __syncthreads();
  out[row * N] = sum;
}

__global__ void other(const int *begin, const float *values, float *out) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  out[row] = walk<3>(begin, values, row) + walk<4>(begin, values, row + 1);
}

template __global__ void rows<float, 1>(const int *, const float *, float *);
template __global__ void rows<float, 2>(const int *, const float *, float *);
template __global__ void rows<double, 2>(const int *, const double *, double *);
template __global__ void rows<int, 3>(const int *, const int *, int *);
template __global__ void rows<int, 4>(const int *, const int *, int *);
template __global__ void rows<int, 5>(const int *, const int *, int *);
