// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does a convergence barrier's cost belong to: the divergent branch, or the wait at the
// barrier? In the loops of Bialas and Strzelecki each divergent branch sends one group of lanes to
// wait, so they can't tell. Here, in one warp, lanes leave a loop
//
//   single_loop     by waiting: n divergent branches, n waits (on an H200: 949 + 13 n cycles);
//   return          by `return` alone, which the compiler makes a predicated EXIT: neither;
//   exit            by a store and an EXIT in assembly; CUDA 13.0's ptxas has them wait at a BSYNC
//                   before, as in the next case, so the two don't differ in what was asked;
//   break           by a BREAK and a branch to the store where all lanes end: n branches, n waits;
//
// and lanes skip the body of an if:
//
//   if, if_else     n lanes skip it, or take the other side: for n > 0 one branch and one wait;
//   nested_outer    n lanes skip an if, and with it the one within: the same;
//   nested_inner    n lanes skip the one within: the same, one level deeper;
//   nested_both     of n lanes half skip one and half the other: from n = 2 on two and two;
//   nested_exit     n lanes leave by a store and an EXIT at the if within: one branch, no wait.
//
// Limits are those of the paper's table I: lane t leaves after 32 - min(t, n) iterations. Cycles
// are lane 0's, by clock64(), the median, least and greatest of 64 launches, as TSV; each launch
// runs the code once unmeasured before it (where lanes would return, with none that does). Loops
// are not unrolled. At the root of the repository, to build, to see what the compiler made, to run:
//
//   nvcc -O3 -arch=sm_90 -cudart static -o build/where_it_costs bench/reconvergence/*.cu
//   cuobjdump -sass build/where_it_costs | grep -E 'Function|BSSY|BSYNC|BREAK|BRA|EXIT|CS2R'
//   build/where_it_costs > where_it_costs.tsv
#include <algorithm>
#include <cstdio>
#include <cstdlib>

static const int lanes = 32, launches = 64;

// What a lane does in the unmeasured run and in the measured one. Both come in one load, so that
// the measured run doesn't wait for memory.
struct Plan {
  int unmeasured, measured;
};

typedef void Kernel(const Plan *plans, float *sums, long long *cycles);

__global__ void single_loop(const Plan *__restrict__ plans, float *__restrict__ sums,
                            long long *__restrict__ cycles) {
  Plan plan = plans[threadIdx.x];
  float sum = 0.0f;
#pragma unroll 1
  for (int run = 0; run < 2; ++run) {
    int limit = run ? plan.measured : plan.unmeasured;
    long long start = clock64();
#pragma unroll 1
    for (int i = 0; i < limit; ++i)
      sum = sum * 0.5f + 1.0f;
    cycles[threadIdx.x] = clock64() - start;
  }
  sums[threadIdx.x] = sum;
}

// How lanes leave. In `stores`, the compiler makes one end of it and of the end of the kernel,
// which is then a place to meet; an `exit` in assembly keeps its own.
enum Way { returns, stores, exits };

static __device__ __forceinline__ void leave_by_exit(float *sum_of_lane, float sum) {
  asm volatile("st.global.f32 [%0], %1; exit;" ::"l"(sum_of_lane), "f"(sum) : "memory");
  __builtin_unreachable();
}

// All lanes have the limit 32, which the compiler doesn't know: so there is a region with a barrier
// around the loop, and the lanes that leave do so from inside.
template <Way way>
__global__ void loop_with_return(const Plan *__restrict__ plans, float *__restrict__ sums,
                                 long long *__restrict__ cycles) {
  Plan plan = plans[threadIdx.x];
  int limit = plans[lanes + threadIdx.x].measured;
  float sum = 0.0f;
#pragma unroll 1
  for (int run = 0; run < 2; ++run) {
    int leave = run ? plan.measured : plan.unmeasured;
    long long start = clock64();
#pragma unroll 1
    for (int i = 0; i < limit; ++i) {
      if (i == leave) {
        if (way == stores)
          sums[threadIdx.x] = sum;
        if (way == exits)
          leave_by_exit(sums + threadIdx.x, sum);
        return;
      }
      sum = sum * 0.5f + 1.0f;
    }
    cycles[threadIdx.x] = clock64() - start;
  }
  sums[threadIdx.x] = sum;
}

// Too long to be predicated.
static __device__ __forceinline__ float body(float sum) {
#pragma unroll
  for (int i = 0; i < 64; ++i)
    sum = sum * 0.5f + 1.0f;
  return sum;
}

static __device__ __forceinline__ float other_body(float sum) {
#pragma unroll
  for (int i = 0; i < 64; ++i)
    sum = sum + 1.5f;
  return sum;
}

template <bool has_else>
__global__ void skip(const Plan *__restrict__ plans, float *__restrict__ sums,
                     long long *__restrict__ cycles) {
  Plan plan = plans[threadIdx.x];
  float sum = (float)threadIdx.x;
#pragma unroll 1
  for (int run = 0; run < 2; ++run) {
    int levels = run ? plan.measured : plan.unmeasured;
    long long start = clock64();
    if (levels)
      sum = body(sum);
    else if (has_else)
      sum = other_body(sum);
    cycles[threadIdx.x] = clock64() - start;
  }
  sums[threadIdx.x] = sum;
}

// levels: 0 skips both ifs, 1 the one within, 2 none. With leave, 1 exits instead.
template <bool leave>
__global__ void nested(const Plan *__restrict__ plans, float *__restrict__ sums,
                       long long *__restrict__ cycles) {
  Plan plan = plans[threadIdx.x];
  float sum = (float)threadIdx.x;
#pragma unroll 1
  for (int run = 0; run < 2; ++run) {
    int levels = run ? plan.measured : plan.unmeasured;
    long long start = clock64();
    if (levels) {
      sum = body(sum);
      if (levels == 2) {
        sum = other_body(sum);
      } else if (leave) {
        leave_by_exit(sums + threadIdx.x, sum);
      }
      sum = body(sum);
    }
    cycles[threadIdx.x] = clock64() - start;
  }
  sums[threadIdx.x] = sum;
}

// What lane t does when n lanes leave or skip.
static int leaves_after(int t, int n) { return lanes - std::min(t, n); }
static int skips_both(int t, int n) { return t < lanes - n ? 2 : 0; }
static int skips_inner(int t, int n) { return t < lanes - n ? 2 : 1; }
static int skips_either(int t, int n) { return t < lanes - n ? 2 : t % 2; }

struct Case {
  const char *name;
  Kernel *kernel;
  int (*plan)(int t, int n);
  int unmeasured; // in the unmeasured run; -1: as in the measured one
};

static const Case cases[] = {
    {"single_loop", single_loop, leaves_after, -1},
    {"exit", loop_with_return<exits>, leaves_after, lanes},
    {"return", loop_with_return<returns>, leaves_after, lanes},
    {"break", loop_with_return<stores>, leaves_after, lanes},
    {"if", skip<false>, skips_both, -1},
    {"if_else", skip<true>, skips_both, -1},
    {"nested_outer", nested<false>, skips_both, -1},
    {"nested_inner", nested<false>, skips_inner, -1},
    {"nested_both", nested<false>, skips_either, -1},
    {"nested_exit", nested<true>, skips_inner, 2},
};

static void check(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "where_it_costs: %s\n", cudaGetErrorString(error));
  exit(1);
}

// In unified memory.
template <typename T> static T *allocate(size_t n) {
  T *data;
  check(cudaMallocManaged(&data, n * sizeof(T)));
  return data;
}

static void measure(const Case &c, int n, Plan *plans, float *sums, long long *cycles) {
  for (int t = 0; t < lanes; ++t) {
    int measured = c.plan(t, n);
    plans[t] = {c.unmeasured < 0 ? measured : c.unmeasured, measured};
    plans[lanes + t] = {lanes, lanes};
  }
  long long samples[launches];
  for (long long &sample : samples) {
    c.kernel<<<1, lanes>>>(plans, sums, cycles);
    check(cudaDeviceSynchronize());
    sample = cycles[0];
  }
  std::sort(samples, samples + launches);
  printf("%s\t%d\t%lld\t%lld\t%lld\n", c.name, n, samples[launches / 2], samples[0],
         samples[launches - 1]);
}

int main() {
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0));
  printf("# %s (sm_%d%d), CUDA %d.%d nvcc -O3; cycles of one warp, median of %d\n", device.name,
         device.major, device.minor, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10, launches);
  printf("case\tn\tcycles\tleast\tgreatest\n");
  Plan *plans = allocate<Plan>(2 * lanes);
  float *sums = allocate<float>(lanes);
  long long *cycles = allocate<long long>(lanes);
  for (const Case &c : cases)
    for (int n = 0; n < lanes; ++n)
      measure(c, n, plans, sums, cycles);
  return 0;
}
