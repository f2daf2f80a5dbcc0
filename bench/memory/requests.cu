// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a request of a warp takes, by the addresses of its lanes: a launch of one warp and one
// access for each of many patterns, ordered ones and random ones. Under Nsight Compute each launch
// is a row of counts; this prints the patterns, in the order of the launches:
//   number, kind of access, bytes, addresses of the 32 lanes in bytes (-1: the lane is off)
// requests_table.py makes a table of both.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { BYTES = 16384 };

template <typename T> __device__ T made(int value);
template <> __device__ uint8_t made(int value) { return (uint8_t)value; }
template <> __device__ uint16_t made(int value) { return (uint16_t)value; }
template <> __device__ uint32_t made(int value) { return (uint32_t)value; }
template <> __device__ uint2 made(int value) { return make_uint2(value, value); }
template <> __device__ uint4 made(int value) { return make_uint4(value, value, value, value); }

__device__ int seen(uint8_t v) { return v; }
__device__ int seen(uint16_t v) { return v; }
__device__ int seen(uint32_t v) { return (int)v; }
__device__ int seen(uint2 v) { return (int)(v.x + v.y); }
__device__ int seen(uint4 v) { return (int)(v.x + v.y + v.z + v.w); }

template <typename T> __global__ void shared_load(const int *at, int *out) {
  extern __shared__ char memory[];
  int address = at[threadIdx.x];
  if (address >= 0)
    out[threadIdx.x] = seen(*(volatile T *)(memory + address));
}
template <> __global__ void shared_load<uint2>(const int *at, int *out) {
  extern __shared__ char memory[];
  int address = at[threadIdx.x];
  if (address >= 0)
    out[threadIdx.x] = seen(*(uint2 *)(memory + address));
}
template <> __global__ void shared_load<uint4>(const int *at, int *out) {
  extern __shared__ char memory[];
  int address = at[threadIdx.x];
  if (address >= 0)
    out[threadIdx.x] = seen(*(uint4 *)(memory + address));
}

template <typename T> __global__ void shared_store(const int *at, int *out) {
  extern __shared__ char memory[];
  int address = at[threadIdx.x];
  if (address >= 0)
    *(T *)(memory + address) = made<T>(address);
  __syncwarp();
  out[threadIdx.x] = memory[threadIdx.x];
}

__global__ void shared_atomic(const int *at, int *out) {
  extern __shared__ char memory[];
  int address = at[threadIdx.x];
  if (address >= 0)
    atomicMax((int *)(memory + address), address);
  __syncwarp();
  out[threadIdx.x] = memory[threadIdx.x];
}

template <typename T> __global__ void global_load(const int *at, int *out, const char *memory) {
  int address = at[threadIdx.x];
  if (address >= 0)
    out[threadIdx.x] = seen(*(const T *)(memory + address));
}

template <typename T> __global__ void global_store(const int *at, int *out, char *memory) {
  int address = at[threadIdx.x];
  if (address >= 0)
    *(T *)(memory + address) = made<T>(address);
}

__global__ void global_atomic(const int *at, int *out, char *memory) {
  int address = at[threadIdx.x];
  if (address >= 0)
    atomicMax((int *)(memory + address), address);
}

__constant__ char constants[BYTES];

__global__ void constant_load(const int *at, int *out) {
  int address = at[threadIdx.x];
  if (address >= 0)
    out[threadIdx.x] = *(const int *)(constants + address);
}

static uint32_t state = 1;
static uint32_t draw(uint32_t below) {
  state = state * 1664525 + 1013904223;
  return (uint32_t)(((uint64_t)state * below) >> 32);
}

// Element numbers of the lanes. Lanes are off by chance in the later half of the random ones.
static void make_pattern(int number, int room, int *element) {
  static const int strides[] = {0, 1, 2, 3, 4, 5, 8, 9, 16, 32};
  for (int lane = 0; lane < 32; ++lane) {
    if (number < 10)
      element[lane] = strides[number] * lane;
    else if (number < 15)
      element[lane] = lane >> (number - 9); // groups of 2, 4 ... 32 lanes
    else if (number < 19)
      element[lane] = lane ^ 1 << (number - 15);
    else if (number < 24)
      element[lane] = lane & ((1 << (number - 19)) - 1); // the same few again
    else if (number < 26)
      element[lane] = number == 24 ? (lane < 16 ? lane : -1) : lane % 2 ? -1 : lane;
    else if (number < 28)
      element[lane] = number == 26 ? lane / 2 * 8 : lane % 16 * 8;
    else {
      int few = 1 << draw(9);
      element[lane] = (int)draw((uint32_t)few) * (int)(1 + draw(3));
    }
    if (number >= 44 && draw(3) == 0)
      element[lane] = -1;
    if (element[lane] >= 0)
      element[lane] %= room;
  }
}

enum { PATTERNS = 60 };

int main() {
  int *at, *out;
  char *memory;
  if (cudaMalloc(&at, 128) || cudaMalloc(&out, 128) || cudaMalloc(&memory, BYTES)) {
    fprintf(stderr, "requests: no GPU, or no memory on it\n");
    return 1;
  }
  static const char *kinds[] = {"shared load",  "shared store",  "shared atomic", "global load",
                                "global store", "global atomic", "constant load"};
  int launch = 0;
  for (int kind = 0; kind < 7; ++kind)
    for (int bytes = 1; bytes <= 16; bytes *= 2) {
      if ((kind == 2 || kind == 5 || kind == 6) && bytes != 4)
        continue;
      for (int number = 0; number < PATTERNS; ++number) {
        int element[32], address[32];
        state = (uint32_t)(number * 977 + bytes);
        make_pattern(number, BYTES / bytes, element);
        printf("%d\t%s\t%d\t", launch++, kinds[kind], bytes);
        for (int lane = 0; lane < 32; ++lane) {
          address[lane] = element[lane] < 0 ? -1 : element[lane] * bytes;
          printf("%d%c", address[lane], lane == 31 ? '\n' : ' ');
        }
        cudaMemcpy(at, address, sizeof address, cudaMemcpyHostToDevice);
#define BY_BYTES(name, shared, ...)                                                                \
  bytes == 1   ? name<uint8_t><<<1, 32, shared>>>(__VA_ARGS__)                                     \
  : bytes == 2 ? name<uint16_t><<<1, 32, shared>>>(__VA_ARGS__)                                    \
  : bytes == 4 ? name<uint32_t><<<1, 32, shared>>>(__VA_ARGS__)                                    \
  : bytes == 8 ? name<uint2><<<1, 32, shared>>>(__VA_ARGS__)                                       \
               : name<uint4><<<1, 32, shared>>>(__VA_ARGS__)
        switch (kind) {
        case 0:
          BY_BYTES(shared_load, BYTES, at, out);
          break;
        case 1:
          BY_BYTES(shared_store, BYTES, at, out);
          break;
        case 2:
          shared_atomic<<<1, 32, BYTES>>>(at, out);
          break;
        case 3:
          BY_BYTES(global_load, 0, at, out, memory);
          break;
        case 4:
          BY_BYTES(global_store, 0, at, out, memory);
          break;
        case 5:
          global_atomic<<<1, 32>>>(at, out, memory);
          break;
        default:
          constant_load<<<1, 32>>>(at, out);
        }
      }
    }
  cudaError_t status = cudaDeviceSynchronize();
  if (status != cudaSuccess)
    fprintf(stderr, "requests: %s\n", cudaGetErrorString(status));
  return status != cudaSuccess;
}
