// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost model --counts` and `--affine`: trip counts that are known, and no distribution.
#include "command.h"
#include "model/model.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

// The numbers of "3,5,8", in memory to be freed; NULL if it isn't such a list, or for want of
// memory.
static int64_t *read_counts(const char *text, size_t *count) {
  size_t commas = 0;
  for (const char *c = text; *c; ++c)
    commas += *c == ',';
  int64_t *counts = malloc((commas + 1) * sizeof *counts);
  for (size_t i = 0; counts && i <= commas; ++i) {
    char *rest;
    errno = 0;
    counts[i] = strtoll(text, &rest, 10);
    if (rest == text || errno != 0 || *rest != (i < commas ? ',' : 0)) {
      free(counts);
      return NULL;
    }
    text = rest + 1;
  }
  *count = commas + 1;
  return counts;
}

static int ascending(const void *left, const void *right) {
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

static void print(const model_request *request, const dc_loss *loss, const dc_loss *sorted) {
  if (!request->json) {
    printf("lanes %u\naggregate %.6g  total slots over total work: what a kernel loses\n"
           "SIMT efficiency %.2f%%  1 / aggregate\n"
           "expected %.6g  mean over warps, short and long ones alike\n",
           request->lanes, loss->aggregate, 100 * loss->efficiency, loss->expected);
    if (sorted)
      printf("what if the counts were sorted over all lanes: aggregate %.6g, efficiency %.2f%%\n",
             sorted->aggregate, 100 * sorted->efficiency);
    return;
  }
  json_t *root =
      json_pack("{s:i, s:f, s:f, s:f}", "lanes", (int)request->lanes, "mean", loss->expected,
                "aggregate", loss->aggregate, "efficiency", loss->efficiency);
  if (sorted)
    json_object_set_new(root, "what_if",
                        json_pack("[{s:s, s:f, s:f, s:f}]", "change", "sorted", "aggregate",
                                  sorted->aggregate, "efficiency", sorted->efficiency, "expected",
                                  sorted->expected));
  json_dumpf(root, stdout, JSON_INDENT(2));
  printf("\n");
  json_decref(root);
}

static int answer_counts(const model_request *request) {
  size_t count;
  int64_t *counts = read_counts(request->counts, &count);
  if (!counts) {
    char text[200];
    snprintf(text, sizeof text,
             "--counts is '%.60s', but must be whole numbers with commas, as in 3,5,8",
             request->counts);
    return command_misuse(text, "");
  }
  dc_loss loss, sorted;
  dc_error error;
  dc_status status = dc_listed_loss(counts, count, request->lanes, &loss, &error);
  qsort(counts, count, sizeof *counts, ascending);
  if (status == DC_OK)
    status = dc_listed_loss(counts, count, request->lanes, &sorted, &error);
  free(counts);
  if (status != DC_OK) {
    command_fail(NULL, error.text);
    return USAGE;
  }
  print(request, &loss, &sorted);
  return 0;
}

static int answer_affine(const model_request *request) {
  dc_loss loss;
  dc_error error;
  if (dc_affine_loss(request->base, request->stride, request->lanes, request->groups, &loss,
                     &error) != DC_OK) {
    command_fail(NULL, error.text);
    return USAGE;
  }
  print(request, &loss, NULL);
  return 0;
}

int model_answer_counts(const model_request *request) {
  return request->counts ? answer_counts(request) : answer_affine(request);
}
