// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A condition that is the same for all lanes ends a loop for those alone that come to it.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel where_some_are 256x1x1 (assumed)
__global__ void where_some_are(int *out, int n, int flag) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
  for (int i = 0; i < n; ++i) {
    // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
    if (threadIdx.x < 5) {
      out[i] = 1;
      if (flag == i)
        return;
    }
    out[i + 1] += 1;
  }
}

// CHECK-LABEL: kernel where_others_have_left 256x1x1 (assumed)
__global__ void where_others_have_left(int *out, int n, int flag) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
  for (int i = 0; i < n; ++i)
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 2 of 3 exits divergent
    for (int j = 0; j < n; ++j) {
      if (out[threadIdx.x])
        break;
      out[i] = 1;
      if (flag == i)
        return;
    }
}

// CHECK-LABEL: kernel where_all_are 256x1x1 (assumed)
__global__ void where_all_are(int *out, int n, int flag) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, min(max(n, 0), flag + 1)
  for (int i = 0; i < n; ++i) {
    // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
    if (threadIdx.x < 5)
      out[i] = 1;
    if (flag == i)
      return;
    out[i + 1] += 1;
  }
}

// The end of a loop may be that of the kernel: who is in it leaves it together.
// CHECK-LABEL: kernel at_the_end 256x1x1 (assumed)
__global__ void at_the_end(int *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
  if (threadIdx.x < 16) {
    // CHECK-NEXT: [[#@LINE+1]]: uniform, 16
    for (int i = 0; i < 16; ++i)
      out[i * n] += 1;
  } else {
    // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
    for (int i = 0; i < n; ++i)
      out[i + n] += 2;
  }
}

// The same for a way out of a scope with variables, which clang writes as a number and a switch.
// CHECK-LABEL: kernel out_of_a_scope 256x1x1 (assumed)
__global__ void out_of_a_scope(int *out, int n, int flag) {
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, min(max(n, 0), ?)
  for (int i = 0; i < n; ++i) {
    int local[4];
    local[flag & 3] = i;
    out[0] = local[n & 3];
    if (flag == out[n])
      break;
    // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
    if (threadIdx.x == 0)
      out[i] = 2;
    if (out[i + n] == 5)
      continue;
    out[i + 1] += 1;
  }
}

// What lanes leave behind that go on is the same in all of them: those that found something are gone.
// CHECK-LABEL: kernel found_and_done 256x1x1 (assumed)
__global__ void found_and_done(int *out, const int *__restrict__ p, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
  for (int a = 0; a < n; ++a) {
    int steps = 1;
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
    for (int b = 0; b < n; ++b) {
      if (p[threadIdx.x + b] == a) {
        out[threadIdx.x] = b;
        goto done;
      }
      steps = steps * 5 & 63;
    }
    // CHECK-NEXT: [[#@LINE+1]]: uniform, ?
    for (int c = 0; c < steps; ++c)
      out[threadIdx.x + c * 32] += a;
  }
done:
  out[threadIdx.x] += 4;
}

// But what is the same in those that left by one exit isn't where they meet the others.
// CHECK-LABEL: kernel found_and_met 256x1x1 (assumed)
__global__ void found_and_met(int *out, const int *__restrict__ p, int n) {
  int steps = 1;
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, min(max(n, 0), ?), 1 of 2 exits divergent
  for (int b = 0; b < n; ++b) {
    if (p[threadIdx.x + b] == 0) {
      out[threadIdx.x] = b;
      break;
    }
    steps = steps * 5 & 63;
  }
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ?
  for (int c = 0; c < steps; ++c)
    out[threadIdx.x + c * 32] += n;
}

// A way out of two loops is taken by all, if the lanes are together in the inner one.
// CHECK-LABEL: kernel out_of_two 256x1x1 (assumed)
__global__ void out_of_two(int n1, int n2, unsigned *out) {
  unsigned sum = 0, bound = gridDim.x;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, {{.*}} (if neither {{.*}} wraps)
  for (;;) {
    __syncthreads_count(min(blockDim.x & 7, 5u) > bound);
    if (n2 == n1)
      break;
    // CHECK-NEXT: [[#@LINE+1]]: uniform, min(max(n2, 0), ?) (if neither {{.*}} wraps)
    for (int i = 0; i < n2; ++i) {
      unsigned start = (unsigned)((int)threadIdx.x + (n1 - 3) + 25);
      // CHECK-NEXT: [[#@LINE+1]]: uniform, 0 (if neither {{.*}} wraps)
      for (unsigned k = start; k < (unsigned)(n1 - 3 + (int)threadIdx.x); ++k) {
        sum = sum * 5 + k;
        if (blockDim.x - gridDim.x <= n2) {
          out[threadIdx.x] = sum;
          return;
        }
      }
    }
    if (bound > min(blockDim.y + n2, 40u))
      break;
    bound += 2;
  }
  out[threadIdx.x] = sum;
}

// Who is asked for his mask has gone another way than lanes that are still on their way out.
// CHECK-LABEL: kernel gone_another_way 256x1x1 (assumed)
__global__ void gone_another_way(unsigned *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch 4 < threadIdx.x
  if (threadIdx.x > 4) {
    int active = __popc(__activemask());
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ?
    for (int i = 0; i < active; ++i)
      out[i] = out[i] * 5 + 1;
    return;
  }
  out[threadIdx.x] = __activemask();
}

// CHECK-LABEL: kernel gone_at_once 256x1x1 (assumed)
__global__ void gone_at_once(unsigned *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
  if (threadIdx.x + blockIdx.x * 256 >= n)
    return;
  int active = __popc(__activemask());
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, ?
  for (int i = 0; i < active; ++i)
    out[i] = out[i] * 5 + 1;
}
