// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders are searched without following links, so that the search ends.
#define _XOPEN_SOURCE 700

#include "report/inputs.h"

#include "command.h"
#include "divcost/input.h"
#include "divcost/path.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEEPEST = 200 }; // folders in folders

void report_inputs_free(report_inputs *inputs) {
  for (uint32_t k = 0; k < inputs->count; ++k)
    free(inputs->files[k]);
  free(inputs->files);
  free(inputs->other);
  *inputs = (report_inputs){.count = 0};
}

// Adds a path, which it takes over; NULL: memory is out.
static int add_file(report_inputs *inputs, char *path) {
  if (path && inputs->count == inputs->capacity) {
    uint32_t capacity = inputs->capacity ? 2 * inputs->capacity : 16;
    char **files = realloc(inputs->files, capacity * sizeof *files);
    if (files) {
      inputs->files = files;
      inputs->capacity = capacity;
    }
  }
  if (!path || inputs->count == inputs->capacity) {
    free(path);
    return command_fail(NULL, "out of memory for the list of reports");
  }
  inputs->files[inputs->count++] = path;
  return 0;
}

// ---- folders -----------------------------------------------------------------------------------

// Whether a file begins as a report does: with a brace and the member "divcost". Negative: it can't
// be read.
static int begins_as_report(const char *path, dc_error *error) {
  char begin[256];
  FILE *file = dc_input_open(path, error);
  if (!file)
    return -1;
  size_t size = fread(begin, 1, sizeof begin - 1, file);
  bool failed = ferror(file);
  if (failed)
    dc_fail(error, DC_ERROR_FILE, "cannot read: %s", strerror(errno));
  fclose(file);
  begin[size] = 0;
  static const char blanks[] = " \t\r\n", member[] = "\"divcost\"";
  const char *at = begin + strspn(begin, blanks);
  if (*at != '{')
    return failed ? -1 : 0;
  ++at;
  at += strspn(at, blanks);
  return strncmp(at, member, strlen(member)) == 0;
}

// A file of a folder; takes over the path.
static int add_found(report_inputs *inputs, char *path) {
  dc_error error;
  int report = begins_as_report(path, &error);
  if (report > 0)
    return add_file(inputs, path);
  int status = report < 0 ? command_fail(path, error.text) : 0;
  ++inputs->n_other;
  if (inputs->other || status != 0)
    free(path);
  else
    inputs->other = path;
  return status;
}

static int search(report_inputs *inputs, const char *folder, unsigned depth);

// A name in a folder: a folder, a file that may be a report, or nothing for us.
static int add_entry(report_inputs *inputs, const char *folder, const char *name, unsigned depth) {
  struct stat what;
  char *path = dc_path_join(folder, name);
  if (!path)
    return command_fail(folder, "out of memory");
  int status = 0;
  if (lstat(path, &what) != 0)
    status = errno == ENOENT ? 0 : command_fail(path, strerror(errno)); // removed meanwhile
  else if (S_ISDIR(what.st_mode))
    status = search(inputs, path, depth + 1);
  else if (S_ISREG(what.st_mode) && dc_path_has_ending(name, ".json"))
    return add_found(inputs, path);
  free(path);
  return status;
}

static int search(report_inputs *inputs, const char *folder, unsigned depth) {
  struct dirent **entries;
  if (depth > DEEPEST)
    return command_fail(folder, "folders are nested too deep");
  int count = scandir(folder, &entries, NULL, alphasort), status = 0;
  if (count < 0)
    return command_fail(folder, strerror(errno));
  for (int k = 0; k < count; ++k) {
    const char *name = entries[k]->d_name;
    if (status == 0 && strcmp(name, ".") != 0 && strcmp(name, "..") != 0)
      status = add_entry(inputs, folder, name, depth);
    free(entries[k]);
  }
  free(entries);
  return status;
}

// ---- arguments ---------------------------------------------------------------------------------

static int add_path(report_inputs *inputs, const char *path) {
  struct stat what;
  if (stat(path, &what) != 0 || !S_ISDIR(what.st_mode))
    return add_file(inputs, strdup(path)); // whoever reads it will say what is wrong with it
  uint32_t before = inputs->count;
  int status = search(inputs, path, 0);
  if (status == 0 && inputs->count == before)
    return command_fail(path, inputs->n_other
                                  ? "has no reports; its JSON files are others"
                                  : "has no reports: no files *.json, which the compiler writes "
                                    "with -fplugin-arg-divcost-report=FILE.json");
  return status;
}

static int add_lines(report_inputs *inputs, char *text) {
  int status = 0;
  for (char *line = text, *next; status == 0 && line; line = next) {
    next = strchr(line, '\n');
    if (next)
      *next++ = 0;
    line[strcspn(line, "\r")] = 0;
    if (*line)
      status = add_path(inputs, line);
  }
  return status;
}

// A list may come from a pipe: a build's own command finds the reports.
static int add_list(report_inputs *inputs, const char *path) {
  bool standard = strcmp(path, "-") == 0;
  const char *name = standard ? "standard input" : path;
  dc_error error;
  FILE *file = standard ? stdin : dc_input_open_stream(path, &error);
  if (!file)
    return command_fail(path, error.text);
  char *text = NULL;
  size_t length = 0;
  uint32_t before = inputs->count;
  dc_status read = dc_input_read_stream(file, DC_INPUT_TEXT_MOST, &text, &length, &error);
  if (read == DC_OK)
    read = dc_input_check_text(text, length, &error);
  int status = read == DC_OK ? add_lines(inputs, text) : command_fail(name, error.text);
  if (status == 0 && inputs->count == before) // what passes a build must have looked at one
    status = command_fail(name, "names no report: one file, or folder of them, a line");
  free(text);
  if (!standard)
    fclose(file);
  return status;
}

int report_inputs_add(report_inputs *inputs, const char *argument) {
  return argument[0] == '@' && argument[1] ? add_list(inputs, argument + 1)
                                           : add_path(inputs, argument);
}

void report_inputs_say(const report_inputs *inputs) {
  if (inputs->n_other == 1)
    fprintf(stderr, "divcost: %s is no report and was left out\n", inputs->other);
  else if (inputs->n_other)
    fprintf(stderr, "divcost: %u JSON files are no reports and were left out, such as %s\n",
            inputs->n_other, inputs->other);
}
