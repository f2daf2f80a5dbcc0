// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floating-point additions in shared memory are loops over the lanes of one address: 32 passes
// where all lanes have the same one. Integers and global memory are added to in one instruction.
//
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-report=%t.json 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %python -c "import json; [print(k['symbol'], [b[7:9] for b in k['skeleton']['blocks'] if b[7] or b[8]]) for k in json.load(open(r'%t.json'))['kernels']]" \
// RUN:   | FileCheck %s --check-prefix=BLOCKS

// CHECK: shared_atomics.cu:[[# @LINE + 2]]:{{[0-9]+}}: warning: at least {{[0-9]+}}% of the lanes of kernel 'sum(float const*, float*)' idle, whatever its data are [divcost-efficiency]
// BLOCKS: _Z3sumPKfPf {{\[\[}}1, 0]]
__global__ void sum(const float *x, float *y) {
  __shared__ float s;
  if (threadIdx.x == 0)
    s = 0;
  __syncthreads();
  __nvvm_atom_add_gen_f(&s, x[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0)
    *y = s;
}

// How many lanes have one address isn't known.
// BLOCKS: _Z4binsPKfS0_Pf {{\[\[}}0, 1]]
__global__ void bins(const float *x, const float *weight, float *y) {
  __shared__ float s[256];
  s[threadIdx.x] = 0;
  __syncthreads();
  __nvvm_atom_add_gen_f(&s[(unsigned char)x[threadIdx.x]], weight[threadIdx.x]);
  __syncthreads();
  y[threadIdx.x] = s[threadIdx.x];
}

// BLOCKS: _Z8in_placePKiPi {{\[\]}}
__global__ void in_place(const int *x, int *y) {
  __shared__ int s;
  s = 0;
  __syncthreads();
  __nvvm_atom_add_gen_i(&s, x[threadIdx.x]);
  __nvvm_atom_add_gen_i(y, s);
}

void launch(const float *x, float *y, const int *i, int *j) {
  sum<<<1, 256>>>(x, y);
  bins<<<1, 256>>>(x, x, y);
  in_place<<<1, 256>>>(i, j);
}
