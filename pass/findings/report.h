// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report that was asked for: JSON where the file's name ends in .json, else text; complete or
// not there at all.
#ifndef DIVCOST_PASS_FINDINGS_REPORT_H
#define DIVCOST_PASS_FINDINGS_REPORT_H

#include "divcost/unit.h"
#include "findings/session.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether a report can be written to path. Changes nothing.
dc_status dcp_report_check(const char *path, dc_error *error);

// Writes the unit, together with what the session's other processes found so far, to path (NULL: to
// none), and leaves it in the session for those that come later.
dc_status dcp_report_write(const char *path, dcp_session *session, const dc_unit *unit,
                           dc_error *error);

// Reads the parts of all the session's processes so far and merges them into *merged, which stays
// as it is if there are none.
dc_status dcp_report_merge(dcp_session *session, dc_unit *merged, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
