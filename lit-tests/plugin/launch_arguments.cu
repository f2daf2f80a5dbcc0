// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole numbers that a kernel is given in all of its launches are values of its parameters, as
// block dimensions are: where they are constants, variables that keep a constant, or arithmetic of
// these; not where launches differ, or one of them isn't seen.
//
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-report=%t.json -fplugin-arg-divcost-no-warn=imbalance,efficiency,branch,data-dependent
// RUN: %divcost report %t.json | FileCheck %s

#define BODY                                                                                       \
  {                                                                                                \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
    if (i < n)                                                                                     \
      out[i] = m;                                                                                  \
  }

__global__ void literal(float *out, int n, int m) BODY
__global__ void computed(float *out, int n, int m) BODY
__global__ void twice(float *out, int n, int m) BODY
__global__ void changing(float *out, int n, int m) BODY
__global__ void by_address(float *out, int n, int m) BODY
__global__ void narrow(float *out, int n, unsigned char m) BODY
#pragma divcost launch(n = 7)
__global__ void told(float *out, int n, int m) BODY
template <int K> __global__ void in_template(float *out, int n, int m) BODY

// CHECK:      {{^}}literal(
// CHECK:      values {{ *}}n = 100, m = -3, as launched
// CHECK:      {{^}}computed(
// CHECK:      values {{ *}}n = 4096, m = 64, as launched
// CHECK:      {{^}}twice(
// CHECK:      values {{ *}}n = 10, as launched
// CHECK:      {{^}}changing(
// CHECK-NOT:  values
// CHECK:      {{^}}by_address(
// CHECK-NOT:  values
// CHECK:      {{^}}narrow(
// CHECK:      values {{ *}}n = 5, m = 108, as launched
// CHECK:      {{^}}told(
// CHECK:      values {{ *}}n = 7, m = 2, as launched
// CHECK:      {{^}}{{.*}}in_template<3>(
// CHECK:      values {{ *}}n = 3, m = 1, as launched

void keep(void *);

template <int K> void launch_template(float *out) { in_template<K><<<1, 64>>>(out, K, 1); }

void launch(float *out) {
  const int size = 64;
  int items = size * size;
  int grows = 1;
  literal<<<1, 64>>>(out, 100, -3);
  computed<<<1, 64>>>(out, items, size);
  twice<<<1, 64>>>(out, 10, 1);
  twice<<<1, 64>>>(out, 10, 2);
  changing<<<1, 64>>>(out, grows, grows);
  ++grows;
  by_address<<<1, 64>>>(out, 5, 6);
  keep((void *)by_address);
  narrow<<<1, 64>>>(out, 5, 300 + size);
  told<<<1, 64>>>(out, 9, 2);
  launch_template<3>(out);
}
