// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source files by the names that reports have for them. A report is somebody's file: its names may
// be those of anything.
#ifndef DIVCOST_TOOLS_REPORT_SOURCE_FILE_H
#define DIVCOST_TOOLS_REPORT_SOURCE_FILE_H

#include <stdio.h>

// Opens a regular file for reading, which never waits as for a pipe, and ends; NULL with errno:
// there is none of the name.
FILE *source_file_open(const char *name);

#endif
