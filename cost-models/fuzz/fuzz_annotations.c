// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as an annotation file: an entry that is taken says something of some loop, and has a
// distribution that is one.
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
  dcp_annotations_free(&annotations);
  return 0;
}
