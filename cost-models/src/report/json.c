// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit as JSON. What stands beside the skeletons, estimates, findings and measurements follows
// from them: it is there for scripts, which want names, lines and expressions as text.
#include "divcost/report.h"

#include "json/json_internal.h"

#include <stdlib.h>

// Adds an expression as text; nothing if there is none.
static void put_expression(dc_json_writer *writer, json_t *object, const char *key,
                           const dc_kernel *kernel, dc_expr e) {
  if (e == DC_NO_EXPR)
    return;
  size_t size = dc_kernel_print_expr(kernel, e, NULL, 0) + 1;
  char *text = malloc(size);
  if (text)
    dc_kernel_print_expr(kernel, e, text, size);
  dc__json_put(writer, object, key, text ? dc__json_text(text) : NULL);
  free(text);
}

// The calls that were inlined around a location, innermost first.
static json_t *call_path(dc_json_writer *writer, const dc_kernel *kernel, uint32_t location) {
  json_t *calls = json_array();
  while (location != DC_NONE && (location = kernel->locations[location].inlined_at) != DC_NONE) {
    json_t *call = json_object();
    dc__json_put_location(writer, call, kernel, location);
    dc__json_append(writer, calls, call);
  }
  return calls;
}

static json_t *exits(dc_json_writer *writer, const dc_kernel *kernel, const dc_loop *loop) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < loop->n_exits; ++k) {
    const dc_exit *way = &kernel->exits[loop->first_exit + k];
    json_t *object = json_object();
    dc__json_put_location(writer, object, kernel, way->location);
    dc__json_put(writer, object, "divergent", json_boolean(way->level == DC_DIVERGENT));
    put_expression(writer, object, "trips", kernel, way->trips);
    dc__json_append(writer, list, object);
  }
  return list;
}

static json_t *reasons(dc_json_writer *writer, const dc_kernel *kernel, const dc_loop *loop) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < loop->n_reasons; ++k) {
    const dc_reason *reason = &kernel->reasons[loop->first_reason + k];
    json_t *object = json_object();
    dc__json_put_location(writer, object, kernel, reason->location);
    dc__json_put_text(writer, object, "text", dc_kernel_text(kernel, reason->text));
    dc__json_append(writer, list, object);
  }
  return list;
}

// Where the trip count comes from: as the estimate says, else as the skeleton gives it.
static json_t *trips(dc_json_writer *writer, const dc_kernel *kernel, const dc_loop *loop,
                     const dc_loop_estimate *figures) {
  const char *distribution = dc_kernel_text(kernel, loop->distribution);
  json_t *object = json_object();
  put_expression(writer, object, "expr", kernel, loop->trips);
  dc__json_put_text(writer, object, "distribution", distribution);
  dc__json_put_text(writer, object, "distribution_at",
                    dc_kernel_text(kernel, loop->distribution_at));
  if (figures)
    dc__json_put(writer, object, "from", json_string(dc_from_name(figures->from)));
  else if (*distribution)
    dc__json_put(writer, object, "from", json_string(dc_from_name(loop->trips_from)));
  if (loop->correlation > 0)
    dc__json_put_real(writer, object, "correlation", loop->correlation);
  int64_t most = dc_most_trips(kernel, (uint32_t)(loop - kernel->loops));
  if (most >= 0)
    dc__json_put(writer, object, "most", json_integer(most));
  if (figures)
    dc__json_put_interval(writer, object, "mean", figures->mean_trips);
  return object;
}

static json_t *loop_description(dc_json_writer *writer, const dc_unit_kernel *of, uint32_t index) {
  const dc_kernel *kernel = &of->kernel;
  const dc_loop *loop = &kernel->loops[index];
  const dc_loop_estimate *figures =
      of->n_estimates && index < of->estimates[0].n_loops ? &of->estimates[0].loops[index] : NULL;
  json_t *object = json_object();
  dc__json_put_hex(writer, object, "id", loop->id);
  dc__json_put_location(writer, object, kernel, loop->location);
  dc__json_put(writer, object, "depth", json_integer(loop->depth));
  if (loop->parent != DC_NONE)
    dc__json_put(writer, object, "parent", json_integer(loop->parent));
  dc__json_put(writer, object, "call_path", call_path(writer, kernel, loop->location));
  dc__json_put(writer, object, "class", json_string(dc_class_name(loop->loop_class)));
  if (loop->unroll_expected)
    dc__json_put(writer, object, "unroll_expected", json_integer(loop->unroll_expected));
  dc__json_put_text(writer, object, "condition", dc_kernel_text(kernel, loop->condition));
  dc__json_put_text(writer, object, "unknown", dc_kernel_text(kernel, loop->unknown));
  dc__json_put_text(writer, object, "ignored", dc_kernel_text(kernel, loop->ignored));
  dc__json_put_text(writer, object, "ignored_at", dc_kernel_text(kernel, loop->ignored_at));
  dc__json_put(writer, object, "exits", exits(writer, kernel, loop));
  dc__json_put(writer, object, "trips", trips(writer, kernel, loop, figures));
  if (figures)
    dc__json_put_figures(writer, object, figures);
  dc__json_put(writer, object, "reasons", reasons(writer, kernel, loop));
  return object;
}

// The branches that part lanes of a warp; those that leave loops among them.
static json_t *divergent_branches(dc_json_writer *writer, const dc_kernel *kernel) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_branches; ++k) {
    const dc_branch *branch = &kernel->branches[k];
    if (branch->level != DC_DIVERGENT)
      continue;
    json_t *object = json_object();
    dc__json_put_location(writer, object, kernel, branch->location);
    put_expression(writer, object, "condition", kernel, branch->condition);
    if (branch->exits != DC_NONE)
      dc__json_put(writer, object, "exits", json_integer(branch->exits));
    if (branch->predication != DC_PREDICATION_UNKNOWN)
      dc__json_put(writer, object, "predication",
                   json_string(dc_predication_name(branch->predication)));
    dc__json_append(writer, list, object);
  }
  return list;
}

// Accesses to memory, with what is known of them in the first launch.
static json_t *accesses(dc_json_writer *writer, const dc_unit_kernel *of) {
  const dc_kernel *kernel = &of->kernel;
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_accesses; ++k) {
    const dc_access *access = &kernel->accesses[k];
    bool known = of->n_estimates && k < of->estimates[0].n_accesses;
    json_t *object = json_object();
    dc__json_put_location(writer, object, kernel, access->location);
    dc__json_put_text(writer, object, "name", dc_kernel_text(kernel, access->name));
    dc__json_put(writer, object, "space", json_string(dc_space_name((dc_space)access->space)));
    dc__json_put(writer, object, "kind",
                 json_string(dc_access_kind_name((dc_access_kind)access->kind)));
    dc__json_put(writer, object, "bytes", json_integer(access->bytes));
    put_expression(writer, object, "address", kernel, access->address);
    if (kernel->blocks[access->block].loop != DC_NONE)
      dc__json_put(writer, object, "loop", json_integer(kernel->blocks[access->block].loop));
    if (known && of->estimates[0].accesses[k].requests > 0)
      dc__json_put_access(writer, object, access, &of->estimates[0].accesses[k]);
    dc__json_append(writer, list, object);
  }
  return list;
}

static void put_names(dc_json_writer *writer, json_t *object, const char *key,
                      const dc_name_list *names) {
  if (names->count == 0)
    return;
  json_t *list = json_array();
  for (uint32_t k = 0; k < names->count; ++k)
    dc__json_append(writer, list, dc__json_text(names->names[k]));
  dc__json_put(writer, object, key, list);
}

static json_t *findings(dc_json_writer *writer, const dc_unit_kernel *of) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < of->n_findings; ++k) {
    const dc_finding *finding = &of->findings[k];
    json_t *object = json_object();
    dc__json_put(writer, object, "rule", json_string(dc_rule_name(finding->rule)));
    dc__json_put_hex(writer, object, "fingerprint", finding->fingerprint);
    if (finding->loop != DC_NONE) {
      dc__json_put_hex(writer, object, "loop", of->kernel.loops[finding->loop].id);
      dc__json_put(writer, object, "loop_index", json_integer(finding->loop));
    }
    if (finding->barrier != DC_NONE)
      dc__json_put(writer, object, "barrier_index", json_integer(finding->barrier));
    dc__json_put_location(writer, object, &of->kernel, finding->location);
    if (finding->location != DC_NONE)
      dc__json_put(writer, object, "location", json_integer(finding->location));
    dc__json_put(writer, object, "message",
                 dc__json_text(finding->message ? finding->message : ""));
    dc__json_put(writer, object, "suppressed", json_boolean(finding->suppressed));
    if (finding->suppressed)
      dc__json_put_text(writer, object, "suppressed_by", dc_suppressor_name(finding->by));
    dc__json_put_text(writer, object, "reason", dc_finding_reason(&of->kernel, finding));
    if (finding->switched_on)
      dc__json_put(writer, object, "switched_on", json_true());
    put_names(writer, object, "others", &finding->others);
    dc__json_append(writer, list, object);
  }
  return list;
}

// What warps wait for, by shares of the samples; those that are there.
static json_t *waits(dc_json_writer *writer, const dc_unit_measured *from) {
  json_t *object = json_object();
  for (unsigned w = 0; w < DC_WAIT_COUNT; ++w)
    if (from->waits[w] > 0)
      dc__json_put_real(writer, object, dc_wait_name((dc_wait)w), from->waits[w]);
  return object;
}

static json_t *measured_accesses(dc_json_writer *writer, const dc_unit_kernel *of) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < of->measured.n_accesses; ++k) {
    const dc_measured_access *access = &of->measured.accesses[k];
    json_t *element = json_object();
    dc__json_put(writer, element, "kind",
                 json_string(dc_traffic_kind_name((dc_traffic_kind)access->kind)));
    dc__json_put_real(writer, element, "share", access->share);
    dc__json_put_real(writer, element, "taken", access->taken);
    dc__json_put_real(writer, element, "ideal", access->ideal);
    if (access->access != DC_NONE)
      dc__json_put(writer, element, "access", json_integer(access->access));
    dc__json_put_at(writer, element, "at", &of->kernel, access->location);
    if (access->location != DC_NONE)
      dc__json_put(writer, element, "location", json_integer(access->location));
    dc__json_append(writer, list, element);
  }
  return list;
}

static json_t *measured(dc_json_writer *writer, const dc_unit_kernel *of) {
  const dc_unit_measured *from = &of->measured;
  json_t *object = json_object(), *parts = json_array();
  dc__json_put(writer, object, "by", json_string(dc_measured_by_name((dc_measured_by)from->by)));
  dc__json_put(writer, object, "launches", json_integer((json_int_t)from->launches));
  dc__json_put_real(writer, object, "seconds", from->seconds);
  dc__json_put_real(writer, object, "time_share", from->time_share);
  dc__json_put_real(writer, object, "efficiency", from->efficiency);
  dc__json_put_real(writer, object, "blocks_efficiency", from->of_blocks);
  dc__json_put_real(writer, object, "untold", from->untold);
  for (uint32_t k = 0; k < from->n_parts; ++k) {
    const dc_measured_part *part = &from->parts[k];
    json_t *element = json_object();
    dc__json_put_real(writer, element, "share", part->share);
    if (part->loop != DC_NONE)
      dc__json_put(writer, element, "loop", json_integer(part->loop));
    if (part->branch != DC_NONE)
      dc__json_put(writer, element, "branch", json_integer(part->branch));
    dc__json_put_at(writer, element, "at", &of->kernel, part->location);
    if (part->location != DC_NONE)
      dc__json_put(writer, element, "location", json_integer(part->location));
    dc__json_append(writer, parts, element);
  }
  dc__json_put(writer, object, "parts", parts);
  if (from->samples > 0) {
    dc__json_put_real(writer, object, "samples", from->samples);
    dc__json_put(writer, object, "waits", waits(writer, from));
    dc__json_put_real(writer, object, "unlisted", from->unlisted);
  }
  if (from->by == DC_MEASURED_PROFILER) {
    dc__json_put_counted(writer, object, from->traffic_known);
    dc__json_put(writer, object, "accesses", measured_accesses(writer, of));
  }
  return object;
}

// The parameters whose values are given.
static json_t *values(dc_json_writer *writer, const dc_kernel *kernel) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_params; ++k) {
    const dc_param *param = &kernel->params[k];
    if (!param->known)
      continue;
    json_t *object = json_object();
    dc__json_put_text(writer, object, "name", dc_kernel_text(kernel, param->name));
    dc__json_put(writer, object, "position", json_integer(k));
    dc__json_put(writer, object, "value", dc__json_int64(param->value));
    dc__json_append(writer, list, object);
  }
  return list;
}

// The functions that the figures leave out.
static json_t *calls(dc_json_writer *writer, const dc_kernel *kernel) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < kernel->n_calls; ++k) {
    const dc_call *call = &kernel->calls[k];
    json_t *object = json_object();
    dc__json_put_text(writer, object, "function", dc_kernel_text(kernel, call->function));
    dc__json_put(writer, object, "kind", json_string(dc_call_kind_name((dc_call_kind)call->kind)));
    dc__json_append(writer, list, object);
  }
  return list;
}

static json_t *kernel_description(dc_json_writer *writer, const dc_unit_kernel *of) {
  const dc_kernel *kernel = &of->kernel;
  const dc_launch *launch = of->n_estimates ? &of->estimates[0].launch : kernel->launches;
  json_t *object = json_object(), *estimates = json_array(), *loops = json_array();
  dc__json_put(writer, object, "name", dc__json_text(dc_kernel_text(kernel, kernel->name)));
  dc__json_put(writer, object, "symbol", dc__json_text(dc_kernel_text(kernel, kernel->symbol)));
  if (kernel->location != DC_NONE) {
    const dc_location *at = &kernel->locations[kernel->location];
    dc__json_put_text(writer, object, "file", dc_kernel_text(kernel, at->file));
    if (at->line)
      dc__json_put(writer, object, "line", json_integer(at->line));
  }
  put_names(writer, object, "instances", &of->instances);
  if (of->library)
    dc__json_put(writer, object, "library", json_true());
  dc__json_put_text(writer, object, "not_analysed", dc_kernel_text(kernel, kernel->not_analysed));
  dc__json_put_dims(writer, object, "block", launch->block);
  dc__json_put(writer, object, "block_from", json_string(dc_block_from_name(launch->from)));
  dc__json_put_at(writer, object, "block_at", kernel, launch->location);
  dc__json_put(writer, object, "values", values(writer, kernel));
  if (kernel->n_calls)
    dc__json_put(writer, object, "calls", calls(writer, kernel));
  if (of->measured.launches)
    dc__json_put(writer, object, "measured", measured(writer, of));
  for (uint32_t k = 0; k < of->n_estimates; ++k)
    dc__json_append(writer, estimates, dc__json_estimate(writer, kernel, &of->estimates[k]));
  dc__json_put(writer, object, "estimates", estimates);
  for (uint32_t k = 0; k < kernel->n_loops; ++k)
    dc__json_append(writer, loops, loop_description(writer, of, k));
  dc__json_put(writer, object, "loops", loops);
  dc__json_put(writer, object, "branches", divergent_branches(writer, kernel));
  if (kernel->n_accesses)
    dc__json_put(writer, object, "accesses", accesses(writer, of));
  dc__json_put(writer, object, "findings", findings(writer, of));
  dc__json_put(writer, object, "skeleton", dc__json_skeleton(writer, kernel));
  return object;
}

// Where a unit's kernels have got to.
typedef struct progress {
  const dc_kernels *kernels;
  uint32_t done;
} progress;

static dc_status next_kernel(void *context, json_t **element, dc_error *error) {
  progress *at = context;
  const dc_unit_kernel *kernel;
  dc_json_writer writer = {false, NULL};
  *element = NULL;
  if (at->done == at->kernels->n_kernels)
    return DC_OK;
  dc_status status = at->kernels->get(at->kernels->context, at->done, &kernel, error);
  if (status != DC_OK)
    return status;
  ++at->done;
  json_t *object = kernel_description(&writer, kernel);
  status = dc__json_check(&writer, object, "JSON of a kernel", error);
  if (status == DC_OK)
    *element = object;
  else
    json_decref(object);
  return status;
}

static dc_status write_json(const dc_kernels *kernels, const dc_report_options *options,
                            FILE *stream, dc_error *error) {
  (void)options;
  dc_json_writer writer = {false, NULL};
  json_t *root = json_object(), *archs = json_array(), *list = json_array();
  dc__json_put(&writer, root, "divcost", json_integer(1));
  dc__json_put(&writer, root, "unit", dc__json_text(kernels->path ? kernels->path : ""));
  for (uint32_t k = 0; k < kernels->n_archs; ++k)
    dc__json_append(&writer, archs, json_sprintf("sm_%u", kernels->archs[k]));
  dc__json_put(&writer, root, "archs", archs);
  dc__json_put(&writer, root, "kernels", list);
  progress at = {kernels, 0};
  dc_json_elements elements = {list, next_kernel, &at};
  return dc__json_finish(&writer, root, &elements, "JSON", stream, error);
}

const dc_report_format dc_format_json = {"json", "prints the report as JSON (docs/json-schema.md)",
                                         false, write_json};
