// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a loop is called in a profile: by function, number and hash of the loop statement, and by the
// calls through which it came into the kernel, each as a line of its function, so that edits
// elsewhere in a file don't matter.
#define _XOPEN_SOURCE 700 // strdup

#include "profile/profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLS_MAX 256 // deeper inlining isn't told apart

void dcp_profile_clear(dc_profile_loop *loop) {
  free(loop->kernel);
  free(loop->path);
  free(loop->function);
  free(loop->file);
  memset(loop, 0, sizeof *loop);
}

char *dcp_profile_path(const dcp_source *source, const dcp_source_location *chain, uint32_t count) {
  size_t size = 1;
  for (uint32_t k = 1; k < count; ++k)
    size += strlen(chain[k].function) + 24;
  char *path = malloc(size);
  size_t length = 0;
  if (path)
    *path = 0;
  for (uint32_t k = 1; path && k < count; ++k) {
    const dcp_source_location *call = &chain[k];
    uint32_t first = dcp_source_function_line(source, call->file, call->line, call->column);
    length += (size_t)snprintf(path + length, size - length, "%s%s:%" PRIu32 ":%" PRIu32,
                               k > 1 ? " " : "", call->function, call->line - first, call->column);
  }
  return path;
}

bool dcp_profile_name(const dcp_source *source, const char *kernel,
                      const dcp_source_location *chain, uint32_t count, dc_profile_loop *loop) {
  memset(loop, 0, sizeof *loop);
  const dcp_loop_statement *statement =
      dcp_source_find_loop(source, chain[0].file, chain[0].line, chain[0].column);
  if (!statement || !statement->hash)
    return false;
  loop->kernel = strdup(kernel);
  loop->path = dcp_profile_path(source, chain, count);
  loop->function = strdup(chain[0].function);
  loop->file = strdup(statement->file);
  loop->number = statement->number;
  loop->hash = statement->hash;
  loop->line = statement->line;
  loop->column = statement->column;
  if (loop->kernel && loop->path && loop->function && loop->file)
    return true;
  dcp_profile_clear(loop);
  return false;
}

bool dcp_profile_name_loop(const dc_kernel *kernel, uint32_t index, const dcp_source *source,
                           dc_profile_loop *out) {
  dcp_source_location chain[CALLS_MAX];
  uint32_t count = 0, at = kernel->loops[index].location;
  for (; at != DC_NONE && count < CALLS_MAX; at = kernel->locations[at].inlined_at) {
    const dc_location *place = &kernel->locations[at];
    chain[count++] =
        (dcp_source_location){dc_kernel_text(kernel, place->file),
                              dc_kernel_text(kernel, place->function), place->line, place->column};
  }
  return count > 0 &&
         dcp_profile_name(source, dc_kernel_text(kernel, kernel->symbol), chain, count, out);
}

dc_status dcp_profile_claims(const dc_unit *unit, const dcp_source *source, dc_profile *claims,
                             dc_error *error) {
  memset(claims, 0, sizeof *claims);
  for (uint32_t k = 0; k < unit->n_kernels; ++k) {
    const dc_kernel *kernel = &unit->kernels[k].kernel;
    for (uint32_t index = 0; index < kernel->n_loops; ++index) {
      dc_profile_loop loop;
      if (!dcp_profile_name_loop(kernel, index, source, &loop))
        continue;
      loop.level = kernel->loops[index].level;
      bool added = dc_profile_add(claims, &loop) != NULL;
      dcp_profile_clear(&loop);
      if (!added)
        return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a profile");
    }
  }
  return DC_OK;
}
