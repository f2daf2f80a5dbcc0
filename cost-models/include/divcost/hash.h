// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// FNV-1a with 64 bits, and with 32, the hash of Glenn Fowler, Landon Curt Noll and Kiem-Phong Vo
// (RFC 9923, http://www.isthe.com/chongo/tech/comp/fnv/): for each byte, exclusive or, then times
// the prime. It goes on from the hash of what came before. What users keep (fingerprints in
// baselines, ids of loops, hashes in profiles) is made with it, so its values stay what they are.
// It protects from no one who wants two things to have one hash.
//
//     uint64_t hash = dc_hash_text(DC_HASH_BEGIN, symbol);
//     hash = dc_hash_u64(hash, number);
#ifndef DIVCOST_HASH_H
#define DIVCOST_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DC_HASH_BEGIN UINT64_C(0xcbf29ce484222325) // the offset basis: the hash of nothing
#define DC_HASH_PRIME UINT64_C(0x100000001b3)      // 2^40 + 2^8 + 0xb3

// O(size).
static inline uint64_t dc_hash_bytes(uint64_t hash, const void *bytes, size_t size) {
  const unsigned char *at = (const unsigned char *)bytes;
  for (size_t k = 0; k < size; ++k)
    hash = (hash ^ at[k]) * DC_HASH_PRIME;
  return hash;
}

// A text without its end: what is hashed one after the other needs something between.
static inline uint64_t dc_hash_text(uint64_t hash, const char *text) {
  return dc_hash_bytes(hash, text, strlen(text));
}

// A number as its eight bytes, the lowest first: the same on every machine.
static inline uint64_t dc_hash_u64(uint64_t hash, uint64_t value) {
  for (unsigned byte = 0; byte < 8; ++byte)
    hash = (hash ^ (value >> 8 * byte & 0xff)) * DC_HASH_PRIME;
  return hash;
}

// The same hash with 32 bits, of the whole at once: the checksum in profiles and flat kernels,
// whose layouts have four bytes for it. O(size).
static inline uint32_t dc_hash_bytes_32(const void *bytes, size_t size) {
  const unsigned char *at = (const unsigned char *)bytes;
  uint32_t hash = UINT32_C(0x811c9dc5);
  for (size_t k = 0; k < size; ++k)
    hash = (hash ^ at[k]) * UINT32_C(0x01000193);
  return hash;
}

#ifdef __cplusplus
}
#endif

#endif
