// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost model --json`: the keys are in docs/model.md. What wasn't asked for is absent.
#include "model/model.h"

#include "divcost/files.h"
#include "divcost/histogram.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static void set(json_t *object, const char *key, double value) {
  json_object_set_new(object, key, json_real(value));
}

static void set_whole(json_t *object, const char *key, uint64_t value) {
  json_object_set_new(object, key, json_integer((json_int_t)value));
}

static json_t *trips_of(const dc_distribution *d) {
  json_t *trips = json_object();
  set(trips, "mean", dc_distribution_mean(d));
  set(trips, "variance", dc_distribution_variance(d));
  set_whole(trips, "min", (uint64_t)dc_distribution_min(d));
  set_whole(trips, "max", (uint64_t)dc_distribution_max(d));
  set(trips, "cut", d->cut);
  return trips;
}

static json_t *quantiles_of(const model_ratios *ratios) {
  json_t *quantiles = json_object();
  for (size_t i = 0; i < MODEL_QUANTILES; ++i) {
    char key[16];
    snprintf(key, sizeof key, "%g", model_quantiles[i]);
    set(quantiles, key, ratios->quantile[i]);
  }
  return quantiles;
}

static json_t *depth_of(const model_figures *f, unsigned lanes) {
  json_t *depth = json_object();
  for (unsigned capacity = 1; capacity <= lanes; ++capacity) {
    char key[16];
    snprintf(key, sizeof key, "%u", capacity);
    set(depth, key, f->depth_exceeds[capacity]);
  }
  return depth;
}

static json_t *cost_of(const dc_cost_loss *cost) {
  json_t *object = json_object();
  set(object, "cycles", cost->cycles);
  set(object, "ideal", cost->ideal);
  set(object, "lost", cost->lost);
  set(object, "expected", cost->expected);
  set(object, "aggregate", cost->aggregate);
  set(object, "efficiency", cost->efficiency);
  return object;
}

static json_t *block_of(const model_request *request, const dc_block_loss *block) {
  json_t *object = json_object();
  set_whole(object, "warps", request->warps);
  set(object, "iterations", block->iterations);
  set(object, "waiting", block->waiting);
  set(object, "aggregate", block->aggregate);
  set(object, "efficiency", block->efficiency);
  return object;
}

static json_t *grid_of(const model_request *request, const dc_makespan *interval) {
  json_t *object = json_object();
  set_whole(object, "blocks", request->blocks);
  set_whole(object, "multiprocessors", request->multiprocessors);
  set_whole(object, "slots", request->slots);
  set(object, "iterations", interval->iterations);
  json_object_set_new(object, "exact", json_boolean(interval->exact));
  set(object, "low", interval->low);
  set(object, "high", interval->high);
  set(object, "tail", interval->tail);
  set(object, "efficiency", interval->efficiency);
  return object;
}

static json_t *what_if_of(const model_what_if *w) {
  static const char *const names[] = {[MODEL_TODAY] = "today",
                                      [MODEL_SHARED] = "shared",
                                      [MODEL_BINNED] = "binned",
                                      [MODEL_SORTED] = "sorted"};
  static const char *const amounts[] = {[MODEL_TODAY] = NULL,
                                        [MODEL_SHARED] = "lanes_per_item",
                                        [MODEL_BINNED] = "classes",
                                        [MODEL_SORTED] = "warps"};
  json_t *object = json_object();
  json_object_set_new(object, "change", json_string(names[w->change]));
  if (amounts[w->change])
    set_whole(object, amounts[w->change], w->amount);
  set(object, "aggregate", w->loss.aggregate);
  set(object, "efficiency", w->loss.efficiency);
  if (w->change != MODEL_SORTED)
    set(object, "expected", w->loss.expected);
  return object;
}

static void set_sampled(json_t *object, const char *key, dc_sampled s) {
  json_t *sampled = json_object();
  set(sampled, "value", s.value);
  set(sampled, "error", s.error);
  json_object_set_new(object, key, sampled);
}

static json_t *simulated_of(const model_request *request, const dc_simulated *s) {
  json_t *object = json_object();
  set_whole(object, "replications", s->replications);
  set_whole(object, "seed", request->seed);
  set_sampled(object, "aggregate", s->aggregate);
  set_sampled(object, "efficiency", s->efficiency);
  set_sampled(object, "mean", s->expected);
  if (!request->warps && !request->blocks)
    set_sampled(object, "variance", s->variance);
  set_sampled(object, "maximum", s->maximum);
  if (request->has_cost) {
    set_sampled(object, "cycles", s->cycles);
    set_sampled(object, "cost_expected", s->cost_expected);
    set_sampled(object, "cost_aggregate", s->cost_aggregate);
  }
  if (request->warps)
    set_sampled(object, "block", s->block);
  if (request->blocks) {
    set_sampled(object, "grid", s->makespan);
    set_sampled(object, "grid_efficiency", s->grid_efficiency);
  }
  return object;
}

// The distribution's text with the points of its histograms, so that it stands for itself; NULL,
// which leaves the key out, if a file has gone meanwhile.
static json_t *distribution_of(const char *text) {
  char *whole;
  if (dc_distribution_text(text, NULL, &whole, NULL) != DC_OK)
    return NULL;
  json_t *string = json_string(whole);
  free(whole);
  return string;
}

void model_print_json(const model_request *request, const model_figures *f) {
  json_t *root = json_object();
  json_object_set_new(root, "law", distribution_of(request->distribution));
  set_whole(root, "lanes", request->lanes);
  json_object_set_new(root, "trips", trips_of(&f->trips));
  set(root, "maximum", f->maximum);
  set(root, "mean", f->x.mean);
  set(root, "variance", f->x.variance);
  set(root, "aggregate", f->loss.aggregate);
  set(root, "efficiency", f->loss.efficiency);
  set(root, "worst", f->worst);
  json_object_set_new(root, "quantiles", quantiles_of(&f->ratios));
  json_object_set_new(root, "quantiles_from", json_string(f->ratios.from));
  set(root, "distinct", f->distinct);
  set(root, "divergent_exits", f->divergent_exits);
  set(root, "depth", f->depth);
  if (f->has_depth)
    json_object_set_new(root, "depth_exceeds", depth_of(f, request->lanes));
  if (request->has_cost)
    json_object_set_new(root, "cost", cost_of(&f->cost));
  if (f->has_block)
    json_object_set_new(root, "block", block_of(request, &f->block));
  if (f->has_grid)
    json_object_set_new(root, "grid", grid_of(request, &f->grid));
  json_t *what_if = json_array();
  for (size_t i = 0; i < f->n_what_if; ++i)
    json_array_append_new(what_if, what_if_of(&f->what_if[i]));
  json_object_set_new(root, "what_if", what_if);
  if (request->simulate)
    json_object_set_new(root, "simulated", simulated_of(request, &f->simulated));
  json_dumpf(root, stdout, JSON_INDENT(2));
  printf("\n");
  json_decref(root);
}
