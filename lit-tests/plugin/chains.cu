// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What waits for what in a block: reads of memory in a row, and the longest chain of instructions.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: %python %S/Inputs/chains.py %t.json | FileCheck %s
// CHECK: a_chain(int const*, int*): 3 reads in a row
// CHECK-NEXT: added(int*, int*): 2 reads in a row
// CHECK-NEXT: side_by_side(int const*, int*): 1 reads in a row
// CHECK-NEXT: staged(int const*, int*): 2 reads in a row
// CHECK-NEXT: a chain is longer than the same work side by side

__global__ void a_chain(const int *next, int *out) { out[0] = next[next[next[threadIdx.x]]]; }

__global__ void side_by_side(const int *p, int *out) {
  out[0] = p[threadIdx.x] + p[threadIdx.x + 64] + p[threadIdx.x + 128];
}

// Shared memory answers at once.
__global__ void staged(const int *p, int *out) {
  __shared__ int room[64];
  room[threadIdx.x] = p[threadIdx.x];
  out[0] = p[room[p[threadIdx.x] & 63]];
}

__global__ void added(int *p, int *out) { out[0] = p[atomicAdd(p, 3)]; }
