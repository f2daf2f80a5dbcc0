// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A part of a file or of memory, that readers of binary formats stay inside of.
#ifndef DIVCOST_TOOLS_REPORT_BYTE_RANGE_H
#define DIVCOST_TOOLS_REPORT_BYTE_RANGE_H

#include "divcost/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct byte_range {
  const unsigned char *memory; // not owned; NULL: the bytes are those of `file`
  int file;                    // a descriptor
  uint64_t begin, size;        // bytes, in the memory or the file
} byte_range;

// Whether `size` bytes at `at` are inside of the range; for all values, without overflow.
bool byte_range_holds(const byte_range *range, uint64_t at, uint64_t size);

// A part, which must be inside.
byte_range byte_range_part(const byte_range *range, uint64_t at, uint64_t size);

// Reads bytes, which must be inside. DC_ERROR_FILE where the file doesn't give them.
dc_status byte_range_read(const byte_range *range, uint64_t at, void *to, size_t size,
                          dc_error *error);

// Reads bytes, which must be inside, into new memory for the caller to free, with a zero behind
// them. Errors: also DC_ERROR_MEMORY; *to is then NULL.
dc_status byte_range_copy(const byte_range *range, uint64_t at, uint64_t size, unsigned char **to,
                          dc_error *error);

// A name from such a format for messages, which have one line: cut to fit, and without characters
// that don't print.
void byte_range_name(char *to, size_t size, const char *name, size_t length);

#endif
