// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The smallest prime factor of each number, by trial division.

__global__ void trial_factors(const int *__restrict__ order, const unsigned *__restrict__ numbers,
                              const unsigned *__restrict__ primes, unsigned *__restrict__ out,
                              int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  unsigned number = numbers[item];
  int k = 0;
  while (number % primes[k] != 0) // loop: divisors
    ++k;
  out[item] = primes[k];
}
