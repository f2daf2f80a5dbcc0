// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole way without a GPU: instrumented device code runs on the host, each thread as a warp of
// one lane (Inputs/one_lane.py); the recorder writes a profile, and the next compilation uses it. The
// counts are those of counters written by hand.
//
// DEFINE: %{level} =
// DEFINE: %{option} =
// DEFINE: %{build} = %clang %cuda -w %{level} -S -emit-llvm run.cu -o device.ll %{option} \
// DEFINE:   && %opt -passes=verify -disable-output device.ll \
// DEFINE:   && %python %S/Inputs/one_lane.py device.ll > host.ll \
// DEFINE:   && %plain-clang -w -O1 -x ir host.ll -x c %S/Inputs/one_lane.c -x c %S/Inputs/profile_run.c -x none \
// DEFINE:     %profile-library -o run
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s run.cu
// REDEFINE: %{level} = -O2
// REDEFINE: %{option} = -fplugin-arg-divcost-profile-generate
// RUN: %{build}
// RUN: ./run out.divprof > by_hand && %divcost profile show --json out.divprof > shown.json
// RUN: %python %S/Inputs/compare_counts.py shown.json by_hand | FileCheck --check-prefix=DIVERGENT %s
// DIVERGENT: 4 loops equal
// RUN: %divcost profile show out.divprof | FileCheck %s
// CHECK: 4 loops, 1 run
// CHECK: loop 0 of kernel, in _Z6kernelPiPKii{{$}}
// CHECK-NEXT: entered by 128 warps with 128 lanes
// CHECK: loop 0 of inner, in _Z6kernelPiPKii by kernel:4:15
//
// A second run is added.
// RUN: ./run out.divprof > by_hand && %divcost profile show --json out.divprof > shown.json
// RUN: %python %S/Inputs/compare_counts.py shown.json by_hand 2 | FileCheck --check-prefix=DIVERGENT %s
//
// Every loop, whatever is optimised.
// REDEFINE: %{option} = -fplugin-arg-divcost-profile-check
// REDEFINE: %{level} = -O0
// RUN: %{build}
// RUN: ./run check0.divprof > by_hand && %divcost profile show --json check0.divprof > shown.json
// RUN: %python %S/Inputs/compare_counts.py shown.json by_hand | FileCheck --check-prefix=ALL %s
// ALL: 5 loops equal
// REDEFINE: %{level} = -O3
// RUN: %{build}
// RUN: ./run check3.divprof > by_hand && %divcost profile show --json check3.divprof > shown.json
// RUN: %python %S/Inputs/compare_counts.py shown.json by_hand | FileCheck --check-prefix=ALL %s
//
// With the profile, the loops' distributions are the counts.
// RUN: %clang %cuda -fplugin-arg-divcost-no-warn=all -fsyntax-only run.cu -fplugin-arg-divcost-profile-use=out.divprof \
// RUN:   -fplugin-arg-divcost-report=unit.txt 2>&1 | count 0
// RUN: tr -s ' \n' ' ' < unit.txt | FileCheck --check-prefix=USE %s
// USE-COUNT-4: histogram("out.divprof", {{[01]}}:
//
// An edit of the function makes it stale; one elsewhere doesn't, nor does another layout.
// RUN: sed -e 's/^.. EDIT/__device__ int more(int x) { return x; }/' -e 's,/[*][*]/,// so\n,' run.cu > other.cu
// RUN: %clang %cuda -fplugin-arg-divcost-no-warn=all -fsyntax-only other.cu -fplugin-arg-divcost-profile-use=out.divprof \
// RUN:   -fplugin-arg-divcost-report=unit.txt 2>&1 | count 0
// RUN: tr -s ' \n' ' ' < unit.txt | FileCheck --check-prefix=USE %s
// RUN: sed -e 's/out.j. == 3/out[j] == 4/' run.cu > other.cu
// RUN: %clang %cuda -fsyntax-only other.cu -fplugin-arg-divcost-no-warn=all \
// RUN:   -fplugin-arg-divcost-profile-use=out.divprof -fplugin-arg-divcost-report=unit.txt 2>&1 \
// RUN:   | FileCheck --check-prefix=STALE %s
// STALE: warning: divcost: profile 'out.divprof' is stale for kernel 'kernel(int*, int const*, int)': function 'kernel' has changed since, so 3 loops go without counts
// RUN: grep -c 'histogram("out.divprof"' unit.txt | FileCheck --check-prefix=ONE %s
// ONE: {{^1$}}
//
// What can't be read is an error with its place.
// RUN: head -c 100 out.divprof > short.divprof
// RUN: not %clang %cuda -fsyntax-only run.cu -fplugin-arg-divcost-profile-use=short.divprof 2>&1 \
// RUN:   | FileCheck --check-prefix=SHORT %s
// SHORT: error: divcost: profile 'short.divprof': byte 100: cut off: the file should have

// EDIT
__device__ int inner(const int *p, int n) {
  int s = 0;
  for (int k = 0; k < n; ++k)
    s += p[k];
  return s;
}

__global__ void kernel(int *out, const int *bound, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < bound[i]; ++j) {
    if (out[j] == 3) /**/ break;
    out[i] += inner(bound, out[j] & 7);
  }
  int w = bound[i];
  while (w > 0 && out[w % 64] >= 0) {
    if (w % 5 == 2) {
      w -= 2;
      continue;
    }
    --w;
  }
  do
    out[i] ^= bound[++w & 127] & 1;
  while (w < bound[127 - i]);
  for (int j = 0; j < n; ++j) { // alike in all lanes, but for the memory that decides
    out[j] += 2;
    if (out[j] > 1000000)
      return;
  }
}
