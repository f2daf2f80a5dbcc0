// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/ptxas_command.h"

#include "compile/clang_words.h"
#include "compile/nvcc.h"
#include "compile/toolchain.h"

#include <stdlib.h>
#include <string.h>

// Options of the host's compiler that name files, or make some; device code goes without.
static bool writes_files(const nvcc_option *option, const char *value) {
  static const char *const words[] = {"-M",     "-save-temps", "coverage",
                                      "-ftime", "-fprofile",   "-fdump"};
  for (size_t k = 0; option->action == NVCC_HOST && k < sizeof words / sizeof *words; ++k)
    if (strstr(value, words[k]))
      return true;
  return false;
}

static bool is_architecture(const nvcc_option *option) {
  return option->action == NVCC_ARCHITECTURE || option->action == NVCC_CODE ||
         option->action == NVCC_GENERATE_CODE;
}

static bool has_options_file(const compile_command *command, size_t compiler) {
  for (size_t k = compiler + 1; k < command->words.count; ++k) {
    const char *value;
    const nvcc_option *option = nvcc_option_find(command->words.words[k], &value);
    if (option && option->action == NVCC_OPTIONS_FILE)
      return true;
  }
  return false;
}

// nvcc's own words, but for outputs.
static void add_nvcc(const compile_command *command, size_t compiler, const char *architectures,
                     arguments *words) {
  const arguments *from = &command->words;
  const char *phase = "-c";
  char *program =
      strchr(from->words[compiler], '/') ? NULL : toolchain_program(from->words[compiler]);
  arguments_add(words, program ? program : from->words[compiler]);
  free(program);
  for (size_t k = compiler + 1; k < from->count; ++k) {
    const char *value = NULL;
    const nvcc_option *option = nvcc_option_find(from->words[k], &value);
    bool next = option && option->value != NVCC_NONE && !value && k + 1 < from->count;
    const char *given = value ? value : next ? from->words[k + 1] : "";
    bool relocatable =
        option && (!strcmp(option->name, "device-c") || !strcmp(option->name, "device-w"));
    if (option && (option->action == NVCC_OUTPUT || relocatable || writes_files(option, given) ||
                   (architectures && is_architecture(option)))) {
      phase = relocatable ? "-dc" : phase;
      k += next;
      continue;
    }
    arguments_add(words, from->words[k]);
    if (next)
      arguments_add(words, from->words[++k]);
  }
  for (const char *list = architectures; list && *list; list += *list == ',') {
    int length = (int)strcspn(list, ",");
    const char *number = length > 3 ? list + 3 : list; // behind "sm_"
    arguments_addf(words, "-gencode=arch=compute_%.*s,code=%.*s", length - (int)(number - list),
                   number, length, list);
    list += length;
  }
  arguments_add(words, "-Xptxas=-v");
  arguments_add(words, phase);
}

static void add_clang(const compile_command *command, size_t compiler,
                      const analysis_request *request, arguments *words) {
  arguments_add(words, request->clang);
  clang_add_words(command, compiler, !request->architectures, words);
  if (request->architectures)
    compile_add_architectures(request->architectures, words);
  for (size_t k = 0; k < request->n_flags; ++k)
    arguments_add(words, request->flags[k]);
  arguments_add(words, "-Xcuda-ptxas");
  arguments_add(words, "-v");
  arguments_add(words, "-c");
}

dc_status ptxas_arguments(const compile_command *command, const analysis_request *request,
                          const char *object, arguments *words, dc_error *error) {
  size_t compiler;
  bool nvcc;
  if (!compile_find_compiler(command, &compiler, &nvcc))
    return dc_fail(error, DC_ERROR_ARGUMENT, "the command for '%.180s' names no compiler",
                   command->file);
  if (nvcc && has_options_file(command, compiler))
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "nvcc's options are in a file, which may name outputs of the build");
  if (nvcc)
    add_nvcc(command, compiler, request->architectures, words);
  else
    add_clang(command, compiler, request, words);
  arguments_add(words, "-o");
  arguments_add(words, object);
  if (!nvcc) {
    arguments_add(words, "-x");
    arguments_add(words, "cuda");
    arguments_add(words, command->file);
  }
  return words->failed ? dc_fail(error, DC_ERROR_MEMORY,
                                 "out of memory for the command of '%.180s'", command->file)
                       : DC_OK;
}
