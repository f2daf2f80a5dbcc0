// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that can't change during the launch keeps the level of its address, wherever it is read.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

__constant__ int table[64];
__device__ const int fixed[4] = {3, 1, 4, 1};

// CHECK-LABEL: kernel constant_memory 256x1x1 (assumed)
__global__ void constant_memory(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(table[...], 0)
  for (int i = 0; i < table[3]; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel constant_memory_of_the_block 256x1x1 (assumed)
__global__ void constant_memory_of_the_block(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, max(table[...], 0)
  for (int i = 0; i < table[blockIdx.x]; ++i)
    out[i] += 1;
}

__device__ int fetch(unsigned long long texture, int at) {
  int x, y, z, w;
  asm("tex.1d.v4.s32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
      : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
      : "l"(texture), "r"(at));
  return x;
}

// CHECK-LABEL: kernel texture 256x1x1 (assumed)
__global__ void texture(float *out, unsigned long long texture) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, -
  for (int i = 0; fetch(texture, i) > 0; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel texture_of_the_block 256x1x1 (assumed)
__global__ void texture_of_the_block(float *out, unsigned long long texture) {
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, -
  for (int i = 0; i < fetch(texture, blockIdx.x); ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel texture_of_the_thread 256x1x1 (assumed)
__global__ void texture_of_the_thread(float *out, unsigned long long texture) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = 0; i < fetch(texture, threadIdx.x); ++i)
    out[i] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = 0; fetch(texture, threadIdx.x + i) > 0; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel constant_memory_of_the_thread 256x1x1 (assumed)
__global__ void constant_memory_of_the_thread(float *out) {
  // CHECK-NEXT: [[#@LINE+2]]: constant
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(table[...], 0)
  for (int i = 0; i < table[threadIdx.x]; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel constant_read_apart 256x1x1 (assumed)
__global__ void constant_read_apart(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max(table[...], 0)
    for (int i = 0; i < table[3]; ++i)
      out[i] += 1;
  out[9] = 0;
}

// CHECK-LABEL: kernel fixed_read_apart 256x1x1 (assumed)
__global__ void fixed_read_apart(float *out, int k) {
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max(fixed[...], 0)
    for (int i = 0; i < fixed[k]; ++i)
      out[i] += 1;
  out[9] = 0;
}

// CHECK-LABEL: kernel restrict_read_apart 256x1x1 (assumed)
__global__ void restrict_read_apart(float *__restrict__ out, const int *__restrict__ count) {
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max(count[...], 0)
    for (int i = 0; i < *count; ++i)
      out[i] += 1;
  out[9] = 0;
}

// CHECK-LABEL: kernel aliased_read_apart 256x1x1 (assumed)
__global__ void aliased_read_apart(float *out, const int *count) {
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1)
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(count[...], 0)
    for (int i = 0; i < *count; ++i)
      out[i] += 1;
  out[9] = 0;
}

// CHECK-LABEL: kernel restrict_but_written 256x1x1 (assumed)
__global__ void restrict_but_written(float *__restrict__ out, int *__restrict__ count) {
  int n = 0;
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1) {
    n = count[1];
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(count[...], 0)
    for (int i = 0; i < n; ++i)
      out[i] += 1;
  }
  count[blockIdx.x] = n;
}

// CHECK-LABEL: kernel restrict_but_counted 256x1x1 (assumed)
__global__ void restrict_but_counted(float *__restrict__ out, int *__restrict__ count) {
  int n = 0;
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1) {
    n = count[1];
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(count[...], 0)
    for (int i = 0; i < n; ++i)
      out[i] += 1;
  }
  atomicAdd(&count[blockIdx.x], n);
}

// CHECK-LABEL: kernel restrict_written_behind_a_number 256x1x1 (assumed)
__global__ void restrict_written_behind_a_number(float *__restrict__ out,
                                                 int *__restrict__ count) {
  unsigned long long address = (unsigned long long)count;
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1) {
    int n = count[1];
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(count[...], 0)
    for (int i = 0; i < n; ++i)
      out[i] += 1;
  }
  *(int *)(address + 4 * blockIdx.x) = 3;
}

// CHECK-LABEL: kernel restrict_but_volatile 256x1x1 (assumed)
__global__ void restrict_but_volatile(float *__restrict__ out, const volatile int *__restrict__ count) {
  int n = *count;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(count[...], 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel read_only_cache 256x1x1 (assumed)
__global__ void read_only_cache(float *out, const int *count) {
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1)
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max(count[...], 0)
    for (int i = 0; i < __ldg(count); ++i)
      out[i] += 1;
  out[9] = 0;
}

// CHECK-LABEL: kernel read_only_cache_of_the_thread 256x1x1 (assumed)
__global__ void read_only_cache_of_the_thread(float *out, const int *count) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(count[...], 0)
  for (int i = 0; i < __ldg(count + threadIdx.x); ++i)
    out[i] += 1;
}

struct view { const int *data; int n; };
// CHECK-LABEL: kernel behind_a_structure 256x1x1 (assumed)
__global__ void behind_a_structure(float *out, view v) {
  // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 1) == 0
  if (threadIdx.x & 1)
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(*(...), 0)
    for (int i = 0; i < v.data[0]; ++i)
      out[i] += 1;
  out[9] = 0;
}
