// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Particles on straight ways through a mesh of triangles, whose cells lie in memory in any order:
// from cell to cell across the edge that is next, and how much of them each cell absorbs on the
// way. Each edge lies along one of three directions, and a particle crosses those of one direction
// at equal distances. A cell is its three neighbours, and how dense it is.

__global__ void mesh_tracks(const int *__restrict__ order, const int *__restrict__ crossings,
                            const int4 *__restrict__ starts, const int4 *__restrict__ ways,
                            const int4 *__restrict__ cells, unsigned *__restrict__ depths,
                            int *__restrict__ ends, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int count = crossings[item];
  int4 start = starts[item], way = ways[item];
  int a = start.x, b = start.y, c = start.z, cell = start.w, now = 0;
  unsigned depth = 0;
  for (int k = 0; k < count; ++k) { // loop: crossings
    int4 here = cells[cell];
    int next = min(a, min(b, c));
    depth += (unsigned)(next - now) * (unsigned)here.w;
    now = next;
    bool first = a == next, second = !first && b == next;
    cell = first ? here.x : second ? here.y : here.z;
    a += first ? way.x : 0;
    b += second ? way.y : 0;
    c += first || second ? 0 : way.z;
  }
  depths[item] = depth;
  ends[item] = cell;
}
