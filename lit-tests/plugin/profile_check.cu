// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checked builds report each loop that is left with other trip counts than its level allows, and no
// other: here the threads of one launch run with different arguments.
//
// DEFINE: %{wrong} =
// DEFINE: %{build} = %plain-clang -w -O1 %{wrong} -x ir host.ll -x c %S/Inputs/one_lane.c -x c %S/Inputs/profile_check.c -x none \
// DEFINE:     %profile-library -o run
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s check.cu
// RUN: %clang %cuda -w -O2 -S -emit-llvm check.cu -o device.ll -fplugin-arg-divcost-profile-check
// RUN: %opt -passes=verify -disable-output device.ll
// RUN: %python %S/Inputs/one_lane.py device.ll > host.ll
// RUN: %{build}
// RUN: ./run right.divprof 2>&1 | count 0
// RUN: %divcost profile show right.divprof | FileCheck --implicit-check-not=WRONG %s
// CHECK: 5 loops, 1 run
// REDEFINE: %{wrong} = -DWRONG
// RUN: %{build}
// RUN: ./run wrong.divprof 2>&1 | FileCheck --check-prefix=WRONG --implicit-check-not=divcost: %s
// WRONG: divcost: profile '{{.*}}wrong.divprof': {{.*}}check.cu:[[# @LINE + 7]]:3: a loop of kernel that was called uniform is left with different trip counts (in _Z6kernelPiPKii)
// WRONG: divcost: {{.*}}check.cu:[[# @LINE + 10]]:3: a loop of kernel that was called block-uniform is left
// WRONG: divcost: {{.*}}check.cu:[[# @LINE + 12]]:5: a loop of kernel that was called uniform is left
// RUN: %divcost profile show wrong.divprof | grep -c WRONG | FileCheck --check-prefix=THREE %s
// THREE: 3

__global__ void kernel(int *out, const int *bound, int n) {
  for (int j = 0; j < n; ++j)
    out[j] += 2;
  for (int j = 0; j < bound[threadIdx.x]; ++j)
    out[j] ^= 3;
  for (int j = 0; j < n * (int)blockIdx.x; ++j) // differs between blocks
    out[j % 64] += 5;
  for (int k = 1; k < 8; ++k) { // k tells the entries of the inner loop apart
    for (int j = 0; j < n * k; ++j)
      out[j % 64] -= k;
  }
}
