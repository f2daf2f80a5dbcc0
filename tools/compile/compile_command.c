// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700

#include "compile/compile_command.h"

#include "divcost/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void compile_command_free(compile_command *command) {
  free(command->directory);
  free(command->file);
  arguments_free(&command->words);
  *command = (compile_command){0};
}

dc_status compile_command_copy(const compile_command *command, compile_command *copy,
                               dc_error *error) {
  *copy = (compile_command){.directory = strdup(command->directory), .file = strdup(command->file)};
  arguments_add_all(&copy->words, &command->words);
  if (copy->directory && copy->file && !copy->words.failed)
    return DC_OK;
  compile_command_free(copy);
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the command of '%.180s'",
                 command->file);
}

// The path of a file that isn't there: its folder without links, and its name.
static char *path_of_missing(char *absolute) {
  char *slash = strrchr(absolute, '/');
  arguments path = {0};
  *slash = 0;
  char *folder = realpath(absolute, NULL);
  arguments_addf(&path, "%s/%s", folder ? folder : absolute, slash + 1);
  char *copy = path.failed ? NULL : strdup(path.words[0]);
  free(folder);
  arguments_free(&path);
  return copy;
}

char *compile_command_path(const compile_command *command) {
  arguments path = {0};
  if (command->file[0] == '/')
    arguments_add(&path, command->file);
  else
    arguments_addf(&path, "%s/%s", command->directory, command->file);
  char *absolute = path.failed ? NULL : path.words[0];
  char *real = absolute ? realpath(absolute, NULL) : NULL;
  if (!real && absolute)
    real = path_of_missing(absolute);
  arguments_free(&path);
  return real;
}

// What follows -x: the next word, or the rest of this one; NULL if the word is another option.
static const char *language(const arguments *words, size_t k) {
  const char *word = words->words[k];
  if (!strcmp(word, "-x") || !strcmp(word, "--x") || !strcmp(word, "--language"))
    return k + 1 < words->count ? words->words[k + 1] : NULL;
  if (!strncmp(word, "-x=", 3))
    return word + 3;
  if (!strncmp(word, "--x=", 4))
    return word + 4;
  return strncmp(word, "-xc", 3) != 0 ? NULL : word + 2; // -xcuda, -xcu, -xc++
}

bool compile_command_is_cuda(const compile_command *command) {
  for (size_t k = command->words.count; k-- > 1;) {
    const char *named = language(&command->words, k);
    if (named)
      return !strcmp(named, "cuda") || !strcmp(named, "cu");
  }
  return dc_path_has_ending(command->file, ".cu") || dc_path_has_ending(command->file, ".cuh");
}

dc_status compile_command_of_flags(const char *file, char *const *flags, size_t count,
                                   compile_command *command, dc_error *error) {
  *command = (compile_command){.directory = getcwd(NULL, 0), .file = strdup(file)};
  if (!command->directory) {
    int reason = errno;
    compile_command_free(command);
    return dc_fail(error, DC_ERROR_FILE, "the current directory: %s", strerror(reason));
  }
  arguments_add(&command->words, "clang++");
  arguments_add(&command->words, "-O2"); // nobody asks what unoptimised code costs
  for (size_t k = 0; k < count; ++k)
    arguments_add(&command->words, flags[k]);
  arguments_add(&command->words, file);
  if (command->file && !command->words.failed)
    return DC_OK;
  compile_command_free(command);
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the command of '%s'", file);
}

bool compile_names_architecture(char *const *words, size_t count) {
  for (size_t k = 0; k < count; ++k)
    if (!strncmp(words[k], "--cuda-gpu-arch", 15) || !strncmp(words[k], "--offload-arch", 14))
      return true;
  return false;
}
