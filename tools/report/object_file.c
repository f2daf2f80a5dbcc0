// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Object files are read through libelf. A library is the sequence of its members; those without
// reports, of plain C++ say, don't matter where another one has one.
#define _POSIX_C_SOURCE 200809L

#include "report/object_file.h"

#include "command.h"
#include "divcost/embedded.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
  const char *start, *problem; // problem: why there can't be reports, or NULL
} kinds[] = {
    {ELFMAG, NULL},
    {"!<arch>\n", NULL},
    {"!<thin>\n", "a thin library has no objects in it; give the object files themselves"},
    {"BC\xc0\xde", "this is LLVM's bitcode, of a compilation for link-time optimisation; add "
                   "-ffat-lto-objects, or write reports to files"},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static size_t find_kind(int file) {
  unsigned char start[8];
  ssize_t got = pread(file, start, sizeof start, 0);
  size_t length = got < 0 ? 0 : (size_t)got, k = 0;
  while (k < KINDS && (length < strlen(kinds[k].start) ||
                       memcmp(start, kinds[k].start, strlen(kinds[k].start)) != 0))
    ++k;
  return k;
}

bool object_file_is(int file) { return find_kind(file) < KINDS; }

typedef struct reading {
  const char *path;
  int (*take)(void *context, const char *where, const char *json, size_t length);
  void *context;
  bool found;
  bool linked; // it is a program or a shared library
} reading;

static int take_section(reading *r, const char *where, Elf_Scn *section) {
  Elf_Data *data = NULL;
  while ((data = elf_rawdata(section, data))) {
    dc_embedded at = {data->d_buf, data->d_buf ? data->d_size : 0, 0};
    const unsigned char *report;
    size_t length;
    dc_error error;
    for (;;) {
      if (dc_embedded_next(&at, &report, &length, &error) != DC_OK)
        return command_fail(where, error.text);
      if (!report)
        break;
      r->found = true;
      int result = r->take(r->context, where, (const char *)report, length);
      if (result)
        return result;
    }
  }
  return 0;
}

static int read_elf(reading *r, const char *where, Elf *elf) {
  size_t names;
  if (elf_getshdrstrndx(elf, &names) != 0)
    return command_fail(where, elf_errmsg(-1));
  GElf_Ehdr header;
  if (gelf_getehdr(elf, &header))
    r->linked = header.e_type == ET_EXEC || header.e_type == ET_DYN;
  int result = 0;
  for (Elf_Scn *section = NULL; result == 0 && (section = elf_nextscn(elf, section));) {
    GElf_Shdr info;
    const char *name = gelf_getshdr(section, &info) ? elf_strptr(elf, names, info.sh_name) : NULL;
    if (name && strcmp(name, DC_EMBEDDED_SECTION) == 0 && info.sh_type != SHT_NOBITS)
      result = take_section(r, where, section);
  }
  return result;
}

static int read_library(reading *r, int file, Elf *library) {
  int result = 0;
  Elf_Cmd next = ELF_C_READ;
  for (Elf *member; result == 0 && next == ELF_C_READ && (member = elf_begin(file, next, library));
       next = elf_next(member), elf_end(member)) {
    const Elf_Arhdr *header = elf_getarhdr(member);
    char where[1024];
    snprintf(where, sizeof where, "%s(%s)", r->path, header ? header->ar_name : "?");
    if (elf_kind(member) == ELF_K_ELF)
      result = read_elf(r, where, member);
  }
  return result;
}

static int read_file(reading *r, int file) {
  Elf *elf = elf_version(EV_CURRENT) == EV_NONE ? NULL : elf_begin(file, ELF_C_READ, NULL);
  if (!elf)
    return command_fail(r->path, elf_errmsg(-1));
  int result;
  if (elf_kind(elf) == ELF_K_AR)
    result = read_library(r, file, elf);
  else if (elf_kind(elf) == ELF_K_ELF)
    result = read_elf(r, r->path, elf);
  else
    result = command_fail(r->path, "this is no object file and no library of them");
  elf_end(elf);
  if (result == 0 && !r->found)
    result = command_fail(r->path,
                          r->linked ? "no report is in it: linkers leave reports out of what they "
                                      "link; give the object files"
                                    : "no report is in it; compile with "
                                      "-fplugin-arg-divcost-embed");
  return result;
}

int object_file_read(const char *path,
                     int (*take)(void *context, const char *where, const char *json, size_t length),
                     void *context) {
  reading r = {path, take, context, false, false};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return command_fail(path, strerror(errno));
  size_t kind = find_kind(file);
  int result = kind < KINDS && kinds[kind].problem ? command_fail(path, kinds[kind].problem)
                                                   : read_file(&r, file);
  close(file);
  return result;
}
