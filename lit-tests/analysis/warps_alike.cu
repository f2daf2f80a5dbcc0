// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vote that every whole warp takes on the same words is the same for the block; and other ways in
// which a block decides together.
//
// RUN: %verdicts | FileCheck %s --match-full-lines --implicit-check-not=barrier

__shared__ int words[32];

// CHECK-LABEL: kernel on_words_of_all_warps 128x1x1 (pragma)
#pragma divcost launch(block=128)
__global__ void on_words_of_all_warps(const float *in, int *out, int n) {
  int k = n;
  // CHECK: {{.*}}: block-uniform, {{.*}} (blocks of 128x1x1)
  for (; k > 0; --k) {
    int all = __all_sync(0xffffffff, in[k * 128 + threadIdx.x] < 3);
    if (threadIdx.x % 32 == 0)
      words[threadIdx.x / 32] = all;
    __syncthreads();
    all = words[threadIdx.x % 32];
    __syncthreads();
    if (!__all_sync(0xffffffff, all))
      break;
  }
  out[threadIdx.x] = k;
}

// CHECK-LABEL: kernel where_rows_may_be_no_warps 256x1x1 (assumed)
__global__ void where_rows_may_be_no_warps(const float *in, int *out, int n) {
  int k = n;
  // CHECK: {{.*}}: warp-uniform, {{.*}} (block-uniform if blockDim.x is a multiple of 32)
  for (; k > 0; --k) {
    words[threadIdx.x % 32] = in[k] < 3;
    __syncthreads();
    if (__any_sync(0xffffffff, words[threadIdx.x % 32]))
      break;
    __syncthreads();
  }
  out[threadIdx.x] = k;
}

// CHECK-LABEL: kernel the_last_warp_has_16_lanes 48x1x1 (pragma)
#pragma divcost launch(block=48)
__global__ void the_last_warp_has_16_lanes(int *out) {
  // CHECK: {{.*}}: warp-uniform, {{-.*}}
  do {
    words[threadIdx.x % 32] = out[threadIdx.x];
    // CHECK: {{.*}}: barrier
    __syncthreads();
  } while (__any_sync(0xffffffff, words[threadIdx.x % 32]));
  out[threadIdx.x] = 2;
}

// CHECK-LABEL: kernel on_a_word_for_each_thread 128x1x1 (pragma)
#pragma divcost launch(block=128)
__global__ void on_a_word_for_each_thread(int *out) {
  __shared__ int own[128];
  // CHECK: {{.*}}: warp-uniform, {{-.*}}
  do {
    own[threadIdx.x] = out[threadIdx.x];
    // CHECK: {{.*}}: barrier
    __syncthreads();
  } while (__any_sync(0xffffffff, own[threadIdx.x]));
  out[threadIdx.x] = 2;
}

// CHECK-LABEL: kernel written_again 128x1x1 (pragma)
#pragma divcost launch(block=128)
__global__ void written_again(int *out) {
  // CHECK: {{.*}}: warp-uniform, {{-.*}}
  do {
    // CHECK: {{.*}}: barrier
    __syncthreads();
    words[threadIdx.x % 32] = out[threadIdx.x];
  } while (__any_sync(0xffffffff, words[threadIdx.x % 32]));
  out[threadIdx.x] = 2;
}

// CHECK-LABEL: kernel where_lanes_have_left 128x1x1 (pragma)
#pragma divcost launch(block=128)
__global__ void where_lanes_have_left(int *out) {
  // CHECK-NEXT: [[#@LINE+1]]: branch {{.*}}
  if (out[threadIdx.x] < 3)
    return;
  // CHECK: {{.*}}: warp-uniform, {{-.*}}
  do {
    words[threadIdx.x % 32] = out[threadIdx.x];
    // CHECK: {{.*}}: barrier
    __syncthreads();
  } while (__any_sync(0xffffffff, words[threadIdx.x % 32]));
  out[threadIdx.x] = 2;
}

// CHECK-LABEL: kernel under_a_mask 128x1x1 (pragma)
#pragma divcost launch(block=128)
__global__ void under_a_mask(int *out, unsigned mask) {
  // CHECK: {{.*}}: warp-uniform, {{-.*}}
  do {
    words[threadIdx.x % 32] = out[threadIdx.x];
    // CHECK: {{.*}}: barrier
    __syncthreads();
  } while (__any_sync(mask, words[threadIdx.x % 32]));
  out[threadIdx.x] = 2;
}

// CHECK-LABEL: kernel one_thread_decides 256x1x1 (assumed)
__global__ void one_thread_decides(int *left, int *out) {
  __shared__ int go;
  // CHECK: {{.*}}: block-uniform, -
  do {
    // CHECK: {{.*}}: branch threadIdx.x == 0
    if (threadIdx.x == 0)
      go = atomicAdd(left, -1) > 0;
    __syncthreads();
    out[threadIdx.x] += go;
    __syncthreads();
  } while (go);
}

// CHECK-LABEL: kernel the_block_votes 256x1x1 (assumed)
__global__ void the_block_votes(const int *in, int *out) {
  int x;
  // CHECK: {{.*}}: block-uniform, -
  do {
    x = out[threadIdx.x] + in[threadIdx.x];
    out[threadIdx.x] = x;
  } while (__syncthreads_or(x < 100));
}

// CHECK-LABEL: kernel a_count_in_shared_memory 256x1x1 (assumed)
__global__ void a_count_in_shared_memory(const int *in, int *out) {
  __shared__ int n;
  // CHECK: {{.*}}: branch threadIdx.x == 0
  if (threadIdx.x == 0)
    n = in[blockIdx.x];
  __syncthreads();
  // CHECK: {{.*}}: block-uniform, -
  for (int k = 0; k < n; ++k) {
    out[k * 256 + threadIdx.x] += 1;
    __syncthreads();
  }
}
