// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/counted_side.h"

#define LANES 32

static uint32_t degree(const dc_code_edges *edges, uint32_t block) {
  return edges->first[block + 1] - edges->first[block];
}

bool dc__side_of(const dc_code_graph *graph, uint32_t block, uint32_t *branch, uint32_t *other) {
  if (degree(&graph->in, block) != 1)
    return false;
  *branch = graph->in.to[graph->in.first[block]];
  if (*branch == graph->n_blocks || degree(&graph->out, *branch) != 2)
    return false;
  const uint32_t *sides = &graph->out.to[graph->out.first[*branch]];
  *other = sides[sides[0] == block];
  return *other != graph->n_blocks && *other != block && degree(&graph->in, *other) == 1;
}

dc_block_count dc__count_side(const dc_block_count *branch, const dc_block_count *other,
                              uint64_t *unsure) {
  dc_block_count side = {.together = branch->together || other->together};
  *unsure = 0;
  if (!branch->known || !other->known || other->lanes > branch->lanes)
    return side;
  side.known = true;
  side.lanes = branch->lanes - other->lanes;
  uint64_t whole = branch->warps > other->warps ? branch->warps - other->warps : 0,
           full = (side.lanes + LANES - 1) / LANES,
           most = branch->warps < side.lanes ? branch->warps : side.lanes,
           least = whole > full && whole <= most ? whole : full;
  if (least > most)
    least = most;
  side.warps = least + (most - least) / 2;
  *unsure = most - side.warps;
  return side;
}
