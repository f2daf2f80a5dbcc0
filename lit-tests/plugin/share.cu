// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop that ends by whichever of two exits comes first, one of them a search without a bound of
// its own: the other one bounds it, so all trip counts are evaluated, the emulator runs the warps of
// the same figures, and no share is above the whole ("at least 1301%" once).
//
// RUN: cd %S && %clang %cuda -fsyntax-only -Werror share.cu -fplugin-arg-divcost-report=%t.json
// RUN: %divcost report %t.json | FileCheck %s
//
// CHECK: checksum_heads(
// CHECK: (emulated)
// CHECK: sm_{{[0-9]+}} {{.*}} 0% {{.*}} 100%
// CHECK: loses 0% of the kernel

__global__ void checksum_heads(unsigned long *out, const unsigned char *data,
                               const unsigned long *table, unsigned long size, int threads) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long sum = 0, part = size / threads;
  const unsigned char *at = data + part * thread;
  const unsigned char *end = thread != threads - 1 ? at + part : data + size;
  while (at < end && ((((unsigned long)at) & 3) || (end - at < 20)))
    sum = table[(sum ^ *at++) & 0xff] ^ (sum >> 8);
  out[thread] = sum;
}

void launch(unsigned long *out, const unsigned char *data, const unsigned long *table) {
  checksum_heads<<<384, 64>>>(out, data, table, 1000000, 24576);
}
