// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions of masses, however far these are apart in size. One Fourier transform of everything
// would have an absolute error that drowns a heavy tail, so each operand is split into bands of
// masses within a factor of 2^20 of each other, and each pair of bands is convolved for itself:
// with an error relative to these two (the idea of Wilson and Keich, "Accurate pairwise
// convolutions of non-negative vectors via FFT", 2016). Pairs for which that is faster are
// convolved directly.
#ifndef DIVCOST_CONVOLVE_H
#define DIVCOST_CONVOLVE_H

#include <stddef.h>

// How many doubles of work a convolution with a result of up to size values needs. O(1).
size_t dc__convolve_values(size_t size);

// out[k] = the sum over j of a[j] b[k - j], for k < na + nb - 1. Values are finite and not
// negative; products under 2^-140 of the largest (7e-43) may be left out. na, nb > 0; a and b may
// be the same array; out and work overlap nothing; work has
// dc__convolve_values(na + nb - 1) values. A result has a relative error of about 2^-53 times the
// number of bands if all of its terms come from direct pairs; a pair that is transformed adds at
// most dc__convolve_fft's bound, which is relative to the pair's own masses. O(size log size) for
// each pair, at most 28.
void dc__convolve(const double *a, size_t na, const double *b, size_t nb, double *out,
                  double *work);

#endif
