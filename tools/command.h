// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the subcommands of `divcost` share: how they fail, and what the terminal can show.
#ifndef DIVCOST_TOOLS_COMMAND_H
#define DIVCOST_TOOLS_COMMAND_H

#include <stdbool.h>

enum { FAILURE = 1, USAGE = 2 };

// Prints "divcost: where: what" and gives the exit status of a failure. where may be NULL.
int command_fail(const char *where, const char *what);

// A subcommand, on what follows its name; gives the exit status.
typedef int command_main(int count, char **arguments);

// Runs a subcommand. Messages about wrong usage send people to its help from then on, and an option
// `-h` before a "--" is its --help.
int command_run(const char *name, command_main *run, int count, char **arguments);

// Prints "divcost: what 'argument'; see divcost NAME --help" and gives the exit status of wrong
// usage. argument may be empty.
int command_misuse(const char *what, const char *argument);

// The same for an option that there isn't, with the one of the subcommand's help that may be meant.
int command_unknown_option(const char *option);

// The same for another name that there isn't, `what` it is and the one that may be meant; empty:
// none.
int command_unknown(const char *what, const char *typed, const char *meant);

// The same for two options of which only one can be given.
int command_exclusive(const char *option, const char *other);

// Makes the standard streams ones on which every failure is seen, and sees to it that signals leave
// no temporary files: once, first. 0, or the exit status of a failure.
int command_begin(void);

// Closes standard output. Gives the exit status: the command's, or that of a failure if something
// that it printed couldn't be written, after a message.
int command_end(int status);

// Prints a text to standard output; gives the exit status 0, for command_end looks at that.
int command_print(const char *text);

// Writes out what was printed: whether anything so far couldn't be. command_end says why.
bool command_output_failed(void);

// Whether standard output is a terminal that shows colours.
bool command_colour(void);

// Whether the locale's characters are UTF-8. main must have called setlocale(LC_CTYPE, "").
bool command_utf8(void);

// Columns of the terminal on standard output, 80 if it is none.
unsigned command_columns(void);

// A path as people write it: from the current directory if it is below that. Points into the path.
const char *path_from_here(const char *path);

command_main command_calibrate, command_check, command_diff, command_emulate, command_lsp,
    command_model, command_profile, command_report, command_what_if;

#endif
