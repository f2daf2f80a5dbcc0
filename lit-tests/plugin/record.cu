// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is in the optimisation record too: findings by their rule, loops by their
// class.
//
// RUN: %clang %cuda -O2 -S -o /dev/null %s -w -fsave-optimization-record \
// RUN:   -foptimization-record-file=%t.yaml -foptimization-record-passes=divcost
// RUN: tr -d '\n' < %t.yaml | sed 's/--- !/\n--- !/g' | FileCheck %s
//
// CHECK: --- !Analysis
// CHECK-SAME: Pass: {{ *}}divcost
// CHECK-SAME: Name: {{ *}}data-dependent
// CHECK-SAME: DebugLoc: {{.*}}record.cu', {{ *}}Line: [[# @LINE + 12]], {{ *}}Column: 3 }
// CHECK-SAME: Function: {{ *}}_Z6kernelPiPKii
// CHECK-SAME: loop may run a different number of iterations in each lane
// CHECK: --- !Analysis
// CHECK-SAME: Pass: {{ *}}divcost
// CHECK-SAME: Name: {{ *}}data-dependent-loop
//
// Nothing is said of uniform loops.
// CHECK-NOT: uniform loop

#pragma divcost launch(block=64, n=4)
__global__ void kernel(int *out, const int *bound, int n) {
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += i;
  for (int i = 0; i < n; ++i)
    out[i] *= 3;
}
