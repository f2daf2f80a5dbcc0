// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs whose reports are right; test_planted.py makes them wrong.
#include "probes.h"

KERNEL void k0(i32 n, const i32 *__restrict__ p, u32 *out) { // the data of each lane
  u32 sum = 0;
  u32 self = blockIdx.x % 16 * 256 + (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  LOOP for (i32 i = 0; i < p[self & 63]; ++i) { TRIP
    sum = sum * 5u + 1u;
    if (sum % 64 == 40) {
      LEAVE break;
    }
  }
  out[self] = sum;
}

KERNEL void k1(i32 n, u32 *out) { // the block
  u32 sum = 0;
  u32 self = blockIdx.x % 16 * 256 + (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  LOOP for (u32 i = 0; i < blockIdx.x % 8; ++i) { TRIP
    sum = sum * 5u + 1u;
  }
  out[self] = sum;
}

KERNEL void k2(i32 n, i32 k, u32 *out) { // strided, if k isn't too large
  u32 sum = 0;
  u32 self = blockIdx.x % 16 * 256 + (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  LOOP for (i32 i = (i32)threadIdx.x * k; i < n; i += 1024) { TRIP
    sum = sum * 5u + 1u;
  }
  LOOP for (i32 i = (i32)threadIdx.x; i < n; i += 8) { TRIP
    sum = sum * 5u + 1u;
  }
  out[self] = sum;
}

KERNEL void k3(i32 n, u32 *out) { // the row of the block
  u32 sum = 0;
  u32 self = blockIdx.x % 16 * 256 + (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  LOOP for (u32 i = 0; i < threadIdx.y; ++i) { TRIP
    sum = sum * 5u + 1u;
  }
  out[self] = sum;
}

KERNEL void k4(i32 n, u32 *out) { // a barrier that not all come to
  if ((i32)threadIdx.x < n) {
    __syncthreads();
  }
  __syncwarp(0xffffffffu);
  LOOP for (i32 i = 0; i < n; ++i) { TRIP
    __syncthreads();
  }
}

#ifndef __CUDA__
static void run_k0(const int64_t *a) { k0((i32)a[0], (const i32 *)a[1], (u32 *)a[2]); }
static void run_k1(const int64_t *a) { k1((i32)a[0], (u32 *)a[1]); }
static void run_k2(const int64_t *a) { k2((i32)a[0], (i32)a[1], (u32 *)a[2]); }
static void run_k3(const int64_t *a) { k3((i32)a[0], (u32 *)a[1]); }
static void run_k4(const int64_t *a) { k4((i32)a[0], (u32 *)a[1]); }
static const probe_param data[] = {{"n", 32, 1, PROBE_NUMBER}, {"p", 32, 1, PROBE_READ}, {"out", 32, 0, PROBE_WRITE}};
static const probe_param two[] = {{"n", 32, 1, PROBE_NUMBER}, {"k", 32, 1, PROBE_NUMBER}, {"out", 32, 0, PROBE_WRITE}};
static const probe_param one[] = {{"n", 32, 1, PROBE_NUMBER}, {"out", 32, 0, PROBE_WRITE}};
static const probe_program all[] = {{"k0", run_k0, data, 3, 256, {0, 0, 0}, 0},
                                    {"k1", run_k1, one, 2, 256, {0, 0, 0}, 0},
                                    {"k2", run_k2, two, 3, 256, {0, 0, 0}, 0},
                                    {"k3", run_k3, one, 2, 256, {0, 0, 0}, 0},
                                    {"k4", run_k4, one, 2, 256, {0, 0, 0}, 1}};
const probe_program *const programs[] = {&all[0], &all[1], &all[2], &all[3], &all[4], 0};
#endif
