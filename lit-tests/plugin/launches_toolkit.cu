// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches by CUDA's runtime, with its own headers, in which templates of the same names hand
// kernels on; and with a default stream for each thread, where its functions have other names.
//
// REQUIRES: cuda-toolkit, llvm-22
// RUN: %clang -x cuda -O2 -w -S -o /dev/null --cuda-gpu-arch=sm_90 --cuda-device-only %s \
// RUN:   -fplugin-arg-divcost-report=%t.json
// RUN: %python %S/../analysis/Inputs/verdicts.py %t.json | FileCheck %s --match-full-lines
// RUN: %clang -x cuda -O2 -w -S -o /dev/null --cuda-gpu-arch=sm_90 --cuda-device-only %s \
// RUN:   -fplugin-arg-divcost-report=%t.json -DCUDA_API_PER_THREAD_DEFAULT_STREAM
// RUN: %python %S/../analysis/Inputs/verdicts.py %t.json | FileCheck %s --match-full-lines

#include <cuda_runtime.h>

#define BODY                                                                                       \
  for (int i = 0; i < threadIdx.y; ++i)                                                            \
    out[i] += 1

// CHECK: kernel by_name 32x8x1 (launch)
// CHECK-NEXT: {{.*}}: warp-uniform, {{.*}} (blocks of 32x8x1; if launched only with these dimensions)
__global__ void by_name(float *out) { BODY; }
// CHECK: kernel by_address 32x8x1 (launch)
// CHECK-NEXT: {{.*}}: warp-uniform, {{.*}} (blocks of 32x8x1; if launched only with these dimensions)
__global__ void by_address(float *out) { BODY; }
// CHECK: kernel by_type 32x8x1 (launch)
// CHECK-NEXT: {{.*}}: warp-uniform, {{.*}} (blocks of 32x8x1; if launched only with these dimensions)
__global__ void by_type(float *out) { BODY; }
// CHECK: kernel cooperative 32x8x1 (launch)
// CHECK-NEXT: {{.*}}: warp-uniform, {{.*}} (blocks of 32x8x1; if launched only with these dimensions)
__global__ void cooperative(float *out) { BODY; }
// CHECK: kernel configured 32x8x1 (launch)
// CHECK-NEXT: {{.*}}: warp-uniform, {{.*}} (blocks of 32x8x1; if launched only with these dimensions)
__global__ void configured(float *out) { BODY; }
// CHECK: kernel configured_by_address 32x8x1 (launch)
// CHECK-NEXT: {{.*}}: warp-uniform, {{.*}} (blocks of 32x8x1; if launched only with these dimensions)
__global__ void configured_by_address(float *out) { BODY; }
// CHECK: kernel got 32x8x1 (launch)
// CHECK-NEXT: {{.*}}: lane-affine, {{.*}} (warp-uniform if blockDim.x is a multiple of 32)
__global__ void got(float *out) { BODY; }

void run(float *out, int n) {
  dim3 block(32, 8);
  void *arguments[] = {&out};
  by_name<<<1, block>>>(out);
  cudaFuncSetAttribute(by_name, cudaFuncAttributeMaxDynamicSharedMemorySize, 4096);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, by_name);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, by_name, 256, 0);
  cudaLaunchKernel((void *)by_address, dim3(1), block, arguments, 0, 0);
  cudaLaunchKernel(by_type, dim3(1), block, arguments);
  cudaLaunchCooperativeKernel((void *)cooperative, dim3(1), block, arguments, 0, 0);
  cudaLaunchConfig_t configuration = {0};
  cudaLaunchAttribute attribute[1];
  configuration.gridDim = dim3(4);
  configuration.blockDim = block;
  configuration.attrs = attribute;
  configuration.numAttrs = 0;
  cudaLaunchKernelEx(&configuration, configured, out);
  cudaLaunchKernelExC(&configuration, (const void *)configured_by_address, arguments);
  got<<<1, block>>>(out);
  cudaFunction_t function;
  cudaGetFuncBySymbol(&function, (const void *)got);
}
