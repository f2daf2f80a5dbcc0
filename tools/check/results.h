// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder where results are kept, so that a run that was stopped can go on, and one after a
// change analyses what changed:
//
//     KEY.json     the report of a unit, as the plugin wrote it
//     KEY.record   what it depends on (JSON): the command, and every file that was read with the
//                  hash of its bytes; what the compiler said; the hash of KEY.json
//     running/     what compilers are about to write
//     lock         held by the run that uses the folder
//
// The record is removed before a report is replaced and written, complete, after it: a report with
// its record is whole, at whatever moment a run is killed.
#ifndef DIVCOST_TOOLS_CHECK_RESULTS_H
#define DIVCOST_TOOLS_CHECK_RESULTS_H

#include "check/contents.h"
#include "check/unit.h"

typedef struct results {
  char *folder; // absolute
  int lock;
  bool temporary; // remove it at the end
  contents contents;
} results;

// Opens the folder, and makes it if it isn't there. folder NULL: a temporary one. Errors:
// DC_ERROR_FILE (it can't be made, or another run uses it), DC_ERROR_MEMORY. results_close in any
// case.
dc_status results_open(const char *folder, results *r, dc_error *error);

void results_close(results *r);

// The file of a unit in the folder, "DIR/KEY.ending", or in running/; owned by the caller, NULL if
// memory ran out.
char *results_path(const results *r, const check_unit *unit, const char *ending);
char *results_running(const results *r, const check_unit *unit, const char *ending);

// Whether the kept result of a unit still holds. Its state is then CHECK_KEPT, and its messages are
// those of the record.
bool results_hold(results *r, check_unit *unit);

// Keeps what a compiler left in running/: the unit's report and the names of the headers. A unit
// whose files may have changed since it was started, or that isn't as the options ask (its note),
// is kept for this run only: it gets no record. Errors: DC_ERROR_FILE, DC_ERROR_MEMORY.
dc_status results_keep(results *r, const check_unit *unit, struct timespec started,
                       dc_error *error);

// Removes what an earlier run kept of units that aren't among these.
void results_remove_others(const results *r, const check_units *units);

#endif
