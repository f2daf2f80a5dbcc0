// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block dimensions that are known from launches in the unit alone: a class that uses them says so,
// unless no other launch is possible; and where another launch is seen, or may be, they aren't
// known.
//
// RUN: %verdicts | FileCheck %s --match-full-lines
//
// RUN: %divcost report %t.json | tr '\n' ' ' | tr -s ' ' | FileCheck --check-prefix=TEXT %s
// TEXT: condition blocks of 32x8x1; if launched only with these dimensions

#define BODY                                                                                       \
  for (int i = 0; i < threadIdx.y; ++i)                                                            \
    out[i] += 1

// CHECK-LABEL: kernel by_name 32x8x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.y (blocks of 32x8x1; if launched only with these dimensions)
__global__ void by_name(float *out) { BODY; }

// What doesn't need them has no condition.
// CHECK-LABEL: kernel not_needed 32x8x1 (launch)
__global__ void not_needed(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: uniform, max(n, 0)
  for (int i = 0; i < n; ++i)
    out[i] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / blockDim.x)
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] += 1;
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.x
  for (int i = 0; i < threadIdx.x; ++i)
    out[i] += 1;
}

// Strided: in blocks of 300x2 lanes would differ by two.
// CHECK-LABEL: kernel strided 256x1x1 (launch)
__global__ void strided(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / 256) (blocks of 256x1x1; if launched only with these dimensions)
  for (int i = threadIdx.x; i < n; i += 256)
    out[i] += 1;
}

// Two of them.
// CHECK-LABEL: kernel two_launches {{.*}} (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.y (blocks of 32x8x1 or 64x4x1; if launched only with these dimensions)
__global__ void two_launches(float *out) { BODY; }

// Nobody else can name it.
// CHECK-LABEL: kernel internal 32x8x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.y (blocks of 32x8x1)
static __global__ void internal(float *out) { BODY; }
namespace {
// CHECK-NEXT: kernel 32x8x1 (launch)
// CHECK-NEXT: in unnamed: warp-uniform, threadIdx.y (blocks of 32x8x1)
__global__ void unnamed(float *out) { BODY; }
struct local_type {};
} // namespace
// ... but its address goes about.
// CHECK-LABEL: kernel internal_escapes 32x8x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y (warp-uniform if blockDim.x is a multiple of 32)
static __global__ void internal_escapes(float *out) { BODY; }

// An instance can be made in any unit, but for one of a type that only this one has.
// CHECK-LABEL: kernel void of_template<int> 32x8x1 (launch)
// CHECK-NEXT: {{.*}}: warp-uniform, threadIdx.y (blocks of 32x8x1; if launched only with these dimensions)
// CHECK-LABEL: kernel void of_template< 32x8x1 (launch)
// CHECK-NEXT: {{.*}}: warp-uniform, threadIdx.y (blocks of 32x8x1)
// CHECK-LABEL: kernel void of_template<long> 32x8x1 (launch)
// CHECK-NEXT: {{.*}}: lane-affine, {{.*}}
template <class T> __global__ void of_template(float *out) { BODY; }

// CUDA's other launches count with their dimensions.
// CHECK-LABEL: kernel by_runtime 32x8x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.y (blocks of 32x8x1; if launched only with these dimensions)
__global__ void by_runtime(float *out) { BODY; }
// CHECK-LABEL: kernel both_ways {{.*}} (launch)
// CHECK-NEXT: [[#@LINE+1]]: strided, threadIdx.y (blocks of 32x8x1 or 16x16x1; if launched only with these dimensions)
__global__ void both_ways(float *out) { BODY; }
// CHECK-LABEL: kernel by_runtime_unknown 32x8x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y (warp-uniform if blockDim.x is a multiple of 32)
__global__ void by_runtime_unknown(float *out) { BODY; }
// CHECK-LABEL: kernel cooperative 32x8x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.y (blocks of 32x8x1; if launched only with these dimensions)
__global__ void cooperative(float *out) { BODY; }
// CHECK-LABEL: kernel void in_template<3> 32x3x1 (launch)
// CHECK-NEXT: {{.*}}: warp-uniform, threadIdx.y (blocks of 32x3x1; if launched only with these dimensions)
template <int N> __global__ void in_template(float *out) { BODY; }

// Configurations.
// CHECK-LABEL: kernel configured 32x8x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.y (blocks of 32x8x1; if launched only with these dimensions)
__global__ void configured(float *out) { BODY; }
// CHECK-LABEL: kernel configured_by_list 64x4x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.y (blocks of 64x4x1; if launched only with these dimensions)
__global__ void configured_by_list(float *out) { BODY; }
// CHECK-LABEL: kernel configured_twice {{.*}} (launch)
// CHECK-NEXT: [[#@LINE+1]]: strided, threadIdx.y (blocks of 32x8x1 or 16x8x1; if launched only with these dimensions)
__global__ void configured_twice(float *out) { BODY; }
// CHECK-LABEL: kernel configured_by_parts 16x16x1 (assumed)
// CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y (warp-uniform if blockDim.x is a multiple of 32)
__global__ void configured_by_parts(float *out) { BODY; }
// CHECK-LABEL: kernel configured_by_others 16x16x1 (assumed)
// CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y (warp-uniform if blockDim.x is a multiple of 32)
__global__ void configured_by_others(float *out) { BODY; }

// What only asks of the kernel launches nothing.
// CHECK-LABEL: kernel asked 32x8x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.y (blocks of 32x8x1; if launched only with these dimensions)
__global__ void asked(float *out) { BODY; }

// Addresses.
// CHECK-LABEL: kernel by_pointer 32x8x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y (warp-uniform if blockDim.x is a multiple of 32)
__global__ void by_pointer(float *out) { BODY; }
// CHECK-LABEL: kernel in_a_table 32x8x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y (warp-uniform if blockDim.x is a multiple of 32)
__global__ void in_a_table(float *out) { BODY; }
// CHECK-LABEL: kernel handed_over 32x8x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y (warp-uniform if blockDim.x is a multiple of 32)
__global__ void handed_over(float *out) { BODY; }
// CHECK-LABEL: kernel an_argument 32x8x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y (warp-uniform if blockDim.x is a multiple of 32)
__global__ void an_argument(float *out) { BODY; }

// Whoever says it is believed.
#pragma divcost launch(block=(32,8))
// CHECK-LABEL: kernel said 32x8x1 (pragma)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.y (blocks of 32x8x1)
__global__ void said(float *out) { BODY; }

void (*kernels[])(float *) = {in_a_table};
void use(void (*kernel)(float *));
void fill(cudaLaunchConfig_t *configuration);
template <void (*Kernel)(float *)> void start(float *out, dim3 block) { Kernel<<<1, block>>>(out); }
template <int N> void launch_in_template(float *out) {
  void *arguments[] = {&out};
  cudaLaunchKernel((const void *)in_template<N>, dim3(1), dim3(32, N), arguments, 0, 0);
}

void run(float *out, int n, dim3 block) {
  dim3 known(32, 8);
  void *arguments[] = {&out};
  by_name<<<1, known>>>(out);
  not_needed<<<1, known>>>(out, n);
  strided<<<1, 256>>>(out, n);
  two_launches<<<1, known>>>(out);
  two_launches<<<1, dim3(64, 4)>>>(out);
  internal<<<1, known>>>(out);
  unnamed<<<1, known>>>(out);
  internal_escapes<<<1, known>>>(out);
  use(internal_escapes);
  of_template<int><<<1, known>>>(out);
  of_template<local_type><<<1, known>>>(out);
  of_template<long><<<1, known>>>(out);
  use(of_template<long>);
  cudaLaunchKernel((void *)by_runtime, 1, known, arguments, 0, 0);
  both_ways<<<1, known>>>(out);
  cudaLaunchKernel((void *)&both_ways, 1, dim3(16, 16), arguments, 0, 0);
  by_runtime_unknown<<<1, known>>>(out);
  cudaLaunchKernel((const void *)by_runtime_unknown, 1, block, arguments, 0, 0);
  cudaLaunchCooperativeKernel((void *)cooperative, 1, known, arguments, 0, 0);
  launch_in_template<3>(out);
  asked<<<1, known>>>(out);
  cudaFuncSetAttribute((const void *)asked, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, (const void *)asked, 256, 0);
  by_pointer<<<1, known>>>(out);
  auto pointer = n ? by_pointer : by_pointer;
  pointer<<<1, block>>>(out);
  in_a_table<<<1, known>>>(out);
  handed_over<<<1, known>>>(out);
  use(handed_over);
  an_argument<<<1, known>>>(out);
  start<an_argument>(out, block);
  said<<<1, known>>>(out);
}

void configure(float *out, dim3 block) {
  void *arguments[] = {&out};
  cudaLaunchConfig_t first = {0};
  first.gridDim = 4;
  first.blockDim = dim3(32, 8);
  first.numAttrs = 0;
  cudaLaunchKernelEx(&first, configured, out);
  const cudaLaunchConfig_t list = {dim3(4), dim3(64, 4)};
  cudaLaunchKernelExC(&list, (const void *)configured_by_list, arguments);
  cudaLaunchConfig_t twice = {};
  twice.blockDim = dim3(32, 8);
  cudaLaunchKernelEx(&twice, configured_twice, out);
  twice.blockDim = dim3(16, 8);
  cudaLaunchKernelEx(&twice, configured_twice, out);
  cudaLaunchConfig_t parts = {dim3(4), dim3(32, 8)};
  parts.blockDim.x = block.x;
  cudaLaunchKernelEx(&parts, configured_by_parts, out);
  cudaLaunchConfig_t others = {dim3(4), dim3(32, 8)};
  fill(&others);
  cudaLaunchKernelEx(&others, configured_by_others, out);
}
