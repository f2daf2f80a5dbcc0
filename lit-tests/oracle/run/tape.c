// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tape.h"

#include "divcost/hash.h"

#include <inttypes.h>
#include <string.h>

// By the line in the file; programs in lines behind these aren't counted.
enum { MOST_LINES = 1 << 16 };

static struct {
  uint64_t entries[MOST_LINES], trips[MOST_LINES];
  uint32_t used[MOST_LINES], n_used;
  bool counted; // there is a tape
} lines;

void tape_begin(void) {
  for (uint32_t k = 0; k < lines.n_used; ++k)
    lines.entries[lines.used[k]] = lines.trips[lines.used[k]] = 0;
  lines.n_used = 0;
  lines.counted = true;
}

void tape_loop(uint32_t line, uint32_t trips) {
  if (!lines.counted || line >= MOST_LINES)
    return;
  if (lines.entries[line]++ == 0)
    lines.used[lines.n_used++] = line;
  lines.trips[line] += trips;
}

static void write_bytes(FILE *tape, const unsigned char *bytes, size_t n) {
  for (size_t k = 0; k < n; ++k)
    fprintf(tape, "%02x", bytes[k]);
}

// The memory that an argument is the address of.
static const unsigned char *memory_of(const launch *l, uint32_t param) {
  const unsigned char *at;
  memcpy(&at, &l->arguments[param], sizeof at);
  return at;
}

static void write_launch(FILE *tape, const probe_program *program, const launch *l) {
  fprintf(tape, "launch %s %u %u %u %u %u %u %u\n", program->kernel, l->grid_dim.x, l->grid_dim.y,
          l->grid_dim.z, l->block_dim.x, l->block_dim.y, l->block_dim.z, program->n_params);
  for (uint32_t k = 0; k < program->n_params; ++k) {
    const probe_param *p = &program->params[k];
    if (p->kind == PROBE_NUMBER)
      fprintf(tape, "number %" PRId64, l->arguments[k]);
    else
      fprintf(tape, p->kind == PROBE_READ ? "read " : "write ");
    if (p->kind == PROBE_READ)
      write_bytes(tape, memory_of(l, k), READ_ELEMENTS * p->bits / 8);
    fputc('\n', tape);
  }
  fputs("run\n", tape);
}

static void write_end(FILE *tape, const probe_program *program, const launch *l) {
  for (uint32_t k = 0; k < program->n_params; ++k)
    if (program->params[k].kind == PROBE_WRITE)
      fprintf(tape, "wrote %" PRIx64 "\n",
              dc_hash_bytes(DC_HASH_BEGIN, memory_of(l, k), WRITE_SLOTS * sizeof(int64_t)));
  for (uint32_t k = 0; k < lines.n_used; ++k)
    fprintf(tape, "loop %" PRIu32 " %" PRIu64 " %" PRIu64 "\n", lines.used[k],
            lines.entries[lines.used[k]], lines.trips[lines.used[k]]);
  fputs("end\n", tape);
}

void tape_write(FILE *tape, const probe_program *program, const launch *l) {
  write_launch(tape, program, l);
  write_end(tape, program, l);
}
