// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the HTML report share. The page is one file: markup and style; a block of JSON
// for each kernel, in which it stands as describe.h has it and in its flat form; the sources; an
// index of kernels and loops, for the lists; libdivcost as WebAssembly; and the script that shows
// all of that (page/*.js). Blocks of data are <script> elements that no browser executes.
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

void dc__html_write_base64(FILE *to, const unsigned char *bytes, size_t size);

// The lists of the page, which grow with each kernel; files are numbers in `files`. Rows are arrays
// whose members page/data.js names.
typedef struct html_index {
  html_json kernels, loops;
  dc_string_set files;
  uint32_t n_kernels;
} html_index;

// False: memory is out.
bool dc__html_index_add(html_index *index, const dc_unit_kernel *kernel);
void dc__html_index_free(html_index *index);

// Writes the block of a kernel, number `index` in the page's order.
dc_status dc__html_write_kernel(const dc_unit_kernel *kernel, uint32_t index, FILE *to,
                                dc_error *error);

// Writes the block of a file that can be read and isn't larger than a megabyte; else one that says
// why it isn't there.
dc_status dc__html_write_source(const char *name, uint32_t index, FILE *to, dc_error *error);

#endif
