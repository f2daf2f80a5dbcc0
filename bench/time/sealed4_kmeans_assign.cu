// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of k-means: the block reads tiles of centres to shared memory, and each point looks at as
// many of a tile as its bounds leave (those of a tile are sorted by how far they are out). Members
// of the clusters are counted in shared memory, too.

__global__ void kmeans_assign(const int *__restrict__ order, const int *__restrict__ reach,
                              const int4 *__restrict__ points, const int4 *__restrict__ centres,
                              int *__restrict__ nearest, unsigned *__restrict__ sizes, int tiles,
                              int n) {
  __shared__ int4 tile[128];
  __shared__ unsigned members[1024];
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int item = order[t];
  int count = reach[item], best = 0x7fffffff, at = 0;
  int4 point = points[item];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    members[k] = 0;
  for (int j = 0; j < tiles; ++j) {
    __syncthreads();
    for (int k = threadIdx.x; k < 128; k += blockDim.x)
      tile[k] = centres[j * 128 + k];
    __syncthreads();
    for (int k = 0; k < count; ++k) { // loop: reach
      int4 centre = tile[k];
      int x = centre.x - point.x, y = centre.y - point.y, z = centre.z - point.z;
      int w = centre.w - point.w;
      int distance = x * x + y * y + z * z + w * w;
      if (distance < best) {
        best = distance;
        at = j * 128 + k;
      }
    }
  }
  if (t < n)
    nearest[item] = at;
  atomicAdd(&members[at], 1u);
  __syncthreads();
  for (int k = threadIdx.x; k < tiles * 128; k += blockDim.x)
    if (members[k])
      atomicAdd(&sizes[k], members[k]);
}
