// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as an annotation file: an entry of a loop that is taken says something of some loop,
// and has a distribution that is one; one of a kernel names it, and says what a launch can be.
#define _POSIX_C_SOURCE 200809L // mkstemp

#include "findings/annotations.h"

#include "divcost/files.h"
#include "divcost/histogram.h"

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[] = "/tmp/divcost-fuzz-XXXXXX";
static int file = -1;

static void remove_file(void) { unlink(path); }

static void check_entry(const dcp_annotation *entry) {
  REQUIRE(entry->has_id || (entry->line && (entry->file || entry->function)));
  REQUIRE(entry->distribution || entry->ignored);
  REQUIRE(entry->correlation >= 0 && entry->correlation <= 1);
  char *text = NULL;
  if (entry->distribution)
    REQUIRE(dc_distribution_text(entry->distribution, NULL, &text, NULL) == DC_OK);
  free(text);
}

static void check_kernel(const dcp_kernel_annotation *entry) {
  const dcp_told_launch *told = &entry->launch;
  REQUIRE(entry->function);
  REQUIRE(!told->grid[0] || told->block[0]);
  REQUIRE((uint64_t)told->block[0] * told->block[1] * told->block[2] <= 1024);
  REQUIRE(told->l2 <= DC_L2_COLD);
  for (uint32_t v = 0; v < told->n_values; ++v)
    REQUIRE(told->values[v].name[0]);
  for (uint32_t x = 0; x < told->n_extents; ++x)
    REQUIRE(told->extents[x].name[0] && told->extents[x].number > 0);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size) {
  dcp_annotations annotations;
  dc_error error = {0};
  if (file < 0 && (file = mkstemp(path)) >= 0)
    atexit(remove_file);
  if (ftruncate(file, 0) || pwrite(file, data, size, 0) != (ssize_t)size)
    return 0;
  if (dcp_annotation_file(path, &annotations, &error) != DC_OK) {
    REQUIRE(error.text[0] && !annotations.entries);
    return 0;
  }
  for (uint32_t e = 0; e < annotations.n_entries; ++e)
    check_entry(&annotations.entries[e]);
  for (uint32_t k = 0; k < annotations.n_kernels; ++k)
    check_kernel(&annotations.kernels[k]);
  dcp_annotations_free(&annotations);
  return 0;
}
