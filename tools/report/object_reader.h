// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports inside object files and libraries of them, in a file or in memory; without a word to
// anybody. What the plugin's option embed put there: divcost/embedded.h.
#ifndef DIVCOST_TOOLS_REPORT_OBJECT_READER_H
#define DIVCOST_TOOLS_REPORT_OBJECT_READER_H

#include "report/byte_range.h"

typedef struct object_reader {
  // Takes a report, as JSON; `where` names the file and, in a library, the member. Not 0: it has
  // failed, with that status.
  int (*take)(void *context, const char *where, const char *json, size_t length);
  void *context;
  int failed;       // what take gave, if not 0
  char where[1024]; // what is read, and is wrong after an error
  bool found;       // a report
  bool linked;      // there was a program or a shared library
} object_reader;

// Whether bytes are for object_read: ELF, a library of it, or something that users could take for
// it. `length` is how many of the first eight there are.
bool object_is(const unsigned char *start, size_t length);

// Hands each report in the bytes to take, until that fails. `name` is theirs. Errors:
// DC_ERROR_SYNTAX for what isn't whole, isn't an object or has no reports, DC_ERROR_FILE and
// DC_ERROR_MEMORY.
dc_status object_read(object_reader *reader, const char *name, const byte_range *bytes,
                      dc_error *error);

#endif
