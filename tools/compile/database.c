// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilation databases, and looking files up in them.
#define _XOPEN_SOURCE 700

#include "compile/compile_command.h"
#include "compile/libclang.h"
#include "divcost/input.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DATABASE_NAME "compile_commands.json"

void compile_database_free(compile_database *database) {
  for (size_t k = 0; k < database->count; ++k)
    compile_command_free(&database->commands[k]);
  free(database->commands);
  *database = (compile_database){0};
}

static char *copy_text(const libclang *clang, CXString string) {
  const char *text = clang->text(string);
  char *copy = strdup(text ? text : "");
  clang->free_text(string);
  return copy;
}

static bool copy_command(const libclang *clang, CXCompileCommand from, compile_command *to) {
  *to = (compile_command){.directory = copy_text(clang, clang->directory(from)),
                          .file = copy_text(clang, clang->file(from))};
  for (unsigned k = 0; k < clang->words(from); ++k) {
    CXString word = clang->word(from, k);
    const char *text = clang->text(word);
    arguments_add(&to->words, text ? text : "");
    clang->free_text(word);
  }
  return to->directory && to->file && !to->words.failed;
}

static dc_status copy_commands(const libclang *clang, CXCompileCommands from, const char *folder,
                               compile_database *to, dc_error *error) {
  unsigned count = from ? clang->count(from) : 0;
  if (count == 0)
    return dc_fail(error, DC_ERROR_SYNTAX, "%.180s/" DATABASE_NAME " has no entry", folder);
  to->commands = calloc(count, sizeof *to->commands);
  bool good = to->commands != NULL;
  for (unsigned k = 0; good && k < count; ++k) {
    good = copy_command(clang, clang->command(from, k), &to->commands[k]);
    ++to->count;
  }
  return good ? DC_OK : dc_fail(error, DC_ERROR_MEMORY, "out of memory for %u commands", count);
}

// libclang prints what it doesn't understand, and not where: what is no JSON, it isn't asked.
static dc_status check_json(const char *file, dc_error *error) {
  dc_error bad;
  json_t *all = NULL;
  FILE *stream = dc_input_open(file, &bad);
  if (stream) {
    dc_input_json(stream, DC_INPUT_DATA_MOST, JSON_DISABLE_EOF_CHECK, &all, &bad);
    fclose(stream);
  }
  bool is_array = json_is_array(all), is_json = all != NULL;
  json_decref(all);
  if (is_array)
    return DC_OK;
  if (is_json)
    return dc_fail(error, DC_ERROR_SYNTAX, "%.180s is not a compilation database, but other JSON",
                   file);
  return dc_fail(error, bad.status,
                 bad.status == DC_ERROR_SYNTAX ? "%.120s, %.120s" : "%.120s: %.120s", file,
                 bad.text);
}

static dc_status read_folder(const char *folder, compile_database *database, dc_error *error) {
  libclang clang;
  dc_status status = libclang_open(&clang, error);
  if (status != DC_OK)
    return status;
  CXCompilationDatabase_Error failed = CXCompilationDatabase_NoError;
  CXCompilationDatabase opened = clang.open(folder, &failed);
  if (failed != CXCompilationDatabase_NoError)
    return dc_fail(error, DC_ERROR_SYNTAX, "%.180s/" DATABASE_NAME " is not a compilation database",
                   folder);
  CXCompileCommands all = clang.commands(opened);
  status = copy_commands(&clang, all, folder, database, error);
  if (all)
    clang.free_commands(all);
  clang.close(opened);
  if (status != DC_OK)
    compile_database_free(database);
  return status;
}

dc_status compile_database_read(const char *path, compile_database *database, dc_error *error) {
  *database = (compile_database){0};
  const char *slash = strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  bool is_file = !strcmp(name, DATABASE_NAME);
  arguments names = {0}; // the folder, the file
  if (!is_file)
    arguments_add(&names, path);
  else if (slash)
    arguments_add_part(&names, path, slash == path ? 1 : (size_t)(slash - path));
  else
    arguments_add(&names, ".");
  arguments_addf(&names, "%s/" DATABASE_NAME, names.failed ? "" : names.words[0]);
  dc_status status = DC_OK;
  if (names.failed)
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  else if (access(names.words[1], R_OK) != 0)
    status = dc_fail(error, DC_ERROR_FILE,
                     "%.180s: %s (CMake writes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)",
                     names.words[1], strerror(errno));
  else if ((status = check_json(names.words[1], error)) == DC_OK)
    status = read_folder(names.words[0], database, error);
  arguments_free(&names);
  return status;
}

// Whether there is a database in the folder, or in its folder `build`; *path is then that folder.
static bool has_database(char *path, size_t length) {
  static const char *const places[] = {"", "/build"};
  for (size_t k = 0; k < sizeof places / sizeof *places; ++k) {
    strcpy(path + length, places[k]);
    size_t end = strlen(path);
    strcpy(path + end, "/" DATABASE_NAME);
    bool found = access(path, R_OK) == 0;
    path[end] = 0;
    if (found)
      return true;
  }
  return false;
}

char *compile_database_nearest(const char *file) {
  char *real = realpath(file, NULL);
  char *path = real ? malloc(strlen(real) + sizeof "/build/" DATABASE_NAME) : NULL;
  if (path)
    strcpy(path, real);
  free(real);
  while (path) {
    char *slash = strrchr(path, '/');
    if (!slash)
      break;
    *slash = 0;
    size_t length = strlen(path);
    if (has_database(path, length))
      return path;
    path[length] = 0;
  }
  free(path);
  return NULL;
}

const compile_command *compile_database_find(const compile_database *database, const char *file) {
  char *wanted = realpath(file, NULL);
  if (!wanted)
    wanted = strdup(file);
  const compile_command *found = NULL;
  for (size_t k = 0; wanted && !found && k < database->count; ++k) {
    char *path = compile_command_path(&database->commands[k]);
    if (path && !strcmp(path, wanted))
      found = &database->commands[k];
    free(path);
  }
  free(wanted);
  return found;
}

// How much two paths have in common: folders from the start; before these counts the file's name up
// to its first dot.
#define SAME_STEM 4096
static size_t likeness(const char *a, const char *b) {
  size_t folders = 0;
  for (size_t k = 0; a[k] && a[k] == b[k]; ++k)
    folders += a[k] == '/';
  const char *name_a = strrchr(a, '/'), *name_b = strrchr(b, '/');
  name_a = name_a ? name_a + 1 : a;
  name_b = name_b ? name_b + 1 : b;
  size_t stem = strcspn(name_a, ".");
  bool same_stem = stem == strcspn(name_b, ".") && !strncmp(name_a, name_b, stem);
  return same_stem ? folders + SAME_STEM : folders;
}

static const compile_command *most_alike(const compile_database *database, const char *file) {
  const compile_command *best = NULL;
  size_t best_likeness = 0;
  for (size_t k = 0; k < database->count; ++k) {
    const compile_command *command = &database->commands[k];
    char *path = compile_command_is_cuda(command) ? compile_command_path(command) : NULL;
    size_t alike = path ? likeness(path, file) : 0;
    if (path && (!best || alike > best_likeness)) {
      best = command;
      best_likeness = alike;
    }
    free(path);
  }
  return best;
}

dc_status compile_database_guess(const compile_database *database, const char *file,
                                 compile_command *command, dc_error *error) {
  *command = (compile_command){0};
  char *path = realpath(file, NULL);
  if (!path)
    path = strdup(file);
  const compile_command *like = path ? most_alike(database, path) : NULL;
  if (path && !like) {
    free(path);
    return dc_fail(error, DC_ERROR_ARGUMENT, "the database has no CUDA file to go by");
  }
  if (path) {
    *command = (compile_command){.directory = strdup(like->directory), .file = path};
    for (size_t k = 0; k < like->words.count; ++k)
      arguments_add(&command->words,
                    strcmp(like->words.words[k], like->file) != 0 ? like->words.words[k] : path);
  }
  if (path && command->directory && !command->words.failed)
    return DC_OK;
  compile_command_free(command);
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the command of '%.180s'", file);
}
