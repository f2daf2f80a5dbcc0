// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an SM of each compute capability has: CUDA C++ Programming Guide, "Technical Specifications
// per Compute Capability", of CUDA 8 (3.x), 12 (5.0 to 9.0) and 13 (10.0 to 12.1); 8.8 as CUDA's
// calculator takes it.
#include "divcost/occupancy.h"

enum { K = 1024 };

// Registers and shared memory in K.
typedef struct row {
  unsigned sm, warps, blocks, registers, per_block, per_thread, partitions, shared,
      shared_per_block;
} row;

static const row rows[] = {
    // sm, warps, blocks, registers, of a block, of a thread, partitions, shared, of a block
    {30, 64, 16, 64, 64, 63, 4, 48, 48},     {32, 64, 16, 64, 32, 255, 4, 48, 48},
    {35, 64, 16, 64, 64, 255, 4, 48, 48},    {37, 64, 16, 128, 64, 255, 4, 112, 48},
    {50, 64, 32, 64, 64, 255, 4, 64, 48},    {52, 64, 32, 64, 64, 255, 4, 96, 48},
    {53, 64, 32, 64, 32, 255, 4, 64, 48},    {60, 64, 32, 64, 64, 255, 2, 64, 48},
    {61, 64, 32, 64, 64, 255, 4, 96, 48},    {62, 64, 32, 64, 32, 255, 4, 64, 48},
    {70, 64, 32, 64, 64, 255, 4, 96, 96},    {72, 64, 32, 64, 64, 255, 4, 96, 96},
    {75, 32, 16, 64, 64, 255, 4, 64, 64},    {80, 64, 32, 64, 64, 255, 4, 164, 163},
    {86, 48, 16, 64, 64, 255, 4, 100, 99},   {87, 48, 16, 64, 64, 255, 4, 164, 163},
    {88, 48, 16, 64, 64, 255, 4, 100, 99},   {89, 48, 24, 64, 64, 255, 4, 100, 99},
    {90, 64, 32, 64, 64, 255, 4, 228, 227},  {100, 64, 32, 64, 64, 255, 4, 228, 227},
    {101, 48, 24, 64, 64, 255, 4, 228, 227}, {103, 64, 32, 64, 64, 255, 4, 228, 227},
    {110, 48, 24, 64, 64, 255, 4, 228, 227}, {120, 48, 24, 64, 64, 255, 4, 100, 99},
    {121, 48, 24, 64, 64, 255, 4, 100, 99},
};

bool dc_sm_limits_find(unsigned sm, dc_sm_limits *limits) {
  for (unsigned k = 0; k < sizeof rows / sizeof *rows; ++k) {
    const row *r = &rows[k];
    if (r->sm != sm)
      continue;
    *limits = (dc_sm_limits){
        .sm = sm,
        .warps = r->warps,
        .blocks = r->blocks,
        .registers = r->registers * K,
        .registers_per_block = r->per_block * K,
        .registers_per_thread = r->per_thread,
        .partitions = r->partitions,
        .register_unit = 256,
        .shared = r->shared * K,
        .shared_per_block = r->shared_per_block * K,
        .shared_reserved = sm >= 80 ? 1 * K : 0,
        .shared_unit = sm >= 80 ? 128 : 256,
    };
    return true;
  }
  return false;
}
