// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost what-if`: the kernels of reports, changed and estimated again; before and after side by
// side, or the changed report as JSON.
#include "what_if/what_if.h"

#include "divcost/report.h"
#include "divcost/words.h"

#include "command.h"
#include "compare/compare.h"
#include "report/merge_inputs.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: divcost what-if [OPTION ...] REPORT [REPORT ...]\n"
    "\n"
    "Answers from reports alone, as divcost report takes them, what their kernels would cost:\n"
    "  --block X[,Y[,Z]]   with blocks of these dimensions; grids that are known cover as many "
    "threads\n"
    "  --param NAME=VALUE  with this value of a kernel's parameter\n"
    "  --arch NAME         on this architecture: sm_NN, or an architecture file\n"
    "  --trips FILE:LINE=DISTRIBUTION, --trips ID=DISTRIBUTION\n"
    "                      if the trip counts of the loops at this line, or of this id, follow a\n"
    "                      distribution: zipf(2,1000), poisson(30), histogram(\"rows.txt\") ...\n"
    "                      (docs/distributions.md), all lanes independent, or behind a comma\n"
    "                      per_warp_correlated(R)\n"
    "  --granularity N     if N lanes share each item of work: 2, 4, 8, 16 or 32\n"
    "They can be combined, and --param and --trips given several times. Prints the kernels and\n"
    "loops that change, before and after.\n"
    "\n"
    "  --json              prints the changed report as JSON (not with --granularity)\n"
    "  --help              prints this\n"
    "\n"
    "Exit status: 0 done, 1 a report can't be read, or has no such loop, or no such parameter that "
    "a\n"
    "trip count, condition or address depends on, 2 wrong usage.\n";

// The kernels afterwards, in the order of those before.
typedef struct changed {
  const dc_kernels *before;
  spool spool;
  int64_t *offsets;
  dc_unit_kernel current;
} changed;

static dc_status get_changed(void *context, uint32_t index, const dc_unit_kernel **kernel,
                             dc_error *error) {
  changed *all = context;
  dc_unit_kernel_free(&all->current);
  *kernel = &all->current;
  return spool_get(&all->spool, all->offsets[index], &all->current, error);
}

static dc_status change_all(changed *all, report_stream *stream, what_if_request *request,
                            dc_error *error) {
  dc_status status = spool_begin(&all->spool, error);
  all->offsets = malloc(((size_t)all->before->n_kernels + 1) * sizeof *all->offsets);
  if (status == DC_OK && !all->offsets)
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory for the kernels");
  for (uint32_t k = 0; status == DC_OK && k < all->before->n_kernels; ++k) {
    dc_unit_kernel kernel;
    status = report_stream_copy(stream, k, &kernel, error);
    if (status != DC_OK)
      break;
    status = dc_what_if_kernel(&kernel, &request->change, error);
    if (status == DC_OK)
      status = spool_put(&all->spool, &kernel, &all->offsets[k], error);
    dc_unit_kernel_free(&kernel);
  }
  return status;
}

static void changed_end(changed *all) {
  spool_end(&all->spool);
  dc_unit_kernel_free(&all->current);
  free(all->offsets);
}

// ---- what was meant ----------------------------------------------------------------------------

// Of all kernels' loops the nearest, in words.
static dc_status nearest_text(const dc_kernels *kernels, const dc_what_if_trips *trips, char *text,
                              size_t size, dc_error *error) {
  uint64_t least = UINT64_MAX;
  snprintf(text, size, "no loop has a source location");
  for (uint32_t k = 0; k < kernels->n_kernels; ++k) {
    const dc_unit_kernel *of;
    uint64_t distance;
    dc_status status = kernels->get(kernels->context, k, &of, error);
    if (status != DC_OK)
      return status;
    uint32_t loop = dc_what_if_nearest(&of->kernel, trips, &distance);
    if (loop == DC_NONE || distance >= least)
      continue;
    const dc_loop *nearest = &of->kernel.loops[loop];
    char at[600];
    least = distance;
    compare_place(&of->kernel, nearest->location, at, sizeof at);
    snprintf(text, size, "the nearest is at %s, id %016llx", at, (unsigned long long)nearest->id);
  }
  return DC_OK;
}

static int check_param(const dc_what_if_param *param) {
  char text[200];
  snprintf(text, sizeof text, "--param %.100s", param->name);
  if (!param->met)
    return command_fail(text, "no kernel has a parameter of this name");
  if (!param->used && param->is_pointer)
    return command_fail(text, "is the address of an array, and takes no number");
  if (!param->used)
    return command_fail(text, "no trip count, condition or address depends on this parameter");
  return 0;
}

static int check_met(const dc_kernels *kernels, const what_if_request *request) {
  for (size_t k = 0; k < request->change.n_params; ++k)
    if (check_param(&request->params[k]) != 0)
      return FAILURE;
  for (size_t k = 0; k < request->change.n_trips; ++k)
    if (!request->trips[k].met) {
      dc_error error;
      char where[300], text[800], nearest[700];
      if (nearest_text(kernels, &request->trips[k], nearest, sizeof nearest, &error) != DC_OK)
        return command_fail(NULL, error.text);
      snprintf(where, sizeof where, "--trips %.250s", request->trips_written[k]);
      snprintf(text, sizeof text, "no loop is there; %s", nearest);
      return command_fail(where, text);
    }
  return 0;
}

// ---- printing ----------------------------------------------------------------------------------

static void print_question(const what_if_request *request) {
  const dc_what_if *change = &request->change;
  const char *comma = "";
  fputs("what if: ", stdout);
  if (change->block[0]) {
    printf("blocks of %ux%ux%u", change->block[0], change->block[1], change->block[2]);
    comma = ", ";
  }
  for (size_t k = 0; k < change->n_params; ++k, comma = ", ")
    printf("%s%s = %lld", comma, change->params[k].name, (long long)change->params[k].value);
  for (size_t k = 0; k < change->n_trips; ++k, comma = ", ")
    printf("%s%s", comma, request->trips_written[k]);
  if (change->arch) {
    printf("%ssm_%u", comma, change->arch->sm);
    comma = ", ";
  }
  if (change->lanes_per_item > 1)
    printf("%s%u lanes for each item (cycles are for the work of 32 items; adding up the lanes' "
           "parts isn't in them)",
           comma, change->lanes_per_item);
  putchar('\n');
}

static void print_order(const dc_estimate *then) {
  char words[100];
  if (then && dc_time_longest_words(&then->time, words, sizeof words))
    printf("  longest items first   %s\n", words);
}

// Prints a kernel that changes; *same counts those that don't.
static dc_status print_kernel(const dc_kernels *before, const dc_kernels *after, uint32_t index,
                              const compare_words *words, uint32_t *same, dc_error *error) {
  const dc_unit_kernel *x, *y;
  comparison of;
  dc_status status = before->get(before->context, index, &x, error);
  if (status == DC_OK)
    status = after->get(after->context, index, &y, error);
  if (status != DC_OK)
    return status;
  if (!compare_kernels(x, y, &of))
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a comparison");
  if (of.state == COMPARE_SAME) {
    ++*same;
  } else {
    compare_print(&of, words, stdout);
    print_order(of.estimates[1]);
  }
  comparison_free(&of);
  return DC_OK;
}

static dc_status print_kernels(const dc_kernels *before, const dc_kernels *after,
                               const compare_words *words, uint32_t *same, dc_error *error) {
  uint32_t *order = malloc(((size_t)before->n_kernels + 1) * sizeof *order);
  if (!order)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the kernels");
  dc_status status = dc_worst_first(before, order, error);
  for (uint32_t k = 0; status == DC_OK && k < before->n_kernels; ++k)
    status = print_kernel(before, after, order[k], words, same, error);
  free(order);
  return status;
}

static int print_text(const dc_kernels *before, const dc_kernels *after,
                      const what_if_request *request) {
  const compare_words words = {"as it is", "then",
                               request->change.lanes_per_item > 1 ? "issue cycles/32" : NULL};
  uint32_t same = 0;
  dc_error error;
  print_question(request);
  if (print_kernels(before, after, &words, &same, &error) != DC_OK)
    return command_fail(NULL, error.text);
  if (same)
    printf("\n%u kernel%s as %s\n", same, same == 1 ? " stays" : "s stay",
           same == 1 ? "it is" : "they are");
  return 0;
}

static int answer(report_stream *stream, const dc_kernels *before, what_if_request *request) {
  changed all = {.before = before};
  dc_error error;
  int status = 0;
  if (change_all(&all, stream, request, &error) != DC_OK)
    status = command_fail(NULL, error.text);
  if (status == 0)
    status = check_met(before, request);
  dc_kernels after = *before;
  after.get = get_changed;
  after.context = &all;
  if (request->change.arch) {
    after.archs = &request->arch.sm;
    after.n_archs = 1;
  }
  if (status == 0 && !request->json)
    status = print_text(before, &after, request);
  else if (status == 0 && dc_format_json.write(&after, NULL, stdout, &error) != DC_OK &&
           !command_output_failed())
    status = command_fail(NULL, error.text);
  changed_end(&all);
  return status;
}

int command_what_if(int count, char **arguments) {
  static what_if_request request;
  int status = what_if_read(&count, arguments, &request);
  if (status == 0 && request.help)
    status = command_print(help);
  else if (status == 0) {
    report_stream stream;
    dc_kernels kernels;
    status = report_merge_inputs(count, arguments, &stream, &kernels);
    if (status == 0)
      status = answer(&stream, &kernels, &request);
    report_stream_end(&stream);
  }
  what_if_free(&request);
  return status;
}
