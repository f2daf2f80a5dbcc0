// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that are joined by && are one branch where the second one may be made in vain, as nvcc has it.
//
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-report=%t.json 2>&1 | FileCheck --check-prefix=WARNINGS --allow-empty %s
// RUN: FileCheck %s < %t.json
// RUN: %divcost emulate %t.json --kernel "flagged(" --block 32 --seed 1 > %t.runs
// RUN: %divcost emulate %t.json --kernel "flagged(" --block 32 --seed 2 >> %t.runs
// RUN: %divcost emulate %t.json --kernel "flagged(" --block 32 --seed 3 >> %t.runs
// RUN: %divcost emulate %t.json --kernel "flagged(" --block 32 --seed 4 >> %t.runs
// RUN: grep "block 1$" %t.runs | sort -u | FileCheck --check-prefix=RUNS %s

// A reduction of the textbooks: the sum is predicated, its tests aren't two branches.
// WARNINGS-NOT: in_tree
// CHECK-LABEL: "name": "in_tree(
// CHECK: "expected_efficiency": {"low": 0.990{{[0-9]*}}, "high": 0.997{{[0-9]*}}}
// CHECK: "condition": "{{.*}} == 0 && threadIdx.x + {{.*}} < blockDim.x"
__global__ void in_tree(const float *in, float *out, int n) {
  __shared__ float part[256];
  unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  part[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
    if (t % (2 * stride) == 0 && t + stride < blockDim.x)
      part[t] += part[t + stride];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = part[0];
}
void run_in_tree(const float *in, float *out, int n) {
  in_tree<<<(n + 255) / 256, 256>>>(in, out, n);
}

// The ends of a loop stay apart: each bounds it.
// CHECK-LABEL: "name": "ends(
// CHECK: "expr": "ceil((min(n, m) - threadIdx.x) / blockDim.x)"
__global__ void ends(int *out, int n, int m) {
  for (int i = threadIdx.x; i < n && i < m; i += blockDim.x)
    out[i] = i / (i + 3);
}

// A load may fail where the first test doesn't hold, so the tests stay apart.
// CHECK-LABEL: "name": "loads(
// CHECK: "condition": "threadIdx.x < n"{{$}}
__global__ void loads(const int *x, int *out, int n) {
  if (threadIdx.x < n && x[threadIdx.x] > 0)
    for (int j = 0; j < 100; ++j)
      out[j] = out[j + 1] / (j + 7);
}

// Nobody knows the flag, but it is the same for all: 5 lanes go, or none.
// RUNS: 1 1 5 0.1562 0 block 1
// RUNS-NOT: block
// CHECK-LABEL: "name": "flagged(
// CHECK: "condition": "flag[...] == 1 && threadIdx.x < 5"
__global__ void flagged(const int *flag, int *out) {
  if (flag[0] == 1 && threadIdx.x < 5)
    for (int j = 0; j < 100; ++j)
      out[j] = out[j + 1] / (j + 7);
}
