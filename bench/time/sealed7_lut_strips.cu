// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Colours of a film, graded by a cube of 17 by 17 by 17 colours that the block keeps in shared
// memory: in each cell of it a pixel lies in one of six tetrahedra, between whose corners is
// interpolated. Items are strips of pixels; red and blue share a word. Adds up what comes out.

__global__ void lut_strips(const int *__restrict__ order, const int *__restrict__ pixels,
                           const int *__restrict__ first, const unsigned *__restrict__ image,
                           const unsigned *__restrict__ cube, unsigned *__restrict__ purple,
                           unsigned *__restrict__ green, int n) {
  __shared__ unsigned colours[17 * 17 * 17];
  for (int k = threadIdx.x; k < 17 * 17 * 17; k += blockDim.x)
    colours[k] = cube[k];
  __syncthreads();
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int from = first[item], end = from + pixels[item];
  unsigned reds_and_blues = 0, greens = 0;
  for (int k = from; k < end; ++k) { // loop: pixels
    unsigned pixel = image[k];
    // How far it is along each axis of its cell, and above it how far the next cell is there.
    unsigned a = (pixel & 15) | 1 << 8, b = (pixel >> 8 & 15) | 17 << 8;
    unsigned c = (pixel >> 16 & 15) | 289 << 8;
    unsigned at = (pixel >> 4 & 15) + 17 * (pixel >> 12 & 15) + 289 * (pixel >> 20 & 15);
    bool swap = (a & 255) < (b & 255);
    unsigned p = swap ? b : a, q = swap ? a : b;
    swap = (p & 255) < (c & 255);
    unsigned r = swap ? p : c;
    p = swap ? c : p;
    swap = (q & 255) < (r & 255);
    unsigned last = swap ? q : r;
    q = swap ? r : q;
    unsigned w = colours[at], x = colours[at += p >> 8], y = colours[at += q >> 8];
    unsigned z = colours[at + (last >> 8)];
    unsigned u = p & 255, v = q & 255, s = last & 255;
    unsigned purples = (w & 0xff00ff) * (16 - u) + (x & 0xff00ff) * (u - v) +
                       (y & 0xff00ff) * (v - s) + (z & 0xff00ff) * s;
    unsigned middle = (w >> 8 & 255) * (16 - u) + (x >> 8 & 255) * (u - v) +
                      (y >> 8 & 255) * (v - s) + (z >> 8 & 255) * s;
    reds_and_blues += purples >> 4 & 0xff00ff;
    greens += middle >> 4;
  }
  purple[item] = reds_and_blues;
  green[item] = greens;
}
