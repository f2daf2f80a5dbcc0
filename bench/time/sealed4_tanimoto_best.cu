// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Molecules that are like others: their fingerprints have 512 bits, and of each list of candidates
// the best share of common bits is kept (Tanimoto).

__global__ void tanimoto_best(const int *__restrict__ order, const int *__restrict__ query,
                              const int *__restrict__ begin, const int *__restrict__ candidates,
                              const uint4 *__restrict__ prints, const int *__restrict__ bits,
                              float *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int molecule = query[item], end = begin[item + 1];
  const uint4 *own = prints + 4 * molecule;
  uint4 a = own[0], b = own[1], c = own[2], d = own[3];
  int set = bits[molecule];
  float best = 0.0f;
  for (int k = begin[item]; k < end; ++k) { // loop: candidates
    int id = candidates[k];
    const uint4 *other = prints + 4 * id;
    uint4 e = other[0], f = other[1], g = other[2], h = other[3];
    int common = __popc(a.x & e.x) + __popc(a.y & e.y) + __popc(a.z & e.z) + __popc(a.w & e.w) +
                 __popc(b.x & f.x) + __popc(b.y & f.y) + __popc(b.z & f.z) + __popc(b.w & f.w) +
                 __popc(c.x & g.x) + __popc(c.y & g.y) + __popc(c.z & g.z) + __popc(c.w & g.w) +
                 __popc(d.x & h.x) + __popc(d.y & h.y) + __popc(d.z & h.z) + __popc(d.w & h.w);
    best = fmaxf(best, __fdividef((float)common, (float)(set + bits[id] - common)));
  }
  out[item] = best;
}
