// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes one kernel depends only on kernels with its symbol and file. So those of one name
// are brought together, merged as units of nothing else, and put into the spool again.
#include "report/stream.h"

#include <stdlib.h>
#include <string.h>

dc_status report_stream_begin(report_stream *stream, dc_error *error) {
  *stream = (report_stream){.n_units = 0};
  return spool_begin(&stream->spool, error);
}

void report_stream_end(report_stream *stream) {
  spool_end(&stream->spool);
  dc_string_set_free(&stream->names);
  dc_string_set_free(&stream->paths);
  dc_unit_kernel_free(&stream->current);
  free(stream->pieces);
  free(stream->archs);
  free(stream->path);
  *stream = (report_stream){.n_units = 0};
}

static dc_status out_of_memory(dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the merged report");
}

// ---- adding ------------------------------------------------------------------------------------

static bool add_paths(report_stream *stream, const char *list) {
  bool added;
  for (const char *path = list && *list ? list : NULL, *end; path; path = end ? end + 2 : NULL) {
    end = strstr(path, ", ");
    size_t length = end ? (size_t)(end - path) : strlen(path);
    if (dc_string_set_add(&stream->paths, path, length, &added) == UINT32_MAX)
      return false;
  }
  return true;
}

static bool add_archs(report_stream *stream, const dc_unit *unit) {
  for (uint32_t k = 0; k < unit->n_archs; ++k) {
    uint32_t to = 0;
    while (to < stream->n_archs && stream->archs[to] < unit->archs[k])
      ++to;
    if (to < stream->n_archs && stream->archs[to] == unit->archs[k])
      continue;
    unsigned *archs = realloc(stream->archs, ((size_t)stream->n_archs + 1) * sizeof *archs);
    if (!archs)
      return false;
    stream->archs = archs;
    memmove(&archs[to + 1], &archs[to], (stream->n_archs - to) * sizeof *archs);
    archs[to] = unit->archs[k];
    ++stream->n_archs;
  }
  return true;
}

static uint32_t name_of(report_stream *stream, const char *text) {
  bool added;
  return dc_string_set_add(&stream->names, text, strlen(text), &added);
}

static dc_status add_piece(report_stream *stream, const dc_unit_kernel *kernel, uint32_t unit,
                           dc_error *error) {
  if (stream->n_pieces == stream->capacity) {
    uint32_t capacity = stream->capacity ? stream->capacity + stream->capacity / 2 : 64;
    report_piece *pieces = realloc(stream->pieces, capacity * sizeof *pieces);
    if (!pieces)
      return out_of_memory(error);
    stream->pieces = pieces;
    stream->capacity = capacity;
  }
  const dc_kernel *skeleton = &kernel->kernel;
  const dc_location *at =
      skeleton->location == DC_NONE ? NULL : &skeleton->locations[skeleton->location];
  report_piece piece = {.file = name_of(stream, at ? dc_kernel_text(skeleton, at->file) : ""),
                        .symbol = name_of(stream, dc_kernel_text(skeleton, skeleton->symbol)),
                        .line = at ? at->line : 0,
                        .sm = kernel->n_estimates ? kernel->estimates[0].sm : 0,
                        .unit = unit};
  if (piece.file == UINT32_MAX || piece.symbol == UINT32_MAX)
    return out_of_memory(error);
  dc_status status = spool_put(&stream->spool, kernel, &piece.offset, error);
  if (status == DC_OK)
    stream->pieces[stream->n_pieces++] = piece;
  return status;
}

dc_status report_stream_add(report_stream *stream, dc_unit *unit, dc_error *error) {
  if (!add_paths(stream, unit->path) || !add_archs(stream, unit))
    return out_of_memory(error);
  for (uint32_t k = 0; k < unit->n_kernels; ++k) {
    dc_status status = add_piece(stream, &unit->kernels[k], stream->n_units, error);
    if (status != DC_OK)
      return status;
  }
  ++stream->n_units;
  dc_unit_free(unit);
  return DC_OK;
}

// ---- merging -----------------------------------------------------------------------------------

// Those of one name together, in the order in which they came.
static int compare_names(const void *x, const void *y) {
  const report_piece *a = x, *b = y;
  if (a->file != b->file)
    return a->file < b->file ? -1 : 1;
  if (a->symbol != b->symbol)
    return a->symbol < b->symbol ? -1 : 1;
  return (a->offset > b->offset) - (a->offset < b->offset);
}

// The kernels of one name that came with one unit, as a unit: `count` pieces.
static dc_status read_pieces(report_stream *stream, const report_piece *pieces, uint32_t count,
                             dc_unit *unit, dc_error *error) {
  *unit = (dc_unit){.kernels = calloc(count, sizeof *unit->kernels)};
  if (!unit->kernels)
    return out_of_memory(error);
  dc_status status = DC_OK;
  for (uint32_t k = 0; status == DC_OK && k < count; ++k) {
    status = spool_get(&stream->spool, pieces[k].offset, &unit->kernels[k], error);
    unit->n_kernels += status == DC_OK;
  }
  return status;
}

// Merges pieces of one name, puts what comes out in their place, and says how many that are.
static dc_status merge_name(report_stream *stream, report_piece *pieces, uint32_t count,
                            uint32_t *n_merged, dc_error *error) {
  dc_unit merged = {0}, unit = {0};
  dc_status status = DC_OK;
  for (uint32_t first = 0, end; status == DC_OK && first < count; first = end) {
    for (end = first + 1; end < count && pieces[end].unit == pieces[first].unit;)
      ++end;
    status = read_pieces(stream, pieces + first, end - first, &unit, error);
    if (status == DC_OK)
      status = dc_unit_merge(&merged, &unit, error);
    dc_unit_free(&unit);
  }
  *n_merged = merged.n_kernels; // never more than there were pieces
  for (uint32_t k = 0; status == DC_OK && k < merged.n_kernels; ++k) {
    const dc_unit_kernel *kernel = &merged.kernels[k];
    const dc_kernel *of = &kernel->kernel;
    pieces[k].unit = k;
    pieces[k].sm = kernel->n_estimates ? kernel->estimates[0].sm : 0;
    pieces[k].line = of->location == DC_NONE ? 0 : of->locations[of->location].line;
    status = spool_put(&stream->spool, kernel, &pieces[k].offset, error);
  }
  dc_unit_free(&merged);
  return status;
}

static dc_status merge_names(report_stream *stream, dc_error *error) {
  report_piece *pieces = stream->pieces;
  uint32_t kept = 0, count = stream->n_pieces;
  if (count)
    qsort(pieces, count, sizeof *pieces, compare_names);
  dc_status status = DC_OK;
  for (uint32_t first = 0, end, merged; status == DC_OK && first < count; first = end) {
    for (end = first + 1; end < count && pieces[end].file == pieces[first].file &&
                          pieces[end].symbol == pieces[first].symbol;)
      ++end;
    merged = 1;
    if (end - first > 1)
      status = merge_name(stream, pieces + first, end - first, &merged, error);
    memmove(pieces + kept, pieces + first, merged * sizeof *pieces);
    kept += merged;
  }
  stream->n_pieces = kept;
  return status;
}

// ---- the order of the result -------------------------------------------------------------------

typedef struct numbered {
  const char *text;
  uint32_t number;
} numbered;

static int compare_texts(const void *x, const void *y) {
  return strcmp(((const numbered *)x)->text, ((const numbered *)y)->text);
}

// Replaces names by their places in alphabetical order, so that numbers compare as they do.
static bool rank_names(report_stream *stream) {
  uint32_t n = stream->names.count;
  numbered *sorted = malloc(((size_t)n + 1) * sizeof *sorted);
  uint32_t *ranks = malloc(((size_t)n + 1) * sizeof *ranks);
  if (sorted && ranks) {
    for (uint32_t k = 0; k < n; ++k)
      sorted[k] = (numbered){stream->names.texts[k], k};
    qsort(sorted, n, sizeof *sorted, compare_texts);
    for (uint32_t k = 0; k < n; ++k)
      ranks[sorted[k].number] = k;
    for (uint32_t k = 0; k < stream->n_pieces; ++k) {
      stream->pieces[k].file = ranks[stream->pieces[k].file];
      stream->pieces[k].symbol = ranks[stream->pieces[k].symbol];
    }
  }
  bool good = sorted && ranks;
  free(sorted);
  free(ranks);
  dc_string_set_free(&stream->names); // nothing is looked up any more
  return good;
}

// As dc_unit_merge: file, line, symbol, architecture.
static int compare_places(const void *x, const void *y) {
  const report_piece *a = x, *b = y;
  if (a->file != b->file)
    return a->file < b->file ? -1 : 1;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  if (a->symbol != b->symbol)
    return a->symbol < b->symbol ? -1 : 1;
  if (a->sm != b->sm)
    return a->sm < b->sm ? -1 : 1;
  return (a->unit > b->unit) - (a->unit < b->unit);
}

static bool join_paths(report_stream *stream) {
  size_t size = 1;
  for (uint32_t k = 0; k < stream->paths.count; ++k)
    size += strlen(stream->paths.texts[k]) + 2;
  char *to = stream->path = malloc(size);
  if (!to)
    return false;
  *to = 0;
  for (uint32_t k = 0; k < stream->paths.count; ++k) {
    size_t length = strlen(stream->paths.texts[k]);
    if (k) {
      memcpy(to, ", ", 2);
      to += 2;
    }
    memcpy(to, stream->paths.texts[k], length + 1);
    to += length;
  }
  dc_string_set_free(&stream->paths);
  return true;
}

dc_status report_stream_copy(report_stream *stream, uint32_t index, dc_unit_kernel *kernel,
                             dc_error *error) {
  return spool_get(&stream->spool, stream->pieces[index].offset, kernel, error);
}

static dc_status get_kernel(void *context, uint32_t index, const dc_unit_kernel **kernel,
                            dc_error *error) {
  report_stream *stream = context;
  dc_unit_kernel_free(&stream->current);
  *kernel = &stream->current;
  return report_stream_copy(stream, index, &stream->current, error);
}

dc_status report_stream_merge(report_stream *stream, dc_kernels *kernels, dc_error *error) {
  dc_status status = merge_names(stream, error);
  if (status != DC_OK)
    return status;
  if (!rank_names(stream) || !join_paths(stream))
    return out_of_memory(error);
  if (stream->n_pieces)
    qsort(stream->pieces, stream->n_pieces, sizeof *stream->pieces, compare_places);
  *kernels = (dc_kernels){stream->path,     stream->archs, stream->n_archs,
                          stream->n_pieces, get_kernel,    stream};
  return DC_OK;
}
