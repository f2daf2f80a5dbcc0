// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/memory.h"

#include "base/lanes.h"

#include <stdlib.h>
#include <string.h>

enum { WARP = 32, WORD = 4, WORDS_MAX = 4 * WARP };

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

// Rounds towards minus infinity: addresses may be relative to one that isn't known.
static int64_t divided(int64_t a, int64_t by) { return a / by - (a % by < 0); }

// The pieces of memory of this size that the lanes touch, each once, ascending. Room for
// WORDS_MAX.
static unsigned find_pieces(const int64_t *address, uint32_t lanes, unsigned bytes, int64_t size,
                            int64_t *pieces) {
  unsigned count = 0, distinct = 0;
  for (; lanes; lanes &= lanes - 1) {
    int64_t at = address[dc__first_lane(lanes)], last = divided(at + bytes - 1, size);
    for (int64_t piece = divided(at, size); piece <= last; ++piece)
      pieces[count++] = piece;
  }
  qsort(pieces, count, sizeof *pieces, compare);
  for (unsigned k = 0; k < count; ++k)
    if (k == 0 || pieces[k] != pieces[k - 1])
      pieces[distinct++] = pieces[k];
  return distinct;
}

static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned side_by_side(uint32_t lanes, unsigned bytes, unsigned size) {
  return (dc__lanes_count(lanes) * bytes + size - 1) / size;
}

unsigned dc_request_sectors(const int64_t address[32], uint32_t lanes, unsigned bytes) {
  int64_t sectors[WORDS_MAX];
  return find_pieces(address, lanes, bytes, DC_SECTOR, sectors);
}

unsigned dc_request_ideal_sectors(const int64_t address[32], uint32_t lanes, unsigned bytes) {
  return smaller(side_by_side(lanes, bytes, DC_SECTOR), dc_request_sectors(address, lanes, bytes));
}

unsigned dc_request_addresses(const int64_t address[32], uint32_t lanes) {
  int64_t bytes[WORDS_MAX];
  return find_pieces(address, lanes, 1, 1, bytes);
}

static unsigned most(const unsigned *per_bank) {
  unsigned count = 0;
  for (unsigned bank = 0; bank < DC_BANKS; ++bank)
    if (per_bank[bank] > count)
      count = per_bank[bank];
  return count;
}

static unsigned bank_of(int64_t word) { return (unsigned)((uint64_t)word % DC_BANKS); }

// Passes of lanes that go together.
static unsigned passes(const int64_t *address, uint32_t lanes, unsigned bytes) {
  int64_t words[WORDS_MAX];
  unsigned per_bank[DC_BANKS] = {0};
  unsigned count = find_pieces(address, lanes, bytes, WORD, words);
  for (unsigned k = 0; k < count; ++k)
    ++per_bank[bank_of(words[k])];
  return most(per_bank);
}

static unsigned turns(const int64_t *address, uint32_t lanes) {
  unsigned per_bank[DC_BANKS] = {0};
  for (; lanes; lanes &= lanes - 1)
    ++per_bank[bank_of(divided(address[dc__first_lane(lanes)], WORD))];
  return most(per_bank);
}

static bool same_as_neighbour(const int64_t *address, uint32_t lanes, unsigned apart) {
  for (unsigned lane = 0; lane < WARP; ++lane)
    if (lanes >> lane & 1 && lanes >> (lane ^ apart) & 1 && address[lane] != address[lane ^ apart])
      return false;
  return true;
}

unsigned dc_request_wavefronts(const int64_t address[32], uint32_t lanes, unsigned bytes,
                               dc_access_kind kind) {
  if (bytes <= WORD)
    return kind == DC_ACCESS_ATOMIC ? turns(address, lanes) : passes(address, lanes, bytes);
  unsigned together = DC_WAVEFRONT / bytes, count = 0;
  bool pairs = same_as_neighbour(address, lanes, 1) || same_as_neighbour(address, lanes, 2);
  if (kind == DC_ACCESS_LOAD && pairs)
    together *= 2;
  for (unsigned from = 0; from < WARP; from += together)
    count += passes(address, lanes & (uint32_t)dc__all_lanes(together) << from, bytes);
  return count;
}

unsigned dc_request_ideal_wavefronts(const int64_t address[32], uint32_t lanes, unsigned bytes,
                                     dc_access_kind kind) {
  return smaller(side_by_side(lanes, bytes, DC_WAVEFRONT),
                 dc_request_wavefronts(address, lanes, bytes, kind));
}

static const char *const class_names[] = {"same", "row", "strided", "walk", "gather"};

const char *dc_access_class_name(dc_access_class access_class) {
  return (unsigned)access_class <= DC_ACCESS_GATHER ? class_names[access_class] : "?";
}

int dc_access_class_parse(const char *name) {
  for (int k = 0; k <= DC_ACCESS_GATHER; ++k)
    if (strcmp(class_names[k], name) == 0)
      return k;
  return -1;
}
