// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page that the report for people is written on: line breaks, columns, colours.
#include "report/text_internal.h"

#include "base/utf8.h"

#include "report/names.h"

#include <string.h>

// ---- text --------------------------------------------------------------------------------------

static const char *escape(dc_style style) {
  switch (style) {
  case DC_STYLE_PLAIN:
    return "";
  case DC_STYLE_TITLE:
    return "\033[1m";
  case DC_STYLE_BAD:
    return "\033[1;31m";
  case DC_STYLE_NOTE:
    return "\033[33m";
  case DC_STYLE_QUIET:
    return "\033[2m";
  }
  return "";
}

// Whether a byte begins a character rather than continuing one, in UTF-8.
static unsigned columns_of(const char *text, size_t size) {
  unsigned columns = 0;
  for (size_t k = 0; k < size; ++k)
    columns += dc__begins_character(text[k]);
  return columns;
}

// Control characters of ASCII, and those of 0x80 to 0x9f, which begin with 0xc2 in UTF-8.
static void put_bytes(dc_page *page, const char *text, size_t size) {
  for (size_t k = 0; k < size; ++k) {
    unsigned char byte = (unsigned char)text[k];
    bool second = byte == 0xc2 && k + 1 < size && (unsigned char)text[k + 1] < 0xa0;
    if (second)
      ++k;
    fputc(byte < 0x20 || byte == 0x7f || second ? ' ' : byte, page->stream);
  }
  page->column += columns_of(text, size);
}

static void put_styled(dc_page *page, dc_style style, const char *text, size_t size) {
  bool styled = page->colour && style != DC_STYLE_PLAIN && size;
  if (styled)
    fputs(escape(style), page->stream);
  put_bytes(page, text, size);
  if (styled)
    fputs("\033[0m", page->stream);
}

void dc__page_text(dc_page *page, dc_style style, const char *text) {
  put_styled(page, style, text, strlen(text));
}

void dc__page_wrap(dc_page *page, dc_style style, unsigned indent, const char *text) {
  while (*text) {
    size_t blanks = strspn(text, " "), size = blanks + strcspn(text + blanks, " ");
    bool fits = page->column + columns_of(text, size) <= DC_REPORT_WIDTH;
    bool breaks = !fits && page->column > indent;
    if (breaks) {
      dc__page_line(page);
      dc__page_column(page, indent);
    }
    size_t skip = breaks ? blanks : 0;
    put_styled(page, style, text + skip, size - skip);
    text += size;
  }
}

void dc__page_line(dc_page *page) {
  fputc('\n', page->stream);
  page->column = 0;
}

void dc__page_column(dc_page *page, unsigned column) {
  if (page->column > column)
    dc__page_line(page);
  for (; page->column < column; ++page->column)
    fputc(' ', page->stream);
}

void dc__page_right(dc_page *page, dc_style style, unsigned end, const char *text) {
  unsigned columns = columns_of(text, strlen(text));
  unsigned start = end > columns ? end - columns : 0;
  // A number that is too wide pushes what follows, but never touches what stands before.
  dc__page_column(page, start > page->column ? start : page->column + (page->column > 0));
  dc__page_text(page, style, text);
}

// ---- styles ------------------------------------------------------------------------------------

dc_style dc__share_style(dc_interval share) {
  static const dc_style styles[] = {[DC_SEVERITY_NONE] = DC_STYLE_PLAIN,
                                    [DC_SEVERITY_NOTE] = DC_STYLE_NOTE,
                                    [DC_SEVERITY_BAD] = DC_STYLE_BAD};
  return styles[dc_share_severity(share)];
}

// ---- names -------------------------------------------------------------------------------------

void dc__short_name(const char *name, char *text, size_t size) {
  static const char none[] = "void ";
  if (strncmp(name, none, strlen(none)) == 0)
    name += strlen(none);
  size_t length = dc_name_length(name), namespaces = 0;
  for (size_t k = 0; k + 1 < length && name[k] != '<'; ++k)
    if (name[k] == ':' && name[k + 1] == ':')
      namespaces = k + 2;
  if (length >= size) {
    name += namespaces;
    length -= namespaces;
  }
  bool cut = length >= size;
  snprintf(text, size, "%.*s%s", (int)(cut ? size - 4 : length), name, cut ? "..." : "");
}
