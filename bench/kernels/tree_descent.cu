// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Points within a rectangle, counted by descent of a two-dimensional k-d tree with an explicit
// stack; the tree is an implicit one (children of node i at 2i + 1 and 2i + 2, axes alternate). To
// be found: the loop ends when the lane's own stack is empty, and how much is pushed depends on the
// points and on the lane's query.

__global__ void count_in_rectangles(const float2 *__restrict__ points, int n,
                                    const float4 *__restrict__ rectangles, int *__restrict__ counts,
                                    int queries) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= queries)
    return;
  float4 r = rectangles[i];
  int stack[32];
  int top = 0;
  int count = 0;
  if (n > 0)
    stack[top++] = 0;
  while (top > 0) { // expect: class=data-dependent warn=data-dependent
    int node = stack[--top];
    float2 p = points[node];
    if (p.x >= r.x && p.x <= r.z && p.y >= r.y && p.y <= r.w)
      ++count;
    bool split_x = (31 - __clz(node + 1)) % 2 == 0;
    int left = 2 * node + 1;
    if (left < n && (split_x ? r.x <= p.x : r.y <= p.y))
      stack[top++] = left;
    if (left + 1 < n && (split_x ? r.z >= p.x : r.w >= p.y))
      stack[top++] = left + 1;
  }
  counts[i] = count;
}

// A rectangle is (least x, least y, greatest x, greatest y).
cudaError_t run_count_in_rectangles(const float2 *points, int n, const float4 *rectangles,
                                    int *counts, int queries) {
  count_in_rectangles<<<(queries + 127) / 128, 128>>>(points, n, rectangles, counts, queries);
  return cudaDeviceSynchronize();
}
