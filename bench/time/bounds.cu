// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that were made to be bound by one thing: arithmetic, memory at each of its levels,
// waiting, and the ends of launches. What is launched, and how, is in bound-kernels.tsv.

// ---- issue --------------------------------------------------------------------------------------

__global__ void stir(unsigned *__restrict__ out, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)t, y = x ^ 0x9e3779b9u;
  for (int k = 0; k < rounds; ++k) {
    x ^= x >> 15;
    x = x * 0x2c1b3c6du + (unsigned)k;
    y ^= y << 7;
    y = y * 0x297a2d39u + 1u;
  }
  out[t] = x ^ y;
}

__global__ void polynomials(float *__restrict__ out, float at, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float a = (float)t, b = a + 1.0f, c = a + 2.0f, d = a + 3.0f;
  for (int k = 0; k < rounds; ++k) {
    a = a * at + 0.5f;
    b = b * at + 0.25f;
    c = c * at + 0.125f;
    d = d * at + 0.0625f;
  }
  out[t] = a + b + c + d;
}

__global__ void orbits(float *__restrict__ out, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float cx = (float)(t & 1023) * 0.0004f - 0.2f, cy = (float)(t >> 10 & 1023) * 0.0004f - 0.2f;
  float x = 0.0f, y = 0.0f;
  for (int k = 0; k < rounds; ++k) {
    float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
  }
  out[t] = x + y;
}

__global__ void greatest(int *__restrict__ out, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int x = t, most = 0, least = t;
  for (int k = 0; k < rounds; ++k) {
    x = x * 1664525 + 1013904223;
    most = max(most, x);
    least = min(least, x ^ k);
  }
  out[t] = most - least;
}

__global__ void mixed_units(float *__restrict__ out, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)t;
  float sum = 0.0f, scale = 1.0f;
  for (int k = 0; k < rounds; ++k) {
    x = (x << 5) + x + (unsigned)k;
    sum = sum * 0.99f + scale;
    scale = scale * 0.5f + 0.25f;
    if (x & 64)
      x ^= 0x5bd1e995u;
  }
  out[t] = sum + (float)(x >> 8);
}

// ---- double precision and special functions -----------------------------------------------------

__global__ void horner64(double *__restrict__ out, double at, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double a = t, b = t + 1, c = t + 2;
  for (int k = 0; k < rounds; ++k) {
    a = a * at + 0.5;
    b = b * at + 0.25;
    c = c * at + 0.125;
  }
  out[t] = a + b + c;
}

__global__ void logistic64(double *__restrict__ out, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double x = (double)(t + 1) * 1e-7;
  for (int k = 0; k < rounds; ++k)
    x = 3.7 * x * (1.0 - x);
  out[t] = x;
}

__global__ void forces64(const double *__restrict__ place, double *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double here = place[t], force = 0;
  for (int k = 0; k < n; ++k) {
    double apart = place[k] - here;
    force += apart * (apart * apart - 1.5) * (apart + 0.25);
  }
  out[t] = force;
}

__global__ void sines(float *__restrict__ out, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float x = (float)t * 1e-6f;
  for (int k = 0; k < rounds; ++k)
    x = __sinf(x) + __cosf(x);
  out[t] = x;
}

__global__ void roots(float *__restrict__ out, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float x = (float)(t + 1), y = x + 1.0f;
  for (int k = 0; k < rounds; ++k) {
    x = rsqrtf(x) + 1.0f;
    y = rsqrtf(y) + 2.0f;
  }
  out[t] = x + y;
}

__global__ void exponentials(float *__restrict__ out, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float x = (float)t * 1e-6f;
  for (int k = 0; k < rounds; ++k)
    x = __expf(-x) + __logf(x + 1.5f);
  out[t] = x;
}

// ---- L1 and shared memory -----------------------------------------------------------------------

__global__ void shared_stride(int *__restrict__ out, int stride, int rounds) {
  __shared__ int words[8192];
  for (int k = threadIdx.x; k < 8192; k += blockDim.x)
    words[k] = k;
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < rounds; ++k)
    sum += words[(threadIdx.x * stride + k) & 8191];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void shared_lookup(int *__restrict__ out, int rounds) {
  __shared__ int words[4096];
  for (int k = threadIdx.x; k < 4096; k += blockDim.x)
    words[k] = k * 7;
  __syncthreads();
  unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int k = 0; k < rounds; ++k) {
    x = x * 1664525u + 1013904223u;
    sum += words[x >> 20];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__global__ void l1_gather(const int *__restrict__ table, int *__restrict__ out, int mask,
                          int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)t;
  int sum = 0;
  for (int k = 0; k < rounds; ++k) {
    x = x * 1664525u + 1013904223u;
    sum += table[(x >> 8) & mask];
  }
  out[t] = sum;
}

__global__ void l1_rows(const float4 *__restrict__ table, float *__restrict__ out, int mask,
                        int rounds) {
  float a = 0.0f, b = 0.0f;
  for (int k = 0; k < rounds; ++k) {
    float4 row = table[(threadIdx.x + k * 32) & mask];
    a += row.x + row.y;
    b += row.z + row.w;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b;
}

__global__ void tile_product(const float *__restrict__ a, const float *__restrict__ b,
                             float *__restrict__ c, int n) {
  __shared__ float of_a[32][32], of_b[32][32];
  int row = blockIdx.y * 32 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.0f;
  for (int tile = 0; tile < n; tile += 32) {
    of_a[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
    of_b[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      sum += of_a[threadIdx.y][k] * of_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void turned_tiles(float *__restrict__ out, int rounds) {
  __shared__ float tile[32][32];
  float x = (float)threadIdx.x;
  for (int k = 0; k < rounds; ++k) {
    tile[threadIdx.y][threadIdx.x] = x;
    __syncthreads();
    x = tile[threadIdx.x][threadIdx.y] + 1.0f;
    __syncthreads();
  }
  out[(blockIdx.x * 32 + threadIdx.y) * 32 + threadIdx.x] = x;
}

// ---- L2 and memory ------------------------------------------------------------------------------

// Rows of a table, again and again where `mask` is small.
__global__ void read_rows(const float4 *__restrict__ table, float *__restrict__ out, int mask,
                          int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  float a = 0.0f, b = 0.0f;
  for (int k = 0; k < rounds; ++k) {
    float4 row = table[(t + k * threads) & mask];
    a += row.x + row.y;
    b += row.z + row.w;
  }
  out[t] = a + b;
}

__global__ void copy_rows(const float4 *__restrict__ from, float4 *__restrict__ to, int n) {
  int threads = gridDim.x * blockDim.x;
  for (int t = blockIdx.x * blockDim.x + threadIdx.x; t < n; t += threads)
    to[t] = from[t];
}

__global__ void triad(const float *__restrict__ a, const float *__restrict__ b,
                      float *__restrict__ c, float scale, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n)
    c[t] = a[t] + scale * b[t];
}

__global__ void fill(float4 *__restrict__ to, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n)
    to[t] = make_float4(1.0f, 2.0f, 3.0f, 4.0f);
}

__global__ void gather(const int *__restrict__ table, int *__restrict__ out, int mask, int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)t * 2654435761u;
  int sum = 0;
  for (int k = 0; k < rounds; ++k) {
    x = x * 1664525u + 1013904223u;
    sum += table[(x >> 3) & mask];
  }
  out[t] = sum;
}

__global__ void scatter_add(int *__restrict__ bins, int mask, int rounds) {
  unsigned x = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u;
  for (int k = 0; k < rounds; ++k) {
    x = x * 1664525u + 1013904223u;
    atomicAdd(&bins[(x >> 3) & mask], 1);
  }
}

// Each lane has a sector of its own.
__global__ void read_apart(const int *__restrict__ table, int *__restrict__ out, int mask,
                           int rounds) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  int sum = 0;
  for (int k = 0; k < rounds; ++k)
    sum += table[((t + k * threads) * 8) & mask];
  out[t] = sum;
}

__global__ void sum_rows(const float *__restrict__ matrix, float *__restrict__ sums, int rows,
                         int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  float sum = 0.0f;
  for (int k = 0; k < columns; ++k)
    sum += matrix[k * rows + row];
  sums[row] = sum;
}

// ---- latency ------------------------------------------------------------------------------------

__global__ void chase(const int *__restrict__ next, int *__restrict__ out, int apart, int steps) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int place = t * apart;
  for (int k = 0; k < steps; ++k)
    place = next[place];
  out[t] = place;
}

__global__ void chain(unsigned *__restrict__ out, int steps) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)t;
  for (int k = 0; k < steps; ++k) {
    x ^= x >> 15;
    x = x * 0x2c1b3c6du + 1u;
  }
  out[t] = x;
}

__global__ void chain64(double *__restrict__ out, int steps) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  double x = t * 1e-7;
  for (int k = 0; k < steps; ++k)
    x = x * 0.999 + 0.5;
  out[t] = x;
}

__global__ void shared_chain(int *__restrict__ out, int steps) {
  __shared__ int next[1024];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x)
    next[k] = (k * 5 + 33) & 1023;
  __syncthreads();
  int place = threadIdx.x;
  for (int k = 0; k < steps; ++k)
    place = next[place];
  out[blockIdx.x * blockDim.x + threadIdx.x] = place;
}

__global__ void shuffles(int *__restrict__ out, int steps) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, x = t;
  for (int k = 0; k < steps; ++k)
    x += __shfl_xor_sync(0xffffffffu, x, 1);
  out[t] = x;
}

__global__ void barriers(int *__restrict__ out, int steps) {
  __shared__ int word[256];
  int x = threadIdx.x;
  for (int k = 0; k < steps; ++k) {
    word[threadIdx.x] = x;
    __syncthreads();
    x += word[(threadIdx.x + 1) & 255];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

// ---- ends of launches ---------------------------------------------------------------------------

// By data, lane by lane.
__global__ void chains(const int *__restrict__ count, unsigned *__restrict__ out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int steps = count[t];
  unsigned x = (unsigned)t;
  for (int k = 0; k < steps; ++k) { // loop: chains
    x ^= x >> 15;
    x = x * 0x2c1b3c6du + 1u;
  }
  out[t] = x;
}

__global__ void walks(const int *__restrict__ count, const int *__restrict__ next,
                      int *__restrict__ out, int mask) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int steps = count[t], place = (t * 97) & mask;
  for (int k = 0; k < steps; ++k) // loop: walks
    place = next[place];
  out[t] = place;
}

__global__ void chains64(const int *__restrict__ count, double *__restrict__ out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int steps = count[t];
  double x = t * 1e-7;
  for (int k = 0; k < steps; ++k) // loop: chains64
    x = x * 0.999 + 0.5;
  out[t] = x;
}

// By the block: the later, the longer.
__global__ void by_block(unsigned *__restrict__ out, int unit) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)t;
  int steps = blockIdx.x * blockIdx.x / gridDim.x * unit;
  for (int k = 0; k < steps; ++k) {
    x ^= x >> 15;
    x = x * 0x2c1b3c6du + 1u;
  }
  out[t] = x;
}

// By the block: one in so many has far more to do.
__global__ void rare_blocks(unsigned *__restrict__ out, int every, int few, int many) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)t;
  int steps = blockIdx.x % every == every - 1 ? many : few;
  for (int k = 0; k < steps; ++k) {
    x ^= x >> 15;
    x = x * 0x2c1b3c6du + 1u;
  }
  out[t] = x;
}

// By the warp of the block.
__global__ void by_warp(unsigned *__restrict__ out, int unit) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)t;
  int warp = threadIdx.x / 32, steps = warp * warp * unit;
  for (int k = 0; k < steps; ++k) {
    x ^= x >> 15;
    x = x * 0x2c1b3c6du + 1u;
  }
  out[t] = x;
}

// Blocks alike, a few more of them than there is room for.
__global__ void long_blocks(unsigned *__restrict__ out, int steps) {
  __shared__ unsigned word[12000]; // four blocks for an SM
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned x = (unsigned)t;
  for (int k = 0; k < steps; ++k) {
    x ^= x >> 15;
    x = x * 0x2c1b3c6du + 1u;
  }
  word[threadIdx.x] = x;
  __syncthreads();
  out[t] = word[blockDim.x - 1 - threadIdx.x];
}

__global__ void long_walks(const int *__restrict__ next, int *__restrict__ out, int apart,
                           int steps) {
  __shared__ int word[12000];
  int t = blockIdx.x * blockDim.x + threadIdx.x, place = t * apart;
  for (int k = 0; k < steps; ++k)
    place = next[place];
  word[threadIdx.x] = place;
  __syncthreads();
  out[t] = word[blockDim.x - 1 - threadIdx.x];
}

// ---- hardly anything to do ----------------------------------------------------------------------

__global__ void nothing() {}

__global__ void scale(float *__restrict__ x, float by, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n)
    x[t] *= by;
}

__global__ void numbers(int *__restrict__ out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n)
    out[t] = t;
}

__global__ void small_sum(const int *__restrict__ in, int *__restrict__ out) {
  int sum = in[threadIdx.x];
  for (int k = 16; k > 0; k /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, k);
  if (threadIdx.x == 0)
    out[0] = sum;
}

__global__ void small_turn(const float *__restrict__ in, float *__restrict__ out) {
  __shared__ float tile[32][33];
  tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
