// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The launches of the unit: constant shapes, however they are written, and how many aren't.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: %python %S/Inputs/launches.py %t.json | FileCheck %s
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json \
// RUN:   -fplugin-arg-divcost-block=8,8,2
// RUN: %python %S/Inputs/launches.py %t.json | FileCheck --check-prefix=OPTION %s
// OPTION-COUNT-7: (8, 8, 2) option
// OPTION-NOT: launch

template <int Threads> __global__ void direct(int *out) { out[threadIdx.x] = Threads; }
__global__ void several(int *out) { out[threadIdx.x] = 0; }
__global__ void changing(int *out) { out[threadIdx.x] = 0; }
__global__ void deep(int *out) { out[threadIdx.x + threadIdx.y * 8 + threadIdx.z] = 0; }
__global__ void __launch_bounds__(128) bounded(int *out) { out[threadIdx.x] = 0; }
#pragma divcost launch(block=(32, 4), grid=10)
template <class T> __global__ void pragma(T *out);
template <class T> __global__ void pragma(T *out) { out[threadIdx.x] = 0; }
template __global__ void pragma(int *out);

// CHECK-DAG: bounded: ({{.*}}) launch_bounds
// CHECK-DAG: changing: (256, 1, 1) computed
// CHECK-DAG: deep: (8, 8, 4) assumed
// CHECK-DAG: direct<32>: (64, 2, 1) launch
// CHECK-DAG: direct<64>: (128, 2, 1) launch
// CHECK-DAG: pragma<int>: (32, 4, 1) pragma
// CHECK-DAG: several: (16, 16, 1) launch, (16, 16, 2) launch, (192, 1, 1) launch, (32, 1, 1) launch, (64, 4, 1) launch, (96, 1, 1) launch

static dim3 shared(64, 4);
static int written = 32;
const int warp = 32;
template <int Threads> void launch(int *out) {
  const int twice = Threads * 2;
  direct<Threads><<<1, dim3(twice, 2)>>>(out);
}
void run(int *out, int n) {
  launch<32>(out);
  launch<64>(out);

  dim3 square(16, 16);
  dim3 grid((n + square.x - 1) / square.x);
  several<<<grid, square>>>(out);
  several<<<grid, dim3{16, 16, 2}>>>(out);
  several<<<n, shared>>>(out);
  several<<<n, warp>>>(out);
  several<<<n, 3 * warp>>>(out);
  dim3 copy = dim3(2 * 96);
  several<<<n, copy>>>(out);

  written = 64;
  dim3 block(64);
  block.y = 2;
  dim3 passed(64);
  dim3 &alias = passed;
  alias.x = 32;
  changing<<<1, written>>>(out);
  changing<<<1, block>>>(out);
  changing<<<1, passed>>>(out);
  changing<<<1, n>>>(out);
  // 2^30 ways to the value of a variable: given up, quickly.
  int a = n, b = a + a, c = b + b, d = c + c, e = d + d, f = e + e, g = f + f, h = g + g, i = h + h,
      j = i + i, k = j + j, l = k + k, m = l + l, o = m + m, p = o + o, q = p + p, r = q + q,
      s = r + r, t = s + s, u = t + t, v = u + u, w = v + v, x = w + w, y = x + x, z = y + y;
  changing<<<1, z>>>(out);
  for (int threads = 32; threads <= 1024; threads *= 2)
    changing<<<1, threads>>>(out);
}
