// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports inside object files and libraries, where the plugin's option embed put them.
#ifndef DIVCOST_TOOLS_REPORT_OBJECT_FILE_H
#define DIVCOST_TOOLS_REPORT_OBJECT_FILE_H

#include <stdbool.h>
#include <stddef.h>

// Whether an open file is for object_file_read: ELF, a library of it, or something that users could
// take for it. Its position stays; a pipe is none.
bool object_file_is(int file);

// Hands each report in the open file to take, as JSON; `where` names the file and, in a library,
// the member. Ends with the first exit status that isn't 0, of take's or, after a message on
// standard error, its own: for what isn't readable or whole, and for a file without reports.
int object_file_read(const char *path, int file,
                     int (*take)(void *context, const char *where, const char *json, size_t length),
                     void *context);

#endif
