// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which loads descend: all lanes begin at one place, and only what iterations decide parts them.
// And atomics whose result nobody uses aren't waited for.
//
// RUN: %clang %cuda-any --cuda-device-only --cuda-gpu-arch=sm_90 -O2 -fsyntax-only -w %s -fplugin-arg-divcost-report=%t.json
// RUN: %divcost report --jsonl %t.json > /dev/null
// RUN: %python -c "import json, sys; [print(k['name'].split('(')[0], a.get('name'), a['kind'], 'descends' if s[13] else 'waits' if s[10] else 'goes') for k in json.load(open(sys.argv[1]))['kernels'] for a, s in zip(k['accesses'], k['skeleton']['accesses'])]" %t.json | FileCheck %s

// CHECK: bisection keys load descends
__global__ void bisection(const int *keys, int *out, int n) {
  int lane = threadIdx.x, low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (keys[middle] < lane)
      low = middle + 1;
    else
      high = middle;
  }
  out[lane] = low;
}

// CHECK: tree wanted load waits
// CHECK: tree nodes load descends
__global__ void tree(const int *wanted, const int2 *nodes, int *out) {
  int want = wanted[threadIdx.x], at = 0, here;
  while ((here = nodes[at].x) != want && at < 4096)
    at = 2 * at + (want < here ? 1 : 2);
  out[threadIdx.x] = at;
}

// CHECK: own_trees nodes load waits
__global__ void own_trees(const int *wanted, const int *roots, const int2 *nodes, int *out) {
  int want = wanted[threadIdx.x], at = roots[threadIdx.x], here;
  while ((here = nodes[at].x) != want && at < 4096)
    at = 2 * at + (want < here ? 1 : 2);
  out[threadIdx.x] = at;
}

// CHECK: list {{[a-zA-Z]+}} load waits
__global__ void list(const int *heads, const int *next, int *out) {
  int length = 0;
  for (int at = heads[threadIdx.x]; at >= 0; at = next[at])
    ++length;
  out[threadIdx.x] = length;
}

// CHECK: own_range keys load waits
__global__ void own_range(const int *begin, const int *keys, int *out) {
  int lane = threadIdx.x, low = begin[lane], high = begin[lane + 1];
  while (low < high) {
    int middle = (low + high) / 2;
    if (keys[middle] < lane)
      low = middle + 1;
    else
      high = middle;
  }
  out[lane] = low;
}

// The inner loop descends; where it ends is a place like any other.
// CHECK-DAG: inner keys load descends
// CHECK-DAG: inner values load waits
__global__ void inner(const int *wanted, const int *keys, const int *values, int *out, int n) {
  int sum = 0;
  for (int k = threadIdx.x; k < n; k += 32) {
    int low = 0, want = wanted[k];
    for (int step = n / 2; step > 0; step /= 2)
      if (keys[low + step] < want)
        low += step;
    sum += values[low];
  }
  out[threadIdx.x] = sum;
}

// CHECK: counts votes atomic goes
__global__ void counts(unsigned *votes) { atomicAdd(&votes[threadIdx.x * 64], 1u); }

// CHECK: tickets next atomic waits
__global__ void tickets(unsigned *next, unsigned *out) {
  out[atomicAdd(&next[threadIdx.x * 64], 1u)] = threadIdx.x;
}
