// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef _GNU_SOURCE // LLVM sets it, for what includes its headers
#define _GNU_SOURCE // memmem, memrchr
#endif

#include "findings/nolint.h"

#include "divcost/rules.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

static const char tool[] = "divcost", prefix[] = "divcost-";

typedef struct span {
  const char *begin, *end;
} span;

static bool begins_with(span of, const char *word) {
  size_t length = strlen(word);
  return (size_t)(of.end - of.begin) >= length && memcmp(of.begin, word, length) == 0;
}

static bool is_word(span of, const char *word) {
  return begins_with(of, word) && (size_t)(of.end - of.begin) == strlen(word);
}

static span trimmed(span of) {
  while (of.begin < of.end && isspace((unsigned char)*of.begin))
    ++of.begin;
  while (of.begin < of.end && isspace((unsigned char)of.end[-1]))
    --of.end;
  return of;
}

static bool names_rule(span item, const char *rule) {
  char name[64], pattern[64];
  int length = snprintf(pattern, sizeof pattern, "%.*s", (int)(item.end - item.begin), item.begin);
  snprintf(name, sizeof name, "%s%s", prefix, rule);
  return (size_t)length < sizeof pattern && fnmatch(pattern, name, FNM_NOESCAPE) == 0;
}

static bool is_unknown(span item) {
  if (!begins_with(item, prefix) || memchr(item.begin, '*', (size_t)(item.end - item.begin)))
    return false;
  for (int rule = 0; rule < DC_RULE_COUNT; ++rule)
    if (names_rule(item, dc_rule_name((dc_rule)rule)))
      return false;
  return true;
}

// Whether a list names what is looked for; notes a name in it that is none.
static bool covers(span list, const char *rule, dcp_nolint *found) {
  bool covered = false;
  while (list.begin <= list.end) {
    size_t left = (size_t)(list.end - list.begin);
    const char *comma = left ? memchr(list.begin, ',', left) : NULL;
    span item = trimmed((span){list.begin, comma ? comma : list.end});
    covered |= is_word(item, tool) || (rule ? names_rule(item, rule) : begins_with(item, tool)) ||
               is_word(item, "*");
    if (!found->unknown && is_unknown(item)) {
      found->unknown = item.begin;
      found->length = (size_t)(item.end - item.begin);
    }
    list.begin = (comma ? comma : list.end) + 1;
  }
  return covered;
}

// Whether a comment's word, behind which `of` begins, is about what is looked for; moves `of`
// behind its list.
static bool is_about(span *of, const char *rule, dcp_nolint *found) {
  if (of->begin == of->end || *of->begin != '(')
    return of->begin == of->end || !isalnum((unsigned char)*of->begin);
  const char *list = of->begin + 1;
  const char *close = memchr(list, ')', (size_t)(of->end - list));
  of->begin = close ? close : of->end;
  return covers((span){list, of->begin}, rule, found);
}

// Moves behind the next such word. False: there is none.
static bool skip_to(span *of, const char *word) {
  size_t length = strlen(word);
  const char *at = memmem(of->begin, (size_t)(of->end - of->begin), word, length);
  of->begin = at ? at + length : of->end;
  return at != NULL;
}

static bool any(span of, const char *word, const char *rule, dcp_nolint *found) {
  while (skip_to(&of, word))
    if (is_about(&of, rule, found))
      return true;
  return false;
}

// Whether more of the regions that are about the rule begin than end in front of the line.
static bool is_in_region(span before, const char *rule) {
  dcp_nolint unused = {false, NULL, 0};
  size_t open = 0;
  while (skip_to(&before, "NOLINT")) {
    bool begins = begins_with(before, "BEGIN"), ends = begins_with(before, "END");
    before.begin += begins ? strlen("BEGIN") : ends ? strlen("END") : 0;
    if ((begins || ends) && is_about(&before, rule, &unused))
      open = begins ? open + 1 : open > 0 ? open - 1 : 0;
  }
  return open > 0;
}

dcp_nolint dcp_nolint_of(const char *text, size_t size, size_t offset, const char *rule) {
  dcp_nolint found = {false, NULL, 0};
  const char *line = memrchr(text, '\n', offset);
  line = line ? line + 1 : text;
  const char *end = memchr(text + offset, '\n', size - offset);
  end = end ? end : text + size;
  found.silences = any((span){line, end}, "NOLINT", rule, &found);
  if (line > text && !found.silences) {
    const char *before = memrchr(text, '\n', (size_t)(line - 1 - text));
    before = before ? before + 1 : text;
    found.silences = any((span){before, line - 1}, "NOLINTNEXTLINE", rule, &found) ||
                     is_in_region((span){text, line}, rule);
  }
  return found;
}
