// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of source.h: growing arrays, sorted once, searched by bisection.
#include "analysis/source.h"

#include <stdlib.h>
#include <string.h>

// Room for one more element of `size` bytes, zeroed, at the end of an array that doubles.
static void *grow(void **array, uint32_t *count, size_t size) {
  bool full = (*count & (*count - 1)) == 0; // 0, 1, 2, 4, 8 ...
  if (full) {
    size_t capacity = *count ? (size_t)*count * 2 : 1;
    void *larger = realloc(*array, capacity * size);
    if (!larger)
      return NULL;
    *array = larger;
  }
  void *element = (char *)*array + (size_t)*count * size;
  memset(element, 0, size);
  ++*count;
  return element;
}

dcp_loop_statement *dcp_source_add_loop(dcp_source *source) {
  return grow((void **)&source->loops, &source->n_loops, sizeof *source->loops);
}

dcp_kernel_source *dcp_source_add_kernel(dcp_source *source) {
  return grow((void **)&source->kernels, &source->n_kernels, sizeof *source->kernels);
}

dcp_function_source *dcp_source_add_function(dcp_source *source) {
  return grow((void **)&source->functions, &source->n_functions, sizeof *source->functions);
}

dcp_kernel_name *dcp_source_add_kernel_name(dcp_source *source) {
  return grow((void **)&source->kernel_names, &source->n_kernel_names,
              sizeof *source->kernel_names);
}

dcp_launch *dcp_kernel_add_launch(dcp_kernel_source *kernel) {
  return grow((void **)&kernel->launches, &kernel->n_launches, sizeof *kernel->launches);
}

dcp_parameter *dcp_kernel_add_parameter(dcp_kernel_source *kernel) {
  return grow((void **)&kernel->parameters, &kernel->n_parameters, sizeof *kernel->parameters);
}

static int compare_place(const dcp_loop_statement *loop, const char *file, uint32_t line,
                         uint32_t column) {
  int order = strcmp(loop->file, file);
  if (order)
    return order;
  if (loop->line != line)
    return loop->line < line ? -1 : 1;
  return loop->column < column ? -1 : loop->column > column;
}

// Annotated statements first among those at one place (two loops of one macro expansion).
static int compare_loops(const void *left, const void *right) {
  const dcp_loop_statement *a = left, *b = right;
  int order = compare_place(a, b->file, b->line, b->column);
  if (order)
    return order;
  if (dcp_is_annotated(a) != dcp_is_annotated(b))
    return dcp_is_annotated(a) ? -1 : 1;
  return a->raw_location < b->raw_location ? -1 : a->raw_location > b->raw_location;
}

void dcp_source_seal(dcp_source *source) {
  if (source->n_loops)
    qsort(source->loops, source->n_loops, sizeof *source->loops, compare_loops);
}

const dcp_loop_statement *dcp_source_find_loop(const dcp_source *source, const char *file,
                                               uint32_t line, uint32_t column) {
  uint32_t low = 0, high = source->n_loops;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (compare_place(&source->loops[middle], file, line, column) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == source->n_loops || compare_place(&source->loops[low], file, line, column))
    return NULL;
  return &source->loops[low];
}

static bool ends_after(const dcp_loop_statement *loop, uint32_t line, uint32_t column) {
  return loop->end_line > line || (loop->end_line == line && loop->end_column >= column);
}

const dcp_loop_statement *dcp_source_enclosing_loop(const dcp_source *source, const char *file,
                                                    uint32_t line, uint32_t column) {
  // Statements nest: the last one that begins before the place and ends after it is the innermost.
  const dcp_loop_statement *innermost = NULL;
  for (uint32_t k = 0; k < source->n_loops; ++k) {
    const dcp_loop_statement *loop = &source->loops[k];
    if (compare_place(loop, file, line, column) > 0)
      break;
    if (strcmp(loop->file, file) == 0 && ends_after(loop, line, column))
      innermost = loop;
  }
  return innermost;
}

static bool is_before(uint32_t line, uint32_t column, uint32_t other, uint32_t other_column) {
  return line < other || (line == other && column < other_column);
}

uint32_t dcp_source_function_line(const dcp_source *source, const char *file, uint32_t line,
                                  uint32_t column) {
  const dcp_function_source *innermost = NULL;
  for (uint32_t k = 0; k < source->n_functions; ++k) {
    const dcp_function_source *f = &source->functions[k];
    if (is_before(line, column, f->line, f->column) ||
        is_before(f->end_line, f->end_column, line, column) || strcmp(f->file, file) != 0)
      continue;
    if (!innermost || is_before(innermost->line, innermost->column, f->line, f->column))
      innermost = f;
  }
  return innermost ? innermost->line : 0;
}

const dcp_kernel_source *dcp_source_find_kernel(const dcp_source *source, const char *symbol) {
  for (uint32_t k = 0; k < source->n_kernels; ++k)
    if (!strcmp(source->kernels[k].symbol, symbol))
      return &source->kernels[k];
  return NULL;
}

size_t dcp_symbol_length(const char *symbol) {
  const char *suffix = strstr(symbol, "__intern__");
  return suffix ? (size_t)(suffix - symbol) : strlen(symbol);
}

void dcp_source_free(dcp_source *source) {
  for (uint32_t l = 0; l < source->n_loops; ++l) {
    free(source->loops[l].file);
    free(source->loops[l].function);
    free(source->loops[l].distribution);
    free(source->loops[l].distribution_at);
    free(source->loops[l].ignored);
    free(source->loops[l].ignored_at);
  }
  for (uint32_t f = 0; f < source->n_functions; ++f)
    free(source->functions[f].file);
  for (uint32_t k = 0; k < source->n_kernels; ++k) {
    dcp_kernel_source *kernel = &source->kernels[k];
    for (uint32_t p = 0; p < kernel->n_parameters; ++p)
      free(kernel->parameters[p].name);
    for (uint32_t s = 0; s < kernel->n_launches; ++s)
      free(kernel->launches[s].file);
    free(kernel->symbol);
    free(kernel->file);
    free(kernel->parameters);
    free(kernel->launches);
  }
  for (uint32_t k = 0; k < source->n_kernel_names; ++k) {
    free(source->kernel_names[k].function);
    free(source->kernel_names[k].file);
  }
  free(source->kernel_names);
  free(source->loops);
  free(source->kernels);
  free(source->functions);
  memset(source, 0, sizeof *source);
}
