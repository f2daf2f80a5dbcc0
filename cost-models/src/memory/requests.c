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

// How many lanes, one after the other, go over the banks together.
static unsigned lanes_together(const int64_t *address, uint32_t lanes, unsigned bytes,
                               dc_access_kind kind) {
  if (bytes <= WORD)
    return WARP;
  bool pairs = same_as_neighbour(address, lanes, 1) || same_as_neighbour(address, lanes, 2);
  return DC_WAVEFRONT / bytes * (kind == DC_ACCESS_LOAD && pairs ? 2 : 1);
}

unsigned dc_request_wavefronts(const int64_t address[32], uint32_t lanes, unsigned bytes,
                               dc_access_kind kind) {
  if (bytes <= WORD && kind == DC_ACCESS_ATOMIC)
    return turns(address, lanes);
  unsigned together = lanes_together(address, lanes, bytes, kind), count = 0;
  for (unsigned from = 0; from < WARP; from += together)
    count += passes(address, lanes & (uint32_t)dc__all_lanes(together) << from, bytes);
  return count;
}

unsigned dc_request_ideal_wavefronts(uint32_t lanes, unsigned bytes, unsigned wavefronts) {
  return smaller(side_by_side(lanes, bytes, DC_WAVEFRONT), wavefronts);
}

// ---- pieces -------------------------------------------------------------------------------------

// Adds those of one lane to those of others, ascending, where `alone` is not set: what is there
// already gets one lane more.
static unsigned put_lane(dc_request_piece *pieces, unsigned count, unsigned lane, int64_t first,
                         int64_t last, bool alone) {
  for (int64_t piece = first; piece <= last; ++piece) {
    unsigned at = count;
    while (at > 0 && pieces[at - 1].at > piece)
      --at;
    if (!alone && at > 0 && pieces[at - 1].at == piece) {
      pieces[at - 1].lanes |= UINT32_C(1) << lane;
      continue;
    }
    memmove(&pieces[at + 1], &pieces[at], (count - at) * sizeof *pieces);
    pieces[at] = (dc_request_piece){piece, UINT32_C(1) << lane, 0};
    ++count;
  }
  return count;
}

static unsigned put_lanes(dc_request_piece *pieces, const int64_t *address, uint32_t lanes,
                          unsigned bytes, unsigned size, bool alone) {
  unsigned count = 0;
  for (; lanes; lanes &= lanes - 1) {
    unsigned lane = dc__first_lane(lanes);
    int64_t last = (int64_t)((uint64_t)address[lane] + bytes - 1);
    count = put_lane(pieces, count, lane, divided(address[lane], size), divided(last, size), alone);
  }
  return count;
}

// The words of shared memory: of each bank one in a pass.
static unsigned put_words(dc_request_piece *pieces, const int64_t *address, uint32_t lanes,
                          unsigned bytes, dc_access_kind kind) {
  bool alone = bytes <= WORD && kind == DC_ACCESS_ATOMIC;
  unsigned together = lanes_together(address, lanes, bytes, kind), count = 0, before = 0;
  for (unsigned from = 0; from < WARP; from += together) {
    unsigned per_bank[DC_BANKS] = {0};
    uint32_t those = lanes & (uint32_t)dc__all_lanes(together) << from;
    unsigned n = put_lanes(&pieces[count], address, those, alone ? 1 : bytes, WORD, alone);
    for (unsigned k = count; k < count + n; ++k)
      pieces[k].pass = before + per_bank[bank_of(pieces[k].at)]++;
    before += most(per_bank);
    count += n;
  }
  return count;
}

unsigned dc_request_pieces(dc_space space, dc_access_kind kind, const int64_t address[32],
                           uint32_t lanes, unsigned bytes,
                           dc_request_piece pieces[DC_REQUEST_PIECES]) {
  if (space == DC_SPACE_SHARED)
    return put_words(pieces, address, lanes, bytes, kind);
  if (space == DC_SPACE_CONSTANT)
    return put_lanes(pieces, address, lanes, 1, 1, false);
  return put_lanes(pieces, address, lanes, bytes, DC_SECTOR, false);
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
