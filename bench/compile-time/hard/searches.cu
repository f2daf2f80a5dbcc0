// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hard for an estimate: loops that end by a search whose end nobody knows, or by a bound that is
// known, whichever comes first. Not for the verdicts' tests; compile_time.py takes it.
template <int K>
__global__ void heads(unsigned long *out, const unsigned char *data, const unsigned long *table,
                      unsigned long size, int threads) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long sum = 0, part = size / threads;
  const unsigned char *at = data + part * thread;
  const unsigned char *end = thread != threads - 1 ? at + part : data + size;
  while (at < end && ((((unsigned long)at) & K) || (end - at < 20)))
    sum = table[(sum ^ *at++) & 0xff] ^ (sum >> 8);
  out[thread] = sum;
}

void launch(unsigned long *out, const unsigned char *data, const unsigned long *table) {
  heads<1><<<384, 64>>>(out, data, table, 1000000, 24576);
  heads<3><<<384, 64>>>(out, data, table, 1000000, 24576);
  heads<7><<<384, 64>>>(out, data, table, 1000000, 24576);
  heads<15><<<384, 64>>>(out, data, table, 1000000, 24576);
  heads<31><<<384, 64>>>(out, data, table, 1000000, 24576);
  heads<63><<<384, 64>>>(out, data, table, 1000000, 24576);
}
