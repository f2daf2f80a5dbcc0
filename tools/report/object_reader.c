// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library is the sequence of its members; those without reports, of plain C++ say, don't matter
// where another one has one. What can't be looked into does.
#include "report/object_reader.h"

#include "divcost/embedded.h"
#include "report/archive.h"
#include "report/elf_sections.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { ELF, LIBRARY, THIN, BITCODE, WRAPPED_BITCODE, OTHER } kind;

static const struct {
  const char *start, *problem; // problem: why there can't be reports, or NULL
} kinds[] = {
    [ELF] = {ELF_START, NULL},
    [LIBRARY] = {ARCHIVE_START, NULL},
    [THIN] = {"!<thin>\n", "a thin library has no objects in it; give the object files themselves"},
    [BITCODE] = {"BC\xc0\xde",
                 "this is LLVM's bitcode, of a compilation for link-time optimisation; add "
                 "-ffat-lto-objects, write reports to files, or give the object files themselves"},
    [WRAPPED_BITCODE] =
        {"\xde\xc0\x17\x0b",
         "this is LLVM's bitcode, of a compilation for link-time optimisation; "
         "add -ffat-lto-objects, write reports to files, or give the object files themselves"},
};

static kind find_kind(const unsigned char *start, size_t length) {
  kind k = ELF;
  while (k < OTHER && (length < strlen(kinds[k].start) ||
                       memcmp(start, kinds[k].start, strlen(kinds[k].start)) != 0))
    ++k;
  return k;
}

bool object_is(const unsigned char *start, size_t length) {
  return find_kind(start, length) != OTHER;
}

static dc_status read_kind(const byte_range *bytes, kind *kind, dc_error *error) {
  unsigned char start[8];
  size_t length = bytes->size < sizeof start ? (size_t)bytes->size : sizeof start;
  dc_status status = byte_range_read(bytes, 0, start, length, error);
  *kind = status == DC_OK ? find_kind(start, length) : OTHER;
  return status;
}

// ---- objects -----------------------------------------------------------------------------------

static dc_status take_reports(object_reader *r, const unsigned char *bytes, size_t size,
                              dc_error *error) {
  dc_embedded at = {bytes, size, 0};
  for (;;) {
    const unsigned char *report;
    size_t length;
    dc_status status = dc_embedded_next(&at, &report, &length, error);
    if (status != DC_OK || !report)
      return status;
    r->found = true;
    r->failed = r->take(r->context, r->where, (const char *)report, length);
    if (r->failed)
      return dc_fail(error, DC_ERROR_SYNTAX, "a report isn't taken");
  }
}

static dc_status read_section(object_reader *r, const elf_sections *elf, uint64_t number,
                              dc_error *error) {
  elf_section section;
  dc_status status = elf_sections_get(elf, number, &section, error);
  if (status != DC_OK || !section.has_bytes || strcmp(section.name, DC_EMBEDDED_SECTION) != 0)
    return status;
  unsigned char *bytes;
  status = byte_range_copy(&elf->bytes, section.offset, section.size, &bytes, error);
  if (status == DC_OK)
    status = take_reports(r, bytes, (size_t)section.size, error);
  free(bytes);
  return status;
}

static dc_status read_elf(object_reader *r, const byte_range *bytes, dc_error *error) {
  elf_sections elf;
  dc_status status = elf_sections_begin(&elf, bytes, error);
  r->linked |= elf.linked;
  for (uint64_t k = 1; status == DC_OK && k < elf.count; ++k)
    status = read_section(r, &elf, k, error);
  elf_sections_end(&elf);
  return status;
}

// ---- libraries ---------------------------------------------------------------------------------

static dc_status read_member(object_reader *r, const archive_member *member, dc_error *error) {
  kind kind;
  dc_status status = read_kind(&member->bytes, &kind, error);
  if (status != DC_OK || kind == ELF)
    return status == DC_OK ? read_elf(r, &member->bytes, error) : status;
  if (kind == LIBRARY || kind == THIN)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "at byte %" PRIu64 " is a library inside the library, where linkers don't look "
                   "either; give it by itself",
                   member->at);
  if (kind != OTHER)
    return dc_fail(error, DC_ERROR_SYNTAX, "%s", kinds[kind].problem);
  return dc_fail(
      error, DC_ERROR_SYNTAX,
      "at byte %" PRIu64 " is %s; make the library again, or give the object files themselves",
      member->at, member->bytes.size ? "something that is no object file" : "an empty member");
}

static dc_status read_library(object_reader *r, const char *name, const byte_range *bytes,
                              dc_error *error) {
  archive library;
  archive_member member;
  bool found;
  archive_begin(&library, bytes);
  dc_status status = archive_next(&library, &member, &found, error);
  while (status == DC_OK && found) {
    snprintf(r->where, sizeof r->where, "%s(%s)", name, member.name);
    status = read_member(r, &member, error);
    if (status != DC_OK)
      break;
    snprintf(r->where, sizeof r->where, "%s", name);
    status = archive_next(&library, &member, &found, error);
  }
  archive_end(&library);
  return status;
}

dc_status object_read(object_reader *r, const char *name, const byte_range *bytes,
                      dc_error *error) {
  kind kind;
  snprintf(r->where, sizeof r->where, "%s", name);
  dc_status status = read_kind(bytes, &kind, error);
  if (status != DC_OK)
    return status;
  if (kind == OTHER)
    return dc_fail(error, DC_ERROR_SYNTAX, "this is no object file and no library of them");
  if (kinds[kind].problem)
    return dc_fail(error, DC_ERROR_SYNTAX, "%s", kinds[kind].problem);
  status = kind == LIBRARY ? read_library(r, name, bytes, error) : read_elf(r, bytes, error);
  if (status != DC_OK || r->found)
    return status;
  return dc_fail(error, DC_ERROR_SYNTAX, "no report is in it%s",
                 r->linked ? ": linkers leave reports out of what they link; give the object files"
                           : "; compile with -fplugin-arg-divcost-embed");
}
