// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the device library are branches in machine code, too: lanes with a root of zero, an
// angle on an axis, or the sine of a large number take a slow path. What idles meanwhile is charged
// to where the source calls them, not to CUDA's headers.
//
// DEFINE: %{level} =
// DEFINE: %{run} = %clang %cuda -w %{level} -S -emit-llvm slow.cu -o device.ll \
// DEFINE:     -fplugin-arg-divcost-profile-generate \
// DEFINE:   && %opt -passes=verify -disable-output device.ll \
// DEFINE:   && %python %S/Inputs/one_lane.py device.ll > host.ll \
// DEFINE:   && %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c \
// DEFINE:     -x c %S/Inputs/one_warp.c -x none %profile-library -o run \
// DEFINE:   && rm -f counts.divprof && ./run counts.divprof \
// DEFINE:   && %divcost profile show --json counts.divprof > shown.json \
// DEFINE:   && %python %S/Inputs/block_lanes.py shown.json
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s slow.cu
// REDEFINE: %{level} = -O1
// RUN: %{run} | FileCheck %s
// REDEFINE: %{level} = -O3
// RUN: %{run} | FileCheck %s
//
// 8 launches of 32 lanes: of 5 lanes the root of a double is of zero, as that of a float of 6; 7 lanes
// have an angle on an axis, 3 the length of nothing, 2 a large angle, and 9 one for sine and cosine. And the start.
// CHECK: kernel: 16 24 40 48 72 256{{$}}
// CHECK: atan2f by atan2:0:65 kernel:5:16: 56{{$}}
//
// RUN: %python %S/Inputs/add_launches.py %repo/tools/tests counts.divprof _Z6kernelPi 32 8
// RUN: %clang %cuda -fsyntax-only slow.cu -fplugin-arg-divcost-profile-use=counts.divprof \
// RUN:   -fplugin-arg-divcost-report=clang.json -fplugin-arg-divcost-threshold=0.05 2>&1 | FileCheck --check-prefix=USE %s
// RUN: %clang %cuda -fsyntax-only slow.cu -fplugin-arg-divcost-profile-use=counts.divprof \
// RUN:   -fplugin-arg-divcost-report=nvcc.json -fplugin-arg-divcost-compiler=nvcc -w
// USE: slow.cu:[[# @LINE + 21]]:{{[0-9]+}}: warning: {{.*}} while others take the slow path of what is computed here, or have their turn at an address (recorded:
//
// clang's roots of floats are approximations, nvcc's aren't.
// RUN: %python %S/Inputs/slow_lines.py clang.json | FileCheck --check-prefix=CLANG %s
// RUN: %python %S/Inputs/slow_lines.py nvcc.json | FileCheck --check-prefix=NVCC %s
// CLANG: {{^}}[[# @LINE + 12]] [[# @LINE + 14]] [[# @LINE + 16]] [[# @LINE + 18]]{{$}}
// NVCC: {{^}}[[# @LINE + 11]] [[# @LINE + 12]] [[# @LINE + 13]] [[# @LINE + 14]] [[# @LINE + 15]] [[# @LINE + 17]]{{$}}

extern "C" __device__ float __nv_sqrtf(float), __nv_atan2f(float, float), __nv_hypotf(float, float),
    __nv_sinf(float);
extern "C" __device__ void __nv_sincosf(float, float *, float *);
static inline __device__ float atan2f(float y, float x) { return __nv_atan2f(y, x); }
static inline __device__ float atan2(float y, float x) { return atan2f(y, x); }

__global__ void kernel(int *out) {
  int lane = threadIdx.x;
  double real = lane < 5 ? 0 : lane;
  out[lane] += __builtin_sqrt(real);
  out[lane] += __nv_sqrtf(lane < 6 ? 0 : lane);
  out[lane] += atan2(lane < 4 ? 0 : lane, lane < 7 ? lane < 4 : 1);
  out[lane] += __nv_hypotf(lane < 3 ? 0 : lane, lane % 2 && lane > 2);
  out[lane] += __nv_sinf(lane < 2 ? 200000 : lane);
  float sine, cosine;
  __nv_sincosf(lane < 9 ? 200000 : lane, &sine, &cosine);
  out[lane] += sine * cosine;
}
