// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700 // pread

#include "report/byte_range.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool byte_range_holds(const byte_range *range, uint64_t at, uint64_t size) {
  return at <= range->size && size <= range->size - at;
}

byte_range byte_range_part(const byte_range *range, uint64_t at, uint64_t size) {
  return (byte_range){range->memory, range->file, range->begin + at, size};
}

dc_status byte_range_read(const byte_range *range, uint64_t at, void *to, size_t size,
                          dc_error *error) {
  if (range->memory) {
    if (size)
      memcpy(to, range->memory + range->begin + at, size);
    return DC_OK;
  }
  for (size_t done = 0; done < size;) {
    ssize_t part =
        pread(range->file, (char *)to + done, size - done, (off_t)(range->begin + at + done));
    if (part == 0)
      return dc_fail(error, DC_ERROR_FILE, "cannot be read: it became shorter meanwhile");
    if (part < 0 && errno != EINTR)
      return dc_fail(error, DC_ERROR_FILE, "cannot be read: %s", strerror(errno));
    done += part > 0 ? (size_t)part : 0;
  }
  return DC_OK;
}

dc_status byte_range_copy(const byte_range *range, uint64_t at, uint64_t size, unsigned char **to,
                          dc_error *error) {
  *to = size < SIZE_MAX ? malloc((size_t)size + 1) : NULL;
  if (!*to)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for %llu bytes of it",
                   (unsigned long long)size);
  (*to)[size] = 0;
  dc_status status = byte_range_read(range, at, *to, (size_t)size, error);
  if (status != DC_OK) {
    free(*to);
    *to = NULL;
  }
  return status;
}

void byte_range_name(char *to, size_t size, const char *name, size_t length) {
  if (length >= size)
    length = size - 1;
  for (size_t k = 0; k < length; ++k) {
    unsigned char c = (unsigned char)name[k];
    to[k] = c < 0x20 || c == 0x7f ? '?' : name[k];
  }
  to[length] = 0;
}
