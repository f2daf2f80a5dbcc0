// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile/clang_words.h"

#include <string.h>

// Left out as whole words; left out with the word after them; left out with what is joined to them.
static const char *const dropped[] = {"-c",
                                      "-S",
                                      "-E",
                                      "-M",
                                      "-MM",
                                      "-MD",
                                      "-MMD",
                                      "-MP",
                                      "-MG",
                                      "-MV",
                                      "-emit-llvm",
                                      "-emit-ast",
                                      "-fsyntax-only",
                                      "-save-temps",
                                      "--save-temps",
                                      "-w",
                                      "-v",
                                      "-###",
                                      "-pipe",
                                      "-ftime-trace",
                                      "-ftime-report",
                                      "--cuda-device-only",
                                      "--cuda-host-only",
                                      "--cuda-compile-host-device",
                                      "--offload-device-only",
                                      "--offload-host-only",
                                      "--offload-host-device",
                                      "-fcolor-diagnostics",
                                      "-fdiagnostics-color",
                                      "-fansi-escape-codes",
                                      "--"};
static const char *const dropped_pairs[] = {
    "-o", "-MF", "-MT", "-MQ", "-MJ", "-x", "--serialize-diagnostics"};
static const char *const dropped_prefixes[] = {"-o",
                                               "-MF",
                                               "-MT",
                                               "-MQ",
                                               "-MJ",
                                               "-xc",
                                               "-save-temps=",
                                               "--save-temps=",
                                               "-ftime-trace=",
                                               "-foptimization-record-file=",
                                               "-fsave-optimization-record",
                                               "-Wp,-M",
                                               "-fdiagnostics-format=",
                                               "-fdiagnostics-color=",
                                               "-fplugin-arg-divcost-report="};
static const char *const architecture_prefixes[] = {
    "--cuda-gpu-arch=", "--offload-arch=", "--no-cuda-gpu-arch=", "--no-offload-arch="};
// Their next word may look like a file, and isn't the source.
static const char *const pairs[] = {
    "-include",     "-imacros",  "-isystem", "-iquote",     "-idirafter",    "-I",
    "-D",           "-U",        "-Xclang",  "-Xarch_host", "-Xarch_device", "-mllvm",
    "-include-pch", "-isysroot", "-T",       "-Xlinker"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_one_of(const char *word, const char *const *list, size_t count) {
  for (size_t k = 0; k < count; ++k)
    if (!strcmp(word, list[k]))
      return true;
  return false;
}

static bool starts_with_one_of(const char *word, const char *const *list, size_t count) {
  for (size_t k = 0; k < count; ++k)
    if (!strncmp(word, list[k], strlen(list[k])))
      return true;
  return false;
}

static bool is_our_plugin(const char *word) {
  static const char end[] = "divcost.so";
  size_t length = strlen(word);
  return !strncmp(word, "-fplugin=", 9) && length >= sizeof end - 1 &&
         !strcmp(word + length - (sizeof end - 1), end);
}

static bool is_source(const compile_command *command, const char *word) {
  const char *name = strrchr(command->file, '/'), *other = strrchr(word, '/');
  return word[0] != '-' && !strcmp(name ? name + 1 : command->file, other ? other + 1 : word);
}

void clang_add_words(const compile_command *command, size_t compiler, bool architectures,
                     arguments *words) {
  const arguments *from = &command->words;
  for (size_t k = compiler + 1; k < from->count; ++k) {
    const char *word = from->words[k];
    if (is_one_of(word, dropped_pairs, COUNT(dropped_pairs))) {
      ++k;
    } else if (is_one_of(word, pairs, COUNT(pairs))) {
      arguments_add(words, word);
      if (k + 1 < from->count)
        arguments_add(words, from->words[++k]);
    } else if (!is_one_of(word, dropped, COUNT(dropped)) &&
               !starts_with_one_of(word, dropped_prefixes, COUNT(dropped_prefixes)) &&
               !is_our_plugin(word) && !is_source(command, word) &&
               (architectures ||
                !starts_with_one_of(word, architecture_prefixes, COUNT(architecture_prefixes)))) {
      arguments_add(words, word);
    }
  }
}
