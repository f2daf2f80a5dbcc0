// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes differ in the last digits of their index, in one of two loops: neither always loses, the
// kernel does, however many blocks there are. All of a loop's few iterations are looked at: in the
// middle one lanes are alike.
//
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-no-warn=bank-conflict 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-report=%t.json -fplugin-arg-divcost-no-warn=bank-conflict 2>&1 \
// RUN:   | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -fsyntax-only -Werror %s -fplugin-arg-divcost-no-warn=efficiency,bank-conflict
// RUN: %clang %cuda -fsyntax-only -Werror %s -fplugin-arg-divcost-threshold=0.4 -fplugin-arg-divcost-no-warn=bank-conflict

__device__ int digits(const int *table, unsigned rest) {
  int sum = 0;
  for (int digit = 0; rest; rest >>= 2, ++digit)
    for (unsigned k = 0; k < (rest & 3); ++k)
      for (int row = 0; row < 160; ++row)
        sum ^= table[160 * digit + row] + sum;
  return sum;
}

// CHECK: always_idle.cu:[[# @LINE + 1]]:17: warning: {{[12][0-9]}}% to {{[34][0-9]}}% of the lanes of kernel 'turns(int const*, int*)' idle under all that is assumed of its launch and data; most in line 17 [divcost-efficiency]
__global__ void turns(const int *table, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x % 2 == 0)
    out[i] = digits(table, i);
  else
    out[i] = digits(table + 7, i) + 1;
}

// Which way out of a loop lanes take, only their data say: they may do alike.
__device__ bool has_all(const int *seen) {
  for (int k = 0; k < 10; ++k)
    if (seen[k] == 0)
      return false;
  return true;
}

__global__ void survivors(const int *seen, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!has_all(seen + 10 * i))
    return;
  float sum = out[i];
  for (int k = 0; k < 100; ++k)
    sum = sum / (sum + k);
  out[i] = sum;
}

// The border of a tile: what is in the image depends on its size. The less there is to do beside it,
// the more idles; in the middle of what is expected that is more than the threshold, in both.
__device__ void border(float (*tile)[18], const float *in, int width, int height) {
  int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  tile[y + 1][x + 1] = row < height && col < width ? in[row * width + col] : 0;
  if (x < 1)
    tile[y + 1][x] = row < height && col - 1 >= 0 ? in[row * width + col - 1] : 0;
  if (x >= 15)
    tile[y + 1][x + 2] = row < height && col + 1 < width ? in[row * width + col + 1] : 0;
  __syncthreads();
}

template <int n>
__device__ void inside(const float (*tile)[18], float *out, int width, int height) {
  int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
  if (row >= height || col >= width)
    return;
  float sum = tile[y + 1][x + 1];
  for (int k = 0; k < n; ++k)
    sum = sum * tile[y][x] + tile[y + 1][x + 2];
  out[row * width + col] = sum;
}

// CHECK: always_idle.cu:[[# @LINE + 1]]:17: warning: {{[5-9]|1[0-2]}}% to {{[34][0-9]}}% of the lanes of kernel 'few(float const*, float*, int, int)' idle under all that is assumed of its launch and data{{.*}} [divcost-efficiency]
__global__ void few(const float *in, float *out, int width, int height) {
  __shared__ float tile[18][18];
  border(tile, in, width, height);
  inside<12>(tile, out, width, height);
}

__global__ void many(const float *in, float *out, int width, int height) {
  __shared__ float tile[18][18];
  border(tile, in, width, height);
  inside<64>(tile, out, width, height);
}

void launch(const float *in, float *out, int width, int height) {
  dim3 grid((width + 15) / 16, (height + 15) / 16), block(16, 16);
  few<<<grid, block>>>(in, out, width, height);
  many<<<grid, block>>>(in, out, width, height);
}
