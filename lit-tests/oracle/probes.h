/* Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a program of the oracle includes. clang compiles one text twice: as CUDA, with the plugin,
 * where all probes are nothing, and as C for the host, where they tell run/ what each lane does.
 * Lines are what the two have in common, so every statement stands on a line of its own.
 *
 *   LOOP for (...) { TRIP     a loop, and the beginning of each of its iterations
 *   LEAVE break;              before every statement that leaves the innermost loop
 *   LEAVE_TWO goto l;         ... and the one around it
 *   LEAVE_ALL return;         ... or all loops of the function
 *   do { TRIP ... } while (UNTIL (condition));
 *   CALL x = f(y);            a call of a device function, whose body begins with FUNCTION
 *   U8(x), I64(x) ...         casts, of which the host notices whether they keep the value
 *   SHORT(x)                  some bits of a sum, so that multiplying it loses none
 *
 *   LANE_INDEX                the lane of the thread in its warp
 *
 * At the end of the file stand its programs, one PROBE_PROGRAM each. */
#ifndef DIVCOST_ORACLE_PROBES_H
#define DIVCOST_ORACLE_PROBES_H

#include "run/types.h"

#define SHORT(x) ((x) & 0xffffffu)

#ifdef __CUDA__

#define KERNEL extern "C" __global__
#define LOOP
#define TRIP
#define LEAVE
#define LEAVE_TWO
#define LEAVE_ALL
#define UNTIL
#define CALL
#define FUNCTION
#define I8(x) ((i8)(x))
#define U8(x) ((u8)(x))
#define I16(x) ((i16)(x))
#define U16(x) ((u16)(x))
#define I32(x) ((i32)(x))
#define U32(x) ((u32)(x))
#define I64(x) ((i64)(x))
#define U64(x) ((u64)(x))
#define LANE_INDEX ((u32)__nvvm_read_ptx_sreg_laneid())

#else

#include "run/interface.h"

#define KERNEL static
#define __device__
#define __noinline__
#define __forceinline__
#define __restrict__ __restrict
#define __shared__ static
#define __constant__ static
#define __launch_bounds__(...)
#define LANE_INDEX ((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31u)

#define LOOP                                                                                       \
  for (probe_frame probe_here __attribute__((cleanup(probe_close))),                               \
       *probe_once = probe_open(&probe_here, __LINE__);                                            \
       probe_once; probe_once = 0)
#define TRIP (++probe_here.trips, --probe_self->fuel < 0 ? probe_exhausted() : (void)0);
#define LEAVE probe_here.left = __LINE__;
#define LEAVE_TWO probe_leave(2, __LINE__);
#define LEAVE_ALL probe_leave(~0u, __LINE__);
#define UNTIL probe_here.left = __LINE__,
#define CALL probe_self->call_line = __LINE__;
#define FUNCTION                                                                                   \
  probe_frame probe_call __attribute__((cleanup(probe_return)));                                   \
  probe_enter(&probe_call);

#define threadIdx (probe_self->thread)
#define blockIdx (probe_self->block)
#define blockDim (probe_self->block_dim)
#define gridDim (probe_self->grid_dim)

/* An argument's conversion, and that of the result, are ones that the sanitizer looks at. */
static inline i8 I8(i64 x) { return x; }
static inline u8 U8(i64 x) { return x; }
static inline i16 I16(i64 x) { return x; }
static inline u16 U16(i64 x) { return x; }
static inline i32 I32(i64 x) { return x; }
static inline u32 U32(i64 x) { return x; }
static inline i64 I64(i64 x) { return x; }
static inline u64 U64(u64 x) { return x; }

#define PROBE_EXTREME(x, y, less)                                                                  \
  ({                                                                                               \
    __typeof__(x) probe_x = (x), probe_y = (y);                                                    \
    probe_x less probe_y ? probe_x : probe_y;                                                      \
  })
#define min(x, y) PROBE_EXTREME(x, y, <)
#define max(x, y) PROBE_EXTREME(x, y, >)
#define __popc(x) __builtin_popcount(x)

#define __syncthreads() ((void)probe_block(PROBE_BARRIER, 0, __LINE__))
#define __syncthreads_and(p) probe_block(PROBE_BARRIER_AND, p, __LINE__)
#define __syncthreads_or(p) probe_block(PROBE_BARRIER_OR, p, __LINE__)
#define __syncthreads_count(p) probe_block(PROBE_BARRIER_COUNT, p, __LINE__)
#define __activemask() probe_active(__LINE__)
#define PROBE_WARP(operation, mask, value, lane, width)                                            \
  ((__typeof__(value))probe_warp(operation, mask, (i64)(value), lane, width, __LINE__))
#define __syncwarp(mask) ((void)probe_warp(PROBE_SYNC, mask, 0, 0, 32, __LINE__))
#define __shfl_sync(m, v, lane, width) PROBE_WARP(PROBE_SHUFFLE, m, v, lane, width)
#define __shfl_up_sync(m, v, by, width) PROBE_WARP(PROBE_SHUFFLE_UP, m, v, by, width)
#define __shfl_down_sync(m, v, by, width) PROBE_WARP(PROBE_SHUFFLE_DOWN, m, v, by, width)
#define __shfl_xor_sync(m, v, by, width) PROBE_WARP(PROBE_SHUFFLE_XOR, m, v, by, width)
#define __all_sync(m, p) ((i32)probe_warp(PROBE_ALL, m, (p) != 0, 0, 32, __LINE__))
#define __any_sync(m, p) ((i32)probe_warp(PROBE_ANY, m, (p) != 0, 0, 32, __LINE__))
#define __ballot_sync(m, p) ((u32)probe_warp(PROBE_BALLOT, m, (p) != 0, 0, 32, __LINE__))
#define __reduce_add_sync(m, v) PROBE_WARP(PROBE_ADD, m, v, 0, 32)
#define __reduce_min_sync(m, v) PROBE_WARP(PROBE_MIN, m, v, 0, 32)
#define __reduce_max_sync(m, v) PROBE_WARP(PROBE_MAX, m, v, 0, 32)
#define __match_any_sync(m, v) ((u32)probe_warp(PROBE_MATCH, m, (i64)(v), 0, 32, __LINE__))

static inline i32 probe_atomic_add(i32 *at, i32 value) {
  i32 old = *at;
  *at = (i32)((i64)old + value);
  return old;
}
#define atomicAdd(at, value) probe_atomic_add(at, value)

#endif
#endif
