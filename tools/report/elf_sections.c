// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/elf_sections.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  CLASS_AT = 4,
  ORDER_AT = 5,
  TYPE_AT = 16,
  HEADER_MOST = 64,
  LINKED = 2, // types of files: programs, and behind them shared libraries
  SHARED = 3,
  SECTION_NULL = 0, // types of sections
  SECTION_STRINGS = 3,
  SECTION_NO_BITS = 8,
  LARGE_INDEX = 0xffff, // what doesn't fit is in the header of the first section
};

// Where fields are: [0] in files of 32 bits, [1] of 64.
typedef struct field {
  unsigned char at, size;
} field;

static const unsigned char header_size[2] = {52, 64}, section_size[2] = {40, 64};
static const field table_at[2] = {{32, 4}, {40, 8}}, entry_size[2] = {{46, 2}, {58, 2}},
                   table_count[2] = {{48, 2}, {60, 2}}, names_index[2] = {{50, 2}, {62, 2}};
static const field name_at = {0, 4}, type_at = {4, 4}; // of a section, in both classes
static const field offset_at[2] = {{16, 4}, {24, 8}}, size_at[2] = {{20, 4}, {32, 8}},
                   link_at[2] = {{24, 4}, {40, 4}};

static uint64_t get(const elf_sections *elf, const unsigned char *from, field field) {
  uint64_t value = 0;
  for (unsigned k = 0; k < field.size; ++k)
    value |= (uint64_t)from[field.at + k] << (8 * (elf->big_endian ? field.size - 1 - k : k));
  return value;
}

static const unsigned char *header_of(const elf_sections *elf, uint64_t number) {
  return elf->headers + number * section_size[elf->wide];
}

static dc_status fail_end(const elf_sections *elf, const char *what, uint64_t at, uint64_t size,
                          dc_error *error) {
  if (at > UINT64_MAX - size)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "the object is damaged: %s is at byte %" PRIu64 " and has %" PRIu64 " bytes",
                   what, at, size);
  return dc_fail(error, DC_ERROR_SYNTAX,
                 "the object is cut off: %s goes to byte %" PRIu64 ", but it ends at byte %" PRIu64,
                 what, at + size, elf->bytes.size);
}

void elf_sections_end(elf_sections *elf) {
  free(elf->headers);
  free(elf->names);
  elf->headers = elf->names = NULL;
}

// ---- tables ------------------------------------------------------------------------------------

static dc_status read_header(elf_sections *elf, unsigned char header[HEADER_MOST],
                             dc_error *error) {
  enum { IDENTIFICATION = 16 };
  if (!byte_range_holds(&elf->bytes, 0, IDENTIFICATION))
    return fail_end(elf, "its header", 0, header_size[1], error);
  dc_status status = byte_range_read(&elf->bytes, 0, header, IDENTIFICATION, error);
  if (status != DC_OK)
    return status;
  if (header[CLASS_AT] < 1 || header[CLASS_AT] > 2 || header[ORDER_AT] < 1 || header[ORDER_AT] > 2)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "the object is damaged: its header has the class %d and the byte order %d",
                   header[CLASS_AT], header[ORDER_AT]);
  elf->wide = header[CLASS_AT] == 2;
  elf->big_endian = header[ORDER_AT] == 2;
  unsigned size = header_size[elf->wide];
  if (!byte_range_holds(&elf->bytes, 0, size))
    return fail_end(elf, "its header", 0, size, error);
  return byte_range_read(&elf->bytes, 0, header, size, error);
}

// Reads the first header of the table, which knows how many there are where that doesn't fit into
// the file's header, and then all.
static dc_status read_table(elf_sections *elf, uint64_t at, dc_error *error) {
  static const char what[] = "the table of its sections";
  unsigned size = section_size[elf->wide];
  if (!byte_range_holds(&elf->bytes, at, size))
    return fail_end(elf, what, at, size, error);
  unsigned char first[HEADER_MOST];
  dc_status status = byte_range_read(&elf->bytes, at, first, size, error);
  if (status != DC_OK)
    return status;
  if (elf->count == 0)
    elf->count = get(elf, first, size_at[elf->wide]);
  if (elf->count > UINT64_MAX / size || !byte_range_holds(&elf->bytes, at, elf->count * size))
    return fail_end(elf, what, at, elf->count > UINT64_MAX / size ? UINT64_MAX : elf->count * size,
                    error);
  return byte_range_copy(&elf->bytes, at, elf->count * size, &elf->headers, error);
}

// Where a section's bytes are.
static dc_status find_bytes(const elf_sections *elf, uint64_t number, const char *name,
                            elf_section *section, dc_error *error) {
  const unsigned char *header = header_of(elf, number);
  uint64_t type = get(elf, header, type_at);
  section->has_bytes = type != SECTION_NULL && type != SECTION_NO_BITS;
  section->offset = get(elf, header, offset_at[elf->wide]);
  section->size = get(elf, header, size_at[elf->wide]);
  if (!section->has_bytes || byte_range_holds(&elf->bytes, section->offset, section->size))
    return DC_OK;
  char shown[41], what[96];
  byte_range_name(shown, sizeof shown, name, strlen(name));
  snprintf(what, sizeof what, "its section %" PRIu64 "%s%s", number, *name ? ", " : "", shown);
  return fail_end(elf, what, section->offset, section->size, error);
}

static dc_status read_names(elf_sections *elf, uint64_t number, dc_error *error) {
  if (number == LARGE_INDEX && elf->count)
    number = get(elf, elf->headers, link_at[elf->wide]);
  if (number == 0) // no section has a name
    return DC_OK;
  elf_section names;
  if (number >= elf->count || get(elf, header_of(elf, number), type_at) != SECTION_STRINGS)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "the object is damaged: the names of its sections are to be in section %" PRIu64
                   ", which has none",
                   number);
  dc_status status = find_bytes(elf, number, "the names of sections", &names, error);
  if (status != DC_OK)
    return status;
  elf->names_size = names.size;
  return byte_range_copy(&elf->bytes, names.offset, names.size, &elf->names, error);
}

// ---- sections ----------------------------------------------------------------------------------

dc_status elf_sections_begin(elf_sections *elf, const byte_range *bytes, dc_error *error) {
  unsigned char header[HEADER_MOST];
  *elf = (elf_sections){.bytes = *bytes};
  dc_status status = read_header(elf, header, error);
  if (status != DC_OK)
    return status;
  bool wide = elf->wide;
  uint64_t type = get(elf, header, (field){TYPE_AT, 2}), at = get(elf, header, table_at[wide]);
  elf->linked = type == LINKED || type == SHARED;
  elf->count = get(elf, header, table_count[wide]);
  if (at == 0 && elf->count == 0) // a program that was stripped of them
    return DC_OK;
  if (at < header_size[wide] || get(elf, header, entry_size[wide]) != section_size[wide])
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "the object is damaged: the table of its sections is at byte %" PRIu64
                   ", with entries of %" PRIu64 " bytes",
                   at, get(elf, header, entry_size[wide]));
  status = read_table(elf, at, error);
  if (status != DC_OK || !elf->headers)
    return status;
  return read_names(elf, get(elf, header, names_index[wide]), error);
}

dc_status elf_sections_get(const elf_sections *elf, uint64_t number, elf_section *section,
                           dc_error *error) {
  uint64_t name = get(elf, header_of(elf, number), name_at);
  if (elf->names ? name > elf->names_size : name > 0) // a zero follows the names
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "the object is damaged: the name of its section %" PRIu64
                   " is outside of the names",
                   number);
  section->name = elf->names ? (const char *)elf->names + name : "";
  return find_bytes(elf, number, section->name, section, error);
}
