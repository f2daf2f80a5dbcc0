#include <cstdio>
#include <cstdlib>
#include <vector>

struct Shape {
  __device__ virtual float area(int n) const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  float a;
  __device__ Square(float x) : a(x) {}
  __device__ float area(int n) const override {
    float sum = 0;
    for (int k = 0; k < n; ++k)
      sum += a * a + k;
    return sum;
  }
};
struct Circle : Shape {
  float r;
  __device__ Circle(float x) : r(x) {}
  __device__ float area(int n) const override {
    float sum = 1;
    for (int k = 0; k < n; ++k)
      sum = sinf(sum) + r;
    return sum;
  }
};

__global__ void make(Shape **shapes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    if (i % 3)
      shapes[i] = new Square(i);
    else
      shapes[i] = new Circle(i);
  }
}

__global__ void areas(Shape **shapes, const int *len, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = shapes[i]->area(len[i]);
}

__global__ void columns(const float *in, float *out, int width, int height) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= height)
    return;
  float sum = 0;
  for (int k = 0; k < width; ++k)
    sum += in[row * width + k];
  out[row] = sum;
}

__global__ void transpose(const float *in, float *out, int n) {
  __shared__ float tile[32][32];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void gather(const int *index, const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[index[i]];
}
