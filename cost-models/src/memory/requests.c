// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/memory.h"

#include "base/lanes.h"

#include <string.h>

enum { WARP = 32, WORD = 4, WORDS_MAX = 4 * WARP };

// Rounds towards minus infinity: addresses may be relative to one that isn't known.
static int64_t divided(int64_t a, int64_t by) { return a / by - (a % by < 0); }

// Puts a number among others, ascending, unless it is there. Lanes mostly come in order, so that
// its place is near the end.
static unsigned put_in_order(int64_t *numbers, unsigned count, int64_t number) {
  unsigned at = count;
  while (at > 0 && numbers[at - 1] > number)
    --at;
  if (at > 0 && numbers[at - 1] == number)
    return count;
  memmove(&numbers[at + 1], &numbers[at], (count - at) * sizeof *numbers);
  numbers[at] = number;
  return count + 1;
}

// The pieces of memory of this size, a power of two, that the lanes touch, each once, ascending.
// Room for WORDS_MAX.
static unsigned find_pieces(const int64_t *address, uint32_t lanes, unsigned bytes, unsigned size,
                            int64_t *pieces) {
  unsigned count = 0;
  for (; lanes; lanes &= lanes - 1) {
    int64_t at = address[dc__first_lane(lanes)];
    int64_t last = divided((int64_t)((uint64_t)at + bytes - 1), size);
    for (int64_t piece = divided(at, size); piece <= last; ++piece)
      count = put_in_order(pieces, count, piece);
  }
  return count;
}

static unsigned smaller(unsigned a, unsigned b) { return a < b ? a : b; }

static unsigned side_by_side(uint32_t lanes, unsigned bytes, unsigned size) {
  return (dc__lanes_count(lanes) * bytes + size - 1) / size;
}

unsigned dc_request_sectors(const int64_t address[32], uint32_t lanes, unsigned bytes) {
  int64_t sectors[WORDS_MAX];
  return find_pieces(address, lanes, bytes, DC_SECTOR, sectors);
}

unsigned dc_request_ideal_sectors(uint32_t lanes, unsigned bytes, unsigned sectors) {
  return smaller(side_by_side(lanes, bytes, DC_SECTOR), sectors);
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

unsigned dc_request_ideal_wavefronts(uint32_t lanes, unsigned bytes, unsigned wavefronts) {
  return smaller(side_by_side(lanes, bytes, DC_WAVEFRONT), wavefronts);
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
