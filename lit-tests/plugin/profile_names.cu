// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What simplifies control flow leaves blocks their names, and gives none to a block that is executed
// less often; and a block that the optimiser saw nobody come to was executed never: each kernel gets
// its efficiency.
//
// DEFINE: %{kernel} =
// DEFINE: %{run} = %clang %cuda -w -O2 -D%{kernel} -S -emit-llvm names.cu -o device.ll \
// DEFINE:     -fplugin-arg-divcost-profile-generate \
// DEFINE:   && %opt -passes=verify -disable-output device.ll \
// DEFINE:   && %python %S/Inputs/one_lane.py device.ll > host.ll \
// DEFINE:   && %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c \
// DEFINE:     -x c %S/Inputs/one_warp.c -x none %profile-library -o run \
// DEFINE:   && rm -f counts.divprof && ./run counts.divprof \
// DEFINE:   && %python %S/Inputs/add_launches.py %repo/tools/tests counts.divprof _Z6kernelPi 32 8 \
// DEFINE:   && %clang %cuda -D%{kernel} -fsyntax-only names.cu -fplugin-arg-divcost-report=report.json \
// DEFINE:     -fplugin-arg-divcost-profile-use=counts.divprof -fplugin-arg-divcost-no-warn=all
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s names.cu
// REDEFINE: %{kernel} = CHAIN
// RUN: %{run} && FileCheck --check-prefix=CHAIN %s < report.json
// CHAIN: "by": "recorder"
// CHAIN: "efficiency": 0.36
// REDEFINE: %{kernel} = GUARD
// RUN: %{run} && FileCheck --check-prefix=GUARD %s < report.json
// GUARD: "by": "recorder"
// GUARD: "efficiency": 0.9
// REDEFINE: %{kernel} = GONE
// RUN: %{run} && FileCheck --check-prefix=GONE %s < report.json
// GONE: "by": "recorder"
// GONE: "efficiency": 0.49

#if CHAIN
// Tests in a row, which are one, and of which the last decides where the caller goes.
__device__ bool has_four(unsigned row) {
  if (row & row >> 1 & 21)
    return true;
  if (row & row >> 2 & 9)
    return true;
  if (row & row >> 3 & 5)
    return true;
  return (row & row >> 4 & 3) != 0;
}

__global__ void kernel(int *out) {
  unsigned row = threadIdx.x * 77 + 3;
  int rounds = 0;
  for (; rounds < 40; ++rounds) {
    if (has_four(row & ~row >> 5))
      break;
    out[threadIdx.x] += rounds;
    row = row * 1664525 + 1013904223;
  }
  out[threadIdx.x] = rounds;
}
#elif GUARD
// A test of several values, and of something else, becomes a branch and a switch.
__global__ void kernel(int *out) {
  int x = threadIdx.x, y = blockIdx.x;
  if (x == 0 || x == 31 || y == 512)
    return;
  int sum = out[x] / 3 + out[x + 1] / 5 + out[x - 1] / 7 + out[x ^ 1] / 9;
  sum += (sum / 11 ^ x) / 13 + (sum / 17 ^ x) / 19;
  out[x] = sum / 23;
}
#else
// The first call sees to it that the second finds what it would compute.
struct state {
  int kept;
  bool has;
};

__device__ int compute(int seed, int *out) {
  if (seed & 1)
    out[seed & 31] = seed / 3;
  return seed * 7 + out[seed & 31];
}

__device__ int next(state &of, int seed, int *out) {
  if (!of.has) {
    of.kept = compute(seed, out);
    of.has = true;
    return of.kept / 5;
  }
  of.has = false;
  return of.kept;
}

__global__ void kernel(int *out) {
  state of = {0, false};
  int x = threadIdx.x, sum = 0;
  for (int k = 0; k < (x & 7); ++k) {
    sum += next(of, x + k, out);
    sum += next(of, x, out);
  }
  out[x] = sum;
}
#endif
