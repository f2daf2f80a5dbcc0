// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a router sends packets: of each address the first 16 bits lead to an entry of a table,
// which is a port, or a node of a tree whose entries the next eight bits choose from, and so on.
// Each item is a queue of packets.

__global__ void route_lookups(const int *__restrict__ order, const int *__restrict__ begin,
                              const unsigned *__restrict__ addresses,
                              const unsigned *__restrict__ roots,
                              const unsigned *__restrict__ nodes, unsigned *__restrict__ out,
                              int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int end = begin[item + 1];
  unsigned sum = 0;
  for (int k = begin[item]; k < end; ++k) { // loop: packets
    unsigned address = addresses[k];
    unsigned entry = roots[address >> 16];
    address <<= 16;
    while (entry >> 31 == 0) { // loop: levels
      entry = nodes[entry * 256 + (address >> 24)];
      address <<= 8;
    }
    sum = sum * 31 + (entry & 0x7fffffff);
  }
  out[item] = sum;
}
