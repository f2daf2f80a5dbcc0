// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // struct winsize, stdout as a variable

#include "command.h"
#include "suggest.h"

#include "divcost/path.h"
#include "divcost/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int command_fail(const char *where, const char *what) {
  char line[8192]; // in one write; paths have 4096 bytes at most
  snprintf(line, sizeof line, "divcost: %s%s%s", where ? where : "", where ? ": " : "", what);
  for (char *at = line; *at; ++at) // names come from files, too
    if ((unsigned char)*at < 0x20 || *at == 0x7f)
      *at = '?';
  fprintf(stderr, "%s\n", line);
  return FAILURE;
}

// ---- wrong usage --------------------------------------------------------------------------------

static struct {
  const char *name; // NULL: none yet
  command_main *run;
} running;

int command_run(const char *name, command_main *run, int count, char **arguments) {
  static char help[] = "--help";
  for (int k = 0; k < count && strcmp(arguments[k], "--") != 0; ++k)
    if (strcmp(arguments[k], "-h") == 0)
      arguments[k] = help;
  running.name = name;
  running.run = run;
  return run(count, arguments);
}

static int point_to_help(const char *see) {
  fprintf(stderr, "%s divcost %s%s--help\n", see, running.name ? running.name : "",
          running.name ? " " : "");
  return USAGE;
}

int command_misuse(const char *what, const char *argument) {
  fprintf(stderr, "divcost: %s%s%s%s", what, *argument ? " '" : "", argument, *argument ? "'" : "");
  return point_to_help("; see");
}

int command_exclusive(const char *option, const char *other) {
  fprintf(stderr, "divcost: %s and %s are given, only one of them can be", option, other);
  return point_to_help("; see");
}

int command_unknown(const char *what, const char *typed, const char *meant) {
  if (!*meant)
    return command_misuse(what, typed);
  fprintf(stderr, "divcost: %s '%s', did you mean '%s'?", what, typed, meant);
  return point_to_help(" See");
}

// What the subcommand prints for --help, to be freed; NULL where memory is out.
static char *help_of(command_main *run) {
  char *text = NULL, option[] = "--help", *arguments[] = {option, NULL};
  size_t size = 0;
  FILE *output = stdout, *memory = open_memstream(&text, &size);
  if (!memory)
    return NULL;
  stdout = memory;
  run(1, arguments);
  stdout = output;
  fclose(memory);
  return text;
}

int command_unknown_option(const char *option) {
  suggestion meant = suggest_begin(option);
  char *help = running.run ? help_of(running.run) : NULL;
  if (help)
    suggest_from_help(&meant, help);
  free(help);
  return command_unknown("unknown option", option, meant.name);
}

// ---- standard streams, first what is printed on them --------------------------------------------

int command_print(const char *text) {
  fputs(text, stdout);
  return 0;
}

static int output_reason; // why standard output failed

// The next file that is opened must not become a stream that was closed. In its place is one for
// the other direction, so that using it fails as it would have.
static void fill_closed(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (fcntl(stream, F_GETFD) < 0)
      open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static void abandon(int signal) {
  dc_replace_abandon();
  raise(signal); // once this returns; then it ends the process
}

static void catch_signals(void) {
  static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  struct sigaction action = {.sa_handler = abandon, .sa_flags = (int)SA_RESETHAND}, before;
  for (size_t k = 0; k < sizeof ending / sizeof *ending; ++k)
    if (sigaction(ending[k], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
      sigaction(ending[k], &action, NULL);
  signal(SIGXFSZ, SIG_IGN); // a file that is too large is a failed write
}

int command_begin(void) {
  fill_closed();
  catch_signals();
  // A copy is closed at the end, which tells as much. The stream itself ends with the process: who
  // reads it to its end may take the process for over (zsh does, and wakes it up meanwhile).
  int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  FILE *stream = copy < 0 ? NULL : dc_writer_open(copy, &output_reason);
  if (!stream)
    return command_fail("standard output", strerror(errno));
  if (isatty(STDOUT_FILENO))
    setvbuf(stream, NULL, _IOLBF, BUFSIZ);
  stdout = stream;
  return 0;
}

bool command_output_failed(void) { return fflush(stdout) != 0 || ferror(stdout); }

int command_end(int status) {
  bool failed = command_output_failed(), unsaid = ferror(stderr);
  failed = fclose(stdout) != 0 || failed;
  if (failed)
    command_fail("standard output", strerror(output_reason ? output_reason : EIO));
  return status == 0 && (failed || unsaid) ? FAILURE : status;
}

// ---- the terminal ------------------------------------------------------------------------------

bool command_colour(void) {
  const char *terminal = getenv("TERM"), *none = getenv("NO_COLOR"); // see no-color.org
  const char *force = getenv("FORCE_COLOR");                         // see force-color.org
  if (force && *force)
    return strcmp(force, "0") != 0;
  return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0 && !(none && *none);
}

bool command_utf8(void) { return strcmp(nl_langinfo(CODESET), "UTF-8") == 0; }

unsigned command_columns(void) {
  struct winsize size = {0};
  return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0
             ? size.ws_col
             : 80;
}

const char *path_from_here(const char *path) {
  char here[4096];
  return dc_path_below(getcwd(here, sizeof here), path);
}
