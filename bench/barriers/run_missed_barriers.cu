// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// run_missed_barriers CASE: launches one kernel of missed_barriers.cu and says whether it ended,
// and whether the threads that came to the barrier have read what their neighbours wrote before it.
// Without an argument it lists the cases. A kernel that hangs is ended by whoever runs this.
#include "missed_barriers.cu"

#include <cstdio>
#include <cstring>

typedef void (*kernel)(const int *, int *, int);

struct test {
  const char *name;
  kernel run;
  bool all_come; // each thread comes to the barrier, else those with in[t] > 0 do
};

#define CASE(name, all_come) {#name, name, all_come}
static const test cases[] = {
    CASE(early_return, false),
    CASE(rest_in_branch, false),
    CASE(leavers_return, true),
    CASE(own_rounds, true),
    CASE(store_behind, false),
    CASE(store_and_return, false),
    CASE(next_round, true),
    CASE(store_behind_loop, true),
    CASE(spin_behind, false),
    CASE(both_sides, true),
    CASE(both_sides_one_more, true),
    CASE(warps_part, true),
    CASE(warp_barrier_missed, false),
    CASE(counted, true),
    CASE(arrive_and_wait, true),
    CASE(padded, true),
    CASE(rounded, true),
    CASE(shared_flag, true),
    CASE(same_words, true),
};

static int failed(cudaError_t error) {
  if (error != cudaSuccess)
    printf("error: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}

// Neighbours (t ^ 2) have the same in[t].
static bool is_right(const test &of, const int *in, const int *out) {
  for (int t = 0; t < threads; ++t)
    if ((of.all_come || in[t] > 0) && out[t] != (t ^ 2))
      return false;
  return true;
}

int main(int count, char **arguments) {
  const test *chosen = nullptr;
  for (const test &one : cases) {
    if (count < 2)
      puts(one.name);
    else if (strcmp(one.name, arguments[1]) == 0)
      chosen = &one;
  }
  if (count < 2)
    return 0;
  if (!chosen) {
    fprintf(stderr, "there is no case '%s'\n", arguments[1]);
    return 2;
  }
  int in[threads], out[2 * threads + 1], *device_in, *device_out;
  for (int t = 0; t < threads; ++t)
    in[t] = t % 2;
  memset(out, 0xff, sizeof out);
  out[2 * threads] = 0;
  if (failed(cudaMalloc(&device_in, sizeof in)) || failed(cudaMalloc(&device_out, sizeof out)) ||
      failed(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice)) ||
      failed(cudaMemcpy(device_out, out, sizeof out, cudaMemcpyHostToDevice)))
    return 1;
  chosen->run<<<1, threads>>>(device_in, device_out, 3);
  if (failed(cudaGetLastError()) || failed(cudaDeviceSynchronize()) ||
      failed(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost)))
    return 1;
  puts(is_right(*chosen, in, out) ? "ends, right" : "ends, wrong values");
  return 0;
}
