// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Breadth-first search, one vertex of the frontier per thread and one launch per level. To be
// found: the trip count is the degree of a vertex that was itself loaded; in graphs with a heavy
// tail one hub holds up its warp. The append to the next frontier is a divergent branch.

__global__ void bfs_expand(const int *__restrict__ edge_begin, const int *__restrict__ edges,
                           const int *__restrict__ frontier, int frontier_size, int level,
                           int *levels, int *next_frontier, int *next_size) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= frontier_size)
    return;
  int vertex = frontier[i];
  int end = edge_begin[vertex + 1];
  for (int e = edge_begin[vertex]; e < end; ++e) { // expect: class=data-dependent warn
    int neighbour = edges[e];
    if (levels[neighbour] >= 0)
      continue;
    if (atomicCAS(&levels[neighbour], -1, level) == -1)
      next_frontier[atomicAdd(next_size, 1)] = neighbour;
  }
}

// `levels` is -1 but for the source, which is 0 and the one entry of frontiers[0]; `next_size` is
// one integer of the device's.
cudaError_t run_bfs(const int *edge_begin, const int *edges, int *levels, int *frontiers[2],
                    int *next_size) {
  int block = 256;
  int size = 1;
  cudaError_t error = cudaSuccess;
  for (int level = 1; size > 0 && error == cudaSuccess; ++level) {
    cudaMemset(next_size, 0, sizeof(int));
    bfs_expand<<<(size + block - 1) / block, block>>>(edge_begin, edges, frontiers[(level + 1) % 2],
                                                      size, level, levels, frontiers[level % 2],
                                                      next_size);
    error = cudaMemcpy(&size, next_size, sizeof(int), cudaMemcpyDeviceToHost);
  }
  return error;
}
