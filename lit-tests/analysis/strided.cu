// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops in which the lanes start side by side and step together, in all their forms.
//
// RUN: %verdicts | FileCheck %s --match-full-lines

// CHECK-LABEL: kernel grid_stride 256x1x1 (assumed)
__global__ void grid_stride(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - (blockIdx.x * blockDim.x + threadIdx.x)) / (gridDim.x * blockDim.x))
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] += 1;
}

// CHECK-LABEL: kernel grid_stride_unsigned 256x1x1 (assumed)
__global__ void grid_stride_unsigned(float *out, unsigned n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - (blockIdx.x * blockDim.x + threadIdx.x)) / (gridDim.x * blockDim.x))
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] += 1;
}

// CHECK-LABEL: kernel grid_stride_64 256x1x1 (assumed)
__global__ void grid_stride_64(float *out, size_t n) {
  size_t start = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - (blockIdx.x * blockDim.x + threadIdx.x)) / (gridDim.x * blockDim.x))
  for (size_t i = start; i < n; i += (size_t)gridDim.x * blockDim.x)
    out[i] += 1;
}

// CHECK-LABEL: kernel grid_stride_widened 256x1x1 (assumed)
__global__ void grid_stride_widened(float *out, long n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - (blockIdx.x * blockDim.x + threadIdx.x)) / (gridDim.x * blockDim.x))
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] += 1;
}

// CHECK-LABEL: kernel grid_stride_narrowed 256x1x1 (assumed)
__global__ void grid_stride_narrowed(float *out, size_t n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil(((int)n - (blockIdx.x * blockDim.x + threadIdx.x)) / (gridDim.x * blockDim.x))
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (int)n;
       i += (size_t)gridDim.x * blockDim.x)
    out[i] += 1;
}

// CHECK-LABEL: kernel grid_stride_as_while 256x1x1 (assumed)
__global__ void grid_stride_as_while(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int step = gridDim.x * blockDim.x;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - (blockIdx.x * blockDim.x + threadIdx.x)) / (gridDim.x * blockDim.x))
  while (i < n) {
    out[i] += 1;
    i += step;
  }
}

// CHECK-LABEL: kernel grid_stride_as_do 256x1x1 (assumed)
__global__ void grid_stride_as_do(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK-NEXT: [[#@LINE+1]]: branch blockIdx.x * blockDim.x + threadIdx.x < n
  if (i < n)
    // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - (blockIdx.x * blockDim.x + threadIdx.x + gridDim.x * blockDim.x)) / (gridDim.x * blockDim.x)) + 1
    do {
      out[i] += 1;
      i += gridDim.x * blockDim.x;
    } while (i < n);
}

// CHECK-LABEL: kernel grid_stride_swapped 256x1x1 (assumed)
__global__ void grid_stride_swapped(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - (threadIdx.x + blockDim.x * blockIdx.x)) / (blockDim.x * gridDim.x))
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; n > i; i = blockDim.x * gridDim.x + i)
    out[i] += 1;
}

// CHECK-LABEL: kernel grid_stride_over_blocks 256x1x1 (assumed)
__global__ void grid_stride_over_blocks(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - (blockIdx.x * blockDim.x + threadIdx.x)) / (gridDim.x * blockDim.x))
  for (int base = blockIdx.x * blockDim.x; base + threadIdx.x < n; base += gridDim.x * blockDim.x)
    out[base + threadIdx.x] += 1;
}

// CHECK-LABEL: kernel block_stride 256x1x1 (assumed)
__global__ void block_stride(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / blockDim.x)
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] += 1;
}

// CHECK-LABEL: kernel block_stride_down 256x1x1 (assumed)
__global__ void block_stride_down(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil(({{n \+ \(-1 - threadIdx.x\)|-1 - threadIdx.x \+ n}} + 1) / blockDim.x) (if neither the loop's start nor its bound wraps)
  for (int i = n - 1 - (int)threadIdx.x; i >= 0; i -= blockDim.x)
    out[i] += 1;
}

// CHECK-LABEL: kernel block_stride_in_two_dimensions 16x16x1 (assumed)
__global__ void block_stride_in_two_dimensions(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.y * blockDim.x - threadIdx.x) / (blockDim.x * blockDim.y))
  for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < n; i += blockDim.x * blockDim.y)
    out[i] += 1;
}

// CHECK-LABEL: kernel block_stride_of_pointers 256x1x1 (assumed)
__global__ void block_stride_of_pointers(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / blockDim.x)
  for (float *p = out + threadIdx.x; p < out + n; p += blockDim.x)
    *p += 1;
}

// CHECK-LABEL: kernel warp_stride 256x1x1 (assumed)
__global__ void warp_stride(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - (threadIdx.x & 31)) / 32)
  for (int i = threadIdx.x % 32; i < n; i += 32)
    out[i] += 1;
}

// CHECK-LABEL: kernel warp_stride_of_a_segment 256x1x1 (assumed)
__global__ void warp_stride_of_a_segment(float *out, const int *start) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, end = start[row + 1];
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ceil((start[...] - (start[...] + (threadIdx.x & 31))) / 32) (strided if neither the loop's start nor its bound wraps and blockDim.x is a multiple of 32)
  for (int i = start[row] + threadIdx.x % 32; i < end; i += 32)
    out[i] += 1;
}

// CHECK-LABEL: kernel constant_stride 256x1x1 (assumed)
__global__ void constant_stride(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / 128) (if no warp lies in two rows of the block)
  for (int i = threadIdx.x; i < n; i += 128)
    out[i] += 1;
}

// CHECK-LABEL: kernel stride_from_the_launch 256x1x1 (assumed)
__global__ void stride_from_the_launch(float *out, int n, int step) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - threadIdx.x) / step) (if step >= 31; if no warp lies in two rows of the block)
  for (int i = threadIdx.x; i < n; i += step)
    out[i] += 1;
}

// CHECK-LABEL: kernel vectors_of_four 256x1x1 (assumed)
__global__ void vectors_of_four(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - (blockIdx.x * blockDim.x + threadIdx.x) * 4) / (gridDim.x * (blockDim.x * 4)))
  for (int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += 4 * gridDim.x * blockDim.x)
    out[i] += 1;
}

// CHECK-LABEL: kernel stride_too_short 256x1x1 (assumed)
__global__ void stride_too_short(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, ceil((n - threadIdx.x) / 8)
  for (int i = threadIdx.x; i < n; i += 8)
    out[i] += 1;
}

// CHECK-LABEL: kernel lanes_too_far_apart 256x1x1 (assumed)
__global__ void lanes_too_far_apart(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, ceil((n - threadIdx.x * 8) / blockDim.x)
  for (int i = threadIdx.x * 8; i < n; i += blockDim.x)
    out[i] += 1;
}

// CHECK-LABEL: kernel one_by_one 256x1x1 (assumed)
__global__ void one_by_one(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, max(n - threadIdx.x, 0)
  for (int i = threadIdx.x; i < n; ++i)
    out[i] += 1;
}

// CHECK-LABEL: kernel stride_that_differs 256x1x1 (assumed)
__global__ void stride_that_differs(float *out, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, ceil((n - threadIdx.x) / (threadIdx.x + 1))
  for (int i = threadIdx.x; i < n; i += threadIdx.x + 1)
    out[i] += 1;
}

// CHECK-LABEL: kernel bound_that_differs 256x1x1 (assumed)
__global__ void bound_that_differs(float *out, const int *n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ceil((n[...] - threadIdx.x) / blockDim.x)
  for (int i = threadIdx.x; i < n[threadIdx.x]; i += blockDim.x)
    out[i] += 1;
}

// CHECK-LABEL: kernel start_from_memory 256x1x1 (assumed)
__global__ void start_from_memory(float *out, const int *first, int n) {
  // CHECK-NEXT: [[#@LINE+1]]: data-dependent, ceil((n - first[...]) / blockDim.x)
  for (int i = first[threadIdx.x]; i < n; i += blockDim.x)
    out[i] += 1;
}

// CHECK-LABEL: kernel narrowed_counters 256x1x1 (assumed)
__global__ void narrowed_counters(float *a, unsigned long n, short m) {
  int step = gridDim.x * blockDim.x;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - (threadIdx.x + blockDim.x * blockIdx.x)) / (gridDim.x * blockDim.x)) (if neither the loop's start nor its bound wraps)
  for (int i = threadIdx.x + blockDim.x * blockIdx.x; i < n; i += step)
    a[i] = 0;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((m - threadIdx.x) / blockDim.x)
  for (short i = threadIdx.x; i < m; i += blockDim.x)
    a[i] = 1;
}

// A counter that can pass its bound but once is a choice between two values by then.
// CHECK-LABEL: kernel single_pass 256x1x1 (assumed)
__global__ void single_pass(float *a, const float *b) {
  // CHECK-NEXT: [[#@LINE+1]]: strided, {{.*}}
  for (int i = threadIdx.x; i < 100; i += 128)
    a[i] = b[i];
}

// A rank of 64 bits, as cooperative groups have it, in an int: LLVM computes the counter in 64 bits.
// CHECK-LABEL: kernel wide_rank 256x1x1 (assumed)
__global__ void wide_rank(float *out, const float *in, unsigned n) {
  unsigned long long rank = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long size = (unsigned long long)gridDim.x * blockDim.x;
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((n - blockIdx.x * blockDim.x - threadIdx.x) / ({{gridDim.x \* blockDim.x|blockDim.x \* gridDim.x}}))
  for (int i = rank; i < n; i += size)
    out[i] += in[i];
  if (rank == 0)
    out[size] = 1;
}

// The program looks at the low bits: i isn't a counter of 8 bits.
// CHECK-LABEL: kernel low_bits 256x1x1 (assumed)
__global__ void low_bits(int *out, int n, int m, long long w) {
  // CHECK-NEXT: [[#@LINE+1]]: lane-affine, first i{{[0-9]}} with n + 160 <= (threadIdx.x + i{{[0-9]}} * 90 & 255)
  for (int i = threadIdx.x; (i & 0xff) < n + 160; i += 90)
    out[i] = 1;
  // CHECK-NEXT: [[#@LINE+1]]: uniform, first i{{[0-9]}} with n + 260 <= (i{{[0-9]}} + 200) * 2 - (i{{[0-9]}} + 200 & 255)
  for (int i = 200; 2 * i - (i & 0xff) < n + 260; i++)
    out[i] = 1;
  long long s = w + threadIdx.x;
  out[s & 15] = (unsigned)(s >> 8);
  // CHECK-NEXT: [[#@LINE+1]]: strided, ceil((m - (unsigned int)({{w \+ threadIdx.x|threadIdx.x \+ w}})) / 32) (if neither the loop's start nor its bound wraps; if no warp lies in two rows of the block)
  for (unsigned i = (unsigned)s; i < (unsigned)m; i += 32)
    out[i] = 1;
}
