// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries of object files, as ar makes them: GNU's form and BSD's, with tables of symbols and of
// long names. Strict: what isn't whole is an error that names the member and the byte, since a
// member that is passed over is a report that nobody looks at.
#ifndef DIVCOST_TOOLS_REPORT_ARCHIVE_H
#define DIVCOST_TOOLS_REPORT_ARCHIVE_H

#include "report/byte_range.h"

#define ARCHIVE_START "!<arch>\n"

typedef struct archive {
  byte_range bytes;
  uint64_t at;          // of the next header
  unsigned char *names; // long ones, or NULL
  uint64_t names_size;
} archive;

typedef struct archive_member {
  char name[256];   // cut to fit, without characters that don't print
  uint64_t at;      // of its header, in the library
  byte_range bytes; // what it holds
} archive_member;

// Begins with the first member of what starts with ARCHIVE_START.
void archive_begin(archive *archive, const byte_range *bytes);

// The next member that isn't a table; *found is false behind the last one. Errors: DC_ERROR_SYNTAX,
// DC_ERROR_FILE, DC_ERROR_MEMORY.
dc_status archive_next(archive *archive, archive_member *member, bool *found, dc_error *error);

// Frees what it holds, also after an error.
void archive_end(archive *archive);

#endif
