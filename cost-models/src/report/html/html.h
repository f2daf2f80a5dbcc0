// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the HTML report share. The page is one file: markup and style; two blocks for
// each kernel, of which one has it as describe.h does, the other in its flat form; the sources; an
// index of findings, kernels and loops, for the lists; libdivcost as WebAssembly; and the script
// that shows all of that (page/*.js). Blocks of data are <script> elements that no browser
// executes, and compressed: a report of many loops says the same words again and again.
#ifndef DIVCOST_TOOLS_HTML_HTML_H
#define DIVCOST_TOOLS_HTML_HTML_H

#include "divcost/string_set.h"
#include "report/html/json_text.h"

#include "divcost/unit.h"

#include <stdio.h>

// What the build has put into the command (embed.c makes the file that defines it).
typedef struct html_resource {
  const char *name; // "page.js"
  const unsigned char *bytes;
  size_t size;
} html_resource;
extern const html_resource dc__html_resources[];
extern const unsigned dc__html_n_resources;

// NULL: the build has none of that name.
const html_resource *dc__html_find(const char *name);

// Writes bytes as a block that the page's script unpacks: as zlib compresses them, in base64.
dc_status dc__html_write_block(FILE *to, const char *id, const void *bytes, size_t size,
                               dc_error *error);

void dc__html_write_base64(FILE *to, const unsigned char *bytes, size_t size);

// The lists of the page, which grow with each kernel; files are numbers in `files`. Rows are arrays
// whose members page/data.js names.
typedef struct html_index {
  html_json kernels, loops, findings;
  dc_string_set files;
  uint32_t n_kernels;
} html_index;

// False: memory is out.
bool dc__html_index_add(html_index *index, const dc_unit_kernel *kernel);
void dc__html_index_free(html_index *index);

// Adds a finding of kernel number `number` that stands for so many instances.
bool dc__html_index_add_finding(html_index *index, uint32_t number, const dc_unit_kernel *kernel,
                                const dc_finding *finding, uint32_t instances);

// A place as three members of a row: the file's number or -1, the line, the column. False: memory
// is out.
bool dc__html_index_place(html_index *index, html_json *row, const dc_kernel *kernel,
                          uint32_t location);

// A share as four: in words, how bad it is, its two ends. {-1, -1}: none.
void dc__html_index_share(html_json *row, dc_interval share);

// Writes the blocks of a kernel, number `index` in the page's order.
dc_status dc__html_write_kernel(const dc_unit_kernel *kernel, uint32_t index, FILE *to,
                                dc_error *error);

// Writes the block of a file that can be read and isn't larger than a megabyte; else one that says
// why it isn't there.
dc_status dc__html_write_source(const char *name, uint32_t index, FILE *to, dc_error *error);

#endif
