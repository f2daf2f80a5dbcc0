// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _POSIX_C_SOURCE 200809L

#include "compile/arguments.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void arguments_free(arguments *list) {
  for (size_t k = 0; k < list->count; ++k)
    free(list->words[k]);
  free(list->words);
  *list = (arguments){0};
}

// Makes room for one more word and the NULL after it.
static bool reserve(arguments *list) {
  if (list->count + 2 <= list->capacity)
    return true;
  size_t capacity = list->capacity ? 2 * list->capacity : 16;
  char **words =
      capacity <= SIZE_MAX / sizeof *words ? realloc(list->words, capacity * sizeof *words) : NULL;
  if (!words)
    return false;
  list->words = words;
  list->capacity = capacity;
  return true;
}

// Adds a word that the list owns from now on; NULL: memory ran out when it was made.
static void adopt(arguments *list, char *word) {
  if (list->failed || !word || !reserve(list)) {
    free(word);
    list->failed = true;
    return;
  }
  list->words[list->count++] = word;
  list->words[list->count] = NULL;
}

void arguments_add(arguments *list, const char *text) { adopt(list, strdup(text)); }

void arguments_add_part(arguments *list, const char *text, size_t length) {
  adopt(list, strndup(text, length));
}

void arguments_addf(arguments *list, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = vsnprintf(NULL, 0, format, values);
  va_end(values);
  char *word = length < 0 ? NULL : malloc((size_t)length + 1);
  if (word) {
    va_start(values, format);
    vsnprintf(word, (size_t)length + 1, format, values);
    va_end(values);
  }
  adopt(list, word);
}

void arguments_add_all(arguments *list, const arguments *more) {
  for (size_t k = 0; k < more->count; ++k)
    arguments_add(list, more->words[k]);
  list->failed |= more->failed;
}

// Copies the word that starts at `text` to `word`, without its quotes; gives where it ends.
static const char *read_word(const char *text, char *word) {
  char quote = 0;
  for (; *text && (quote || !strchr(" \t\r\n", *text)); ++text) {
    if (*text == quote)
      quote = 0;
    else if (!quote && (*text == '"' || *text == '\''))
      quote = *text;
    else if (*text == '\\' && quote != '\'' && text[1] && (!quote || strchr("\"\\$`", text[1])))
      *word++ = *++text;
    else
      *word++ = *text;
  }
  *word = 0;
  return text;
}

void arguments_add_text(arguments *list, const char *text) {
  char *word = malloc(strlen(text) + 1);
  list->failed |= !word;
  while (word && *(text += strspn(text, " \t\r\n"))) {
    if (*text == '#') {
      text += strcspn(text, "\n");
    } else {
      text = read_word(text, word);
      arguments_add(list, word);
    }
  }
  free(word);
}

bool arguments_contain(const arguments *list, const char *text) {
  for (size_t k = 0; k < list->count; ++k)
    if (!strcmp(list->words[k], text))
      return true;
  return false;
}

// Writes a word as a shell reads it, in single quotes where it needs any.
static void quote(FILE *stream, const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "%+,-./:=@_";
  if (*word && !word[strspn(word, plain)]) {
    fputs(word, stream);
    return;
  }
  putc('\'', stream);
  for (; *word; ++word) {
    if (*word == '\'')
      fputs("'\\''", stream);
    else
      putc(*word, stream);
  }
  putc('\'', stream);
}

char *arguments_line(const arguments *list) {
  char *line = NULL;
  size_t size;
  FILE *stream = open_memstream(&line, &size);
  if (!stream)
    return NULL;
  for (size_t k = 0; k < list->count; ++k) {
    if (k)
      putc(' ', stream);
    quote(stream, list->words[k]);
  }
  bool bad = ferror(stream);
  if (fclose(stream) != 0 || bad) {
    free(line);
    return NULL;
  }
  return line;
}
