// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of all shapes are counted as the source means it, at every -O, through templates, lambdas,
// macros, ranges, and every way out. Counts are compared with counters written by hand.
//
// DEFINE: %{level} =
// DEFINE: %{build} = %clang %cuda -w %{level} -S -emit-llvm -o device.ll shapes.cu \
// DEFINE:     -fplugin-arg-divcost-profile-check \
// DEFINE:   && %opt -passes=verify -disable-output device.ll \
// DEFINE:   && %python %S/Inputs/one_lane.py device.ll > host.ll \
// DEFINE:   && %plain-clang -w -O1 -x ir host.ll -x c %S/Inputs/one_lane.c -x c++ -DBY_HAND shapes.cu \
// DEFINE:     -x none %profile-library -o run \
// DEFINE:   && rm -f out.divprof && ./run out.divprof > by_hand \
// DEFINE:   && %divcost profile show --json out.divprof > shown.json \
// DEFINE:   && %python %S/Inputs/compare_counts.py shown.json by_hand
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s shapes.cu
// REDEFINE: %{level} = -O0
// RUN: %{build} | FileCheck %s
// REDEFINE: %{level} = -O1
// RUN: %{build} | FileCheck %s
// REDEFINE: %{level} = -O3 -g
// RUN: %{build} | FileCheck %s
// CHECK: 17 loops equal

// By hand: COUNT in front of a loop with its name in a profile, TRIP first in its body.
#ifdef BY_HAND
#include <cstdio>
#define __device__
#define __global__ extern "C"
#define __noinline__
struct Entry {
  const char *function;
  int number, trips = 0;
  Entry(const char *function, int number) : function(function), number(number) {}
  ~Entry() { printf("%s %d %d\n", function, number, trips); }
};
#define COUNT(function, number) Entry entry##number(#function, number);
#define COUNT_STEP(number) Entry entry##number(Step == 1 ? "add<1U>" : "add<2U>", number);
#define TRIP(number) ++entry##number.trips;
static unsigned thread;
#define THREAD thread
namespace by_hand {
#else
#define COUNT_STEP(number)
#define COUNT(function, number)
#define TRIP(number)
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)
#endif

#define EACH(i, n) for (unsigned i = 0; i < (n); ++i)

template <unsigned Step> __device__ unsigned add(const unsigned *p, unsigned n) {
  unsigned sum = 0;
  COUNT_STEP(0)
  for (unsigned k = 0; k < n; k += Step) {
    TRIP(0)
    sum += p[k];
  }
  return sum;
}

__device__ unsigned first_of(const unsigned *p, unsigned n, unsigned wanted) {
  COUNT(first_of, 0)
  for (unsigned k = 0; k < n; ++k) {
    TRIP(0)
    if (p[k] == wanted)
      return k;
    COUNT(first_of, 1)
    for (unsigned j = 0; j < p[k] % 3; ++j) {
      TRIP(1)
      if (p[j] == wanted + 7)
        return j;
    }
  }
  return n;
}

struct Range {
  const unsigned *from, *to;
  __device__ const unsigned *begin() const { return from; }
  __device__ const unsigned *end() const { return to; }
};

__global__ void shapes(unsigned *out, const unsigned *p) {
  unsigned i = THREAD, n = p[i] % 23, x = p[i], sum = 0;
  {
    COUNT(shapes, 0)
    for (;;) {
      TRIP(0)
      if (x % 7 == 3)
        break;
      if (x > 4000000)
        break;
      x = x * 3 + 1;
    }
  }
  {
    COUNT(shapes, 1)
    while (n > 2 && (x ^ n) % 5 != 1 || x % 64 == 1) {
      TRIP(1)
      --n, x /= 3;
      if (n % 4 == 0)
        continue;
      sum += x;
    }
  }
  {
    COUNT(shapes, 2)
    do {
      TRIP(2)
      sum += p[n % 64];
      if (n % 9 == 8)
        continue;
      ++x;
    } while (n-- > 3 && n < 100);
  }
  {
    Range range = {p, p + x % 13};
    COUNT(shapes, 3)
    for (unsigned value : range) {
      TRIP(3)
      sum ^= value;
    }
  }
  {
    COUNT(shapes, 4)
    EACH(k, x % 11) {
      TRIP(4)
      COUNT(shapes, 5)
      EACH(j, k)
      {
        TRIP(5)
        if (p[j] % 31 == 0)
          goto out_of_both;
        sum += p[j];
      }
    }
  }
out_of_both : {
  COUNT(shapes, 6)
  for (unsigned k = 0; k < 40; ++k) {
    TRIP(6)
    switch (p[k % 64] % 5) {
    case 0:
      continue;
    case 1:
      sum += 3;
    case 2:
      k += x % 3;
      break;
    default:
      sum += k;
    }
  }
}
  auto lambda = [&](unsigned most) {
    COUNT(operator(), 7)
    for (unsigned k = most; k; k &= k - 1) {
      TRIP(7)
      sum += k;
    }
    return sum;
  };
  sum += lambda(p[i % 64]) + lambda(i);
  sum += add<1>(p, x % 17) + add<2>(p, x % 19) + add<1>(p, 5);
  sum += first_of(p, 40, p[x % 64]);
  {
    COUNT(shapes, 8)
    while (unsigned rest = x % 16) {
      TRIP(8)
      x -= rest & -rest;
    }
  }
  {
    COUNT(shapes, 9)
    for (unsigned k = i; k < 200; k += 64) {
      TRIP(9)
      sum += p[k % 64];
    }
  }
  {
    COUNT(shapes, 10)
    for (unsigned k = 0; k < 4; ++k) { // constant: unrolled completely
      TRIP(10)
      sum += p[k];
    }
  }
  {
    COUNT(shapes, 11)
    while (true) {
      TRIP(11)
      if (p[(x + 3) % 64] % 2)
        break;
      COUNT(shapes, 12)
      do {
        TRIP(12)
        ++x;
      } while (x % 5);
    }
  }
  out[i] = sum;
}

#ifdef BY_HAND
} // namespace by_hand
extern "C" unsigned one_lane_tid, one_lane_ctaid;
extern "C" void _Z6shapesPjPKj(unsigned *out, const unsigned *p);
extern "C" void run() {
  static unsigned p[128], by_device[128], expected[128];
  for (unsigned k = 0; k < 128; ++k)
    p[k] = k * 2654435761u % 1000003;
  for (thread = 0; thread < 128; ++thread) {
    one_lane_tid = thread % 64;
    one_lane_ctaid = thread / 64;
    _Z6shapesPjPKj(by_device, p);
    by_hand::shapes(expected, p);
    if (by_device[thread] != expected[thread])
      printf("thread %u differs\n", thread);
  }
}
#endif
