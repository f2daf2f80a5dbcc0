// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields of a file of text, each up to its comma: numbers are read, names are hashed.

__global__ void field_values(const int *__restrict__ order, const int *__restrict__ number,
                             const int *__restrict__ begin, const char *__restrict__ text,
                             unsigned *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int at = begin[item];
  unsigned value;
  if (number[item]) { // branch: number
    value = 0;
    for (char c = text[at]; c != ','; c = text[++at]) // loop: digits
      value = value * 10 + (unsigned)(c - '0');
  } else {
    value = 2166136261u;
    for (char c = text[at]; c != ','; c = text[++at]) { // loop: letters
      unsigned letter = c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
      value = (value ^ letter) * 16777619u;
      value ^= value >> 15;
    }
  }
  out[item] = value;
}
