// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700

#include "check/messages.h"

#include "compile/arguments.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void messages_free(messages *m) {
  string_set_free(&m->shown);
  *m = (messages){0};
}

static size_t line_length(const char *line) {
  size_t length = strcspn(line, "\n");
  return length + (line[length] == '\n');
}

// Where `words` starts in the line, or NULL.
static const char *find_in_line(const char *line, size_t length, const char *words) {
  size_t wanted = strlen(words);
  for (size_t k = 0; k + wanted <= length; ++k)
    if (!memcmp(line + k, words, wanted))
      return line + k;
  return NULL;
}

// "2 warnings generated when compiling for sm_90."
static bool is_count(const char *line, size_t length) {
  size_t digits = strspn(line, "0123456789");
  return digits > 0 && find_in_line(line, length, " generated") &&
         (!strncmp(line + digits, " warning", 8) || !strncmp(line + digits, " error", 6));
}

void messages_clean(char *text) {
  char *to = text;
  for (const char *line = text; *line;) {
    size_t length = line_length(line);
    bool drop = is_count(line, length);
    if (!drop) {
      memmove(to, line, length);
      to += length;
    }
    line += length;
  }
  *to = 0;
  json_t *value = json_string(text);
  for (char *at = text; !value && *at; ++at)
    if ((unsigned char)*at >= 0x80)
      *at = '?';
  json_decref(value);
}

#define INCLUDED "In file included from "
static bool is_include(const char *line) { return !strncmp(line, INCLUDED, strlen(INCLUDED)); }

// Whether the line starts a message of its own; source lines are indented.
static bool is_head(const char *line, size_t length) {
  static const char *const kinds[] = {": warning: ", ": error: ", ": fatal error: ", ": remark: "};
  if (*line == ' ')
    return false;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k)
    if (find_in_line(line, length, kinds[k]))
      return true;
  return false;
}

// The message that starts at `text`: its length, and its head.
static size_t message_length(const char *text, const char **head) {
  const char *at = text;
  *head = NULL;
  while (*at) {
    size_t length = line_length(at);
    if (is_head(at, length)) {
      if (*head)
        break;
      *head = at;
    } else if (*head && is_include(at)) {
      break;
    }
    at += length;
  }
  return (size_t)(at - text);
}

// Adds what tells a finding from another one: "DIRECTORY/FILE:LINE:COLUMN[rule]". False: the
// message is none of the plugin's.
static bool add_identity(const char *head, const char *directory, arguments *list) {
  size_t length = line_length(head);
  const char *kind = find_in_line(head, length, ": warning: ");
  const char *rule = find_in_line(head, length, "[divcost-");
  if (!kind || !rule)
    return false;
  arguments_addf(list, "%s/%.*s%.*s", *head == '/' ? "" : directory, (int)(kind - head), head,
                 (int)strcspn(rule, "]\n"), rule);
  return true;
}

// The path from the current directory if it is below that, else from the root, of what a compiler
// names from another directory; NULL: there is no such file. Owned by the caller.
static char *path_from_here(const char *directory, const char *name, size_t length) {
  arguments path = {0};
  arguments_addf(&path, "%s/%.*s", directory, (int)length, name);
  char *real = path.failed ? NULL : realpath(path.words[0], NULL);
  char *here = getcwd(NULL, 0);
  size_t prefix = here ? strlen(here) : 0;
  if (real && prefix > 1 && !strncmp(real, here, prefix) && real[prefix] == '/')
    memmove(real, real + prefix + 1, strlen(real + prefix + 1) + 1);
  free(here);
  arguments_free(&path);
  return real;
}

// Prints a line. A place that it starts with, "FILE:LINE:", is made one that can be found from
// here.
static void print_line(const char *line, size_t length, const char *directory, FILE *to) {
  size_t start = is_include(line) ? strlen(INCLUDED) : 0;
  size_t name = strcspn(line + start, ":\n"),
         digits = strspn(line + start + name + 1, "0123456789");
  char *path = NULL;
  if (start + name < length && digits > 0 && line[start] != '/' && line[start] != ' ' &&
      line[start + name + 1 + digits] == ':')
    path = path_from_here(directory, line + start, name);
  size_t rest = path ? start + name : start;
  fprintf(to, "%.*s%s", (int)start, line, path ? path : "");
  fwrite(line + rest, 1, length - rest, to);
  free(path);
}

static bool is_new(messages *m, const char *text, size_t length) {
  bool added = true;
  return string_set_add(&m->shown, text, length, &added) == UINT32_MAX || added;
}

// What a compiler printed that is no message isn't cut into lines that mean something.
enum { OTHER_TEXT_MAX = 2000 };

void messages_show(messages *m, const char *text, const char *directory, FILE *to) {
  while (*text) {
    const char *head;
    size_t length = message_length(text, &head);
    arguments identity = {0};
    bool is_finding = head && add_identity(head, directory, &identity) && !identity.failed;
    bool show = is_finding ? is_new(m, identity.words[0], strlen(identity.words[0]))
                           : is_new(m, text, length);
    size_t most = head || length < OTHER_TEXT_MAX ? length : OTHER_TEXT_MAX;
    for (const char *line = text; show && line < text + most; line += line_length(line))
      print_line(line, line_length(line), directory, to);
    m->findings += is_finding && show;
    m->repeated += is_finding && !show;
    arguments_free(&identity);
    text += length;
  }
}
