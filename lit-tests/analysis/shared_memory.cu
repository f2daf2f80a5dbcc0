// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable in shared memory is block-uniform after a barrier with no write to it since on any way,
// warp-uniform before that.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel after_the_barrier 256x1x1 (assumed)
__global__ void after_the_barrier(float *out, const int *in) {
  __shared__ int n;
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    n = in[blockIdx.x];
  __syncthreads();
  int m = n;
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, max(n[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel before_the_barrier 256x1x1 (assumed)
__global__ void before_the_barrier(float *out, const int *in) {
  __shared__ int n;
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    n = in[blockIdx.x];
  int m = n;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(n[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
  __syncthreads();
}

// CHECK-LABEL: kernel written_since 256x1x1 (assumed)
__global__ void written_since(float *out, const int *in) {
  __shared__ int n[2];
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    n[0] = in[blockIdx.x];
  __syncthreads();
  n[1] = 3;
  int m = n[0];
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(n[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel another_one_written_since 256x1x1 (assumed)
__global__ void another_one_written_since(float *out, const int *in) {
  __shared__ int n, others[256];
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    n = in[blockIdx.x];
  __syncthreads();
  others[threadIdx.x] = 3;
  int m = n;
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, max(n[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += others[threadIdx.x ^ 1];
}

// CHECK-LABEL: kernel one_of_two_written_since 256x1x1 (assumed)
__global__ void one_of_two_written_since(float *out, const int *in, bool first) {
  __shared__ int n, others;
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    n = in[blockIdx.x];
  __syncthreads();
  int *one = first ? &n : &others;
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 7
  if (threadIdx.x == 7)
    *one = 3;
  int m = n;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(n[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += others;
}

extern __shared__ int at_the_start[], at_the_start_too[];

// CHECK-LABEL: kernel two_names_of_one_place 256x1x1 (assumed)
__global__ void two_names_of_one_place(float *out, const int *in) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    at_the_start[0] = in[blockIdx.x];
  __syncthreads();
  at_the_start_too[threadIdx.x] = 3;
  int m = at_the_start[0];
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(at_the_start[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

__device__ void write(int *where) { where[threadIdx.x] = 3; }
__device__ __noinline__ int *same(int *where, int depth) {
  return depth ? same(same(where, depth - 1), depth - 1) : where;
}

// CHECK-LABEL: kernel written_through_a_pointer 256x1x1 (assumed)
// CHECK-NEXT: calls same(int*, int) (not-inlined)
// CHECK-NEXT: in same: unknown, ?
__global__ void written_through_a_pointer(float *out, const int *in, int depth) {
  __shared__ int n, others[256];
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    n = in[blockIdx.x];
  __syncthreads();
  write(same(&n, depth));
  int m = n;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(n[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += others[i];
}

// CHECK-LABEL: kernel written_since_by_an_atomic 256x1x1 (assumed)
__global__ void written_since_by_an_atomic(float *out, const int *in) {
  __shared__ int n[2];
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    n[0] = in[blockIdx.x];
  __syncthreads();
  atomicAdd(&n[1], 1);
  int m = n[0];
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(n[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel global_memory_written_since 256x1x1 (assumed)
__global__ void global_memory_written_since(float *out, const int *in) {
  __shared__ int n;
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    n = in[blockIdx.x];
  __syncthreads();
  out[threadIdx.x] = 3;
  int m = n;
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, max(n[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel written_on_one_way 256x1x1 (assumed)
__global__ void written_on_one_way(float *out, const int *in, int k) {
  __shared__ int n[2];
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    n[0] = in[blockIdx.x];
  __syncthreads();
  if (k > 3)
    n[1] = 2;
  int m = n[0];
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(n[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel barrier_on_one_way 256x1x1 (assumed)
__global__ void barrier_on_one_way(float *out, const int *in, int k) {
  __shared__ int n;
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    n = in[blockIdx.x];
  if (k > 3)
    __syncthreads();
  int m = n;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(n[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel at_the_thread 256x1x1 (assumed)
__global__ void at_the_thread(float *out, const int *in) {
  __shared__ int n[256];
  n[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  int m = n[threadIdx.x ^ 1];
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(n[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel in_each_round 256x1x1 (assumed)
__global__ void in_each_round(float *out, const int *in, int rounds) {
  __shared__ int n;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(rounds, 0)
  for (int r = 0; r < rounds; ++r) {
    // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
    if (threadIdx.x == 0)
      n = in[r];
    __syncthreads();
    int m = n;
    // CHECK-NEXT: [[#@LINE+1]]: block-uniform, max(n[...], 0)
    for (int i = 0; i < m; ++i)
      out[i] += 1;
    __syncthreads();
  }
}

// CHECK-LABEL: kernel written_at_the_end_of_the_round 256x1x1 (assumed)
__global__ void written_at_the_end_of_the_round(float *out, const int *in, int rounds) {
  __shared__ int n;
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    n = in[0];
  __syncthreads();
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(rounds, 0)
  for (int r = 0; r < rounds; ++r) {
    int m = n;
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(?, 0)
    for (int i = 0; i < m; ++i)
      out[i] += 1;
    // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
    if (threadIdx.x == 0)
      n = in[r];
  }
}

// CHECK-LABEL: kernel until_the_block_has_converged 256x1x1 (assumed)
__global__ void until_the_block_has_converged(float *out) {
  __shared__ int changed;
  // CHECK-NEXT: [[#@LINE+1]]: block-uniform, -
  do {
    __syncthreads();
    changed = 0;
    __syncthreads();
    // CHECK-NEXT: [[#@LINE+1]]: branch -
    if (out[threadIdx.x] > 1) {
      out[threadIdx.x] /= 2;
      changed = 1;
    }
    __syncthreads();
  } while (changed);
}

// CHECK-LABEL: kernel named_barrier_of_a_part 256x1x1 (assumed)
__global__ void named_barrier_of_a_part(float *out, const int *in) {
  __shared__ int n;
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    n = in[blockIdx.x];
  asm volatile("bar.sync 1, 64;" ::: "memory");
  int m = n;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(n[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}

__device__ void write(int *p, int v) { *p = v; }
// CHECK-LABEL: kernel written_through_a_pointer 256x1x1 (assumed)
__global__ void written_through_a_pointer(float *out, const int *in, int **list) {
  __shared__ int n;
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    n = in[blockIdx.x];
  __syncthreads();
  write(list[3], 7);
  int m = n;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(n[...], 0)
  for (int i = 0; i < m; ++i)
    out[i] += 1;
}
