// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _DEFAULT_SOURCE // struct winsize

#include "command.h"

#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int command_fail(const char *where, const char *what) {
  fprintf(stderr, "divcost: %s%s%s\n", where ? where : "", where ? ": " : "", what);
  return FAILURE;
}

int command_misuse(const char *what, const char *argument) {
  fprintf(stderr, "divcost: %s%s%s%s; see divcost --help\n", what, *argument ? " '" : "", argument,
          *argument ? "'" : "");
  return USAGE;
}

int command_exclusive(const char *option, const char *other) {
  fprintf(stderr, "divcost: %s and %s are given, only one of them can be; see divcost --help\n",
          option, other);
  return USAGE;
}

int command_print(const char *text) {
  fputs(text, stdout);
  return command_flush();
}

int command_flush(void) {
  return fflush(stdout) != 0 || ferror(stdout) ? command_fail("standard output", strerror(errno))
                                               : 0;
}

bool command_colour(void) {
  const char *terminal = getenv("TERM"), *none = getenv("NO_COLOR"); // see no-color.org
  return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0 && !(none && *none);
}

bool command_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

unsigned command_columns(void) {
  struct winsize size = {0};
  return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0
             ? size.ws_col
             : 80;
}
