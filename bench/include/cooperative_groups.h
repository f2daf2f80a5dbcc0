// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of CUDA's cooperative groups that kernels use to number themselves and to wait for their
// block: this_grid() (size, thread_rank), this_thread_block() (size, thread_rank, sync) and
// tiled_partition<32> (size, thread_rank, sync, shfl, shfl_down). Only beside divcost_cuda.h; where
// CUDA's headers are used, this file passes on to theirs. The whole grid can't be synchronised.
#ifndef DIVCOST_CUDA_H
#include_next <cooperative_groups.h>
#elif !defined(DIVCOST_COOPERATIVE_GROUPS_H)
#define DIVCOST_COOPERATIVE_GROUPS_H
#pragma clang system_header

namespace cooperative_groups {

struct thread_block {
  __device__ static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ static unsigned num_threads() { return size(); }
  __device__ static unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ static void sync() { __syncthreads(); }
};
__device__ static inline thread_block this_thread_block() { return {}; }

struct grid_group {
  __device__ static unsigned long long size() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * thread_block::size();
  }
  __device__ static unsigned long long num_threads() { return size(); }
  __device__ static unsigned long long thread_rank() {
    unsigned long long block =
        ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    return block * thread_block::size() + thread_block::thread_rank();
  }
};
__device__ static inline grid_group this_grid() { return {}; }

template <unsigned Size> struct thread_block_tile {
  static_assert(Size == 32, "only tiles of a whole warp are here");
  __device__ static constexpr unsigned size() { return Size; }
  __device__ static constexpr unsigned num_threads() { return Size; }
  __device__ static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  __device__ static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  __device__ static void sync() { __syncwarp(); }
  template <typename T> __device__ static T shfl(T value, int lane) {
    return __shfl_sync(0xffffffffu, value, lane);
  }
  template <typename T> __device__ static T shfl_down(T value, unsigned delta) {
    return __shfl_down_sync(0xffffffffu, value, delta);
  }
};
template <unsigned Size>
__device__ static inline thread_block_tile<Size> tiled_partition(const thread_block &) {
  return {};
}

} // namespace cooperative_groups

#endif
