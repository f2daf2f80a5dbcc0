// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one request of a warp to memory takes, by the addresses of its lanes. The rules are those
// that an H100 was seen to follow in each of 1320 requests, ordered and random ones
// (docs/lab/memory.md); sectors and their ideal are also what Nsight Compute calls "L2 Theoretical
// Sectors Global" and "... Ideal", wavefronts "L1 Wavefronts Shared".
//
// Addresses are in bytes, of 32 lanes; bit k of `lanes` is set where lane k takes part, and the
// others' addresses are not looked at. `bytes` is what each lane reads or writes: 1, 2, 4, 8 or 16.
// What is added to all addresses makes no difference if it is a multiple of 32 (sectors), or of 4
// (wavefronts). No lanes take nothing: 0. All O(32) where lanes are in order, at worst O(32^2), and
// nothing allocates.
#ifndef DIVCOST_MEMORY_H
#define DIVCOST_MEMORY_H

#include "divcost/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

#define DC_SECTOR 32     // bytes
#define DC_BANKS 32      // of shared memory, each 4 bytes wide
#define DC_WAVEFRONT 128 // bytes that the banks give at once

// Global and local memory: the distinct sectors that the lanes touch, 1 to 64; and how many they
// would touch if their bytes stood side by side: ceil(lanes * bytes / 32), but no more than these
// sectors, for lanes may share bytes.
unsigned dc_request_sectors(const int64_t address[32], uint32_t lanes, unsigned bytes);
unsigned dc_request_ideal_sectors(uint32_t lanes, unsigned bytes, unsigned sectors);

// Shared memory: passes over the banks.
// - Up to 4 bytes: as many as the bank of the most distinct words has of them. Of an atomic, as the
//   bank of the most lanes has of these: lanes of one word take turns.
// - 8 bytes: the halves of the warp one after the other; 16 bytes: the quarters. Of a load, halves
//   (of 16 bytes: the two quarters of each half) go together if each lane's neighbour lane ^ 1
//   reads the same or is off, or each lane ^ 2.
// The ideal is ceil(lanes * bytes / 128), but no more than these.
unsigned dc_request_wavefronts(const int64_t address[32], uint32_t lanes, unsigned bytes,
                               dc_access_kind kind);
unsigned dc_request_ideal_wavefronts(uint32_t lanes, unsigned bytes, unsigned wavefronts);

// Constant memory: distinct addresses, which are read one after the other.
unsigned dc_request_addresses(const int64_t address[32], uint32_t lanes);

// How many times its ideal a request of an access takes at least, of the first warp of a block of
// these dimensions, with all its lanes and in no iteration in particular (or, if these decide, the
// third); 1 where nothing is known.
// For kernels that dc_kernel_validate passes. O(nodes of the address * 32).
double dc_access_excess(const dc_kernel *kernel, uint32_t access, const uint32_t block[3]);

// How the addresses of a warp's lanes lie to each other.
typedef enum dc_access_class {
  DC_ACCESS_SAME,    // one address for all
  DC_ACCESS_ROW,     // side by side, most of them
  DC_ACCESS_STRIDED, // in another way that follows from the lanes' indices
  DC_ACCESS_WALK,    // each lane its own, which iterations step on from: rows of a matrix by lanes
  DC_ACCESS_GATHER,  // each lane its own
} dc_access_class;

const char *dc_access_class_name(dc_access_class access_class);
int dc_access_class_parse(const char *name); // or -1

#ifdef __cplusplus
}
#endif

#endif
