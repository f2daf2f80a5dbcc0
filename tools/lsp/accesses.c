// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the report says of the accesses to memory of a line, for hover: each thing that is said
// once, with the first kernel of which it is.
#include "lsp/server.h"

#include "divcost/string_set.h"
#include "divcost/words.h"

#include <stdio.h>
#include <string.h>

typedef struct said {
  FILE *to;
  dc_string_set words;
} said;

static void say(said *s, const dc_kernel *kernel, const char *words) {
  enum { SHOWN = 8 };
  bool added;
  uint32_t number = dc_string_set_add(&s->words, words, strlen(words), &added);
  if (number == UINT32_MAX || !added || number > SHOWN)
    return;
  const char *name = dc_kernel_text(kernel, kernel->name);
  if (number == SHOWN)
    fputs("and more\n", s->to);
  else
    fprintf(s->to, "%s, in %.*s\n", words, (int)strcspn(name, "("), name);
}

// Those of one kernel that stand in a line, as it is now, of a file of the analysis.
static void say_of_kernel(said *s, const lsp_analysis *analysis, const dc_unit_kernel *of,
                          uint32_t file, size_t line) {
  const dc_kernel *kernel = &of->kernel;
  const dc_estimate *worst = dc_worst_estimate(of);
  char words[DC_WORDS];
  for (uint32_t k = 0; worst && k < kernel->n_accesses; ++k) {
    uint32_t location = kernel->accesses[k].location;
    const dc_location *at = location == DC_NONE ? NULL : &kernel->locations[location];
    if (at && at->line > 0 && text_lines_now(&analysis->files[file].lines, at->line - 1) == line &&
        lsp_file_named(analysis, dc_kernel_text(kernel, at->file)) == file &&
        dc_access_words(kernel, worst, k, words, sizeof words))
      say(s, kernel, words);
  }
}

bool lsp_write_accesses(const lsp_server *server, const lsp_document *document, size_t line,
                        FILE *stream) {
  said s = {.to = stream};
  for (const lsp_document *d = server->documents; d; d = d->next) {
    uint32_t file = lsp_file_at(&d->analysis, document->real);
    for (uint32_t k = 0; file != DC_NONE && k < d->analysis.unit.n_kernels; ++k)
      say_of_kernel(&s, &d->analysis, &d->analysis.unit.kernels[k], file, line);
  }
  bool some = s.words.count > 0;
  dc_string_set_free(&s.words);
  return some;
}
