// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was measured as a file: JSON of our own, `"divcost-measured": 1` (docs/measured.md).
#define _XOPEN_SOURCE 700 // strdup

#include "json/json_internal.h"

#include "divcost/files.h"
#include "divcost/input.h"
#include "divcost/replace.h"

#include <string.h>

#define VERSION 1
#define COUNT_MAX 1e300

static const char *const kinds[] = {"start", "loop", "branch"};

static int parse_kind(const char *name) {
  for (int k = 0; k < 3; ++k)
    if (strcmp(name, kinds[k]) == 0)
      return k;
  return -1;
}

// ---- writing ------------------------------------------------------------------------------------

static void put_number(dc_json_writer *w, json_t *object, const char *key, double value) {
  dc__json_put(w, object, key, json_real(value));
}

static json_t *write_site(dc_json_writer *w, const dc_measured_kernel *kernel,
                          const dc_site *site) {
  json_t *object = json_object(), *lines = json_array();
  dc__json_put(w, object, "kind", json_string(kinds[site->kind]));
  if (site->parent != DC_SITE_NONE)
    dc__json_put(w, object, "parent", json_integer(site->parent));
  put_number(w, object, "idle", site->idle);
  put_number(w, object, "warps", site->warps);
  put_number(w, object, "lanes", site->lanes);
  if (site->kind == DC_SITE_LOOP) {
    put_number(w, object, "iterations", site->iterations);
    put_number(w, object, "lane_iterations", site->lane_iterations);
  }
  for (uint32_t k = 0; k < site->n_lines; ++k)
    dc__json_append(w, lines, json_integer(kernel->site_lines[site->first_line + k]));
  dc__json_put(w, object, "lines", lines);
  dc__json_put(w, object, "main_lines", json_integer(site->n_main_lines));
  return object;
}

// Only what isn't zero.
static json_t *write_use(dc_json_writer *w, const dc_measured_kernel *kernel,
                         const dc_line_use *of) {
  json_t *object = json_object(), *samples = json_object(), *lines = json_array();
  for (uint32_t k = 0; k < of->n_lines; ++k)
    dc__json_append(w, lines, json_integer(kernel->use_lines[of->first_line + k]));
  dc__json_put(w, object, "lines", lines);
  for (unsigned k = 0; k < DC_WAIT_COUNT; ++k)
    if (of->use.samples[k] > 0)
      put_number(w, samples, dc_wait_name((dc_wait)k), of->use.samples[k]);
  dc__json_put(w, object, "samples", samples);
  for (unsigned k = 0; k < DC_TRAFFIC_COUNT; ++k) {
    const dc_traffic *traffic = &of->use.traffic[k];
    if (traffic->taken <= 0)
      continue;
    json_t *figures = json_object();
    put_number(w, figures, "warps", traffic->warps);
    put_number(w, figures, "taken", traffic->taken);
    put_number(w, figures, "ideal", traffic->ideal);
    dc__json_put(w, object, dc_traffic_kind_name((dc_traffic_kind)k), figures);
  }
  return object;
}

static json_t *write_kernel(dc_json_writer *w, const dc_measured_kernel *kernel) {
  json_t *object = json_object(), *sites = json_array(), *uses = json_array();
  dc__json_put(w, object, "symbol", dc__json_text(kernel->symbol));
  dc__json_put(w, object, "launches", json_integer((json_int_t)kernel->launches));
  if (kernel->seconds >= 0)
    put_number(w, object, "seconds", kernel->seconds);
  dc__json_put_dims(w, object, "block", kernel->block);
  put_number(w, object, "warps", kernel->warps);
  put_number(w, object, "lanes", kernel->lanes);
  put_number(w, object, "untold", kernel->untold);
  for (uint32_t k = 0; k < kernel->n_sites; ++k)
    dc__json_append(w, sites, write_site(w, kernel, &kernel->sites[k]));
  dc__json_put(w, object, "sites", sites);
  for (uint32_t k = 0; k < kernel->n_uses; ++k)
    dc__json_append(w, uses, write_use(w, kernel, &kernel->uses[k]));
  dc__json_put_counted(w, object, kernel->traffic_known);
  dc__json_put(w, object, "uses", uses);
  return object;
}

static json_t *write_line(dc_json_writer *w, const dc_measured_line *line) {
  json_t *array = json_array();
  dc__json_append(w, array, dc__json_text(line->file));
  dc__json_append(w, array, json_integer(line->line));
  dc__json_append(w, array, dc__json_text(line->text));
  return array;
}

static json_t *write_all(dc_json_writer *w, const dc_measured *measured) {
  json_t *root = json_object(), *lines = json_array(), *kernels = json_array();
  dc__json_put(w, root, "divcost-measured", json_integer(VERSION));
  for (uint32_t k = 0; k < measured->n_lines; ++k)
    dc__json_append(w, lines, write_line(w, &measured->lines[k]));
  for (uint32_t k = 0; k < measured->n_kernels; ++k)
    dc__json_append(w, kernels, write_kernel(w, &measured->kernels[k]));
  put_number(w, root, "seconds", measured->seconds);
  dc__json_put(w, root, "lines", lines);
  dc__json_put(w, root, "kernels", kernels);
  return root;
}

dc_status dc_measured_save(const char *path, const dc_measured *measured, dc_error *error) {
  dc_json_writer w = {0};
  json_t *root = write_all(&w, measured);
  dc_replacement to;
  if (w.out_of_memory || !root) {
    json_decref(root);
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for what was measured");
  }
  int reason = dc_replace_begin(path, &to);
  if (!reason) {
    bool written = json_dumpf(root, to.file, JSON_INDENT(1) | JSON_REAL_PRECISION(15)) == 0 &&
                   fputc('\n', to.file) != EOF;
    reason = dc_replace_end(&to, written);
    if (!reason && !written)
      reason = to.reason;
  }
  json_decref(root);
  return reason ? dc_fail(error, DC_ERROR_FILE, "cannot write: %s", strerror(reason)) : DC_OK;
}

// ---- reading ------------------------------------------------------------------------------------

typedef struct loader {
  dc_json_reader reader;
  dc_measured *measured;
  bool no_memory;
} loader;

static char *copy(loader *l, const char *text) {
  char *out = strdup(text);
  l->no_memory |= !out;
  return out;
}

static void *rows(loader *l, size_t count, size_t size) {
  void *out = calloc(count + 1, size);
  l->no_memory |= !out;
  return out;
}

static double number(loader *l, const dc_json_place *object, const char *name) {
  dc_json_place place = dc__json_member(object, name);
  double value = dc__json_read_real(&l->reader, &place);
  if (value < 0 || value > COUNT_MAX)
    dc__json_fail(&l->reader, &place, "must be a number that is not negative");
  return value;
}

static uint32_t whole(loader *l, const dc_json_place *place, int64_t most) {
  return (uint32_t)dc__json_integer(&l->reader, place, 0, most, DC_JSON_REQUIRED);
}

static void read_lines(loader *l, const dc_json_place *root) {
  dc_json_place list = dc__json_member(root, "lines");
  size_t count = dc__json_count(&l->reader, &list, DC_JSON_REQUIRED);
  dc_measured *m = l->measured;
  m->lines = rows(l, count, sizeof *m->lines);
  for (size_t k = 0; k < count && !l->no_memory && l->reader.status == DC_OK; ++k) {
    dc_json_place line = dc__json_element(&list, k);
    if (dc__json_count(&l->reader, &line, DC_JSON_REQUIRED) != 3)
      dc__json_fail(&l->reader, &line, "must be a file, a line and a text");
    dc_json_place parts[3];
    for (size_t p = 0; p < 3; ++p)
      parts[p] = dc__json_element(&line, p);
    dc_measured_line *out = &m->lines[m->n_lines++];
    out->file = copy(l, dc__json_string(&l->reader, &parts[0], DC_JSON_REQUIRED));
    out->line = whole(l, &parts[1], UINT32_MAX - 1);
    out->text = copy(l, dc__json_string(&l->reader, &parts[2], DC_JSON_REQUIRED));
  }
}

static size_t count_lines(const dc_json_place *list, size_t count) {
  size_t all = 0;
  for (size_t k = 0; k < count; ++k)
    all += json_array_size(json_object_get(json_array_get(list->value, k), "lines"));
  return all;
}

static void read_site(loader *l, const dc_json_place *place, dc_measured_kernel *kernel,
                      size_t n_sites) {
  dc_site *site = &kernel->sites[kernel->n_sites++];
  dc_json_place kind = dc__json_member(place, "kind"), parent = dc__json_member(place, "parent");
  dc_json_place lines = dc__json_member(place, "lines");
  dc_json_place main_lines = dc__json_member(place, "main_lines");
  site->kind = dc__json_enum(&l->reader, &kind, parse_kind);
  site->parent =
      dc__json_index(&l->reader, &parent, n_sites, "sites", DC_JSON_OPTIONAL); // DC_NONE: the start
  site->idle = number(l, place, "idle");
  site->warps = number(l, place, "warps");
  site->lanes = number(l, place, "lanes");
  if (site->kind == DC_SITE_LOOP) {
    site->iterations = number(l, place, "iterations");
    site->lane_iterations = number(l, place, "lane_iterations");
  }
  site->first_line = kernel->n_site_lines;
  site->n_lines = (uint32_t)dc__json_count(&l->reader, &lines, DC_JSON_REQUIRED);
  for (uint32_t k = 0; k < site->n_lines; ++k) {
    dc_json_place line = dc__json_element(&lines, k);
    kernel->site_lines[kernel->n_site_lines++] =
        dc__json_index(&l->reader, &line, l->measured->n_lines, "lines", DC_JSON_REQUIRED);
  }
  site->n_main_lines = whole(l, &main_lines, site->n_lines);
}

static void read_sites(loader *l, const dc_json_place *place, dc_measured_kernel *kernel) {
  dc_json_place list = dc__json_member(place, "sites");
  size_t count = dc__json_count(&l->reader, &list, DC_JSON_REQUIRED);
  kernel->sites = rows(l, count, sizeof *kernel->sites);
  kernel->site_lines = rows(l, count_lines(&list, count), sizeof *kernel->site_lines);
  for (size_t k = 0; k < count && !l->no_memory && l->reader.status == DC_OK; ++k) {
    dc_json_place site = dc__json_element(&list, k);
    if (dc__json_is_object(&l->reader, &site))
      read_site(l, &site, kernel, count);
  }
}

static void read_use(loader *l, const dc_json_place *place, dc_measured_kernel *kernel) {
  dc_line_use *out = &kernel->uses[kernel->n_uses++];
  dc_json_place lines = dc__json_member(place, "lines"),
                samples = dc__json_member(place, "samples");
  out->first_line = kernel->n_use_lines;
  out->n_lines = (uint32_t)dc__json_count(&l->reader, &lines, DC_JSON_REQUIRED);
  for (uint32_t k = 0; k < out->n_lines; ++k) {
    dc_json_place line = dc__json_element(&lines, k);
    kernel->use_lines[kernel->n_use_lines++] =
        dc__json_index(&l->reader, &line, l->measured->n_lines, "lines", DC_JSON_REQUIRED);
  }
  if (!dc__json_is_object(&l->reader, &samples))
    return;
  for (unsigned k = 0; k < DC_WAIT_COUNT; ++k) {
    const char *name = dc_wait_name((dc_wait)k);
    if (dc__json_member(&samples, name).value)
      out->use.samples[k] = number(l, &samples, name);
  }
  for (unsigned k = 0; k < DC_TRAFFIC_COUNT; ++k) {
    dc_json_place figures = dc__json_member(place, dc_traffic_kind_name((dc_traffic_kind)k));
    if (figures.value && dc__json_is_object(&l->reader, &figures))
      out->use.traffic[k] =
          (dc_traffic){true, number(l, &figures, "warps"), number(l, &figures, "taken"),
                       number(l, &figures, "ideal")};
  }
}

// Files of before 2026-12 have none.
static void read_uses(loader *l, const dc_json_place *place, dc_measured_kernel *kernel) {
  dc_json_place list = dc__json_member(place, "uses");
  if (!list.value)
    return;
  size_t count = dc__json_count(&l->reader, &list, DC_JSON_REQUIRED);
  dc__json_read_counted(&l->reader, place, DC_JSON_REQUIRED, kernel->traffic_known);
  kernel->uses = rows(l, count, sizeof *kernel->uses);
  kernel->use_lines = rows(l, count_lines(&list, count), sizeof *kernel->use_lines);
  for (size_t k = 0; k < count && !l->no_memory && l->reader.status == DC_OK; ++k) {
    dc_json_place use = dc__json_element(&list, k);
    if (dc__json_is_object(&l->reader, &use))
      read_use(l, &use, kernel);
  }
}

static void read_kernel(loader *l, const dc_json_place *place) {
  dc_measured_kernel *kernel = &l->measured->kernels[l->measured->n_kernels++];
  dc_json_place symbol = dc__json_member(place, "symbol");
  dc_json_place launches = dc__json_member(place, "launches");
  dc_json_place block = dc__json_member(place, "block");
  kernel->symbol = copy(l, dc__json_string(&l->reader, &symbol, DC_JSON_REQUIRED));
  kernel->launches =
      (uint64_t)dc__json_integer(&l->reader, &launches, 0, INT64_MAX, DC_JSON_REQUIRED);
  dc_json_place seconds = dc__json_member(place, "seconds");
  kernel->seconds = seconds.value ? number(l, place, "seconds") : -1;
  dc__json_read_dims(&l->reader, &block, kernel->block, DC_JSON_OPTIONAL);
  kernel->warps = number(l, place, "warps");
  kernel->lanes = number(l, place, "lanes");
  kernel->untold = number(l, place, "untold");
  read_sites(l, place, kernel);
  read_uses(l, place, kernel);
}

static void read_kernels(loader *l, const dc_json_place *root) {
  dc_json_place list = dc__json_member(root, "kernels");
  size_t count = dc__json_count(&l->reader, &list, DC_JSON_REQUIRED);
  l->measured->kernels = rows(l, count, sizeof *l->measured->kernels);
  for (size_t k = 0; k < count && !l->no_memory && l->reader.status == DC_OK; ++k) {
    dc_json_place kernel = dc__json_element(&list, k);
    if (dc__json_is_object(&l->reader, &kernel))
      read_kernel(l, &kernel);
  }
}

static dc_status read_all(const json_t *value, dc_measured *measured, dc_error *error) {
  loader l = {.reader = {error, DC_OK}, .measured = measured};
  dc_json_place root = {NULL, NULL, 0, value};
  dc_json_place version = dc__json_member(&root, "divcost-measured");
  if (!json_is_object(value) || !version.value)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "is no file of divcost profile import-ncu: \"divcost-measured\" is missing");
  dc__json_integer(&l.reader, &version, VERSION, VERSION, DC_JSON_REQUIRED);
  dc_json_place seconds = dc__json_member(&root, "seconds");
  measured->seconds = seconds.value ? number(&l, &root, "seconds") : 0;
  read_lines(&l, &root);
  if (l.reader.status == DC_OK && !l.no_memory)
    read_kernels(&l, &root);
  if (l.no_memory)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for what was measured");
  return l.reader.status == DC_OK ? dc_measured_check(measured, error) : l.reader.status;
}

dc_status dc_measured_read_json(FILE *stream, dc_measured *measured, dc_error *error) {
  json_t *root;
  *measured = (dc_measured){0};
  dc_status status =
      dc_input_json(stream, DC_INPUT_DATA_MOST, JSON_REJECT_DUPLICATES, &root, error);
  if (status != DC_OK)
    return status;
  status = read_all(root, measured, error);
  json_decref(root);
  if (status != DC_OK)
    dc_measured_free(measured);
  return status;
}

dc_status dc_measured_load(const char *path, dc_measured *measured, dc_error *error) {
  dc_error reason;
  *measured = (dc_measured){0};
  FILE *stream = dc_input_open(path, &reason);
  if (!stream)
    return dc_fail(error, reason.status, "cannot read: %s", reason.text);
  dc_status status = dc_measured_read_json(stream, measured, error);
  fclose(stream);
  return status;
}
