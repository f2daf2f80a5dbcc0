// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes are expected to agree on how far they have counted, on what all of them read at one
// address, and on smooth functions of their index; on data and hashes they aren't.
//
// RUN: %clang %cuda -fsyntax-only %s 2>&1 | FileCheck --implicit-check-not=warning: %s

#define LENGTH 512

// The row of a front: lanes begin one after the other, and then each counts.
__global__ void __launch_bounds__(LENGTH) front(const char *a, const char *b, int *out) {
  __shared__ int last[LENGTH + 1], here[LENGTH + 1];
  int column = threadIdx.x + 1, row = 1;
  last[column] = here[column] = 0;
  for (int diagonal = 0; diagonal < 2 * LENGTH; ++diagonal) {
    if (column <= diagonal + 1 && row <= LENGTH) {
      int best = last[column - 1] + (a[row - 1] == b[column - 1] ? 1 : -1);
      best = max(best, last[column] - 1);
      best = max(best, here[column - 1] - 1);
      here[column] = best * 3 / 2;
      ++row;
    }
    __syncthreads();
    last[column] = here[column];
    __syncthreads();
  }
  out[threadIdx.x] = last[column];
}

// How much of a buffer is full, which stays in memory as the buffer's place does.
struct buffered {
  unsigned char bytes[64];
  unsigned full, state;
};

__device__ void mix(buffered *of) {
  unsigned s = of->state;
  for (int round = 0; round < 8; ++round)
    for (int k = 0; k < 64; ++k)
      s = s * 33 + of->bytes[(k * 7 + round) & 63];
  of->state = s;
}

__device__ void update(buffered *of, const unsigned char *text, int n) {
  for (int k = 0; k < n; ++k) {
    of->bytes[of->full] = text[k];
    of->full++;
    if (of->full == 64) {
      mix(of);
      of->full = 0;
    }
  }
}

__global__ void digest(const unsigned char *texts, int n, unsigned *out) {
  buffered of;
  of.full = 0;
  of.state = 5381;
  int item = blockIdx.x * blockDim.x + threadIdx.x;
  update(&of, &texts[item * n], n);
  update(&of, &texts[item * n], n);
  out[item] = of.state;
}

// Where data decide which bytes count, they fill up by data.
__global__ void digest_of_some(const unsigned char *texts, int n, unsigned *out) {
  buffered of;
  of.full = 0;
  of.state = 5381;
  int item = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; ++k) {
    unsigned char c = texts[item * n + k];
    if (c > 32) {
      of.bytes[of.full] = c;
      of.full++;
    }
    // CHECK: agreement.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of a warp may part here, by data:
    if (of.full == 64) {
      mix(&of);
      of.full = 0;
    }
  }
  out[item] = of.state;
}

// A flag that all lanes ask for by an atomic that changes nothing.
__global__ void search(unsigned wanted, int *found, unsigned last) {
  for (unsigned seed = blockIdx.x * blockDim.x + threadIdx.x; seed <= last;
       seed += gridDim.x * blockDim.x) {
    if (atomicAdd(found, 0) == 1)
      return;
    unsigned x = seed;
    for (int k = 0; k < 64; ++k)
      x = x * 1664525 + 1013904223;
    if (x == wanted)
      atomicExch(found, 1);
  }
}

// An atomic that changes something is no flag.
__global__ void take(int *left, float *out) {
  // CHECK: agreement.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: loop may run a different number of iterations in each lane, by data:
  while (atomicSub(left, 1) > 0)
    out[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

// All of dynamic shared memory is one array, of which all lanes compare one place, each with its
// own.
__global__ void occurrences(const char *text, const char *pattern, int n, int *out) {
  extern __shared__ char shared[];
  char *wanted = shared, *here = shared + n;
  for (int k = threadIdx.x; k < n; k += blockDim.x)
    wanted[k] = pattern[k];
  here[threadIdx.x] = text[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  int k = 0;
  for (; k < n; ++k)
    if (wanted[k] != here[threadIdx.x + k])
      break;
  out[blockIdx.x * blockDim.x + threadIdx.x] = k == n;
}

// Rays through neighbouring pixels hit the same sphere, but for those at its edge.
__global__ void trace(const float4 *spheres, int n, float width, float *out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  float u = x / width - 0.5f, shade = 0;
  for (int k = 0; k < n; ++k) {
    float4 s = spheres[k];
    float b = u * s.x + s.y, d = b * b - (s.x * s.x + s.y * s.y - s.w);
    if (d > 0) {
      float t = b - sqrtf(d);
      for (int step = 0; step < 20; ++step)
        t = t * 0.5f + sinf(t * u) * expf(-t * t);
      shade += t;
    }
  }
  out[x] = shade;
}

// Those through random places don't.
__global__ void sample(const float4 *spheres, int n, float *out) {
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  float shade = 0;
  for (int k = 0; k < n; ++k) {
    x = x * 1664525 + 1013904223;
    float4 s = spheres[k];
    float u = (x >> 8) * (1.0f / 16777216.0f);
    float b = u * s.x + s.y, d = b * b - (s.x * s.x + s.y * s.y - s.w);
    // CHECK: agreement.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of a warp may part here, by data:
    if (d > 0) {
      float t = b - sqrtf(d);
      for (int step = 0; step < 20; ++step)
        t = t * 0.5f + sinf(t * u) * expf(-t * t);
      shade += t;
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = shade;
}

// Who counts goes by the last bit of the index, and so does how far.
__global__ void every_other(const float *in, float *out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, counted = 0;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    if ((x * 2654435761u >> 7) & 1)
      ++counted;
    // CHECK: agreement.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of a warp part here, by their index:
    if (counted > 10)
      for (int step = 0; step < 20; ++step)
        sum = sum * 0.5f + sinf(sum) * expf(in[k] * step);
  }
  out[x] = sum;
}

// Equality marks.
__global__ void charged(const float *charge, int n, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    float q = charge[i * n + k];
    // CHECK: agreement.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of a warp may part here, by data:
    if (q == 0)
      continue;
    for (int step = 0; step < 20; ++step)
      sum = sum * 0.5f + sinf(sum * q) * expf(-q * q);
  }
  out[i] = sum;
}

// What goes up to a limit that all lanes share ends there for all of a warp, but for one.
__global__ void pairs(unsigned *values, unsigned n, unsigned stride) {
  for (unsigned x = threadIdx.x; x < n / 2; x += 256) {
    unsigned at = x * 2 - x % stride, other = x % stride * 2 + 1;
    if (at + other >= n)
      break;
    unsigned a = values[at], b = values[at + other];
    values[at] = min(a, b);
    values[at + other] = max(a, b);
  }
}

// What a function writes that is called may be anything.
__device__ void look(const int *data, int *found);

__global__ void by_call(const int *data, float *out) {
  int found = 0;
  look(data, &found);
  float sum = 0;
  // CHECK: agreement.cu:[[# @LINE + 1]]:{{[0-9]+}}: warning: lanes of a warp may part here, by data:
  if (found > 3)
    for (int step = 0; step < 200; ++step)
      sum = sum * 0.5f + sinf(sum) * expf(out[step]);
  out[threadIdx.x] = sum;
}
