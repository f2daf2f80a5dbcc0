// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text edits of code actions: an annotation on a line of its own before a statement, with the
// header that it needs, and a comment at the end of a line. An annotation is a macro, since nvcc
// and gcc warn of a pragma that they don't know.
#define _GNU_SOURCE // memmem
#include "lsp/server.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static json_t *insertion(const lsp_server *server, const lsp_document *document, size_t offset,
                         const char *new_text) {
  return json_pack("{s:o, s:s}", "range", lsp_range(server, &document->text, offset, offset),
                   "newText", new_text);
}

// Takes the edits.
static json_t *edit_of(const lsp_document *document, json_t *edits) {
  return edits ? json_pack("{s:{s:o}}", "changes", document->uri, edits) : NULL;
}

static const char *line_break(const text *t) {
  if (t->n_lines < 2)
    return "\n";
  size_t end = text_line_end(t, 0);
  return t->bytes[end] == '\n' ? "\n" : t->lines[1] - end > 1 ? "\r\n" : "\r";
}

// Bytes of blanks at the beginning of a line.
static size_t indentation(const text *t, size_t line) {
  size_t at = t->lines[line];
  while (at < t->size && (t->bytes[at] == ' ' || t->bytes[at] == '\t'))
    ++at;
  return at - t->lines[line];
}

// A line of its own before a statement, indented as it is. Where something stands before the
// statement on its line (`else for`), that line is parted.
static json_t *line_before(const lsp_server *server, const lsp_document *document, size_t begin,
                           const char *line) {
  const text *t = &document->text;
  size_t number = text_position_of(t, begin, TEXT_UTF8).line, from = t->lines[number],
         blanks = indentation(t, number);
  const char *end = line_break(t);
  bool first = from + blanks == begin;
  size_t size = 2 * blanks + strlen(line) + 8;
  char *words = malloc(size);
  if (!words)
    return NULL;
  snprintf(words, size, "%s%s%s%.*s", first ? "" : end, line, end, (int)blanks, t->bytes + from);
  json_t *edit = insertion(server, document, begin, words);
  free(words);
  return edit;
}

// ---- the header ---------------------------------------------------------------------------------

// Whether a line is a directive of the preprocessor whose name begins so.
static bool is_directive(const text *t, size_t line, const char *name) {
  size_t at = t->lines[line] + indentation(t, line), end = text_line_end(t, line);
  if (at == end || t->bytes[at] != '#')
    return false;
  for (++at; at < end && (t->bytes[at] == ' ' || t->bytes[at] == '\t');)
    ++at;
  return end - at >= strlen(name) && memcmp(t->bytes + at, name, strlen(name)) == 0;
}

// Behind the blanks and comments that a file begins with, at the beginning of a line.
static size_t behind_comments(const text *t) {
  size_t at = 0, behind;
  while (at < t->size && (isspace((unsigned char)t->bytes[at]) ||
                          (t->bytes[at] == '/' && lsp_skip_quoted(t, at) > at))) {
    behind = lsp_skip_quoted(t, at);
    at = behind > at ? behind : at + 1;
  }
  return t->lines[text_position_of(t, at, TEXT_UTF8).line];
}

// Where an #include goes: behind the last one above the offset that no condition, but the guard of
// a header, is around.
static size_t place_of_include(const text *t, size_t offset) {
  size_t last = text_position_of(t, offset, TEXT_UTF8).line, place = SIZE_MAX;
  unsigned depth = 0, guard = 0;
  bool first = true;
  for (size_t line = 0; line < last; ++line) {
    if (is_directive(t, line, "if")) {
      guard = first && is_directive(t, line, "ifndef");
      ++depth;
    } else if (is_directive(t, line, "endif") && depth > 0) {
      --depth;
    } else if (is_directive(t, line, "include") && depth <= guard) {
      place = t->lines[line + 1];
    }
    first = first && !is_directive(t, line, "");
  }
  return place == SIZE_MAX ? behind_comments(t) : place;
}

static bool includes_header(const text *t) {
  static const char header[] = "divcost.h";
  return t->size > 0 && memmem(t->bytes, t->size, header, sizeof header - 1);
}

json_t *lsp_annotate(const lsp_server *server, const lsp_document *document, size_t begin,
                     const char *annotation) {
  const text *t = &document->text;
  char include[40];
  json_t *edits = json_pack("[o]", line_before(server, document, begin, annotation));
  if (!edits || includes_header(t))
    return edit_of(document, edits);
  snprintf(include, sizeof include, "#include <divcost.h>%s", line_break(t));
  json_array_insert_new(edits, 0, insertion(server, document, place_of_include(t, begin), include));
  return edit_of(document, edits);
}

// ---- ends of lines ------------------------------------------------------------------------------

json_t *lsp_append(const lsp_server *server, const lsp_document *document, size_t line,
                   const char *comment) {
  const text *t = &document->text;
  size_t end = text_line_end(t, line);
  bool continued = end > t->lines[line] && t->bytes[end - 1] == '\\';
  return continued ? NULL
                   : edit_of(document, json_pack("[o]", insertion(server, document, end, comment)));
}

// ---- declarations -------------------------------------------------------------------------------

// Behind a directive with its continued lines.
static size_t skip_directive(const text *t, size_t at) {
  size_t line = text_position_of(t, at, TEXT_UTF8).line, end = text_line_end(t, line);
  while (line + 1 < t->n_lines && end > t->lines[line] && t->bytes[end - 1] == '\\')
    end = text_line_end(t, ++line);
  return end;
}

size_t lsp_declaration_begin(const text *t, size_t name) {
  size_t begin = SIZE_MAX;
  for (size_t at = 0, behind; at < name; at = behind) {
    char c = t->bytes[at];
    behind = lsp_skip_quoted(t, at);
    bool comment = behind > at && c == '/';
    if (behind == at)
      behind = at + 1;
    if (c == '#') {
      behind = skip_directive(t, at);
      behind = behind > at ? behind : at + 1;
    }
    if (strchr(";{}#", c) && c)
      begin = SIZE_MAX;
    else if (!comment && !isspace((unsigned char)c) && begin == SIZE_MAX)
      begin = at;
  }
  return begin < name ? begin : name;
}
