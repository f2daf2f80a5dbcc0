// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "math/convolve.h"

#include "math/fft.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { BANDS = 7, BAND_LOG2 = 20 }; // 2^-140 is less than 1e-40

// A transform of this many values takes as long as about so many multiplications for each.
enum { DIRECT_PER_VALUE = 100 };

// The values of an array that are in (low, high]: within [first, end), count of them.
typedef struct band {
  int number; // 0: the largest
  const double *values;
  double low, high;
  size_t first, end, count;
} band;

static size_t split(const double *values, size_t count, band bands[BANDS]) {
  double largest = 0;
  for (size_t i = 0; i < count; ++i)
    largest = fmax(largest, values[i]);
  size_t used = 0;
  for (int number = 0; number < BANDS; ++number) {
    band b = {number,
              values,
              ldexp(largest, -(number + 1) * BAND_LOG2),
              ldexp(largest, -number * BAND_LOG2),
              count,
              0,
              0};
    for (size_t i = 0; i < count; ++i) {
      if (!(values[i] > b.low && values[i] <= b.high))
        continue;
      b.first = b.count++ ? b.first : i;
      b.end = i + 1;
    }
    if (b.count > 0)
      bands[used++] = b;
  }
  return used;
}

static bool within(const band *b, size_t i) {
  return b->values[i] > b->low && b->values[i] <= b->high;
}

static size_t length_of(const band *b) { return b->end - b->first; }

static bool is_direct(const band *a, const band *b) {
  size_t size = (size_t)1 << dc__fft_log2(length_of(a) + length_of(b) - 1);
  size_t fewer = a->count < b->count ? a->count : b->count;
  size_t longer = a->count < b->count ? length_of(b) : length_of(a);
  return fewer <= DIRECT_PER_VALUE ||
         (double)fewer * (double)longer <= DIRECT_PER_VALUE * (double)size;
}

// The values of a band from its first on, 0 elsewhere.
static void copy_band(const band *b, double *to) {
  for (size_t i = b->first; i < b->end; ++i)
    to[i - b->first] = within(b, i) ? b->values[i] : 0;
}

static void add_direct(const band *a, const band *b, double times, double *restrict out,
                       double *restrict copy) {
  const band *outer = a->count < b->count ? a : b, *inner = outer == a ? b : a;
  size_t length = length_of(inner);
  copy_band(inner, copy);
  for (size_t i = outer->first; i < outer->end; ++i) {
    if (!within(outer, i))
      continue;
    double factor = times * outer->values[i], *restrict to = out + i + inner->first;
    for (size_t j = 0; j < length; ++j)
      to[j] += factor * copy[j];
  }
}

static void add_transformed(const band *a, const band *b, double times, double *out, double *work,
                            dc_fft_table table) {
  size_t length = length_of(a) + length_of(b) - 1;
  unsigned log2_size = dc__fft_log2(length);
  size_t size = (size_t)1 << log2_size;
  double *re = work, *im = work + size;
  memset(re, 0, 2 * size * sizeof *re);
  copy_band(a, re);
  copy_band(b, im);
  dc__convolve_fft(re, im, log2_size, table);
  for (size_t k = 0; k < length; ++k)
    out[a->first + b->first + k] += times * re[k];
}

size_t dc__convolve_values(size_t size) {
  return (size_t)4 << dc__fft_log2(size); // the table, and two arrays
}

void dc__convolve(const double *a, size_t na, const double *b, size_t nb, double *out,
                  double *work) {
  band a_bands[BANDS], b_bands[BANDS];
  size_t n_a = split(a, na, a_bands), n_b = split(b, nb, b_bands);
  memset(out, 0, (na + nb - 1) * sizeof *out);
  unsigned log2_size = dc__fft_log2(na + nb - 1);
  double *twiddles = work, *arrays = twiddles + ((size_t)2 << log2_size);
  bool filled = false;
  bool square = a == b && na == nb;
  // The smallest first, so that they are not lost in larger sums.
  for (size_t i = n_a; i-- > 0;)
    for (size_t j = square ? i + 1 : n_b; j-- > 0;) {
      if (a_bands[i].number + b_bands[j].number >= BANDS)
        continue;
      double times = square && j < i ? 2 : 1; // for (j, i)
      if (is_direct(&a_bands[i], &b_bands[j])) {
        add_direct(&a_bands[i], &b_bands[j], times, out, arrays);
        continue;
      }
      if (!filled)
        dc__fft_twiddles(twiddles, log2_size);
      filled = true;
      add_transformed(&a_bands[i], &b_bands[j], times, out, arrays,
                      (dc_fft_table){twiddles, log2_size});
    }
}
