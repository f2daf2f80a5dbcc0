// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose lanes idle whatever their data are: with blocks that don't fill their warps, or in
// several places. The same is said with a report and without.
//
// RUN: %clang %cuda -fsyntax-only %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-report=%t.json 2>&1 \
// RUN:   | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -fsyntax-only -Werror %s -fplugin-arg-divcost-no-warn=efficiency,branch

// CHECK: efficiency.cu:[[# @LINE + 1]]:17: warning: at least 97% of the lanes of kernel 'one(int*, int)' idle, whatever its data are: blocks of 1x1x1 threads are smaller than a warp of 32 [divcost-efficiency]
__global__ void one(int *data, int n) {
  for (int i = 1; i < n; ++i)
    data[i] += data[i - 1];
}

// The worst of its launches counts.
// CHECK: efficiency.cu:[[# @LINE + 1]]:17: warning: at least 75% of the lanes of kernel 'few(int*, int)' idle, {{.*}}: blocks of 4x2x1 threads are smaller than a warp of 32 [divcost-efficiency]
__global__ void few(int *data, int n) {
  for (int i = 0; i < n; ++i)
    data[i] += threadIdx.x;
}

// CHECK: efficiency.cu:{{[0-9]+}}:3: note: kernel 'few(int*, int)' is estimated for sm_{{[0-9]+}} and blocks of 4x2x1 threads (as launched here)

// Both of its warps run as long.
// CHECK: efficiency.cu:[[# @LINE + 1]]:17: warning: at least 38% of the lanes of kernel 'rest(int*, int)' idle, {{.*}}: blocks of 40x1x1 threads are no multiple of a warp of 32 [divcost-efficiency]
__global__ void rest(int *data, int n) {
  for (int i = 0; i < n; ++i)
    data[threadIdx.x + i] += 1;
}

// Here the warp that isn't full may have nothing to do.
__global__ void rest_by_warp(int *data, int n) {
  for (int i = 0; i < (threadIdx.x < 32 ? n : 0); ++i)
    data[threadIdx.x + i] += 1;
}

__global__ void full(int *data, int n) {
  for (int i = 0; i < n; ++i)
    data[threadIdx.x + i] += 1;
}

// One lane works, the others wait.
// CHECK: efficiency.cu:[[# @LINE + 1]]:17: warning: at least {{[3-9][0-9]}}% of the lanes of kernel 'phase(int*, int)' idle, whatever its data are; an expected {{[0-9]+}}% at the branch in line [[# @LINE + 2]] [divcost-efficiency]
__global__ void phase(int *data, int n) {
  if (threadIdx.x == 0)
    for (int i = 1; i < 100; ++i)
      data[i] += data[i - 1];
}

// Where the flag is never set no lane idles: that isn't "at least".
__global__ void phase_by_flag(int *data, const int *flag) {
  if (flag[blockIdx.x] > 7) {
    // CHECK: efficiency.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of a warp part here, by their index: {{.*}}% of the kernel's issue slots idle (assumed: which way the kernel's other branches go) [divcost-branch]
    if (threadIdx.x == 0)
      for (int i = 1; i < 100; ++i)
        data[i] += data[i - 1];
    data[threadIdx.x + 100] = 0;
  }
}

// CHECK: efficiency.cu:[[# @LINE + 1]]:17: warning: at least 97% of the lanes of kernel 'without_loop(int*)' idle, {{.*}} [divcost-efficiency]
__global__ void without_loop(int *data) { data[threadIdx.x] = 0; }

__global__ void phase_of_unknown_length(int *data, int n) {
  // CHECK: efficiency.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of a warp part here, by their index: {{.*}} [divcost-branch]
  if (threadIdx.x == 0)
    for (int i = 1; i < n; ++i)
      data[i] += data[i - 1];
}

// Beside a launch of many, one thread is a warm-up.
__global__ void warmed_up(int *data, int n) {
  for (int i = 0; i < n; ++i)
    data[i] += threadIdx.x;
}
__global__ void checked(int *data, int n) {
  for (int i = 0; i < n; ++i)
    data[i] += threadIdx.x;
}

void launch(int *data, int n) {
  warmed_up<<<1, 1>>>(data, 0);
  warmed_up<<<n, 2 * n>>>(data, n);
  checked<<<64, 256>>>(data, n);
  checked<<<1, 1>>>(data, n);
  one<<<1, 1>>>(data, n);
  few<<<n, 256>>>(data, n);
  few<<<n, dim3(4, 2)>>>(data, n);
  rest<<<1, 40>>>(data, n);
  rest_by_warp<<<1, 40>>>(data, n);
  full<<<n, 64>>>(data, n);
  phase<<<1, 64>>>(data, n);
  phase_by_flag<<<1, 64>>>(data, data + 1000);
  phase_of_unknown_length<<<1, 64>>>(data, n);
  without_loop<<<1, 1>>>(data);
}
