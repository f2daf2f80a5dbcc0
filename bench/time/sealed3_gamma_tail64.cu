// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Chi-squared tests of many experiments: the incomplete gamma function by its series, in double
// precision, until a term doesn't count any more.

__global__ void gamma_tail64(const int *__restrict__ order, const double *__restrict__ arguments,
                             double *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  double x = arguments[item], a = 2.5, term = 1.0 / a, sum = term;
  while (term > 1e-13 * sum) { // loop: terms
    a += 1.0;
    term *= x / a;
    sum += term;
  }
  out[item] = sum * exp(-x) * x * x * sqrt(x);
}
