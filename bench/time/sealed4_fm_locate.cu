// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where in a genome what was found lies (an FM-index): from a row of the index to the row of the
// letter before it, until a row's place was kept. A block of 64 rows has 48 bytes: how many rows
// are before it in each letter's part, two bits of each letter, and which rows' places were kept.

__global__ void fm_locate(const int *__restrict__ order, const unsigned *__restrict__ rows,
                          const uint4 *__restrict__ blocks, unsigned *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  unsigned row = rows[item], steps = 0;
  uint4 kept = blocks[3 * (row >> 6) + 2];
  while (!((row & 32 ? kept.y : kept.x) >> (row & 31) & 1)) { // loop: steps
    const uint4 *block = blocks + 3 * (row >> 6);
    unsigned place = row & 31;
    bool upper = row & 32;
    uint4 letters = block[1], before = block[0];
    unsigned low = (upper ? letters.y : letters.x) >> place & 1;
    unsigned high = (upper ? letters.w : letters.z) >> place & 1;
    unsigned first = (low ? letters.x : ~letters.x) & (high ? letters.z : ~letters.z);
    unsigned second = (low ? letters.y : ~letters.y) & (high ? letters.w : ~letters.w);
    unsigned below = (1u << place) - 1;
    unsigned rank = upper ? __popc(first) + __popc(second & below) : __popc(first & below);
    row = rank + (high ? (low ? before.w : before.z) : (low ? before.y : before.x));
    kept = blocks[3 * (row >> 6) + 2];
    ++steps;
  }
  out[2 * item] = row;
  out[2 * item + 1] = steps;
}
