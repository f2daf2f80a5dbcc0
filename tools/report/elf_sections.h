// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sections of an ELF file, of either class and byte order. Strict: a file that ends before one
// of its sections does is an error, whatever section that is.
#ifndef DIVCOST_TOOLS_REPORT_ELF_SECTIONS_H
#define DIVCOST_TOOLS_REPORT_ELF_SECTIONS_H

#include "report/byte_range.h"

#define ELF_START "\177ELF"

typedef struct elf_sections {
  byte_range bytes;
  bool wide, big_endian, linked; // linked: a program or a shared library
  uint64_t count;                // of sections, with the first, which is none
  unsigned char *headers;        // of all sections, or NULL
  unsigned char *names;          // of sections, or NULL
  uint64_t names_size;
} elf_sections;

typedef struct elf_section {
  const char *name;
  bool has_bytes;        // in the file
  uint64_t offset, size; // if it has bytes: these are in the file
} elf_section;

// Reads the headers of what starts with ELF_START. Errors: DC_ERROR_SYNTAX, DC_ERROR_FILE,
// DC_ERROR_MEMORY; elf_sections_end is called in any case.
dc_status elf_sections_begin(elf_sections *elf, const byte_range *bytes, dc_error *error);

// A section by its number, from 1 and less than the count. Errors: DC_ERROR_SYNTAX.
dc_status elf_sections_get(const elf_sections *elf, uint64_t number, elf_section *section,
                           dc_error *error);

void elf_sections_end(elf_sections *elf);

#endif
