// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All of divcost's libraries: libdivcost (the model; no files, no threads, libm alone),
// libdivcost-json (files; jansson) and libdivcost-report (all formats of reports).
//
// Conventions
//
// - All zeroes is the empty value of every structure. What owns memory has a function ..._free,
//   which releases it and leaves the empty value; it may be called twice.
// - What can fail returns a dc_status, DC_OK or what kind of error it was, and describes it in a
//   dc_error, which may be NULL. On an error the results are empty, or as they were.
// - Pointers in a result point into what it was made from, unless it says that it owns them.
// - All functions may be called from several threads at once, on different data.
// - Functions that write text do so as snprintf does: at most `size` bytes with the terminating
//   zero, and they return the length of the whole.
// - A figure that isn't known is negative.
#ifndef DIVCOST_DIVCOST_H
#define DIVCOST_DIVCOST_H

#include "divcost/arch.h"
#include "divcost/assumed.h"
#include "divcost/cost.h"
#include "divcost/distribution.h"
#include "divcost/embedded.h"
#include "divcost/emulator.h"
#include "divcost/error.h"
#include "divcost/estimate.h"
#include "divcost/expr.h"
#include "divcost/files.h"
#include "divcost/flat.h"
#include "divcost/grid.h"
#include "divcost/hash.h"
#include "divcost/histogram.h"
#include "divcost/imbalance.h"
#include "divcost/imbalance_pmf.h"
#include "divcost/input.h"
#include "divcost/kernel.h"
#include "divcost/machine.h"
#include "divcost/machine_code.h"
#include "divcost/number.h"
#include "divcost/parallel.h"
#include "divcost/path.h"
#include "divcost/profile.h"
#include "divcost/program.h"
#include "divcost/random.h"
#include "divcost/reconvergence.h"
#include "divcost/replace.h"
#include "divcost/report.h"
#include "divcost/rules.h"
#include "divcost/sampler.h"
#include "divcost/simulate.h"
#include "divcost/string_set.h"
#include "divcost/unit.h"
#include "divcost/version.h"
#include "divcost/what_if.h"
#include "divcost/words.h"
#include "divcost/workload.h"

#endif
