// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "unit/kernel_graph.h"

#include <stdlib.h>

bool dc__kernel_graph(const dc_kernel *kernel, const dc_code_instruction *code,
                      dc_code_graph *graph) {
  *graph = (dc_code_graph){0};
  size_t most = (size_t)kernel->n_successors + kernel->n_blocks + 1;
  uint32_t *from = malloc(most * sizeof *from), *to = malloc(most * sizeof *to), n = 0;
  bool good = from && to;
  for (uint32_t b = 0; good && b < kernel->n_blocks; ++b) {
    const dc_block *block = &kernel->blocks[b];
    for (uint32_t s = 0; s < block->n_successors; ++s, ++n) {
      from[n] = b;
      to[n] = kernel->successors[block->first_successor + s];
    }
    if (block->n_successors == 0) {
      from[n] = b;
      to[n++] = kernel->n_blocks;
    }
  }
  good = good && dc__graph_of_blocks(graph, code, kernel->n_blocks, from, to, n);
  free(from);
  free(to);
  return good;
}
