// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is checked: translation units, each with the command that analyses it.
#ifndef DIVCOST_TOOLS_CHECK_UNIT_H
#define DIVCOST_TOOLS_CHECK_UNIT_H

#include "check/options.h"
#include "compile/analysis.h"
#include "compile/configurations.h"
#include "compile/toolchain.h"

typedef enum check_state {
  CHECK_WAITS,
  CHECK_RUNS,
  CHECK_KEPT,     // an earlier run's result still holds
  CHECK_ANALYSED, // by this run
  CHECK_FAILED,   // there is no report; `failure` says why
} check_state;

// Strings are owned.
typedef struct check_unit {
  compile_command command;
  const dc_config *config; // of its folder; NULL: there is none
  char *name;              // for people: from the current directory if it is below that
  char *key;               // its files in the results folder are key.json and key.record
  uint64_t hash;           // of all words of the analysing command, and of the programs
  arguments named;         // files that the plugin's options name
  arguments unknown;       // options of nvcc that aren't known
  check_state state;
  char *messages; // what the compiler said; NULL: nothing
  char *note;     // one sentence of what isn't as the options ask; NULL: none
  char *failure;  // one sentence
} check_unit;

typedef struct check_units {
  check_unit *items;
  size_t count;
  configurations configs; // theirs
  size_t host_only;       // entries of the database that aren't CUDA
  size_t duplicates;      // entries that are compiled as another one is
  bool partial;           // not all files of a database
} check_units;

// The units that the options ask for, in the order of the database or of the command line. 0, or
// the exit status after a message. check_units_free in any case.
int check_units_find(const check_options *options, const toolchain *tools, check_units *units);

void check_units_free(check_units *units);

// The command that analyses a unit and leaves a report and the names of headers in these files, or,
// where they are NULL, doesn't; with what ptxas said in a file, or NULL.
dc_status check_unit_words(const check_unit *unit, const check_options *options,
                           const toolchain *tools, const char *report, const char *headers,
                           const char *ptxas, arguments *words, arguments *unknown,
                           dc_error *error);

// The command that compiles a unit to an object, with what ptxas says.
dc_status check_unit_ptxas_words(const check_unit *unit, const check_options *options,
                                 const toolchain *tools, const char *object, arguments *words,
                                 dc_error *error);

#endif
