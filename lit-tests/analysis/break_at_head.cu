// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An iteration that a break at the head of the body ends counts; one that the loop's condition ends
// doesn't. Optimisers fold the two tests into one.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel condition_then_break 256x1x1 (assumed)
__global__ void condition_then_break(int *out, int n) {
  const int t = threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, min(ceil(n / 2), ceil(threadIdx.x / 2) + 1), 1 of 2 exits divergent
  for (int i = 0; i < n; i += 2) {
    if (i >= t)
      break;
    out[t] += i;
  }
}

// CHECK-LABEL: kernel one_condition_of_two_parts 256x1x1 (assumed)
__global__ void one_condition_of_two_parts(int *out, int n) {
  const int t = threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, {{ceil\(min\(n, threadIdx.x\) / 2\)|min\(ceil\(n / 2\), ceil\(threadIdx.x / 2\)\)}}
  for (int i = 0; i < n && i < t; i += 2)
    out[t] += i;
}

// What a lane leaves by at once is no count of 0: its first iteration has begun.
// CHECK-LABEL: kernel lanes_that_never_stay 256x1x1 (assumed)
__global__ void lanes_that_never_stay(int *out, int n, int k) {
  const int t = threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(ceil(n / 2), ?), 1 of 2 exits divergent
  for (int i = 0; i < n; i += 2) {
    if (t > k)
      break;
    out[t] += i;
  }
}

__device__ int first(const int *in, int n, int k) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i >= k)
      break;
    sum += in[i];
  }
  return sum;
}

// CHECK-LABEL: kernel inlined 256x1x1 (assumed)
__global__ void inlined(int *out, int n, int k) {
  // CHECK-NEXT: in first: lane-affine, min(max(n, 0), threadIdx.x + 1), 1 of 2 exits divergent
  // CHECK-NEXT: in first: uniform, min(max(n, 0), max(k, 0) + 1)
  out[threadIdx.x] = first(out, n, k) + first(out + 9, n, threadIdx.x);
}

// CHECK-LABEL: kernel no_condition 256x1x1 (assumed)
__global__ void no_condition(int *out, int n) {
  int i = 0;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, {{max\(min\(n, threadIdx.x\), 0\)|min\(max\(n, 0\), threadIdx.x\)}} + 1
  while (true) {
    if (i >= n)
      break;
    if (i >= (int)threadIdx.x)
      return;
    out[threadIdx.x] += i++;
  }
}

// CHECK-LABEL: kernel behind_the_body 256x1x1 (assumed)
__global__ void behind_the_body(int *out, int n) {
  int i = 0;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, min(max(n, 0) + 1, max(threadIdx.x - 1, 0) + 1), 1 of 2 exits divergent
  do {
    if (i >= n)
      break;
    out[threadIdx.x] += i++;
  } while (i < (int)threadIdx.x);
}

// CHECK-LABEL: kernel inner 256x1x1 (assumed)
__global__ void inner(int *out, int n) {
  // CHECK-NEXT: [[#@LINE+2]]: uniform, min(max(n, 0), n / 2 + 1)
  // CHECK-NEXT: [[#@LINE+2]]: lane-affine, min(i0, threadIdx.x + 1), 1 of 2 exits divergent
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      if (j == (int)threadIdx.x)
        break;
      out[j] += i;
    }
    if (i == n / 2)
      break;
  }
}

// LLVM would fold the break with the condition of the next iteration, and leave the condition of the
// first one in front of the loop: lanes with v == 0 run no iteration of it, and the others k + 1.
// CHECK-LABEL: kernel break_at_tail 256x1x1 (assumed)
__global__ void break_at_tail(int *out, int k) {
  int v = threadIdx.x & 3, l = 0;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(k, 0) + 1, ?), 1 of 2 exits divergent
  while (v > 0) {
    out[l] = v;
    if (l++ >= k)
      break;
  }
}

// Behind a "continue" that leaves the scope of a variable clang branches back without the loop's id.
// CHECK-LABEL: kernel continue_at_end 256x1x1 (assumed)
__global__ void continue_at_end(int *out, int n) {
  int w = 0;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, min(?, 2)
  while (n) {
    if (w++)
      break;
    int m = __activemask();
    out[m] = 1;
    continue;
  }
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, -
  for (;;) {
    int x = out[n];
    if (x == 3) {
      out[n + 1] = 2;
      continue;
    }
    if (x != 4)
      break;
    ++n;
    continue;
  }
}

// A loop that is made by goto in such a loop isn't the statement's.
// CHECK-LABEL: kernel goto_in_for 256x1x1 (assumed)
__global__ void goto_in_for(int *out, int n) {
  for (int i = 0; i < n; ++i) {
  again:
    // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, -
    int x = out[n];
    if (x) {
      int y = 3 * x;
      out[n + y + 1] = y;
      n = out[n + y];
      goto again;
    }
    break;
  }
}
