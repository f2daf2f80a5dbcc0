// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward: decimation in frequency (Gentleman and Sande 1966), which takes natural order to
// bit-reversed order; inverse: decimation in time (Cooley and Tukey 1965), which takes it back.
// Both in steps of radix 4, recursive, so that parts that fit into a cache are finished while
// there.
#include "math/fft.h"

#include <math.h>
#include <stdbool.h>

static const double pi = 3.14159265358979323846;

unsigned dc__fft_log2(size_t values) {
  unsigned log2_size = 0;
  while ((size_t)1 << log2_size < values)
    ++log2_size;
  return log2_size;
}

void dc__fft_twiddles(double *twiddles, unsigned log2_size) {
  size_t size = (size_t)1 << log2_size;
  double *re = twiddles, *im = twiddles + size;
  re[0] = im[0] = 0;
  if (size > 1) {
    re[1] = 1;
    im[1] = 0;
  }
  for (size_t h = 2; h < size; h *= 2)
    for (size_t j = 0; j < h; ++j) {
      if (j % 2 == 0) { // the table before has it
        re[h + j] = re[(h + j) / 2];
        im[h + j] = im[(h + j) / 2];
        continue;
      }
      // An angle of at most pi / 4, for the digits.
      size_t folded = 2 * j > h ? h - j : j;
      bool swap = 4 * folded > h;
      double angle = pi * (double)(swap ? h - 2 * folded : 2 * folded) / (double)(2 * h);
      double c = swap ? sin(angle) : cos(angle), s = swap ? cos(angle) : sin(angle);
      re[h + j] = 2 * j > h ? -c : c;
      im[h + j] = -s;
    }
}

// The factors of one step of radix 4 on 4 q values: w and its square; 2 q and q are powers of two.
typedef struct factors {
  const double *re, *im;
} factors;

static factors factors_of(dc_fft_table table, size_t h) {
  return (factors){table.twiddles + h, table.twiddles + ((size_t)1 << table.log2_twiddles) + h};
}

static void forward_step(double *restrict re, double *restrict im, size_t q, factors one,
                         factors two) {
  for (size_t j = 0; j < q; ++j) {
    double ar = re[j], br = re[j + q], cr = re[j + 2 * q], dr = re[j + 3 * q];
    double ai = im[j], bi = im[j + q], ci = im[j + 2 * q], di = im[j + 3 * q];
    double er = ar + cr, ei = ai + ci, fr = br + dr, fi = bi + di; // frequencies 0 and 2 of 4
    double gr = ar - cr, gi = ai - ci, hr = bi - di, hi = dr - br; // 1 and 3: h is -i (b - d)
    double wr = one.re[j], wi = one.im[j], vr = two.re[j], vi = two.im[j];
    double ur = wr * vr - wi * vi, ui = wr * vi + wi * vr;
    re[j] = er + fr;
    im[j] = ei + fi;
    re[j + q] = (er - fr) * vr - (ei - fi) * vi;
    im[j + q] = (er - fr) * vi + (ei - fi) * vr;
    re[j + 2 * q] = (gr + hr) * wr - (gi + hi) * wi;
    im[j + 2 * q] = (gr + hr) * wi + (gi + hi) * wr;
    re[j + 3 * q] = (gr - hr) * ur - (gi - hi) * ui;
    im[j + 3 * q] = (gr - hr) * ui + (gi - hi) * ur;
  }
}

static void inverse_step(double *restrict re, double *restrict im, size_t q, factors one,
                         factors two) {
  for (size_t j = 0; j < q; ++j) {
    double wr = one.re[j], wi = -one.im[j], vr = two.re[j], vi = -two.im[j];
    double ur = wr * vr - wi * vi, ui = wr * vi + wi * vr;
    double br = re[j + q] * vr - im[j + q] * vi, bi = re[j + q] * vi + im[j + q] * vr;
    double cr = re[j + 2 * q] * wr - im[j + 2 * q] * wi;
    double ci = re[j + 2 * q] * wi + im[j + 2 * q] * wr;
    double dr = re[j + 3 * q] * ur - im[j + 3 * q] * ui;
    double di = re[j + 3 * q] * ui + im[j + 3 * q] * ur;
    double er = re[j] + br, ei = im[j] + bi, fr = re[j] - br, fi = im[j] - bi;
    double gr = cr + dr, gi = ci + di, hr = di - ci, hi = cr - dr; // h is i (c - d)
    re[j] = er + gr;
    im[j] = ei + gi;
    re[j + q] = fr + hr;
    im[j + q] = fi + hi;
    re[j + 2 * q] = er - gr;
    im[j + 2 * q] = ei - gi;
    re[j + 3 * q] = fr - hr;
    im[j + 3 * q] = fi - hi;
  }
}

// Two values: the only odd step, at the end of a size that is no power of four.
static void pair_step(double *re, double *im) {
  double r = re[1], i = im[1];
  re[1] = re[0] - r;
  im[1] = im[0] - i;
  re[0] += r;
  im[0] += i;
}

void dc__fft_forward(double *re, double *im, unsigned log2_size, dc_fft_table table) {
  if (log2_size == 1)
    pair_step(re, im);
  if (log2_size < 2)
    return;
  size_t q = (size_t)1 << (log2_size - 2);
  forward_step(re, im, q, factors_of(table, 2 * q), factors_of(table, q));
  for (size_t part = 0; part < 4; ++part)
    dc__fft_forward(re + part * q, im + part * q, log2_size - 2, table);
}

static void inverse(double *re, double *im, unsigned log2_size, dc_fft_table table) {
  if (log2_size == 1)
    pair_step(re, im);
  if (log2_size < 2)
    return;
  size_t q = (size_t)1 << (log2_size - 2);
  for (size_t part = 0; part < 4; ++part)
    inverse(re + part * q, im + part * q, log2_size - 2, table);
  inverse_step(re, im, q, factors_of(table, 2 * q), factors_of(table, q));
}

void dc__fft_inverse(double *re, double *im, unsigned log2_size, dc_fft_table table) {
  inverse(re, im, log2_size, table);
  double scale = ldexp(1, -(int)log2_size);
  for (size_t j = 0; j < (size_t)1 << log2_size; ++j) {
    re[j] *= scale;
    im[j] *= scale;
  }
}

static double norm_of(const double *x, size_t size) {
  double sum = 0;
  for (size_t j = 0; j < size; ++j)
    sum += x[j] * x[j];
  return sqrt(sum);
}

double dc__convolve_fft(double *re, double *im, unsigned log2_size, dc_fft_table table) {
  size_t size = (size_t)1 << log2_size;
  double a = norm_of(re, size), b = norm_of(im, size), bound = ldexp(a * b * (log2_size + 1), -51);
  // Of equal norms, or the square of the larger one would drown the product.
  for (size_t j = 0; j < size; ++j) {
    re[j] = a > 0 ? re[j] / a : 0;
    im[j] = b > 0 ? im[j] / b : 0;
  }
  dc__fft_forward(re, im, log2_size, table);
  for (size_t j = 0; j < size; ++j) {
    double r = re[j], i = im[j];
    re[j] = r * r - i * i;
    im[j] = 2 * r * i;
  }
  dc__fft_inverse(re, im, log2_size, table);
  for (size_t j = 0; j < size; ++j) {
    double product = im[j] / 2 * a * b;
    re[j] = product > bound ? product : 0;
  }
  return bound;
}
