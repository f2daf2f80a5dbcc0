// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Additions of real numbers in shared memory are tried until a lane is alone with its address: the
// recorder asks the addresses how often. In global memory they aren't.
//
// DEFINE: %{options} =
// DEFINE: %{run} = %clang %cuda -w -O2 -S -emit-llvm tries.cu -o device.ll %{options} \
// DEFINE:     -fplugin-arg-divcost-profile-generate \
// DEFINE:   && %opt -passes=verify -disable-output device.ll \
// DEFINE:   && %python %S/Inputs/one_lane.py device.ll > host.ll \
// DEFINE:   && %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c \
// DEFINE:     -x c %S/Inputs/one_warp.c -x none %profile-library -o run \
// DEFINE:   && rm -f counts.divprof && ./run counts.divprof \
// DEFINE:   && %divcost profile show --json counts.divprof > shown.json \
// DEFINE:   && %python %S/Inputs/block_lanes.py shown.json warps
//
// 8 launches of 32 lanes, in 3 rounds of which each of 4 addresses is that of 8 lanes: 7 tries in
// vain by 7, 6 ... 1 lanes of each.
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s tries.cu
// RUN: %{run} | FileCheck %s
// CHECK: atomicAdd by kernel:{{.*}}: 168/2688{{$}}
// RUN: FileCheck --check-prefix=ASKED %s < device.ll
// ASKED-COUNT-1: call {{.*}}@llvm.nvvm.match.any.sync.i32(
// ASKED-NOT: match.any
// ASKED: declare
//
// What they idle by is said where they are called.
// RUN: %python %S/Inputs/add_launches.py %repo/tools/tests counts.divprof _Z6kernelPi 32 8
// RUN: %clang %cuda -fsyntax-only tries.cu -fplugin-arg-divcost-profile-use=counts.divprof 2>&1 | FileCheck --check-prefix=USE %s
// USE: tries.cu:[[# @LINE + 26]]:5: warning: {{.*}} while others take the slow path of what is computed here, or have their turn at an address (recorded: SIMT efficiency {{[0-9]+}}%, in 8 launches) [divcost-efficiency]
//
// Who leads tries nothing in vain; it may leave before the others, with more than 8 counters, too:
// in each launch 3 rounds of 31 tries, and 3 of 30.
// REDEFINE: %{options} = -DMANY
// RUN: %{run} | FileCheck --check-prefix=MANY %s
// MANY-COUNT-9: 1464/23064

__shared__ float sums[16];

#ifdef MANY
__global__ void kernel(int *out) {
#pragma unroll 1
  for (int k = 0; k < 6; ++k) {
    if (threadIdx.x == 0 && k == 3)
      return;
    atomicAdd(&sums[0], 1.0f), atomicAdd(&sums[1], 1.0f), atomicAdd(&sums[2], 1.0f);
    atomicAdd(&sums[3], 1.0f), atomicAdd(&sums[4], 1.0f), atomicAdd(&sums[5], 1.0f);
    atomicAdd(&sums[6], 1.0f), atomicAdd(&sums[7], 1.0f), atomicAdd(&sums[8], 1.0f);
  }
  out[threadIdx.x] = 5;
}
#else
__global__ void kernel(int *out) {
#pragma unroll 1
  for (int k = 0; k < 3; ++k)
    atomicAdd(&sums[(threadIdx.x + k) % 4], 1.0f);
  atomicAdd((float *)out, 1.0f);
}
#endif
