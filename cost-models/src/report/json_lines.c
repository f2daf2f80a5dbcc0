// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A report as rows of a table, for engines that query JSON lines: flat objects, one for each kernel
// and each loop under each of the kernel's estimates. The schema is
// docs/divcost-rows-1.schema.json.
#include "divcost/report.h"

#include "json/json_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// With a point, always: a column has one type.
static void put_real(dc_json_writer *writer, json_t *row, const char *name, double value) {
  if (value < 0)
    return;
  if (!isfinite(value) && !writer->not_finite)
    writer->not_finite = name;
  dc__json_put(writer, row, name, json_real(isfinite(value) ? dc__json_rounded(value) : 0));
}

// Both ends, always.
static void put_ends(dc_json_writer *writer, json_t *row, const char *name, dc_interval interval) {
  char low[48], high[48];
  snprintf(low, sizeof low, "%s_low", name);
  snprintf(high, sizeof high, "%s_high", name);
  put_real(writer, row, low, interval.low);
  put_real(writer, row, high, interval.high);
}

static void put_dims(dc_json_writer *writer, json_t *row, const char *name,
                     const uint32_t dims[3]) {
  char column[16];
  for (unsigned d = 0; d < 3; ++d)
    if (dims[d]) { // of a grid: known
      snprintf(column, sizeof column, "%s_%c", name, "xyz"[d]);
      dc__json_put(writer, row, column, json_integer(dims[d]));
    }
}

// What both kinds of rows begin with: the kernel, and what the estimate is for.
static json_t *begin_row(dc_json_writer *writer, const char *kind, const dc_kernel *kernel,
                         const dc_estimate *estimate) {
  json_t *row = json_object();
  char arch[24];
  snprintf(arch, sizeof arch, "sm_%u", estimate->sm);
  dc__json_put(writer, row, "divcost", json_integer(1));
  dc__json_put(writer, row, "row", json_string(kind));
  dc__json_put(writer, row, "kernel", dc__json_text(dc_kernel_text(kernel, kernel->name)));
  dc__json_put(writer, row, "symbol", dc__json_text(dc_kernel_text(kernel, kernel->symbol)));
  if (kernel->location != DC_NONE) {
    const dc_location *at = &kernel->locations[kernel->location];
    dc__json_put_text(writer, row, "kernel_file", dc_kernel_text(kernel, at->file));
    if (at->line)
      dc__json_put(writer, row, "kernel_line", json_integer(at->line));
  }
  dc__json_put(writer, row, "arch", json_string(arch));
  put_dims(writer, row, "block", estimate->launch.block);
  put_dims(writer, row, "grid", estimate->launch.grid);
  dc__json_put(writer, row, "block_from", json_string(dc_block_from_name(estimate->launch.from)));
  return row;
}

static void put_time(dc_json_writer *writer, json_t *row, const dc_time_estimate *time) {
  if (!time->known)
    return;
  put_ends(writer, row, "seconds", time->seconds);
  dc__json_put_share(writer, row, "time_lost_low", time->lost[DC_LOSS_DIVERGENCE].low);
  dc__json_put_share(writer, row, "time_lost_high", time->lost[DC_LOSS_DIVERGENCE].high);
  dc__json_put(writer, row, "bound", json_string(dc_bound_name((dc_bound)time->bound)));
}

static json_t *kernel_row(dc_json_writer *writer, const dc_unit_kernel *of,
                          const dc_estimate *estimate) {
  const dc_kernel *kernel = &of->kernel;
  json_t *row = begin_row(writer, "kernel", kernel, estimate);
  dc__json_put_text(writer, row, "not_analysed", dc_kernel_text(kernel, kernel->not_analysed));
  if (kernel->n_calls)
    dc__json_put(writer, row, "calls", json_integer(kernel->n_calls));
  put_ends(writer, row, "cycles", estimate->cycles);
  put_ends(writer, row, "imbalance_cycles", estimate->imbalance);
  put_ends(writer, row, "reconvergence_cycles", estimate->reconvergence);
  put_ends(writer, row, "share", estimate->share);
  put_ends(writer, row, "efficiency", estimate->efficiency);
  put_ends(writer, row, "instructions", estimate->instructions);
  put_ends(writer, row, "divergent_branches", estimate->divergent_branches);
  put_time(writer, row, &estimate->time);
  dc__json_put(writer, row, "emulated", json_boolean(estimate->emulated));
  dc__json_put(writer, row, "loops", json_integer(kernel->n_loops));
  return row;
}

// The rule that has something to say of a loop; NULL: none has.
static const dc_finding *finding_of(const dc_unit_kernel *of, uint32_t loop) {
  for (uint32_t k = 0; k < of->n_findings; ++k)
    if (of->findings[k].loop == loop)
      return &of->findings[k];
  return NULL;
}

static void put_finding(dc_json_writer *writer, json_t *row, const dc_finding *finding) {
  if (!finding)
    return;
  dc__json_put(writer, row, "finding", json_string(dc_rule_name(finding->rule)));
  dc__json_put_hex(writer, row, "fingerprint", finding->fingerprint);
  dc__json_put(writer, row, "suppressed", json_boolean(finding->suppressed));
}

static void put_trips(dc_json_writer *writer, json_t *row, const dc_kernel *kernel,
                      const dc_loop *loop, const dc_loop_estimate *figures) {
  if (loop->trips != DC_NO_EXPR) {
    size_t size = dc_kernel_print_expr(kernel, loop->trips, NULL, 0) + 1;
    char *text = malloc(size);
    if (text)
      dc_kernel_print_expr(kernel, loop->trips, text, size);
    dc__json_put(writer, row, "trips", text ? dc__json_text(text) : NULL);
    free(text);
  }
  dc__json_put_text(writer, row, "distribution", dc_kernel_text(kernel, loop->distribution));
  dc__json_put(writer, row, "trips_from", json_string(dc_from_name(figures->from)));
  put_ends(writer, row, "mean_trips", figures->mean_trips);
}

static json_t *loop_row(dc_json_writer *writer, const dc_unit_kernel *of,
                        const dc_estimate *estimate, uint32_t index) {
  const dc_kernel *kernel = &of->kernel;
  const dc_loop *loop = &kernel->loops[index];
  const dc_loop_estimate *figures = &estimate->loops[index];
  json_t *row = begin_row(writer, "loop", kernel, estimate);
  dc__json_put_hex(writer, row, "loop", loop->id);
  dc__json_put_location(writer, row, kernel, loop->location);
  dc__json_put(writer, row, "depth", json_integer(loop->depth));
  dc__json_put(writer, row, "class", json_string(dc_class_name(loop->loop_class)));
  put_trips(writer, row, kernel, loop, figures);
  put_ends(writer, row, "entries", figures->entries);
  put_ends(writer, row, "imbalance", figures->aggregate);
  put_ends(writer, row, "expected_imbalance", figures->expected);
  put_real(writer, row, "worst_imbalance", figures->worst);
  put_ends(writer, row, "efficiency", figures->efficiency);
  put_ends(writer, row, "divergent_exits", figures->divergent_exits);
  put_ends(writer, row, "stack_depth", figures->stack_depth);
  put_ends(writer, row, "cycles", figures->body);
  put_ends(writer, row, "imbalance_cycles", figures->imbalance);
  put_ends(writer, row, "reconvergence_cycles", figures->reconvergence);
  put_ends(writer, row, "share", figures->share);
  put_finding(writer, row, finding_of(of, index));
  return row;
}

// Writes a row and releases it.
static dc_status write_row(const dc_json_writer *writer, json_t *row, FILE *stream,
                           dc_error *error) {
  dc_status status = dc__json_check(writer, row, "rows of a kernel", error);
  errno = 0;
  if (status == DC_OK && (json_dumpf(row, stream, JSON_COMPACT | JSON_REAL_PRECISION(9)) != 0 ||
                          fputc('\n', stream) == EOF))
    status = dc_fail(error, DC_ERROR_FILE, "cannot write the rows: %s",
                     errno ? strerror(errno) : "out of memory");
  json_decref(row);
  return status;
}

static dc_status write_estimate(const dc_unit_kernel *of, const dc_estimate *estimate, FILE *stream,
                                dc_error *error) {
  dc_json_writer writer = {false, NULL};
  json_t *row = kernel_row(&writer, of, estimate);
  dc_status status = write_row(&writer, row, stream, error);
  for (uint32_t l = 0; status == DC_OK && l < estimate->n_loops; ++l) {
    row = loop_row(&writer, of, estimate, l);
    status = write_row(&writer, row, stream, error);
  }
  return status;
}

static dc_status write_rows(const dc_kernels *kernels, const dc_report_options *options,
                            FILE *stream, dc_error *error) {
  (void)options;
  dc_status status = DC_OK;
  for (uint32_t k = 0; status == DC_OK && k < kernels->n_kernels; ++k) {
    const dc_unit_kernel *kernel;
    status = kernels->get(kernels->context, k, &kernel, error);
    for (uint32_t e = 0; status == DC_OK && e < kernel->n_estimates; ++e)
      status = write_estimate(kernel, &kernel->estimates[e], stream, error);
  }
  errno = 0;
  if (status == DC_OK && fflush(stream) != 0)
    status = dc_fail(error, DC_ERROR_FILE, "cannot write the rows: %s", strerror(errno));
  return status;
}

const dc_report_format dc_format_json_lines = {
    "jsonl", "prints a line of JSON for each kernel and loop, for databases", false, write_rows};
