// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kept report depends on, as JSON:
//
//     {"divcost-check": 1, "file": "a.cu", "command": HASH, "report": HASH, "messages": "...",
//      "inputs": [["/path/of/a/file", HASH], ...]}
//
// Hashes are 16 hexadecimal digits; paths are as the compiler opened them.
#ifndef DIVCOST_TOOLS_CHECK_RECORD_H
#define DIVCOST_TOOLS_CHECK_RECORD_H

#include "check/contents.h"
#include "check/unit.h"

// Whether the record in this file is of the unit's command, its report is the one in that file, and
// no input has changed; then the unit gets the record's messages. What isn't a record doesn't hold.
bool record_holds(const char *path, const char *report, contents *table, check_unit *unit);

// Writes the record, with the source file, the headers that the file `headers` lists, and files
// that the plugin's options name as inputs; not where one of them may have changed since `started`.
// Errors: DC_ERROR_FILE, DC_ERROR_MEMORY.
dc_status record_write(const char *path, const char *report, const char *headers, contents *table,
                       struct timespec started, const check_unit *unit, dc_error *error);

#endif
