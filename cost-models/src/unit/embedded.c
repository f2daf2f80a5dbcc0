// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/embedded.h"

#include <inttypes.h>
#include <string.h>

enum { VERSION = 1, AT_VERSION = 8, AT_LENGTH = 12 };
static const char magic[AT_VERSION] = "divcost";

static void put(unsigned char *at, uint64_t value, unsigned size) {
  for (unsigned k = 0; k < size; ++k)
    at[k] = (unsigned char)(value >> (8 * k));
}

static uint64_t get(const unsigned char *at, unsigned size) {
  uint64_t value = 0;
  for (unsigned k = 0; k < size; ++k)
    value |= (uint64_t)at[k] << (8 * k);
  return value;
}

void dc_embedded_header(uint64_t length, unsigned char header[DC_EMBEDDED_HEADER]) {
  memcpy(header, magic, sizeof magic);
  put(header + AT_VERSION, VERSION, AT_LENGTH - AT_VERSION);
  put(header + AT_LENGTH, length, DC_EMBEDDED_HEADER - AT_LENGTH);
}

// What is wrong where the next report should begin.
static dc_status check(const dc_embedded *section, size_t left, uint64_t *size, dc_error *error) {
  const unsigned char *header = section->bytes + section->at;
  if (left < DC_EMBEDDED_HEADER || memcmp(header, magic, sizeof magic) != 0)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "byte %zu of section " DC_EMBEDDED_SECTION " begins no report", section->at);
  uint64_t version = get(header + AT_VERSION, AT_LENGTH - AT_VERSION);
  if (version != VERSION)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "section " DC_EMBEDDED_SECTION " has version %" PRIu64
                   ", which a newer divcost reads; this one reads version %d",
                   version, VERSION);
  *size = get(header + AT_LENGTH, DC_EMBEDDED_HEADER - AT_LENGTH);
  if (*size > left - DC_EMBEDDED_HEADER)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "section " DC_EMBEDDED_SECTION " is cut off: a report of %" PRIu64
                   " bytes begins at byte %zu of %zu",
                   *size, section->at, section->size);
  return DC_OK;
}

dc_status dc_embedded_next(dc_embedded *section, const unsigned char **report, size_t *length,
                           dc_error *error) {
  *report = NULL;
  *length = 0;
  while (section->at < section->size && section->bytes[section->at] == 0)
    ++section->at;
  size_t left = section->size - section->at;
  if (left == 0)
    return DC_OK;
  uint64_t size = 0;
  dc_status status = check(section, left, &size, error);
  if (status != DC_OK) {
    if (error)
      error->offset = (unsigned)section->at;
    return status;
  }
  *report = section->bytes + section->at + DC_EMBEDDED_HEADER;
  *length = (size_t)size;
  section->at += DC_EMBEDDED_HEADER + (size_t)size;
  return DC_OK;
}
