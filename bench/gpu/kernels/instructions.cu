// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instructions cost, by the classes that the cost model counts (dc_mix): `rounds` rounds of
// some instructions in each of 1 or 4 chains. In a chain each waits for the one before it, so one
// warp with one chain shows the latency, and many warps with four show how often a scheduler can
// issue one. spans: by warp its multiprocessor, the clock at its start and at its end.

#define CHAINS 4

static __device__ __forceinline__ unsigned multiprocessor() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

struct Span {
  long long multiprocessor, start, end;
};

// START is the first value of a chain; SETUP comes before.
#define KERNEL(name, copies, chains, Type, SETUP, START, STEP)                                     \
  extern "C" __global__ void name(const int *, Type *__restrict__ data, Span *__restrict__ spans,  \
                                  int rounds) {                                                    \
    SETUP;                                                                                         \
    Type x[chains];                                                                                \
    for (int c = 0; c < chains; ++c)                                                               \
      x[c] = START;                                                                                \
    _Pragma("unroll 1") for (int run = 0; run < 2; ++run) {                                        \
      __syncthreads();                                                                             \
      long long start = clock64();                                                                 \
      _Pragma("unroll 1") for (int r = 0; r < rounds; ++r) {                                       \
        _Pragma("unroll") for (int k = 0; k < copies; ++k)                                         \
            _Pragma("unroll") for (int c = 0; c < chains; ++c) STEP(x[c]);                         \
      }                                                                                            \
      long long end = clock64();                                                                   \
      if (threadIdx.x % 32 == 0)                                                                   \
        spans[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {multiprocessor(), start, end};      \
    }                                                                                              \
    for (int c = 0; c < chains; ++c)                                                               \
      data[threadIdx.x * chains + c] = x[c];                                                       \
  }

#define BOTH(name, Type, SETUP, START, STEP)                                                       \
  KERNEL(name##_latency_8, 8, 1, Type, SETUP, START, STEP)                                         \
  KERNEL(name##_latency_16, 16, 1, Type, SETUP, START, STEP)                                       \
  KERNEL(name##_issue_4, 4, CHAINS, Type, SETUP, START, STEP)                                      \
  KERNEL(name##_issue_8, 8, CHAINS, Type, SETUP, START, STEP)
#define ARITHMETIC(name, Type, STEP) BOTH(name, Type, , data[threadIdx.x] + (Type)c, STEP)

// Two instructions, of different pipes, that can't become one.
#define INTEGER(x)                                                                                 \
  asm volatile("add.s32 %0, %0, %1; xor.b32 %0, %0, %2;" : "+r"(x) : "r"(rounds), "r"(rounds + 1))
#define MULTIPLY(x) asm volatile("mad.lo.s32 %0, %0, 5, 7;" : "+r"(x))
#define FP32(x) asm volatile("fma.rn.f32 %0, %0, 0f3F000000, 0f3F800000;" : "+f"(x))
#define FP64(x) asm volatile("fma.rn.f64 %0, %0, 0d3FE0000000000000, 0d3FF0000000000000;" : "+d"(x))
#define SPECIAL(x) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x))
#define SHUFFLE(x) asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(x))
#define VOTE(x)                                                                                    \
  asm volatile("{ .reg .pred p; setp.gt.s32 p, %0, 0; vote.sync.ballot.b32 %0, p, -1; }" : "+r"(x))
#define MATCH(x) asm volatile("match.any.sync.b32 %0, %0, -1;" : "+r"(x))
#define REDUCE(x) asm volatile("redux.sync.add.s32 %0, %0, -1;" : "+r"(x))
#define BARRIER(x) asm volatile("bar.sync 0;" ::: "memory")
// A word that is loaded is the address of the next.
#define SHARED(x) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(x))
#define GLOBAL(x) x = load(base, x)
#define ATOMIC(x) asm volatile("atom.shared.add.u32 %0, [%1], %0;" : "+r"(x) : "r"(own))

// The round alone.
KERNEL(empty_issue, 0, CHAINS, int, , data[threadIdx.x], INTEGER)

ARITHMETIC(integer, int, INTEGER)
ARITHMETIC(multiply, int, MULTIPLY)
ARITHMETIC(fp32, float, FP32)
ARITHMETIC(fp64, double, FP64)
ARITHMETIC(special, float, SPECIAL)
ARITHMETIC(shuffle, int, SHUFFLE)
ARITHMETIC(vote, int, VOTE)
ARITHMETIC(match, int, MATCH)
#if __CUDA_ARCH__ >= 800
ARITHMETIC(reduce, int, REDUCE)
#endif
ARITHMETIC(barrier, int, BARRIER)

static __device__ __forceinline__ unsigned shared_address(const void *p) {
  unsigned address;
  asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(address) : "l"(p));
  return address;
}

// A word of shared memory for each lane, which holds its own address.
#define OWN_WORD                                                                                   \
  __shared__ unsigned words[1024];                                                                 \
  unsigned own = shared_address(&words[threadIdx.x]);                                              \
  words[threadIdx.x] = own

BOTH(shared, unsigned, OWN_WORD, own, SHARED)
BOTH(atomic, unsigned, OWN_WORD, own, ATOMIC)

// A word that is loaded says how far the next is from the first.
static __device__ __forceinline__ unsigned load(const unsigned *base, unsigned at) {
  unsigned value;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"((const char *)base + at));
  return value;
}
BOTH(global, unsigned, unsigned own = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
     unsigned *base = data; base[own / 4] = own, own, GLOBAL)
