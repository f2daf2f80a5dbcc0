// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counted functions of CUDA's own library: figures are the same with its code and without, none of
// its loops is one of the kernel's, and those that are said to have one keep a loop from being
// unrolled.
//
// REQUIRES: cuda-toolkit
// DEFINE: %{cuda} = -x cuda -Wno-unknown-cuda-version --cuda-gpu-arch=sm_80 --cuda-device-only -w
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %{cuda} -O2 %s -S -emit-llvm -o unit.ll -fplugin-arg-divcost-report=with.json
// RUN: %clang %{cuda} -O2 %s -fsyntax-only -fplugin-arg-divcost-report=without.json
// RUN: opt -passes="print<loops>" -disable-output unit.ll 2> loops.txt
// RUN: %python %S/Inputs/libdevice.py with.json without.json loops.txt | FileCheck %s
// CHECK: 77 kernels, 0 differ, 77 loops
// CHECK-NEXT: with loops inside: {{.*}}fmodf {{.*}}sinf tanf
// CHECK-NOT: unrolled

#define ONE(function, type)                                                                        \
  __global__ void of_##function(type *at, int n) {                                                 \
    type x = at[threadIdx.x];                                                                      \
    for (int i = 0; i < n; ++i)                                                                    \
      x = function(x);                                                                             \
    at[threadIdx.x] = x;                                                                           \
  }
#define BOTH(function) ONE(function, double) ONE(function##f, float)

ONE(__frcp_rn, float)
BOTH(acos) BOTH(acosh) BOTH(asin) BOTH(asinh) BOTH(atan) BOTH(atanh) BOTH(cbrt) BOTH(cos)
BOTH(cosh) BOTH(cospi) BOTH(erf) BOTH(erfc) BOTH(erfcinv) BOTH(erfcx) BOTH(erfinv) BOTH(exp)
BOTH(exp10) BOTH(expm1) BOTH(lgamma) BOTH(log) BOTH(log10) BOTH(log1p) BOTH(log2) BOTH(normcdf)
BOTH(normcdfinv) BOTH(rcbrt) BOTH(sin) BOTH(sinh) BOTH(sinpi) BOTH(tan) BOTH(tanh) BOTH(tgamma)

#define TWO(function, type)                                                                        \
  __global__ void of_##function(type *at, int n) {                                                 \
    type x = at[threadIdx.x];                                                                      \
    for (int i = 0; i < n; ++i)                                                                    \
      x = function(x, 3);                                                                          \
    at[threadIdx.x] = x;                                                                           \
  }

TWO(atan2, double) TWO(atan2f, float) TWO(fmod, double) TWO(fmodf, float) TWO(hypot, double)
TWO(hypotf, float) TWO(pow, double) TWO(powf, float) TWO(remainder, double) TWO(remainderf, float)
TWO(nextafterf, float)

__global__ void of_powif(float *at, int n) {
  float x = at[threadIdx.x];
  for (int i = 0; i < n; ++i)
    x = powif(x, i);
  at[threadIdx.x] = x;
}
