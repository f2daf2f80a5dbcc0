// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the report as assembly text, which goes through every way that the host's compilation can
// take: to an object, assembly or bitcode, in one step or several (-save-temps).
#define _XOPEN_SOURCE 700

#include "findings/embed.h"

#include "divcost/embedded.h"
#include "divcost/report.h"
#include "divcost/unit.h"
#include "findings/report.h"

#include <stdio.h>
#include <stdlib.h>

static dc_status out_of_memory(dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
}

// The report as data, 64 bytes a line. Octal escapes are what every assembler knows.
static void write_bytes(const char *bytes, size_t size, FILE *file) {
  for (size_t k = 0; k < size; ++k) {
    if (k % 64 == 0)
      fputs(k ? "\"\n\t.ascii \"" : "\t.ascii \"", file);
    unsigned char byte = (unsigned char)bytes[k];
    if (byte < ' ' || byte > '~' || byte == '"' || byte == '\\')
      fprintf(file, "\\%03o", byte);
    else
      putc(byte, file);
  }
  fputs(size ? "\"\n" : "", file);
}

// The flag e: the linker leaves the section out of what it links.
static dc_status write_assembly(const char *report, size_t length, char **text, dc_error *error) {
  unsigned char header[DC_EMBEDDED_HEADER];
  dc_embedded_header(length, header);
  size_t size;
  FILE *file = open_memstream(text, &size);
  if (!file)
    return out_of_memory(error);
  fputs("\t.pushsection " DC_EMBEDDED_SECTION ",\"e\",%progbits\n", file);
  write_bytes((const char *)header, sizeof header, file);
  write_bytes(report, length, file);
  fputs("\t.popsection\n", file);
  bool bad = ferror(file);
  if (!fclose(file) && !bad)
    return DC_OK;
  free(*text);
  *text = NULL;
  return out_of_memory(error);
}

static dc_status write_report(const dc_unit *unit, char **report, size_t *length, dc_error *error) {
  FILE *file = open_memstream(report, length);
  if (!file)
    return out_of_memory(error);
  dc_status result = dc_unit_write(unit, &dc_format_json, NULL, file, error);
  return fclose(file) && result == DC_OK ? out_of_memory(error) : result;
}

dc_status dcp_embed_text(dcp_session *session, char **text, dc_error *error) {
  *text = NULL;
  dc_unit merged = {0};
  char *report = NULL;
  size_t length = 0;
  dc_status result = dcp_report_merge(session, &merged, error);
  if (result == DC_OK && merged.n_archs) {
    result = write_report(&merged, &report, &length, error);
    if (result == DC_OK)
      result = write_assembly(report, length, text, error);
  }
  free(report);
  dc_unit_free(&merged);
  return result;
}
