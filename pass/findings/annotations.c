// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matches the entries of annotation files with loop statements, with the loops of kernels and with
// kernels, and says what is near to one that matches nothing.
#define _XOPEN_SOURCE 700 // strdup

#include "findings/annotations.h"
#include "findings/names.h"

#include "divcost/edit_distance.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dc_status no_memory(dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
}

static const char *skip_dots(const char *file) {
  while (file && !strncmp(file, "./", 2))
    file += 2;
  return file;
}

// Whether the names of an entry fit those of a loop or a kernel; NULL as an entry's fits all.
static bool names(const char *entry_file, const char *entry_function, const char *file,
                  const char *function) {
  entry_file = skip_dots(entry_file);
  if (entry_file && !dcp_ends_with(file, entry_file, '/'))
    return false;
  return !entry_function || (function && dcp_ends_with(function, entry_function, ':'));
}

static bool matches(const dcp_annotation *entry, const dcp_loop_statement *loop) {
  return !entry->has_id && entry->line == loop->line &&
         names(entry->file, entry->function, loop->file, loop->function);
}

bool dcp_annotation_names(const dcp_kernel_annotation *entry, const char *file,
                          const char *function) {
  return names(entry->file, entry->function, file, function);
}

// What gave an annotation: "rows.json: loops[2]". Owned by the caller; NULL: memory is out.
static char *name_entry(const dcp_annotations *annotations, uint32_t entry) {
  size_t size = strlen(annotations->path) + 32;
  char *text = malloc(size);
  if (text)
    snprintf(text, size, "%s: loops[%" PRIu32 "]", annotations->path, entry);
  return text;
}

// The entry that gave what stands with `at`; DC_NONE: none of the file did, a pragma say.
static uint32_t find_entry(const dcp_annotations *annotations, const char *at) {
  static const char between[] = ": loops[";
  size_t length = strlen(annotations->path);
  if (!at || strncmp(at, annotations->path, length) != 0 ||
      strncmp(at + length, between, sizeof between - 1) != 0)
    return DC_NONE;
  return (uint32_t)strtoul(at + length + sizeof between - 1, NULL, 10);
}

// Notes that the loop at file:line has had `what` from the entry that `at` names. False: memory is
// out.
static bool note_overruled(const dcp_annotations *annotations, uint32_t index, const char *what,
                           const char *at, const char *file, uint32_t line) {
  dcp_annotation *entry = &annotations->entries[index];
  uint32_t before = find_entry(annotations, at);
  if (before == DC_NONE || before == index || entry->overruled)
    return true;
  const char *format = "'%s': loops[%" PRIu32 "] and loops[%" PRIu32 "] both say %s of the loop at "
                       "%s:%" PRIu32 "; what loops[%" PRIu32 "] says counts, remove the other";
  file = dcp_last_part(file, '/');
  size_t size = strlen(format) + strlen(annotations->path) + strlen(file) + strlen(what) + 60;
  entry->overruled = malloc(size);
  if (entry->overruled)
    snprintf(entry->overruled, size, format, annotations->path, before, index, what, file, line,
             before);
  return entry->overruled != NULL;
}

#define TRIPS "the trip counts"
#define IGNORED "why to ignore what is lost"

static bool give(const dcp_annotations *annotations, uint32_t index, dcp_loop_statement *loop) {
  const dcp_annotation *entry = &annotations->entries[index];
  if ((entry->distribution &&
       !note_overruled(annotations, index, TRIPS, loop->distribution_at, loop->file, loop->line)) ||
      (entry->ignored &&
       !note_overruled(annotations, index, IGNORED, loop->ignored_at, loop->file, loop->line)))
    return false;
  if (entry->distribution && !loop->distribution) {
    loop->distribution = strdup(entry->distribution);
    loop->distribution_at = name_entry(annotations, index);
    loop->correlation = entry->correlation;
    if (!loop->distribution || !loop->distribution_at)
      return false;
  }
  if (entry->ignored && !loop->ignored) {
    loop->ignored = strdup(entry->ignored);
    loop->ignored_at = name_entry(annotations, index);
    if (!loop->ignored || !loop->ignored_at)
      return false;
  }
  return true;
}

dc_status dcp_annotations_apply(dcp_annotations *annotations, dcp_source *source, dc_error *error) {
  for (uint32_t e = 0; e < annotations->n_entries; ++e)
    for (uint32_t l = 0; l < source->n_loops; ++l) {
      if (!matches(&annotations->entries[e], &source->loops[l]))
        continue;
      annotations->entries[e].used = true;
      if (!give(annotations, e, &source->loops[l]))
        return no_memory(error);
    }
  return DC_OK;
}

// ---- by id --------------------------------------------------------------------------------------

static bool give_to_kernel(const dcp_annotations *annotations, uint32_t index, dc_kernel *kernel,
                           dc_loop *loop) {
  const dcp_annotation *entry = &annotations->entries[index];
  char *at = name_entry(annotations, index);
  if (!at)
    return false;
  bool located = loop->location != DC_NONE;
  const char *file = located ? dc_kernel_text(kernel, kernel->locations[loop->location].file) : "";
  uint32_t line = located ? kernel->locations[loop->location].line : 0;
  const char *given = loop->distribution_at ? dc_kernel_text(kernel, loop->distribution_at) : NULL;
  const char *why = loop->ignored_at ? dc_kernel_text(kernel, loop->ignored_at) : NULL;
  bool good =
      (!entry->distribution || note_overruled(annotations, index, TRIPS, given, file, line)) &&
      (!entry->ignored || note_overruled(annotations, index, IGNORED, why, file, line));
  if (entry->distribution && (!loop->distribution || loop->trips_from == DC_FROM_ASSUMED)) {
    loop->distribution = dc_kernel_add_text(kernel, entry->distribution);
    loop->distribution_at = dc_kernel_add_text(kernel, at);
    loop->correlation = entry->correlation;
    loop->trips_from = DC_FROM_ANNOTATED;
    good = good && loop->distribution && loop->distribution_at;
  }
  if (entry->ignored && !loop->ignored) {
    loop->ignored = dc_kernel_add_text(kernel, entry->ignored);
    loop->ignored_at = dc_kernel_add_text(kernel, at);
    good = good && loop->ignored && loop->ignored_at;
  }
  free(at);
  return good;
}

dc_status dcp_annotations_apply_ids(dcp_annotations *annotations, dc_unit *unit, dc_error *error) {
  for (uint32_t e = 0; e < annotations->n_entries; ++e) {
    dcp_annotation *entry = &annotations->entries[e];
    for (uint32_t k = 0; entry->has_id && k < unit->n_kernels; ++k) {
      dc_kernel *kernel = &unit->kernels[k].kernel;
      for (uint32_t l = 0; l < kernel->n_loops; ++l) {
        if (kernel->loops[l].id != entry->id)
          continue;
        entry->used = true;
        if (!give_to_kernel(annotations, e, kernel, &kernel->loops[l]))
          return no_memory(error);
      }
    }
  }
  return DC_OK;
}

// ---- what is near -------------------------------------------------------------------------------

// A loop that an entry may have meant, and how far from that it is, most important first.
typedef struct candidate {
  const char *file, *function;
  uint32_t line;
  uint64_t id; // 0: not known
  uint32_t distance[3];
} candidate;

#define ID_TYPOS 3 // digits of an id by which it may be wrong and still be meant

static void consider(const dcp_annotation *entry, candidate found, candidate *nearest) {
  const char *file = skip_dots(entry->file);
  if (entry->has_id && found.id) {
    char given[17], there[17];
    snprintf(given, sizeof given, "%016" PRIx64, entry->id);
    snprintf(there, sizeof there, "%016" PRIx64, found.id);
    found.distance[0] = dc_edit_distance(given, there);
    if (found.distance[0] > ID_TYPOS && !entry->line)
      return; // nothing else is known of it
    if (found.distance[0] > ID_TYPOS)
      found.distance[0] = ID_TYPOS + 1;
  }
  if (file && !dcp_ends_with(found.file, file, '/'))
    found.distance[0] +=
        1 + dc_edit_distance(dcp_last_part(found.file, '/'), dcp_last_part(file, '/'));
  if (entry->function && !dcp_ends_with(found.function, entry->function, ':'))
    found.distance[1] = 1 + dc_edit_distance(dcp_last_part(found.function, ':'),
                                             dcp_last_part(entry->function, ':'));
  found.distance[2] =
      found.line > entry->line ? found.line - entry->line : entry->line - found.line;
  int order = 0;
  for (unsigned k = 0; k < 3 && order == 0; ++k)
    order = (found.distance[k] > nearest->distance[k]) - (found.distance[k] < nearest->distance[k]);
  if (!nearest->file || order < 0)
    *nearest = found;
}

static void find_nearest(const dcp_annotation *entry, const dcp_source *source, const dc_unit *unit,
                         candidate *nearest) {
  for (uint32_t l = 0; !entry->has_id && l < source->n_loops; ++l) {
    const dcp_loop_statement *loop = &source->loops[l];
    consider(entry,
             (candidate){.file = loop->file,
                         .function = loop->function ? loop->function : "",
                         .line = loop->line},
             nearest);
  }
  for (uint32_t k = 0; entry->has_id && k < unit->n_kernels; ++k) {
    const dc_kernel *kernel = &unit->kernels[k].kernel;
    for (uint32_t l = 0; l < kernel->n_loops; ++l) {
      if (kernel->loops[l].location == DC_NONE)
        continue;
      const dc_location *place = &kernel->locations[kernel->loops[l].location];
      consider(entry,
               (candidate){.file = dc_kernel_text(kernel, place->file),
                           .function = dc_kernel_text(kernel, place->function),
                           .line = place->line,
                           .id = kernel->loops[l].id},
               nearest);
    }
  }
}

void dcp_annotation_describe(const dcp_annotations *annotations, uint32_t index,
                             const dcp_source *source, const dc_unit *unit, char *text,
                             size_t size) {
  const dcp_annotation *entry = &annotations->entries[index];
  candidate nearest = {0};
  char what[300], near[300] = "there is no loop", id[40] = "";
  find_nearest(entry, source, unit, &nearest);
  if (entry->has_id)
    snprintf(what, sizeof what, "has the id %016" PRIx64, entry->id);
  else
    snprintf(what, sizeof what, "begins at line %" PRIu32 " of %.100s%s%.100s%s", entry->line,
             entry->function ? entry->function : "", entry->function && entry->file ? " in " : "",
             entry->file ? entry->file : "", entry->function && !entry->file ? "()" : "");
  if (nearest.id)
    snprintf(id, sizeof id, "%016" PRIx64 " at ", nearest.id);
  if (nearest.file)
    snprintf(near, sizeof near, "the nearest is %s%.100s:%" PRIu32 "%s%.100s%s", id,
             dcp_last_part(nearest.file, '/'), nearest.line, *nearest.function ? " in '" : "",
             nearest.function, *nearest.function ? "'" : "");
  else if (entry->has_id)
    snprintf(near, sizeof near, "a JSON report tells the loops' ids");
  snprintf(text, size, "'%s', loops[%" PRIu32 "]: no loop %s; %s", annotations->path, index, what,
           near);
}

void dcp_kernel_annotation_describe(const dcp_annotations *annotations, uint32_t index,
                                    const dcp_source *source, char *text, size_t size) {
  const dcp_kernel_annotation *entry = &annotations->kernels[index];
  // Users may know a kernel by its template arguments, too.
  size_t length = strcspn(entry->function, "<");
  const char *hint = entry->function[length] ? ": names are without template arguments" : "";
  char plain[300];
  snprintf(plain, sizeof plain, "%.*s", (int)(length < sizeof plain ? length : sizeof plain - 1),
           entry->function);
  const dcp_annotation meant = {.file = entry->file, .function = plain};
  candidate nearest = {0};
  char near[300] = "there is no kernel";
  for (uint32_t k = 0; k < source->n_kernel_names; ++k) {
    const dcp_kernel_name *name = &source->kernel_names[k];
    consider(&meant,
             (candidate){.file = name->file, .function = name->function, .line = name->line},
             &nearest);
  }
  if (nearest.file)
    snprintf(near, sizeof near, "the nearest is '%.150s' at %.100s:%" PRIu32, nearest.function,
             dcp_last_part(nearest.file, '/'), nearest.line);
  snprintf(text, size, "'%s', kernels[%" PRIu32 "]: no kernel is named '%.100s'%s%.100s%s; %s",
           annotations->path, index, entry->function, entry->file ? " in " : "",
           entry->file ? entry->file : "", hint, near);
}
