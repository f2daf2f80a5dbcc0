// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units made by hand, for the tests of reports: kernels as the plugin would find them, with figures
// that are written down here and not computed, so that these tests don't hang on the model.
#ifndef DIVCOST_SAMPLE_UNIT_H
#define DIVCOST_SAMPLE_UNIT_H

#include "divcost/unit.h"

// sparse.cu for sm_80 and sm_90: spmv_csr (annotated, two launches), bfs (a nest in an inlined
// function, assumed; a barrier), saxpy (strided, loses nothing). Stops the test when memory is out.
void sample_unit(dc_unit *unit);

// The same, for one of its architectures only: what one compilation leaves.
void sample_part(dc_unit *unit, unsigned sm);

// The sample, with a kernel at which the analysis has stopped as its fourth.
void sample_not_analysed(dc_unit *unit);

// A valid kernel of random size and contents, with estimates; the same for the same seed.
void random_unit(dc_unit *unit, uint64_t seed);

// The whole JSON of a unit, to be freed.
char *json_of(const dc_unit *unit);

// The report as text, to be freed. Source lines are those of the sample.
char *text_of_unit(const dc_unit *unit, bool colour);

#endif
