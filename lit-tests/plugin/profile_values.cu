// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parameters have the values of the recorded launches, if it was one in all of them, as long as they
// are called as they were, and nothing else tells.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s values.cu
// RUN: %clang %cuda -w -O2 -S -emit-llvm values.cu -o device.ll -fplugin-arg-divcost-profile-generate
// DEFINE: %{recorded} =
// DEFINE: %{more} =
// DEFINE: %{show} = %python %S/Inputs/pretend_values.py device.ll a.divprof _Z6kernelPixixh %{recorded} \
// DEFINE:   && %clang %cuda -w -fsyntax-only values.cu -fplugin-arg-divcost-profile-use=a.divprof \
// DEFINE:      -fplugin-arg-divcost-report=unit.json %{more} && %divcost report unit.json
//
// REDEFINE: %{recorded} = 0:extent:4096 1:integer:-3 2:integer:7 3:integer:4294967296 4:integer:-56
// RUN: %{show} | FileCheck --check-prefix=ALL %s
// ALL: block 64 threads, from the profile
// ALL: values large = -3, n = 7, step = 4294967296, small = 200, as launched
// RUN: FileCheck --check-prefix=EXTENT %s < unit.json
// EXTENT: "extents": {{\[ *\[ *0, *4096 *\] *\]}}
//
// Two values; and an extent that is known of few launches.
// REDEFINE: %{recorded} = 0:extent:4096:3 2:integer:7:5 2:integer:8:3 3:integer:1
// RUN: %{show} | FileCheck --check-prefix=SEVERAL %s
// SEVERAL: values step = 1, as launched
// RUN: not grep extents unit.json
//
// What a pragma says is taken; and parameters changed places.
// REDEFINE: %{more} = -DTOLD
// REDEFINE: %{recorded} = 2:integer:7
// RUN: %{show} | FileCheck --check-prefix=TOLD %s
// TOLD: values n = 20, as launched
// REDEFINE: %{more} = -DFIRST=step -DSECOND=large
// RUN: %{show} 2>&1 | FileCheck --check-prefix=CHANGED %s
// CHANGED-NOT: as launched

#ifndef FIRST
#define FIRST large
#define SECOND step
#endif
#ifdef TOLD
#pragma divcost launch(n = 20)
#endif
__global__ void kernel(int *out, long long FIRST, int n, long long SECOND,
                       unsigned char small) {
  for (int i = threadIdx.x; i < n; ++i)
    out[i * step] += large + small;
}
