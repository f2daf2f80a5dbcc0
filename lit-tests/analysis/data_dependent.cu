// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose ends come from memory, from atomics, or from what lanes did before.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel csr_row 256x1x1 (assumed)
__global__ void csr_row(float *y, const float *a, const int *column, const int *start, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: branch blockIdx.x * blockDim.x + threadIdx.x < n
  if (row >= n)
    return;
  float sum = 0;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(start[...] - start[...], 0)
  for (int k = start[row]; k < start[row + 1]; ++k)
    sum += a[k] * y[column[k]];
  y[row] = sum;
}

// CHECK-LABEL: kernel while_not_converged 256x1x1 (assumed)
__global__ void while_not_converged(float *out, float limit) {
  float x = out[threadIdx.x], before;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  do {
    before = x;
    x = 0.5f * (x + limit / x);
  } while (fabsf(x - before) > 1e-6f);
  out[threadIdx.x] = x;
}

struct node { node *next; float value; };
// CHECK-LABEL: kernel linked_list 256x1x1 (assumed)
__global__ void linked_list(float *out, node **heads) {
  float sum = 0;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (const node *p = heads[threadIdx.x]; p; p = p->next)
    sum += p->value;
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: kernel one_list_for_all 256x1x1 (assumed)
__global__ void one_list_for_all(float *out, node *head) {
  float sum = 0;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, -
  for (const node *p = head; p; p = p->next)
    sum += p->value;
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: kernel hash_probing 256x1x1 (assumed)
__global__ void hash_probing(int *out, const int *keys, const int *wanted, unsigned mask) {
  int key = wanted[threadIdx.x];
  unsigned slot = key * 2654435761u;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  while (keys[slot & mask] != key && keys[slot & mask] != -1)
    ++slot;
  out[threadIdx.x] = slot & mask;
}

// CHECK-LABEL: kernel descent_with_a_stack 256x1x1 (assumed)
__global__ void descent_with_a_stack(int *out, const int *left, const int *right, float *key) {
  int stack[32], top = 0, found = 0;
  stack[top++] = 0;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  while (top > 0) {
    int at = stack[--top];
    // CHECK-NEXT: [[#@LINE+1]]: branch -
    if (key[at] < key[threadIdx.x])
      continue;
    ++found;
    // CHECK-NEXT: [[#@LINE+1]]: branch -
    if (left[at] >= 0)
      stack[top++] = left[at];
    // CHECK-NEXT: [[#@LINE+1]]: branch -
    if (right[at] >= 0)
      stack[top++] = right[at];
  }
  out[threadIdx.x] = found;
}

// CHECK-LABEL: kernel rejection_sampling 256x1x1 (assumed)
__global__ void rejection_sampling(float *out, unsigned seed) {
  unsigned state = seed + threadIdx.x;
  float x, y;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, (first i0 with {{.*}} where x0 begins as {{(seed \+ threadIdx.x)|(threadIdx.x \+ seed)}} and goes on as {{.*}}
  do {
    state = state * 1664525u + 1013904223u;
    x = state * 2.3283064e-10f;
    state = state * 1664525u + 1013904223u;
    y = state * 2.3283064e-10f;
  } while (x * x + y * y > 1);
  out[threadIdx.x] = x;
}

// CHECK-LABEL: kernel bisection 256x1x1 (assumed)
__global__ void bisection(int *out, const float *sorted, const float *wanted, int n) {
  int low = 0, high = n;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < wanted[threadIdx.x])
      low = middle + 1;
    else
      high = middle;
  }
  out[threadIdx.x] = low;
}

// CHECK-LABEL: kernel bisection_of_the_block 256x1x1 (assumed)
__global__ void bisection_of_the_block(int *out, const float *__restrict__ sorted, float wanted, int n) {
  int low = 0, high = n;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, -
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    out[blockIdx.x] = low;
}

// CHECK-LABEL: kernel bits_set 256x1x1 (assumed)
__global__ void bits_set(int *out, const unsigned *in) {
  int count = 0;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(bit_width(in[...]), ?)
  for (unsigned x = in[threadIdx.x]; x; x &= x - 1)
    out[count++] += x;
}

// CHECK-LABEL: kernel bits_of_the_index 256x1x1 (assumed)
__global__ void bits_of_the_index(int *out) {
  int count = 0;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, bit_width(threadIdx.x)
  for (unsigned x = threadIdx.x; x; x >>= 1)
    out[count++] += x;
}

// CHECK-LABEL: kernel compare_and_swap 256x1x1 (assumed)
__global__ void compare_and_swap(float *out, const float *in) {
  int *address = (int *)out, old = *address, seen;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  do {
    seen = old;
    old = atomicCAS(address, seen, __float_as_int(__int_as_float(seen) + in[threadIdx.x]));
  } while (old != seen);
}

// CHECK-LABEL: kernel busy_wait 256x1x1 (assumed)
__global__ void busy_wait(int *lock, float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  while (atomicExch(lock, 1))
    ;
  out[0] += threadIdx.x;
  atomicExch(lock, 0);
}

// CHECK-LABEL: kernel work_queue 256x1x1 (assumed)
__global__ void work_queue(float *out, int *next, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = atomicAdd(next, 1); i < n; i = atomicAdd(next, 1))
    out[i] += 1;
}

// CHECK-LABEL: kernel work_queue_of_a_warp 256x1x1 (assumed)
__global__ void work_queue_of_a_warp(float *out, int *next, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, -
  for (;;) {
    int i;
    // CHECK-NEXT: [[#@LINE+1]]: branch (threadIdx.x & 31) == 0
    if (threadIdx.x % 32 == 0)
      i = atomicAdd(next, 32);
    i = __shfl_sync(~0u, i, 0);
    if (i >= n)
      break;
    out[i + threadIdx.x % 32] += 1;
  }
}

// CHECK-LABEL: kernel triangle 256x1x1 (assumed)
__global__ void triangle(float *out, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, max(blockIdx.x * blockDim.x + threadIdx.x, 0)
  for (int j = 0; j < row; ++j)
    out[j] += 1;
}

// CHECK-LABEL: kernel triangle_with_the_diagonal 256x1x1 (assumed)
__global__ void triangle_with_the_diagonal(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.x + 1
  for (int j = 0; j <= threadIdx.x; ++j)
    out[j] += 1;
}

// CHECK-LABEL: kernel escape_time 256x1x1 (assumed)
__global__ void escape_time(int *out, int most) {
  float cx = 0.01f * threadIdx.x, cy = 0.01f * blockIdx.x, x = 0, y = 0;
  int k = 0;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(most, 0), ?), 1 of 2 exits divergent
  for (; k < most && x * x + y * y < 4; ++k) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
  }
  out[threadIdx.x] = k;
}

// CHECK-LABEL: kernel random_bound 256x1x1 (assumed)
__global__ void random_bound(float *out, const unsigned *in) {
  unsigned n = in[threadIdx.x] % 8;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, in[...] & 7
  for (unsigned i = 0; i < n; ++i)
    out[i] += 1;
}
