// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels come by file and line of their declaration, so instances of one template stand together.
#include "divcost/instances.h"

#include "report/names.h"
#include "report/places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHARE_TOLD 0.005 // shares are told as whole percentages
#define TIME_TOLD 0.01

// A finding of an instance.
typedef struct placed {
  uint32_t place;      // in the places of the template
  dc_name_list others; // of the finding
} placed;

// An instance of the template that is looked at.
typedef struct member {
  uint32_t kernel, rank;
  double share, time; // that is lost: the low end; negative: not known
  bool kept;
  char *name, *symbol;
  dc_name_list instances; // it stood for these before
  placed *findings;
  uint32_t n_findings;
} member;

// A kernel that is kept.
typedef struct kept {
  uint32_t kernel;
  dc_name_list instances, *others; // the latter of each finding
  uint32_t n_findings;
} kept;

struct dc_folded {
  const dc_kernels *all;
  kept *kept;
  uint32_t n_kept;
  dc_fold_options options;
  uint32_t left_out;
  dc_unit_kernel current; // as it is in `all`, but for its findings and instances
};

// The template, while its instances are gathered.
typedef struct group {
  char *name, *file; // the former without template arguments and parameters
  uint32_t line;
  member *members;
  uint32_t n_members, capacity;
  dc_string_set places;
} group;

static void free_member(member *of) {
  for (uint32_t k = 0; k < of->n_findings; ++k)
    dc_name_list_free(&of->findings[k].others);
  free(of->findings);
  dc_name_list_free(&of->instances);
  free(of->name);
  free(of->symbol);
}

static void free_group(group *of) {
  for (uint32_t k = 0; k < of->n_members; ++k)
    free_member(&of->members[k]);
  free(of->members);
  free(of->name);
  free(of->file);
  dc_string_set_free(&of->places);
  *of = (group){0};
}

static void free_current(dc_folded *folded) {
  free(folded->current.findings);
  folded->current = (dc_unit_kernel){0};
}

void dc_folded_free(dc_folded *folded) {
  if (!folded)
    return;
  for (uint32_t k = 0; k < folded->n_kept; ++k) {
    kept *of = &folded->kept[k];
    for (uint32_t f = 0; f < of->n_findings; ++f)
      dc_name_list_free(&of->others[f]);
    free(of->others);
    dc_name_list_free(&of->instances);
  }
  free(folded->kept);
  free_current(folded);
  free(folded);
}

// ---- gathering ---------------------------------------------------------------------------------

static char *copy_of(const char *text, size_t length) {
  char *copy = malloc(length + 1);
  if (copy) {
    memcpy(copy, text, length);
    copy[length] = 0;
  }
  return copy;
}

static const dc_location *declaration(const dc_kernel *kernel) {
  return kernel->location == DC_NONE ? NULL : &kernel->locations[kernel->location];
}

// Whether a kernel is another instance; without a place nothing is.
static bool is_instance(const group *of, const dc_kernel *kernel) {
  const dc_location *at = declaration(kernel);
  const char *name = dc_kernel_text(kernel, kernel->name);
  size_t length = dc__bare_length(name);
  return of->n_members > 0 && at && at->line > 0 && at->line == of->line &&
         strcmp(dc_kernel_text(kernel, at->file), of->file) == 0 && strlen(of->name) == length &&
         memcmp(name, of->name, length) == 0;
}

static bool begin_group(group *of, const dc_kernel *kernel) {
  const dc_location *at = declaration(kernel);
  const char *name = dc_kernel_text(kernel, kernel->name),
             *file = at ? dc_kernel_text(kernel, at->file) : "";
  *of = (group){.line = at ? at->line : 0};
  of->name = copy_of(name, dc__bare_length(name));
  of->file = copy_of(file, strlen(file));
  return of->name && of->file;
}

static bool add_findings(group *of, const dc_unit_kernel *kernel, member *to) {
  to->findings = calloc((size_t)kernel->n_findings + 1, sizeof *to->findings);
  bool room = to->findings;
  for (uint32_t k = 0; room && k < kernel->n_findings; ++k) {
    placed *added = &to->findings[to->n_findings++];
    added->place = dc__place_of(&of->places, &kernel->kernel, &kernel->findings[k]);
    room = added->place != UINT32_MAX &&
           dc_name_list_add_all(&added->others, &kernel->findings[k].others);
  }
  return room;
}

static bool add_member(group *of, const dc_unit_kernel *kernel, uint32_t index, uint32_t rank) {
  if (of->n_members == of->capacity) {
    uint32_t capacity = of->capacity ? 2 * of->capacity : 8;
    member *members = realloc(of->members, capacity * sizeof *members);
    if (!members)
      return false;
    of->members = members;
    of->capacity = capacity;
  }
  const char *name = dc_kernel_text(&kernel->kernel, kernel->kernel.name),
             *symbol = dc_kernel_text(&kernel->kernel, kernel->kernel.symbol);
  member *to = &of->members[of->n_members++];
  const dc_estimate *estimate = dc_worst_estimate(kernel);
  *to = (member){.kernel = index, .rank = rank, .time = dc_time_lost(kernel)};
  to->share = estimate ? estimate->share.low : -1;
  to->name = copy_of(name, strlen(name));
  to->symbol = copy_of(symbol, strlen(symbol));
  return to->name && to->symbol && dc_name_list_add_all(&to->instances, &kernel->instances) &&
         add_findings(of, kernel, to);
}

// ---- folding -----------------------------------------------------------------------------------

// Whether two lose the same, as it is told.
static bool as_bad(const member *a, const member *b) {
  return fabs(a->share - b->share) <= SHARE_TOLD &&
         fabs(a->time - b->time) <= TIME_TOLD * fmax(fabs(a->time), fabs(b->time));
}

// The first by rank, or one that is as bad and has more findings: it stands for more.
static member *worst_of(const group *of) {
  member *first = of->members, *worst;
  for (uint32_t k = 1; k < of->n_members; ++k)
    first = of->members[k].rank < first->rank ? &of->members[k] : first;
  worst = first;
  for (uint32_t k = 0; k < of->n_members; ++k) {
    member *other = &of->members[k];
    bool more = other->n_findings > worst->n_findings ||
                (other->n_findings == worst->n_findings && other->rank < worst->rank);
    if (more && as_bad(first, other))
      worst = other;
  }
  uint32_t rank = first->rank; // the chosen one is the first of each place, too
  first->rank = worst->rank;
  worst->rank = rank;
  return worst;
}

// Of each place, the first finding of the worst instance that has one there; NULL: out of memory.
static placed **find_first(const group *of) {
  placed **first = calloc((size_t)of->places.count + 1, sizeof(placed *));
  member **owner = calloc((size_t)of->places.count + 1, sizeof(member *));
  for (uint32_t k = 0; first && owner && k < of->n_members; ++k)
    for (uint32_t f = 0; f < of->members[k].n_findings; ++f) {
      placed *finding = &of->members[k].findings[f];
      if (!owner[finding->place] || of->members[k].rank < owner[finding->place]->rank) {
        owner[finding->place] = &of->members[k];
        first[finding->place] = finding;
      }
    }
  for (uint32_t k = 0; first && owner && k < of->places.count; ++k)
    owner[k]->kept = true;
  bool room = first && owner;
  free(owner);
  if (!room) {
    free(first);
    first = NULL;
  }
  return first;
}

static void keep_other_architectures(const group *of) {
  for (uint32_t a = 0; a < of->n_members; ++a)
    for (uint32_t b = a; b > 0 && strcmp(of->members[a].symbol, of->members[b - 1].symbol) == 0;
         --b)
      of->members[a].kept = of->members[b - 1].kept =
          of->members[a].kept || of->members[b - 1].kept;
}

// What isn't kept is a name from here on.
static bool fold_member(const member *from, member *into, placed **first) {
  bool room = dc_name_list_add(&into->instances, from->name) &&
              dc_name_list_add_all(&into->instances, &from->instances);
  for (uint32_t f = 0; f < from->n_findings && room; ++f) {
    const placed *finding = &from->findings[f];
    dc_name_list *others = &first[finding->place]->others;
    room =
        dc_name_list_add_once(others, from->name) && dc_name_list_add_all(others, &finding->others);
  }
  return room;
}

// A kernel is counted once in a place: where it has a finding of its own, as that.
static void drop_own(const group *of, placed **first) {
  for (uint32_t k = 0; k < of->n_members; ++k)
    for (uint32_t f = 0; f < of->members[k].n_findings; ++f)
      if (of->members[k].kept)
        dc_name_list_drop(&first[of->members[k].findings[f].place]->others, of->members[k].name);
}

static bool keep(dc_folded *folded, member *from) {
  dc_name_list *others = calloc((size_t)from->n_findings + 1, sizeof *others);
  if (!others)
    return false;
  for (uint32_t f = 0; f < from->n_findings; ++f) {
    others[f] = from->findings[f].others;
    from->findings[f].others = (dc_name_list){0};
  }
  folded->kept[folded->n_kept++] = (kept){.kernel = from->kernel,
                                          .instances = from->instances,
                                          .others = others,
                                          .n_findings = from->n_findings};
  from->instances = (dc_name_list){0};
  return true;
}

static bool end_group(dc_folded *folded, group *of) {
  if (of->n_members == 0)
    return true;
  member *worst = worst_of(of);
  placed **first = find_first(of);
  bool room = first;
  worst->kept = true;
  for (uint32_t k = 0; k < of->n_members; ++k)
    of->members[k].kept |= folded->options.all_instances;
  keep_other_architectures(of);
  for (uint32_t k = 0; k < of->n_members && room; ++k)
    room = of->members[k].kept || fold_member(&of->members[k], worst, first);
  if (room)
    drop_own(of, first);
  for (uint32_t k = 0; k < of->n_members && room; ++k)
    room = !of->members[k].kept || keep(folded, &of->members[k]);
  free(first);
  return room;
}

static dc_status out_of_memory(dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the instances of templates");
}

static dc_status fold_all(dc_folded *folded, const uint32_t *ranks, group *of, dc_error *error) {
  const dc_kernels *all = folded->all;
  for (uint32_t k = 0; k < all->n_kernels; ++k) {
    const dc_unit_kernel *kernel;
    dc_status status = all->get(all->context, k, &kernel, error);
    if (status != DC_OK)
      return status;
    if (kernel->library && !folded->options.system_headers) {
      ++folded->left_out;
      continue;
    }
    if (!is_instance(of, &kernel->kernel)) {
      bool room = end_group(folded, of);
      free_group(of);
      if (!room || !begin_group(of, &kernel->kernel))
        return out_of_memory(error);
    }
    if (!add_member(of, kernel, k, ranks[k]))
      return out_of_memory(error);
  }
  return end_group(folded, of) ? DC_OK : out_of_memory(error);
}

static dc_status get_kernel(void *context, uint32_t index, const dc_unit_kernel **kernel,
                            dc_error *error) {
  dc_folded *folded = context;
  const kept *of = &folded->kept[index];
  const dc_unit_kernel *whole;
  free_current(folded);
  dc_status status = folded->all->get(folded->all->context, of->kernel, &whole, error);
  if (status != DC_OK)
    return status;
  folded->current = *whole;
  folded->current.instances = of->instances;
  folded->current.findings = malloc(((size_t)of->n_findings + 1) * sizeof *whole->findings);
  if (!folded->current.findings)
    return out_of_memory(error);
  for (uint32_t k = 0; k < of->n_findings; ++k) {
    folded->current.findings[k] = whole->findings[k];
    folded->current.findings[k].others = of->others[k];
  }
  *kernel = &folded->current;
  return DC_OK;
}

// ranks[n] becomes the place of each kernel in the order of dc_worst_first.
static dc_status find_ranks(const dc_kernels *all, uint32_t *ranks, dc_error *error) {
  uint32_t *order = malloc(((size_t)all->n_kernels + 1) * sizeof *order);
  if (!order)
    return out_of_memory(error);
  dc_status status = dc_worst_first(all, order, error);
  for (uint32_t k = 0; status == DC_OK && k < all->n_kernels; ++k)
    ranks[order[k]] = k;
  free(order);
  return status;
}

uint32_t dc_folded_left_out(const dc_folded *folded) { return folded->left_out; }

static dc_folded *begin(const dc_kernels *all, const dc_fold_options *options) {
  dc_folded *folded = calloc(1, sizeof *folded);
  kept *kept = calloc((size_t)all->n_kernels + 1, sizeof *kept);
  if (folded && kept) {
    *folded = (dc_folded){.all = all, .options = *options, .kept = kept};
    return folded;
  }
  free(folded);
  free(kept);
  return NULL;
}

dc_status dc_instances_fold(const dc_kernels *all, const dc_fold_options *options,
                            dc_folded **folded, dc_kernels *to, dc_error *error) {
  group gathered = {0};
  uint32_t *ranks = calloc((size_t)all->n_kernels + 1, sizeof *ranks);
  *folded = begin(all, options);
  *to = *all;
  if (!ranks || !*folded) {
    free(ranks);
    return out_of_memory(error);
  }
  dc_status status = find_ranks(all, ranks, error);
  if (status == DC_OK)
    status = fold_all(*folded, ranks, &gathered, error);
  free_group(&gathered);
  free(ranks);
  if (status == DC_OK) {
    to->n_kernels = (*folded)->n_kept;
    to->get = get_kernel;
    to->context = *folded;
  }
  return status;
}
