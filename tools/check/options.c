// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700 // realpath

#include "check/options.h"

#include "command.h"
#include "divcost/files.h"
#include "report/report.h"
#include "threads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char check_help[] =
    "usage: divcost check -p BUILD [OPTION ...] [FILE ...] [-- MORE-FLAGS]\n"
    "       divcost check [OPTION ...] FILE ... [-- FLAGS]\n"
    "\n"
    "Analyses CUDA files with clang and divcost's plugin, several at a time, and prints the\n"
    "findings; nothing is built. With -p: all CUDA files of a build, or the named ones, compiled\n"
    "as its compile_commands.json says, by clang or by nvcc (whose options are translated).\n"
    "Without: the named files, with clang's FLAGS; or, without --, as the nearest\n"
    "compile_commands.json above them says.\n"
    "\n"
    "  -p BUILD        the folder of a compile_commands.json (cmake writes it with\n"
    "                  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON), or that file\n"
    "  -j N            this many compilers at a time (default: one for each processor)\n"
    "  --annotations FILE\n"
    "                  what is known of loops' trip counts and kernels' launches, for all files: "
    "as\n"
    "                  docs/annotations.md has it\n"
    "  --measured FILE says what was measured instead of what is estimated, worst first by the "
    "time\n"
    "                  of the program: FILE is of divcost profile import-ncu\n"
    "  --arch LIST     for these architectures, whatever the build says: sm_80,sm_90\n"
    "  --report FILE   writes a report of all files: for people if FILE ends in .txt, or is - for\n"
    "                  standard output; in .json, .jsonl, .sarif or .html what divcost report\n"
    "                  writes with the option of this name. May be given several times\n"
    "  --results DIR   keeps results there, so that what has not changed is not analysed again, "
    "and\n"
    "                  a run that was stopped goes on (default with -p: BUILD/divcost-check)\n"
    "  --timeout S     gives a file up after S seconds (default: 300)\n"
    "  --clang PROGRAM clang++ of the LLVM that the plugin is for (default: $DIVCOST_CLANG, then "
    "the\n"
    "                  one that divcost was built with)\n"
    "  --plugin FILE   divcost.so (default: the one that belongs to this command)\n"
    "  --with-ptxas    compiles each file, too, as its build does, so that ptxas says how many\n"
    "                  registers kernels take: exact occupancy in reports, instead of an interval\n"
    "  --print-config  prints what counts for each file, and who says so: .divcost files, options\n"
    "  --print-command prints, for a shell, clang's command for each file, and runs none: what\n"
    "                  nvcc's options have become\n"
    "  -q, --quiet     prints findings and what goes wrong, without progress and summary\n"
    "  --only-new      prints no findings that the file of --baseline lists\n";

static const char *const value_options[] = {"-p",         "-j",       "--annotations", "--arch",
                                            "--measured", "--report", "--results",     "--timeout",
                                            "--clang",    "--plugin"};

// The value of words[*at] if that is the option `name`: behind a '=', right behind a short name, or
// the next word. NULL: it is another word, or it has no value.
static const char *value_of(const char *name, int count, char **words, int *at) {
  size_t length = strlen(name);
  const char *word = words[*at];
  if (strncmp(word, name, length) != 0)
    return NULL;
  if (word[length] == 0)
    return *at + 1 < count ? words[++*at] : NULL;
  if (name[1] == '-')
    return word[length] == '=' ? word + length + 1 : NULL;
  return word + length;
}

static bool read_jobs(const char *text, unsigned *jobs) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  *jobs = (unsigned)value;
  return *text >= '0' && *text <= '9' && !*end && value >= 1 && value <= THREADS_MAX;
}

static bool read_timeout(const char *text, double *seconds) {
  char *end;
  *seconds = strtod(text, &end);
  return *text >= '0' && *text <= '9' && !*end && *seconds > 0 && *seconds <= 1e6;
}

// The compilers run elsewhere.
static int set_path(char **path, const char *value) {
  free(*path);
  *path = realpath(value, NULL);
  return *path ? 0 : command_fail(value, strerror(errno));
}

// What is wrong with the file is said once.
static int set_measured(check_options *options, const char *value) {
  dc_measured measured;
  dc_error error;
  if (dc_measured_load(value, &measured, &error) != DC_OK)
    return command_fail(value, error.text);
  dc_measured_free(&measured);
  return set_path(&options->measured, value);
}

static int set(check_options *options, const char *name, const char *value) {
  if (!strcmp(name, "-p")) {
    options->build = value;
  } else if (!strcmp(name, "-j")) {
    if (!read_jobs(value, &options->jobs))
      return command_misuse("-j takes a number from 1 to 256, not", value);
  } else if (!strcmp(name, "--annotations")) {
    return set_path(&options->annotations, value);
  } else if (!strcmp(name, "--arch")) {
    if (strncmp(value, "sm_", 3) != 0)
      return command_misuse("--arch takes architectures (sm_80,sm_90), not", value);
    options->architectures = value;
  } else if (!strcmp(name, "--measured")) {
    return set_measured(options, value);
  } else if (!strcmp(name, "--report")) {
    if (options->n_reports == CHECK_REPORTS_MAX)
      return command_misuse("there are too many --report; there may be 8, without", value);
    options->reports[options->n_reports++] = value;
  } else if (!strcmp(name, "--results")) {
    options->results = value;
  } else if (!strcmp(name, "--timeout")) {
    if (!read_timeout(value, &options->timeout))
      return command_misuse("--timeout takes seconds, up to 1000000, not", value);
  } else if (!strcmp(name, "--clang")) {
    options->clang = value;
  } else {
    options->plugin = value;
  }
  return 0;
}

// Reads words[*at], which is not "--".
static int read_word(check_options *options, int count, char **words, int *at) {
  const char *word = words[*at];
  gate_taken taken = gate_option(&options->gate, count, words, at);
  if (taken != GATE_OTHER)
    return taken == GATE_TAKEN ? 0 : USAGE;
  for (size_t k = 0; k < sizeof value_options / sizeof *value_options; ++k) {
    const char *value = value_of(value_options[k], count, words, at);
    if (value && *value)
      return set(options, value_options[k], value);
    if (value || !strcmp(word, value_options[k]))
      return command_misuse("a value is missing after", value_options[k]);
  }
  if (word[0] == '-')
    return command_unknown_option(word);
  arguments_add(&options->files, word);
  return options->files.failed ? command_fail(NULL, "out of memory") : 0;
}

// What an option without a value sets; NULL: it is none.
static bool *flag_of(check_options *options, const char *word) {
  const struct {
    const char *name;
    bool *flag;
  } flags[] = {{"--print-config", &options->print_config},
               {"--print-command", &options->print_commands},
               {"--with-ptxas", &options->with_ptxas},
               {"--quiet", &options->quiet},
               {"-q", &options->quiet},
               {"--only-new", &options->only_new}};
  for (size_t k = 0; k < sizeof flags / sizeof *flags; ++k)
    if (!strcmp(word, flags[k].name))
      return flags[k].flag;
  return report_fold_option(&options->fold, word);
}

int check_options_read(int count, char **words, check_options *options) {
  *options = (check_options){.jobs = threads_processors(), .timeout = 300};
  int result = 0;
  for (int k = 0; k < count && result == 0 && !options->has_flags; ++k) {
    if (!strcmp(words[k], "--help")) {
      options->help = true;
      return 0;
    }
    bool *flag = flag_of(options, words[k]);
    if (flag) {
      *flag = true;
    } else if (!strcmp(words[k], "--")) {
      options->has_flags = true;
      options->flags = words + k + 1;
      options->n_flags = (size_t)(count - k - 1);
    } else {
      result = read_word(options, count, words, &k);
    }
  }
  if (result == 0 && !options->build && options->files.count == 0)
    result = command_misuse("check needs a file, or -p and the folder of a build", "");
  return result;
}

void check_options_free(check_options *options) {
  arguments_free(&options->files);
  free(options->annotations);
  free(options->measured);
}
