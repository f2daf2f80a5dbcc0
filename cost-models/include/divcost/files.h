// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What libdivcost, which touches no files, leaves to libdivcost-json (it needs jansson): reading
// architectures, histograms, profiles, measurements and units. Writing units is divcost/report.h's.
#ifndef DIVCOST_FILES_H
#define DIVCOST_FILES_H

#include "divcost/arch.h"
#include "divcost/histogram.h"
#include "divcost/measured.h"
#include "divcost/profile.h"
#include "divcost/ptxas.h"
#include "divcost/unit.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- units -------------------------------------------------------------------------------------

// Reads a unit as JSON, schema version 1 (docs/json-schema.md). It takes the skeletons, estimates
// and findings (the other members follow from them) and checks everything, dc_kernel_validate
// included: the error names the place ("kernels[2].skeleton.loops[0].parent: ..."), and *unit stays
// empty. Errors: DC_ERROR_SYNTAX, DC_ERROR_ARGUMENT, DC_ERROR_FILE, DC_ERROR_MEMORY. O(size).
dc_status dc_unit_read_json(FILE *stream, dc_unit *unit, dc_error *error);

// ---- architectures -----------------------------------------------------------------------------

// As dc_arch_find, or, where the name ends in ".json", the architecture of that file,
// as divcost calibrate writes it (docs/divcost-arch-1.schema.json): of its first sm_NN. Errors
// also: those of divcost/input.h, DC_ERROR_SYNTAX naming the field.
dc_status dc_arch_load(const char *name, dc_arch *arch, dc_error *error);

// ---- histograms and distributions
// ----------------------------------------------------------------

// A dc_histogram_read that reads the file `name`; context is the folder that a relative name starts
// from, as a text, or NULL for the current directory. Errors: those of dc_input_read, of at most
// DC_INPUT_TEXT_MOST bytes, and of dc_histogram_parse, with the path in front.
dc_status dc_histogram_read_file(void *context, const char *name, dc_point *points, size_t capacity,
                                 size_t *count, dc_error *error);

// Checks a text as users write it, all of it: that it parses, that its histograms' files (relative
// to folder, or NULL) can be read, and that a distribution can be built from it. *out is then the
// text itself, or where it named files the one that holds their points; the caller frees it.
// Errors: all of these, with the offset of the text at fault; DC_ERROR_MEMORY.
dc_status dc_distribution_text(const char *text, const char *folder, char **out, dc_error *error);

// What users say of a loop's trip counts, in a pragma or an annotation file:
//
//     trips = distribution [ "," "per_warp_correlated" "(" R ")" ]
//
// *spec is as dc_distribution_text has it, and released by the caller with free; R, in [0, 1], is
// the correlation of two lanes of a warp as divcost/estimate.h defines it, to nine decimal places;
// 0 without that clause. Errors: those of dc_distribution_text; DC_ERROR_SYNTAX and
// DC_ERROR_ARGUMENT for the clause, with the offset of the text at fault; *spec is then NULL.
dc_status dc_trips_text(const char *text, const char *folder, char **distribution,
                        double *correlation, dc_error *error);

// ---- profiles
// ------------------------------------------------------------------------------------

// Reads a file. Errors: those of dc_input_read, of at most DC_INPUT_DATA_MOST bytes, and of
// dc_profile_parse; the text doesn't name the file.
dc_status dc_profile_load(const char *path, dc_profile *profile, dc_error *error);

// Replaces a file by rename, so that nobody ever sees a part of it. Errors: DC_ERROR_FILE,
// DC_ERROR_MEMORY.
dc_status dc_profile_save(const char *path, const dc_profile *profile, dc_error *error);

// Adds the profile to the file, which need not exist, while no other process does. Where the file
// can't be read, it is left alone, and the error says so.
dc_status dc_profile_add_to_file(const char *path, const dc_profile *profile, dc_error *error);

// ---- what ptxas said ---------------------------------------------------------------------------

// dc_ptxas_read of a file. Errors: those of dc_input_read, of at most DC_INPUT_DATA_MOST bytes;
// DC_ERROR_SYNTAX where ptxas says nothing of any kernel in it; *ptxas is then empty.
dc_status dc_ptxas_load(const char *path, dc_ptxas *ptxas, dc_error *error);

// ---- what a profiler measured ------------------------------------------------------------------

// Reads what dc_measured_save wrote, and checks all of it. Errors: those of dc_input_json; those of
// dc_measured_check; DC_ERROR_SYNTAX naming the field; *measured is then empty. O(size).
dc_status dc_measured_read_json(FILE *stream, dc_measured *measured, dc_error *error);

// The same of a file. Errors also: those of dc_input_open; the text doesn't name the file.
dc_status dc_measured_load(const char *path, dc_measured *measured, dc_error *error);

// Replaces a file by rename. Errors: DC_ERROR_FILE, DC_ERROR_MEMORY.
dc_status dc_measured_save(const char *path, const dc_measured *measured, dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
