// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose lanes stay together until they leave isn't asked who leads: it is unrolled as without
// counters, and lanes that entered together hand over together, with the greatest trip count. Loops
// that may part lanes are asked. Behind those that may let lanes wait for each other, nobody waits.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s lead.cu
// RUN: %clang %cuda -w -O2 -S -emit-llvm lead.cu -o device.ll -fplugin-arg-divcost-profile-generate
// RUN: not grep -q __divcost_lead device.ll && %opt -passes=verify -disable-output device.ll
// RUN: %python %S/Inputs/handed_over.py device.ll | FileCheck --match-full-lines %s
// At the kernel's start, and in front of the loop:
// CHECK: kernel 2 rejoin
// CHECK-NEXT: unrolled 2 rejoin
// What is behind the first condition is counted, too, in no round of the loop:
// CHECK-NEXT: conditions 4 rejoin sync sync visits visits
// Also in the loop, and behind it:
// CHECK-NEXT: lock 4 leave
// CHECK-NEXT: flags 4 leave
// CHECK-NEXT: branches 5 meet visits
// A loop in another one remembers what was handed over last, and repeats it.
// CHECK-NEXT: nested 7 meet rejoin repeat repeat
// Two ways out of a loop, with code of their own, come to one place.
// CHECK-NEXT: ways 5 rejoin visits
// Who leads behind a loop that lanes left one by one isn't who led in that loop's last round, but at
// the start: there, and in front of the loop.
// CHECK-NEXT: behind 2 rejoin
// CHECK-NEXT: calls 4 leave
//
// RUN: %plain-clang %cuda -w -O2 -S -emit-llvm lead.cu -o plain.ll
// RUN: sed -n '/define.*unrolled/,/^}/p' device.ll | grep -c 'fadd' > counted
// RUN: sed -n '/define.*unrolled/,/^}/p' plain.ll | grep -c 'fadd' | diff counted -
//
// Without the optimiser, conditions are branches.
// RUN: %clang %cuda -w -O0 -S -emit-llvm lead.cu -o device0.ll -fplugin-arg-divcost-profile-generate
// RUN: not grep -q __divcost_lead device0.ll && %opt -passes=verify -disable-output device0.ll
// RUN: %python %S/Inputs/handed_over.py device0.ll | FileCheck --match-full-lines --check-prefix=SLOW %s
// SLOW: kernel 2 rejoin
// SLOW: conditions 6 meet visits visits
//
// However lanes are scheduled: 8 launches of 32 lanes that run up to 9 iterations, and up to 8 in
// which some go one way and some another, so that they are parted. All entries are complete; where
// who leads is asked, lanes that are parted are counted apart.
// RUN: %clang %cuda -w -O2 -S -emit-llvm -DLOOPS lead.cu -o device.ll -fplugin-arg-divcost-profile-generate
// RUN: %python %S/Inputs/one_lane.py device.ll > host.ll
// RUN: %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c \
// RUN:     -x c %S/Inputs/one_warp.c -x none %profile-library -o run
// RUN: ./run counts.divprof && %divcost profile show --json counts.divprof \
// RUN:   | %python -c "import json, sys; [print(l['entries'], l['pairs'], l['iterations'], l['warp_iterations']) for l in json.load(sys.stdin)['loops']]" \
// RUN:   | FileCheck --check-prefix=WARP %s
// WARP: 8 3968 1088.0 72
// WARP-NEXT: 8 3968 1440.0 {{6[4-9]|7[0-9]}}
// Five entries alike, and five of other trip counts; then the same with one trip count in all lanes,
// which is repeated.
// WARP-NEXT: 80 39680 8960.0 400
// WARP-NEXT: 80 39680 5120.0 160

__global__ void kernel(int *out) {
  int lane = threadIdx.x;
  for (int k = 0; k < lane % 10; ++k)
    out[lane] += k;
#ifdef LOOPS
  for (int k = lane % 6; k < 8; ++k)
    if (k % 3 == lane % 2)
      out[lane] += out[(out[lane] & 31) ^ k] / (k + 3);
  for (int round = 0; round < 10; ++round)
    for (int k = 0; k < lane % 4 + round / 5 * 2 + 1; ++k)
      out[lane] += k ^ round;
  for (int round = 0; round < 10; ++round)
    for (int k = 0; k < round / 5 * 2 + 1 + (out[lane] == 123456789); ++k)
      out[lane] ^= k + round;
#endif
}
#ifndef LOOPS
__global__ void unrolled(float *out, const float *__restrict__ in, const int *__restrict__ bound) {
  float sum = 0;
  for (int k = 0; k < bound[threadIdx.x]; ++k)
    sum += in[k];
  out[threadIdx.x] = sum;
}
__global__ void conditions(int *out, const int *__restrict__ in) {
  int k = threadIdx.x;
  while (k < 1000 && in[k] != 7) {
    ++k;
    if (in[k] == 3)
      break;
  }
  out[threadIdx.x] = k;
}
__global__ void lock(int *at) {
  while (__sync_val_compare_and_swap(at, 0, 1) != 0) {
  }
  *at = 0;
}
__global__ void flags(volatile int *at) {
  while (at[threadIdx.x] == 0) {
  }
}
__global__ void branches(int *out, const int *__restrict__ in) {
  for (int k = 0; k < in[threadIdx.x]; ++k)
    if (in[k + 1] % 3 == 0)
      out[k] += in[in[in[k]]];
}
__global__ void nested(int *out, const int *__restrict__ in) {
  for (int k = 0; k < in[threadIdx.x]; ++k)
    for (int j = 0; j < in[k + threadIdx.x]; ++j)
      out[j] += in[j] / (k + 1);
}
__global__ void ways(int *out, const int *__restrict__ in) {
  int k = threadIdx.x, found = 0;
  for (; k < 1000; ++k)
    if (in[k] == 7) {
      found = out[k] / 3;
      break;
    }
  out[threadIdx.x] = found + k;
}
__global__ void behind(int *out, const int *__restrict__ in, int n) {
  int k = threadIdx.x;
  do
    k = in[k];
  while (k > 7);
  for (int j = 0; j < n; ++j)
    out[threadIdx.x] += in[k + j] / (j + 1);
}
__device__ __attribute__((noinline)) int other(int k) { return k * k; }
__global__ void calls(int *out, const int *__restrict__ in) {
  for (int k = 0; k < in[threadIdx.x]; ++k)
    out[k] += other(k);
}
#endif
