// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel in the file: its struct, then each of its arrays.
#define _POSIX_C_SOURCE 200809L // mkstemp, fseeko

#include "report/spool.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct array_field {
  size_t pointer, count, size; // of the members, by their offsets; of an element
} array_field;

#define ARRAY(array, count, type)                                                                  \
  {offsetof(dc_kernel, array), offsetof(dc_kernel, count), sizeof(type)}

static const array_field arrays[] = {
    ARRAY(pool.nodes, pool.count, dc_expr_node),
    ARRAY(blocks, n_blocks, dc_block),
    ARRAY(successors, n_successors, uint32_t),
    ARRAY(branches, n_branches, dc_branch),
    ARRAY(loops, n_loops, dc_loop),
    ARRAY(exits, n_exits, dc_exit),
    ARRAY(reasons, n_reasons, dc_reason),
    ARRAY(barriers, n_barriers, dc_barrier),
    ARRAY(row_levels, n_row_levels, dc_row_level),
    ARRAY(accesses, n_accesses, dc_access),
    ARRAY(locations, n_locations, dc_location),
    ARRAY(params, n_params, dc_param),
    ARRAY(launches, n_launches, dc_launch),
    ARRAY(calls, n_calls, dc_call),
    ARRAY(load_names, n_load_names, dc_text),
    ARRAY(opaque_names, n_opaque_names, dc_text),
    ARRAY(text, text_size, char),
};
enum { ARRAYS = sizeof arrays / sizeof *arrays };

static dc_status file_error(const spool *spool, int reason, dc_error *error) {
  return dc_fail(error, DC_ERROR_FILE, "a temporary file in %s: %s; TMPDIR can name another folder",
                 spool->folder, reason ? strerror(reason) : "it is too short");
}

// Opens a file that has no name any more; no signal ends the process while it has one.
static int open_unnamed(char *path) {
  sigset_t all, before;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &before);
  int descriptor = mkstemp(path), reason = errno;
  if (descriptor >= 0)
    unlink(path);
  sigprocmask(SIG_SETMASK, &before, NULL);
  errno = reason;
  return descriptor;
}

dc_status spool_begin(spool *spool, dc_error *error) {
  const char *folder = getenv("TMPDIR");
  if (!folder || !*folder || strlen(folder) >= sizeof spool->folder)
    folder = "/tmp";
  strcpy(spool->folder, folder);
  char path[sizeof spool->folder + 32];
  snprintf(path, sizeof path, "%s/divcost-XXXXXX", folder);
  int descriptor = open_unnamed(path);
  if (descriptor < 0)
    return file_error(spool, errno, error);
  spool->file = fdopen(descriptor, "w+b");
  if (spool->file)
    return DC_OK;
  int reason = errno;
  close(descriptor);
  return file_error(spool, reason, error);
}

void spool_end(spool *spool) {
  if (spool->file)
    fclose(spool->file);
  spool->file = NULL;
}

// ---- writing -----------------------------------------------------------------------------------

static bool put(spool *spool, const void *data, size_t count, size_t size) {
  return count == 0 || fwrite(data, size, count, spool->file) == count;
}

static bool put_text(spool *spool, const char *text) {
  size_t size = strlen(text) + 1;
  return put(spool, &size, 1, sizeof size) && put(spool, text, size, 1);
}

static bool put_names(spool *spool, const dc_name_list *names) {
  bool good = true;
  for (uint32_t k = 0; k < names->count && good; ++k)
    good = put_text(spool, names->names[k]);
  return good;
}

static void *array_of(const dc_kernel *kernel, const array_field *field, size_t *count) {
  uint32_t number;
  void *array;
  memcpy(&number, (const char *)kernel + field->count, sizeof number);
  memcpy(&array, (const char *)kernel + field->pointer, sizeof array);
  *count = number;
  return array;
}

static bool put_all(spool *spool, const dc_unit_kernel *kernel) {
  bool good = put(spool, kernel, 1, sizeof *kernel);
  for (unsigned k = 0; k < ARRAYS; ++k) {
    size_t count;
    const void *array = array_of(&kernel->kernel, &arrays[k], &count);
    good = good && put(spool, array, count, arrays[k].size);
  }
  good = good && put(spool, kernel->estimates, kernel->n_estimates, sizeof *kernel->estimates);
  for (uint32_t k = 0; good && k < kernel->n_estimates; ++k)
    good = put(spool, kernel->estimates[k].loops, kernel->estimates[k].n_loops,
               sizeof *kernel->estimates[k].loops) &&
           put(spool, kernel->estimates[k].branches, kernel->estimates[k].n_branches,
               sizeof *kernel->estimates[k].branches) &&
           put(spool, kernel->estimates[k].accesses, kernel->estimates[k].n_accesses,
               sizeof *kernel->estimates[k].accesses);
  const dc_unit_measured *measured = &kernel->measured;
  good = good && put(spool, measured->parts, measured->n_parts, sizeof *measured->parts) &&
         put(spool, measured->accesses, measured->n_accesses, sizeof *measured->accesses);
  good = good && put(spool, kernel->findings, kernel->n_findings, sizeof *kernel->findings);
  for (uint32_t k = 0; good && k < kernel->n_findings; ++k) {
    const dc_finding *finding = &kernel->findings[k];
    good = put_text(spool, finding->message ? finding->message : "") &&
           put_names(spool, &finding->others);
  }
  return good && put_names(spool, &kernel->instances);
}

dc_status spool_put(spool *spool, const dc_unit_kernel *kernel, int64_t *offset, dc_error *error) {
  errno = 0;
  if (fseeko(spool->file, 0, SEEK_END) != 0 || (*offset = (int64_t)ftello(spool->file)) < 0 ||
      !put_all(spool, kernel))
    return file_error(spool, errno, error);
  return DC_OK;
}

// ---- reading -----------------------------------------------------------------------------------

typedef struct reader {
  spool *spool;
  bool out_of_memory, failed;
} reader;

static void read_into(reader *from, void *data, size_t count, size_t size) {
  if (count && !from->failed)
    from->failed = fread(data, size, count, from->spool->file) != count;
}

// An array in memory of its own, with room for one element more; NULL after a failure.
static void *read_array(reader *from, size_t count, size_t size) {
  void *array = from->failed ? NULL : calloc(count + 1, size);
  if (!array) {
    from->out_of_memory |= !from->failed;
    from->failed = true;
    return NULL;
  }
  read_into(from, array, count, size);
  return array;
}

static void read_kernel(reader *from, const dc_unit_kernel *raw, dc_kernel *kernel) {
  *kernel = raw->kernel;
  for (unsigned k = 0; k < ARRAYS; ++k) {
    size_t count;
    array_of(&raw->kernel, &arrays[k], &count);
    void *array = read_array(from, count, arrays[k].size);
    memcpy((char *)kernel + arrays[k].pointer, &array, sizeof array);
  }
  kernel->pool.capacity = kernel->pool.count;
  kernel->pool.index = NULL;
  kernel->pool.index_size = 0;
}

static char *read_text(reader *from) {
  size_t size = 0;
  read_into(from, &size, 1, sizeof size);
  return read_array(from, size, 1);
}

static void read_names(reader *from, uint32_t count, dc_name_list *to) {
  for (uint32_t k = 0; k < count && !from->failed; ++k) {
    char *name = read_text(from);
    if (name && !from->failed && !dc_name_list_add(to, name))
      from->failed = from->out_of_memory = true;
    free(name);
  }
}

// Counts grow with what was read, so that a failure leaves what can be released.
static void read_figures(reader *from, const dc_unit_kernel *raw, dc_unit_kernel *kernel) {
  kernel->estimates = read_array(from, raw->n_estimates, sizeof *kernel->estimates);
  for (uint32_t k = 0; !from->failed && k < raw->n_estimates; ++k) {
    dc_estimate *estimate = &kernel->estimates[kernel->n_estimates++];
    estimate->loops = read_array(from, estimate->n_loops, sizeof *estimate->loops);
    estimate->branches = read_array(from, estimate->n_branches, sizeof *estimate->branches);
    estimate->accesses = read_array(from, estimate->n_accesses, sizeof *estimate->accesses);
  }
  kernel->measured = raw->measured;
  kernel->measured.accesses = NULL;
  kernel->measured.parts = read_array(from, raw->measured.n_parts, sizeof *raw->measured.parts);
  kernel->measured.accesses =
      read_array(from, raw->measured.n_accesses, sizeof *raw->measured.accesses);
  if (!from->failed)
    kernel->findings = read_array(from, raw->n_findings, sizeof *kernel->findings);
  for (uint32_t k = 0; !from->failed && k < raw->n_findings; ++k) {
    dc_finding *finding = &kernel->findings[kernel->n_findings++];
    uint32_t n_others = finding->others.count;
    finding->others = (dc_name_list){0};
    finding->message = read_text(from);
    read_names(from, n_others, &finding->others);
  }
  read_names(from, raw->instances.count, &kernel->instances);
  kernel->library = raw->library;
}

dc_status spool_get(spool *spool, int64_t offset, dc_unit_kernel *kernel, dc_error *error) {
  reader from = {spool, false, false};
  dc_unit_kernel raw = {0};
  *kernel = (dc_unit_kernel){0};
  errno = 0;
  if (fseeko(spool->file, (off_t)offset, SEEK_SET) != 0)
    return file_error(spool, errno, error);
  read_into(&from, &raw, 1, sizeof raw);
  if (!from.failed)
    read_kernel(&from, &raw, &kernel->kernel);
  if (!from.failed)
    read_figures(&from, &raw, kernel);
  if (!from.failed)
    return DC_OK;
  int reason = errno;
  dc_unit_kernel_free(kernel);
  return from.out_of_memory ? dc_fail(error, DC_ERROR_MEMORY, "out of memory for a kernel")
                            : file_error(spool, reason, error);
}
