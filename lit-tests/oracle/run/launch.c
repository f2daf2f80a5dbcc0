// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.h"

#include "machine.h"

#include <stdlib.h>
#include <string.h>

static struct {
  int64_t *read[MOST_PARAMS], *written[MOST_PARAMS];
} memory;

void make_memory(void) {
  for (unsigned k = 0; k < MOST_PARAMS; ++k) {
    memory.read[k] = calloc(READ_ELEMENTS, sizeof(int64_t));
    memory.written[k] = calloc(WRITE_SLOTS, sizeof(int64_t));
    if (!memory.read[k] || !memory.written[k])
      abort();
  }
}

// ---- dimensions ---------------------------------------------------------------------------------

static const uint32_t shapes[][3] = {
    {32, 1, 1}, {64, 1, 1},  {96, 1, 1}, {33, 1, 1}, {48, 1, 1}, {7, 1, 1},  {1, 1, 1},
    {31, 1, 1}, {128, 1, 1}, {8, 4, 1},  {16, 3, 1}, {32, 2, 1}, {5, 7, 1},  {33, 2, 1},
    {1, 40, 1}, {64, 2, 1},  {4, 4, 4},  {2, 3, 8},  {8, 2, 5},  {32, 1, 2}, {1, 1, 37},
    {16, 2, 2}, {32, 3, 1},  {2, 16, 1}, {70, 1, 1}, {40, 2, 1}, {48, 2, 1}, {56, 2, 1}};

static void draw_block_dim(launch *l, const probe_program *program, const dc_kernel *kernel,
                           uint64_t *random) {
  const uint32_t *dim = program->block;
  uint32_t known[16], n_known = 0;
  for (uint32_t k = 0; k < kernel->n_launches && n_known < 16; ++k) {
    const dc_launch *of = &kernel->launches[k];
    if (of->from < DC_BLOCK_LAUNCH_BOUNDS && of->block[0] * of->block[1] * of->block[2] <= 256)
      known[n_known++] = k;
  }
  if (dim[0] == 0 && n_known > 0 && draw(random, 8) < 7)
    dim = kernel->launches[known[draw(random, n_known)]].block;
  while (dim[0] == 0) {
    const uint32_t *shape = shapes[draw(random, sizeof shapes / sizeof *shapes)];
    if (shape[0] * shape[1] * shape[2] <= program->most_threads)
      dim = shape;
  }
  l->block_dim = (probe_dim3){dim[0], dim[1], dim[2]};
}

// Small grids, and blocks far out in large ones.
static void draw_grid(launch *l, uint64_t *random) {
  uint32_t x = 1 + (uint32_t)draw(random, 4);
  if (draw(random, 6) == 0)
    x = draw(random, 2) ? 1000 + (uint32_t)draw(random, 60000) : 1u << (20 + draw(random, 11));
  uint32_t y = draw(random, 4) ? 1 : 1 + (uint32_t)draw(random, 3);
  l->grid_dim = (probe_dim3){x, y, draw(random, 8) ? 1 : 2};
  l->n_blocks = 1 + (uint32_t)draw(random, MOST_BLOCKS);
  if (l->block_dim.x * l->block_dim.y * l->block_dim.z > 100 && l->n_blocks > 2)
    l->n_blocks = 2;
  uint32_t first = (uint32_t)draw(random, x);
  for (uint32_t k = 0; k < l->n_blocks; ++k)
    l->blocks[k] = (probe_dim3){(first + k) % x, (uint32_t)draw(random, y),
                                (uint32_t)draw(random, l->grid_dim.z)};
  // Each block once.
  for (uint32_t k = 1; k < l->n_blocks; ++k)
    for (uint32_t other = 0; other < k; ++other)
      if (!memcmp(&l->blocks[k], &l->blocks[other], sizeof *l->blocks)) {
        l->n_blocks = k;
        return;
      }
}

static void draw_whole_grid(launch *l, uint64_t *random) {
  uint32_t n = 1 + (uint32_t)draw(random, MOST_BLOCKS);
  bool lies = draw(random, 2);
  l->grid_dim = (probe_dim3){lies ? n : 1, lies ? 1 : n, 1};
  for (l->n_blocks = 0; l->n_blocks < n; ++l->n_blocks)
    l->blocks[l->n_blocks] = (probe_dim3){lies ? l->n_blocks : 0, lies ? 0 : l->n_blocks, 0};
}

// ---- parameters ---------------------------------------------------------------------------------

// How tame the numbers of a launch are.
typedef struct mood {
  uint64_t base;  // several parameters are near to this
  unsigned wild;  // of 8 parameters so many aren't small
  uint32_t small; // those that are lie below this
} mood;

static mood draw_mood(bool wild, uint32_t too_long, uint64_t *random) {
  static const uint32_t smalls[] = {6, 12, 40, 40, 100};
  // Numbers further apart than 2^63 are no ends of loops (docs/limits.md).
  static const uint64_t bases[] = {0,
                                   UINT64_C(0x7fffffe0),
                                   UINT64_C(0x80000000),
                                   UINT64_C(0xffffffe0),
                                   UINT64_C(0x100000000),
                                   UINT64_C(0x1fffffffffffffe0),
                                   UINT64_C(0xffffffffffffffe0),
                                   UINT64_C(0x7f80),
                                   UINT64_C(0x70)};
  mood m = {0, 0, smalls[draw(random, 5)] >> (too_long < 4 ? too_long : 4)};
  m.small = m.small < 3 ? 3 : m.small;
  if (wild) {
    m.wild = 1 + (unsigned)draw(random, 7);
    m.base = bases[draw(random, sizeof bases / sizeof *bases)];
  }
  return m;
}

static int64_t draw_number(const mood *m, uint64_t *random) {
  static const int64_t marks[] = {0, 1, 2, 3, 31, 32, 33, 64, -1, -2, 8, 16};
  if (draw(random, 8) < m->wild)
    return (int64_t)(m->base + draw(random, 80) - 16);
  switch (draw(random, 8)) {
  case 0:
    return marks[draw(random, sizeof marks / sizeof *marks)];
  case 1:
    return -(int64_t)draw(random, m->small);
  case 2:
    return (int64_t)(UINT64_C(1) << draw(random, 7));
  default:
    return (int64_t)draw(random, m->small);
  }
}

static int64_t cut(int64_t value, const probe_param *p) {
  unsigned by = 64 - p->bits;
  uint64_t bits = (uint64_t)value << by;
  return p->is_signed ? (int64_t)bits >> by : (int64_t)(bits >> by);
}

// All alike, rising as offsets of rows do, or each by itself.
static void fill(void *to, const probe_param *p, const mood *m, uint64_t *random) {
  uint64_t kind = draw(random, 4);
  int64_t value = draw_number(m, random);
  for (uint32_t k = 0; k < READ_ELEMENTS; ++k) {
    if (kind == 1)
      value += (int64_t)draw(random, 4);
    else if (kind > 1)
      value = kind == 2 ? (int64_t)draw(random, m->small) : draw_number(m, random);
    int64_t element = cut(value, p);
    memcpy((char *)to + (size_t)k * p->bits / 8, &element, p->bits / 8); // little endian
  }
}

void draw_launch(launch *l, const probe_program *program, const dc_kernel *kernel, bool wild,
                 uint32_t too_long, bool whole_grid, uint64_t *random) {
  mood m = draw_mood(wild, too_long, random);
  memset(l, 0, sizeof *l);
  draw_block_dim(l, program, kernel, random);
  if (whole_grid)
    draw_whole_grid(l, random);
  else
    draw_grid(l, random);
  for (uint32_t k = 0; k < program->n_params; ++k) {
    const probe_param *p = &program->params[k];
    if (p->kind == PROBE_NUMBER)
      l->arguments[k] = cut(draw_number(&m, random), p);
    else if (p->kind == PROBE_WRITE)
      l->arguments[k] = (int64_t)(uintptr_t)memory.written[k];
    else {
      fill(memory.read[k], p, &m, random);
      l->arguments[k] = (int64_t)(uintptr_t)memory.read[k];
    }
  }
}

void restore_memory(const probe_program *program) {
  for (uint32_t k = 0; k < program->n_params; ++k)
    if (program->params[k].kind == PROBE_WRITE)
      memset(memory.written[k], 0, WRITE_SLOTS * sizeof(int64_t));
}

bool read_unwritten(uint64_t address, unsigned bits, int64_t *value) {
  for (unsigned k = 0; k < MOST_PARAMS; ++k) {
    uint64_t from = (uint64_t)(uintptr_t)memory.read[k];
    if (address < from || address + bits / 8 > from + READ_ELEMENTS * sizeof(int64_t))
      continue;
    uint64_t raw = 0;
    memcpy(&raw, (const char *)memory.read[k] + (address - from), bits / 8);
    *value = (int64_t)(raw << (64 - bits)) >> (64 - bits);
    return true;
  }
  return false;
}
