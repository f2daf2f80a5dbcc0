// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA launches no block of more than 1024 threads: such a launch is no shape, and doesn't make the
// report of the whole unit unreadable.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: %python %S/Inputs/launches.py %t.json | FileCheck %s
// RUN: %divcost report %t.json | FileCheck --check-prefix=REPORT %s
// REPORT: bounded
//
// CHECK-DAG: bounded: ({{.*}}) launch_bounds
// CHECK-DAG: largest: (32, 32, 1) launch
// CHECK-DAG: one_of_two: (128, 1, 1) launch
// CHECK-DAG: too_large: (256, 1, 1) assumed

__global__ void too_large(int *out) { out[threadIdx.x] = 0; }
__global__ void one_of_two(int *out) { out[threadIdx.x] = 0; }
__global__ void largest(int *out) { out[threadIdx.x + threadIdx.y] = 0; }
__global__ void __launch_bounds__(4096) bounded(int *out) { out[threadIdx.x] = 0; }

void run(int *out) {
  too_large<<<1, 2048>>>(out);
  too_large<<<1, dim3(64, 64)>>>(out);
  too_large<<<1, dim3(65536, 65536, 65536)>>>(out);
  one_of_two<<<1, 1025>>>(out);
  one_of_two<<<1, 128>>>(out);
  largest<<<1, dim3(32, 32)>>>(out);
}
