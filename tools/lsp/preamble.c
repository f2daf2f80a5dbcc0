// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See preamble.h. Where the text is odd the preamble ends early: that costs time only.
#include "lsp/preamble.h"

#include <stdbool.h>
#include <string.h>

typedef struct scan {
  const char *bytes;
  size_t size, at;
  size_t depth;  // of open conditionals
  bool includes; // an #include has been passed
} scan;

enum { END = -1 };

// Behind the line break at an offset; the offset itself: there is none.
static size_t behind_break(const scan *s, size_t at) {
  if (at < s->size && s->bytes[at] == '\r')
    return at + 1 < s->size && s->bytes[at + 1] == '\n' ? at + 2 : at + 1;
  return at < s->size && s->bytes[at] == '\n' ? at + 1 : at;
}

static bool is_blank(char byte) {
  return byte == ' ' || byte == '\t' || byte == '\f' || byte == '\v';
}

// The next character, a line break as '\n'. Lines that go on in the next one are one; clang lets
// blanks stand behind the backslash.
static int peek(scan *s) {
  while (s->at < s->size && s->bytes[s->at] == '\\') {
    size_t end = s->at + 1;
    while (end < s->size && is_blank(s->bytes[end]))
      ++end;
    size_t behind = behind_break(s, end);
    if (behind == end)
      break;
    s->at = behind;
  }
  if (s->at >= s->size)
    return END;
  return s->bytes[s->at] == '\r' ? '\n' : (unsigned char)s->bytes[s->at];
}

static int take(scan *s) {
  int c = peek(s);
  if (c == '\n')
    s->at = behind_break(s, s->at);
  else if (c != END)
    ++s->at;
  return c;
}

// Behind the comment whose slash has been taken; false: it is none, or has no end.
static bool skip_comment(scan *s) {
  int kind = peek(s), c, before = 0;
  if (kind == '/') {
    while ((c = peek(s)) != '\n' && c != END)
      take(s);
    return true;
  }
  if (kind != '*')
    return false;
  for (take(s); (c = take(s)) != END; before = c)
    if (before == '*' && c == '/')
      return true;
  return false;
}

// Blanks and comments. False: something else begins with a slash, or a comment has no end.
static bool skip_blanks(scan *s) {
  for (int c; (c = peek(s)) != END;) {
    if (c != '/' && !is_blank((char)c))
      return true;
    take(s);
    if (c == '/' && !skip_comment(s))
      return false;
  }
  return true;
}

// Behind a literal whose quote has been taken, or at the line's end: in "#error don't" a quote
// opens nothing. False: a comment may begin in there.
static bool skip_literal(scan *s, int quote) {
  bool comment = false;
  int before = 0;
  for (int c; (c = peek(s)) != '\n' && c != END; before = c) {
    take(s);
    if (c == quote)
      return true;
    if (c == '\\')
      take(s);
    comment |= before == '/' && c == '*';
  }
  return !comment;
}

// The rest of a directive with its line break. False: it has none, or what it is isn't clear.
static bool skip_directive(scan *s) {
  int before = 0;
  for (int c; (c = peek(s)) != END; before = c) {
    take(s);
    if (c == '\n')
      return true;
    if (c == '"' && before == 'R') // a raw string may go on over lines
      return false;
    if ((c == '"' || c == '\'') && !skip_literal(s, c))
      return false;
    if (c == '/' && (peek(s) == '/' || peek(s) == '*') && !skip_comment(s))
      return false;
  }
  return false;
}

static void read_word(scan *s, char *word, size_t size) {
  size_t length = 0;
  for (int c; (c = peek(s)) == '_' || (c >= 'a' && c <= 'z'); take(s))
    if (length + 1 < size)
      word[length++] = (char)c;
  word[length] = 0;
}

static bool is_one_of(const char *word, const char *const *list) {
  for (; *list; ++list)
    if (strcmp(word, *list) == 0)
      return true;
  return false;
}

// A directive from behind its '#' on; false: the preamble ends before it.
static bool read_directive(scan *s) {
  static const char *const opening[] = {"if", "ifdef", "ifndef", NULL};
  static const char *const within[] = {"else", "elif", "elifdef", "elifndef", NULL};
  static const char *const including[] = {"include", "include_next", "import", NULL};
  static const char *const others[] = {"", "define", "undef", "error", "warning", NULL};
  char word[16];
  if (!skip_blanks(s))
    return false;
  read_word(s, word, sizeof word);
  if (is_one_of(word, opening)) {
    ++s->depth;
  } else if (strcmp(word, "endif") == 0) {
    if (s->depth-- == 0)
      return false;
  } else if (is_one_of(word, including)) {
    s->includes = true;
  } else if (strcmp(word, "pragma") == 0) {
    if (!skip_blanks(s))
      return false;
    read_word(s, word, sizeof word);
    if (strcmp(word, "once") != 0)
      return false;
  } else if (is_one_of(word, within) ? s->depth == 0 : !is_one_of(word, others)) {
    return false;
  }
  if (!*word && peek(s) != '\n') // # 12 "file"
    return false;
  return skip_directive(s);
}

size_t preamble_size(const char *bytes, size_t size) {
  scan s = {.bytes = bytes, .size = size};
  size_t end = 0;
  while (skip_blanks(&s)) {
    int c = take(&s);
    if (c != '\n' && (c != '#' || !read_directive(&s)))
      break;
    if (s.depth == 0 && s.includes)
      end = s.at;
  }
  return end;
}
