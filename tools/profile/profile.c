// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost profile`: shows, merges and compares .divprof files (docs/profile.md). Merging takes one
// file after the other into one profile in memory, so its size is that of the result.
#include "profile/profile.h"

#include "divcost/files.h"

#include "command.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: divcost profile show [--json] FILE\n"
    "       divcost profile merge -o OUT FILE [FILE ...]\n"
    "       divcost profile diff FILE FILE\n"
    "\n"
    "show    prints what was counted of each loop: entries of warps and lanes, trip counts, the "
    "SIMT\n"
    "        efficiency (lane-iterations / (32 * warp-iterations)), the imbalance among the lanes "
    "that\n"
    "        enter, and how alike lanes of a warp are (1: all run the same count, 0: independent)\n"
    "merge   adds files up. A file that can't be used is named, with where and why, and left out; "
    "the\n"
    "        exit status is then 1\n"
    "diff    prints the loops whose counts differ: mean trips and efficiency of both, and the "
    "share\n"
    "        of the entries that would have to change for equal distributions\n"
    "\n"
    "Programs write these files that were compiled with "
    "-fplugin-arg-divcost-profile-generate[=FILE] "
    "and\n"
    "linked with -ldivcost-profile; -fplugin-arg-divcost-profile-use=FILE reads them.\n"
    "Exit status: 0 done, 1 a file can't be read, understood or written, 2 wrong usage.\n";

static int load(const char *path, dc_profile *profile) {
  dc_error error;
  return dc_profile_load(path, profile, &error) == DC_OK ? 0 : command_fail(path, error.text);
}

static int show(int count, char **arguments) {
  bool json = count > 0 && !strcmp(arguments[0], "--json");
  if (count != 1 + json)
    return command_misuse("profile show needs one file", "");
  dc_profile profile;
  int result = load(arguments[json], &profile);
  if (result == 0 && json)
    result = profile_show_json(&profile);
  else if (result == 0)
    profile_show_text(&profile);
  dc_profile_free(&profile);
  return result;
}

static int merge(int count, char **arguments) {
  const char *out = NULL;
  dc_profile all = {0};
  dc_error error;
  int result = 0, files = 0;
  for (int k = 0; k < count; ++k) {
    if (!strcmp(arguments[k], "-o") && k + 1 < count && !out)
      out = arguments[++k];
    else if (arguments[k][0] == '-')
      return command_unknown_option(arguments[k]);
    else
      ++files;
  }
  if (!out || files == 0)
    return command_misuse("profile merge needs -o OUT and a file", "");
  dc_status status = DC_OK;
  for (int k = 0; k < count && status == DC_OK; ++k) {
    dc_profile one;
    if (!strcmp(arguments[k], "-o")) {
      ++k;
    } else if (load(arguments[k], &one) != 0) {
      result = FAILURE;
    } else {
      status = dc_profile_merge(&all, &one, &error);
      if (status != DC_OK)
        result = command_fail(arguments[k], error.text);
      dc_profile_free(&one);
    }
  }
  if (status == DC_OK && dc_profile_save(out, &all, &error) != DC_OK)
    result = command_fail(out, error.text);
  dc_profile_free(&all);
  return result;
}

static int diff(int count, char **arguments) {
  if (count != 2)
    return command_misuse("profile diff needs two files", "");
  dc_profile a, b = {0};
  int result = load(arguments[0], &a);
  if (result == 0)
    result = load(arguments[1], &b);
  if (result == 0)
    profile_diff_text(&a, &b);
  dc_profile_free(&a);
  dc_profile_free(&b);
  return result;
}

int command_profile(int count, char **arguments) {
  if (count == 0)
    return command_misuse("profile needs show, merge or diff", "");
  if (!strcmp(arguments[0], "--help"))
    return command_print(help);
  if (!strcmp(arguments[0], "show"))
    return show(count - 1, arguments + 1);
  if (!strcmp(arguments[0], "merge"))
    return merge(count - 1, arguments + 1);
  if (!strcmp(arguments[0], "diff"))
    return diff(count - 1, arguments + 1);
  return command_misuse("unknown command profile", arguments[0]);
}
