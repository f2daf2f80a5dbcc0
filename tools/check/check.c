// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost check`: analyses files with the plugin, and fails where it should. docs/check.md is its
// manual.
#define _POSIX_C_SOURCE 200809L

#include "check/conclude.h"
#include "check/print_config.h"
#include "command.h"
#include "report/report.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int print_help(void) {
  fputs(check_help, stdout);
  gate_print_help();
  fputs(report_fold_help, stdout);
  return command_print(
      "  --help          prints this\n"
      "\n"
      "Exit status: 0 all files were analysed and no finding fails, 1 some weren't or one does,\n"
      "2 wrong usage, 130 stopped with Ctrl-C; the same command then goes on. docs/check.md has\n"
      "examples, and what becomes of nvcc's options.\n");
}

static int say_interrupted(const check_run *run) {
  fprintf(stderr, "divcost: stopped (%s) with %zu of %zu files done%s\n", strsignal(run->signal),
          run->kept + run->analysed, run->units->count,
          run->results->temporary ? "" : "; the same command goes on from here");
  return 128 + run->signal;
}

// Everything that is read of the folder is read first: writing may wait for somebody's pipe, and
// then a signal must end the process, with nothing of a temporary folder left.
static int conclude(check_run *run, const sigset_t *before) {
  if (run->signal || run->hopeless || run->unheard)
    messages_show_held(&run->messages, stdout);
  if (run->signal)
    return say_interrupted(run);
  if (run->hopeless)
    return command_fail(NULL, run->hopeless);
  if (run->unheard)
    return FAILURE; // command_end says why
  report_stream stream = {0};
  dc_kernels kernels;
  int result = conclude_read(run, &stream, &kernels);
  results_close(run->results);
  sigprocmask(SIG_SETMASK, before, NULL);
  if (result == 0)
    result = conclude_new(run, &kernels);
  messages_show_held(&run->messages, stdout);
  conclude_summary(run);
  if (result == 0)
    result = conclude_reports(run, &kernels);
  report_stream_end(&stream);
  return run->failed ? FAILURE : result;
}

// A signal ends the process only when the folder for results is the user's, or gone.
static int run_in(const char *folder, const check_options *options, const toolchain *tools,
                  check_units *units) {
  dc_error error;
  results kept;
  int result = 0;
  sigset_t ending, before;
  check_run_signals(&ending);
  sigprocmask(SIG_BLOCK, &ending, &before);
  if (results_open(folder, &kept, &error) != DC_OK) {
    result = command_fail(NULL, error.text);
  } else {
    check_run run = {.options = options, .tools = tools, .units = units, .results = &kept};
    run.messages.hold = options->measured || options->only_new;
    if (!units->partial && !kept.temporary)
      results_remove_others(&kept, units);
    check_run_all(&run);
    if (!kept.temporary)
      sigprocmask(SIG_SETMASK, &before, NULL);
    result = conclude(&run, &before);
    check_run_free(&run);
  }
  results_close(&kept);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return result;
}

// Where results are kept if the user names no folder: with the build, if there is one.
static int run_units(const check_options *options, const toolchain *tools, check_units *units) {
  static const char database[] = "compile_commands.json", folder[] = "divcost-check";
  arguments path = {0};
  if (options->results) {
    arguments_add(&path, options->results);
  } else if (options->build) {
    size_t length = strlen(options->build), end = sizeof database - 1;
    bool is_file = length >= end && !strcmp(options->build + length - end, database);
    arguments_addf(&path, "%.*s%s%s", (int)(is_file ? length - end : length), options->build,
                   is_file ? "" : "/", folder);
  }
  int result = path.failed ? command_fail(NULL, "out of memory")
                           : run_in(path.count ? path.words[0] : NULL, options, tools, units);
  arguments_free(&path);
  return result;
}

// What nvcc's options have become, for who wants to see or to try it.
static int print_command(const check_options *options, const toolchain *tools,
                         const check_unit *unit) {
  arguments words = {0}, unknown = {0}, folder = {0};
  dc_error error;
  dc_status status =
      check_unit_words(unit, options, tools, NULL, NULL, NULL, &words, &unknown, &error);
  arguments_add(&folder, unit->command.directory);
  char *line = arguments_line(&words), *to = arguments_line(&folder);
  int result = 0;
  if (status != DC_OK)
    result = command_fail(unit->name, error.text);
  else if (!line || !to)
    result = command_fail(NULL, "out of memory");
  else
    printf("cd %s && %s\n", to, line);
  free(line);
  free(to);
  arguments_free(&words);
  arguments_free(&unknown);
  arguments_free(&folder);
  return result;
}

static int print_commands(const check_options *options, const toolchain *tools,
                          const check_units *units) {
  int result = 0;
  for (size_t k = 0; k < units->count && result == 0; ++k)
    result = print_command(options, tools, &units->items[k]);
  return result;
}

// The baseline that the files' configurations name, unless the command line names one: a run has
// one for all. One that is to be written need not be there.
static int use_baseline(check_options *options, const check_units *units) {
  gate_options *gate = &options->gate;
  const dc_config *by = NULL;
  for (size_t k = 0; !gate->baseline && k < units->configs.count; ++k) {
    const dc_config *config = units->configs.items[k];
    if (config->baseline && by && strcmp(config->baseline, by->baseline) != 0)
      return command_fail(config->path, "names another baseline than the .divcost of other files; "
                                        "check these apart, or say --baseline FILE");
    by = config->baseline ? config : by;
  }
  if (by && access(by->baseline, F_OK) == 0)
    gate->baseline = by->baseline;
  else if (by && !gate->write_baseline)
    return command_fail(by->baseline, "is named in .divcost as the baseline and isn't there; "
                                      "--write-baseline FILE makes it");
  if (options->only_new && !gate->baseline)
    return command_misuse("which findings are new follows from a baseline: --only-new needs "
                          "--baseline FILE, or a .divcost that names one",
                          "");
  return 0;
}

static int run_or_print(const check_options *options, const toolchain *tools, check_units *units) {
  if (options->print_config)
    return check_print_config(options, units);
  return options->print_commands ? print_commands(options, tools, units)
                                 : run_units(options, tools, units);
}

static int check(check_options *options) {
  toolchain tools = {0};
  check_units units = {0};
  dc_error error;
  int result = conclude_check_reports(options);
  if (result == 0 && toolchain_find(options->clang, options->plugin, &tools, &error) != DC_OK)
    result = command_fail(NULL, error.text);
  if (result == 0)
    result = check_units_find(options, &tools, &units);
  options->gate.partial = units.partial;
  if (result == 0 && !options->print_config)
    result = use_baseline(options, &units);
  if (result == 0)
    result = run_or_print(options, &tools, &units);
  check_units_free(&units);
  toolchain_free(&tools);
  return result;
}

int command_check(int count, char **arguments) {
  check_options options;
  signal(SIGPIPE, SIG_IGN); // who reads the findings may stop: then the compilers must, too
  int result = check_options_read(count, arguments, &options);
  char *nearest = NULL;
  if (result == 0 && !options.help && !options.build && !options.has_flags) {
    nearest = compile_database_nearest(options.files.words[0]);
    options.build = nearest;
  }
  if (result == 0)
    result = options.help ? print_help() : check(&options);
  check_options_free(&options);
  free(nearest);
  return result;
}
