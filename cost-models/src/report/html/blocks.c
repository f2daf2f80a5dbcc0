// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page's blocks of data: kernels, sources, and the rows of its lists.
#include "report/html/describe.h"
#include "report/html/html.h"

#include "divcost/flat.h"
#include "divcost/input.h"
#include "divcost/words.h"

#include <stdlib.h>
#include <string.h>

static dc_status write_block(FILE *to, char kind, uint32_t number, const void *bytes, size_t size,
                             dc_error *error) {
  char id[16];
  snprintf(id, sizeof id, "%c%u", kind, (unsigned)number);
  return dc__html_write_block(to, id, bytes, size, error);
}

// ---- kernels -----------------------------------------------------------------------------------

// The architectures of a kernel's estimates, with the costs that they depend on.
static dc_status flatten(const dc_unit_kernel *of, unsigned char **bytes, size_t *size,
                         dc_error *error) {
  dc_flat flat = {of->kernel, calloc((size_t)of->n_estimates + 1, sizeof *flat.archs), 0};
  *bytes = NULL;
  for (uint32_t k = 0; flat.archs && k < of->n_estimates; ++k)
    if (k == 0 || of->estimates[k].sm != of->estimates[k - 1].sm)
      flat.n_archs += dc_estimate_arch(&of->estimates[k], &flat.archs[flat.n_archs]);
  if (flat.archs) {
    *size = dc_flat_write(&flat, NULL, 0);
    *bytes = malloc(*size + 1);
  }
  if (*bytes)
    dc_flat_write(&flat, *bytes, *size);
  free(flat.archs);
  return *bytes ? DC_OK : dc_fail(error, DC_ERROR_MEMORY, "out of memory for a kernel");
}

static void put_names(html_json *json, const char *key, const dc_name_list *names) {
  dc__html_open(json, key, '[');
  for (uint32_t k = 0; k < names->count; ++k)
    dc__html_string(json, NULL, names->names[k]);
  dc__html_close(json, ']');
}

static void put_findings(html_json *json, const dc_unit_kernel *of) {
  dc__html_open(json, "findings", '[');
  for (uint32_t k = 0; k < of->n_findings; ++k) {
    const dc_finding *finding = &of->findings[k];
    dc__html_open(json, NULL, '{');
    dc__html_string(json, "rule", dc_rule_name(finding->rule));
    dc__html_string(json, "text", finding->message ? finding->message : "");
    dc__describe_place(json, "at", &of->kernel, finding->location);
    dc__html_truth(json, "suppressed", finding->suppressed);
    put_names(json, "others", &finding->others);
    dc__html_close(json, '}');
  }
  dc__html_close(json, ']');
  put_names(json, "instances", &of->instances);
}

dc_status dc__html_write_kernel(const dc_unit_kernel *kernel, uint32_t index, FILE *to,
                                dc_error *error) {
  html_json block = {0}, view = {0};
  unsigned char *flat = NULL;
  size_t size = 0;
  dc_status status = flatten(kernel, &flat, &size, error);
  dc__describe_kernel(&view, kernel);
  dc__html_open(&block, NULL, '{');
  put_findings(&block, kernel);
  dc__html_raw(&block, "view", view.text, view.size);
  dc__html_close(&block, '}');
  if (status == DC_OK && (view.failed || block.failed))
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for a kernel");
  if (status == DC_OK)
    status = write_block(to, 'k', index, block.text, block.size, error);
  if (status == DC_OK)
    status = write_block(to, 'f', index, flat, size, error);
  free(flat);
  dc__html_json_free(&view);
  dc__html_json_free(&block);
  return status;
}

// ---- sources -----------------------------------------------------------------------------------

enum { SOURCE_MAX = 1 << 20 };

// Reads a file of at most SOURCE_MAX bytes; NULL, with the reason in words: it can't be shown.
static char *read_source(const char *name, size_t *size, dc_error *error) {
  char *text = NULL;
  if (*name)
    dc_input_read(name, SOURCE_MAX, &text, size, error);
  else
    dc_fail(error, DC_ERROR_FILE, "the compiler gave no name");
  return text;
}

dc_status dc__html_write_source(const char *name, uint32_t index, FILE *to, dc_error *error) {
  html_json json = {0};
  dc_error reason;
  size_t size = 0;
  char *text = read_source(name, &size, &reason);
  dc__html_open(&json, NULL, '{');
  if (text)
    dc__html_string_sized(&json, "text", text, size);
  else
    dc__html_string(&json, "missing", reason.text);
  dc__html_close(&json, '}');
  free(text);
  dc_status status = json.failed
                         ? dc_fail(error, DC_ERROR_MEMORY, "out of memory for a source file")
                         : write_block(to, 's', index, json.text, json.size, error);
  dc__html_json_free(&json);
  return status;
}

// ---- the lists ---------------------------------------------------------------------------------

void dc__html_index_free(html_index *index) {
  dc__html_json_free(&index->kernels);
  dc__html_json_free(&index->loops);
  dc__html_json_free(&index->findings);
  dc_string_set_free(&index->files);
}

bool dc__html_index_place(html_index *index, html_json *row, const dc_kernel *kernel,
                          uint32_t location) {
  const dc_location none = {0}, *at = location == DC_NONE ? &none : &kernel->locations[location];
  const char *file = dc_kernel_text(kernel, at->file);
  bool added;
  uint32_t number = *file ? dc_string_set_add(&index->files, file, strlen(file), &added) : 0;
  dc__html_whole(row, NULL, *file ? (long long)number : -1);
  dc__html_whole(row, NULL, at->line);
  dc__html_whole(row, NULL, at->column);
  return number != UINT32_MAX;
}

// Sources that only a chain of reasons leads to.
static bool add_files(html_index *index, const dc_kernel *kernel) {
  bool added;
  for (uint32_t k = 0; k < kernel->n_locations; ++k) {
    const char *file = dc_kernel_text(kernel, kernel->locations[k].file);
    if (*file && dc_string_set_add(&index->files, file, strlen(file), &added) == UINT32_MAX)
      return false;
  }
  return true;
}

void dc__html_index_share(html_json *row, dc_interval share) {
  dc__html_string(row, NULL, share.low < 0 ? "" : dc_number_percent(share).text);
  dc__html_whole(row, NULL, dc_share_severity(share));
  dc__html_real(row, NULL, share.low);
  dc__html_real(row, NULL, share.high);
}

// What the least certain of the loops that matter depends on; figures that are intervals depend on
// an assumption in any case (of a branch, say).
static const char *least_certain(const dc_estimate *estimate) {
  dc_from from = DC_FROM_DERIVED;
  if (!estimate || estimate->cycles.low < 0)
    return "not known";
  bool intervals = estimate->cycles.low != estimate->cycles.high ||
                   estimate->efficiency.low != estimate->efficiency.high;
  for (uint32_t k = 0; k < estimate->n_loops; ++k)
    if ((intervals || estimate->loops[k].share.high >= 0.001) && estimate->loops[k].from > from)
      from = estimate->loops[k].from;
  return dc_from_name(intervals && from < DC_FROM_RANGE ? DC_FROM_ASSUMED : from);
}

static void add_time(html_json *row, double lost) {
  char words[40];
  dc_seconds_words(lost, words, sizeof words);
  dc__html_real(row, NULL, lost);
  dc__html_string(row, NULL, lost < 0 ? "not known" : words);
}

static bool add_kernel(html_index *index, const dc_unit_kernel *of, const dc_estimate *worst) {
  html_json *row = &index->kernels;
  const dc_interval none = {-1, -1};
  dc__html_open(row, NULL, '[');
  dc__html_string(row, NULL, dc_kernel_text(&of->kernel, of->kernel.name));
  bool good = dc__html_index_place(index, row, &of->kernel, of->kernel.location);
  dc__html_index_share(row, worst ? worst->share : none);
  dc__html_string(row, NULL, least_certain(worst));
  dc__html_string(row, NULL, dc_number_percent(worst ? worst->efficiency : none).text);
  dc__html_real(row, NULL, worst ? worst->efficiency.low : -1);
  dc__html_string(row, NULL, dc_number_count(worst ? worst->cycles : none).text);
  dc__html_real(row, NULL, worst ? worst->cycles.high : -1);
  dc__html_whole(row, NULL, of->kernel.n_loops);
  dc__html_whole(row, NULL, of->n_findings);
  dc__html_whole(row, NULL, dc_calls_words(&of->kernel, NULL, 0) > 0);
  add_time(row, dc_time_lost(of));
  dc__html_whole(row, NULL, of->instances.count);
  dc__html_string(row, NULL, dc_kernel_text(&of->kernel, of->kernel.symbol));
  dc__html_close(row, ']');
  return good;
}

static bool add_loop(html_index *index, const dc_kernel *kernel, uint32_t loop,
                     const dc_estimate *worst) {
  html_json *row = &index->loops;
  const dc_interval none = {-1, -1};
  const dc_loop_estimate *figures = worst ? &worst->loops[loop] : NULL;
  dc__html_open(row, NULL, '[');
  dc__html_whole(row, NULL, index->n_kernels);
  dc__html_whole(row, NULL, loop);
  bool good = dc__html_index_place(index, row, kernel, kernel->loops[loop].location);
  dc__html_index_share(row, figures ? figures->share : none);
  dc__html_string(row, NULL, figures ? dc_from_name(figures->from) : "not known");
  dc__html_string(row, NULL, dc_class_name(kernel->loops[loop].loop_class));
  dc__html_string(row, NULL, dc_number_count(figures ? figures->aggregate : none).text);
  dc__html_real(row, NULL, figures ? figures->aggregate.high : -1);
  dc__html_close(row, ']');
  return good;
}

bool dc__html_index_add(html_index *index, const dc_unit_kernel *kernel) {
  const dc_estimate *worst = dc_worst_estimate(kernel);
  bool good = add_kernel(index, kernel, worst);
  for (uint32_t k = 0; good && k < kernel->kernel.n_loops; ++k)
    good = add_loop(index, &kernel->kernel, k, worst);
  good = good && add_files(index, &kernel->kernel);
  ++index->n_kernels;
  return good && !index->kernels.failed && !index->loops.failed;
}
