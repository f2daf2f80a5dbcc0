// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700

#include "compile/nvcc.h"

#include "divcost/input.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What the translation gathers. Options files may name others; who nests deeper means a cycle.
enum { NESTING_MAX = 8 };

typedef struct translation {
  const char *directory;
  arguments *words, *architectures, *unknown;
  arguments host; // options of the host's compiler
  const char *arch, *code;
  arguments kept; // keeps arch and code
  bool forwards;  // unknown options are the host compiler's
  unsigned nesting;
  dc_error *error;
} translation;

static dc_status translate_words(translation *t, const arguments *words, size_t first);

// Calls `add` with each item of a list: commas separate items, but not after a backslash nor inside
// quotes.
static void split_list(const char *list, arguments *items) {
  char *item = malloc(strlen(list) + 1);
  size_t length = 0;
  char quote = 0;
  items->failed |= !item;
  for (const char *at = list; item; ++at) {
    if (!*at || (*at == ',' && !quote)) {
      arguments_add_part(items, item, length);
      length = 0;
      if (!*at)
        break;
    } else {
      if (*at == '\\' && at[1] == ',')
        ++at;
      else if (*at == quote)
        quote = 0;
      else if (!quote && (*at == '"' || *at == '\''))
        quote = *at;
      item[length++] = *at;
    }
  }
  free(item);
}

static void pass_list(const nvcc_option *option, const char *value, arguments *words) {
  arguments items = {0};
  split_list(value, &items);
  for (size_t k = 0; k < items.count; ++k) {
    if (option->action == NVCC_PASS_PAIR)
      arguments_add(words, option->clang);
    arguments_addf(words, "%s%s", option->action == NVCC_PASS_PAIR ? "" : option->clang,
                   items.words[k]);
  }
  words->failed |= items.failed;
  arguments_free(&items);
}

// "-Wall,-DX" and "-Wall -DX" are both met.
static void add_host_options(arguments *host, const char *value) {
  arguments items = {0};
  split_list(value, &items);
  for (size_t k = 0; k < items.count; ++k)
    arguments_add_text(host, items.words[k]);
  host->failed |= items.failed;
  arguments_free(&items);
}

static dc_status translate_file(translation *t, const char *name) {
  if (t->nesting == NESTING_MAX)
    return dc_fail(t->error, DC_ERROR_FILE, "options file '%.150s': more than %d in each other",
                   name, NESTING_MAX);
  arguments path = {0}, words = {0};
  arguments_addf(&path, "%s%s%s", name[0] == '/' ? "" : t->directory, name[0] == '/' ? "" : "/",
                 name);
  char *text = NULL;
  size_t length = 0;
  dc_error inner = {0};
  dc_status status = path.failed
                         ? dc_fail(&inner, DC_ERROR_MEMORY, "out of memory")
                         : dc_input_read(path.words[0], DC_INPUT_TEXT_MOST, &text, &length, &inner);
  arguments_free(&path);
  if (status == DC_OK)
    status = dc_input_check_text(text, length, &inner);
  if (status == DC_OK)
    arguments_add_text(&words, text);
  free(text);
  if (status != DC_OK)
    return dc_fail(t->error, status, "options file '%.150s': %.100s", name, inner.text);
  ++t->nesting;
  status = words.failed ? dc_fail(t->error, DC_ERROR_MEMORY, "out of memory")
                        : translate_words(t, &words, 0);
  --t->nesting;
  arguments_free(&words);
  return status;
}

static dc_status translate_files(translation *t, const char *list) {
  arguments names = {0};
  dc_status status = DC_OK;
  split_list(list, &names);
  for (size_t k = 0; status == DC_OK && k < names.count; ++k)
    status = translate_file(t, names.words[k]);
  if (status == DC_OK && names.failed)
    status = dc_fail(t->error, DC_ERROR_MEMORY, "out of memory");
  arguments_free(&names);
  return status;
}

static const char *keep(translation *t, const char *value) {
  arguments_add(&t->kept, value);
  return t->kept.failed ? NULL : t->kept.words[t->kept.count - 1];
}

static dc_status translate_option(translation *t, const nvcc_option *option, const char *value) {
  switch (option->action) {
  case NVCC_DROP:
  case NVCC_OUTPUT:
    break;
  case NVCC_PASS:
    if (*value)
      arguments_addf(t->words, "%s%s", option->clang, value);
    else
      arguments_add_text(t->words, option->clang);
    break;
  case NVCC_PASS_EACH:
  case NVCC_PASS_PAIR:
    pass_list(option, value, t->words);
    break;
  case NVCC_IF_TRUE:
  case NVCC_IF_FALSE:
    if (!strcmp(value, option->action == NVCC_IF_TRUE ? "true" : "false"))
      arguments_add_text(t->words, option->clang);
    break;
  case NVCC_ARCHITECTURE:
    t->arch = keep(t, value);
    break;
  case NVCC_CODE:
    t->code = keep(t, value);
    break;
  case NVCC_GENERATE_CODE:
    nvcc_add_generated(t->architectures, value);
    break;
  case NVCC_HOST:
    add_host_options(&t->host, value);
    break;
  case NVCC_FORWARD:
    t->forwards = true;
    break;
  case NVCC_OPTIONS_FILE:
    return translate_files(t, value);
  }
  return DC_OK;
}

static dc_status translate_words(translation *t, const arguments *words, size_t first) {
  dc_status status = DC_OK;
  for (size_t k = first; status == DC_OK && k < words->count; ++k) {
    const char *word = words->words[k], *value;
    const nvcc_option *option = nvcc_option_find(word, &value);
    if (option) {
      if (option->value != NVCC_NONE && !value)
        value = k + 1 < words->count ? words->words[++k] : "";
      status = translate_option(t, option, value ? value : "");
    } else if (word[0] == '-' && word[1]) {
      arguments_add(t->forwards ? &t->host : t->unknown, word);
    } // else an input: the file itself, an object, the value of an unknown option
  }
  return status;
}

// Of the host compiler's options, those that the device's code can tell; other ones choose what
// becomes of the host's.
static const char *const host_prefixes[] = {"-D", "-U", "-I", "-std="};
static const char *const host_pairs[] = {"-isystem", "-iquote", "-idirafter", "-include",
                                         "-imacros"};
static const char *const host_words[] = {"-fexceptions",    "-fno-exceptions", "-frtti",
                                         "-fno-rtti",       "-fsigned-char",   "-funsigned-char",
                                         "-fms-extensions", "-pthread"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_pair(const char *word) {
  for (size_t k = 0; k < COUNT(host_pairs); ++k)
    if (!strcmp(word, host_pairs[k]))
      return true;
  return !strcmp(word, "-D") || !strcmp(word, "-U") || !strcmp(word, "-I");
}

static bool is_kept(const char *word) {
  for (size_t k = 0; k < COUNT(host_prefixes); ++k)
    if (!strncmp(word, host_prefixes[k], strlen(host_prefixes[k])))
      return true;
  for (size_t k = 0; k < COUNT(host_pairs); ++k)
    if (!strncmp(word, host_pairs[k], strlen(host_pairs[k])))
      return true;
  for (size_t k = 0; k < COUNT(host_words); ++k)
    if (!strcmp(word, host_words[k]))
      return true;
  return false;
}

static void pass_host_options(const arguments *host, arguments *words) {
  for (size_t k = 0; k < host->count; ++k) {
    const char *word = host->words[k];
    if (!is_kept(word) || (is_pair(word) && k + 1 == host->count))
      continue;
    arguments_add(words, word);
    if (is_pair(word))
      arguments_add(words, host->words[++k]);
  }
  words->failed |= host->failed;
}

// The headers of nvcc's own toolkit: DIR/bin/nvcc belongs to DIR. From CUDA 13 on its C++ library
// is in a folder that clang doesn't know of.
static void add_toolkit(const char *compiler, arguments *words) {
  char *path = realpath(compiler, NULL);
  char *slash = path ? strrchr(path, '/') : NULL;
  arguments tried = {0};
  if (slash) {
    *slash = 0;
    slash = strrchr(path, '/');
  }
  if (slash && !strcmp(slash, "/bin")) {
    *slash = 0;
    arguments_addf(&tried, "%s/include/cuda_runtime.h", path);
    arguments_addf(&tried, "%s/include/cccl", path);
  }
  if (tried.count == 2 && access(tried.words[0], R_OK) == 0) {
    arguments_addf(words, "--cuda-path=%s", path);
    if (access(tried.words[1], R_OK) == 0) {
      arguments_add(words, "-isystem");
      arguments_add(words, tried.words[1]);
    }
  }
  arguments_free(&tried);
  free(path);
}

dc_status nvcc_translate(const compile_command *command, size_t compiler, arguments *words,
                         arguments *architectures, arguments *unknown, dc_error *error) {
  translation t = {.directory = command->directory,
                   .words = words,
                   .architectures = architectures,
                   .unknown = unknown,
                   .error = error};
  arguments_add(words, "-O3"); // nvcc's default for the device's code, whatever -O says
  // nvcc's headers have host functions that clang's lack (min and max of CUDA 13): errors in host
  // code are none of the device's.
  arguments_add(words, "-fgpu-defer-diag");
  // Where a function lacks its return nvcc's code goes on; clang's has no way that leads there.
  arguments_add(words, "-fno-strict-return");
  arguments_add(words, "-fplugin-arg-divcost-compiler=nvcc"); // unrolls by rules of its own
  dc_status status = translate_words(&t, &command->words, compiler + 1);
  pass_host_options(&t.host, words);
  add_toolkit(command->words.words[compiler], words);
  nvcc_add_architectures(architectures, t.arch, t.code);
  if (architectures->count == 0)
    arguments_add(architectures, "sm_75"); // nvcc's default since CUDA 13
  words->failed |= t.kept.failed;
  arguments_free(&t.host);
  arguments_free(&t.kept);
  if (status == DC_OK && (words->failed || architectures->failed || unknown->failed))
    status =
        dc_fail(error, DC_ERROR_MEMORY, "out of memory for the command of '%.180s'", command->file);
  return status;
}
