// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library with kernels of its own, of which nothing is said, that call what the user hands over.
#pragma GCC system_header

namespace library {

template <class Step> __global__ void for_each(int *data, int n, Step step) {
  for (int i = 0; i < (int)threadIdx.x; ++i) // a loss, and not the user's
    step(data, n + i);
}

template <class Step> __device__ int rest(int *data, int n, Step step) {
  return n > 0 ? step(data, n) : 0;
}

struct Block {
  __device__ void sync() const { __syncthreads(); }
  __device__ void sync_twice() const {
    __syncthreads();
    __syncthreads();
  }
};

// Not what the user did.
inline __device__ void sync_some() {
  if (threadIdx.x < 7)
    __syncthreads();
  __threadfence();
}

} // namespace library

inline __device__ void __library_barrier() { __syncthreads(); }
