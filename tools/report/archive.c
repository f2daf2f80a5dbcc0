// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/archive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { // the header of a member: texts, filled up with blanks
  HEADER = 60,
  NAME = 16,
  SIZE_AT = 48,
  SIZE = 10,
  END_AT = 58,
};

void archive_begin(archive *archive, const byte_range *bytes) {
  *archive = (struct archive){.bytes = *bytes, .at = strlen(ARCHIVE_START)};
}

void archive_end(archive *archive) {
  free(archive->names);
  *archive = (struct archive){.names = NULL};
}

// ---- names -------------------------------------------------------------------------------------

// Digits and then blanks only, as a number.
static bool read_number(const char *text, size_t length, uint64_t *number) {
  size_t k = 0;
  for (*number = 0; k < length && text[k] >= '0' && text[k] <= '9'; ++k)
    *number = 10 * *number + (uint64_t)(text[k] - '0'); // 15 digits at most
  bool any = k > 0;
  while (k < length && text[k] == ' ')
    ++k;
  return any && k == length;
}

static bool is(const char *text, size_t length, const char *word) {
  return strlen(word) == length && memcmp(text, word, length) == 0;
}

// Tables for linkers, by the names that GNU and BSD give them.
static bool is_symbol_table(const char *name, size_t length) {
  static const char *const tables[] = {
      "/", "/SYM64/", "__.SYMDEF", "__.SYMDEF SORTED", "__.SYMDEF_64", "__.SYMDEF_64 SORTED"};
  for (size_t k = 0; k < sizeof tables / sizeof *tables; ++k)
    if (is(name, length, tables[k]))
      return true;
  return false;
}

static void set_name(archive_member *member, const char *name, size_t length) {
  if (length && name[length - 1] == '/') // by which GNU ends names
    --length;
  byte_range_name(member->name, sizeof member->name, name, length);
}

static dc_status fail_name(const archive_member *member, dc_error *error) {
  return dc_fail(error, DC_ERROR_SYNTAX,
                 "the member at byte %" PRIu64 " has the name '%s', which is in no table of names "
                 "before it",
                 member->at, member->name);
}

// A name of GNU's table, "/offset".
static dc_status find_long_name(const archive *archive, const char *digits, size_t length,
                                archive_member *member, dc_error *error) {
  uint64_t at;
  if (!read_number(digits, length, &at) || at >= archive->names_size)
    return fail_name(member, error);
  const char *name = (const char *)archive->names + at;
  const char *end = memchr(name, '\n', (size_t)(archive->names_size - at));
  if (!end)
    return fail_name(member, error);
  set_name(member, name, (size_t)(end - name));
  return DC_OK;
}

// A name of BSD's, "#1/length", which begins what the member holds.
static dc_status take_name_inside(const char *digits, size_t length, archive_member *member,
                                  bool *table, dc_error *error) {
  uint64_t size;
  unsigned char *name;
  if (!read_number(digits, length, &size) || !byte_range_holds(&member->bytes, 0, size))
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "the member at byte %" PRIu64 " has the name '%s', which is longer than it",
                   member->at, member->name);
  dc_status status = byte_range_copy(&member->bytes, 0, size, &name, error);
  if (status != DC_OK)
    return status;
  size_t used = strlen((const char *)name); // filled up with zeros
  set_name(member, (const char *)name, used);
  *table = is_symbol_table((const char *)name, used);
  free(name);
  member->bytes = byte_range_part(&member->bytes, size, member->bytes.size - size);
  return DC_OK;
}

// Gives the member its name, which the header has in one of four forms, or takes in a table.
static dc_status read_name(archive *archive, const char *header, archive_member *member,
                           bool *table, dc_error *error) {
  size_t length = NAME;
  while (length && header[length - 1] == ' ')
    --length;
  *table = is_symbol_table(header, length);
  if (*table)
    return DC_OK;
  *table = is(header, length, "//");
  if (*table) {
    free(archive->names);
    archive->names_size = member->bytes.size;
    return byte_range_copy(&member->bytes, 0, member->bytes.size, &archive->names, error);
  }
  if (header[0] == '/')
    return find_long_name(archive, header + 1, NAME - 1, member, error);
  if (memcmp(header, "#1/", 3) == 0)
    return take_name_inside(header + 3, NAME - 3, member, table, error);
  return DC_OK;
}

// ---- members -----------------------------------------------------------------------------------

static dc_status read_header(const archive *archive, char header[HEADER], archive_member *member,
                             dc_error *error) {
  uint64_t at = archive->at, left = archive->bytes.size - at, size;
  if (left < HEADER)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "the library is cut off: at byte %" PRIu64 " begins a member, whose header has "
                   "%d bytes, but the file ends at byte %" PRIu64,
                   at, HEADER, archive->bytes.size);
  dc_status status = byte_range_read(&archive->bytes, at, header, HEADER, error);
  if (status != DC_OK)
    return status;
  if (memcmp(header + END_AT, "`\n", 2) != 0)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "the library is damaged: at byte %" PRIu64 " is no header of a member", at);
  size_t length = NAME;
  while (length && header[length - 1] == ' ')
    --length;
  set_name(member, header, length);
  if (!read_number(header + SIZE_AT, SIZE, &size))
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "the library is damaged: the member '%.80s' at byte %" PRIu64
                   " has a size that is no number",
                   member->name, at);
  member->at = at;
  member->bytes = byte_range_part(&archive->bytes, at + HEADER, size);
  return DC_OK;
}

static dc_status fail_cut(const archive *archive, const archive_member *member, uint64_t end,
                          dc_error *error) {
  return dc_fail(error, DC_ERROR_SYNTAX,
                 "the library is cut off: the member '%.80s' at byte %" PRIu64
                 " goes to byte %" PRIu64 ", but the file ends at byte %" PRIu64,
                 member->name, member->at, end, archive->bytes.size);
}

static dc_status read_member(archive *archive, archive_member *member, bool *table,
                             dc_error *error) {
  char header[HEADER] = {0};
  dc_status status = read_header(archive, header, member, error);
  if (status != DC_OK)
    return status;
  // What follows is at an even place. The last member has that padding, too.
  uint64_t size = member->bytes.size + member->bytes.size % 2, begin = member->at + HEADER;
  if (!byte_range_holds(&archive->bytes, begin, size)) {
    if (header[0] == '/')
      find_long_name(archive, header + 1, NAME - 1, member, NULL); // for the message, if it's there
    return fail_cut(archive, member, begin + size, error);
  }
  archive->at = begin + size;
  return read_name(archive, header, member, table, error);
}

dc_status archive_next(archive *archive, archive_member *member, bool *found, dc_error *error) {
  *found = false;
  for (bool table = true; table && archive->at < archive->bytes.size;) {
    dc_status status = read_member(archive, member, &table, error);
    if (status != DC_OK)
      return status;
    *found = !table;
  }
  return DC_OK;
}
