// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a GPU takes for one thing at a time. Each kernel does `steps` steps in every warp and says
// when and where; all have the same parameters, so that one plan launches them
// (bench/gpu/machine_plan.c).

struct Job { // as in bench/gpu/machine_measure.c
  unsigned steps;
  unsigned n;           // what a warp asks for at a time: places, lanes, or a degree of conflict
  unsigned units;       // places in memory, of 1 << unit_log2 bytes
  unsigned unit_log2;   //
  unsigned warm;        // bytes that each block loads first
  unsigned lane_stride; // of atomics: bytes from a lane's word to the next lane's
  unsigned warp_stride; // and from a warp's first word to the next warp's
  unsigned seed;
};

struct Span {
  long long multiprocessor, start, end, nanoseconds;
};

#define KERNEL(name)                                                                               \
  extern "C" __global__ void __launch_bounds__(1024, 2)                                            \
      name([[maybe_unused]] char *memory, [[maybe_unused]] Span *spans,                            \
           [[maybe_unused]] unsigned *sink, [[maybe_unused]] Job how)

// `steps` times what follows, a multiple of `count`: so many at a time, so that the loop hardly
// counts.
#define REPEAT(count)                                                                              \
  _Pragma("unroll 1") for (unsigned step = 0; step < how.steps; step += count)                     \
      _Pragma("unroll") for (int k = 0; k < count; ++k)

static __device__ __forceinline__ long long now() {
  long long value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value));
  return value;
}

static __device__ __forceinline__ unsigned warp_number() {
  return (blockIdx.x * blockDim.x + threadIdx.x) / 32;
}

static __device__ __forceinline__ unsigned multiprocessor() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  return id;
}

struct Watch {
  long long clock, time;
};

static __device__ __forceinline__ Watch begin() {
  __syncthreads();
  return {clock64(), now()};
}

// The warp's result keeps what it did from being dropped.
static __device__ __forceinline__ void finish(Watch since, Span *spans, unsigned *sink,
                                              unsigned result) {
  __syncwarp();
  long long end = clock64(), time = now();
  if (threadIdx.x % 32 == 0)
    spans[warp_number()] = {multiprocessor(), since.clock, end, time - since.time};
  sink[blockIdx.x * blockDim.x + threadIdx.x] = result;
}

static __device__ __forceinline__ unsigned scatter(unsigned x) { // murmur3's last steps
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

// --- walks through memory ------------------------------------------------------------------------

// A permutation of the numbers of so many bits.
static __device__ __forceinline__ unsigned place(unsigned x, unsigned bits) {
  unsigned half = (bits + 1) / 2, mask = (1u << bits) - 1;
  x = x * 0x9e3779b1u & mask;
  x ^= x >> half;
  x = (x * 0x85ebca6bu + 0x3c6ef372u) & mask;
  x ^= x >> half;
  x = x * 0xc2b2ae35u & mask;
  return x ^ x >> half;
}

// Each word says where the word of the same place in the next unit is: a walk from any word goes
// through all units, in an order without order, and walks that are in different units stay so. Unit
// `place` of k is followed by that of k + 1, or of the next number whose place is in range.
KERNEL(fill) {
  unsigned words_log2 = how.unit_log2 - 2, bits = 32 - __clz(how.units - 1);
  unsigned long long count = 1ull << (bits + words_log2);
  unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
  Watch since = begin();
  for (unsigned long long k = blockIdx.x * blockDim.x + threadIdx.x; k < count; k += step) {
    unsigned number = (unsigned)(k >> words_log2), word = (unsigned)k & ((1u << words_log2) - 1);
    unsigned unit = place(number, bits), next;
    if (unit >= how.units)
      continue;
    do {
      number = (number + 1) & ((1u << bits) - 1);
      next = place(number, bits);
    } while (next >= how.units);
    ((unsigned *)memory)[((unsigned long long)unit << words_log2) + word] =
        next << how.unit_log2 | word << 2;
  }
  finish(since, spans, sink, 0);
}

enum { CA, CG };
template <int cache>
static __device__ __forceinline__ unsigned load(const char *base, unsigned at) {
  unsigned value;
  const char *address = base + (unsigned long long)at;
  if (cache == CA)
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(address));
  else
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(address));
  return value;
}

static __device__ __forceinline__ uint4 load4(const char *base, unsigned at) {
  uint4 v;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(base + (unsigned long long)at));
  return v;
}

// Where a lane begins: n neighbouring groups of lanes, each in a unit of its own, at the lane's own
// place in it.
static __device__ __forceinline__ unsigned first_place(const Job &how, unsigned chain,
                                                       bool random) {
  unsigned lane = threadIdx.x % 32, words = 1u << (how.unit_log2 - 2);
  unsigned group = lane * how.n / 32, number = (warp_number() * 4 + chain) * 32 + group;
  unsigned stride = (unsigned)(0.618034 * how.units) | 1, units = how.units;
  unsigned unit = (unsigned)(((unsigned long long)number * stride + how.seed) % units);
  unsigned word = random ? scatter(how.seed + number * 32 + lane) % words : lane * 4 % words;
  return unit << how.unit_log2 | word << 2;
}

// One request after the other, each for n units.
template <int cache, int chains>
static __device__ __forceinline__ void gather(const char *memory, Span *spans, unsigned *sink,
                                              const Job &how) {
  unsigned at[chains], sum = 0;
  for (unsigned byte = threadIdx.x * 4; byte < how.warm; byte += blockDim.x * 4)
    sum += load<cache>(memory, byte);
#pragma unroll
  for (int c = 0; c < chains; ++c)
    at[c] = first_place(how, c, true);
  Watch since = begin();
  REPEAT(16 / chains)
#pragma unroll
  for (int c = 0; c < chains; ++c)
    at[c] = load<cache>(memory, at[c]);
#pragma unroll
  for (int c = 0; c < chains; ++c)
    sum += at[c];
  finish(since, spans, sink, sum);
}
KERNEL(gather_ca) { gather<CA, 1>(memory, spans, sink, how); }
KERNEL(gather_cg) { gather<CG, 1>(memory, spans, sink, how); }
KERNEL(gather4_cg) { gather<CG, 4>(memory, spans, sink, how); }

// Whole lines at random, n of them in a request: 8 lanes with 16 bytes each make one.
KERNEL(lines_cg) {
  unsigned at = first_place(how, 0, false), sum = 0;
  Watch since = begin();
  REPEAT(4) {
    uint4 v = load4(memory, at);
    at = v.x;
    sum += v.y ^ v.z ^ v.w;
  }
  finish(since, spans, sink, at + sum);
}

// One after the other: in a step, a warp reads or writes 2 KiB. Each launch begins elsewhere, so
// that few SMs don't find in L2 what the launch before has read, and goes on at the start.
static __device__ __forceinline__ unsigned long long own_place() {
  return (blockIdx.x * blockDim.x + threadIdx.x) * 16ull;
}
static __device__ __forceinline__ unsigned long long stream_start(const Job &how) {
  return own_place() + (how.seed % 13ull << 26);
}
static __device__ __forceinline__ unsigned long long stream_size(const Job &how) {
  return (unsigned long long)how.units << how.unit_log2;
}
KERNEL(stream_read) {
  unsigned long long at = stream_start(how);
  unsigned long long step_bytes = (unsigned long long)gridDim.x * blockDim.x * 16;
  unsigned sum = 0;
  Watch since = begin();
#pragma unroll 1
  for (unsigned step = 0; step < how.steps; ++step) {
    uint4 v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      v[k] = load4(memory + at, 0);
      at += step_bytes;
    }
#pragma unroll
    for (int k = 0; k < 4; ++k)
      sum += v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
    at = at + 4 * step_bytes > stream_size(how) ? own_place() : at;
  }
  finish(since, spans, sink, sum);
}
KERNEL(stream_write) {
  unsigned long long at = stream_start(how);
  unsigned long long step_bytes = (unsigned long long)gridDim.x * blockDim.x * 16;
  Watch since = begin();
#pragma unroll 1
  for (unsigned step = 0; step < how.steps; ++step) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      *(uint4 *)(memory + at) = {step, step, step, step};
      at += step_bytes;
    }
    at = at + 4 * step_bytes > stream_size(how) ? own_place() : at;
  }
  __threadfence();
  finish(since, spans, sink, 0);
}

// Words at random, with nothing to wait for but room: n neighbouring groups of lanes, each in a
// unit of its own, side by side as far as the unit goes.
KERNEL(scatter_write) {
  unsigned lane = threadIdx.x % 32, group = lane * how.n / 32, words = 1u << (how.unit_log2 - 2);
  unsigned number = warp_number() * how.steps * 32 + group + how.seed;
  char *own = memory + lane % words * 4;
  Watch since = begin();
  REPEAT(4) {
    unsigned unit = __umulhi(scatter(number + (step + k) * 32), how.units);
    *(unsigned *)(own + ((unsigned long long)unit << how.unit_log2)) = number;
  }
  __threadfence();
  finish(since, spans, sink, 0);
}

// --- shared memory -------------------------------------------------------------------------------

static __device__ __forceinline__ unsigned shared_address(const void *p) {
  unsigned address;
  asm("{ .reg .u64 a; cvta.to.shared.u64 a, %1; cvt.u32.u64 %0, a; }" : "=r"(address) : "l"(p));
  return address;
}

// Each word holds its own address, so that a load waits for the one before. n lanes share a bank,
// with a word each.
KERNEL(shared_load) {
  __shared__ unsigned words[32 * 32];
  for (unsigned k = threadIdx.x; k < 32 * 32; k += blockDim.x)
    words[k] = shared_address(&words[k]);
  unsigned lane = threadIdx.x % 32;
  __syncthreads();
  unsigned at = words[lane / how.n + 32 * (lane % how.n)];
  Watch since = begin();
  REPEAT(16)
  asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  finish(since, spans, sink, at);
}

// n lanes share a word, and each warp has its own.
#define SHARED_ATOMIC(name, text)                                                                  \
  KERNEL(name) {                                                                                   \
    __shared__ unsigned words[1024];                                                               \
    words[threadIdx.x] = 0;                                                                        \
    unsigned at = shared_address(&words[threadIdx.x / 32 * 32 + threadIdx.x % 32 / how.n]);        \
    unsigned x = how.seed & 0x80000000u; /* 0 */                                                   \
    Watch since = begin();                                                                         \
    REPEAT(8) asm volatile(text : "+r"(x) : "r"(at));                                              \
    finish(since, spans, sink, x);                                                                 \
  }
SHARED_ATOMIC(shared_add, "atom.shared.add.u32 %0, [%1], %0;")
SHARED_ATOMIC(shared_cas, "atom.shared.cas.b32 %0, [%1], %0, %0;")

// --- global atomics ------------------------------------------------------------------------------

// n lanes of a warp, each at its word. Memory is all zero, and stays so: what comes back is 0, and
// says where the next is.
static __device__ __forceinline__ char *atomic_place(char *memory, const Job &how) {
  return memory + (unsigned long long)warp_number() * how.warp_stride +
         threadIdx.x % 32 * how.lane_stride;
}
#define ATOMIC(name, text)                                                                         \
  KERNEL(name) {                                                                                   \
    char *place = atomic_place(memory, how);                                                       \
    unsigned x = how.seed & 0x80000000u;                                                           \
    Watch since = begin();                                                                         \
    if (threadIdx.x % 32 < how.n) {                                                                \
      REPEAT(8) asm volatile(text : "+r"(x) : "l"(place + x) : "memory");                          \
    }                                                                                              \
    finish(since, spans, sink, x);                                                                 \
  }
ATOMIC(atomic_add, "atom.global.add.u32 %0, [%1], %0;")
ATOMIC(atomic_cas, "atom.global.cas.b32 %0, [%1], %0, %0;")

// Without a result there is nothing to wait for but room.
KERNEL(atomic_red) {
  char *place = atomic_place(memory, how);
  unsigned x = how.seed & 0x80000000u;
  Watch since = begin();
  if (threadIdx.x % 32 < how.n) {
    REPEAT(4)
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(place), "r"(x) : "memory");
  }
  __threadfence(); // until all of them have arrived
  finish(since, spans, sink, x);
}

// --- instructions --------------------------------------------------------------------------------

// A step is one of them; each needs the one before.
#define CHAIN(name, type, statement)                                                               \
  KERNEL(name) {                                                                                   \
    type x = (type)((const unsigned *)memory)[threadIdx.x % 32];                                   \
    Watch since = begin();                                                                         \
    REPEAT(16) statement;                                                                          \
    finish(since, spans, sink, (unsigned)x);                                                       \
  }
// Additions alone would be one multiplication.
CHAIN(chain_add, int, if (k % 2) asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(how.seed));
      else asm volatile("xor.b32 %0, %0, %1;" : "+r"(x) : "r"(how.units)))
CHAIN(chain_multiply, int, asm volatile("mad.lo.s32 %0, %0, %0, %0;" : "+r"(x)))
CHAIN(chain_fp32, float, asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x)))
CHAIN(chain_fp64, double, asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(x)))
CHAIN(chain_special, float, asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x)))
CHAIN(chain_to_int, float,
      asm volatile("{ .reg .s32 i; cvt.rzi.s32.f32 i, %0; mov.b32 %0, i; }" : "+f"(x)))
CHAIN(chain_shuffle, int, asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(x)))
CHAIN(chain_barrier, int, asm volatile("bar.sync 0;" : "+r"(x)::"memory"))

// By 1, of what isn't 0: very small numbers, and 0, take another way.
KERNEL(chain_divide) {
  float x = 1.0f + (float)(((const unsigned *)memory)[threadIdx.x % 32] % 64);
  float one = (float)(how.unit_log2 + 1);
  Watch since = begin();
  REPEAT(16) asm volatile("div.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(one));
  finish(since, spans, sink, (unsigned)x);
}

// A usual mix, in five chains: what a scheduler issues where nothing is waited for. A step is one
// instruction of 64; the loop's own are three.
KERNEL(mix) {
  unsigned a = ((const unsigned *)memory)[threadIdx.x % 32], b = a + how.n, c = a ^ how.n;
  float d = (float)a, e = d + 1;
  Watch since = begin();
#pragma unroll 1
  for (unsigned step = 0; step < how.steps; step += 64) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      asm volatile("add.s32 %0, %0, %1;" : "+r"(a) : "r"(how.seed));
      asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(d));
      asm volatile("mad.lo.s32 %0, %0, %0, %0;" : "+r"(b));
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(c) : "r"(how.seed));
      asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(e) : "f"(d));
      asm volatile("xor.b32 %0, %0, %1;" : "+r"(a) : "r"(how.units));
      asm volatile("shf.l.wrap.b32 %0, %0, %0, %1;" : "+r"(c) : "r"(how.n));
      asm volatile("mul.rn.f32 %0, %0, %1;" : "+f"(e) : "f"(d));
    }
  }
  finish(since, spans, sink, a + b + c + (unsigned)(d + e));
}

// A loop that ends by what it computes: n instructions, each after the other, then the comparison
// and the branch. A step is an iteration. What isn't known of the end is the sum.
template <int instructions>
static __device__ __forceinline__ void counted(const char *memory, Span *spans, unsigned *sink,
                                               const Job &how) {
  // 0, but of each lane as far as the compiler knows: uniform registers are another matter.
  unsigned zero = ((const unsigned *)memory)[threadIdx.x % 32] & how.seed & 0x80000000u, x = zero,
           one = zero + 1, sum = 0;
  unsigned end = how.steps * ((instructions + 1) / 2);
  Watch since = begin();
#pragma unroll 1
  do {
    sum += x;
#pragma unroll
    for (int k = 0; k < instructions; ++k)
      if (k % 2)
        asm volatile("xor.b32 %0, %0, %1;" : "+r"(x) : "r"(zero));
      else
        asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(one));
  } while (x != end);
  finish(since, spans, sink, sum);
}
KERNEL(loop_1) { counted<1>(memory, spans, sink, how); }
KERNEL(loop_2) { counted<2>(memory, spans, sink, how); }
KERNEL(loop_4) { counted<4>(memory, spans, sink, how); }
KERNEL(loop_8) { counted<8>(memory, spans, sink, how); }
KERNEL(loop_16) { counted<16>(memory, spans, sink, how); }

// --- launches ------------------------------------------------------------------------------------

KERNEL(empty) {}

// Blocks of different lengths, in nanoseconds, whose warps end together and leave the issue slots
// to others.
KERNEL(rest) {
  __shared__ long long began;
  long long start = now(), end = start;
  auto *span = &spans[warp_number()];
  unsigned on = multiprocessor();
  if (threadIdx.x == 0)
    began = start;
  __syncthreads();
  long long until = began + how.steps + scatter(blockIdx.x + how.seed) % how.steps;
  while (end < until) {
#if __CUDA_ARCH__ >= 700
    asm volatile("nanosleep.u32 40;");
#endif
    end = now();
  }
  if (threadIdx.x % 32 == 0)
    *span = {on, start, end, end - start};
}

// Runs for `steps` nanoseconds, or, with a seed, for up to as many more, by its block; start and
// end are in nanoseconds here.
// A block's first n warps do, or all.
KERNEL(stay) {
  if (how.n && threadIdx.x / 32 >= how.n)
    return;
  long long start = now(), until = start + how.steps, end = start;
  if (how.seed)
    until += scatter(blockIdx.x + how.seed) % how.steps;
  while (end < until)
    end = now();
  if (threadIdx.x % 32 == 0)
    spans[warp_number()] = {multiprocessor(), start, end, end - start};
}
