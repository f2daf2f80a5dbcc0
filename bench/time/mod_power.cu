// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Powers modulo a prime, by Montgomery's multiplication. Exponents are rows of words, and are gone
// through from their highest bit down.

__device__ unsigned montgomery(unsigned a, unsigned b) {
  const unsigned modulus = 2147483629u, inverse = 2825636379u; // modulus * inverse is -1
  unsigned long long product = (unsigned long long)a * b;
  unsigned factor = (unsigned)product * inverse;
  unsigned high = (unsigned)((product + (unsigned long long)factor * modulus) >> 32);
  return high >= modulus ? high - modulus : high;
}

__global__ void mod_power(const int *__restrict__ order, const int *__restrict__ begin,
                          const unsigned *__restrict__ exponent, const unsigned *__restrict__ base,
                          unsigned *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  unsigned x = base[item], power = 38;      // 1 in Montgomery's form
  for (int w = begin[item]; w < end; ++w) { // loop: words
    unsigned bits = exponent[w];
    for (int b = 0; b < 32; ++b) {
      power = montgomery(power, power);
      if (bits >> 31) // branch: bit
        power = montgomery(power, x);
      bits <<= 1;
    }
  }
  out[item] = montgomery(power, 1);
}
