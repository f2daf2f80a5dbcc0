// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where differences come from: what the launch gives to all, to a block, and to a thread.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel parameter 256x1x1 (assumed)
__global__ void parameter(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel grid 256x1x1 (assumed)
__global__ void grid(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, gridDim.x * blockDim.y
  for (unsigned i = 0; i < gridDim.x * blockDim.y; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel block 256x1x1 (assumed)
__global__ void block(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, blockIdx.x
  for (unsigned i = 0; i < blockIdx.x; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel thread 256x1x1 (assumed)
__global__ void thread(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.x
  for (unsigned i = 0; i < threadIdx.x; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel lane 256x1x1 (assumed)
__global__ void lane(float *out) {
  unsigned id;
  asm("mov.u32 %0, %%laneid;" : "=r"(id));
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, lane
  for (unsigned i = 0; i < id; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel more_than_the_lane 256x1x1 (assumed)
__global__ void more_than_the_lane(float *out) {
  unsigned id;
  asm("mov.u32 %0, %%ctaid.x; mov.u32 %0, %%laneid;" : "=r"(id));
  // CHECK-NEXT: [[#@LINE+1]]: unknown, ?
  for (unsigned i = 0; i < id; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel lanes_below 256x1x1 (assumed)
__global__ void lanes_below(float *out) {
  unsigned mask;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  // CHECK-NEXT: [[#@LINE+1]]: unknown, ?
  for (unsigned i = 0; i < mask; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel assembly_of_its_operands 256x1x1 (assumed)
__global__ void assembly_of_its_operands(float *out, unsigned n) {
  unsigned twice;
  asm("add.u32 %0, %1, %1;" : "=r"(twice) : "r"(n));
  // CHECK-NEXT: [[#@LINE+1]]: uniform, ?
  for (unsigned i = 0; i < twice; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel atomic 256x1x1 (assumed)
__global__ void atomic(float *out, int *next) {
  int n = atomicAdd(next, 1);
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel atomic_of_one_lane 256x1x1 (assumed)
__global__ void atomic_of_one_lane(float *out, int *next) {
  int n = 0;
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 31) == 0
  if (threadIdx.x % 32 == 0)
    n = atomicAdd(next, 1);
  n = __shfl_sync(~0u, n, 0);
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(?, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel clock_ticks 256x1x1 (assumed)
__global__ void clock_ticks(float *out) {
  int n = clock() & 7;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ? & 7
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel table 256x1x1 (assumed)
__global__ void table(float *out, const int *counts) {
  int n = counts[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(counts[...], 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel difference_that_cancels 256x1x1 (assumed)
__global__ void difference_that_cancels(float *out, int n) {
  int a = threadIdx.x + n, b = threadIdx.x * 3;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n * 3, 0)
  for (int i = 0; i < 3 * a - b; ++i)
    out[i] += 1;
}

struct size { int n; };
// CHECK-LABEL: kernel by_value 256x1x1 (assumed)
__global__ void by_value(float *out, size s) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(s[...], 0)
  for (int i = 0; i < s.n; ++i)
    out[i] += 1;
}

// What is written is the thread's own, the other fields aren't.
struct range { int first, count; __device__ void begin(int at) { first += at; } };
// CHECK-LABEL: kernel by_value_one_written 256x1x1 (assumed)
__global__ void by_value_one_written(float *out, range r) {
  r.begin(threadIdx.x);
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(r[...], 0)
  for (int i = 0; i < r.count; ++i)
    out[r.first + i] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, max(r[...] + threadIdx.x, 0)
  for (int i = 0; i < r.first; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel by_value_bounded 256x1x1 (assumed)
__global__ void by_value_bounded(float *out, range r, int n) {
  r.count = min(r.count, n);
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(min({{n, r\[...\]|r\[...\], n}}), 0)
  for (int i = 0; i < r.count; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel by_value_written_at_times 256x1x1 (assumed)
__global__ void by_value_written_at_times(float *out, range r) {
  if (threadIdx.x & 1)
    r.count = 4;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, max((threadIdx.x & 1) == 0 ? r[...] : 4, 0)
  for (int i = 0; i < r.count; ++i)
    out[i] += 1;
}

struct sizes { int n[8]; };
// CHECK-LABEL: kernel by_value_written 256x1x1 (assumed)
__global__ void by_value_written(float *out, sizes s, int k) {
  s.n[k] = threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(s[...], 0)
  for (int i = 0; i < s.n[k ^ 1]; ++i)
    out[i] += 1;
}
