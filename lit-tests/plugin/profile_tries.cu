// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Additions of real numbers in shared memory are tried until a lane is alone with its address: the
// recorder asks the addresses how often. In global memory they aren't.
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s tries.cu
// RUN: %clang %cuda -w -O2 -S -emit-llvm tries.cu -o device.ll -fplugin-arg-divcost-profile-generate
// RUN: %opt -passes=verify -disable-output device.ll
// RUN: FileCheck %s < device.ll
// CHECK-COUNT-1: call {{.*}}@llvm.nvvm.match.any.sync.i32(
// CHECK-NOT: match.any
// CHECK: declare
//
// 8 launches of 32 lanes, in 3 rounds of which each of 4 addresses is that of 8 lanes: 7 tries in
// vain by 7, 6 ... 1 lanes of each. The start.
// RUN: %python %S/Inputs/one_lane.py device.ll > host.ll
// RUN: %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c -x c %S/Inputs/one_warp.c -x none %profile-library -o run
// RUN: rm -f counts.divprof && ./run counts.divprof
// RUN: %divcost profile show --json counts.divprof > shown.json
// RUN: %python %S/Inputs/block_lanes.py shown.json warps | FileCheck --check-prefix=TRIES %s
// TRIES: kernel: {{.*}}168/2688
//
// What they idle by is said where they are.
// RUN: %python %S/Inputs/add_launches.py %repo/tools/tests counts.divprof _Z6kernelPi 32 8
// RUN: %clang %cuda -fsyntax-only tries.cu -fplugin-arg-divcost-profile-use=counts.divprof 2>&1 | FileCheck --check-prefix=USE %s
// USE: tries.cu:[[# @LINE + 7]]:{{[0-9]+}}: warning: {{.*}} while others take the slow path of what is computed here, or have their turn at an address (recorded: SIMT efficiency {{[0-9]+}}%, in 8 launches) [divcost-efficiency]

__shared__ float sums[4];

__global__ void kernel(int *out) {
#pragma unroll 1
  for (int k = 0; k < 3; ++k)
    __nvvm_atom_add_gen_f(&sums[(threadIdx.x + k) % 4], 1.0f);
  __nvvm_atom_add_gen_f((float *)out, 1.0f);
}
