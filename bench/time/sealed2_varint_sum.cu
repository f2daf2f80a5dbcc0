// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Postings of a search engine: gaps between documents, in seven bits of each byte, the eighth of
// which says that another byte follows.

__global__ void varint_sum(const int *__restrict__ order, const int *__restrict__ postings,
                           const int *__restrict__ begin, const unsigned char *__restrict__ bytes,
                           unsigned *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = postings[item], at = begin[item];
  unsigned document = 0, sum = 0;
  for (int k = 0; k < count; ++k) { // loop: postings
    unsigned gap = 0, byte;
    int shift = 0;
    do { // loop: bytes
      byte = bytes[at++];
      gap |= (byte & 127) << shift;
      shift += 7;
    } while (byte & 128);
    document += gap;
    sum = sum * 31 + document;
  }
  out[item] = sum;
}
