// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancy: how many blocks of a kernel a multiprocessor (SM) holds at a time, by the threads,
// registers and shared memory that they take, and what it is that no more fit. The limits are those
// of the CUDA C++ Programming Guide, tables "Technical Specifications per Compute Capability"; how
// registers and shared memory are given out is what CUDA's occupancy calculator does, whose answers
// these are (cudaOccupancyMaxActiveBlocksPerMultiprocessor): the largest carve-out for shared
// memory, and dynamic shared memory opted in to where it takes that. Blocks in clusters, and more
// than one barrier a block, are not considered.
#ifndef DIVCOST_OCCUPANCY_H
#define DIVCOST_OCCUPANCY_H

#include "divcost/error.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What an SM of a compute capability has. Memory in bytes, registers of 32 bits.
typedef struct dc_sm_limits {
  unsigned sm;                   // 90 for sm_90
  unsigned warps, blocks;        // resident at a time
  unsigned registers;            // on the SM
  unsigned registers_per_block;  // at most
  unsigned registers_per_thread; // at most, as compilers give them
  unsigned partitions;           // of the registers; a warp's lie in one
  unsigned register_unit;        // a warp's are a multiple of this
  unsigned shared;               // on the SM, what the system takes included
  unsigned shared_per_block;     // at most, what the system takes not included
  unsigned shared_reserved;      // that the system takes of each block
  unsigned shared_unit;          // a block's is a multiple of this
} dc_sm_limits;

// False where nothing is known of that number (Fermi, sm_20 and sm_21, is not). O(1).
bool dc_sm_limits_find(unsigned sm, dc_sm_limits *limits);

// What keeps one more block out.
typedef enum dc_occupancy_limit {
  DC_LIMIT_WARPS = 1,
  DC_LIMIT_BLOCKS = 2,
  DC_LIMIT_REGISTERS = 4,
  DC_LIMIT_SHARED = 8,
  DC_LIMIT_BOUNDS = 16, // none may be launched: it has more threads than launch bounds allow
} dc_occupancy_limit;

#define DC_OCCUPANCY_LIMITS 5

typedef struct dc_occupancy {
  unsigned blocks; // resident on an SM; 0: not even one fits, and the kernel can't be launched
  unsigned warps;  // of these blocks
  unsigned limits; // dc_occupancy_limit, several if each of them alone would keep one more out
} dc_occupancy;

// Of blocks of `threads` threads (1 to 1024; otherwise none fits), which take so many registers
// each and so many bytes of shared memory, static and dynamic together. O(1).
dc_occupancy dc_occupancy_of(const dc_sm_limits *limits, unsigned threads, unsigned registers,
                             uint64_t shared);

// The most registers that a thread may have for so many blocks of so many threads to be resident as
// far as registers go, at most registers_per_thread: what __launch_bounds__ asks of the compiler.
// 0: so many are never resident. O(1).
unsigned dc_registers_for(const dc_sm_limits *limits, unsigned threads, unsigned blocks);

// The name of one limit: "warps", "blocks", "registers", "shared-memory", "launch-bounds"; and
// back: the enumerator, or -1.
const char *dc_occupancy_limit_name(dc_occupancy_limit limit);
int dc_occupancy_limit_parse(const char *name);

#ifdef __cplusplus
}
#endif

#endif
