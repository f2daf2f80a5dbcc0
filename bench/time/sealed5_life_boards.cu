// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conway's game of life on many small boards whose edges meet, 16 rows of 32 cells: a row is a word
// in a register, and neighbours of 32 cells are counted at once.

__global__ void life_boards(const int *__restrict__ order, const int *__restrict__ generations,
                            const uint4 *__restrict__ boards, uint4 *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = generations[item];
  unsigned row[16];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    uint4 four = boards[4 * item + k];
    row[4 * k] = four.x;
    row[4 * k + 1] = four.y;
    row[4 * k + 2] = four.z;
    row[4 * k + 3] = four.w;
  }
  for (int g = 0; g < count; ++g) { // loop: generations
    unsigned one[16], two[16];      // three cells of a row, as a number of two bits
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      unsigned left = row[k] << 1 | row[k] >> 31, right = row[k] >> 1 | row[k] << 31;
      one[k] = left ^ row[k] ^ right;
      two[k] = (left & right) | (row[k] & (left ^ right));
    }
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      int above = (k + 15) % 16, below = (k + 1) % 16;
      unsigned low = one[above] ^ one[k] ^ one[below];
      unsigned carry = (one[above] & one[below]) | (one[k] & (one[above] ^ one[below]));
      unsigned a = two[above] ^ two[k], b = two[above] & two[k];
      unsigned c = two[below] ^ carry, d = two[below] & carry;
      unsigned twos = a ^ c, fours = b ^ d ^ (a & c), eights = b & d;
      // Three with the cell itself, or four of which it is one.
      row[k] = (low & twos & ~fours & ~eights) | (row[k] & ~low & ~twos & fours);
    }
  }
#pragma unroll
  for (int k = 0; k < 4; ++k)
    out[4 * item + k] = make_uint4(row[4 * k], row[4 * k + 1], row[4 * k + 2], row[4 * k + 3]);
}
