// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that users name (libdivcost-json, which may touch files). A name may be one of anything: a
// pipe to which nobody ever writes, /dev/zero, the image of a disk. So files are opened without
// waiting, and nothing is read without an end. Errors don't name the file: their texts go behind
// its name, or "cannot read FILE: ".
#ifndef DIVCOST_INPUT_H
#define DIVCOST_INPUT_H

#include "divcost/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// The most that is read of one file: of reports, profiles, baselines and compilation databases; and
// of what people write: histograms, annotations, architectures, assembly, lists, options.
#define DC_INPUT_DATA_MOST ((size_t)1 << 30)
#define DC_INPUT_TEXT_MOST ((size_t)1 << 26)

// Opens a plain file, or what a link to one names, for reading; NULL where there is none:
// DC_ERROR_FILE with the reason, at once for a pipe, a device or a folder.
FILE *dc_input_open(const char *path, dc_error *error);

// The same for what may also come from a pipe, as reports and lists may: `<(...)`, /dev/stdin, a
// pipe with a name, for whose writer DC_INPUT_SECONDS are waited at most.
#define DC_INPUT_SECONDS 5
FILE *dc_input_open_stream(const char *path, dc_error *error);

// All bytes of a plain file, with a zero behind them that *length doesn't count; the caller frees
// them. Errors: those of dc_input_open; DC_ERROR_LIMIT for more than `most`; DC_ERROR_MEMORY.
dc_status dc_input_read(const char *path, size_t most, char **bytes, size_t *length,
                        dc_error *error);

// The same of the rest of a stream, which may be a pipe.
dc_status dc_input_read_stream(FILE *stream, size_t most, char **bytes, size_t *length,
                               dc_error *error);

// Stores line `line`, from 1, of a plain file, cut to size - 1 bytes, without its end; false: there
// is none. The file is read from its beginning each time; `context` isn't used, so that this can be
// a dc_report_options.read_line.
bool dc_input_line(void *context, const char *path, uint32_t line, char *text, size_t size);

// All bytes of a plain file of at most DC_INPUT_TEXT_MOST, with a zero behind them that *length
// doesn't count; the caller frees them. NULL: it can't be read. `context` isn't used, so that this
// can be a dc_report_options.read_file or a dc_text_source.read.
char *dc_input_text(void *context, const char *path, size_t *length);

// DC_ERROR_SYNTAX, with line and column, where a text has a zero byte: whoever takes it for the
// text's end would leave out the rest and not say so.
dc_status dc_input_check_text(const char *text, size_t length, dc_error *error);

// The JSON of a stream as a tree, which the caller releases with json_decref; `flags` are jansson's
// for decoding. Errors: DC_ERROR_SYNTAX with line and column, and without what stands there: files
// that were named by mistake may hold what logs shouldn't; DC_ERROR_FILE, DC_ERROR_LIMIT for more
// than `most` bytes, DC_ERROR_MEMORY.
struct json_t;
dc_status dc_input_json(FILE *stream, size_t most, size_t flags, struct json_t **root,
                        dc_error *error);

#ifdef __cplusplus
}
#endif

#endif
