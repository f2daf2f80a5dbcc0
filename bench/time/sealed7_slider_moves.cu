// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How free pieces of chess are to move: in each ply of a line of play a rook or a bishop moves, and
// the squares that it attacks from there are counted, by subtraction along lines of the board and
// along what they are when the board is turned around. A ply is where from, where to, and which.

__device__ inline unsigned long long
line_attacks(unsigned long long occupied, unsigned long long piece, unsigned long long line) {
  unsigned long long held = occupied & line;
  unsigned long long ahead = held - 2 * piece;
  unsigned long long behind = __brevll(__brevll(held) - 2 * __brevll(piece));
  return (ahead ^ behind) & line;
}

__global__ void slider_moves(const int *__restrict__ order, const int *__restrict__ begin,
                             const int *__restrict__ plies,
                             const unsigned long long *__restrict__ boards,
                             unsigned *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  unsigned long long occupied = boards[item];
  unsigned sum = 0;
  for (int k = begin[item]; k < end; ++k) { // loop: plies
    int ply = plies[k], to = ply >> 6 & 63;
    unsigned long long piece = 1ull << to, attacks;
    occupied = (occupied & ~(1ull << (ply & 63))) | piece;
    if (ply >> 12 & 1) { // branch: straight
      attacks = line_attacks(occupied, piece, 0x0101010101010101ull << (to & 7)) |
                line_attacks(occupied, piece, 0xffull << (to & 56));
    } else {
      int up = (to >> 3) - (to & 7), down = (to >> 3) + (to & 7) - 7;
      unsigned long long rising = 0x8040201008040201ull, falling = 0x0102040810204080ull;
      rising = up >= 0 ? rising << 8 * up : rising >> -8 * up;
      falling = down >= 0 ? falling << 8 * down : falling >> -8 * down;
      attacks = line_attacks(occupied, piece, rising) | line_attacks(occupied, piece, falling);
    }
    sum = sum * 5 + (unsigned)__popcll(attacks);
  }
  out[item] = sum;
}
