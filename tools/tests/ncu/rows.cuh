#pragma once
// A header with device functions.
__device__ inline float row_sum(const int *offsets, const float *values, int row) {
  float sum = 0;
  for (int k = offsets[row]; k < offsets[row + 1]; ++k)
    sum += values[k];
  return sum;
}

#define SQUARE_IF_ODD(x) if ((x) & 1) (x) *= (x)

template <int N> __device__ int collatz(int value) {
  int steps = 0;
  while (value != 1 && steps < N) {
    if (value & 1)
      value = 3 * value + 1;
    else
      value >>= 1;
    ++steps;
  }
  return steps;
}
