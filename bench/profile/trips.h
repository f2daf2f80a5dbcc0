// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counters as one would write them by hand, to compare the recorder's with: in front of a loop
//
//   Trips trips(hand_counts, __LINE__ + 1);
//
// and as the first statement of its body trips.next(). At the end of the scope around, whichever
// way that is left, the count of this entry of this lane goes to a histogram in global memory.
#ifndef DIVCOST_BENCH_TRIPS_H
#define DIVCOST_BENCH_TRIPS_H

#include <cstdio>

namespace hand {
enum { LINES = 128, EXACT = 1024, BINS = EXACT + 2 }; // then: entries beyond, and their sum
typedef unsigned long long Counts[LINES][BINS];

struct File {
  File(const char *name, const void *symbol) : name(name), symbol(symbol), next(first) {
    first = this;
  }
  const char *name;
  const void *symbol;
  File *next;
  static inline File *first = nullptr;
};

// Lines "file line trips entries", and "file line + entries sum" for those beyond.
inline void print(FILE *out) {
  static Counts counts;
  for (File *file = File::first; file; file = file->next) {
    void *address;
    if (cudaGetSymbolAddress(&address, file->symbol) != cudaSuccess ||
        cudaMemcpy(counts, address, sizeof counts, cudaMemcpyDeviceToHost) != cudaSuccess) {
      fprintf(out, "%s: the counters cannot be read\n", file->name);
      continue;
    }
    for (int line = 0; line < LINES; ++line) {
      for (int trips = 0; trips < EXACT; ++trips)
        if (counts[line][trips])
          fprintf(out, "%s %d %d %llu\n", file->name, line, trips, counts[line][trips]);
      if (counts[line][EXACT])
        fprintf(out, "%s %d + %llu %llu\n", file->name, line, counts[line][EXACT],
                counts[line][EXACT + 1]);
    }
  }
}
} // namespace hand

class Trips {
public:
  __device__ Trips(hand::Counts &counts, int line) : row(counts[line]) {}
  __device__ ~Trips() {
    atomicAdd(&row[count < hand::EXACT ? count : (int)hand::EXACT], 1ull);
    if (count >= hand::EXACT)
      atomicAdd(&row[hand::EXACT + 1], (unsigned long long)count);
  }
  __device__ void next() { ++count; }

private:
  unsigned long long *row;
  unsigned count = 0;
};

#define HAND_COUNTED(name)                                                                         \
  static __device__ hand::Counts hand_counts;                                                      \
  static hand::File hand_file(name, &hand_counts);

#endif
