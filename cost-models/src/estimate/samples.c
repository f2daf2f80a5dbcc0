// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which warps of a launch are walked, and what share of all each stands for.
#include "estimate/estimate_internal.h"

#include <math.h>

#define BLOCKS_MAX 32 // of a launch that are walked; of a grid in one dimension:
#define BLOCKS_IN_ROW 8

#define PARTS 9 // of a grid: three of its columns times three of its rows

// Blocks side by side: part of a grid.
typedef struct part {
  uint64_t x, y, columns, rows;
} part;

// Of so many in a row the first, those in between, or the last: how many, and where they begin.
static uint64_t cut_row(uint64_t size, unsigned which, uint64_t *begin) {
  *begin = which == 0 ? 0 : which == 1 ? 1 : size - 1;
  return which == 0 ? 1 : which == 1 ? (size > 2 ? size - 2 : 0) : size > 1;
}

// A grid's corners, its edges, and what is inside: items end at the edges, or begin there. A grid
// of one row has two ends and what is between. Returns how many parts there are.
static unsigned cut_grid(uint64_t columns, uint64_t rows, part *parts) {
  unsigned n = 0;
  for (unsigned k = 0; k < PARTS; ++k) {
    part of;
    of.columns = cut_row(columns, k % 3, &of.x);
    of.rows = cut_row(rows, k / 3, &of.y);
    if (of.columns && of.rows)
      parts[n++] = of;
  }
  return n;
}

// Of a part some blocks, each a golden section of them behind the one before it, so that they are
// spread over rows and columns, too.
static void choose_in_part(const part *of, uint64_t columns, unsigned n, double total,
                           uint64_t *blocks, double *weights) {
  uint64_t size = of->columns * of->rows;
  for (unsigned k = 0; k < n; ++k) {
    double at = (k + 1) * 0.6180339887498949;
    uint64_t number = (uint64_t)((at - floor(at)) * (double)size);
    blocks[k] = (of->y + number / of->columns) * columns + of->x + number % of->columns;
    weights[k] = (double)size / n / total;
  }
}

// Blocks of a grid that stand for all: all of few; else some of each part of the grid, of the
// largest ones what the others leave. Where these are few, rows are taken for one after the other.
static unsigned choose_blocks(const dc_sampling *of, unsigned most, uint64_t *blocks,
                              double *weights) {
  uint64_t total = of->on_block ? of->n_blocks : 1;
  if (total <= most) {
    for (unsigned k = 0; k < total; ++k) {
      blocks[k] = k;
      weights[k] = 1.0 / (double)total;
    }
    return (unsigned)total;
  }
  part parts[PARTS];
  bool by_rows = most > PARTS && of->columns > 1 && of->n_blocks > of->columns;
  uint64_t columns = by_rows ? of->columns : total, largest = 0;
  unsigned n_parts = cut_grid(columns, total / columns, parts), n_largest = 0, chosen = 0, more = 0;
  for (unsigned k = 0; k < n_parts; ++k) {
    uint64_t size = parts[k].columns * parts[k].rows;
    n_largest = size > largest ? 1 : n_largest + (size == largest);
    largest = size > largest ? size : largest;
  }
  for (unsigned k = 0; k < n_parts; ++k) {
    bool has_more = parts[k].columns * parts[k].rows == largest;
    unsigned left = most - (n_parts - n_largest),
             n = has_more ? left / n_largest + (more < left % n_largest) : 1;
    more += has_more;
    choose_in_part(&parts[k], columns, n, (double)total, blocks + chosen, weights + chosen);
    chosen += n;
  }
  return chosen;
}

// A row of `total` warps, cut into `count` runs of which one warp stands for each: in the middle,
// or anywhere if `scattered`. The samples of the row begin at `first`.
typedef struct row {
  uint64_t total;
  unsigned count, first;
  bool scattered;
} row;

static unsigned sample_of(const row *of, uint64_t at, bool *is_chosen) {
  uint64_t run = at * of->count / of->total;
  uint64_t begin = (run * of->total + of->count - 1) / of->count;
  uint64_t end = ((run + 1) * of->total + of->count - 1) / of->count;
  double place = of->scattered ? (double)(run + 1) * 0.6180339887498949 : 0.5;
  *is_chosen = at == begin + (uint64_t)((place - floor(place)) * (double)(end - begin));
  return of->first + (unsigned)run;
}

unsigned dc__samples_choose(const dc_sampling *of, dc_warp_sample *samples, bool *some_blocks,
                            bool *some_warps) {
  uint32_t warps = (of->threads + DC_WARP - 1) / DC_WARP;
  uint64_t blocks[BLOCKS_MAX];
  double weights[BLOCKS_MAX];
  // Where nothing depends on the thread, only a last warp that isn't full is different.
  bool partial = of->threads % DC_WARP != 0;
  uint32_t kinds = of->on_lane ? warps : partial && warps > 1 ? 2 : 1;
  // Fewer blocks, rather than some of their warps; but the first, the last, and one in between.
  bool has_rows = of->n_blocks > of->columns;
  unsigned room = has_rows ? BLOCKS_MAX : BLOCKS_IN_ROW, whole = of->most / kinds;
  unsigned n = choose_blocks(of, whole < 3 || whole > room ? room : whole, blocks, weights);
  uint64_t all = (uint64_t)n * kinds;
  unsigned count = all < of->most ? (unsigned)all : of->most > 0 ? of->most : 1;
  // A block's first warp may be the only one with work: others don't stand for it.
  bool apart = of->on_lane && kinds > 1 && count < all;
  count = apart && count < 2 ? 2 : count;
  unsigned firsts = !apart ? 0 : count / kinds > 0 ? count / kinds : 1;
  // And the items may end in the last one of all.
  bool last_apart = apart && count - firsts > 1 && of->n_blocks > 1;
  row first_warps = {n, firsts, 0, of->scattered},
      others = {all - (apart ? n : 0) - last_apart, count - firsts - last_apart, firsts,
                of->scattered},
      last = {1, 1, count - 1, false};
  for (unsigned k = 0; k < count; ++k)
    samples[k] = (dc_warp_sample){.weight = 0};
  for (uint64_t k = 0; k < all; ++k) {
    uint64_t block = k / kinds;
    uint32_t kind = (uint32_t)(k % kinds), warp = !of->on_lane && kind == 1 ? warps - 1 : kind;
    double share = of->on_lane || kinds == 1 ? 1.0 / kinds
                   : kind == 1               ? 1.0 / warps
                                             : 1 - 1.0 / warps;
    bool chosen, is_first = apart && kind == 0;
    uint64_t before = apart ? block + 1 : 0; // first warps, of those up to this one
    unsigned at = is_first                     ? sample_of(&first_warps, block, &chosen)
                  : last_apart && k + 1 == all ? sample_of(&last, 0, &chosen)
                                               : sample_of(&others, k - before, &chosen);
    samples[at].weight += weights[block] * share;
    if (chosen) {
      samples[at].block = blocks[block];
      samples[at].warp = warp;
    }
  }
  *some_blocks = of->on_block && n < of->n_blocks;
  *some_warps = count < all;
  return count;
}
