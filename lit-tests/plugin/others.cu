// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is found in a function that several kernels call is told once, at the one that loses most
// there, and names the others: two of them. Other instances of a template are no others.
//
// RUN: %clang %cuda -fsyntax-only %s 2>&1 | FileCheck %s

__device__ float walk(const float *in, int trips) {
  float sum = 0;
  // CHECK: others.cu:[[#@LINE+1]]:3: warning: loop runs a different number of iterations in each lane: {{.*}}; kernels 'first(float*, float const*)', 'second(float*, float const*)' and 1 more have it, too [divcost-imbalance]
  for (int k = 0; k < trips; ++k)
    sum += in[k];
  return sum;
}

__global__ void first(float *out, const float *in) {
  out[threadIdx.x] = walk(in, 40 * threadIdx.x);
}

__global__ void second(float *out, const float *in) {
  out[threadIdx.x] = walk(in, 30 * threadIdx.x) + in[threadIdx.x];
}

__global__ void third(float *out, const float *in) {
  out[threadIdx.x] = walk(in, 20 * threadIdx.x) + in[threadIdx.x];
}

__global__ void fourth(float *out, const float *in) {
  out[threadIdx.x] = walk(in, 10 * threadIdx.x) + in[threadIdx.x];
}

template <int n> __global__ void instance(float *out, const float *in) {
  float sum = 0;
  // CHECK: others.cu:[[#@LINE+1]]:3: warning: loop runs
  for (int k = 0; k < n * threadIdx.x; ++k)
    sum += in[k] * in[k];
  out[threadIdx.x] = sum;
}
// CHECK-NOT: instance{{.*}} too

void launch(float *out, const float *in) {
  first<<<1, 32>>>(out, in);
  second<<<1, 32>>>(out, in);
  third<<<1, 32>>>(out, in);
  fourth<<<1, 32>>>(out, in);
  instance<5><<<1, 32>>>(out, in);
  instance<6><<<1, 32>>>(out, in);
}
