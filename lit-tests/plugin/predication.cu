// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which branches are expected to be none in machine code: sides of up to 8 instructions (7 and a jump,
// where both sides have some), and of up to 20 that read global memory, unless nothing can go on meanwhile. What ptxas does stands in
// docs/lab/machine-code.md. Of GPUs before sm_70 nothing is said.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -w -O2 -S -o code.s -fplugin-arg-divcost-report=r.json %s
// RUN: %python -c "import json; [print(k['name'].split('(')[0], *[b.get('predication', 'unknown') for b in k['branches'] if 'exits' not in b]) for k in json.load(open('r.json'))['kernels']]" | FileCheck %s
// RUN: %clang %cuda-any --cuda-device-only --cuda-gpu-arch=sm_60 -w -O2 -S -o code.s -fplugin-arg-divcost-report=r60.json %s
// RUN: not grep -E '"(un)?likely"' r60.json

// CHECK: arithmetic likely unlikely
__global__ void arithmetic(float *out, float x) {
  int t = threadIdx.x;
  float a = out[t], b = a;
  if (t & 1)
    out[t] = a * x + a;
  if (t & 2) {
    b = b * x + b; b = b * x + b; b = b * x + b; b = b * x + b; b = b * x + b;
    b = b * x + b; b = b * x + b; b = b * x + b; b = b * x + b; b = b * x + b;
  }
  out[t + 1024] = b;
}

// Five loads and five operations: addresses that differ by a number are one.
// CHECK-NEXT: loads likely
__global__ void loads(int *out, const int *in, int n) {
  int t = threadIdx.x, a = 0, b = 0, c = 0, d = 0, e = 0;
  for (int k = 0; k < n; ++k)
    if (t >> (k & 7) & 1) {
      a ^= in[5 * k], b ^= in[5 * k + 1], c ^= in[5 * k + 2], d ^= in[5 * k + 3], e ^= in[5 * k + 4];
    }
  out[t] = a + b + c + d + e;
}

// CHECK-NEXT: too_many unlikely
__global__ void too_many(int *out, const int *in, int n) {
  int t = threadIdx.x, a = 0;
  for (int k = 0; k < n; ++k)
    if (t >> (k & 7) & 1) {
      a ^= in[k] ^ in[3 * k] * in[n * k] ^ in[5 * k] ^ in[7 * k] * in[k * k];
      a *= in[11 * k] ^ in[13 * k] * in[17 * k] ^ in[19 * k];
    }
  out[t] = a;
}

// The iteration ends behind the load, and begins behind a barrier.
// CHECK-NEXT: at_the_end unlikely
__global__ void at_the_end(float *out, const float *in, int n) {
  __shared__ float row[256];
  int t = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    row[t] = in[k + t];
    __syncthreads();
    if (t == 0)
      out[k] += row[0];
  }
  out[n + t] = row[t];
}

// CHECK-NEXT: not_at_the_end likely
__global__ void not_at_the_end(float *out, const float *in, int n) {
  __shared__ float row[256];
  int t = threadIdx.x;
  for (int k = 0; k < n; ++k) {
    row[t] = in[k + t];
    __syncthreads();
    if (t < 8)
      row[t] += out[k];
    __syncthreads();
  }
  out[t] = row[t];
}

// A round begins and ends with a barrier, and the store needs what was read.
// CHECK-NEXT: between_barriers unlikely
__global__ void between_barriers(float *data, int n) {
  int t = threadIdx.x;
  for (int stride = 1; stride < n; stride *= 2) {
    __syncthreads();
    if (t >= stride)
      data[t] += data[t - stride];
    __syncthreads();
  }
}

// Behind the if lanes wait for those that go another way, and before it for those of the loop.
// CHECK-NEXT: meets_others unknown unlikely
__global__ void meets_others(float *out, const float *in, const int *length, int m) {
  int t = threadIdx.x, n = length[t];
  for (int k = 0; k < m; ++k)
    if (in[k * 256 + t] > 0) {
      float *at = out + k, sum = 0;
      for (int j = 0; j < n; ++j)
        sum += in[j * j + k];
      *at = sum;
      if (sum > 1)
        out[t] = in[m + t];
    }
}

// The same with something to do before.
// CHECK-NEXT: has_other_work unknown likely
__global__ void has_other_work(float *out, const float *in, const int *length, int m) {
  int t = threadIdx.x, n = length[t];
  for (int k = 0; k < m; ++k)
    if (in[k * 256 + t] > 0) {
      float *at = out + k, sum = 0;
      for (int j = 0; j < n; ++j)
        sum += in[j * j + k];
      *at = sum;
      float other = in[0] * sum + out[1];
      if (sum > 1)
        out[t] = in[m + t];
      out[t + 512] = other;
    }
}

// Short loops over a thread's array are none: the side is one of six instructions.
// CHECK-NEXT: array likely
__global__ void array(int *out, int x) {
  int t = threadIdx.x, mine[3];
  for (int k = 0; k < 3; ++k)
    mine[k] = out[t + 256 * k + 7];
  if (t & 1)
    for (int k = 0; k < 3; ++k)
      mine[k] ^= x + k;
  for (int k = 0; k < 3; ++k)
    out[t + 256 * k] = mine[k];
}

// Eight, seven beside an else, and no more; a maximum of doubles is one.
// CHECK-NEXT: eight likely
__global__ void eight(float *out, float x, float y) {
  __shared__ float row[256];
  int t = threadIdx.x;
  float a = out[t];
  row[t] = a;
  __syncthreads();
  if (row[t ^ 1] > x) {
    a = a * a + x; a = a * a + x; a = a * a + x; a = a * a + x;
    a = a * a + x; a = a * a + x; a = a * a + x; a = a * a + x;
  }
  out[t] = a;
}

// CHECK-NEXT: with_else unlikely
__global__ void with_else(float *out, float x, float y) {
  __shared__ float row[256];
  int t = threadIdx.x;
  float a = out[t];
  row[t] = a;
  __syncthreads();
  if (row[t ^ 1] > x) {
    a = a * a + x; a = a * a + x; a = a * a + x; a = a * a + x;
    a = a * a + x; a = a * a + x; a = a * a + x; a = a * a + x;
  } else {
    a = a * y + a; a = a * y + a; a = a * y + a;
  }
  out[t] = a;
}

// CHECK-NEXT: greatest likely
__global__ void greatest(double *out, int s) {
  __shared__ double row[256];
  int t = threadIdx.x;
  row[t] = out[t];
  __syncthreads();
  if (t < s)
    row[t] = fmax(row[t], row[t + s]);
  __syncthreads();
  out[t] = row[t ^ 1];
}

// Both sides store what they have read: LLVM makes it one store, of which they choose the place.
// CHECK-NEXT: same_store likely
__global__ void same_store(int *out, const int *in, const int *bit, const int *before, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (bit[t])
    out[before[t] - 1 + n] = in[t];
  else
    out[t - before[t]] = in[t];
}

// CHECK-NEXT: same_function likely
__global__ void same_function(float *out, float x) {
  int t = threadIdx.x;
  float a = out[t], b;
  if (a > x)
    b = expf(a - x);
  else
    b = expf(x * a);
  out[t] = b;
}

// A pair of registers made of two halves is no instruction: doubles that are shuffled.
// CHECK-NEXT: halves likely
__global__ void halves(double *out, double *sums) {
  __shared__ double sum[8];
  int t = threadIdx.x;
  double a = out[t];
  for (int step = 16; step > 0; step /= 2)
    a += __shfl_down_sync(~0u, a, step);
  if (t % 32 == 0)
    sum[t / 32] = a;
  __syncthreads();
  out[t] = sum[t % 8];
}

// What waits for other lanes stays where it is, and what branches itself has no predicate.
// CHECK-NEXT: waits_in_both unlikely
__global__ void waits_in_both(float *out, float x) {
  __shared__ float row[256];
  int t = threadIdx.x;
  float a = out[t];
  if (a > x) {
    row[t] = a * x;
    __syncwarp();
  } else {
    row[t] = a + x;
    __syncwarp();
  }
  out[t] = row[t ^ 1];
}

extern "C" __device__ double __nv_sqrt(double);

// CHECK-NEXT: root_in_side unlikely
__global__ void root_in_side(double *out, double x) {
  int t = threadIdx.x;
  double a = out[t];
  if (a > x)
    a = __nv_sqrt(a * x) + x;
  out[t] = a;
}

// A side that all lanes take together is under a predicate, too. It loses no lanes, but counts: a
// warp executes it whatever the condition says.
// CHECK-NEXT: together{{$}}
__global__ void together(float *out, float x, int n) {
  int t = threadIdx.x;
  float a = out[t];
  if (n > 3)
    out[t] = a * x + a;
  out[t + 1024] = a;
}
//
// RUN: %python %S/Inputs/predicated.py r.json together | FileCheck --check-prefix=TOGETHER %s
// TOGETHER: uniform likely
