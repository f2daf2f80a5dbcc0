// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel calls and isn't inlined, since it recurses, is counted by its own name, loops and
// blocks, and is a part of the kernel's efficiency; but not where another kernel calls it, too. In
// 8 launches of 32 lanes, half of the lanes go 3 calls deep and half 4: at each depth one call more
// than twice as many where a number is odd.
//
// DEFINE: %{options} =
// DEFINE: %{run} = %clang %cuda %{options} -w -O2 -S -emit-llvm called.cu -o device.ll \
// DEFINE:     -fplugin-arg-divcost-profile-generate \
// DEFINE:   && %opt -passes=verify -disable-output device.ll \
// DEFINE:   && %python %S/Inputs/one_lane.py device.ll > host.ll \
// DEFINE:   && %plain-clang -w -O0 -DONE_WARP -x ir host.ll -x c %S/Inputs/one_lane.c \
// DEFINE:     -x c %S/Inputs/one_warp.c -x none %profile-library -o run \
// DEFINE:   && rm -f counts.divprof && ./run counts.divprof \
// DEFINE:   && %divcost profile show counts.divprof > said.txt \
// DEFINE:   && %python %S/Inputs/add_launches.py %repo/tools/tests counts.divprof _Z6kernelPi 32 8 \
// DEFINE:   && %clang %cuda %{options} -fsyntax-only called.cu \
// DEFINE:     -fplugin-arg-divcost-profile-use=counts.divprof 2>> said.txt
//
// RUN: rm -rf %t && mkdir %t && cd %t && cp %s called.cu
// RUN: %{run} && FileCheck %s < said.txt
// CHECK: loop 0 of walk, in _Z4walkiiPi
// CHECK: blocks of _Z4walkiiPi
// CHECK-NEXT: 0: by {{[0-9]+}} warps, 2432 lanes
// CHECK: blocks of _Z6kernelPi
// CHECK-NEXT: 0: by 8 warps, 256 lanes, 32.0 each
// CHECK: warning: {{[0-9]+}}% of the lane-slots of kernel 'kernel(int*)' idle in functions that it calls, which lanes of a warp begin without the others (recorded: SIMT efficiency {{[0-9]+}}%, in 8 launches)
//
// RUN: mv counts.divprof once.divprof
// REDEFINE: %{options} = -DMORE
// RUN: %{run}
// RUN: %divcost profile merge -o both.divprof once.divprof counts.divprof
// RUN: %clang %cuda -fsyntax-only called.cu -fplugin-arg-divcost-profile-use=both.divprof 2> others.txt
// RUN: FileCheck --allow-empty --check-prefix=OTHERS %s < others.txt
// OTHERS-NOT: {{of the kernel's lane-slots idle|of the lane-slots of kernel}}
//
// REDEFINE: %{options} = -DOTHER
// RUN: %{run} && FileCheck --check-prefix=CHECK %s < said.txt
// RUN: %python %S/Inputs/add_launches.py %repo/tools/tests counts.divprof _Z5otherPi 32 8
// RUN: %clang %cuda -DOTHER -fsyntax-only called.cu -fplugin-arg-divcost-profile-use=counts.divprof 2> ran.txt
// RUN: FileCheck --allow-empty --check-prefix=OTHERS %s < ran.txt
//
// It is counted so, too, where it is asked to be inlined, and is too large for the analysis to do it.
// REDEFINE: %{options} = -DLARGE
// RUN: %{run} && FileCheck --check-prefix=LARGE %s < said.txt
// LARGE: blocks of _Z5largeiPi
// LARGE-NEXT: 0: by 8 warps, 8 lanes
// LARGE: kernel 'kernel(int*)' {{.*}}(recorded: SIMT efficiency {{[0-9]}}%, in 8 launches)

__device__ int walk(int k, int depth, int *out) {
  for (int left = k & 3; left > 0; --left)
    out[k + left & 31] ^= left;
  if (depth == 0)
    return out[k & 31];
  int sum = walk(k + 1, depth - 1, out);
  if (k & 1)
    sum += walk(k * 3 + 1, depth - 1, out) / 3;
  else
    out[k & 31] = sum % 7 + k;
  return sum;
}

#if LARGE
#define TEN(X) X X X X X X X X X X
__attribute__((always_inline)) __device__ int large(int k, int *out) {
  TEN(TEN(TEN(out[k] = out[k + 1] / 3 ^ out[k + 2] * 5; out[k + 3] += out[k]; k = out[k + 4] & 15;)))
  return out[k];
}

__global__ void kernel(int *out) {
  int x = threadIdx.x;
  if (x == 0)
    out[x] = large(x, out);
}
#else
__global__ void kernel(int *out) {
  int x = threadIdx.x;
#if MORE
  out[x ^ 1] = walk(x, 2, out);
#endif
  out[x] = walk(x, 3 + (x & 1), out);
}

#if OTHER
__global__ void other(int *out) { out[threadIdx.x] = walk(threadIdx.x, 1, out); }
#endif
#endif
