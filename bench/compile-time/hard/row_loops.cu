// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hard for an estimate: many loops over rows of unknown length inside such a loop, each expected to
// be unrolled, in three instances. Not for the verdicts' tests; compile_time.py takes it.
template <typename T> __global__ void rows(const int *begin, const T *x, const T *y, T *out) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  T sum = 0;
  for (int i = begin[row]; i < begin[row + 1]; ++i) {
    for (int j = begin[i + 0]; j < begin[i + 1]; ++j)
      sum += x[j + 0] * y[j];
    for (int j = begin[i + 1]; j < begin[i + 2]; ++j)
      sum += x[j + 1] * y[j];
    for (int j = begin[i + 2]; j < begin[i + 3]; ++j)
      sum += x[j + 2] * y[j];
    for (int j = begin[i + 3]; j < begin[i + 4]; ++j)
      sum += x[j + 3] * y[j];
    for (int j = begin[i + 4]; j < begin[i + 5]; ++j)
      sum += x[j + 4] * y[j];
    for (int j = begin[i + 5]; j < begin[i + 6]; ++j)
      sum += x[j + 5] * y[j];
    for (int j = begin[i + 6]; j < begin[i + 7]; ++j)
      sum += x[j + 6] * y[j];
    for (int j = begin[i + 7]; j < begin[i + 8]; ++j)
      sum += x[j + 7] * y[j];
    for (int j = begin[i + 8]; j < begin[i + 9]; ++j)
      sum += x[j + 8] * y[j];
    for (int j = begin[i + 9]; j < begin[i + 10]; ++j)
      sum += x[j + 9] * y[j];
    for (int j = begin[i + 10]; j < begin[i + 11]; ++j)
      sum += x[j + 10] * y[j];
    for (int j = begin[i + 11]; j < begin[i + 12]; ++j)
      sum += x[j + 11] * y[j];
    for (int j = begin[i + 12]; j < begin[i + 13]; ++j)
      sum += x[j + 12] * y[j];
    for (int j = begin[i + 13]; j < begin[i + 14]; ++j)
      sum += x[j + 13] * y[j];
    for (int j = begin[i + 14]; j < begin[i + 15]; ++j)
      sum += x[j + 14] * y[j];
    for (int j = begin[i + 15]; j < begin[i + 16]; ++j)
      sum += x[j + 15] * y[j];
    for (int j = begin[i + 16]; j < begin[i + 17]; ++j)
      sum += x[j + 16] * y[j];
    for (int j = begin[i + 17]; j < begin[i + 18]; ++j)
      sum += x[j + 17] * y[j];
    for (int j = begin[i + 18]; j < begin[i + 19]; ++j)
      sum += x[j + 18] * y[j];
    for (int j = begin[i + 19]; j < begin[i + 20]; ++j)
      sum += x[j + 19] * y[j];
    for (int j = begin[i + 20]; j < begin[i + 21]; ++j)
      sum += x[j + 20] * y[j];
    for (int j = begin[i + 21]; j < begin[i + 22]; ++j)
      sum += x[j + 21] * y[j];
    for (int j = begin[i + 22]; j < begin[i + 23]; ++j)
      sum += x[j + 22] * y[j];
    for (int j = begin[i + 23]; j < begin[i + 24]; ++j)
      sum += x[j + 23] * y[j];
  }
  out[row] = sum;
}
template __global__ void rows<float>(const int *, const float *, const float *, float *);
template __global__ void rows<double>(const int *, const double *, const double *, double *);
template __global__ void rows<int>(const int *, const int *, const int *, int *);
