// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers that threads miss, a kernel for each way, for blocks of 128 threads: what the hardware
// does with them is run by missed_barriers.py, and what divcost says of them stands beside it.
// out[t] is what thread t's neighbour has left in shared memory, where t comes to the barrier.
// in[t] is 1 in every second thread, so that all warps part.

constexpr int threads = 128;
__shared__ int s[threads];

__device__ void exchange(int *out) {
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 2];
}

// ---- the others can only have exited ------------------------------------------------------------

extern "C" __global__ void early_return(const int *in, int *out, int) {
  if (in[threadIdx.x] <= 0)
    return;
  exchange(out);
}

extern "C" __global__ void rest_in_branch(const int *in, int *out, int) {
  if (in[threadIdx.x] > 0)
    exchange(out);
}

extern "C" __global__ void leavers_return(const int *in, int *out, int n) {
  for (int k = 0; k < n; ++k) {
    if (in[threadIdx.x] < k)
      return;
    exchange(out);
    __syncthreads();
  }
}

extern "C" __global__ void own_rounds(const int *in, int *out, int) {
  for (int k = 0; k <= in[threadIdx.x]; ++k) {
    exchange(out);
    __syncthreads();
  }
}

// ---- the others still run -----------------------------------------------------------------------

extern "C" __global__ void store_behind(const int *in, int *out, int) {
  if (in[threadIdx.x] > 0)
    exchange(out);
  out[threads + threadIdx.x] = 1;
}

extern "C" __global__ void store_and_return(const int *in, int *out, int) {
  if (in[threadIdx.x] <= 0) {
    out[threads + threadIdx.x] = 1;
    return;
  }
  exchange(out);
}

extern "C" __global__ void next_round(const int *in, int *out, int n) {
  for (int k = 0; k < n; ++k) {
    if (in[threadIdx.x] < k)
      continue;
    exchange(out);
  }
}

extern "C" __global__ void store_behind_loop(const int *in, int *out, int) {
  for (int k = 0; k <= in[threadIdx.x]; ++k) {
    exchange(out);
    __syncthreads();
  }
  out[threads + threadIdx.x] = 1;
}

extern "C" __global__ void spin_behind(const int *in, int *out, int) {
  if (in[threadIdx.x] > 0) {
    exchange(out);
    atomicAdd(&out[2 * threads], 1);
  } else {
    while (atomicAdd(&out[2 * threads], 0) == 0) // until one of those that wait goes on
      ;
  }
}

// ---- the others wait elsewhere ------------------------------------------------------------------

extern "C" __global__ void both_sides(const int *in, int *out, int) {
  s[threadIdx.x] = threadIdx.x;
  if (in[threadIdx.x] > 0) {
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 2];
  } else {
    out[threads + threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 2] + 0;
  }
}

extern "C" __global__ void both_sides_one_more(const int *in, int *out, int) {
  s[threadIdx.x] = threadIdx.x;
  if (in[threadIdx.x] > 0) {
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 2];
    __syncthreads();
    out[threads + threadIdx.x] = 1;
  } else {
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 2];
  }
}

// Whole warps part, not lanes.
extern "C" __global__ void warps_part(const int *in, int *out, int) {
  s[threadIdx.x] = threadIdx.x;
  if (in[threadIdx.x / 32] > 0) {
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 2];
  } else {
    out[threads + threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x ^ 2];
  }
}

extern "C" __global__ void warp_barrier_missed(const int *in, int *out, int) {
  s[threadIdx.x] = threadIdx.x;
  if (in[threadIdx.x] > 0) {
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x ^ 2];
  }
  out[threads + threadIdx.x] = 1;
}

// ---- barriers of a part -------------------------------------------------------------------------

extern "C" __global__ void counted(const int *, int *out, int) {
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 64)
    asm volatile("bar.sync 1, 64;" ::: "memory");
  out[threadIdx.x] = s[threadIdx.x ^ 2];
}

extern "C" __global__ void arrive_and_wait(const int *, int *out, int) {
  s[threadIdx.x] = threadIdx.x;
  if (threadIdx.x < 64)
    asm volatile("bar.arrive 1, 128;" ::: "memory");
  else
    asm volatile("bar.sync 1, 128;" ::: "memory");
  out[threadIdx.x] = s[threadIdx.x ^ 2];
}

// ---- nobody misses it ---------------------------------------------------------------------------

extern "C" __global__ void padded(const int *, int *out, int n) {
  int end = (n + threads - 1) / threads * threads;
  for (int k = threadIdx.x; k < end; k += threads) {
    exchange(out);
    __syncthreads();
  }
}

extern "C" __global__ void rounded(const int *, int *out, int n) {
  int size = blockDim.x, at = threadIdx.x;
  do {
    exchange(out);
    at += size;
    __syncthreads();
  } while (at / size * size < n);
}

extern "C" __global__ void shared_flag(const int *in, int *out, int) {
  __shared__ int go;
  if (threadIdx.x == 0)
    go = in[1];
  __syncthreads();
  if (go)
    exchange(out);
}

extern "C" __global__ void same_words(const int *in, int *out, int n) {
  __shared__ int words[32];
  for (int k = 0; k < n; ++k) {
    if (threadIdx.x < 32)
      words[threadIdx.x] = in[threadIdx.x] + k;
    __syncthreads();
    int some = words[threadIdx.x % 32];
    __syncthreads();
    if (__all_sync(0xffffffff, some > 1))
      break;
    exchange(out);
    __syncthreads();
  }
}
