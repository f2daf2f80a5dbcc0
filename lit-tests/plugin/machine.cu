// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is expected of the machine code: by how much loops are unrolled (below -O2 clang asks for
// none), and how many instructions an operation becomes. Those of powers of constants are of clang
// and ptxas, for these powers.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -O2 -w -fsyntax-only %s -fplugin-arg-divcost-report=unit.json
// RUN: %python %S/Inputs/machine.py unit.json | FileCheck %s
// RUN: %divcost report --json unit.json > again.json
// RUN: %python %S/Inputs/machine.py again.json | FileCheck %s
//
// CHECK: divided: 0 {{[0-9]+}}
// CHECK-NEXT: powers: square 1 cube 2 tenth 4 inverse_square 12 square_float 2 inverse_float 11
// More than a load: of what adds up in the warp first, 11, of 64 bits 20; of what isn't constant and
// has 64 bits none does.
// CHECK-NEXT: to one place: 11 20 2
// CHECK-NEXT: exponential: 48 {'sfu': 0, 'fp32': 0, 'fp64': 15}
// CHECK-NEXT: exponential_float: 10 {'sfu': 1, 'fp32': 9, 'fp64': 0}
// CHECK-NEXT: tenth: 4 {'sfu': 0, 'fp32': 0, 'fp64': 4}
// CHECK-NEXT: ones: 1 {'sfu': 0, 'fp32': 0, 'fp64': 0}
// CHECK-NEXT: a shuffled double: 3
// CHECK-NEXT: a second neighbour: 2
// CHECK-NEXT: calls: 4 1 1 1
// CHECK-NEXT: loops: 16 1 1 2 4 1 1 3 10

__global__ void quotient(unsigned *out, unsigned a, unsigned b) { out[threadIdx.x] = a / b; }

__global__ void sum(unsigned *out, unsigned a, unsigned b) { out[threadIdx.x] = a + b; }

extern "C" __device__ double __nv_powi(double, int), __nv_exp(double);
extern "C" __device__ float __nv_powif(float, int), __nv_expf(float);
extern "C" __device__ float __nv_erff(float), __nv_sinf(float), __nv_roundf(float);
extern "C" __device__ int __nv_popc(int);

__global__ void nothing(double *at) { *at = at[1]; }

__global__ void one_more(int *at, int *count) { *at = __nvvm_atom_add_gen_i(count, 1); }

__global__ void wide_more(long long *at, long long *count) {
  *at = __nvvm_atom_add_gen_ll(count, 1);
}

__global__ void any_wide(long long *at, long long *count, long long more) {
  *at = __nvvm_atom_add_gen_ll(count, more);
}

__global__ void square(double *at) { *at = __nv_powi(*at, 2); }

__global__ void cube(double *at) { *at = __nv_powi(*at, 3); }

__global__ void tenth(double *at) { *at = __nv_powi(*at, 10); }

__global__ void inverse_square(double *at) { *at = __nv_powi(*at, -2); }

__global__ void square_float(float *at) { *at = __nv_powif(*at, 2); }

__global__ void inverse_float(float *at) { *at = __nv_powif(*at, -1); }

__global__ void exponential(double *at) { *at = __nv_exp(*at); }

__global__ void exponential_float(float *at) { *at = __nv_expf(*at); }

__global__ void ones(int *at) { *at = __nv_popc(*at); }

// Two shuffles and a sum: two registers are a pair without further ado.
__global__ void shuffled(double *at) {
  double x = at[1];
  *at = x + __shfl_down_sync(~0u, x, 1);
}

// Where a constant is added in an index doesn't matter: it goes into the access. A load and a sum.
__global__ void one_neighbour(float *out, const float *in, int x, int y) {
  out[0] = in[(y + 1) * 64 + x];
}

__global__ void two_neighbours(float *out, const float *in, int x, int y) {
  out[0] = in[(y + 1) * 64 + x] + in[y * 64 + (x + 2)];
}

__global__ void calls(float *out, int n) {
  float x = out[threadIdx.x];
  for (int i = 0; i < n; ++i) // ptxas
    x = __nv_roundf(x) + 1;
  for (int i = 0; i < n; ++i) // too long
    x = __nv_erff(x) + 1;
  for (int i = 0; i < n; ++i) // has a loop
    x = __nv_sinf(x) + 1;
  for (int i = 0; i < 2; ++i) // likewise
    x = __nv_sinf(x) + 1;
  out[threadIdx.x] = x;
}

__global__ void loops(float *__restrict__ out, const float *__restrict__ in, int n, int step) {
  float sum = 0;
  for (int i = 0; i < 16; ++i) // few trips, small: none of it is left
    sum += in[i];
  for (int i = threadIdx.x; i < n; i += step) // in steps that nobody knows
    sum += in[i];
  for (int i = 0; i < n; ++i) { // with a barrier
    sum += in[i];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; ++i) // LLVM: as many copies as stay small
    sum += in[i] * in[n + i] * in[2 * n + i] + sum;
  for (int i = threadIdx.x; i < n; i += 32) // ptxas
    sum += in[i];
  for (int i = 0; i < n; ++i) { // two ways out
    if (in[i] > sum)
      break;
    sum += in[i];
  }
  for (int bits = n; bits != 0; bits &= bits - 1) // not counted
    sum *= in[bits];
#pragma unroll 3
  for (int i = threadIdx.x; i < n; ++i)
    sum += in[i];
#pragma unroll 64
  for (int i = 0; i < 10; ++i) // as many as there are
    sum += in[i];
  out[threadIdx.x] = sum;
}
