// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops whose iterations wait for memory: in each, a lane loads where the next row is. All lanes of
// a warp walk the same rows, one row after the other; where in a row a lane loads is its place, so
// the places say how many sectors a warp touches. Walks of 1 or 4 rows at a time, through the L1
// cache (ca) or past it (cg).
//
// A warp does `items` loops one after the other. The trip counts of loop j are `times` times the
// row of `trips` numbered (warp * items + j) modulo the number of rows, a power of two.

struct Walk {
  int rows_log2;       // of memory: 4096 bytes each
  int lanes_log2;      // 1 << this neighbouring lanes load from the same place
  int spacing;         // bytes from one place to the next, a multiple of 32
  int trips_rows_log2; // each of 32 counts
  int items, times;
  int warm; // rows that each warp loads before it starts: the working set of the L1 cache, or 0
};

struct Span {
  long long start, end;
};

enum { ROW_LOG2 = 12 };

template <bool cached> static __device__ __forceinline__ unsigned load(const char *at) {
  unsigned value;
  if (cached)
    asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at));
  else
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(at));
  return value;
}

template <bool cached, int loads>
static __device__ __forceinline__ void walk(const char *memory, const unsigned short *trips,
                                            Span *spans, unsigned *ends, Walk how) {
  unsigned lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const char *place = memory + (lane >> how.lanes_log2) * how.spacing;
  unsigned mask = (1u << how.rows_log2) - 1, row[loads], sum = 0;
#pragma unroll 1
  for (int r = 0; r < how.warm; ++r)
    sum += load<cached>(place + ((unsigned long long)r << ROW_LOG2));
  __syncthreads();
  long long start = clock64();
#pragma unroll 1
  for (int item = 0; item < how.items; ++item) {
    unsigned number = warp * how.items + item;
    int limit = trips[(number & ((1u << how.trips_rows_log2) - 1)) * 32 + lane] * how.times;
    for (int l = 0; l < loads; ++l) // far from each other
      row[l] = (number * 2654435761u + l * 1013904223u) >> 7 & mask;
#pragma unroll 1
    for (int i = 0; i < limit; ++i) {
#pragma unroll
      for (int l = 0; l < loads; ++l)
        row[l] = load<cached>(place + ((unsigned long long)row[l] << ROW_LOG2));
    }
    __syncwarp();
    for (int l = 0; l < loads; ++l)
      sum += row[l];
  }
  if (lane == 0)
    spans[warp] = {start, clock64()};
  ends[warp * 32 + lane] = sum;
}

#define WALK(name, cached, loads)                                                                  \
  extern "C" __global__ void name(const char *memory, const unsigned short *__restrict__ trips,    \
                                  Span *__restrict__ spans, unsigned *__restrict__ ends,           \
                                  Walk how) {                                                      \
    walk<cached, loads>(memory, trips, spans, ends, how);                                          \
  }
WALK(walk_ca_1, true, 1)
WALK(walk_ca_4, true, 4)
WALK(walk_cg_1, false, 1)
WALK(walk_cg_4, false, 4)
