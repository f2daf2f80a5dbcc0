// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/analysis.h"

#include "divcost/path.h"

#include "compile/clang_words.h"
#include "compile/nvcc.h"

#include <string.h>

bool compile_find_compiler(const compile_command *command, size_t *compiler, bool *nvcc) {
  static const char *const launchers[] = {"ccache", "sccache", "distcc",     "icecc",
                                          "gomacc", "env",     "buildcache", "time"};
  const arguments *words = &command->words;
  size_t k = 0;
  for (; k < words->count; ++k) {
    const char *name = dc_base_name(words->words[k]);
    size_t variable = strcspn(words->words[k], "=/-"); // NAME=VALUE
    bool skip = words->words[k][variable] == '=';
    for (size_t l = 0; !skip && l < sizeof launchers / sizeof *launchers; ++l)
      skip = !strcmp(name, launchers[l]);
    if (!skip)
      break;
  }
  *compiler = k;
  *nvcc = k < words->count && !strncmp(dc_base_name(words->words[k]), "nvcc", 4);
  return k < words->count;
}

void compile_add_architectures(const char *list, arguments *words) {
  for (; *list; list += *list == ',') {
    int length = (int)strcspn(list, ",");
    if (length)
      arguments_addf(words, "--cuda-gpu-arch=%.*s", length, list);
    list += length;
  }
}

// The compile command's part.
static dc_status add_command(const compile_command *command, const char *wanted, arguments *words,
                             arguments *unknown, dc_error *error) {
  size_t compiler;
  bool nvcc;
  if (!compile_find_compiler(command, &compiler, &nvcc))
    return dc_fail(error, DC_ERROR_ARGUMENT, "the command for '%.180s' names no compiler",
                   command->file);
  dc_status status = DC_OK;
  if (nvcc) {
    arguments architectures = {0};
    status = nvcc_translate(command, compiler, words, &architectures, unknown, error);
    for (size_t k = 0; status == DC_OK && !wanted && k < architectures.count; ++k)
      arguments_addf(words, "--cuda-gpu-arch=%s", architectures.words[k]);
    arguments_free(&architectures);
  } else {
    clang_add_words(command, compiler, !wanted, words);
  }
  if (wanted)
    compile_add_architectures(wanted, words);
  return status;
}

// Options of clang's front end, as far as there are any.
static void add_frontend(arguments *words, const char *first, const char *second,
                         const char *third) {
  const char *options[] = {first, second, third};
  for (size_t k = 0; k < sizeof options / sizeof *options && options[k]; ++k) {
    arguments_add(words, "-Xclang");
    arguments_add(words, options[k]);
  }
}

// The analysis's part.
static void add_request(const compile_command *command, const analysis_request *request,
                        arguments *words) {
  static const char *const fixed[] = {
      "--cuda-device-only", "-fsyntax-only", "-fno-color-diagnostics", "-Qunused-arguments",
      // Compilers may differ about code that isn't divcost's to judge; and a warning of the plugin
      // is a result, not an error.
      "-Wno-everything", "-Wbackend-plugin", "-Wno-error=backend-plugin", "-ferror-limit=5",
      "-fno-crash-diagnostics"};
  for (size_t k = 0; k < request->n_flags; ++k)
    arguments_add(words, request->flags[k]);
  for (size_t k = 0; k < sizeof fixed / sizeof *fixed; ++k)
    arguments_add(words, fixed[k]);
  arguments_addf(words, "-fplugin=%s", request->plugin);
  if (request->report)
    arguments_addf(words, "-fplugin-arg-divcost-report=%s", request->report);
  if (request->config) // before what is said in particular, which counts
    arguments_addf(words, "-fplugin-arg-divcost-config=%s", request->config);
  if (request->first_report)
    arguments_addf(words, "-fplugin-arg-divcost-first-report=%s", request->first_report);
  if (request->annotations)
    arguments_addf(words, "-fplugin-arg-divcost-annotations=%s", request->annotations);
  if (request->measured)
    arguments_addf(words, "-fplugin-arg-divcost-measured=%s", request->measured);
  if (request->ptxas)
    arguments_addf(words, "-fplugin-arg-divcost-ptxas=%s", request->ptxas);
  if (request->dependencies)
    // Not -MD: there the compilation of each architecture replaces the file of the one before it.
    add_frontend(words, "-header-include-file", request->dependencies, "-sys-header-deps");
  if (request->buffer) {
    add_frontend(words, "-remap-file", NULL, NULL);
    arguments_add(words, "-Xclang");
    arguments_addf(words, "%s;%s", command->file, request->buffer);
  }
  arguments_add(words, "-x");
  arguments_add(words, "cuda");
  arguments_add(words, command->file);
}

dc_status analysis_arguments(const compile_command *command, const analysis_request *request,
                             arguments *words, arguments *unknown, dc_error *error) {
  arguments_add(words, request->clang);
  dc_status status = add_command(command, request->architectures, words, unknown, error);
  add_request(command, request, words);
  if (status == DC_OK && (words->failed || unknown->failed))
    status =
        dc_fail(error, DC_ERROR_MEMORY, "out of memory for the command of '%.180s'", command->file);
  return status;
}
