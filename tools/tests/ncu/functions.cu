#include <cstdio>
#include <cmath>
namespace lab { template <typename T> struct Box { T value; }; }

__device__ __noinline__ float slow(float x, int n) {
  for (int k = 0; k < n; ++k)
    x = x * 1.5f - 0.5f;
  return x;
}

__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

template <typename T, int N> __global__ void boxed(lab::Box<T> *boxes, const unsigned char *n) {
  int i = blockIdx.x * N + threadIdx.x;
  boxes[i].value = slow(boxes[i].value, n[i]);
}

static __global__ void recursive(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = fib(i % 12);
}

extern "C" __global__ void plain_c(double *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = (x[i] + i) / (i + 1);
}

__global__ void says(int n) {
  if (threadIdx.x < n) printf("%d\n", threadIdx.x);
}

template __global__ void boxed<float, 64>(lab::Box<float> *, const unsigned char *);
