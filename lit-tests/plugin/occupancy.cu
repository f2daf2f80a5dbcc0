// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel takes of an SM: launch bounds, shared memory as the IR and the launch have it,
// registers as ptxas said or estimated; and what occupancy follows.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=unit.json
// RUN: %divcost report --json unit.json | tr -d '\n' | sed 's/"divcost":/\n&/; s/"skeleton":/\n&/g' > rows.txt
// RUN: FileCheck %s < rows.txt
// CHECK: "resources": {"live": {{[0-9]+}}, "max_threads": 256, "min_blocks": 4, "shared": 404}
// CHECK: "resources": {"live": {{[0-9]+}}, "shared": 64, "dynamic_shared": true}
// CHECK-SAME: "shared": 1024
// CHECK: "resources": {"shared": 0}
//
// RUN: %divcost report unit.json | tr -s ' \n' ' ' | FileCheck --check-prefix=TEXT %s
// TEXT-DAG: bounded(float*) at {{[^ ]*}} block 256 {{.*}} occupancy 100%, 64 of 64 warps of an SM, in 8 blocks; limited by warps; about {{[0-9.]+}} registers a thread (estimated) time not known
// TEXT-DAG: in 16 blocks; limited by warps; about {{[0-9.]+}} registers a thread (estimated) time not known
// TEXT-DAG: occupancy 12..100%, 8..64 of 64 warps of an SM, in 1..8 blocks; limited by registers, or by warps; its registers aren't known time not known
//
// Another block: its dynamic shared memory isn't known, and a row of it is two of the array's.
// RUN: %divcost what-if --block 16,16 unit.json | FileCheck --check-prefix=OTHER %s
// OTHER: bounded(float*)
// OTHER: arch, block           sm_80, 256          sm_80, 16x16
// OTHER: sectors               8                   4
// OTHER: shared passes         4..5                4
// OTHER: dynamic(float*, int)
// OTHER: occupancy             100%                12..100%
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=said.txt -fplugin-arg-divcost-ptxas=%S/Inputs/ptxas.log
// RUN: tr -s ' \n' ' ' < said.txt | FileCheck --check-prefix=SAID %s
// SAID-DAG: occupancy 50%, 32 of 64 warps of an SM, in 4 blocks; limited by registers; 60 registers a thread (as ptxas says) time not known
// SAID-DAG: in 16 blocks; limited by warps; about {{[0-9.]+}} registers a thread (estimated) time not known
// SAID-DAG: occupancy 25%, 16 of 64 warps of an SM, in 2 blocks; limited by registers; 100 registers a thread (as ptxas says) time not known
//
// Bounds that ptxas ignores, for an SM has no room for so many threads; a block beyond the bounds; and
// calls of other units, which ptxas doesn't count.
// RUN: %clang %cuda -fsyntax-only -w -DBOUNDS %s -fplugin-arg-divcost-report=bounds.txt -fplugin-arg-divcost-ptxas=%S/Inputs/ptxas.log
// RUN: tr -s ' \n' ' ' < bounds.txt | FileCheck --check-prefix=BOUNDS %s
// BOUNDS-DAG: beyond(float*) at {{[^ ]*}} block 256 threads, {{.*}}occupancy none: a block doesn't fit on an SM; limited by launch bounds;
// BOUNDS-DAG: in 1..2 blocks; limited by registers, or by warps; about {{[0-9]+}}..{{4[0-9]|5[0-9]|6[0-4]}} registers a thread (estimated)
// BOUNDS-DAG: limited by registers, or by warps; at least 24 registers a thread (as ptxas says, without what it calls)
//
// RUN: not %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-ptxas=%s 2>&1 | FileCheck --check-prefix=NONE %s
// NONE: error: divcost: registers '{{.*}}occupancy.cu': it says nothing of registers; ptxas prints them with nvcc -Xptxas -v or clang -Xcuda-ptxas -v
// RUN: not %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-ptxas=absent.log 2>&1 | FileCheck --check-prefix=ABSENT %s
// ABSENT: error: divcost: registers 'absent.log': {{.*}}No such file

__global__ void __launch_bounds__(256, 4) bounded(float *p) {
  __shared__ char flag[2];
  __shared__ float tile[100];
  tile[threadIdx.x] = p[threadIdx.x];
  flag[threadIdx.x & 1] = (char)threadIdx.x;
  __syncthreads();
  p[threadIdx.x] = tile[(threadIdx.x + 1) % 100] + flag[0];
}

__global__ void dynamic(float *p, int n) {
  __shared__ float first[13];
  extern __shared__ float rest[];
  first[threadIdx.x % 13] = p[threadIdx.x];
  rest[threadIdx.x] = p[threadIdx.x + n];
  __syncthreads();
  p[threadIdx.x] = first[n] * rest[n];
}

__global__ void calls(float *p, float (*f)(float)) { p[threadIdx.x] = f(p[threadIdx.x]); }

void launch(float *p, int n) {
  bounded<<<n, 256>>>(p);
  dynamic<<<n, 128, 256 * sizeof(float)>>>(p, n);
}

#ifdef BOUNDS
__global__ void __launch_bounds__(1024, 4) ignored(float *p) {
  float values[40];
  for (int k = 0; k < 40; ++k)
    values[k] = p[k * 1024 + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 40; ++k)
    p[k * 1024 + threadIdx.x] = values[39 - k];
}

__global__ void __launch_bounds__(64) beyond(float *p) { p[threadIdx.x] = 1; }

__device__ float elsewhere(float);
__global__ void outward(float *p) { p[threadIdx.x] = elsewhere(p[threadIdx.x]); }

void launch_bounded(float *p) {
  ignored<<<1, 1024>>>(p);
  beyond<<<1, 256>>>(p);
}
#endif
