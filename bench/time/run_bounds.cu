// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches kernels of bounds.cu, as bound-kernels.tsv says: each twice, the second time for a
// profiler that waits for cudaProfilerStart (ncu --profile-from-start off).
//
//   run_bounds NAME...          launches
//   run_bounds NAME... --time   the microseconds of the second launch
//
// bound.py build makes bound_launches.h of the table.
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include "bounds.cu"
#include "distribution.h"

static void check(cudaError_t error, const std::string &what) {
  if (error != cudaSuccess)
    fail(what + ": " + cudaGetErrorString(error));
}

// One ring through all places of an array of 2^k; a step leads anywhere.
static __global__ void make_ring(int *to, size_t n) {
  for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
    to[k] = (int)((k * 1664525u + 1013904223u) & (n - 1));
}

class Arrays {
  std::vector<void *> all;

public:
  Arrays() = default;
  Arrays(const Arrays &) = delete;
  ~Arrays() {
    for (void *array : all)
      cudaFree(array);
  }
  template <typename T> T *zeros(size_t n) {
    void *data;
    check(cudaMalloc(&data, n * sizeof(T)), "an array");
    check(cudaMemset(data, 0, n * sizeof(T)), "an array");
    all.push_back(data);
    return (T *)data;
  }
  int *ring(size_t n) {
    int *data = zeros<int>(n);
    make_ring<<<1024, 256>>>(data, n);
    return data;
  }
  int *draws(size_t n, const char *distribution) {
    Distribution from(distribution);
    Random random(n);
    std::vector<int> drawn(n);
    for (int &one : drawn)
      one = from.draw(random);
    int *data = zeros<int>(n);
    check(cudaMemcpy(data, drawn.data(), n * sizeof(int), cudaMemcpyHostToDevice), "draws");
    return data;
  }
};

struct Launch {
  const char *name;
  std::function<std::function<void()>(Arrays &)> make;
};

#include "bound_launches.h"

static void run(const Launch &launch, bool timed) {
  Arrays arrays;
  std::function<void()> go = launch.make(arrays);
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "an event");
  check(cudaEventCreate(&end), "an event");
  go();
  check(cudaGetLastError(), launch.name);
  check(cudaDeviceSynchronize(), launch.name);
  check(cudaProfilerStart(), "cudaProfilerStart");
  check(cudaEventRecord(begin), "an event");
  go();
  check(cudaEventRecord(end), "an event");
  check(cudaDeviceSynchronize(), launch.name);
  check(cudaProfilerStop(), "cudaProfilerStop");
  float milliseconds;
  check(cudaEventElapsedTime(&milliseconds, begin, end), "an event");
  if (timed)
    printf("%s\t%.2f\n", launch.name, milliseconds * 1e3);
  fflush(stdout);
  check(cudaEventDestroy(begin), "an event");
  check(cudaEventDestroy(end), "an event");
}

int main(int argc, char **argv) {
  bool timed = argc > 1 && !strcmp(argv[argc - 1], "--time");
  if (argc - timed < 2)
    fail("names of launches");
  for (int k = 1; k < argc - timed; ++k) {
    bool found = false;
    for (const Launch &launch : launches)
      if (!strcmp(argv[k], launch.name)) {
        run(launch, timed);
        found = true;
      }
    if (!found)
      fail(std::string("there is no launch ") + argv[k]);
  }
}
