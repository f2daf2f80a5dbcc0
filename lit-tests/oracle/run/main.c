// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   oracle-run PROGRAMS.so REPORT.json LAUNCHES SEED [TAPE]
//
// Runs each program of a library LAUNCHES times and holds the report against what happens. With a
// TAPE, writes to it what a GPU can repeat: grids are small then, and run as a whole. Prints lines
// of words with tabs between them:
//
//   program    NAME  FIGURE=N ...
//   violation  NAME  KIND  LINE  LAUNCH  TEXT
//   error      NAME  TEXT            what the report says wasn't understood, or isn't there
//
// Exit status: 0, or 2 where the report can't be read.
#include "check.h"
#include "estimated.h"
#include "hash.h"
#include "launch.h"
#include "tape.h"

#include "divcost/files.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUEL = 500, PRINT_SIZE = 1000 };

// What became of the blocks that were run.
typedef struct tally {
  uint32_t blocks, too_long, undefined, diverged;
} tally;

static void print_launch(const launch *l, const probe_program *p, char *text, size_t size) {
  int n = snprintf(
      text, size,
      "<<<%" PRIu32 "x%" PRIu32 "x%" PRIu32 ", %" PRIu32 "x%" PRIu32 "x%" PRIu32 ">>> blocks",
      l->grid_dim.x, l->grid_dim.y, l->grid_dim.z, l->block_dim.x, l->block_dim.y, l->block_dim.z);
  for (uint32_t k = 0; k < l->n_blocks && (size_t)n < size; ++k)
    n += snprintf(text + n, size - (size_t)n, " (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")",
                  l->blocks[k].x, l->blocks[k].y, l->blocks[k].z);
  for (uint32_t k = 0; k < p->n_params && (size_t)n < size; ++k) {
    const probe_param *param = &p->params[k];
    if (param->kind == PROBE_NUMBER)
      n += snprintf(text + n, size - (size_t)n, " %s=%" PRId64, param->name, l->arguments[k]);
  }
}

// One launch: its blocks, one after the other. The first that doesn't finish ends it, and nothing
// is said of the launch then, but of barriers.
static bool run_launch(const launch *l, machine *m, check *c, tally *t) {
  m->arguments = c->arguments = l->arguments;
  begin_launch(c);
  for (uint32_t k = 0; k < l->n_blocks; ++k) {
    probe_state at = {.block = l->blocks[k], .block_dim = l->block_dim, .grid_dim = l->grid_dim};
    c->block_number = k;
    outcome end = run_block(m, &at);
    ++t->blocks;
    t->too_long += end == TOO_LONG;
    t->undefined += end == UNDEFINED;
    t->diverged += end == DIVERGED;
    if (end != FINISHED) {
      c->n_violations = 0;
      if (end == DIVERGED)
        check_barrier(c, m, &l->block_dim);
      return false;
    }
  }
  end_launch(c);
  check_estimate(c, l);
  return true;
}

// The same, written down if it is for a GPU.
static bool run_taped(FILE *tape, const launch *l, machine *m, check *c, tally *t) {
  counts before = c->counts;
  tape_begin();
  if (!run_launch(l, m, c, t))
    return false;
  if (c->counts.outside == before.outside && c->counts.undecided == before.undecided)
    tape_write(tape, c->program, l);
  return true;
}

static const dc_unit_kernel *find_kernel(const dc_unit *unit, const char *name) {
  for (uint32_t k = 0; k < unit->n_kernels; ++k)
    if (!strcmp(dc_kernel_text(&unit->kernels[k].kernel, unit->kernels[k].kernel.symbol), name))
      return &unit->kernels[k];
  return NULL;
}

static void print_counts(const probe_program *p, const counts *n, const tally *t,
                         uint32_t finished) {
  printf("program\t%s\tlaunches=%" PRIu32 "\tblocks=%" PRIu32 "\ttoo_long=%" PRIu32
         "\tundefined=%" PRIu32 "\tdiverged=%" PRIu32,
         p->kernel, finished, t->blocks, t->too_long, t->undefined, t->diverged);
  printf("\tentries=%" PRIu64 "\tunclaimed=%" PRIu64 "\tambiguous=%" PRIu64 "\toutside=%" PRIu64
         "\tundecided=%" PRIu64 "\texpressions=%" PRIu64 "\tbounds=%" PRIu64 "\texits=%" PRIu64
         "\talike=%" PRIu64 "\testimates=%" PRIu64 "\n",
         n->entries, n->unclaimed, n->ambiguous, n->outside, n->undecided, n->expressions,
         n->bounds, n->exits, n->alike, n->estimates);
}

static void run_program(const probe_program *program, const dc_unit_kernel *kernel,
                        uint32_t launches, uint64_t seed, FILE *tape) {
  claims known;
  const char *unknown;
  if (!collect_claims(kernel, &known, &unknown))
    printf("error\t%s\tunknown condition: %s\n", program->kernel, unknown);
  find_estimable(&known);
  check c = {.claims = &known,
             .program = program,
             .read = read_unwritten,
             .loops = calloc(known.n + 1, sizeof *c.loops)};
  if (!c.loops)
    abort();
  machine m = {.program = program, .fuel = FUEL, .random = seed, .parting = ~seed};
  tally t = {0};
  uint32_t finished = 0, tame = 0;
  static violation told[MOST_VIOLATIONS];
  uint32_t n_told = 0;
  for (uint32_t number = 0; number < launches; ++number) {
    launch l;
    char text[PRINT_SIZE];
    uint32_t too_long = t.too_long;
    restore_memory(program);
    draw_launch(&l, program, &kernel->kernel, number % 4 == 3 && tame < 3, tame, tape, &m.random);
    m.parts = number % 3 == 1 && !tape;
    finished += tape ? run_taped(tape, &l, &m, &c, &t) : run_launch(&l, &m, &c, &t);
    tame = t.too_long > too_long ? tame + 1 : tame > 0 ? tame - 1 : 0;
    for (uint32_t v = 0; v < c.n_violations; ++v) {
      bool known_one = false;
      for (uint32_t k = 0; k < n_told; ++k)
        known_one |=
            told[k].line == c.violations[v].line && !strcmp(told[k].kind, c.violations[v].kind);
      if (known_one || n_told == MOST_VIOLATIONS)
        continue;
      told[n_told++] = c.violations[v];
      print_launch(&l, program, text, sizeof text);
      printf("violation\t%s\t%s\t%" PRIu32 "\t%s\t%s\n", program->kernel, c.violations[v].kind,
             c.violations[v].line, text, c.violations[v].text);
    }
  }
  print_counts(program, &c.counts, &t, finished);
  free(c.loops);
  free_claims(&known);
}

static bool read_report(const char *path, dc_unit *unit) {
  dc_error error;
  FILE *stream = fopen(path, "r");
  if (!stream)
    return false;
  dc_status status = dc_unit_read_json(stream, unit, &error);
  fclose(stream);
  if (status != DC_OK)
    printf("error\t-\tunreadable report: %s\n", error.text);
  return status == DC_OK;
}

int main(int count, char **words) {
  if (count != 5 && count != 6) {
    fprintf(stderr, "usage: oracle-run PROGRAMS.so REPORT.json LAUNCHES SEED [TAPE]\n");
    return 2;
  }
  dc_unit unit = {0};
  void *library = dlopen(words[1], RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  const probe_program *const *programs = dlsym(library, "programs");
  if (!programs || !read_report(words[2], &unit))
    return 2;
  uint32_t launches = (uint32_t)strtoul(words[3], NULL, 10);
  uint64_t seed = strtoull(words[4], NULL, 10);
  FILE *tape = count == 6 ? fopen(words[5], "w") : NULL;
  if (count == 6 && !tape) {
    perror(words[5]);
    return 2;
  }
  make_memory();
  for (; *programs; ++programs) {
    const dc_unit_kernel *kernel = find_kernel(&unit, (*programs)->kernel);
    if (kernel)
      run_program(*programs, kernel, launches,
                  mix(seed, strtoull((*programs)->kernel + 1, NULL, 10)), tape);
    else
      printf("error\t%s\tthe report doesn't have it\n", (*programs)->kernel);
  }
  dc_unit_free(&unit);
  if (tape && fclose(tape) != 0) {
    perror(words[5]);
    return 2;
  }
  return 0;
}
