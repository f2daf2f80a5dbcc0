// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building and releasing kernel skeletons. Arrays hold no capacity: it is a function of the count,
// the next power of two, so that a kernel is nothing but its contents.
#include "divcost/kernel.h"

#include "kernel/kernel_internal.h"

#include <stdlib.h>
#include <string.h>

// How far back the string table is searched for an equal string.
#define TEXT_WINDOW 4096

void dc_kernel_free(dc_kernel *kernel) {
  dc_expr_pool_free(&kernel->pool);
  free(kernel->blocks);
  free(kernel->successors);
  free(kernel->branches);
  free(kernel->loops);
  free(kernel->exits);
  free(kernel->reasons);
  free(kernel->barriers);
  free(kernel->row_levels);
  free(kernel->accesses);
  free(kernel->locations);
  free(kernel->params);
  free(kernel->launches);
  free(kernel->calls);
  free(kernel->load_names);
  free(kernel->opaque_names);
  free(kernel->text);
  memset(kernel, 0, sizeof *kernel);
}

// Makes room for `more` elements after the first `count`.
static void *grow(void *array, uint32_t count, uint32_t more, size_t size) {
  uint64_t capacity = dc__kernel_capacity(count), needed = (uint64_t)count + more;
  if (array && needed <= capacity)
    return array;
  capacity = dc__kernel_capacity(needed);
  if (capacity > DC_NONE / 2)
    return NULL;
  return realloc(array, (size_t)capacity * size);
}

// Adds one zeroed element to *array.
static uint32_t add(void **array, uint32_t *count, size_t size) {
  void *grown = grow(*array, *count, 1, size);
  if (!grown)
    return DC_NONE;
  *array = grown;
  memset((char *)grown + *count * size, 0, size);
  return (*count)++;
}

// clang-format off
#define DEFINE_ADD(linkage, function, array, count)                                                \
  linkage uint32_t function(dc_kernel *kernel) {                                                   \
    void *elements = kernel->array;                                                                \
    uint32_t index = add(&elements, &kernel->count, sizeof *kernel->array);                        \
    kernel->array = elements;                                                                      \
    return index;                                                                                  \
  }

DEFINE_ADD(extern, dc_kernel_add_block, blocks, n_blocks)
DEFINE_ADD(extern, dc_kernel_add_branch, branches, n_branches)
DEFINE_ADD(extern, dc_kernel_add_loop, loops, n_loops)
DEFINE_ADD(extern, dc_kernel_add_exit, exits, n_exits)
DEFINE_ADD(extern, dc_kernel_add_barrier, barriers, n_barriers)
DEFINE_ADD(extern, dc_kernel_add_row_level, row_levels, n_row_levels)
DEFINE_ADD(extern, dc_kernel_add_access, accesses, n_accesses)
DEFINE_ADD(extern, dc_kernel_add_location, locations, n_locations)
DEFINE_ADD(extern, dc_kernel_add_param, params, n_params)
DEFINE_ADD(extern, dc_kernel_add_launch, launches, n_launches)
DEFINE_ADD(static, add_successor, successors, n_successors)
DEFINE_ADD(static, add_reason, reasons, n_reasons)
DEFINE_ADD(static, add_call, calls, n_calls)
DEFINE_ADD(static, add_load_name, load_names, n_load_names)
DEFINE_ADD(static, add_opaque_name, opaque_names, n_opaque_names)
// clang-format on

uint32_t dc_kernel_add_successor(dc_kernel *kernel, uint32_t block) {
  dc_block *of = &kernel->blocks[block];
  bool last = of->first_successor + of->n_successors == kernel->n_successors;
  if (!last) { // another block's are in the way, or there are none yet: (re)start at the end
    uint32_t first = kernel->n_successors;
    for (uint32_t k = 0; k < of->n_successors; ++k) {
      uint32_t copy = add_successor(kernel);
      if (copy == DC_NONE)
        return DC_NONE;
      kernel->successors[copy] = kernel->successors[of->first_successor + k];
    }
    of->first_successor = first;
  }
  uint32_t index = add_successor(kernel);
  if (index != DC_NONE)
    ++of->n_successors;
  return index;
}

uint32_t dc_kernel_add_reason(dc_kernel *kernel, uint32_t location, const char *text) {
  uint32_t index = add_reason(kernel);
  if (index != DC_NONE)
    kernel->reasons[index] = (dc_reason){location, dc_kernel_add_text(kernel, text)};
  return index;
}

uint32_t dc_kernel_add_call(dc_kernel *kernel, dc_call_kind kind, const char *function) {
  uint32_t index = add_call(kernel);
  if (index != DC_NONE)
    kernel->calls[index] = (dc_call){dc_kernel_add_text(kernel, function), (uint8_t)kind};
  return index;
}

uint32_t dc_kernel_add_load_name(dc_kernel *kernel, const char *text) {
  uint32_t index = add_load_name(kernel);
  if (index != DC_NONE)
    kernel->load_names[index] = dc_kernel_add_text(kernel, text);
  return index;
}

uint32_t dc_kernel_add_opaque_name(dc_kernel *kernel, const char *text) {
  uint32_t index = add_opaque_name(kernel);
  if (index != DC_NONE)
    kernel->opaque_names[index] = dc_kernel_add_text(kernel, text);
  return index;
}

// An equal string among the last TEXT_WINDOW bytes of the table, or 0.
static dc_text find_text(const dc_kernel *kernel, const char *text, size_t length) {
  uint32_t at = 0;
  if (kernel->text_size > TEXT_WINDOW) {
    at = kernel->text_size - TEXT_WINDOW;
    at += (uint32_t)strlen(kernel->text + at); // to the end of a string that is cut
  }
  while (at < kernel->text_size) {
    size_t here = strlen(kernel->text + at);
    if (here == length && memcmp(kernel->text + at, text, length) == 0)
      return at;
    at += (uint32_t)here + 1;
  }
  return 0;
}

dc_text dc_kernel_add_text(dc_kernel *kernel, const char *text) {
  size_t length = text ? strlen(text) : 0;
  if (length == 0 || length >= DC_NONE / 2)
    return 0;
  bool first = kernel->text_size == 0;
  dc_text found = first ? 0 : find_text(kernel, text, length);
  if (found)
    return found;
  uint32_t more = (uint32_t)length + 1 + first;
  char *grown = grow(kernel->text, kernel->text_size, more, 1);
  if (!grown)
    return 0;
  kernel->text = grown;
  if (first)
    grown[kernel->text_size++] = 0;
  dc_text offset = kernel->text_size;
  memcpy(grown + offset, text, length + 1);
  kernel->text_size += (uint32_t)length + 1;
  return offset;
}

const char *dc_kernel_text(const dc_kernel *kernel, dc_text text) {
  return text < kernel->text_size ? kernel->text + text : "";
}

// ---- printing with the kernel's names -----------------------------------------------------------

// The names an expression's leaves have, gathered on the stack: only as many as fit are shown.
#define NAMES_MAX 256

size_t dc_kernel_print_expr(const dc_kernel *kernel, dc_expr e, char *text, size_t size) {
  const char *params[NAMES_MAX], *loads[NAMES_MAX], *opaques[NAMES_MAX];
  dc_expr_names names = {params,  kernel->n_params,      loads, kernel->n_load_names,
                         opaques, kernel->n_opaque_names};
  uint32_t most = names.n_params > names.n_loads ? names.n_params : names.n_loads;
  most = most > names.n_opaques ? most : names.n_opaques;
  const char **many = NULL;
  if (most > NAMES_MAX && (many = malloc((size_t)most * 3 * sizeof *many))) {
    names.params = many;
    names.loads = many + most;
    names.opaques = many + (size_t)2 * most;
  } else if (most > NAMES_MAX) { // memory is out: the first names will do
    names.n_params = names.n_params < NAMES_MAX ? names.n_params : NAMES_MAX;
    names.n_loads = names.n_loads < NAMES_MAX ? names.n_loads : NAMES_MAX;
    names.n_opaques = names.n_opaques < NAMES_MAX ? names.n_opaques : NAMES_MAX;
  }
  for (uint32_t k = 0; k < names.n_params; ++k)
    ((const char **)names.params)[k] = dc_kernel_text(kernel, kernel->params[k].name);
  for (uint32_t k = 0; k < names.n_loads; ++k)
    ((const char **)names.loads)[k] = dc_kernel_text(kernel, kernel->load_names[k]);
  for (uint32_t k = 0; k < names.n_opaques; ++k)
    ((const char **)names.opaques)[k] = dc_kernel_text(kernel, kernel->opaque_names[k]);
  size_t length = dc_expr_print(&kernel->pool, e, &names, text, size);
  free(many);
  return length;
}

void dc_kernel_set_registers(dc_kernel *kernel, uint32_t sm, uint32_t count) {
  dc_resources *resources = &kernel->resources;
  uint32_t k = 0;
  while (k < resources->n_ptxas && resources->ptxas[k].sm != sm)
    ++k;
  if (k < DC_PTXAS_ARCHS) {
    resources->ptxas[k] = (dc_registers){sm, count};
    resources->n_ptxas += k == resources->n_ptxas;
  }
}
