// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fast Fourier transform of complex values, for convolutions. Real and imaginary parts lie in
// arrays of their own, the size is a power of two, and the caller supplies all memory.
//
// A spectrum is in bit-reversed order: frequency k stands at the index whose log2_size bits are
// those of k in reverse. Products of spectra don't care, and no pass over memory is spent on
// sorting. The frequency -k of what stands at index j > 0 stands at 3 h - 1 - j, where h is the
// largest power of two up to j.
//
// Rounding moves each value by about 2^-53 log2_size times the root mean square of what the
// transform gives. In a convolution of two arrays that is an absolute error, see dc__convolve_fft.
#ifndef DIVCOST_FFT_H
#define DIVCOST_FFT_H

#include <stddef.h>

enum { DC_FFT_LOG2_MAX = 30 };

// The least log2_size whose array holds this many values. O(1).
unsigned dc__fft_log2(size_t values);

// Fills twiddles[0 .. 2 size - 1] for transforms of this and every smaller size: the real parts,
// and behind them the imaginary parts, of exp(-i pi j / h) at index h + j, for each power of two
// h < size and 0 <= j < h. O(size).
void dc__fft_twiddles(double *twiddles, unsigned log2_size);

// twiddles must be of dc__fft_twiddles(twiddles, log2_twiddles), with log2_size <= log2_twiddles.
typedef struct dc_fft_table {
  const double *twiddles;
  unsigned log2_twiddles;
} dc_fft_table;

// In place: values in natural order become their spectrum, sum over t of x[t] exp(-2 pi i k t / N).
// O(size log size).
void dc__fft_forward(double *re, double *im, unsigned log2_size, dc_fft_table table);

// In place: a spectrum becomes its values, 1/N included. dc__fft_forward of them gives the spectrum
// back. O(size log size).
void dc__fft_inverse(double *re, double *im, unsigned log2_size, dc_fft_table table);

// In place: re[k] becomes the sum over j of re[j] im[k - j], for real arrays re and im of size
// values, of which the upper ones must be 0 so that nothing wraps around; im is lost. One transform
// either way: (re + i im)^2 has 2 re im as its imaginary part. The absolute error of a result is at
// most 2^-51 (log2_size + 1) times the product of the Euclidean norms of re and im; results under
// that, so also those that rounding made negative, are set to 0 and that bound is returned.
// O(size log size).
double dc__convolve_fft(double *re, double *im, unsigned log2_size, dc_fft_table table);

#endif
