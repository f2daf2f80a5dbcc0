// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parallel-for on threads, for libdivcost.
#ifndef DIVCOST_TOOLS_THREADS_H
#define DIVCOST_TOOLS_THREADS_H

#include "divcost/parallel.h"

// Runs tasks on that many threads (at least 1), the calling one among them; on fewer where the
// system gives no more.
dc_parallel threads_parallel(unsigned workers);

// Processors that are there: what to ask threads_parallel for.
unsigned threads_processors(void);

#endif
