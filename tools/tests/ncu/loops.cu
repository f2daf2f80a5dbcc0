#include <cstdio>
#include <cstdlib>
#include <vector>
#include "rows.cuh"

__global__ void spmv(int n, const int *offsets, const float *values, float *out) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n)
    out[row] = row_sum(offsets, values, row);
}

template <int N> __global__ void chains(int n, const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int value = in[i];
  SQUARE_IF_ODD(value);
  out[i] = collatz<N>(value & 0xffff | 1);
}

__global__ void branchy(int n, const int *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = in[i];
  if (in[i] % 3 == 0) {
    for (int k = 0; k < 20; ++k)
      x = sinf(x) + k;
  } else {
    x = sqrtf(x);
  }
  out[i] = x;
}

__global__ void reduce(const float *in, float *out) {
  __shared__ float part[256];
  unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned s = 1; s < 256; s *= 2) {
    if (t % (2 * s) == 0)
      part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = part[0];
}

__global__ void saxpy(int n, float a, const float *x, float *y) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

template __global__ void chains<100>(int, const int *, int *);
template __global__ void chains<1000>(int, const int *, int *);
