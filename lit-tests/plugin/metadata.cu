// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distribution of an annotated loop is in the IR, survives the optimiser where the loop does, is
// read back by the pass, and changes no code.
//
// RUN: %clang %cuda -O2 -w -S -emit-llvm -o %t.ll %s
// RUN: FileCheck %s < %t.ll
// CHECK: br i1 {{.*}} !llvm.loop ![[ID:[0-9]+]]
// CHECK: ![[ID]] = distinct !{![[ID]], {{.*}}![[TRIPS:[0-9]+]]}
// CHECK: ![[TRIPS]] = !{!"divcost.trips", !"geometric(0.1)", !"annotated"}
//
// RUN: %opt -passes='divcost<print>' -disable-output %t.ll 2>/dev/null | FileCheck --check-prefix=READ %s
// READ: loop {{.*}} annotated geometric(0.1)
//
// RUN: %clang %cuda -O2 -w -S -o %t.with.s %s
// RUN: %plain-clang %cuda -O2 -w -S -o %t.without.s %s
// RUN: cmp %t.with.s %t.without.s

__global__ void kernel(int *out, const int *bound) {
#pragma divcost trips(geometric(0.1))
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += bound[i];
}
