// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plugin changes no code: PTX with and without it, at every -O, with and without -g, for annotated
// loops too. (All of bench/kernels: lit-tests/identity.py.)
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -w -O0 -S -o with.s %s && %plain-clang %cuda -w -O0 -S -o without.s %s && cmp with.s without.s
// RUN: %clang %cuda -w -O1 -S -o with.s %s && %plain-clang %cuda -w -O1 -S -o without.s %s && cmp with.s without.s
// RUN: %clang %cuda -w -O2 -S -o with.s %s && %plain-clang %cuda -w -O2 -S -o without.s %s && cmp with.s without.s
// RUN: %clang %cuda -w -O3 -S -o with.s %s && %plain-clang %cuda -w -O3 -S -o without.s %s && cmp with.s without.s
// RUN: %clang %cuda -w -O0 -g -S -o with.s %s && %plain-clang %cuda -w -O0 -g -S -o without.s %s && cmp with.s without.s
// RUN: %clang %cuda -w -O2 -g -S -o with.s %s && %plain-clang %cuda -w -O2 -g -S -o without.s %s && cmp with.s without.s
// RUN: %clang %cuda -w -O2 -fgpu-rdc -cuid=7 -S -o with.s %s \
// RUN:   && %plain-clang %cuda -w -O2 -fgpu-rdc -cuid=7 -S -o without.s %s && cmp with.s without.s
// Host code compiles as if the plugin were not there.
// RUN: %clang %cuda-any --cuda-host-only -O2 -g -c -o with.o %s
// RUN: %plain-clang %cuda-any --cuda-host-only -O2 -g -c -o without.o %s
// RUN: cmp with.o without.o
// RUN: %clang -x c++ -Wall -Werror -fsyntax-only -DPLAIN %s

#ifdef PLAIN
#ifdef __DIVCOST__
#error "defined outside CUDA"
#endif
#pragma divcost is accepted here
#else
static __global__ void kernel(int *out, const int *bound, int n) {
#pragma divcost trips(poisson(30))
  for (int i = 0; i < bound[threadIdx.x]; ++i)
    out[i] += bound[i];
#pragma divcost trips(const(16))
#pragma unroll
  for (int i = 0; i < 16; ++i)
    out[i] *= 3;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    out[i] -= 1;
}
void run(int *out, const int *bound) { kernel<<<1, 64>>>(out, bound, 100); }
#endif
