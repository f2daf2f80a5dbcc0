// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attention while a language model writes: a sequence's query goes over the keys and values of all
// tokens before it, which are in pages of 16 that lie anywhere. A head of eight numbers, with the
// greatest score until then taken off (as one pass does it).

__global__ void paged_decode(const int *__restrict__ order, const int *__restrict__ tokens,
                             const int *__restrict__ first, const int *__restrict__ pages,
                             const float4 *__restrict__ queries, const float4 *__restrict__ keys,
                             const float4 *__restrict__ values, float4 *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = tokens[item];
  const int *table = pages + first[item];
  float4 a = queries[2 * item], b = queries[2 * item + 1];
  float4 c = make_float4(0.0f, 0.0f, 0.0f, 0.0f), d = c;
  float greatest = -1e30f, sum = 0.0f;
  for (int k = 0; k < count; ++k) { // loop: tokens
    int at = 2 * (16 * table[k >> 4] + (k & 15));
    float4 e = keys[at], f = keys[at + 1];
    float score = a.x * e.x + a.y * e.y + a.z * e.z + a.w * e.w + b.x * f.x + b.y * f.y +
                  b.z * f.z + b.w * f.w;
    float most = fmaxf(greatest, score);
    float old = __expf(greatest - most), weight = __expf(score - most);
    greatest = most;
    float4 g = values[at], h = values[at + 1];
    sum = sum * old + weight;
    c.x = c.x * old + weight * g.x;
    c.y = c.y * old + weight * g.y;
    c.z = c.z * old + weight * g.z;
    c.w = c.w * old + weight * g.w;
    d.x = d.x * old + weight * h.x;
    d.y = d.y * old + weight * h.y;
    d.z = d.z * old + weight * h.z;
    d.w = d.w * old + weight * h.w;
  }
  float scale = 1.0f / sum;
  out[2 * item] = make_float4(scale * c.x, scale * c.y, scale * c.z, scale * c.w);
  out[2 * item + 1] = make_float4(scale * d.x, scale * d.y, scale * d.z, scale * d.w);
}
