// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses to memory as they are taught, right and wrong, each on a line of its own, with what a
// warp's request of it takes:
// kind, space, bytes of a lane, class; and of a request, on average over those with some lane, what
// it takes of what it would if the lanes' bytes stood side by side: sectors of global memory,
// wavefronts of shared memory, distinct addresses of constants. check_cases.py holds that against
// what divcost says, and against Nsight Compute's counts.
#define N 1024

struct Vertex {
  float x, y, z;
};

// ---- arrays of structures, structures of arrays -------------------------------------------------

__global__ void __launch_bounds__(256) array_of_structures(const Vertex *v, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = v[i].x; // load global 4 strided: 12 of 4
  out[i] = x;       // store global 4 row: 4 of 4
}

__global__ void __launch_bounds__(256) structure_of_arrays(const float *x, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float a = x[i]; // load global 4 row: 4 of 4
  out[i] = a;     // store global 4 row: 4 of 4
}

// ---- a matrix, by rows and by columns -----------------------------------------------------------

__global__ void transpose_naive(const float *in, float *out) {
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  float a = in[y * N + x]; // load global 4 row: 4 of 4
  out[x * N + y] = a;      // store global 4 strided: 32 of 4
}

__global__ void transpose_tiled(const float *in, float *out) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y, bx = blockIdx.x * 32, by = blockIdx.y * 32;
#pragma unroll 1
  for (int j = 0; j < 32; j += 8) {
    float a = in[(by + y + j) * N + bx + x]; // load global 4 row: 4 of 4
    tile[y + j][x] = a;                      // store shared 4 row: 1 of 1
  }
  __syncthreads();
#pragma unroll 1
  for (int j = 0; j < 32; j += 8) {
    float a = tile[x][y + j];           // load shared 4 strided: 32 of 1
    out[(bx + y + j) * N + by + x] = a; // store global 4 row: 4 of 4
  }
}

__global__ void transpose_padded(const float *in, float *out) {
  __shared__ float tile[32][33];
  int x = threadIdx.x, y = threadIdx.y, bx = blockIdx.x * 32, by = blockIdx.y * 32;
#pragma unroll 1
  for (int j = 0; j < 32; j += 8) {
    float a = in[(by + y + j) * N + bx + x]; // load global 4 row: 4 of 4
    tile[y + j][x] = a;                      // store shared 4 row: 1 of 1
  }
  __syncthreads();
#pragma unroll 1
  for (int j = 0; j < 32; j += 8) {
    float a = tile[x][y + j];           // load shared 4 strided: 1 of 1
    out[(bx + y + j) * N + by + x] = a; // store global 4 row: 4 of 4
  }
}

__global__ void column_sums(const float *a, float *out) {
  int x = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int y = 0; y < 64; ++y)
    sum += a[y * N + x]; // load global 4 row: 4 of 4
  out[x] = sum;          // store global 4 row: 4 of 4
}

__global__ void row_sums(const float *a, float *out) {
  int y = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int x = 0; x < 64; ++x)
    sum += a[y * N + x]; // load global 4 strided: 32 of 4
  out[y] = sum;          // store global 4 row: 4 of 4
}

__global__ void row_sums_of_n(const float *a, float *out, int n) {
  int y = blockIdx.x * 256 + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (int x = 0; x < n; ++x)
    sum += a[y * n + x]; // load global 4 strided: 1..32 of 1..4
  out[y] = sum;          // store global 4 row: 4 of 4
}

// ---- alignment ----------------------------------------------------------------------------------

__global__ void one_on(const float *a, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = a[i + 1]; // load global 4 row: 5 of 4
  out[i] = x;         // store global 4 row: 4 of 4
}

__global__ void some_on(const float *a, float *out, int offset) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = a[i + offset]; // load global 4 row: 4..5 of 4
  out[i] = x;              // store global 4 row: 4 of 4
}

__global__ void halo(const float *a, float *out) {
  __shared__ float row[256 + 2];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  float x = a[i + 1]; // load global 4 row: 5 of 4
  row[t + 1] = x;     // store shared 4 row: 1 of 1
  if (t < 2) {
    float edge = a[i + 256 * t]; // load global 4 strided: 2 of 1
    row[t * 257] = edge;         // store shared 4 strided: 1 of 1
  }
  __syncthreads();
  float left = row[t];      // load shared 4 row: 1 of 1
  float right = row[t + 2]; // load shared 4 row: 1 of 1
  out[i] = left + right;    // store global 4 row: 4 of 4
}

// ---- strides ------------------------------------------------------------------------------------
// In floats.

__global__ void stride_2(const float *a, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = a[i * 2]; // load global 4 strided: 8 of 4
  out[i] = x;         // store global 4 row: 4 of 4
}

__global__ void stride_3(const float *a, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = a[i * 3]; // load global 4 strided: 12 of 4
  out[i] = x;         // store global 4 row: 4 of 4
}

__global__ void stride_4(const float *a, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = a[i * 4]; // load global 4 strided: 16 of 4
  out[i] = x;         // store global 4 row: 4 of 4
}

__global__ void stride_7(const float *a, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = a[i * 7]; // load global 4 strided: 28 of 4
  out[i] = x;         // store global 4 row: 4 of 4
}

__global__ void stride_8(const float *a, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = a[i * 8]; // load global 4 strided: 32 of 4
  out[i] = x;         // store global 4 row: 4 of 4
}

__global__ void stride_32(const float *a, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = a[i * 32]; // load global 4 strided: 32 of 4
  out[i] = x;          // store global 4 row: 4 of 4
}

__global__ void reversed(const float *a, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = a[256 * gridDim.x - 1 - i]; // load global 4 strided: 4 of 4
  out[i] = x;                           // store global 4 row: 4 of 4
}

// ---- widths -------------------------------------------------------------------------------------

__global__ void widths(const char *c, const short *s, const double *d, const float4 *f, char *out,
                       double *sums) {
  int i = blockIdx.x * 256 + threadIdx.x;
  char a = c[i];                           // load global 1 row: 1 of 1
  short b = s[i];                          // load global 2 row: 2 of 2
  double e = d[i];                         // load global 8 row: 8 of 8
  float4 g = f[i];                         // load global 16 row: 16 of 16
  out[i] = a;                              // store global 1 row: 1 of 1
  sums[i] = b + e + g.x + g.y + g.z + g.w; // store global 8 row: 8 of 8
}

__global__ void wide_strides(const double *d, const float4 *f, double *sums) {
  int i = blockIdx.x * 256 + threadIdx.x;
  double e = d[i * 3];                 // load global 8 strided: 24 of 8
  float4 g = f[i * 2];                 // load global 16 strided: 32 of 16
  sums[i] = e + g.x + g.y + g.z + g.w; // store global 8 row: 8 of 8
}

__global__ void broadcast(const float *a, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = a[blockIdx.x];       // load global 4 same: 1 of 1
  float y = a[threadIdx.x / 32]; // load global 4 same: 1 of 1
  float z = a[threadIdx.x / 8];  // load global 4 strided: 1 of 1
  out[i] = x + y + z;            // store global 4 row: 4 of 4
}

// ---- lanes that aren't there --------------------------------------------------------------------

__global__ void half_a_warp(const float *a, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x % 32 < 16) {
    float x = a[i]; // load global 4 row: 2 of 2
    out[i] = x;     // store global 4 row: 2 of 2
  }
}

__global__ void every_other_lane(const float *a, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x % 2 == 0) {
    float x = a[i]; // load global 4 row: 4 of 2
    out[i] = x;     // store global 4 row: 4 of 2
  }
}

__global__ void one_lane(const float *a, float *out) {
  if (threadIdx.x == 0) {
    float x = a[blockIdx.x]; // load global 4 same: 1 of 1
    out[blockIdx.x] = x;     // store global 4 same: 1 of 1
  }
}

// ---- blocks of two dimensions -------------------------------------------------------------------

__global__ void tiles_16(const float *a, float *out) {
  __shared__ float tile[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float v = a[y * N + x];             // load global 4 row: 4 of 4
  tile[threadIdx.y][threadIdx.x] = v; // store shared 4 row: 1 of 1
  __syncthreads();
  float w = tile[threadIdx.x][threadIdx.y]; // load shared 4 strided: 8 of 1
  out[y * N + x] = w;                       // store global 4 row: 4 of 4
}

__global__ void tiles_8(const float *a, float *out) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  float v = a[y * N + x]; // load global 4 row: 4 of 4
  out[y * N + x] = v;     // store global 4 row: 4 of 4
}

// ---- shared memory ------------------------------------------------------------------------------

__global__ void shared_strides(float *out) {
  __shared__ float s[33 * 256];
  int t = threadIdx.x;
#pragma unroll 1
  for (int k = t; k < 33 * 256; k += 256)
    s[k] = k; // store shared 4 row: 1 of 1
  __syncthreads();
  float a = s[t];      // load shared 4 row: 1 of 1
  float b = s[t * 2];  // load shared 4 strided: 2 of 1
  float c = s[t * 3];  // load shared 4 strided: 1 of 1
  float d = s[t * 4];  // load shared 4 strided: 4 of 1
  float e = s[t * 8];  // load shared 4 strided: 8 of 1
  float f = s[t * 16]; // load shared 4 strided: 16 of 1
  float g = s[t * 32]; // load shared 4 strided: 32 of 1
  float h = s[t * 33]; // load shared 4 strided: 1 of 1
  float i = s[7];      // load shared 4 same: 1 of 1
  float j = s[t / 4];  // load shared 4 strided: 1 of 1
  out[blockIdx.x * 256 + t] = a + b + c + d + e + f + g + h + i + j; // store global 4 row: 4 of 4
}

__global__ void shared_widths(double *out) {
  __shared__ double d[3 * 256];
  __shared__ float4 f[2 * 256];
  __shared__ unsigned char c[8 * 256];
  __shared__ short h[256];
  int t = threadIdx.x;
#pragma unroll 1
  for (int k = t; k < 3 * 256; k += 256)
    d[k] = k; // store shared 8 row: 2 of 2
#pragma unroll 1
  for (int k = t; k < 2 * 256; k += 256)
    f[k] = make_float4(k, t, k, t); // store shared 16 row: 4 of 4
#pragma unroll 1
  for (int k = t; k < 8 * 256; k += 256)
    c[k] = k; // store shared 1 row: 1 of 1
  h[t] = t;   // store shared 2 row: 1 of 1
  __syncthreads();
  double e = d[t];      // load shared 8 row: 2 of 2
  double g = d[2 * t];  // load shared 8 strided: 4 of 2
  double p = d[3 * t];  // load shared 8 strided: 2 of 2
  double q = d[t / 16]; // load shared 8 strided: 1 of 1
  float4 i = f[t];      // load shared 16 row: 4 of 4
  float4 j = f[2 * t];  // load shared 16 strided: 8 of 4
  float4 r = f[t / 8];  // load shared 16 strided: 2 of 2
  int k = c[t];         // load shared 1 row: 1 of 1
  int l = c[8 * t];     // load shared 1 strided: 2 of 1
  int m = h[t];         // load shared 2 row: 1 of 1
  double sum =
      e + g + p + q + i.x + i.y + i.z + i.w + j.x + j.y + j.z + j.w + r.x + r.y + r.z + r.w;
  out[blockIdx.x * 256 + t] = sum + k + l + m; // store global 8 row: 8 of 8
}

__global__ void reduction_interleaved(const float *a, float *out) {
  __shared__ float s[256];
  unsigned t = threadIdx.x;
  s[t] = a[blockIdx.x * 256 + t];
  __syncthreads();
#pragma unroll 1
  for (unsigned step = 1; step < 256; step *= 2) {
    unsigned index = 2 * step * t;
    if (index < 256) {
      float x = s[index + step]; // load shared 4 strided: 3.9167 of 1
      float y = s[index];        // load shared 4 strided: 3.9167 of 1
      s[index] = x + y;          // store shared 4 strided: 3.9167 of 1
    }
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

__global__ void reduction_sequential(const float *a, float *out) {
  __shared__ float s[256];
  unsigned t = threadIdx.x;
  s[t] = a[blockIdx.x * 256 + t];
  __syncthreads();
#pragma unroll 1
  for (unsigned step = 128; step > 0; step /= 2) {
    if (t < step) {
      float x = s[t + step]; // load shared 4 row: 1 of 1
      float y = s[t];        // load shared 4 row: 1 of 1
      s[t] = x + y;          // store shared 4 row: 1 of 1
    }
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}

// ---- atomics ------------------------------------------------------------------------------------

__global__ void histogram(const unsigned char *data, unsigned *out) {
  __shared__ unsigned bins[256];
  int t = threadIdx.x;
  bins[t] = 0; // store shared 4 row: 1 of 1
  __syncthreads();
  unsigned char d = data[blockIdx.x * 256 + t]; // load global 1 row: 1 of 1
  atomicAdd(&bins[d], 1u);                      // atomic shared 4 gather: 1..32 of 1
  __syncthreads();
  unsigned n = bins[t];  // load shared 4 row: 1 of 1
  atomicAdd(&out[t], n); // atomic global 4 row: 4 of 4
}

__global__ void counters(unsigned *a) {
  atomicAdd(&a[threadIdx.x * 8], threadIdx.x); // atomic global 4 strided: 32 of 4
  atomicMax(&a[threadIdx.x / 4], threadIdx.x); // atomic global 4 strided: 1 of 1
}

// ---- by data ------------------------------------------------------------------------------------

__global__ void gather(const int *index, const float *a, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int k = index[i]; // load global 4 row: 4 of 4
  float x = a[k];   // load global 4 gather: 1..32 of 1..4
  out[i] = x;       // store global 4 row: 4 of 4
}

__global__ void rows_of_lanes(const int *first, const float *a, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  int from = first[i];   // load global 4 row: 4 of 4
  int to = first[i + 1]; // load global 4 row: 5 of 4
  float sum = 0;
#pragma unroll 1
  for (int k = from; k < to; ++k)
    sum += a[k]; // load global 4 walk: 1..32 of 1..4
  out[i] = sum;  // store global 4 row: 4 of 4
}

// ---- constant memory ----------------------------------------------------------------------------

__constant__ float table[1024];

__global__ void constants(const int *index, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float a = table[threadIdx.x];     // load constant 4 row: 32 of 1
  float b = table[blockIdx.x];      // alike in all lanes: no access to look at
  float c = table[threadIdx.x / 4]; // load constant 4 strided: 8 of 1
  float d = table[index[i]];        // load global 4 row: 4 of 4; load constant 4 gather: 1..32 of 1
  out[i] = a + b + c + d;           // store global 4 row: 4 of 4
}

// `b` holds indices below N.
static void launch_cases(char *a, char *b, int length, int offset) {
  const float *f = (const float *)b;
  float *o = (float *)a;
  dim3 tile(32, 8), grid(4, 4);
  array_of_structures<<<8, 256>>>((const Vertex *)b, o);
  structure_of_arrays<<<8, 256>>>(f, o);
  transpose_naive<<<grid, tile>>>(f, o);
  transpose_tiled<<<grid, tile>>>(f, o);
  transpose_padded<<<grid, tile>>>(f, o);
  column_sums<<<4, 256>>>(f, o);
  row_sums<<<4, 256>>>(f, o);
  row_sums_of_n<<<4, 256>>>(f, o, length);
  one_on<<<8, 256>>>(f, o);
  some_on<<<8, 256>>>(f, o, offset);
  halo<<<8, 256>>>(f, o);
  stride_2<<<8, 256>>>(f, o);
  stride_3<<<8, 256>>>(f, o);
  stride_4<<<8, 256>>>(f, o);
  stride_7<<<8, 256>>>(f, o);
  stride_8<<<8, 256>>>(f, o);
  stride_32<<<8, 256>>>(f, o);
  reversed<<<8, 256>>>(f, o);
  widths<<<8, 256>>>(b, (const short *)b, (const double *)b, (const float4 *)b, a, (double *)a);
  wide_strides<<<8, 256>>>((const double *)b, (const float4 *)b, (double *)a);
  broadcast<<<8, 256>>>(f, o);
  half_a_warp<<<8, 256>>>(f, o);
  every_other_lane<<<8, 256>>>(f, o);
  one_lane<<<8, 256>>>(f, o);
  tiles_16<<<grid, dim3(16, 16)>>>(f, o);
  tiles_8<<<grid, dim3(8, 32)>>>(f, o);
  shared_strides<<<8, 256>>>(o);
  shared_widths<<<8, 256>>>((double *)a);
  reduction_interleaved<<<8, 256>>>(f, o);
  reduction_sequential<<<8, 256>>>(f, o);
  histogram<<<8, 256>>>((const unsigned char *)b, (unsigned *)a);
  counters<<<8, 256>>>((unsigned *)a);
  gather<<<8, 256>>>((const int *)b, f, o);
}

static void launch_rows(char *a, char *b) {
  rows_of_lanes<<<8, 256>>>((const int *)b, (const float *)b, (float *)a);
}

static void launch_constants(char *a, char *b) {
  constants<<<8, 256>>>((const int *)b, (float *)a);
}
