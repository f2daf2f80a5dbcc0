// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// emulator-speed [--smoke] double_loop.sass: how many lane-instructions (instructions times active
// lanes) the emulator executes in a second of one core's time, under each set of rules, and on all
// cores; and that the cost of a step doesn't grow with the trace. Two programs: the double loop as
// assembly, where every instruction is executed; and as a kernel skeleton of blocks of 8
// instructions, where a block is a step.
#define _POSIX_C_SOURCE 200809L

#include "divcost/emulator.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { CORES_MAX = 256 };

static void stop(const char *what) {
  fprintf(stderr, "emulator-speed: %s\n", what);
  exit(1);
}

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static char *read_text(const char *path) {
  char *text = calloc(1, 20000);
  FILE *stream = fopen(path, "r");
  if (!text || !stream || fread(text, 1, 19999, stream) == 0)
    stop("cannot read the listing");
  fclose(stream);
  return text;
}

// ---- programs -----------------------------------------------------------------------------------

static uint32_t add_block(dc_kernel *kernel, uint32_t loop, uint32_t meets) {
  uint32_t block = dc_kernel_add_block(kernel);
  kernel->blocks[block].loop = loop;
  kernel->blocks[block].branch = DC_NONE;
  kernel->blocks[block].post_dominator = meets;
  kernel->blocks[block].mix[DC_MIX_FP32] = 8;
  return block;
}

static void add_edge(dc_kernel *kernel, uint32_t from, uint32_t to) {
  uint32_t edge = dc_kernel_add_successor(kernel, from);
  kernel->successors[edge] = to;
}

static void add_loop(dc_kernel *kernel, uint32_t parent, uint32_t header, dc_expr trips) {
  uint32_t loop = dc_kernel_add_loop(kernel), branch = dc_kernel_add_branch(kernel);
  uint32_t exit = dc_kernel_add_exit(kernel);
  kernel->loops[loop] = (dc_loop){.header = header,
                                  .parent = parent,
                                  .depth = parent == DC_NONE ? 1 : 2,
                                  .location = DC_NONE,
                                  .loop_class = DC_CLASS_LANE_AFFINE,
                                  .level = DC_DIVERGENT,
                                  .first_exit = exit,
                                  .n_exits = 1,
                                  .trips = trips};
  kernel->exits[exit] = (dc_exit){header, DC_NONE, DC_DIVERGENT, trips};
  kernel->branches[branch] = (dc_branch){.block = header,
                                         .condition = DC_NO_EXPR,
                                         .level = DC_DIVERGENT,
                                         .exits = loop,
                                         .location = DC_NONE};
  kernel->blocks[header].branch = branch;
}

// for (i < rounds + tid) for (j < rounds + tid) body
static dc_kernel make_kernel(int64_t rounds) {
  dc_kernel k = {.location = DC_NONE};
  dc_expr tid = dc_expr_leaf(&k.pool, DC_OP_TID, 32, DC_DIVERGENT, 0);
  dc_expr trips = dc_expr_binary(&k.pool, DC_OP_ADD, tid, dc_expr_constant(&k.pool, 32, rounds));
  uint32_t entry = add_block(&k, DC_NONE, 1), outer = add_block(&k, 0, 4);
  uint32_t inner = add_block(&k, 1, 1), body = add_block(&k, 1, 2);
  uint32_t end = add_block(&k, DC_NONE, DC_NONE);
  add_edge(&k, entry, outer);
  add_edge(&k, outer, inner);
  add_edge(&k, outer, end);
  add_edge(&k, inner, body);
  add_edge(&k, inner, outer);
  add_edge(&k, body, inner);
  add_loop(&k, DC_NONE, outer, trips);
  add_loop(&k, 0, inner, trips);
  uint32_t launch = dc_kernel_add_launch(&k);
  k.launches[launch] = (dc_launch){{32, 1, 1}, {1, 1, 1}, 0, DC_NONE, 0, false};
  return k;
}

// ---- runs ---------------------------------------------------------------------------------------

typedef struct job {
  const dc_program *program;
  dc_arch arch;
  dc_emulator_options options;
  double at_least; // seconds of this thread
  double lane_instructions, steps, warps, seconds;
} job;

static void *run(void *argument) {
  job *j = argument;
  dc_emulator *emulator;
  double begin = seconds(CLOCK_THREAD_CPUTIME_ID);
  dc_error error;
  j->lane_instructions = j->steps = j->warps = 0;
  if (dc_emulator_create(j->program, &j->arch, &j->options, &emulator, &error) != DC_OK)
    stop(error.text);
  do {
    if (dc_emulator_restart(emulator, &j->options, &error) != DC_OK ||
        dc_emulator_run(emulator, &error) != DC_OK)
      stop(error.text);
    dc_emulation r = dc_emulator_result(emulator);
    j->lane_instructions += (double)r.lane_instructions;
    j->steps += (double)r.steps;
    ++j->warps;
    j->seconds = seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
  } while (j->seconds < j->at_least);
  dc_emulator_free(emulator);
  return NULL;
}

static job make_job(const dc_program *program, dc_rules rules, double at_least) {
  job j = {.program = program, .options = {.lanes = 32}, .at_least = at_least};
  dc_error error;
  if (dc_arch_find(rules == DC_RULES_BARRIERS ? "sm_90" : "sm_52", &j.arch, &error) != DC_OK)
    stop(error.text);
  j.arch.rules = rules;
  return j;
}

static void show(const char *name, const job *j) {
  printf("%-10s %-9s %10.0f warps/s %10.3g lane-instructions/s %8.1f ns/step\n", name,
         dc_rules_name(j->arch.rules), j->warps / j->seconds, j->lane_instructions / j->seconds,
         1e9 * j->seconds / j->steps);
}

static void on_all_cores(const char *name, const dc_program *program, double at_least) {
  static job jobs[CORES_MAX];
  pthread_t threads[CORES_MAX];
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  cores = cores < 1 ? 1 : cores > CORES_MAX ? CORES_MAX : cores;
  double begin = seconds(CLOCK_MONOTONIC), lane_instructions = 0, warps = 0;
  for (long k = 0; k < cores; ++k) {
    jobs[k] = make_job(program, DC_RULES_BARRIERS, at_least);
    if (pthread_create(&threads[k], NULL, run, &jobs[k]) != 0)
      stop("cannot start a thread");
  }
  for (long k = 0; k < cores; ++k) {
    pthread_join(threads[k], NULL);
    lane_instructions += jobs[k].lane_instructions;
    warps += jobs[k].warps;
  }
  double elapsed = seconds(CLOCK_MONOTONIC) - begin;
  printf("%-10s barriers  %10.0f warps/s %10.3g lane-instructions/s on %ld cores, elapsed\n", name,
         warps / elapsed, lane_instructions / elapsed, cores);
}

int main(int count, char **arguments) {
  bool smoke = count > 1 && strcmp(arguments[1], "--smoke") == 0;
  if (count != 2 + smoke)
    stop("usage: emulator-speed [--smoke] double_loop.sass");
  double at_least = smoke ? 0.01 : 2;
  char *text = read_text(arguments[1 + smoke]);
  dc_program assembly, skeleton, longer;
  dc_error error;
  dc_kernel kernel = make_kernel(32), long_kernel = make_kernel(smoke ? 64 : 320);
  if (dc_program_assemble(text, &assembly, &error) != DC_OK ||
      dc_program_from_kernel(&kernel, &skeleton, &error) != DC_OK ||
      dc_program_from_kernel(&long_kernel, &longer, &error) != DC_OK)
    stop(error.text);
  assembly.params[dc_program_find_param(&assembly, "n")].value = 8;
  for (int rules = DC_RULES_STACK; rules <= DC_RULES_NONE; ++rules) {
    job j = make_job(&skeleton, (dc_rules)rules, at_least);
    run(&j);
    show("skeleton", &j);
    j.program = &longer;
    run(&j);
    show("longer", &j);
    if (rules == DC_RULES_NONE) // its listing has pop bits
      continue;
    j.program = &assembly;
    run(&j);
    show("assembly", &j);
  }
  on_all_cores("skeleton", &skeleton, at_least);
  on_all_cores("assembly", &assembly, at_least);
  dc_program_free(&assembly);
  dc_program_free(&skeleton);
  dc_program_free(&longer);
  dc_kernel_free(&kernel);
  dc_kernel_free(&long_kernel);
  free(text);
  return 0;
}
