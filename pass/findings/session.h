// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler processes of one compilation know of each other. clang compiles a CUDA file in
// one process for each architecture and one for the host, all children of one driver process; they
// share a directory that is named after the driver (process id and start time) and the compilation
// unit id. It holds the parts of the report and the list of loops that were reported already. The
// host's process, the last one, removes it; what a driver that died has left, a later run removes.
//
// A process whose parent is no clang driver is alone: its session has no directory.
#ifndef DIVCOST_PASS_FINDINGS_SESSION_H
#define DIVCOST_PASS_FINDINGS_SESSION_H

#include "divcost/error.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dcp_session {
  int directory; // open directory, or -1: alone
  int lock;      // its lock file, or -1
} dcp_session;

#define DCP_ALONE {-1, -1}

// Opens the directory, creating it where needed. The session is usable (alone) after an error too:
// a directory of that name that isn't this user's own is an error, and is not touched.
dc_status dcp_session_open(dcp_session *session, const char *unit_id, dc_error *error);
void dcp_session_close(dcp_session *session);

// Whether a host's compilation follows that shares the session: not in one of its own, nor where
// the driver's command line asks for the device's side alone.
bool dcp_session_has_host(const dcp_session *session);

// Makes the other processes of the session wait, from begin to end.
void dcp_session_begin(dcp_session *session);
void dcp_session_end(dcp_session *session);

// True the first time that this key, a line of text, is asked for in the session; in a process that
// is alone, always. Call between begin and end.
bool dcp_session_first(dcp_session *session, const char *key);

// Removes the directory of this compilation, if there is one.
void dcp_session_remove(const char *unit_id);

#ifdef __cplusplus
}
#endif

#endif
