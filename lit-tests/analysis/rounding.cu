// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds that are padded to what a block covers, and positions that are rounded to it, are the same
// for all threads of the block: their loops have barriers that nobody misses.
//
// RUN: %verdicts | FileCheck %s --match-full-lines --implicit-check-not=barrier

__shared__ float s[512];

// CHECK-LABEL: kernel padded 512x1x1 (pragma)
#pragma divcost launch(block=512)
__global__ void padded(const float *in, float *out, unsigned n) {
  unsigned end = (n + 511) / 512 * 512;
  // CHECK: {{.*}}: uniform, {{.*}} (blocks of 512x1x1)
  for (unsigned j = threadIdx.x; j < end; j += 512) {
    s[threadIdx.x] = in[j];
    __syncthreads();
    out[j] = s[511 - threadIdx.x];
    __syncthreads();
  }
}

// CHECK-LABEL: kernel padded_and_signed 512x1x1 (pragma)
#pragma divcost launch(block=512)
__global__ void padded_and_signed(const float *in, float *out, int n) {
  int end = (n + 511) / 512 * 512;
  // CHECK: {{.*}}: uniform, {{.*}} (blocks of 512x1x1)
  for (int j = threadIdx.x; j < end; j += 512) {
    s[threadIdx.x] = in[j];
    __syncthreads();
    out[j] = s[511 - threadIdx.x];
  }
}

// CHECK-LABEL: kernel padded_to_the_block 256x1x1 (assumed)
__global__ void padded_to_the_block(const float *in, float *out, unsigned n) {
  unsigned end = (n + blockDim.x - 1) / blockDim.x * blockDim.x;
  // CHECK: {{.*}}: uniform, {{.*}} (if the thread's index in the grid fits its type)
  for (unsigned j = threadIdx.x; j < end; j += blockDim.x) {
    s[threadIdx.x] = in[j];
    __syncthreads();
    out[j] = s[0];
  }
}

// CHECK-LABEL: kernel padded_otherwise 256x1x1 (assumed)
__global__ void padded_otherwise(const float *in, float *out, unsigned n) {
  unsigned end = n + (blockDim.x - n % blockDim.x);
  // CHECK: {{.*}}: uniform, {{.*}} (if the thread's index in the grid fits its type)
  for (unsigned j = threadIdx.x; j < end; j += blockDim.x) {
    s[threadIdx.x] = in[j];
    __syncthreads();
    out[j] = s[0];
  }
}

// The threads cover two steps.
// CHECK-LABEL: kernel padded_to_half_a_block 512x1x1 (pragma)
#pragma divcost launch(block=512)
__global__ void padded_to_half_a_block(const float *in, float *out, unsigned n) {
  unsigned end = (n + 255) / 256 * 256;
  // CHECK: {{.*}}: {{strided|warp-uniform}}, {{.*}}
  for (unsigned j = threadIdx.x; j < end; j += 256) {
    s[threadIdx.x] = in[j];
    // CHECK: {{.*}}: barrier
    __syncthreads();
    out[j] = s[511 - threadIdx.x];
  }
  out[n] = 2;
}

// CHECK-LABEL: kernel padded_to_half_a_step 512x1x1 (pragma)
#pragma divcost launch(block=512)
__global__ void padded_to_half_a_step(const float *in, float *out, unsigned n) {
  unsigned end = (n + 255) / 256 * 256;
  // CHECK: {{.*}}: {{strided|warp-uniform}}, {{.*}}
  for (unsigned j = threadIdx.x; j < end; j += 512) {
    s[threadIdx.x] = in[j];
    // CHECK: {{.*}}: barrier
    __syncthreads();
    out[j] = s[511 - threadIdx.x];
  }
  out[n] = 2;
}

// CHECK-LABEL: kernel in_another_dimension 16x16x1 (assumed)
__global__ void in_another_dimension(const float *in, float *out, unsigned n) {
  unsigned end = (n + blockDim.y - 1) / blockDim.y * blockDim.y;
  // CHECK: {{.*}}: {{strided|lane-affine}}, {{.*}}
  for (unsigned j = threadIdx.x; j < end; j += blockDim.y) {
    s[threadIdx.x] = in[j + threadIdx.y];
    // CHECK: {{.*}}: barrier
    __syncthreads();
    out[j] = s[0];
  }
  out[n] = 2;
}

// CHECK-LABEL: kernel rounded 256x1x1 (assumed)
__global__ void rounded(const float *in, float *out, int n) {
  int size = blockDim.x, at = threadIdx.x;
  // CHECK: {{.*}}: uniform, {{.*}} (if the thread's index in the grid fits its type)
  do {
    s[threadIdx.x] = at < n ? in[at] : 0;
    at += size;
    __syncthreads();
    out[at] = s[255 - threadIdx.x];
    __syncthreads();
  } while (at / size * size < n);
}

// CHECK-LABEL: kernel without_the_remainder 96x1x1 (pragma)
#pragma divcost launch(block=96)
__global__ void without_the_remainder(const float *in, float *out, int n) {
  // CHECK: {{.*}}: block-uniform, {{.*}} (blocks of 96x1x1; if the thread's index in the grid fits its type)
  for (int at = blockIdx.x * 96 + threadIdx.x; at - at % 96 < n; at += 96 * gridDim.x) {
    s[threadIdx.x] = in[at];
    __syncthreads();
    out[at] = s[95 - threadIdx.x];
    __syncthreads();
  }
}

// CHECK-LABEL: kernel the_blocks_part 128x1x1 (pragma)
#pragma divcost launch(block=128)
__global__ void the_blocks_part(const float *in, float *out, unsigned first, unsigned n) {
  unsigned at = first * 128 + threadIdx.x;
  if (at / 128 < n) {
    s[threadIdx.x] = in[at];
    __syncthreads();
    out[at] = s[127 - threadIdx.x];
  }
  if (at < 128 * n)
    __syncthreads();
  out[at + 1] = s[threadIdx.x ^ 1];
}

// For numbers below 0 a quotient is rounded up: -1 / 128 is 0.
// CHECK-LABEL: kernel perhaps_below_zero 128x1x1 (pragma)
#pragma divcost launch(block=128)
__global__ void perhaps_below_zero(const float *in, float *out, int first, int n) {
  int at = first * 128 + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
  if (at / 128 < n) {
    s[threadIdx.x] = in[at];
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
    out[at] = s[127 - threadIdx.x];
  }
  out[at + 1] = s[threadIdx.x ^ 1];
}

// CHECK-LABEL: kernel begun_in_between 128x1x1 (pragma)
#pragma divcost launch(block=128)
__global__ void begun_in_between(const float *in, float *out, unsigned first, unsigned n) {
  unsigned at = first + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
  if (at / 128 < n)
    // CHECK-NEXT: [[#@LINE+1]]: barrier
    __syncthreads();
  out[at + 1] = s[threadIdx.x ^ 1];
}

// Whole warps have the same count: the bound is a multiple of 32, and so is the step.
// CHECK-LABEL: kernel down_to_warps 128x1x1 (pragma)
#pragma divcost launch(block=128)
__global__ void down_to_warps(const float *in, float *out, long n) {
  long limit = n - n % 32;
  // CHECK-NEXT: [[#@LINE+1]]: warp-uniform, ceil((n - n % 32 - threadIdx.x) / blockDim.x) {{.*}}
  for (long i = threadIdx.x; i < limit; i += blockDim.x) {
    out[i] = in[i];
    __syncwarp();
  }
  // CHECK-NEXT: [[#@LINE+1]]: strided, {{.*}}
  for (long i = threadIdx.x; i < n - n % 48; i += blockDim.x)
    out[i] = in[i];
}
