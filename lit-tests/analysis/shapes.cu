// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the launches in the unit say about threadIdx.y and threadIdx.x / 32.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

#define BODY(bound)                                                                                \
  for (int i = 0; i < (int)(bound); ++i)                                                           \
    out[i] += 1

// CHECK-LABEL: kernel y_in_8x4 8x4x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y
__global__ void y_in_8x4(float *out) { BODY(threadIdx.y); }

// CHECK-LABEL: kernel y_in_16x16 16x16x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: strided, threadIdx.y
__global__ void y_in_16x16(float *out) { BODY(threadIdx.y); }

// CHECK-LABEL: kernel y_in_32x8 32x8x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.y (blocks of 32x8x1)
__global__ void y_in_32x8(float *out) { BODY(threadIdx.y); }

// CHECK-LABEL: kernel y_in_64x4 64x4x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.y (blocks of 64x4x1)
__global__ void y_in_64x4(float *out) { BODY(threadIdx.y); }

// CHECK-LABEL: kernel y_in_256 256x1x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: uniform, threadIdx.y + 3 (blocks of 256x1x1)
__global__ void y_in_256(float *out) { BODY(threadIdx.y + 3); }

// CHECK-LABEL: kernel z_in_8x4x4 8x4x4 (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.z (blocks of 8x4x4)
__global__ void z_in_8x4x4(float *out) { BODY(threadIdx.z); }

// CHECK-LABEL: kernel z_in_8x2x4 8x2x4 (launch)
// CHECK-NEXT: [[#@LINE+1]]: strided, threadIdx.z
__global__ void z_in_8x2x4(float *out) { BODY(threadIdx.z); }

// CHECK-LABEL: kernel x_in_1x256 1x256x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: uniform, threadIdx.x + 2 (blocks of 1x256x1)
__global__ void x_in_1x256(float *out) { BODY(threadIdx.x + 2); }

// CHECK-LABEL: kernel warp_in_48x2 48x2x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: strided, threadIdx.x >> 5
__global__ void warp_in_48x2(float *out) { BODY(threadIdx.x / 32); }

// CHECK-LABEL: kernel warp_in_64x2 64x2x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.x >> 5 (blocks of 64x2x1)
__global__ void warp_in_64x2(float *out) { BODY(threadIdx.x / 32); }

// CHECK-LABEL: kernel warp_in_100 100x1x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.x >> 5 (blocks of 100x1x1)
__global__ void warp_in_100(float *out) { BODY(threadIdx.x >> 5); }

// CHECK-LABEL: kernel half_warp_in_128 128x1x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: strided, threadIdx.x >> 4
__global__ void half_warp_in_128(float *out) { BODY(threadIdx.x / 16); }

// CHECK-LABEL: kernel two_warps_in_128 128x1x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.x & 960 (blocks of 128x1x1)
__global__ void two_warps_in_128(float *out) { BODY(threadIdx.x & ~63); }

// CHECK-LABEL: kernel linear_in_48x2 48x2x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: warp-uniform, threadIdx.y * blockDim.x + threadIdx.x >> 5 (blocks of 48x2x1)
__global__ void linear_in_48x2(float *out) { BODY((threadIdx.y * blockDim.x + threadIdx.x) / 32); }

// CHECK-LABEL: kernel global_warp_in_128 128x1x1 (launch)
__global__ void global_warp_in_128(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, blockIdx.x * blockDim.x + threadIdx.x >> 5 (blocks of 128x1x1)
  BODY((blockIdx.x * blockDim.x + threadIdx.x) / 32);
}

// The first warp of block 1 holds the threads 100 to 131 of the grid: 3 and 4 by 32.
// CHECK-LABEL: kernel global_warp_in_100 100x1x1 (launch)
__global__ void global_warp_in_100(float *out) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, blockIdx.x * blockDim.x + threadIdx.x >> 5
  BODY((blockIdx.x * blockDim.x + threadIdx.x) / 32);
}

// CHECK-LABEL: kernel shifted_warp_in_128 128x1x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: strided, threadIdx.x + 16 >> 5
__global__ void shifted_warp_in_128(float *out) { BODY((threadIdx.x + 16) / 32); }

// CHECK-LABEL: kernel y_in_32x8_and_8x32 8x32x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y
__global__ void y_in_32x8_and_8x32(float *out) { BODY(threadIdx.y); }

// CHECK-LABEL: kernel y_in_an_unknown_block_too 32x8x1 (launch)
// CHECK-NEXT: [[#@LINE+1]]: lane-affine, threadIdx.y (warp-uniform if blockDim.x is a multiple of 32)
__global__ void y_in_an_unknown_block_too(float *out) { BODY(threadIdx.y); }

// CHECK-LABEL: kernel below_64_in_128 128x1x1 (launch)
__global__ void below_64_in_128(float *out, const int *in) {
  if (threadIdx.x < 64) {
    int n = *in;
    // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(in[...], 0) (blocks of 128x1x1)
    BODY(n);
  }
  out[9] = 0;
}

// CHECK-LABEL: kernel below_48_in_128 128x1x1 (launch)
__global__ void below_48_in_128(float *out, const int *in) {
  // CHECK-NEXT: [[#@LINE+1]]: branch threadIdx.x < 48
  if (threadIdx.x < 48) {
    int n = *in;
    // CHECK-NEXT: [[#@LINE+1]]: data-dependent, max(in[...], 0)
    BODY(n);
  }
  out[9] = 0;
}

// CHECK-LABEL: kernel second_warp_in_128 128x1x1 (launch)
__global__ void second_warp_in_128(float *out, const int *in) {
  if (threadIdx.x / 32 == 1) {
    int n = *in;
    // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, max(in[...], 0) (blocks of 128x1x1)
    BODY(n);
  }
  out[9] = 0;
}

void launch_all(float *out, const int *in, int n, dim3 from_outside) {
  dim3 block(32, 8);
  y_in_8x4<<<n, dim3(8, 4)>>>(out);
  y_in_16x16<<<n, dim3(16, 16)>>>(out);
  y_in_32x8<<<n, block>>>(out);
  y_in_64x4<<<n, dim3(64, 4)>>>(out);
  y_in_256<<<n, 256>>>(out);
  z_in_8x4x4<<<n, dim3(8, 4, 4)>>>(out);
  z_in_8x2x4<<<n, dim3(8, 2, 4)>>>(out);
  x_in_1x256<<<n, dim3(1, 256)>>>(out);
  warp_in_48x2<<<n, dim3(48, 2)>>>(out);
  warp_in_64x2<<<n, dim3(64, 2)>>>(out);
  warp_in_100<<<n, 100>>>(out);
  half_warp_in_128<<<n, 128>>>(out);
  two_warps_in_128<<<n, 128>>>(out);
  linear_in_48x2<<<n, dim3(48, 2)>>>(out);
  global_warp_in_128<<<n, 128>>>(out);
  global_warp_in_100<<<n, 100>>>(out);
  shifted_warp_in_128<<<n, 128>>>(out);
  y_in_32x8_and_8x32<<<n, dim3(32, 8)>>>(out);
  y_in_32x8_and_8x32<<<n, dim3(8, 32)>>>(out);
  y_in_an_unknown_block_too<<<n, dim3(32, 8)>>>(out);
  y_in_an_unknown_block_too<<<n, from_outside>>>(out);
  below_64_in_128<<<n, 128>>>(out, in);
  below_48_in_128<<<n, 128>>>(out, in);
  second_warp_in_128<<<n, 128>>>(out, in);
}

// One trip in the first blocks, none in the last: the same in a block, not in the grid.
// CHECK-LABEL: kernel one_block_is_not_all 32x1x1 (launch)
__global__ void one_block_is_not_all(float *out) {
  if (threadIdx.x < 8) {
    int k = threadIdx.x;
    // CHECK-NOT: [[#@LINE+1]]: uniform
    for (int i = k + blockIdx.x * 8; k < 8 && i < 512; k += 8, i += 8)
      out[i] += 1;
  }
}

void launch_one_block_is_not_all(float *out) { one_block_is_not_all<<<66, 32>>>(out); }
