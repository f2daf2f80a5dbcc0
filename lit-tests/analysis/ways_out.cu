// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// break, continue, goto, return, switch, several exits, conditions of several parts.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel uniform_break 256x1x1 (assumed)
__global__ void uniform_break(float *out, int n, int m) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, min(max(n, 0), m + 1)
  for (int i = 0; i < n; ++i) {
    out[i] += 1;
    if (i == m)
      break;
    out[i] /= 3;
  }
}

// CHECK-LABEL: kernel divergent_break 256x1x1 (assumed)
__global__ void divergent_break(float *out, const float *in, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
  for (int i = 0; i < n; ++i) {
    out[i] += 1;
    if (in[threadIdx.x + i] > 0)
      break;
  }
  out[0] = 3;
}

// CHECK-LABEL: kernel uniform_break_in_a_divergent_branch 256x1x1 (assumed)
__global__ void uniform_break_in_a_divergent_branch(float *out, const float *in, int n, int m) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
  for (int i = 0; i < n; ++i) {
    // CHECK-NEXT: [[#@LINE+1]]: branch -
    if (in[threadIdx.x + i] > 0) {
      out[i] += 1;
      if (m == 3)
        break;
      out[i] /= 3;
    }
  }
  out[0] = 3;
}

// CHECK-LABEL: kernel divergent_branch_before_a_uniform_break 256x1x1 (assumed)
__global__ void divergent_branch_before_a_uniform_break(float *out, const float *in, int n, int m) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, min(max(n, 0), m + 1)
  for (int i = 0; i < n; ++i) {
    // CHECK-NEXT: [[#@LINE+1]]: branch -
    if (in[threadIdx.x + i] > 0)
      out[i] += 1;
    if (m == i)
      break;
    out[i] /= 3;
  }
  out[0] = 3;
}

// CHECK-LABEL: kernel divergent_return 256x1x1 (assumed)
__global__ void divergent_return(float *out, const float *in, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
  for (int i = 0; i < n; ++i) {
    out[i] += 1;
    if (in[threadIdx.x + i] > 0)
      return;
  }
}

// CHECK-LABEL: kernel count_that_lanes_skip 256x1x1 (assumed)
__global__ void count_that_lanes_skip(float *out, const float *in, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = 0; i < n;) {
    out[i] += 1;
    if (in[threadIdx.x + i] > 0)
      continue;
    ++i;
  }
}

// CHECK-LABEL: kernel loop_by_goto 256x1x1 (assumed)
__global__ void loop_by_goto(float *out, int n) {
  int i = 0;
again:
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n - 1, 0) + 1
  out[i] += 1;
  if (++i < n)
    goto again;
}

// CHECK-LABEL: kernel divergent_loop_by_goto 256x1x1 (assumed)
__global__ void divergent_loop_by_goto(float *out) {
  int i = 0;
again:
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, max(threadIdx.x - 1, 0) + 1
  out[i] += 1;
  if (++i < threadIdx.x)
    goto again;
}

// CHECK-LABEL: kernel a_switch_ends_it 256x1x1 (assumed)
__global__ void a_switch_ends_it(float *out, const int *in) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = 0;; ++i) {
    switch (in[threadIdx.x + i]) {
    case 0:
      out[i] = 1;
      break;
    case 1:
      out[i] /= 2;
      break;
    case 2:
    case 5:
      return;
    default:
      out[i] += 1;
      goto done;
    }
  }
done:
  out[0] = 3;
}

// CHECK-LABEL: kernel a_uniform_switch_ends_it 256x1x1 (assumed)
__global__ void a_uniform_switch_ends_it(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, -
  for (int i = 0;; ++i) {
    switch (n >> (2 * i)) {
    case 0:
      out[i] = 1;
      break;
    case 1:
      out[i] /= 2;
      break;
    default:
      out[i] += 1;
      goto done;
    }
  }
done:
  out[0] = 3;
}

// CHECK-LABEL: kernel both_parts_uniform 256x1x1 (assumed)
__global__ void both_parts_uniform(float *out, int n, int m) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, first i0 with !(i0 < n && i0 * i0 < m)
  for (int i = 0; i < n && i * i < m; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel second_part_divergent 256x1x1 (assumed)
__global__ void second_part_divergent(float *out, const float *in, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
  for (int i = 0; i < n && in[threadIdx.x + i] > 0; ++i)
    out[i] += 1;
  out[0] = 3;
}

// CHECK-LABEL: kernel either_part 256x1x1 (assumed)
__global__ void either_part(float *out, const float *in, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, -
  for (int i = 0; i < n || in[threadIdx.x + i] > 0; ++i)
    out[i] += 1;
  out[0] = 3;
}

// CHECK-LABEL: kernel negated 256x1x1 (assumed)
__global__ void negated(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = 0; !(i >= n); ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel endless_but_for_returns 256x1x1 (assumed)
__global__ void endless_but_for_returns(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, ceil((n + 1) / 3) + 1
  for (int i = 0;; ++i) {
    out[i] += 1;
    if (i * 3 > n)
      return;
  }
}

// CHECK-LABEL: kernel two_divergent_exits 256x1x1 (assumed)
__global__ void two_divergent_exits(float *out, const float *in, int n) {
  int i = 0, how = 0;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 2 of 3 exits divergent
  for (; i < n; ++i) {
    if (in[threadIdx.x + i] > 0) {
      how = 1;
      break;
    }
    out[i] += 1;
    if (in[threadIdx.x + i] < -9) {
      how = 2;
      break;
    }
  }
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ?
  for (int k = 0; k < how; ++k)
    out[k] += 1;
}

// CHECK-LABEL: kernel two_uniform_exits 256x1x1 (assumed)
__global__ void two_uniform_exits(float *out, int n, int m) {
  int i = 0, how = 0;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, min(min(max(n, 0), ceil(100 / m) + 1), 7 - m + 1)
  for (; i < n; ++i) {
    if (i * m > 99) {
      how = 1;
      break;
    }
    out[i] += 1;
    if (i + m == 7) {
      how = 2;
      break;
    }
  }
  // CHECK-NEXT: [[#@LINE+1]]: uniform, ?
  for (int k = 0; k < how; ++k)
    out[k] += 1;
}

// CHECK-LABEL: kernel switch_before_a_loop 256x1x1 (assumed)
__global__ void switch_before_a_loop(float *out) {
  int n;
  // CHECK-NEXT: [[#@LINE+1]]: branch -
  switch (threadIdx.x & 3) {
  case 0:
  case 1:
    n = 4;
    break;
  case 2:
    n = 5;
    break;
  default:
    n = 4;
  }
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ?
  for (int k = 0; k < n; ++k)
    out[k] += 1;
}

// CHECK-LABEL: kernel switch_that_comes_out_the_same 256x1x1 (assumed)
__global__ void switch_that_comes_out_the_same(float *out, int m) {
  int n = m;
  // CHECK-NEXT: [[#@LINE+1]]: branch -
  switch (threadIdx.x & 3) {
  case 0:
    out[3] = 1;
    break;
  case 2:
    out[4] = 1;
    break;
  default:
    out[5] = 1;
  }
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(m, 0)
  for (int k = 0; k < n; ++k)
    out[k] += 1;
}

// A loop made by goto stands where it begins, not where the statement around it does that runs once.
// CHECK-LABEL: kernel goto_loop 256x1x1 (assumed)
__global__ void goto_loop(int *out, int n) {
  do {
    int w = 0;
    out[0] = 1;
  again:
    // CHECK-NEXT: [[#@LINE+1]]: lane-affine, (threadIdx.x & 7) + 1
    out[w] = 2;
    if (w++ < (threadIdx.x & 7))
      goto again;
  } while (n * 0 > 5);
}

// What leads to the exit needn't hold for staying: `c ? stay : true`, which LLVM makes of these
// branches, isn't both.
// CHECK-LABEL: kernel exit_behind_two {{.*}}
__global__ void exit_behind_two(unsigned char n) {
  __shared__ unsigned unset[256];
  unsigned begin = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z) + n;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(blockDim.y - {{.*}} - n, 0), ?)
  for (long long i = begin; i < blockDim.y; ++i) {
    if (i && i + blockIdx.x < n)
      if (blockIdx.x * blockDim.x + threadIdx.x)
        break;
    switch (gridDim.x & 3) {
    case 0:
    case 1: {
      unsigned read = unset[threadIdx.x];
    }
    case 2:;
    }
  }
}

// A cycle that is entered in two places, left in different rounds: out of both loops.
// CHECK-LABEL: kernel out_of_cycle 256x1x1 (assumed)
__global__ void out_of_cycle(int n, const int *__restrict__ p, int *out) {
  int sum = 0;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
  for (int i = 0; i < n; ++i) {
    int rounds = 0;
    if (n <= blockDim.x)
      goto inside;
  again:
    sum = sum * 3 + 1;
    if (n < 35)
      goto done;
  inside:
    sum = sum * 5 + i;
    if (rounds++ < p[threadIdx.x])
      goto again;
  }
  sum += 1;
done:
  out[threadIdx.x] = sum;
}
