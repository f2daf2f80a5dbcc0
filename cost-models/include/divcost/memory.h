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

// A piece of memory that a request takes: a sector, a word of shared memory, a constant.
typedef struct dc_request_piece {
  int64_t at;     // which: its address in sectors, in words of 4 bytes, in bytes
  uint32_t lanes; // that touch it
  uint32_t pass;  // of a word: the pass over the banks that it comes in, from 0; else 0
} dc_request_piece;

#define DC_REQUEST_PIECES 128 // there are no more

// The pieces that a request takes, by pass and place, and how many: of what isn't shared memory as
// many as it takes sectors or addresses; of shared memory in as many passes as it takes
// wavefronts. A word that atomics of several lanes go to stands once for each of them.
unsigned dc_request_pieces(dc_space space, dc_access_kind kind, const int64_t address[32],
                           uint32_t lanes, unsigned bytes,
                           dc_request_piece pieces[DC_REQUEST_PIECES]);

// Which request of an access, as an estimate came upon it.
#define DC_REQUEST_LOOPS 3
typedef struct dc_request_of {
  uint32_t warp;                // of the block
  uint32_t lanes;               // that take part; 0: none was looked at
  bool some;                    // or some of them, as data has it
  int64_t iv[DC_REQUEST_LOOPS]; // iterations done of the loops around, the innermost first, or -1
} dc_request_of;

// What is known of where the lanes' addresses lie.
typedef enum dc_request_known {
  DC_REQUEST_KNOWN,   // to each other
  DC_REQUEST_STRIDED, // some multiples of a stride apart that isn't known
  DC_REQUEST_LOADED,  // nothing: they are read from memory
  DC_REQUEST_OPAQUE,  // nothing: they come from something else that isn't followed
} dc_request_known;

// A request as far as it is known. What all lanes have in common is taken so that the least address
// is on the first line of 128 bytes, and the request takes as much as it may.
typedef struct dc_request {
  dc_request_known known;
  dc_expr stride;      // of DC_REQUEST_STRIDED, or DC_NO_EXPR
  bool bounded;        // true as long as a bound, as of min(i, n - 1), holds no lane back
  bool by_iteration;   // true in these iterations of the loops around
  uint64_t common;     // what all lanes have in common is a multiple of this; 0: it is 0
  unsigned places;     // that differ in what is taken
  int64_t address[32]; // of DC_REQUEST_KNOWN, as everything below
  unsigned taken, ideal;
  unsigned least; // taken at any of the places; the most is `taken`
} dc_request;

// A request of an access in a launch. For kernels that dc_kernel_validate passes, as they are in
// the launch's blocks (dc_kernel_in_block). O(nodes of the address * 32 + loops + parameters);
// takes that memory, and where there is none says less.
void dc_access_request(const dc_kernel *kernel, uint32_t access, const dc_launch *launch,
                       const dc_request_of *of, dc_request *out);

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
