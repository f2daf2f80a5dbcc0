// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost profile`: shows, merges and compares .divprof files (docs/profile.md), and makes files
// of measurements (docs/measured.md). Merging takes one file after the other into one profile in
// memory, so its size is that of the result.
#include "profile/profile.h"

#include "divcost/files.h"
#include "divcost/input.h"

#include "command.h"

#include <stdio.h>
#include <string.h>

static const char help[] =
    "usage: divcost profile show [--json] FILE\n"
    "       divcost profile merge -o OUT FILE [FILE ...]\n"
    "       divcost profile diff FILE FILE\n"
    "       divcost profile import-ncu -o OUT FILE [FILE ...]\n"
    "\n"
    "show    prints what was counted of each loop: entries of warps and lanes, trip counts, the "
    "SIMT\n"
    "        efficiency (lane-iterations / (32 * warp-iterations)), the imbalance among the lanes "
    "that\n"
    "        enter, and how alike lanes of a warp are (1: all run the same count, 0: "
    "independent);\n"
    "        executions of blocks by warps and lanes, and launches;\n"
    "        of a file of import-ncu, where the lanes of each kernel idle, what its warps\n"
    "        wait for, and what its accesses take\n"
    "merge   adds files up. A file that can't be used is named, with where and why, and left out; "
    "the\n"
    "        exit status is then 1\n"
    "diff    prints the loops whose counts differ: mean trips and efficiency of both, and the "
    "share\n"
    "        of the entries that would have to change for equal distributions\n"
    "import-ncu\n"
    "        makes a file of what Nsight Compute counted while a program ran, for divcost check "
    "--measured:\n"
    "        FILE is a report (.ncu-rep, where ncu is on the PATH), or its pages as CSV:\n"
    "          nvcc -lineinfo ...\n"
    "          ncu --section SourceCounters --metrics gpu__time_duration.sum -o run ./app\n"
    "          ncu --import run.ncu-rep --page source --csv --print-source cuda,sass \\\n"
    "              --print-kernel-base mangled > source.csv\n"
    "          ncu --import run.ncu-rep --page raw --csv --print-kernel-base mangled > raw.csv\n"
    "\n"
    "Programs write .divprof files that were compiled with "
    "-fplugin-arg-divcost-profile-generate[=FILE] "
    "and\n"
    "linked with -ldivcost-profile; -fplugin-arg-divcost-profile-use=FILE reads them.\n"
    "Exit status: 0 done, 1 a file can't be read, understood or written, 2 wrong usage.\n";

static int load(const char *path, dc_profile *profile) {
  dc_error error;
  return dc_profile_load(path, profile, &error) == DC_OK ? 0 : command_fail(path, error.text);
}

// Whether a file has JSON, as those of import-ncu do.
static bool is_json(const char *path) {
  char first = 0;
  FILE *stream = dc_input_open(path, NULL);
  bool got = stream && fread(&first, 1, 1, stream) == 1;
  if (stream)
    fclose(stream);
  return got && first == '{';
}

static int show_measured(const char *path, bool json) {
  dc_measured measured;
  dc_error error;
  if (json)
    return command_misuse("profile show --json is for .divprof files; this is JSON already:", path);
  if (dc_measured_load(path, &measured, &error) != DC_OK)
    return command_fail(path, error.text);
  int result = measured_show_text(&measured);
  dc_measured_free(&measured);
  return result;
}

static int show(int count, char **arguments) {
  bool json = count > 0 && !strcmp(arguments[0], "--json");
  if (count != 1 + json)
    return command_misuse("profile show needs one file", "");
  if (is_json(arguments[json]))
    return show_measured(arguments[json], json);
  dc_profile profile;
  int result = load(arguments[json], &profile);
  if (result == 0 && json)
    result = profile_show_json(&profile);
  else if (result == 0)
    profile_show_text(&profile);
  dc_profile_free(&profile);
  return result;
}

int profile_read_output(int count, char **arguments, const char *misuse, const char **output) {
  const char *out = NULL;
  int files = 0;
  for (int k = 0; k < count; ++k) {
    if (!strcmp(arguments[k], "-o") && k + 1 < count && !out)
      out = arguments[++k];
    else if (arguments[k][0] == '-')
      return command_unknown_option(arguments[k]);
    else
      ++files;
  }
  *output = out;
  return out && files ? 0 : command_misuse(misuse, "");
}

static int merge(int count, char **arguments) {
  const char *out = NULL;
  dc_profile all = {0};
  dc_error error;
  int result = profile_read_output(count, arguments, "profile merge needs -o OUT and a file", &out);
  if (result != 0)
    return result;
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
    return command_misuse("profile needs show, merge, diff or import-ncu", "");
  if (!strcmp(arguments[0], "--help"))
    return command_print(help);
  if (!strcmp(arguments[0], "show"))
    return show(count - 1, arguments + 1);
  if (!strcmp(arguments[0], "merge"))
    return merge(count - 1, arguments + 1);
  if (!strcmp(arguments[0], "diff"))
    return diff(count - 1, arguments + 1);
  if (!strcmp(arguments[0], "import-ncu"))
    return profile_import_ncu(count - 1, arguments + 1);
  return command_misuse("unknown command profile", arguments[0]);
}
