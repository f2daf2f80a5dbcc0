// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The time of each kernel of a program that is linked with it, by record.py, and with
// -Wl,--wrap=cudaLaunchKernel,--wrap=__cudaRegisterFunction: events before and after each launch,
// which are waited for. When the program exits, launches.tsv gets a line for each kernel: its
// symbol, launches, and milliseconds. A launch takes some microseconds whatever it does.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct dim3 {
  unsigned x, y, z;
} dim3;

int cudaEventCreate(void **event);
int cudaEventRecord(void *event, void *stream);
int cudaEventSynchronize(void *event);
int cudaEventElapsedTime(float *milliseconds, void *start, void *end);

// The linker's names for what a program calls, and for what it gets.
int real_launch(const void *, dim3, dim3, void **, size_t,
                void *) __asm__("__real_cudaLaunchKernel");
int wrap_launch(const void *, dim3, dim3, void **, size_t,
                void *) __asm__("__wrap_cudaLaunchKernel");
int real_register(void **, const char *, char *, const char *, int, void *, void *, void *, void *,
                  int *) __asm__("__real___cudaRegisterFunction");
int wrap_register(void **, const char *, char *, const char *, int, void *, void *, void *, void *,
                  int *) __asm__("__wrap___cudaRegisterFunction");

enum { KERNELS_MAX = 1 << 14 };

static struct kernel {
  const void *stub;
  const char *name;
  unsigned long launches;
  double milliseconds;
} kernels[KERNELS_MAX];

static void *start, *end;

static struct kernel *find(const void *stub) {
  for (size_t at = (uintptr_t)stub / 16 % KERNELS_MAX;; at = (at + 1) % KERNELS_MAX)
    if (kernels[at].stub == stub || !kernels[at].stub)
      return &kernels[at];
}

static void finish(void) {
  FILE *file = fopen("launches.tsv", "w");
  for (size_t k = 0; file && k < KERNELS_MAX; ++k)
    if (kernels[k].launches)
      fprintf(file, "%s\t%lu\t%.6f\n", kernels[k].name, kernels[k].launches,
              kernels[k].milliseconds);
  if (file)
    fclose(file);
}

int wrap_register(void **handle, const char *stub, char *name, const char *again, int limit,
                  void *a, void *b, void *c, void *d, int *e) {
  struct kernel *kernel = find(stub);
  kernel->stub = stub;
  kernel->name = name;
  return real_register(handle, stub, name, again, limit, a, b, c, d, e);
}

int wrap_launch(const void *stub, dim3 grid, dim3 block, void **arguments, size_t shared,
                void *stream) {
  float milliseconds;
  if (!start) {
    cudaEventCreate(&start);
    cudaEventCreate(&end);
    atexit(finish);
  }
  cudaEventRecord(start, stream);
  int error = real_launch(stub, grid, block, arguments, shared, stream);
  cudaEventRecord(end, stream);
  struct kernel *kernel = find(stub);
  if (error == 0 && kernel->stub && cudaEventSynchronize(end) == 0 &&
      cudaEventElapsedTime(&milliseconds, start, end) == 0) {
    ++kernel->launches;
    kernel->milliseconds += milliseconds;
  }
  return error;
}
