// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700

#include "check/unit.h"

#include "compile/ptxas_command.h"

#include "divcost/path.h"
#include "divcost/version.h"

#include "check/contents.h"
#include "command.h"
#include "divcost/hash.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void free_unit(check_unit *unit) {
  compile_command_free(&unit->command);
  free(unit->name);
  free(unit->key);
  free(unit->messages);
  free(unit->note);
  free(unit->failure);
  arguments_free(&unit->named);
  arguments_free(&unit->unknown);
}

void check_units_free(check_units *units) {
  for (size_t k = 0; k < units->count; ++k)
    free_unit(&units->items[k]);
  free(units->items);
  configurations_free(&units->configs);
  *units = (check_units){0};
}

// What the command line says counts before the configuration.
static analysis_request request_of(const check_unit *unit, const check_options *options,
                                   const toolchain *tools) {
  const dc_config *config = unit->config;
  const char *annotations = options->annotations, *architectures = options->architectures;
  if (config && !annotations)
    annotations = config->annotations;
  if (config && !architectures)
    architectures = config->architectures;
  return (analysis_request){.clang = tools->clang,
                            .plugin = tools->plugin,
                            .config = config ? config->path : NULL,
                            .annotations = annotations,
                            .measured = options->measured,
                            .architectures = architectures,
                            .flags = options->flags,
                            .n_flags = options->build ? options->n_flags : 0};
}

dc_status check_unit_words(const check_unit *unit, const check_options *options,
                           const toolchain *tools, const char *report, const char *headers,
                           const char *ptxas, arguments *words, arguments *unknown,
                           dc_error *error) {
  analysis_request request = request_of(unit, options, tools);
  request.report = report;
  request.dependencies = headers;
  request.ptxas = ptxas;
  return analysis_arguments(&unit->command, &request, words, unknown, error);
}

dc_status check_unit_ptxas_words(const check_unit *unit, const check_options *options,
                                 const toolchain *tools, const char *object, arguments *words,
                                 dc_error *error) {
  analysis_request request = request_of(unit, options, tools);
  return ptxas_arguments(&unit->command, &request, object, words, error);
}

// --- one unit ------------------------------------------------------------------------------------

static uint64_t hash_text(uint64_t hash, const char *text) {
  return dc_hash_bytes(hash, text, strlen(text) + 1);
}

// The programs: the plugin by its bytes, the compiler by its date, since it may be large.
static uint64_t hash_program(uint64_t hash, const char *path) {
  struct stat facts = {0};
  long long program[] = {0, 0, 0};
  if (stat(path, &facts) == 0) {
    program[0] = facts.st_size;
    program[1] = facts.st_mtim.tv_sec;
    program[2] = facts.st_mtim.tv_nsec;
  }
  return dc_hash_bytes(hash, program, sizeof program);
}

static uint64_t hash_tools(const toolchain *tools) {
  contents once = {0};
  uint64_t plugin = contents_of_file(&once, "", tools->plugin);
  contents_free(&once);
  uint64_t hash = hash_text(DC_HASH_BEGIN, DIVCOST_VERSION);
  hash = dc_hash_bytes(hash, &plugin, sizeof plugin);
  return hash_program(hash, tools->clang);
}

// The compiler that lets ptxas speak, and its words.
static uint64_t hash_ptxas(uint64_t hash, const check_unit *unit, const check_options *options,
                           const toolchain *tools) {
  arguments words = {0};
  dc_error error;
  if (check_unit_ptxas_words(unit, options, tools, "", &words, &error) == DC_OK) {
    hash = hash_program(hash, words.words[0]);
    for (size_t k = 0; k < words.count; ++k)
      hash = hash_text(hash, words.words[k]);
  }
  arguments_free(&words);
  return hash;
}

static void find_named_files(const arguments *words, arguments *named) {
  static const char *const prefixes[] = {
      "-fplugin-arg-divcost-config=",   "-fplugin-arg-divcost-annotations=",
      "-fplugin-arg-divcost-measured=", "-fplugin-arg-divcost-profile-use=",
      "-fplugin-arg-divcost-ptxas=",    "-fplugin-arg-divcost-arch="}; // sm_NN or a file
  for (size_t w = 0; w < words->count; ++w)
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; ++k) {
      const char *value = words->words[w] + strlen(prefixes[k]);
      if (!strncmp(words->words[w], prefixes[k], strlen(prefixes[k])) && *value &&
          (k + 1 < sizeof prefixes / sizeof *prefixes || strstr(value, ".json")))
        arguments_add(named, value);
    }
}

// Letters and digits of the file's name, then a hash of its path and of how many units of that path
// there are before.
static char *make_key(const char *path, unsigned before) {
  const char *name = dc_base_name(path);
  uint64_t hash = dc_hash_bytes(hash_text(DC_HASH_BEGIN, path), &before, sizeof before);
  arguments key = {0};
  arguments_addf(&key, "%.60s-%016" PRIx64, name, hash);
  char *copy = key.failed ? NULL : strdup(key.words[0]);
  arguments_free(&key);
  for (char *at = copy; at && *at; ++at)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", *at))
      *at = '_';
  return copy;
}

// --- all units -----------------------------------------------------------------------------------

typedef struct search {
  const check_options *options;
  const toolchain *tools;
  uint64_t tools_hash;
  dc_string_set seen; // "path hash" of commands, "path number" of keys
  check_units *units;
  size_t capacity;
} search;

// Whether "path number" is new.
static bool is_new(search *s, const char *path, uint64_t number, char kind, bool *failed) {
  arguments text = {0};
  bool added = false;
  arguments_addf(&text, "%s %" PRIx64 "%c", path, number, kind);
  *failed |= text.failed || dc_string_set_add(&s->seen, text.words[0], strlen(text.words[0]),
                                              &added) == UINT32_MAX;
  arguments_free(&text);
  return added;
}

// A configuration that can't be read ends the run: it may be what says which findings count.
static int configure(search *s, check_unit *unit) {
  dc_error error;
  char *path = compile_command_path(&unit->command);
  dc_status status = DC_OK;
  if (path)
    status = configurations_find(&s->units->configs, path, &unit->config, &error);
  free(path);
  return status == DC_OK ? 0 : command_fail(NULL, error.text);
}

// Completes a unit that has its command; *is_duplicate: another one is the same. A command that
// can't be translated is a failure of its unit and of no other.
static bool complete(search *s, check_unit *unit, bool *is_duplicate) {
  arguments words = {0};
  dc_error error;
  dc_status status =
      check_unit_words(unit, s->options, s->tools, "", "", s->options->with_ptxas ? "" : NULL,
                       &words, &unit->unknown, &error);
  unit->hash = hash_text(s->tools_hash, unit->command.directory);
  for (size_t k = 0; k < words.count; ++k)
    unit->hash = hash_text(unit->hash, words.words[k]);
  if (s->options->with_ptxas)
    unit->hash = hash_ptxas(unit->hash, unit, s->options, s->tools);
  find_named_files(&words, &unit->named);
  arguments_free(&words);
  bool failed = unit->named.failed;
  char *path = compile_command_path(&unit->command);
  *is_duplicate = path && !is_new(s, path, unit->hash, 'h', &failed);
  unsigned before = 0;
  while (path && !failed && !*is_duplicate && !is_new(s, path, before, 'k', &failed))
    ++before;
  unit->name = path ? strdup(path_from_here(path)) : NULL;
  unit->key = path ? make_key(path, before) : NULL;
  free(path);
  if (status != DC_OK) {
    unit->state = CHECK_FAILED;
    unit->failure = strdup(error.text);
  }
  return unit->name && unit->key && !failed && (status == DC_OK || unit->failure);
}

// Adds a unit; the command is its own from now on.
static int add(search *s, compile_command command) {
  check_units *units = s->units;
  check_unit unit = {.command = command};
  if (units->count == s->capacity) {
    size_t capacity = s->capacity ? 2 * s->capacity : 64;
    check_unit *items = realloc(units->items, capacity * sizeof *items);
    if (!items) {
      free_unit(&unit);
      return command_fail(NULL, "out of memory for the files to check");
    }
    units->items = items;
    s->capacity = capacity;
  }
  bool is_duplicate = false;
  int result = configure(s, &unit);
  if (result == 0 && !complete(s, &unit, &is_duplicate))
    result = command_fail(unit.command.file, "out of memory for its command");
  if (result == 0 && !is_duplicate) {
    units->items[units->count++] = unit;
  } else {
    units->duplicates += is_duplicate;
    free_unit(&unit);
  }
  return result;
}

static int add_copy(search *s, const compile_command *command) {
  dc_error error;
  compile_command copy;
  if (compile_command_copy(command, &copy, &error) != DC_OK)
    return command_fail(NULL, error.text);
  return add(s, copy);
}

static int add_all(search *s, const compile_database *database) {
  int result = 0;
  for (size_t k = 0; result == 0 && k < database->count; ++k) {
    if (compile_command_is_cuda(&database->commands[k]))
      result = add_copy(s, &database->commands[k]);
    else
      ++s->units->host_only;
  }
  return result;
}

static int add_guessed(search *s, const compile_database *database, const char *file) {
  dc_error error;
  compile_command guess;
  if (compile_database_guess(database, file, &guess, &error) != DC_OK)
    return command_fail(file, error.text);
  return add(s, guess);
}

// Adds a file of the command line, with all its commands in the database or else with a guessed
// one.
static int add_file(search *s, const compile_database *database, const char *file) {
  if (access(file, R_OK) != 0)
    return command_fail(file, strerror(errno));
  const compile_command *command = compile_database_find(database, file);
  if (!command)
    return add_guessed(s, database, file);
  int result = 0;
  while (result == 0 && command) {
    if (!compile_command_is_cuda(command))
      return command_fail(file, "is not compiled as CUDA code");
    result = add_copy(s, command);
    size_t next = (size_t)(command - database->commands) + 1;
    const compile_database rest = {database->commands + next, database->count - next};
    command = compile_database_find(&rest, file);
  }
  return result;
}

static int find_in_build(search *s, const char *build) {
  const arguments *files = &s->options->files;
  compile_database database;
  dc_error error;
  int result = 0;
  if (compile_database_read(build, &database, &error) != DC_OK)
    result = command_fail(NULL, error.text);
  else if (files->count == 0)
    result = add_all(s, &database);
  s->units->partial = files->count > 0;
  for (size_t k = 0; result == 0 && k < files->count; ++k)
    result = add_file(s, &database, files->words[k]);
  compile_database_free(&database);
  if (result == 0 && s->units->count == 0)
    result = command_fail(build, "none of its files is CUDA code");
  return result;
}

static int find_with_flags(search *s) {
  const check_options *options = s->options;
  int result = 0;
  s->units->partial = true;
  for (size_t k = 0; result == 0 && k < options->files.count; ++k) {
    dc_error error;
    compile_command command;
    if (compile_command_of_flags(options->files.words[k], options->flags, options->n_flags,
                                 &command, &error) != DC_OK)
      return command_fail(NULL, error.text);
    if (!compile_names_architecture(options->flags, options->n_flags))
      arguments_add(&command.words, COMPILE_ARCHITECTURE);
    result = add(s, command);
  }
  return result;
}

int check_units_find(const check_options *options, const toolchain *tools, check_units *units) {
  *units = (check_units){0};
  search s = {.options = options, .tools = tools, .tools_hash = hash_tools(tools), .units = units};
  int result = options->build ? find_in_build(&s, options->build) : find_with_flags(&s);
  dc_string_set_free(&s.seen);
  return result;
}
