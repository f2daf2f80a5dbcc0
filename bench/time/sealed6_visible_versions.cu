// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of a table that are read while others write them (multiversion concurrency): from the newest
// version of a row back to the one that a snapshot sees, and if that isn't deleted what it points
// to. A version is when it was written, where the one before it is, and where its contents are.

__global__ void visible_versions(const int *__restrict__ order, const int *__restrict__ heads,
                                 const int *__restrict__ snapshots,
                                 const int4 *__restrict__ versions,
                                 const int *__restrict__ contents, int *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n)
    return;
  int item = order[t];
  int snapshot = snapshots[item], found = -1;
  int4 version = versions[heads[item]];
  while (version.x > snapshot) // loop: older
    version = versions[version.y];
  if (version.z >= 0) // branch: alive
    found = contents[version.z] + version.w;
  out[item] = found;
}
