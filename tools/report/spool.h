// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that wait in a temporary file, as memory has them: only for the process that wrote them.
// The file has no name and is gone with the process. It is made in the folder that TMPDIR names, or
// in /tmp.
#ifndef DIVCOST_TOOLS_REPORT_SPOOL_H
#define DIVCOST_TOOLS_REPORT_SPOOL_H

#include "divcost/unit.h"

#include <stdio.h>

typedef struct spool {
  FILE *file;
  char folder[200]; // for messages
} spool;

// Each gives DC_OK, DC_ERROR_FILE naming the folder, or DC_ERROR_MEMORY.
dc_status spool_begin(spool *spool, dc_error *error);
// Writes a kernel at the end; *offset is where.
dc_status spool_put(spool *spool, const dc_unit_kernel *kernel, int64_t *offset, dc_error *error);
// Reads the kernel at an offset that spool_put gave. It belongs to the caller, as a unit's.
dc_status spool_get(spool *spool, int64_t offset, dc_unit_kernel *kernel, dc_error *error);
void spool_end(spool *spool);

#endif
