// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which instance of a template stands for all of them, and the others' names: as in reports.
#include "divcost/instances.h"

#include "divcost/words.h"
#include "lsp/server.h"

#include <stdlib.h>
#include <string.h>

// ---- folding ------------------------------------------------------------------------------------

// The kernels of a unit, and which of them was asked for last.
typedef struct cursor {
  const dc_unit *unit;
  uint32_t at;
} cursor;

static dc_status get_kernel(void *context, uint32_t index, const dc_unit_kernel **kernel,
                            dc_error *error) {
  (void)error;
  cursor *cursor = context;
  cursor->at = index;
  *kernel = &cursor->unit->kernels[index];
  return DC_OK;
}

// A kernel takes over the names that it has where it is folded.
static bool take_names(dc_unit_kernel *kernel, const dc_unit_kernel *folded) {
  bool room = dc_name_list_add_all(&kernel->instances, &folded->instances);
  for (uint32_t f = 0; room && f < kernel->n_findings; ++f)
    room = dc_name_list_add_all(&kernel->findings[f].others, &folded->findings[f].others);
  return room;
}

static bool take_all_names(dc_unit *unit, const dc_kernels *shown, const cursor *cursor) {
  const dc_unit_kernel *folded;
  bool room = true;
  for (uint32_t k = 0; room && k < shown->n_kernels; ++k)
    room = shown->get(shown->context, k, &folded, NULL) == DC_OK &&
           take_names(&unit->kernels[cursor->at], folded);
  return room;
}

// Those that stand for others come first: they are as bad as the first of their template.
static void move_to_front(const dc_unit *unit, uint32_t *order) {
  uint32_t *rest = malloc(((size_t)unit->n_kernels + 1) * sizeof *rest), n_rest = 0, n_first = 0;
  for (uint32_t k = 0; rest && k < unit->n_kernels; ++k)
    if (unit->kernels[order[k]].instances.count > 0)
      order[n_first++] = order[k];
    else
      rest[n_rest++] = order[k];
  if (rest)
    memcpy(order + n_first, rest, n_rest * sizeof *rest);
  free(rest);
}

bool lsp_fold(lsp_analysis *analysis) {
  dc_unit *unit = &analysis->unit;
  cursor cursor = {unit, 0};
  dc_kernels all = dc_unit_kernels(unit), shown;
  const dc_fold_options options = {.system_headers = true};
  dc_folded *folded;
  dc_error error;
  all.get = get_kernel;
  all.context = &cursor;
  analysis->order = malloc(((size_t)unit->n_kernels + 1) * sizeof *analysis->order);
  bool room = analysis->order && dc_worst_first(&all, analysis->order, &error) == DC_OK;
  if (room) {
    room = dc_instances_fold(&all, &options, &folded, &shown, &error) == DC_OK &&
           take_all_names(unit, &shown, &cursor);
    dc_folded_free(folded);
  }
  if (room)
    move_to_front(unit, analysis->order);
  return room;
}

// ---- words --------------------------------------------------------------------------------------

// What a statement is beside its worst instance.
typedef struct others {
  dc_name_list instances; // of the worst one's template
  dc_name_list kernels;   // other ones, without parameters
  uint32_t copies;        // in the worst one's kernel
} others;

// Instances of a template are declared in one place.
static bool same_declaration(const dc_kernel *a, const dc_kernel *b) {
  if (a->location == DC_NONE || b->location == DC_NONE)
    return false;
  const dc_location *x = &a->locations[a->location], *y = &b->locations[b->location];
  return x->line == y->line && x->line > 0 &&
         strcmp(dc_kernel_text(a, x->file), dc_kernel_text(b, y->file)) == 0;
}

static bool add_kernel(dc_name_list *list, const char *name) {
  size_t length = dc_name_length(name);
  char *cut = malloc(length + 1);
  if (cut) {
    memcpy(cut, name, length);
    cut[length] = 0;
  }
  bool room = cut && dc_name_list_add_once(list, cut);
  free(cut);
  return room;
}

static bool find_others(const lsp_analysis *analysis, const lsp_place *place, uint32_t count,
                        others *found) {
  const dc_kernel *worst = &analysis->unit.kernels[place->kernel].kernel;
  bool room = true;
  for (uint32_t k = 1; room && k < count; ++k) {
    const dc_kernel *other = &analysis->unit.kernels[place[k].kernel].kernel;
    const char *name = dc_kernel_text(other, other->name);
    if (other == worst)
      ++found->copies;
    else if (same_declaration(worst, other))
      room = dc_name_list_add_once(&found->instances, name);
    else
      room = add_kernel(&found->kernels, name);
  }
  return room;
}

static void write_kernels(const dc_name_list *kernels, FILE *stream) {
  enum { SHOWN = 6 };
  fprintf(stream, "  also in       ");
  for (uint32_t k = 0; k < kernels->count && k < SHOWN; ++k)
    fprintf(stream, "%s%s", k ? ", " : "", kernels->names[k]);
  if (kernels->count > SHOWN)
    fprintf(stream, " and %u more", kernels->count - SHOWN);
  fprintf(stream, "\n");
}

void lsp_write_instances(const lsp_analysis *analysis, const lsp_place *place, uint32_t count,
                         FILE *stream) {
  others found = {0};
  char words[DC_WORDS];
  bool room = find_others(analysis, place, count, &found);
  if (room && found.instances.count > 0) {
    dc_instances_words(&found.instances, words, sizeof words);
    fprintf(stream, "  instances     the worst of %u; the others: %s\n", found.instances.count + 1,
            words);
  }
  if (room && found.copies > 0)
    fprintf(stream, "  copies        the worst of %u in this kernel\n", found.copies + 1);
  if (room && found.kernels.count > 0)
    write_kernels(&found.kernels, stream);
  dc_name_list_free(&found.instances);
  dc_name_list_free(&found.kernels);
}
