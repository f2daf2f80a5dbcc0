// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports inside object files. The plugin's option embed puts the report of a translation unit into
// the section DC_EMBEDDED_SECTION of the host's object: a header, and the report as JSON behind it.
// `ld -r` puts the sections of its inputs one behind the other, so a section holds any number of
// these, each as
//
//     bytes 0 to 7    "divcost", 0
//     bytes 8 to 11   version of this layout, 1; least byte first
//     bytes 12 to 19  length of the report in bytes; least byte first
//     and then        the report (docs/json-schema.md)
//
// with zeroes between them where a linker pads.
#ifndef DIVCOST_EMBEDDED_H
#define DIVCOST_EMBEDDED_H

#include "divcost/error.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DC_EMBEDDED_SECTION ".divcost"
#define DC_EMBEDDED_HEADER 20 // bytes

// Fills in the header of a report of `length` bytes.
void dc_embedded_header(uint64_t length, unsigned char header[DC_EMBEDDED_HEADER]);

typedef struct dc_embedded {
  const unsigned char *bytes; // of a section, not owned; may be anything
  size_t size;
  size_t at; // where the next report begins; 0 at first
} dc_embedded;

// Goes to the next report of the section: *report points into it and has *length bytes, or is NULL
// behind the last one. Errors: DC_ERROR_SYNTAX, with the offset in the section, for bytes that are
// no header, for another version, and for a report that is cut off. O(1) but for padding.
dc_status dc_embedded_next(dc_embedded *section, const unsigned char **report, size_t *length,
                           dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
