// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost what-if`: what its arguments ask for.
#ifndef DIVCOST_TOOLS_WHAT_IF_WHAT_IF_H
#define DIVCOST_TOOLS_WHAT_IF_WHAT_IF_H

#include "divcost/what_if.h"

enum { WHAT_IF_MOST = 64 }; // parameters, and trips

typedef struct what_if_request {
  dc_what_if change; // points to what follows
  dc_what_if_param params[WHAT_IF_MOST];
  dc_what_if_trips trips[WHAT_IF_MOST];
  const char *trips_written[WHAT_IF_MOST];
  char *owned[3 * WHAT_IF_MOST]; // texts
  unsigned n_owned;
  dc_arch arch;
  bool json, help;
} what_if_request;

// Reads the options; what is left in arguments, *count of them, are reports. 0, or the exit status
// after a message. In any case what_if_free is the end. The request mustn't move.
int what_if_read(int *count, char **arguments, what_if_request *request);
void what_if_free(what_if_request *request);

#endif
