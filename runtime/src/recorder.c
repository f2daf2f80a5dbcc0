// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host side of the recorder, libdivcost-profile. Units register before main, and so do their
// kernels, so that launches can be counted. The first launch registers what is done at exit: the
// handlers of the CUDA runtime are older, so it still works then. What launches were heard from is
// the set of devices to ask. At exit each unit's counters come back from each device, copies are
// added up, and all of it is added to the units' files.
//
// Nothing here ends the program or changes its exit status; what goes wrong is said on standard
// error. Of the CUDA runtime only functions that every version has are used, declared here, so that
// this builds without it; of the driver, which the runtime has loaded, one that may be missing.
#define _DEFAULT_SOURCE // realpath

#include "divcost/expr.h"
#include "divcost/files.h"
#include "divcost/profile.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The CUDA runtime: an error is 0 for success, a kind of copy 2 for device to host.
int cudaGetDevice(int *device);
int cudaSetDevice(int device);
int cudaDeviceSynchronize(void);
int cudaGetSymbolAddress(void **address, const void *symbol);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemset(void *address, int value, size_t bytes);
const char *cudaGetErrorString(int error);
enum { DEVICE_TO_HOST = 2 };

// What the compiler writes into __divcost_unit; see pass/profile/table.cpp.
#define UNIT_MAGIC UINT64_C(0x34666f7270766964)
typedef struct device_unit {
  uint64_t magic;
  void *counters; // on the device, whose pointers are as large: of loops, then of blocks
  uint64_t n_loops, copies;
  void *table;
  uint64_t table_bytes, words, n_blocks;
} device_unit;

// What the device counts of a block: warps, and lanes but one of each, modulo 2^64.
typedef struct block_counts {
  uint64_t warps, others;
} block_counts;

typedef struct unit {
  struct unit *next;
  const void *symbol;
  char *path;         // absolute, since the program may change its directory
  dc_profile profile; // collected so far
} unit;

// A kernel, by the function that stands for it on the host.
typedef struct kernel {
  const void *stub;
  const char *name;       // its symbol
  const void *unit;       // as units name themselves
  const char *parameters; // a letter for each: the bytes of an integer, 'p' for a pointer, '-'
} kernel;

#define DEVICES_MAX 64

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unit *units;
static kernel *kernels; // by ascending address
static size_t n_kernels;
static bool used[DEVICES_MAX], heard;
static pid_t owner; // a child that was forked has no counters of its own

void dc_profile_register(const void *symbol, const char *path);
void dc_profile_register_stub(const void *symbol, const void *stub, const char *name,
                              const char *parameters);
void dc_profile_launched(void);
void dc_profile_launched_stub(const void *stub, uint64_t grid_xy, uint32_t grid_z,
                              uint64_t block_xy, uint32_t block_z, void **arguments,
                              uint64_t shared);
void dc_profile_launched_stub_by(const void *config, const void *stub, void **arguments);
void dc_profile_collect(void);

static void say(const char *path, const char *what) {
  fprintf(stderr, "divcost: profile '%s': %s\n", path, what);
}

// The path with %p replaced by the process's id, from the current directory.
static char *whole_path(const char *path) {
  char folder[PATH_MAX];
  if (*path == '/' || !getcwd(folder, sizeof folder))
    *folder = 0;
  size_t size = strlen(folder) + strlen(path) + 2, length;
  for (const char *at = path; (at = strstr(at, "%p")); at += 2)
    size += 20;
  char *whole = malloc(size);
  if (!whole)
    return NULL;
  length = (size_t)snprintf(whole, size, "%s%s", folder, *folder ? "/" : "");
  for (const char *at = path; *at; ++at) {
    if (at[0] == '%' && at[1] == 'p') {
      length += (size_t)snprintf(whole + length, size - length, "%ld", (long)getpid());
      ++at;
    } else {
      whole[length++] = *at;
    }
  }
  whole[length] = 0;
  return whole;
}

void dc_profile_register(const void *symbol, const char *path) {
  unit *added = calloc(1, sizeof *added);
  if (added)
    added->path = whole_path(path);
  if (!added || !added->path) {
    free(added);
    say(path, "out of memory; a unit is not recorded");
    return;
  }
  added->symbol = symbol;
  pthread_mutex_lock(&lock);
  added->next = units;
  units = added;
  owner = getpid();
  pthread_mutex_unlock(&lock);
}

// ---- launches -----------------------------------------------------------------------------------

static size_t position_of_kernel(const void *stub) {
  size_t low = 0, high = n_kernels;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if ((uintptr_t)kernels[middle].stub < (uintptr_t)stub)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void dc_profile_register_stub(const void *symbol, const void *stub, const char *name,
                              const char *parameters) {
  pthread_mutex_lock(&lock);
  size_t at = position_of_kernel(stub);
  bool known = at < n_kernels && kernels[at].stub == stub;
  kernel *larger = known ? NULL : realloc(kernels, (n_kernels + 1) * sizeof *larger);
  if (larger) { // else its launches aren't counted
    kernels = larger;
    memmove(kernels + at + 1, kernels + at, (n_kernels - at) * sizeof *kernels);
    kernels[at] = (kernel){stub, name, symbol, parameters};
    ++n_kernels;
  }
  pthread_mutex_unlock(&lock);
}

static void finish(void);

static void hear(void) {
  int device;
  if (cudaGetDevice(&device) != 0)
    return;
  pthread_mutex_lock(&lock);
  if (!heard) {
    heard = true;
    atexit(finish);
  }
  if (device >= 0 && device < DEVICES_MAX)
    used[device] = true;
  pthread_mutex_unlock(&lock);
}

void dc_profile_launched(void) { hear(); }

// The integer of so many bytes at an address.
static int64_t integer_at(const void *address, unsigned bytes) {
  int8_t one;
  int16_t two;
  int32_t four;
  int64_t eight;
  memcpy(bytes == 1   ? (void *)&one
         : bytes == 2 ? (void *)&two
         : bytes == 4 ? (void *)&four
                      : (void *)&eight,
         address, bytes);
  return bytes == 1 ? one : bytes == 2 ? two : bytes == 4 ? four : eight;
}

// The driver's function that tells an allocation, or NULL. Nobody waits for who looks for it: who
// loads a library holds the loader's lock, and may launch a kernel in it.
typedef int address_range(uint64_t *base, size_t *size, uint64_t address);

static address_range *find_range(void) {
  static _Atomic(address_range *) range;
  static atomic_bool asked;
  if (!atomic_load(&asked)) {
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    void *found = driver ? dlsym(driver, "cuMemGetAddressRange_v2") : NULL;
    address_range *function;
    memcpy(&function, &found, sizeof function);
    atomic_store(&range, function);
    atomic_store(&asked, true);
  }
  return atomic_load(&range);
}

// Bytes from a pointer to the end of its allocation; 0: the driver knows none.
static int64_t extent_behind(const void *pointer) {
  uint64_t base = 0, address = (uintptr_t)pointer;
  size_t size = 0;
  address_range *range = find_range();
  if (!pointer || !range || range(&base, &size, address) != 0 || address < base ||
      address - base > size)
    return 0;
  uint64_t left = size - (address - base);
  return left > INT64_MAX ? 0 : (int64_t)left;
}

// What a launch has in one of the first parameters.
typedef struct argument {
  uint32_t number;
  dc_profile_param_kind kind;
  int64_t value;
} argument;

enum { ARGUMENTS_MAX = 64 };

static uint32_t read_arguments(const char *parameters, void **arguments, argument *out) {
  uint32_t n = 0;
  for (uint32_t k = 0; arguments && parameters[k] && n < ARGUMENTS_MAX; ++k) {
    const char letter = parameters[k];
    if (letter >= '1' && letter <= '8') {
      out[n++] =
          (argument){k, DC_PROFILE_INTEGER, integer_at(arguments[k], (unsigned)(letter - '0'))};
    } else if (letter == 'p') {
      const void *pointer;
      memcpy(&pointer, arguments[k], sizeof pointer);
      int64_t extent = extent_behind(pointer);
      if (extent > 0)
        out[n++] = (argument){k, DC_PROFILE_EXTENT, extent};
    }
  }
  return n;
}

// False: the kernel isn't one of ours.
static bool find_kernel(const void *stub, kernel *found) {
  pthread_mutex_lock(&lock);
  size_t at = position_of_kernel(stub);
  bool known = at < n_kernels && kernels[at].stub == stub;
  if (known)
    *found = kernels[at];
  pthread_mutex_unlock(&lock);
  return known;
}

// What memory is missing for isn't counted, so that fewer launches have a value than there are.
static void add_launch(const kernel *of, const dc_profile_launch *launch, const argument *arguments,
                       uint32_t n) {
  pthread_mutex_lock(&lock);
  for (unit *u = units; u; u = u->next)
    if (u->symbol == of->unit && dc_profile_add_launches(&u->profile, of->name, launch))
      for (uint32_t k = 0; k < n; ++k)
        dc_profile_add_value(&u->profile, of->name, arguments[k].number, arguments[k].kind,
                             (dc_profile_value){arguments[k].value, 1});
  pthread_mutex_unlock(&lock);
}

// As the compiler passes dimensions: x in the lower half of a word, y in the upper.
void dc_profile_launched_stub(const void *stub, uint64_t grid_xy, uint32_t grid_z,
                              uint64_t block_xy, uint32_t block_z, void **arguments,
                              uint64_t shared) {
  dc_profile_launch launch = {
      .grid = {(uint32_t)grid_xy, (uint32_t)(grid_xy >> 32), grid_z},
      .block = {(uint32_t)block_xy, (uint32_t)(block_xy >> 32), block_z},
      .shared = shared,
      .count = 1,
  };
  kernel of;
  argument values[ARGUMENTS_MAX];
  hear();
  // Of launches that CUDA refuses at once, or that are empty, nothing runs.
  if (find_kernel(stub, &of) && dc_profile_can_launch(&launch))
    add_launch(&of, &launch, values, read_arguments(of.parameters, arguments, values));
}

// As CUDA declares a configuration.
typedef struct launch_config {
  unsigned grid[3], block[3];
  size_t shared;
} launch_config;

void dc_profile_launched_stub_by(const void *config, const void *stub, void **arguments) {
  const launch_config *from = config;
  dc_profile_launched_stub(stub, from->grid[0] | (uint64_t)from->grid[1] << 32, from->grid[2],
                           from->block[0] | (uint64_t)from->block[1] << 32, from->block[2],
                           arguments, from->shared);
}

// ---- from the device ----------------------------------------------------------------------------

static void add_word(uint64_t *to, uint64_t from) {
  *to = from > UINT64_MAX - *to ? UINT64_MAX : *to + from;
}

// `n` blocks are in each copy.
static void add_block(dc_profile_block *to, const block_counts *from, uint64_t copies, uint64_t n) {
  uint64_t warps = 0, lanes = 0;
  for (uint64_t c = 0; c < copies; ++c, from += n) {
    warps += from->warps;
    lanes += from->warps + from->others;
  }
  add_word(&to->warps, warps);
  add_word(&to->lanes, lanes);
}

// Adds the copies of the counters of each loop and block, which are in the table's order: those of
// a loop together, those of all blocks in each.
static void add_copies(dc_profile *table, const uint64_t *words, uint64_t copies,
                       uint64_t n_blocks) {
  const size_t size = sizeof(dc_profile_counts) / sizeof(uint64_t);
  for (uint32_t l = 0; l < table->n_loops; ++l)
    for (uint64_t c = 0; c < copies; ++c, words += size) {
      uint64_t *to = (uint64_t *)&table->loops[l]->counts;
      for (size_t k = 0; k < size; ++k)
        add_word(&to[k], words[k]);
    }
  const block_counts *from = (const block_counts *)words;
  for (uint32_t b = 0; b < table->n_bodies; ++b)
    for (uint32_t k = 0; k < table->bodies[b].n_blocks; ++k, ++from)
      add_block(&table->bodies[b].blocks[k], from, copies, n_blocks);
}

static void say_mended(const char *path, const dc_profile_loop *loop) {
  char text[400];
  snprintf(
      text, sizeof text,
      "the counts of the loop at %.150s:%u in '%.100s' don't fit each other, and were made to: "
      "lanes ended within it, or a kernel was still running",
      loop->file, (unsigned)loop->line, loop->function);
  say(path, text);
}

// Whether a kernel ran, as far as the blocks of its functions tell.
static bool has_run(const dc_profile *table, const char *kernel) {
  bool run = false;
  for (uint32_t b = 0; b < table->n_bodies; ++b)
    for (uint32_t k = 0; k < table->bodies[b].n_blocks; ++k)
      run |= table->bodies[b].blocks[k].lanes > 0 && !strcmp(table->bodies[b].kernel, kernel);
  return run;
}

// Adds the loops that were entered, and those of kernels that ran and never came to them; most
// units have functions that nothing calls.
static dc_status add_loops(const char *path, dc_profile *to, dc_profile *table, dc_error *error) {
  for (uint32_t l = 0; l < table->n_loops; ++l) {
    dc_profile_loop *from = table->loops[l];
    if (dc_profile_mend_counts(&from->counts))
      say_mended(path, from);
    if (from->counts.entries == 0 && !has_run(table, from->kernel))
      continue;
    dc_profile_loop *loop = dc_profile_add(to, from);
    if (!loop)
      return dc_fail(error, DC_ERROR_MEMORY, "out of memory for its counts");
    if (!dc_profile_add_counts(&loop->counts, &from->counts))
      return dc_fail(error, DC_ERROR_LIMIT, "the counts of the loop at %.100s:%u pass 2^64 - 1",
                     loop->file, (unsigned)loop->line);
  }
  return DC_OK;
}

static void mend_body(const char *path, dc_profile_body *body) {
  bool mended = false;
  for (uint32_t k = 0; k < body->n_blocks; ++k) {
    dc_profile_block *block = &body->blocks[k];
    uint64_t least = block->lanes / 32 + (block->lanes % 32 > 0), warps = block->warps;
    block->warps = warps < least ? least : warps > block->lanes ? block->lanes : warps;
    mended |= block->warps != warps;
  }
  char text[400];
  snprintf(text, sizeof text,
           "the executions of blocks of '%.100s' in '%.100s' don't fit each other, and were made "
           "to: a kernel was still running",
           body->function, body->kernel);
  if (mended)
    say(path, text);
}

// Adds the blocks of kernels that ran, those that these never came to, too.
static dc_status add_bodies(const char *path, dc_profile *to, dc_profile *table, dc_error *error) {
  dc_status status = DC_OK;
  for (uint32_t b = 0; b < table->n_bodies && status == DC_OK; ++b) {
    mend_body(path, &table->bodies[b]);
    dc_profile one = {.bodies = &table->bodies[b], .n_bodies = 1};
    if (has_run(table, table->bodies[b].kernel))
      status = dc_profile_merge(to, &one, error);
  }
  return status;
}

// Copies what is at a device's address; NULL, with *error, where that fails.
static void *copy_back(const void *from, size_t bytes, int *error) {
  void *to = malloc(bytes ? bytes : 1);
  *error = to ? cudaMemcpy(to, from, bytes, DEVICE_TO_HOST) : 2; // out of memory
  if (*error == 0)
    return to;
  free(to);
  return NULL;
}

// Adds one device's counters to the unit's, and clears them. A CUDA error.
static int collect_unit(unit *from) {
  void *symbol;
  int error = cudaGetSymbolAddress(&symbol, from->symbol);
  device_unit head;
  if (error == 0)
    error = cudaMemcpy(&head, symbol, sizeof head, DEVICE_TO_HOST);
  if (error || head.magic == 0) // 0: nothing to count in this unit
    return error;
  if (head.magic != UNIT_MAGIC || head.words != sizeof(dc_profile_counts) / sizeof(uint64_t)) {
    say(from->path, "a unit was compiled by another version of divcost; it is not recorded");
    return 0;
  }
  size_t bytes = (size_t)head.copies *
                 (head.n_loops * sizeof(dc_profile_counts) + head.n_blocks * sizeof(block_counts));
  void *described = copy_back(head.table, head.table_bytes, &error);
  uint64_t *words = described ? copy_back(head.counters, bytes, &error) : NULL;
  if (words) {
    dc_profile table;
    dc_error reason;
    if (dc_profile_parse(described, head.table_bytes, &table, &reason) == DC_OK) {
      add_copies(&table, words, head.copies, head.n_blocks);
      if (add_loops(from->path, &from->profile, &table, &reason) != DC_OK ||
          add_bodies(from->path, &from->profile, &table, &reason) != DC_OK)
        say(from->path, reason.text);
      dc_profile_free(&table);
    } else {
      say(from->path, reason.text);
    }
    error = cudaMemset(head.counters, 0, bytes);
  }
  free(words);
  free(described);
  return error;
}

static void collect_device(int device) {
  int error = cudaSetDevice(device);
  if (error == 0)
    error = cudaDeviceSynchronize();
  for (unit *u = units; u; u = u->next) {
    int failed = error ? error : collect_unit(u);
    if (!failed)
      continue;
    char text[200];
    snprintf(text, sizeof text, "cannot read the counters of device %d: %.100s", device,
             cudaGetErrorString(failed));
    say(u->path, text);
  }
}

void dc_profile_collect(void) {
  pthread_mutex_lock(&lock);
  int before = -1;
  if (heard && owner == getpid() && cudaGetDevice(&before) == 0) {
    for (int device = 0; device < DEVICES_MAX; ++device)
      if (used[device])
        collect_device(device);
    cudaSetDevice(before);
  }
  pthread_mutex_unlock(&lock);
}

// ---- to the file --------------------------------------------------------------------------------

// Where the file can't be added to, the counts go beside it, so that they aren't lost.
static void write_file(const char *path, dc_profile *profile) {
  dc_error error;
  profile->runs = 1;
  if (dc_profile_add_to_file(path, profile, &error) == DC_OK)
    return;
  char beside[PATH_MAX], text[PATH_MAX + 400];
  snprintf(beside, sizeof beside, "%s.%ld", path, (long)getpid());
  snprintf(text, sizeof text, "%s; this run's counts go to '%s'", error.text, beside);
  say(path, text);
  if (dc_profile_save(beside, profile, &error) != DC_OK)
    say(beside, error.text);
}

// What checked builds look for.
static void report_wrong_claims(const char *path, const dc_profile *profile) {
  static const char *const levels[DC_DIVERGENT] = {"uniform", "block-uniform", "warp-uniform"};
  for (uint32_t k = 0; k < profile->n_loops; ++k) {
    const dc_profile_loop *loop = profile->loops[k];
    if (loop->counts.parted && loop->level < DC_DIVERGENT)
      fprintf(stderr,
              "divcost: profile '%s': %s:%u:%u: a loop of %s that was called %s is left with "
              "different trip counts (in %s); please report this\n",
              path, loop->file, (unsigned)loop->line, (unsigned)loop->column, loop->function,
              levels[loop->level], loop->kernel);
  }
}

// Units that go to one file are one run of it.
static void finish(void) {
  dc_profile_collect();
  if (owner != getpid())
    return;
  pthread_mutex_lock(&lock);
  for (unit *u = units; u; u = u->next) {
    if (!u->path)
      continue;
    for (unit *other = u->next; other; other = other->next) {
      dc_error error;
      if (!other->path || strcmp(other->path, u->path) != 0)
        continue;
      if (dc_profile_merge(&u->profile, &other->profile, &error) != DC_OK)
        say(u->path, error.text);
      dc_profile_free(&other->profile);
      free(other->path);
      other->path = NULL;
    }
    report_wrong_claims(u->path, &u->profile);
    write_file(u->path, &u->profile);
    dc_profile_free(&u->profile);
    free(u->path);
  }
  free(kernels);
  kernels = NULL;
  n_kernels = 0;
  while (units) {
    unit *next = units->next;
    free(units);
    units = next;
  }
  pthread_mutex_unlock(&lock);
}
