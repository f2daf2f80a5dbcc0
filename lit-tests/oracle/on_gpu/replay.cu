// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   replay TAPE [KERNEL ...]
//
// Repeats launches on a GPU, but for those of the kernels named. A tape has, of each launch,
//
//   launch KERNEL GRID BLOCK N       grid and block: three numbers each; N parameters follow
//   number VALUE
//   read BYTES                       memory that the kernel reads, in hexadecimal digits
//   write                            memory that it writes, 0 at first
//   run
//   wrote HASH                       of the memory that it wrote on the CPU, one by one: FNV-1a
//   loop LINE ENTRIES TRIPS          what its lanes did there: for on_gpu.py
//   end
//
// Prints `differs KERNEL LAUNCH` where the memory isn't what it was on the CPU, then how many
// launches there were. A launch that fails or takes 10 seconds is told as `fails` or `hangs` and
// ends the process with status 3: the caller leaves its kernel out the next time.
#include "replay.h"

#include "divcost/hash.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cuda_runtime.h>
#include <unistd.h>

enum { MOST_PARAMS = 16, WRITE_BYTES = 8 << 12, READ_BYTES = 80 * 8, LINE_SIZE = 4096 };

struct launch {
  const replay_program *program;
  char kernel[32];
  dim3 grid, block;
  unsigned n_params, n_written, n_compared;
  bool is_left_out, differs;
  int64_t values[MOST_PARAMS]; // numbers, and addresses on the GPU
  void *written[MOST_PARAMS];
};

static void *memory[MOST_PARAMS];

static void fail(const char *what, const char *why) {
  fprintf(stderr, "replay: %s: %s\n", what, why);
  exit(2);
}

static void must(cudaError_t status, const char *what) {
  if (status != cudaSuccess)
    fail(what, cudaGetErrorString(status));
}

static const replay_program *find(const char *kernel) {
  for (const replay_program *p = replay_programs; p->kernel; ++p)
    if (!strcmp(p->kernel, kernel))
      return p;
  fail(kernel, "no such kernel");
  return nullptr;
}

static void begin(launch *l, const char *line, char **left_out, int n_left_out) {
  memset(l, 0, sizeof *l);
  if (sscanf(line, "%31s %u %u %u %u %u %u %u", l->kernel, &l->grid.x, &l->grid.y, &l->grid.z,
             &l->block.x, &l->block.y, &l->block.z, &l->n_params) != 8 ||
      l->n_params > MOST_PARAMS)
    fail("launch", line);
  l->program = find(l->kernel);
  l->n_params = 0; // those that follow are counted
  for (int k = 0; k < n_left_out; ++k)
    l->is_left_out |= !strcmp(left_out[k], l->kernel);
}

static int digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void add_memory(launch *l, const char *digits) {
  unsigned char bytes[READ_BYTES];
  size_t n = 0;
  for (; n < sizeof bytes && digit(digits[2 * n]) >= 0 && digit(digits[2 * n + 1]) >= 0; ++n)
    bytes[n] = (unsigned char)(digit(digits[2 * n]) << 4 | digit(digits[2 * n + 1]));
  void *at = memory[l->n_params];
  must(cudaMemset(at, 0, WRITE_BYTES), "cudaMemset");
  must(cudaMemcpy(at, bytes, n, cudaMemcpyHostToDevice), "cudaMemcpy");
  l->values[l->n_params++] = (int64_t)(uintptr_t)at;
}

static void leave(const char *word, const launch *l, const char *why) {
  printf("%s %s %s\n", word, l->kernel, why);
  fflush(stdout);
  _exit(3); // the context is lost, or never answers
}

static void run(const launch *l) {
  void *arguments[MOST_PARAMS];
  for (unsigned k = 0; k < l->n_params; ++k)
    arguments[k] = (void *)&l->values[k];
  cudaError_t status =
      cudaLaunchKernel(l->program->function, l->grid, l->block, arguments, 0, nullptr);
  if (status == cudaSuccess) {
    time_t since = time(nullptr);
    while ((status = cudaStreamQuery(nullptr)) == cudaErrorNotReady)
      if (time(nullptr) - since > 10)
        leave("hangs", l, "");
  }
  if (status != cudaSuccess)
    leave("fails", l, cudaGetErrorString(status));
}

static uint64_t hash_of(const void *at) {
  static unsigned char bytes[WRITE_BYTES];
  must(cudaMemcpy(bytes, at, sizeof bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
  return dc_hash_bytes(DC_HASH_BEGIN, bytes, sizeof bytes);
}

struct tally {
  unsigned launches, same;
};

// Does what a line of the tape says.
static void follow(const char *line, launch *l, char **left_out, int n_left_out, tally *t) {
  if (!strncmp(line, "launch ", 7))
    begin(l, line + 7, left_out, n_left_out);
  else if (!strncmp(line, "number ", 7))
    l->values[l->n_params++] = strtoll(line + 7, nullptr, 10);
  else if (!strncmp(line, "read ", 5))
    add_memory(l, line + 5);
  else if (!strncmp(line, "write", 5)) {
    l->written[l->n_written++] = memory[l->n_params];
    add_memory(l, "");
  } else if (l->is_left_out)
    return;
  else if (!strncmp(line, "run", 3))
    run(l);
  else if (!strncmp(line, "wrote ", 6))
    l->differs |= hash_of(l->written[l->n_compared++]) != strtoull(line + 6, nullptr, 16);
  else if (!strncmp(line, "end", 3)) {
    ++t->launches;
    t->same += !l->differs;
    if (l->differs)
      printf("differs %s %u\n", l->kernel, t->launches);
  }
}

int main(int count, char **words) {
  FILE *tape = count > 1 ? fopen(words[1], "r") : nullptr;
  if (!tape)
    fail("usage", "replay TAPE [KERNEL ...]");
  for (void *&at : memory)
    must(cudaMalloc(&at, WRITE_BYTES), "cudaMalloc");
  static char line[LINE_SIZE];
  launch l = {};
  tally t = {};
  while (fgets(line, sizeof line, tape))
    follow(line, &l, words + 2, count - 2, &t);
  fclose(tape);
  printf("done %u %u\n", t.launches, t.same);
  return 0;
}
