// What the copies of an unrolled loop share: tests, steps, and addresses that differ by a constant.
// Each copy has the rest: two reads and a fused product of convolve and dot; an address, a read and a
// sum of stride; a shuffle and a sum of halve; the counter itself, a conversion and a sum of number; a
// fused product of grow. Of loops that are gone nothing is tested; both loops of convolve are, and
// what both share is there once for all nine copies, a third of it in each pass of the inner one.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -O2 -w -fsyntax-only %s -fplugin-arg-divcost-report=unit.json
// RUN: %python %S/Inputs/copies.py unit.json | FileCheck %s
// RUN: %divcost report --json unit.json > again.json
// RUN: %python %S/Inputs/copies.py again.json | FileCheck %s

__constant__ float weights[9];

// CHECK: convolve: 3, own 0 of {{[567]}}, once {{[12]}}
// CHECK-NEXT: convolve: 3, own 3 of {{10, once 1$|11, once 1.33$|12, once 1.67$}}
__global__ void convolve(const float *in, float *out, int width) {
  __shared__ float tile[18][18];
  int tx = threadIdx.x, ty = threadIdx.y;
  tile[ty][tx] = in[ty * width + tx];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      sum += tile[ty + i][tx + j] * weights[i * 3 + j];
  out[ty * width + tx] = sum;
}

// CHECK-NEXT: dot: 2, own 3 of 10, once 7
__global__ void dot(const float *a, const float *b, float *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[t * n + i] * b[i];
  out[t] = sum;
}

// CHECK-NEXT: stride: 4, own 3 of 7, once 4
__global__ void stride(const float *a, float *out, int n, int width) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[i * width + t];
  out[t] = sum;
}

// CHECK-NEXT: halve: 5, own 2 of 8, once 0
__global__ void halve(const float *a, float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = a[t];
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_down_sync(~0u, sum, offset);
  out[t] = sum;
}

// CHECK-NEXT: number: 8, own 3 of 5, once 2
__global__ void number(float *out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += i;
  out[t] = sum;
}

// CHECK-NEXT: grow: 4, own 1 of 4, once 0
__global__ void grow(int *out, const int *in) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, hash = 1, value = in[t];
  for (int i = 0; i < 4; ++i)
    hash = hash * 3 + value;
  out[t] = hash;
}
