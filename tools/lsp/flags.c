// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With which command a document is analysed: its build's, that of its nearest relative in the
// build, or one of a few flags. A file that isn't there yet is compiled from its copy.
#define _XOPEN_SOURCE 700 // st_mtim, strdup

#include "compile/analysis.h"
#include "compile/configurations.h"
#include "lsp/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void lsp_database_free(lsp_server *server) {
  compile_database_free(&server->database);
  free(server->database_path);
  server->database_path = NULL;
}

// The compile_commands.json for a file: set, or found near it; owned by the caller, NULL: none.
static char *database_for(const lsp_server *server, const char *file) {
  static const char name[] = "compile_commands.json";
  char *folder = server->settings.build_folder ? strdup(server->settings.build_folder)
                                               : compile_database_nearest(file);
  struct stat status;
  if (!folder || stat(folder, &status) != 0 || !S_ISDIR(status.st_mode))
    return folder;
  size_t size = strlen(folder) + sizeof name + 1;
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s/%s", folder, name);
  free(folder);
  return path;
}

// The database at a path, read again only if the file has changed; NULL: it can't be read.
static const compile_database *database_at(lsp_server *server, const char *path) {
  struct stat status = {0};
  bool there = stat(path, &status) == 0;
  const struct timespec *time = &status.st_mtim, *known = &server->database_time;
  if (there && server->database_path && strcmp(server->database_path, path) == 0 &&
      time->tv_sec == known->tv_sec && time->tv_nsec == known->tv_nsec)
    return &server->database;
  dc_error error;
  lsp_database_free(server);
  if (compile_database_read(path, &server->database, &error) != DC_OK) {
    lsp_log(server, LSP_WARNING, "divcost: %s: %s", path, error.text);
    return NULL;
  }
  server->database_path = strdup(path);
  server->database_time = *time;
  return &server->database;
}

// Tells the log, once, how a document is compiled.
static void tell(lsp_server *server, lsp_document *document, const char *how) {
  if (document->command_told && strcmp(document->command_told, how) == 0)
    return;
  free(document->command_told);
  document->command_told = strdup(how);
  lsp_log(server, LSP_INFORMATION, "divcost: %s %s", document->path, how);
}

// ---- where a command comes from -----------------------------------------------------------------

// The flags set are part of it: they may name the architecture.
static dc_status default_command(lsp_server *server, lsp_document *document, const char *file,
                                 compile_command *command, dc_error *error) {
  bool named =
      compile_names_architecture(server->settings.flags.words, server->settings.flags.count);
  arguments flags = {0};
  char how[200];
  snprintf(how, sizeof how, "has no compile command; it is compiled with -x cuda%s%s%s",
           named ? "" : " ", named ? "" : COMPILE_ARCHITECTURE,
           server->settings.flags.count ? " and the flags set" : "");
  tell(server, document, how);
  arguments_add_all(&flags, &server->settings.flags);
  if (!named)
    arguments_add(&flags, COMPILE_ARCHITECTURE);
  dc_status status = flags.failed
                         ? dc_fail(error, DC_ERROR_MEMORY, "out of memory for flags")
                         : compile_command_of_flags(file, flags.words, flags.count, command, error);
  arguments_free(&flags);
  return status;
}

// From the database, for the file itself or one like it. DC_ERROR_ARGUMENT: it has none.
static dc_status built_command(lsp_server *server, lsp_document *document, const char *path,
                               const char *file, compile_command *command, dc_error *error) {
  char how[4096];
  const compile_database *database = database_at(server, path);
  if (!database)
    return DC_ERROR_ARGUMENT;
  const compile_command *found = compile_database_find(database, document->path);
  dc_status status = DC_OK;
  if (found && strcmp(file, document->path) == 0) {
    snprintf(how, sizeof how, "is compiled as %s says", path);
    command->directory = strdup(found->directory);
    command->file = strdup(found->file);
    arguments_add_all(&command->words, &found->words);
    if (!command->directory || !command->file || command->words.failed)
      status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for the compile command");
  } else {
    snprintf(how, sizeof how, "isn't in %s; it is compiled like the file most like it", path);
    status = compile_database_guess(database, file, command, error);
  }
  if (status == DC_OK)
    tell(server, document, how);
  return status;
}

// To `more` go the flags set, where the command doesn't have them.
static dc_status find_command(lsp_server *server, lsp_document *document, const char *file,
                              compile_command *command, arguments *more, dc_error *error) {
  dc_status status = DC_ERROR_ARGUMENT;
  char *path = database_for(server, document->path);
  if (path)
    status = built_command(server, document, path, file, command, error);
  free(path);
  if (status == DC_OK)
    arguments_add_all(more, &server->settings.flags);
  if (status != DC_ERROR_ARGUMENT)
    return status;
  compile_command_free(command);
  return default_command(server, document, file, command, error);
}

// ---- the command --------------------------------------------------------------------------------

// A copy is compiled as if it stood where its document will.
static void add_home(arguments *words, const char *path) {
  const char *slash = strrchr(path, '/');
  arguments_add(words, "-iquote");
  arguments_add_part(words, path, slash && slash != path ? (size_t)(slash - path) : 1);
}

dc_status lsp_command(lsp_server *server, lsp_document *document, arguments *words,
                      arguments *plain, dc_error *error) {
  if (!server->tools.clang) {
    dc_status found =
        toolchain_find(server->settings.clang, server->settings.plugin, &server->tools, error);
    if (found != DC_OK)
      return found;
  }
  // clang's -remap-file parts its two names at the first semicolon.
  bool there = access(document->path, F_OK) == 0 && !strchr(document->path, ';');
  compile_command command = {0};
  arguments unknown = {0}, more = {0};
  arguments_add(&more, "-fno-caret-diagnostics"); // nobody looks at them
  if (!there)
    add_home(&more, document->path);
  configurations known = {0};
  const dc_config *config = NULL;
  dc_status status = find_command(server, document, there ? document->path : document->job.copy,
                                  &command, &more, error);
  if (status == DC_OK)
    status = configurations_find(&known, document->path, &config, error);
  analysis_request request = {.clang = server->tools.clang,
                              .plugin = server->tools.plugin,
                              .config = config ? config->path : NULL,
                              .architectures = config ? config->architectures : NULL,
                              .flags = more.words,
                              .n_flags = more.count};
  if (status == DC_OK)
    status = analysis_arguments(&command, &request, plain, &unknown, error);
  request.report = document->job.report;
  request.first_report = document->job.first;
  request.buffer = there ? document->job.copy : NULL;
  if (status == DC_OK)
    status = analysis_arguments(&command, &request, words, &unknown, error);
  if (status == DC_OK && more.failed)
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for the command line");
  configurations_free(&known);
  document->job.directory = command.directory;
  command.directory = NULL;
  compile_command_free(&command);
  arguments_free(&unknown);
  arguments_free(&more);
  return status;
}
