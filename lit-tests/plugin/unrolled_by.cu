// Who unrolls a loop, and by how much: LLVM by its size, at -O3 twice as large; nvcc's by four, or,
// of larger ones, by two, and ptxas what comes of that once more by four, if it is small. Loops with
// barriers are unrolled by nvcc alone. What clang prints with -Rpass=loop-unroll, and how many loads
// nvcc's machine code has, say the same.
//
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %clang %cuda -O2 -w -fsyntax-only %s -fplugin-arg-divcost-report=o2.json
// RUN: %clang %cuda -O3 -w -fsyntax-only %s -fplugin-arg-divcost-report=o3.json
// RUN: %clang %cuda -O3 -w -fsyntax-only %s -fplugin-arg-divcost-compiler=nvcc \
// RUN:   -fplugin-arg-divcost-report=nvcc.json
// RUN: %python %S/Inputs/unrolled_by.py o2.json o3.json nvcc.json | FileCheck %s
//
// RUN: not %clang %cuda -fsyntax-only %s -fplugin-arg-divcost-compiler=gcc 2>&1 \
// RUN:   | FileCheck --check-prefix=WRONG %s
// WRONG: error: divcost: option 'compiler': 'gcc' is none of clang, nvcc

// CHECK: sum: 4 (LLVM 4), 8 (LLVM 8), 16 (LLVM 4)
__global__ void sum(const float *a, int n, float *out) {
  float s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  *out = s;
}

// What was stored needn't be loaded again.
// CHECK-NEXT: accumulate: 4 (LLVM 4), 8 (LLVM 8), 16 (LLVM 4)
__global__ void accumulate(const float *a, int n, float *out) {
  for (int i = 0; i < n; i++)
    *out += a[i];
}

// CHECK-NEXT: down: 4 (LLVM 4), 8 (LLVM 8), 16 (LLVM 4)
__global__ void down(const float *a, int n, float *out) {
  for (int i = n; i--;)
    *out += a[i];
}

// By nvcc's, steps of more than one, too.
// CHECK-NEXT: warp: 4, 4, 16 (LLVM 4)
__global__ void warp(const float *a, int n, float *out) {
  float s = 0;
  for (int i = (int)threadIdx.x % 32; i < n; i += 32)
    s += a[i];
  out[threadIdx.x] = s;
}

// CHECK-NEXT: row: 2, 4 (LLVM 4), 16 (LLVM 4)
__global__ void row(const float *a, const int *begin, const int *column, const float *x,
                    float *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int i = begin[t]; i < begin[t + 1]; i++)
    s += a[i] * x[column[i]];
  out[t] = s;
}

// CHECK-NEXT: distance: {{[24].*}}, 4 (LLVM 4)
__global__ void distance(const float *a, const float *b, int n, float *out) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    float d = a[i * 3] - b[0], e = a[i * 3 + 1] - b[1], f = a[i * 3 + 2] - b[2];
    s += d * d + e * e + f * f;
  }
  *out = s;
}

// CHECK-NEXT: wait: 1, 1, 16 (LLVM 4)
__global__ void wait(const int *b, int n, int *out) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    s += b[i];
    __syncthreads();
  }
  *out = s;
}

// All of it; by nvcc, which has more room, where clang makes copies of some.
// CHECK-NEXT: known: 4, 24, 24
__global__ void known(float *a) {
  float s = a[0], t = a[1];
  for (int i = 0; i < 24; i++) {
    s = s * t + 0.5f;
    t = t * s + 1.5f;
    s = s * t + 2.5f;
  }
  a[0] = s + t;
}
