// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The branch of a kernel at which most lanes idle, where nothing else is said of the kernel. The
// same is said with a report and without.
//
// RUN: %clang %cuda -fsyntax-only %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-report=%t.json 2>&1 \
// RUN:   | FileCheck --implicit-check-not=warning: %s
// RUN: %clang %cuda -fsyntax-only -Werror %s -fplugin-arg-divcost-no-warn=branch,efficiency,data-dependent
// RUN: %clang %cuda -fsyntax-only -Werror %s -fplugin-arg-divcost-threshold=0.99

__device__ float grown(float x) {
  for (int k = 0; k < 20; ++k)
    x = x * x + 0.5f;
  return x;
}

__global__ void by_data(const int *kind, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  // CHECK: branch.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of a warp may part here, by data: {{[0-9]+}}% to {{[0-9]+}}% of the kernel's issue slots idle if each lane decides for itself, none if all decide alike (assumed: half of the lanes go each way, or one in a warp) [divcost-branch]
  if (kind[i] == 3)
    out[i] = grown(out[i]);
}

// Where it is certain that lanes idle, that is said of the kernel.
// CHECK: branch.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: at least {{[0-9]+}}% of the lanes of kernel 'by_index(float*)' idle, whatever its data are; an expected {{[0-9]+}}% at the branch in line [[# @LINE + 2]] [divcost-efficiency]
__global__ void by_index(float *out) {
  if (threadIdx.x & 1)
    out[threadIdx.x] = grown(out[threadIdx.x]);
  else
    out[threadIdx.x] = grown(-out[threadIdx.x]);
}

// Else of the branch.
__global__ void by_index_for_long(float *out, int n) {
  // CHECK: branch.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of a warp part here, by their index: {{.*}} of the kernel's issue slots idle (assumed: how long the kernel's loops run) [divcost-branch]
  if (threadIdx.x == 0)
    for (int i = 0; i < n; ++i)
      out[i] = grown(out[i]);
}

// The code tells how many lanes take it: too few, and enough.
__global__ void rarely(const int *kind, float *out) {
  if (__builtin_expect(kind[threadIdx.x] == 3, 0))
    out[threadIdx.x] = grown(out[threadIdx.x]);
}

__global__ void as_told(const int *kind, float *out) {
  // CHECK: branch.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of a warp may part here, by data: about {{[0-9]+}}% of the kernel's issue slots idle if each lane decides for itself, none if all decide alike (by the code: 10% of the lanes go the rarer way) [divcost-branch]
  if (__builtin_expect_with_probability(kind[threadIdx.x] == 3, 1, 0.1))
    out[threadIdx.x] = grown(out[threadIdx.x]);
}

// Nothing is divided by zero, which is rare.
__global__ void divided(const float *sum, const int *count, float *out) {
  int n = count[threadIdx.x];
  if (n == 0)
    return;
  out[threadIdx.x] = grown(sum[threadIdx.x]) / n;
}

// Nor by a number in floating point, which is compared with zero in order.
__global__ void quotients(float *out, const float *in) {
  float d = in[threadIdx.x] * in[threadIdx.x + 1];
  if (d == 0) {
    out[threadIdx.x] = 0;
  } else {
    out[threadIdx.x] = grown(in[threadIdx.x]) / d;
    out[threadIdx.x + 1] = grown(out[threadIdx.x]) / d;
  }
}

// Nor by what is next to it.
__global__ void weighted(const float *sum, const float *weight, float *out) {
  float w = weight[threadIdx.x];
  if (w > 1e-12f)
    out[threadIdx.x] = grown(sum[threadIdx.x]) / w;
}

// Nor is the logarithm of zero taken.
extern "C" __device__ float __nv_logf(float);
__global__ void information(const float *share, float *out) {
  float p = share[threadIdx.x];
  if (p > 0)
    out[threadIdx.x] = grown(-p * __nv_logf(p));
}

// A counter is hardly ever where it ends, which data decide.
__global__ void at_its_end(const int *more, float *out, int n) {
  int last = n * threadIdx.x, at = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    if (at != last)
      sum += grown(sum);
    at += more[k * 256 + threadIdx.x] > 0;
  }
  out[threadIdx.x] = sum;
}

// An index that code computes is below zero where there is none.
__global__ void in_cells(const float *at, float *out, float size) {
  int cell = (int)floorf(at[threadIdx.x] / size);
  if (cell < 0)
    return;
  out[cell] = grown(at[threadIdx.x]);
}

// Half of the lanes of the warps that are left go, in the iterations in which there are such.
__global__ void in_turns(float *out, int n) {
  for (int turn = 0; turn < n; ++turn)
    for (unsigned d = 16; d > 0; d /= 2) {
      // CHECK: branch.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of a warp part here, by their index: {{.*}} of the kernel's issue slots idle (assumed: how long the kernel's loops run) [divcost-branch]
      if (threadIdx.x & d)
        out[threadIdx.x ^ d] += grown(out[threadIdx.x]);
    }
}

// One lane of each two that are partners goes, as far as these are in one warp.
__global__ void partners(float *out, int distance) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ distance;
  // CHECK: branch.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of a warp part here, by their index: {{.*}} of the kernel's issue slots idle (assumed: values of distance) [divcost-branch]
  if (partner > i)
    out[i] = grown(out[partner]);
}

// Templates are one finding.
template <int K> __global__ void often(const int *kind, float *out) {
  // CHECK: branch.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of a warp may part here, by data: in the worst of 2 instances examined {{.*}} [divcost-branch]
  if (kind[threadIdx.x] == K)
    out[threadIdx.x] = grown(out[threadIdx.x]);
}
template __global__ void often<1>(const int *, float *);
template __global__ void often<2>(const int *, float *);

// Only the warps at the end have lanes that idle.
__global__ void guarded(const float *in, float *out, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx - 1 || y >= ny - 1)
    return;
  out[y * nx + x] = grown(in[y * nx + x]);
}

// Here too, block after block.
__global__ void guarded_in_turn(const float *in, float *out, int n, int turns) {
  for (int turn = blockIdx.x; turn < turns; turn += gridDim.x) {
    int i = turn * blockDim.x + threadIdx.x;
    if (i < n)
      out[i] = grown(in[i]);
  }
}

// Lanes of a warp agree.
__global__ void by_warp(const int *kind, float *out) {
  if (kind[blockIdx.x] == 3)
    out[threadIdx.x] = grown(out[threadIdx.x]);
}

// Neighbours agree, but for those at the edge.
__global__ void by_place(float *out, float width, float centre) {
  float x = threadIdx.x * width - centre;
  if (x * x < 2.0f)
    out[threadIdx.x] = grown(x);
}

// Too small to be a branch in machine code.
__global__ void chosen(const int *kind, float *out) {
  if (kind[threadIdx.x] == 3)
    out[threadIdx.x] = 1;
}

// What the loop costs is said already.
__global__ void in_front_of_a_loop(const int *kind, const int *count, float *out) {
  if (kind[threadIdx.x] == 3)
    out[threadIdx.x] = grown(out[threadIdx.x]);
  // CHECK: branch.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: loop may run {{.*}} [divcost-data-dependent]
  for (int k = 0; k < count[threadIdx.x]; ++k)
    out[threadIdx.x] = out[threadIdx.x] * 0.5f + k;
}

void launch(const int *kind, float *out, int n) {
  by_index<<<1, 64>>>(out);
  by_index_for_long<<<1, 64>>>(out, n);
  by_data<<<(n + 255) / 256, 256>>>(kind, out, n);
}

// One lane does a seventh of the work. That is enough where it is derived, not where it rests on a value that is
// assumed; then it is said of the kernel, as what is expected.
__global__ void by_number(float *out) {
  float x = grown(grown(grown(grown(grown(grown(out[threadIdx.x]))))));
  // CHECK: branch.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of a warp part here, by their index: about {{1[0-9]}}% of the kernel's issue slots idle
  if (threadIdx.x % 32 == 3)
    x = grown(x);
  out[threadIdx.x] = x;
}

// CHECK: branch.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: {{[0-9]+}}% to {{[0-9]+}}% of the lanes of kernel 'by_assumed_number(float*, unsigned int)' idle under all that is assumed
__global__ void by_assumed_number(float *out, unsigned n) {
  float x = grown(grown(grown(grown(grown(grown(out[threadIdx.x]))))));
  if (threadIdx.x % 32 == n % 32)
    x = grown(x);
  out[threadIdx.x] = x;
}
