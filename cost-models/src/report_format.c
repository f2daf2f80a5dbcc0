// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words and numbers of the report for people: line breaks, columns, colours, and as many digits as
// a reader needs.
#include "report_internal.h"

#include <math.h>
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
static bool begins_character(char byte) { return ((unsigned char)byte & 0xc0) != 0x80; }

static unsigned columns_of(const char *text, size_t size) {
  unsigned columns = 0;
  for (size_t k = 0; k < size; ++k)
    columns += begins_character(text[k]);
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

void dc_page_text(dc_page *page, dc_style style, const char *text) {
  put_styled(page, style, text, strlen(text));
}

void dc_page_wrap(dc_page *page, dc_style style, unsigned indent, const char *text) {
  while (*text) {
    size_t blanks = strspn(text, " "), size = blanks + strcspn(text + blanks, " ");
    bool fits = page->column + columns_of(text, size) <= DC_REPORT_WIDTH;
    bool breaks = !fits && page->column > indent;
    if (breaks) {
      dc_page_line(page);
      dc_page_column(page, indent);
    }
    size_t skip = breaks ? blanks : 0;
    put_styled(page, style, text + skip, size - skip);
    text += size;
  }
}

void dc_page_line(dc_page *page) {
  fputc('\n', page->stream);
  page->column = 0;
}

void dc_page_column(dc_page *page, unsigned column) {
  if (page->column > column)
    dc_page_line(page);
  for (; page->column < column; ++page->column)
    fputc(' ', page->stream);
}

void dc_page_right(dc_page *page, dc_style style, unsigned end, const char *text) {
  unsigned columns = columns_of(text, strlen(text));
  unsigned start = end > columns ? end - columns : 0;
  // A number that is too wide pushes what follows, but never touches what stands before.
  dc_page_column(page, start > page->column ? start : page->column + (page->column > 0));
  dc_page_text(page, style, text);
}

// ---- numbers -----------------------------------------------------------------------------------

// Three digits; from 1000 whole numbers with commas, from 10^7 three digits and a unit.
static dc_number count_text(double value) {
  dc_number number;
  static const char *const units[] = {"M", "G", "T", "P", "E"};
  if (value < 999.5) {
    snprintf(number.text, sizeof number.text, "%.3g", value);
  } else if (value < 9999999.5) {
    unsigned whole = (unsigned)lround(value);
    if (whole < 1000000)
      snprintf(number.text, sizeof number.text, "%u,%03u", whole / 1000, whole % 1000);
    else
      snprintf(number.text, sizeof number.text, "%u,%03u,%03u", whole / 1000000,
               whole / 1000 % 1000, whole % 1000);
  } else {
    unsigned unit = 0;
    value /= 1e6;
    while (value >= 999.5 && unit < 4) {
      value /= 1e3;
      ++unit;
    }
    snprintf(number.text, sizeof number.text, "%.3g%s", value, units[unit]);
  }
  return number;
}

// Without the sign, which stands once behind a span.
static dc_number percent_text(double value) {
  dc_number number;
  double percent = 100 * value;
  if (percent > 0 && percent < 0.1)
    snprintf(number.text, sizeof number.text, "<0.1");
  else
    snprintf(number.text, sizeof number.text, percent > 0 && percent < 9.95 ? "%.1f" : "%.0f",
             percent);
  return number;
}

static dc_number span_text(dc_span span, dc_number (*print)(double value), const char *unit) {
  dc_number number = {"not known"};
  if (span.low < 0 || span.high < 0)
    return number;
  dc_number low = print(span.low), high = print(span.high);
  bool same = strcmp(low.text, high.text) == 0;
  snprintf(number.text, sizeof number.text, "%.20s%s%.20s%s", low.text, same ? "" : "..",
           same ? "" : high.text, unit);
  return number;
}

dc_number dc_number_count(dc_span span) { return span_text(span, count_text, ""); }
dc_number dc_number_percent(dc_span span) { return span_text(span, percent_text, "%"); }

dc_style dc_share_style(dc_span share) {
  return share.low >= 0.1 ? DC_STYLE_BAD : share.high >= 0.02 ? DC_STYLE_NOTE : DC_STYLE_PLAIN;
}

// ---- names -------------------------------------------------------------------------------------

// Bytes of a function's name before its parameters: parentheses of "(anonymous namespace)" and
// within template arguments don't begin these.
static size_t name_length(const char *name) {
  static const char unnamed[] = "(anonymous namespace)";
  unsigned depth = 0;
  const char *c = name;
  for (; *c; ++c) {
    if (strncmp(c, unnamed, strlen(unnamed)) == 0)
      c += strlen(unnamed) - 1;
    else if (*c == '(' && depth == 0)
      break;
    else if (*c == '<')
      ++depth;
    else if (*c == '>' && depth)
      --depth;
  }
  return (size_t)(c - name);
}

void dc_short_name(const char *name, char *text, size_t size) {
  static const char none[] = "void ";
  if (strncmp(name, none, strlen(none)) == 0)
    name += strlen(none);
  size_t length = name_length(name), namespaces = 0;
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
