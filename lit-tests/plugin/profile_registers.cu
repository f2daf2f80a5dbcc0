// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The largest blocks find room in a kernel that is recorded: those that it is launched with, or, where
// nobody tells, those of 1024 threads. And half as many warps as without recording do.
//
// REQUIRES: llvm-22
// RUN: %clang %cuda -w -O2 -S %s -o %t.s -fplugin-arg-divcost-profile-generate=%t.divprof
// RUN: FileCheck %s < %t.s

// CHECK-LABEL: .entry _Z6kernelPiPKii(
// CHECK: .maxnreg 64
// CHECK-NEXT: {
__global__ void kernel(int *out, const int *bound, int n) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += n;
}

// CHECK-LABEL: .entry _Z7boundedPiPKii(
// CHECK-NOT: .maxnreg
__global__ void __launch_bounds__(128) bounded(int *out, const int *bound, int n) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += n;
}

// It is launched with smaller ones.
// CHECK-LABEL: .entry _Z4tilePfPKfPKi(
// CHECK: .maxnreg 128
// CHECK-NEXT: {
__global__ void tile(float *out, const float *in, const int *bound) {
  float sums[8][8];
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      sums[i][j] = 0;
  for (int k = 0; k < bound[threadIdx.x]; ++k)
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; ++j)
        sums[i][j] += in[k + i] * in[k + 8 + j];
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      out[i * 8 + j] = sums[i][j];
}
void launch(float *out, const float *in, const int *bound) { tile<<<1, 400>>>(out, in, bound); }

// CHECK-LABEL: .entry _Z5smallPiPKii(
// CHECK: .maxnreg 64
// CHECK-NEXT: {
__global__ void small(int *out, const int *bound, int n) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] -= n;
}
void launch(int *out, const int *bound) { small<<<1, 256>>>(out, bound, 3); }

// CHECK-LABEL: .entry _Z5stackPiPKi(
// CHECK: .maxnreg 64
// CHECK-NEXT: {
__global__ void stack(int *out, const int *in) {
  int waiting[64], top = 0;
  waiting[top++] = 0;
  while (top) {
    int at = waiting[--top];
    out[threadIdx.x] += in[at];
    if (in[at + 1])
      waiting[top++ & 63] = in[at + 2];
  }
}

// What a kernel calls has as many registers as it needs, where others can call it, too: nvlink
// links no kernel with fewer.
// RUN: %clang %cuda -fgpu-rdc -DCALLS -w -O2 -S %s -o %t.s -fplugin-arg-divcost-profile-generate=%t.divprof
// RUN: FileCheck --check-prefix=CALLS %s < %t.s
#ifdef CALLS
// CALLS-LABEL: .entry _Z6kernelPiPKii(
// CALLS: .maxnreg 64
// CALLS-LABEL: .entry _Z7callingPiPKi(
// CALLS-NOT: .maxnreg
__device__ int called(int *out, int i) {
  return i > 1 ? called(out, i / 2) + called(out, i / 3) : out[i];
}
__global__ void calling(int *out, const int *bound) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += called(out, i);
}
#endif
