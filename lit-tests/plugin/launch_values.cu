// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of parameters in a launch pragma make trip counts that depend on them known, in the
// estimate and in both reports; also without a shape, and where the option gives another one.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=unit.json
// RUN: %divcost report unit.json | tr -s ' \n' ' ' > unit.txt
// RUN: FileCheck %s < unit.txt
// CHECK-DAG: triangle(int, float*, long) at {{[^ ]+}} block 32 threads, from the pragma at launch_values.cu:20:17 values n = 20, steps = -3, as launched efficiency {{[^a-z]*}}expected, {{[^a-z]*}}certain branches
// CHECK-DAG: trips max(n - threadIdx.x, 0) derived from the code for this launch; mean 6.56
// CHECK-DAG: plain(int, float*) at {{[^ ]+}} block 256 threads, assumed values n = 8, as launched efficiency {{[^a-z]*}}expected, {{[^a-z]*}}certain branches
// RUN: grep -c '"values": \[{"name": "n", "position": 0, "value": 20}, {"name": "steps", "position": 2, "value": -3}\]' unit.json
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-block=64 -fplugin-arg-divcost-report=option.txt
// RUN: tr -s ' \n' ' ' < option.txt | FileCheck --check-prefix=OPTION %s
// OPTION: triangle(int, float*, long) at {{[^ ]+}} block 64 threads, from the option values n = 20, steps = -3, as launched

#pragma divcost launch(block=32, grid=1, n=20, steps=-3)
__global__ void triangle(int n, float *out, long steps) {
  for (int j = threadIdx.x; j < n; ++j)
    out[j] += steps;
}

#pragma divcost launch(n=8)
__global__ void plain(int n, float *out) {
  for (int j = threadIdx.x; j < n; ++j)
    out[j] += 1;
}
