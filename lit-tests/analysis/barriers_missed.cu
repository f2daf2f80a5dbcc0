// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What those threads do that don't come to a barrier: a warning where they still run or wait at
// another one, a remark (barrier-exited) where there is nothing between them and their exit.
//
// RUN: %verdicts | FileCheck %s --match-full-lines --implicit-check-not=barrier

__shared__ int s[256];

// CHECK-LABEL: kernel they_have_returned 256x1x1 (assumed)
__global__ void they_have_returned(const int *in, int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
  if (in[threadIdx.x] <= 0)
    return;
  s[threadIdx.x] = out[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: barrier-exited
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

// The same code.
// CHECK-LABEL: kernel the_whole_rest_is_in_a_branch 256x1x1 (assumed)
__global__ void the_whole_rest_is_in_a_branch(const int *in, int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
  if (in[threadIdx.x] > 0) {
    s[threadIdx.x] = out[threadIdx.x];
    // CHECK-NEXT: [[#@LINE+1]]: barrier-exited
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 1];
  }
}

// CHECK-LABEL: kernel leavers_of_the_loop_return 256x1x1 (assumed)
__global__ void leavers_of_the_loop_return(const int *in, int *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, {{.*}}
  for (int k = 0; k < n; ++k) {
    if (in[k * 256 + threadIdx.x] < 0)
      return;
    s[threadIdx.x] = out[threadIdx.x];
    // CHECK-NEXT: [[#@LINE+1]]: barrier-exited
    __syncthreads();
    out[threadIdx.x + k] = s[threadIdx.x ^ 1];
    // CHECK-NEXT: [[#@LINE+1]]: barrier-exited
    __syncthreads();
  }
}

// CHECK-LABEL: kernel each_its_number_of_rounds 256x1x1 (assumed)
__global__ void each_its_number_of_rounds(const int *in, int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, {{.*}}
  for (int k = 0; k < in[threadIdx.x]; ++k) {
    s[threadIdx.x] = out[threadIdx.x];
    // CHECK-NEXT: [[#@LINE+1]]: barrier-exited
    __syncthreads();
    out[threadIdx.x + k] = s[threadIdx.x ^ 1];
  }
}

// CHECK-LABEL: kernel they_write_and_return 256x1x1 (assumed)
__global__ void they_write_and_return(int *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < n
  if (threadIdx.x >= n) {
    out[threadIdx.x] = 0;
    return;
  }
  // CHECK-NEXT: [[#@LINE+1]]: barrier
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

// CHECK-LABEL: kernel they_loop_and_return 256x1x1 (assumed)
__global__ void they_loop_and_return(int *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < n
  if (threadIdx.x >= n) {
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, {{.*}}
    while (*(volatile int *)out)
      ;
    return;
  }
  // CHECK-NEXT: [[#@LINE+1]]: barrier
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

// CHECK-LABEL: kernel they_begin_the_next_round 256x1x1 (assumed)
__global__ void they_begin_the_next_round(const int *in, int *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int k = 0; k < n; ++k) {
    // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
    if (in[k * 256 + threadIdx.x] < 0)
      continue;
    s[threadIdx.x] = out[threadIdx.x];
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
    out[threadIdx.x + k] = s[threadIdx.x ^ 1];
  }
}

// CHECK-LABEL: kernel both_sides_wait_and_return 256x1x1 (assumed)
__global__ void both_sides_wait_and_return(int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < 5
  if (threadIdx.x < 5) {
    s[threadIdx.x] = 1;
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
    out[threadIdx.x] = s[9];
  } else {
    s[threadIdx.x] = 2;
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
    out[threadIdx.x] = s[10];
  }
}

// CHECK-LABEL: kernel one_side_waits_and_returns_early 256x1x1 (assumed)
__global__ void one_side_waits_and_returns_early(int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < 5
  if (threadIdx.x < 5) {
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
    out[0] = 1;
    return;
  }
  s[threadIdx.x] = 2;
  // CHECK-NEXT: [[#@LINE+1]]: barrier
  __syncthreads();
  out[threadIdx.x] = s[3];
}

// The branch around the loop decides, not the loop's own condition, which is the same for all.
// CHECK-LABEL: kernel a_loop_in_a_branch 256x1x1 (assumed)
__global__ void a_loop_in_a_branch(int *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < n
  if (threadIdx.x < n) {
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
    for (int k = 0; k < n; ++k) {
      s[threadIdx.x] = out[threadIdx.x];
      // CHECK-NEXT: [[#@LINE+1]]: barrier-exited
      __syncthreads();
      out[threadIdx.x + k] = s[threadIdx.x ^ 1];
    }
  }
}

// Threads that trap don't miss anything: the kernel ends.
// CHECK-LABEL: kernel they_trap 256x1x1 (assumed)
__global__ void they_trap(const int *in, int *out) {
  if (in[threadIdx.x] < 0)
    __trap();
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

// CHECK-LABEL: kernel they_trap_in_a_branch 256x1x1 (assumed)
__global__ void they_trap_in_a_branch(const int *in, int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < 7
  if (threadIdx.x < 7) {
    out[threadIdx.x] = 3;
    if (in[threadIdx.x] < 0)
      __trap();
  }
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

// Barriers of some warps are no claim on the others.
// CHECK-LABEL: kernel of_some_warps 256x1x1 (assumed)
__global__ void of_some_warps(int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < 64
  if (threadIdx.x < 64) {
    s[threadIdx.x] = out[threadIdx.x];
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = s[threadIdx.x ^ 1];
  }
  out[threadIdx.x + 256] = 3;
}

// CHECK-LABEL: kernel producers_and_consumers 256x1x1 (assumed)
__global__ void producers_and_consumers(int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < 128
  if (threadIdx.x < 128) {
    s[threadIdx.x] = out[threadIdx.x];
    asm volatile("bar.arrive 1, 256;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 256;" ::: "memory");
    out[threadIdx.x] = s[threadIdx.x - 128];
  }
}

// CHECK-LABEL: kernel of_the_warp_after_a_return 256x1x1 (assumed)
__global__ void of_the_warp_after_a_return(const int *in, int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
  if (in[threadIdx.x] < 0)
    return;
  s[threadIdx.x] = out[threadIdx.x];
  // CHECK-NEXT: [[#@LINE+1]]: barrier-exited
  __syncwarp();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}

// Threads that never leave a function are still running.
__device__ __noinline__ void serve(volatile int *out) {
  for (unsigned i = 0;; ++i)
    out[i & 31] = 1;
}

// CHECK-LABEL: kernel before_an_endless_call 256x1x1 (assumed)
// CHECK-NEXT: in serve: uniform, -
__global__ void before_an_endless_call(const int *in, int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
  if (in[threadIdx.x])
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
  serve(out);
}

// In a loop that nothing leaves warps may wait at different barriers as well.
// CHECK-LABEL: kernel in_endless_rounds 64x1x1 (pragma)
// CHECK-NEXT: [[#@LINE+3]]: uniform, -
#pragma divcost launch(block=(64, 1, 1))
__global__ void in_endless_rounds(volatile int *out) {
  for (unsigned c = 3;; --c) {
    if (threadIdx.x / 32)
      // CHECK-NEXT: [[#@LINE+1]]: barrier
      __syncthreads();
    __syncthreads();
    out[c & 31] = 1;
  }
}

// Nothing leaves the outer loop but what never happens: threads go round to the next barrier.
// CHECK-LABEL: kernel round_and_round {{.*}}
__global__ void round_and_round(unsigned n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, -
  for (unsigned long long i = gridDim.x; i >= 0; --i)
    switch (n & 3) {
    case 0:
      // CHECK-NEXT: [[#@LINE+1]]: lane-affine, {{.*}}
      for (unsigned k = 0; k <= threadIdx.x / 32; ++k)
        // CHECK-NEXT: [[#@LINE+1]]: barrier
        __syncthreads();
      __syncthreads();
      break;
    case 1:
    case 2:
      break;
    }
}
