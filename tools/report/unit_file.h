// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units as the plugin left them in files.
#ifndef DIVCOST_TOOLS_REPORT_UNIT_FILE_H
#define DIVCOST_TOOLS_REPORT_UNIT_FILE_H

#include "divcost/unit.h"

// Reads the JSON report of a unit and computes its figures again, each kernel's for the
// architectures and with the costs that its estimates name. 0, or the exit status after a message
// on standard error; *unit is then empty.
int report_read_unit(const char *path, dc_unit *unit);

#endif
