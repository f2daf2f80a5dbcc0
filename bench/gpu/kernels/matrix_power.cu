// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The workload of Swatman et al., "Modelling performance loss due to thread imbalance in stochastic
// variable-length SIMT workloads": each lane multiplies its own 16 x 16 matrix, in local memory, by
// itself as often as its count says. Each lane reads the clock after each of its iterations: read
// once after the loop, it would tell when the whole warp was done.
//
// power, power_sync: cells of the paper's table, without and with __syncwarp() in each iteration;
// what leaves the GPU are sums over groups of lanes. crowd, crowd_sync, crowd_blind (without the
// clock): how long an iteration takes, with so many warps on a multiprocessor.

constexpr int SIZE = 16;
constexpr int ELEMENTS = SIZE * SIZE;
constexpr int TRACED = 256; // iterations of a warp whose clocks are kept

struct Tally { // sums over groups of lanes; x = lanes * (longest time) / (sum of times)
  double x, square, longest, total;
  unsigned long long groups, wrong; // wrong: lanes whose matrix isn't what it must be
};

struct Trace {     // of one warp: clocks at the start and after each iteration, by its last lane
  long long valid; // 0: there was no such warp, or its matrices aren't what they must be
  long long count, begin, start; // begin: before the matrices were filled
  long long ends[TRACED];
};

static __device__ __forceinline__ unsigned multiprocessor() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

// Rows whose sum is 1, so that those of all powers have the sum 1 too.
static __device__ __forceinline__ void fill(float *power, float *base, int seed) {
#pragma unroll 1
  for (int e = 0; e < ELEMENTS; ++e) {
    base[e] = (float)((e * 7 + seed) % SIZE + 1) * (2.0f / (SIZE * (SIZE + 1)));
    power[e] = base[e];
  }
}

static __device__ __forceinline__ bool is_wrong(const float *power, int seed) {
  float sum = 0.0f;
  for (int c = 0; c < SIZE; ++c)
    sum += power[(seed % SIZE) * SIZE + c];
  return !(fabsf(sum - 1.0f) < 1e-3f);
}

static __device__ __forceinline__ void multiply(float *power, const float *base) {
#pragma unroll 1
  for (int r = 0; r < SIZE; ++r) {
    float row[SIZE];
#pragma unroll
    for (int k = 0; k < SIZE; ++k)
      row[k] = power[r * SIZE + k];
#pragma unroll 1
    for (int c = 0; c < SIZE; ++c) {
      float sum = 0.0f;
#pragma unroll
      for (int k = 0; k < SIZE; ++k)
        sum += row[k] * base[k * SIZE + c];
      power[r * SIZE + c] = sum;
    }
  }
}

// Stores where `store` holds, without a branch: the lanes stay together.
static __device__ __forceinline__ void store_if(bool store, long long *to, long long value) {
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %2, 0;\n\t@p st.global.u64 [%0], %1;\n\t}"
               :
               : "l"(to), "l"(value), "r"((unsigned)store)
               : "memory");
}

// The clock after the lane's last iteration, or before the first. members: the warp's lanes that
// are here. A lane with ends, if not NULL, stores its clocks there.
template <bool clocks, bool sync>
static __device__ __forceinline__ long long iterate(float *power, const float *base, int count,
                                                    unsigned members, long long *ends) {
  long long end = clock64();
  if (sync)
    members = __ballot_sync(members, count > 0);
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    multiply(power, base);
    if (sync)
      __syncwarp(members);
    if (clocks) {
      end = clock64();
      store_if(ends && i < TRACED, ends + i, end);
    }
    if (sync) // who stays: only these may be waited for
      members = __ballot_sync(members, i + 1 < count);
  }
  return clocks ? end : clock64();
}

// --- cells of the table --------------------------------------------------------------------------

// Adds up over the group of `lanes` neighbours that this lane is of.
static __device__ __forceinline__ void tally(Tally *into, long long time, bool empty, bool wrong,
                                             int lanes, unsigned members) {
  long long longest = time, total = time;
  int idle = empty, bad = wrong;
  for (int step = 1; step < lanes; step *= 2) {
    long long other = __shfl_xor_sync(members, longest, step);
    longest = other > longest ? other : longest;
    total += __shfl_xor_sync(members, total, step);
    idle += __shfl_xor_sync(members, idle, step);
    bad += __shfl_xor_sync(members, bad, step);
  }
  if (threadIdx.x % lanes != 0)
    return;
  double x = idle == lanes ? 1.0 : (double)lanes * (double)longest / (double)total;
  atomicAdd(&into->x, x);
  atomicAdd(&into->square, x * x);
  atomicAdd(&into->longest, (double)longest);
  atomicAdd(&into->total, (double)total);
  atomicAdd(&into->groups, 1ull);
  atomicAdd(&into->wrong, (unsigned long long)bad);
}

// Where this lane's clocks go: of every `stride`th block, the lane with the most iterations of each
// warp. stride 0: none.
static __device__ __forceinline__ Trace *traced(Trace *traces, int stride, int count,
                                                unsigned members) {
  int most = count;
  for (int step = 1; step < 32 && step < (int)blockDim.x; step *= 2) {
    int other = __shfl_xor_sync(members, most, step);
    most = other > most ? other : most;
  }
  unsigned leaders = __ballot_sync(members, count == most);
  if (stride == 0 || blockIdx.x % stride != 0 || (int)threadIdx.x % 32 != __ffs((int)leaders) - 1)
    return nullptr;
  int warps = ((int)blockDim.x + 31) / 32;
  return &traces[(int)blockIdx.x / stride * warps + (int)threadIdx.x / 32];
}

template <bool sync>
static __device__ __forceinline__ void measure(const int *counts, Tally *tallies, int slots,
                                               int lanes, Trace *traces, int stride) {
  float power[ELEMENTS], base[ELEMENTS];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned members = blockDim.x < 32 ? (1u << blockDim.x) - 1 : 0xffffffffu;
  int count = counts[i];
  Trace *trace = traced(traces, stride, count, members);
  long long begin = clock64();
  fill(power, base, i);
  __syncwarp(members);
  long long start = clock64();
  long long end = iterate<true, sync>(power, base, count, members, trace ? trace->ends : nullptr);
  __syncwarp(members);
  if (trace) {
    trace->valid = 1;
    trace->count = count;
    trace->begin = begin;
    trace->start = start;
  }
  tally(&tallies[blockIdx.x % slots], end - start, count == 0, is_wrong(power, i), lanes, members);
}

#define POWER(name, sync)                                                                          \
  extern "C" __global__ void __launch_bounds__(256)                                                \
      name(const int *__restrict__ counts, Tally *__restrict__ tallies, int slots, int lanes,      \
           Trace *__restrict__ traces, int stride) {                                               \
    measure<sync>(counts, tallies, slots, lanes, traces, stride);                                  \
  }
POWER(power, false)
POWER(power_sync, true)

// --- crowds --------------------------------------------------------------------------------------

// On every eighth multiprocessor `probes` warps do `iterations`, on the others `background` warps
// do `background_iterations`; the rest leaves at once. All schedulers get as many, or one more or
// less. arrived: by multiprocessor and scheduler, 0 at first. masks: by place, which lanes of a
// warp take part. traces: 64 for each of the probes' multiprocessors, by place.
struct Crowd {
  int probes, background, iterations, background_iterations;
};

// Which of the multiprocessor's warps this one is, with every fourth on the same scheduler.
static __device__ __forceinline__ int take_place(int *arrived, unsigned on) {
  unsigned slot;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
  int rank = 0;
  if (threadIdx.x % 32 == 0)
    rank = atomicAdd(&arrived[on * 4 + slot % 4], 1);
  return __shfl_sync(0xffffffffu, rank, 0) * 4 + (int)(slot % 4);
}

template <bool clocks, bool sync>
static __device__ __forceinline__ void crowd_of(const unsigned *masks, int *arrived, Trace *traces,
                                                Crowd how) {
  float power[ELEMENTS], base[ELEMENTS];
  unsigned on = multiprocessor();
  int place = take_place(arrived, on), lane = (int)threadIdx.x % 32;
  bool probe = on % 8 == 0;
  if (place >= (probe ? how.probes : how.background))
    return;
  long long begin = clock64();
  unsigned mask = masks[place];
  int count = !(mask >> lane & 1) ? 0 : probe ? how.iterations : how.background_iterations;
  bool leader = probe && lane == __ffs((int)mask) - 1;
  Trace *trace = &traces[on / 8 * 64 + place];
  fill(power, base, (int)threadIdx.x);
  __syncwarp();
  long long start = clock64();
  long long end =
      iterate<clocks, sync>(power, base, count, 0xffffffffu, leader ? trace->ends : nullptr);
  if (leader) {
    trace->valid = !is_wrong(power, (int)threadIdx.x);
    trace->count = count;
    trace->begin = begin;
    trace->start = start;
    if (!clocks || count == 0)
      trace->ends[0] = end;
  }
}

#define CROWD(name, clocks, sync)                                                                  \
  extern "C" __global__ void __launch_bounds__(256) name(                                          \
      const unsigned *__restrict__ masks, int *__restrict__ arrived, Trace *__restrict__ traces,   \
      int probes, int background, int iterations, int background_iterations) {                     \
    crowd_of<clocks, sync>(masks, arrived, traces,                                                 \
                           {probes, background, iterations, background_iterations});               \
  }
CROWD(crowd, true, false)
CROWD(crowd_sync, true, true)
CROWD(crowd_blind, false, false)
