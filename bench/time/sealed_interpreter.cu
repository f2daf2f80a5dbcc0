// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items run programs of one-byte instructions, of four kinds. Items of one program do the same.

__global__ void interpreter(const int *__restrict__ order, const int *__restrict__ program,
                            const int *__restrict__ begin, const unsigned char *__restrict__ code,
                            const unsigned *__restrict__ seeds, unsigned *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int which = program[item];
  int end = begin[which + 1];
  unsigned x = seeds[item], y = 1;
  for (int at = begin[which]; at < end; ++at) { // loop: instructions
    switch (code[at]) {                         // branch: operation
    case 0:
      x = x * 0x2c1b3c6du + y;
      break;
    case 1:
      x ^= x >> 15 ^ y << 3;
      y += 0x9e3779b9u;
      break;
    case 2:
      y = x % 1021u + y;
      break;
    default:
      x = y - x;
      y = (y << 9 | y >> 23) + at;
    }
  }
  out[item] = x ^ y;
}
