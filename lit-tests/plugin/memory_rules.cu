// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warnings about accesses to memory: what is certain, once for an array, and nothing else. The same with a
// report and without.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -O2 -S -o a.s %s 2>&1 | grep "warning: each" > plain.txt
// RUN: FileCheck %s --input-file=plain.txt --implicit-check-not=warning:
// RUN: %clang %cuda -O2 -S -o a.s %s -fplugin-arg-divcost-report=unit.json 2>&1 | grep "warning: each" > reported.txt
// RUN: diff plain.txt reported.txt
// RUN: %clang %cuda -O2 -S -o a.s %s -fplugin-arg-divcost-no-warn=coalescing,bank-conflict,constant 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: warning: each

struct Cell {
  float pressure, a, b, c, d, e, f, g;
};

__global__ void one_field(const Cell *cells, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: [[#@LINE+1]]:21: warning: each load of a warp from 'cells' touches 32 sectors of 32 bytes where 4 would do: neighbouring threads are 32 bytes apart [divcost-coalescing]
  out[i] = cells[i].pressure;
}

// All of a structure is read, if field by field.
__global__ void all_fields(const float3 *points, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = points[i].x + points[i].y + points[i].z;
}

// Said once, of the worst.
__global__ void some_fields(const Cell *cells, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: each load of a warp from 'cells' touches 32 sectors {{.*}} (as does 1 other access of it) [divcost-coalescing]
  out[i] = cells[i].pressure + cells[i].f;
}

// How far rows are apart nobody knows.
__global__ void rows(const float *a, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[i * n + k];
  out[i] = sum;
}

__global__ void gather(const int *index, const float *a, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = a[index[i]];
}

// Neighbouring threads may lie in x or in y.
__global__ void shape_unknown(const float *in, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * 1024 + y] = in[y * 1024 + x];
}

__global__ void shape_known(const float *in, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: each store of a warp to 'out' touches 32 sectors of 32 bytes where 4 would do: neighbouring threads are 4096 bytes apart [divcost-coalescing]
  out[x * 1024 + y] = in[y * 1024 + x];
}

// What goes by a step that doubles.
__global__ void tree(const float *in, float *out) {
  __shared__ float s[256];
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * 256 + t];
  __syncthreads();
  for (unsigned step = 1; step < 256; step *= 2) {
    // CHECK: [[#@LINE+2]]:{{[0-9]+}}: warning: each load of a warp from 's' takes {{[0-9.]+}} passes over the banks of shared memory where 1 would do: neighbouring threads are not side by side (as do 2 other accesses of it) [divcost-bank-conflict]
    if (2 * step * t < 256)
      s[2 * step * t] += s[2 * step * t + step];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

__global__ void column(float *out) {
  __shared__ float tile[32][32], padded[32][33];
  tile[threadIdx.y][threadIdx.x] = padded[threadIdx.y][threadIdx.x] = threadIdx.x;
  __syncthreads();
  // CHECK: [[#@LINE+2]]:{{[0-9]+}}: warning: each load of a warp from 'tile' takes 32 passes over the banks of shared memory where 1 would do: neighbouring threads are 128 bytes apart; with rows of 132 bytes it takes 1 [divcost-bank-conflict]
  out[threadIdx.y * 32 + threadIdx.x] =
      tile[threadIdx.x][threadIdx.y] + padded[threadIdx.x][threadIdx.y];
}

__constant__ float table[256], one[4];

__global__ void constants(float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // CHECK: [[#@LINE+1]]:{{[0-9]+}}: warning: each load of a warp from 'table' reads 32 addresses, one after the other [divcost-constant]
  out[i] = table[threadIdx.x] + one[blockIdx.x & 3];
}

// Half of the lanes: that they idle is not what lies where.
__global__ void every_other(const float *in, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x % 2 == 0)
    out[i] = in[i];
}

__global__ void silenced(const Cell *cells, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = cells[i].pressure; // NOLINT(divcost-coalescing)
}

void run(const float *in, float *out) {
  shape_known<<<dim3(32, 128), dim3(32, 8)>>>(in, out);
  column<<<1, dim3(32, 32)>>>(out);
}
