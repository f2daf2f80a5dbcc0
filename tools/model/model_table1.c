// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Table 1 of Swatman, Varbanescu, Pimentel, Salzburger, Krasznahorkay, "Modelling performance loss
// due to thread imbalance in stochastic variable-length SIMT workloads" (2022), beside ours: the
// expected imbalance of five distributions, modelled, simulated with 2^18 groups, and measured on
// an A100.
#include "model/model.h"
#include "threads.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

enum { DISTRIBUTIONS = 5, WIDTHS = 5 };

static const unsigned lanes[WIDTHS] = {2, 4, 8, 16, 32};

static const struct {
  const char *name, *distribution;
  double modelled[WIDTHS], simulated[WIDTHS], measured[WIDTHS];
} paper[DISTRIBUTIONS] = {
    {"B(40,0.5)",
     "binomial(40,0.5)",
     {1.090, 1.163, 1.225, 1.278, 1.325},
     {1.090, 1.163, 1.225, 1.278, 1.325},
     {1.099, 1.173, 1.236, 1.287, 1.326}},
    {"Geo(0.05)",
     "geometric(0.05)",
     {1.476, 2.047, 2.668, 3.317, 3.979},
     {1.477, 2.047, 2.668, 3.317, 3.979},
     {1.497, 2.065, 2.689, 3.321, 3.915}},
    {"Pois(30)",
     "poisson(30)",
     {1.104, 1.191, 1.268, 1.335, 1.397},
     {1.104, 1.191, 1.268, 1.335, 1.397},
     {1.110, 1.198, 1.275, 1.341, 1.393}},
    {"U(20,40)",
     "uniform(20,40)",
     {1.118, 1.213, 1.275, 1.309, 1.326},
     {1.118, 1.213, 1.275, 1.309, 1.326},
     {1.124, 1.220, 1.282, 1.316, 1.328}},
    {"NB(5,0.3)",
     "negbin(5,0.3)",
     {1.301, 1.587, 1.860, 2.123, 2.375},
     {1.301, 1.586, 1.860, 2.124, 2.375},
     {1.323, 1.608, 1.885, 2.142, 2.358}},
};

typedef struct cell {
  double expected, aggregate;
  dc_sampled simulated;
} cell;

static dc_status simulate(const model_request *request, const dc_distribution *distribution,
                          unsigned n, dc_sampled *expected, dc_error *error) {
  const dc_group_type type = {1, *distribution};
  const dc_simulation simulation = {
      .types = &type, .count = 1, .grid = {n, 1, 1, 1, 1}, .lanes_per_item = 1};
  const unsigned workers = threads_processors();
  dc_parallel parallel = threads_parallel(&workers);
  dc_simulated simulated;
  dc_status status =
      dc_simulate(&simulation, request->simulate, request->seed, &parallel, &simulated, error);
  *expected = simulated.expected;
  dc_simulated_free(&simulated);
  return status;
}

// The five cells of a distribution, with the paper's cut of the tail.
static dc_status compute(const model_request *request, const char *text, cell *cells,
                         dc_error *error) {
  const dc_distribution_options cut = {.cut = DC_CUT_PAPER};
  dc_distribution distribution;
  dc_status status = dc_distribution_from_text(text, &cut, &distribution, error);
  for (size_t i = 0; i < WIDTHS && status == DC_OK; ++i) {
    status = dc_expected_imbalance(&distribution, lanes[i], &cells[i].expected, error);
    if (status == DC_OK)
      status = dc_aggregate_imbalance(&distribution, lanes[i], &cells[i].aggregate, error);
    if (status == DC_OK)
      status = simulate(request, &distribution, lanes[i], &cells[i].simulated, error);
  }
  dc_distribution_free(&distribution);
  return status;
}

static void print_text(const model_request *request, cell cells[DISTRIBUTIONS][WIDTHS]) {
  printf("Expected imbalance: Swatman et al. 2022, table 1, and ours (%llu groups simulated).\n\n"
         "                    modelled          simulated                measured   aggregate\n"
         "distribution  n    paper   ours     paper   ours   +-          paper      ours\n",
         (unsigned long long)request->simulate);
  for (size_t i = 0; i < DISTRIBUTIONS; ++i)
    for (size_t k = 0; k < WIDTHS; ++k)
      printf("%-12s %2u   %6.3f %6.3f    %6.3f %6.3f %.4f       %6.3f    %6.3f\n", paper[i].name,
             lanes[k], paper[i].modelled[k], cells[i][k].expected, paper[i].simulated[k],
             cells[i][k].simulated.value, cells[i][k].simulated.error, paper[i].measured[k],
             cells[i][k].aggregate);
}

static void print_json(cell cells[DISTRIBUTIONS][WIDTHS]) {
  json_t *rows = json_array();
  for (size_t i = 0; i < DISTRIBUTIONS; ++i)
    for (size_t k = 0; k < WIDTHS; ++k)
      json_array_append_new(
          rows, json_pack("{s:s, s:i, s:{s:f, s:f, s:f}, s:f, s:f, s:{s:f, s:f}}", "law",
                          paper[i].distribution, "lanes", (int)lanes[k], "paper", "modelled",
                          paper[i].modelled[k], "simulated", paper[i].simulated[k], "measured",
                          paper[i].measured[k], "mean", cells[i][k].expected, "aggregate",
                          cells[i][k].aggregate, "simulated", "value", cells[i][k].simulated.value,
                          "error", cells[i][k].simulated.error));
  json_dumpf(rows, stdout, JSON_INDENT(2));
  printf("\n");
  json_decref(rows);
}

dc_status model_print_table1(const model_request *request, dc_error *error) {
  model_request with_default = *request;
  if (with_default.simulate == 0)
    with_default.simulate = MODEL_SIMULATED;
  cell cells[DISTRIBUTIONS][WIDTHS];
  for (size_t i = 0; i < DISTRIBUTIONS; ++i) {
    dc_status status = compute(&with_default, paper[i].distribution, cells[i], error);
    if (status != DC_OK)
      return status;
  }
  if (request->json)
    print_json(cells);
  else
    print_text(&with_default, cells);
  return DC_OK;
}
