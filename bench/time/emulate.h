// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enough of CUDA to run the kernels of this folder on the host, block by block, so that they can be
// checked where there is no GPU. Threads of a block are contexts that take turns at barriers.
#ifndef DIVCOST_BENCH_TIME_EMULATE_H
#define DIVCOST_BENCH_TIME_EMULATE_H

#include <ucontext.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#define __global__ static
#define __device__ static
#define __host__
#define __shared__ static
#define __launch_bounds__(...)

struct float2 {
  float x, y;
};
struct float4 {
  float x, y, z, w;
};
struct float3 {
  float x, y, z;
};
struct int2 {
  int x, y;
};
struct int4 {
  int x, y, z, w;
};
struct uint2 {
  unsigned x, y;
};
struct uint4 {
  unsigned x, y, z, w;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline float3 make_float3(float x, float y, float z) { return {x, y, z}; }
inline int2 make_int2(int x, int y) { return {x, y}; }
inline int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

struct Index {
  unsigned x = 0, y = 0, z = 0;
};
static Index threadIdx, blockIdx, blockDim, gridDim;

using std::max;
using std::min;
#define __expf expf // the host's library has such names, too
#define __logf logf
#define __sinf sinf
#define __cosf cosf
inline float __fdividef(float x, float y) { return x / y; }
inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
inline unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
template <typename T, typename V> T atomicAdd(T *at, V value) {
  T old = *at;
  *at = old + (T)value;
  return old;
}
template <typename T, typename V> T atomicMin(T *at, V value) {
  T old = *at;
  *at = std::min(old, (T)value);
  return old;
}
template <typename T, typename V> T atomicMax(T *at, V value) {
  T old = *at;
  *at = std::max(old, (T)value);
  return old;
}

class Emulator {
  static constexpr size_t stack_bytes = 65536;
  std::vector<ucontext_t> threads;
  std::vector<char> stacks;
  ucontext_t scheduler;
  size_t now = 0;
  bool ended = false;
  const std::function<void()> *kernel = nullptr;

  static void enter() {
    Emulator &self = the();
    (*self.kernel)();
    self.ended = true;
    swapcontext(&self.threads[self.now], &self.scheduler);
  }

public:
  static Emulator &the() {
    static Emulator emulator;
    return emulator;
  }
  void barrier() { swapcontext(&threads[now], &scheduler); }
  void run_block(unsigned block, const std::function<void()> &code) {
    kernel = &code;
    threads.resize(blockDim.x);
    stacks.resize(blockDim.x * stack_bytes);
    for (size_t k = 0; k < threads.size(); ++k) {
      getcontext(&threads[k]);
      threads[k].uc_stack.ss_sp = &stacks[k * stack_bytes];
      threads[k].uc_stack.ss_size = stack_bytes;
      makecontext(&threads[k], enter, 0);
    }
    std::vector<size_t> waiting(threads.size()), next;
    for (size_t k = 0; k < waiting.size(); ++k)
      waiting[k] = k;
    for (; !waiting.empty(); waiting.swap(next)) {
      next.clear();
      for (size_t k : waiting) {
        now = k;
        ended = false;
        blockIdx.x = block;
        threadIdx.x = (unsigned)k;
        swapcontext(&scheduler, &threads[k]);
        if (!ended)
          next.push_back(k);
      }
      if (!next.empty() && next.size() != threads.size()) {
        fprintf(stderr, "emulate: some threads of the block miss a barrier\n");
        exit(1);
      }
    }
  }
  // `blocks` of the grid at equal distances, or all.
  void run(int grid, int block, int blocks, const std::function<void()> &code) {
    gridDim.x = (unsigned)grid;
    blockDim.x = (unsigned)block;
    int count = std::min(blocks, grid);
    for (int k = 0; k < count; ++k)
      run_block((unsigned)((long)k * grid / count), code);
  }
};

inline void __syncthreads() { Emulator::the().barrier(); }

#endif
