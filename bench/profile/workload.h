// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the workloads of time_kernels.cu share: which are wanted, random numbers, buffers on the
// device, the clock, and what the host knows of trip counts.
#ifndef DIVCOST_BENCH_WORKLOAD_H
#define DIVCOST_BENCH_WORKLOAD_H

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <vector>

static const int runs = 9;
static std::vector<const char *>
    only; // those named on the command line; if none, all but long ones
static std::mt19937 generator(4711);

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "time_kernels: %s: %s\n", what, cudaGetErrorString(error));
  exit(1);
}

static int whole(int low, int high) {
  return low + (int)(generator() % (unsigned)(high - low + 1));
}

template <typename T> struct Device {
  T *data = nullptr;
  size_t size;
  explicit Device(const std::vector<T> &values) : size(values.size()) {
    check(cudaMalloc(&data, size * sizeof(T)), "cudaMalloc");
    check(cudaMemcpy(data, values.data(), size * sizeof(T), cudaMemcpyHostToDevice), "copy");
  }
  Device(size_t n, T value) : Device(std::vector<T>(n, value)) {}
  Device(const Device &) = delete;
  ~Device() { cudaFree(data); }
  operator T *() const { return data; }
};

static std::vector<float> floats(size_t n) {
  std::vector<float> values(n);
  for (float &value : values)
    value = (float)generator() * (2.0f / 4294967296.0f) - 1.0f;
  return values;
}

static std::vector<int> wholes(size_t n, int low, int high) {
  std::vector<int> values(n);
  for (int &value : values)
    value = whole(low, high);
  return values;
}

static bool wanted(const char *name) {
  if (only.empty())
    return strncmp(name, "long_", 5) != 0;
  return std::any_of(only.begin(), only.end(), [=](auto n) { return strcmp(n, name) == 0; });
}

// Whether a group of workloads has one that is wanted. Its random numbers are the same whatever
// other groups run.
static bool start_group(std::initializer_list<const char *> names) {
  generator.seed(4711);
  return std::any_of(names.begin(), names.end(), wanted);
}

// Times `run` between two events, after `prepare`, which isn't timed.
static void time(
    const char *name, const std::function<cudaError_t()> &run,
    const std::function<void()> &prepare = [] {}) {
  if (!wanted(name))
    return;
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), name);
  check(cudaEventCreate(&end), name);
  std::vector<float> times;
  for (int k = 0; k < (only.empty() ? runs + 1 : 1); ++k) { // the first one warms up
    float milliseconds = 0;
    prepare();
    check(cudaDeviceSynchronize(), name);
    check(cudaEventRecord(begin), name);
    check(run(), name);
    check(cudaEventRecord(end), name);
    check(cudaEventSynchronize(end), name);
    check(cudaEventElapsedTime(&milliseconds, begin, end), name);
    if (k > 0 || !only.empty())
      times.push_back(milliseconds);
  }
  std::sort(times.begin(), times.end());
  printf("%s\t%.4f\t%.4f\n", name, times.front(), times[times.size() / 2]);
  fflush(stdout);
}

// What the host knows of the divergent loop of a workload that runs once: entries of lanes, their
// iterations, and those of warps, which are in as often as the last of their lanes.
struct Known {
  unsigned long long lanes = 0, iterations = 0, warp_iterations = 0;
  void warp(const int *trips, int n) {
    lanes += n;
    for (int lane = 0; lane < n; ++lane)
      iterations += trips[lane];
    warp_iterations += *std::max_element(trips, trips + n);
  }
};

static void know(const char *name, const Known &known) {
  FILE *out = only.size() == 1 && wanted(name) ? fopen("known.txt", "w") : nullptr;
  if (!out)
    return;
  fprintf(out, "%llu %llu %llu\n", known.lanes, known.iterations, known.warp_iterations);
  fclose(out);
}

// Of trip counts of consecutive threads.
static void know(const char *name, const std::vector<int> &trips) {
  Known known;
  for (size_t first = 0; first < trips.size(); first += 32)
    known.warp(&trips[first], (int)std::min<size_t>(32, trips.size() - first));
  know(name, known);
}

template <typename T> static std::vector<T> host(const Device<T> &array) {
  std::vector<T> values(array.size);
  check(cudaMemcpy(values.data(), array, array.size * sizeof(T), cudaMemcpyDeviceToHost), "copy");
  return values;
}

#endif
