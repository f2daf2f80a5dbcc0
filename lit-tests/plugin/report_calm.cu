// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops beside each other that lose nothing share a line in the report for people, if there are more
// than three; those around one that loses, and those of which something is to be said, don't.
//
// The source is named relative to its folder, so that no long path breaks the lines.
//
// RUN: cd %S && %clang %cuda -fsyntax-only -w report_calm.cu -fplugin-arg-divcost-report=%t.json
// RUN: %divcost report %t.json | FileCheck --implicit-check-not="nothing" %s
// CHECK-LABEL: many(
// CHECK: report_calm.cu:28:3  uniform loop, nothing lost
// CHECK: report_calm.cu:29:5  loses
// CHECK: report_calm.cu:25:3  loses
// CHECK: and 5 more loops that lose nothing
// CHECK-LABEL: calm(
// CHECK: 4 loops that lose nothing
// CHECK-LABEL: few(
// CHECK-COUNT-3: uniform loop, nothing lost

// Each is a loop of its own.
#define CALM for (int i = 0; i < n; ++i) x[i] += 1.5f

__global__ void many(float *x, const int *bound, int n) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    x[i] += 1;
  CALM; CALM; CALM;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < bound[threadIdx.x + i]; ++j)
      x[j] += i;
  for (int i = 0; i < n; ++i)
    CALM;
}
__global__ void calm(float *x, int n) {
  CALM; CALM; CALM; CALM;
}
__global__ void few(float *x, int n) {
  CALM; CALM; CALM;
}
