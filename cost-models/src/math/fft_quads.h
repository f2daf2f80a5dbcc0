// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inverse transform of fft.h for four arrays at once, one in each element of a quad: short
// transforms as fast as the processor multiplies, without a shuffle.
#ifndef DIVCOST_FFT_QUADS_H
#define DIVCOST_FFT_QUADS_H

#include "math/fft.h"
#include "math/quad.h"

#include <stddef.h>

// One step of radix 4 on 4 q values; w and v are the factors of fft.h for 2 q and q.
QUAD_INLINE void fft_quads_step(quad *restrict re, quad *restrict im, size_t q,
                                const double *table_re, const double *table_im) {
  for (size_t j = 0; j < q; ++j) {
    double wr = table_re[2 * q + j], wi = -table_im[2 * q + j];
    double vr = table_re[q + j], vi = -table_im[q + j];
    double ur = wr * vr - wi * vi, ui = wr * vi + wi * vr;
    quad *r = re + j, *i = im + j;
    quad br = r[q] * vr - i[q] * vi, bi = r[q] * vi + i[q] * vr;
    quad cr = r[2 * q] * wr - i[2 * q] * wi, ci = r[2 * q] * wi + i[2 * q] * wr;
    quad dr = r[3 * q] * ur - i[3 * q] * ui, di = r[3 * q] * ui + i[3 * q] * ur;
    quad er = r[0] + br, ei = i[0] + bi, fr = r[0] - br, fi = i[0] - bi;
    quad gr = cr + dr, gi = ci + di, hr = di - ci, hi = cr - dr; // h is i (c - d)
    r[0] = er + gr;
    i[0] = ei + gi;
    r[q] = fr + hr;
    i[q] = fi + hi;
    r[2 * q] = er - gr;
    i[2 * q] = ei - gi;
    r[3 * q] = fr - hr;
    i[3 * q] = fi - hi;
  }
}

// In place: four spectra in bit-reversed order become their values, 1/N not included. Step by step
// over the whole: what is transformed so should fit into a cache. O(size log size).
QUAD_INLINE void fft_quads_inverse(quad *restrict re, quad *restrict im, unsigned log2_size,
                                   dc_fft_table table) {
  size_t size = (size_t)1 << log2_size, q = 1;
  const double *table_im = table.twiddles + ((size_t)1 << table.log2_twiddles);
  if (log2_size % 2 == 1) {
    for (size_t part = 0; part < size; part += 2) {
      quad r = re[part + 1], i = im[part + 1];
      re[part + 1] = re[part] - r;
      im[part + 1] = im[part] - i;
      re[part] += r;
      im[part] += i;
    }
    q = 2;
  }
  for (; q < size; q *= 4)
    for (size_t part = 0; part < size; part += 4 * q)
      fft_quads_step(re + part, im + part, q, table.twiddles, table_im);
}

#endif
