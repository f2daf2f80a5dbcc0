// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is assumed of a parameter fits what the code does with it: what is subtracted is small beside
// sizes, and a flag may have the value that it is compared with. With 1024 for each, next to nothing
// of these kernels would be reached.
//
// RUN: %clang %cuda -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json 2>&1
// RUN: FileCheck %s --input-file=%t.json

// A tile with an apron of r on each side, 9 at the most: 46 to 58 of 64 threads.
// CHECK-LABEL: "name": "apron(
// CHECK: "expected_efficiency": {"low": 0.7{{[0-9]*}}, "high": 0.9{{[0-9]*}}}
__global__ void apron(const float *in, const float *weights, float *out, int n, int r) {
  __shared__ float tile[64];
  int x = (64 - 2 * r) * blockIdx.x + threadIdx.x - r;
  tile[threadIdx.x] = x >= 0 && x < n ? in[x] : 0.0f;
  __syncthreads();
  if (threadIdx.x < r || threadIdx.x >= 64 - r || x >= n)
    return;
  float sum = 0.0f;
  for (int k = -r; k <= r; ++k)
    sum += weights[k + r] * tile[threadIdx.x + k];
  out[x] = sum;
}
void run_apron(const float *in, const float *weights, float *out, int n, int r) {
  apron<<<n / 64, 64>>>(in, weights, out, n, r);
}

// A window that is cut at both ends: 3 to 9 before and behind. The price is that of 7 to 19
// iterations, too.
// CHECK-LABEL: "name": "window(
// CHECK: "total": {"low": 1{{[0-9][0-9][.0-9]*}}, "high": 3{{[0-9][0-9][.0-9]*}}}
// CHECK: "mean_trips": {"low": {{[67]}}{{[.0-9]*}}, "high": {{1[89]}}{{[.0-9]*}}}
__global__ void window(const float *in, float *out, int n, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n)
    return;
  float sum = 0.0f;
  for (int k = max(x - r, 0); k <= min(x + r, n - 1); ++k)
    sum += in[k];
  out[x] = sum;
}

// Below a size an index is; what is subtracted from it elsewhere is no less a size.
// CHECK-LABEL: "name": "halves(
// CHECK: "mean_trips": {{64|[{]"low": 64, "high": 64[}]}}
__global__ void halves(const float *in, float *out, int n, int steps) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= n || x - n / 2 < 0)
    return;
  float sum = in[x];
  for (int k = 0; k < steps; ++k)
    sum = sum / (sum + 1.0f);
  out[x] = sum;
}

// A pattern in a text: fewer places than there are characters, by next to nothing.
// CHECK-LABEL: "name": "places(
// CHECK: "expected_efficiency": {"low": 0.8{{[0-9]*}}, "high": 1}
__global__ void places(const char *text, const char *pattern, int *found, int n, int m) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x <= n - m) {
    int alike = 0;
    for (int k = 0; k < m; ++k)
      alike += text[x + k] == pattern[k];
    found[x] = alike;
  }
}

// CHECK-LABEL: "name": "flagged(
// CHECK: "expected_efficiency": {"low": 0.{{[1-5][0-9]*}}, "high": 0.{{[1-9][0-9]*}}}
__global__ void flagged(const int *active, float *out) {
  if (active[blockIdx.x] == 1 && threadIdx.x < 5) {
    float sum = out[threadIdx.x];
    for (int k = 0; k < 100; ++k)
      sum = sum / (sum + 1.0f);
    out[threadIdx.x] = sum;
  }
}
void run_flagged(const int *active, float *out) { flagged<<<100, 32>>>(active, out); }

// A red-black sweep: a half of the lanes, whichever colour it is.
// CHECK-LABEL: "name": "sweep(
// CHECK: "expected_efficiency": {"low": 0.6{{[0-9]*}}, "high": 0.8{{[0-9]*}}}
__global__ void sweep(float *grid, int n, int color) {
  int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || j < 1 || i >= n - 1 || j >= n - 1)
    return;
  if ((i + j) % 2 == color)
    grid[i * n + j] = 0.25f * (grid[(i - 1) * n + j] + grid[(i + 1) * n + j] +
                               grid[i * n + j - 1] + grid[i * n + j + 1]);
}
