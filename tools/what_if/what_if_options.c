// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of `divcost what-if`.
#define _POSIX_C_SOURCE 200809L // strndup

#include "what_if/what_if.h"

#include "command.h"
#include "divcost/files.h"
#include "divcost/histogram.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void what_if_free(what_if_request *request) {
  for (unsigned k = 0; k < request->n_owned; ++k)
    free(request->owned[k]);
  request->n_owned = 0;
}

static char *keep(what_if_request *request, char *text) {
  if (text)
    request->owned[request->n_owned++] = text;
  return text;
}

static int bad(const char *option, const char *value, const char *why) {
  char what[400];
  snprintf(what, sizeof what, "%s %s: %s", option, value, why);
  return command_misuse(what, "");
}

// ---- single options ----------------------------------------------------------------------------

static int read_block(const char *value, what_if_request *request) {
  uint32_t *block = request->change.block;
  const char *at = value;
  block[1] = block[2] = 1;
  for (unsigned d = 0; d < 3; ++d) {
    char *end;
    unsigned long extent = strtoul(at, &end, 10);
    if (*at < '0' || *at > '9' || extent < 1 || extent > 1024)
      break;
    block[d] = (uint32_t)extent;
    if (!*end)
      return 0;
    if (*end != ',' && *end != 'x')
      break;
    at = end + 1;
  }
  return bad("--block", value, "must be X, X,Y or X,Y,Z, from 1 to 1024 each");
}

static int read_param(const char *value, what_if_request *request) {
  const char *equals = strchr(value, '=');
  if (!equals || equals == value || !equals[1])
    return bad("--param", value, "must be NAME=VALUE, such as n=1000");
  char *end;
  errno = 0;
  long long number = strtoll(equals + 1, &end, 10);
  if (*end || errno)
    return bad("--param", value, "the value must be a whole number of 64 bits");
  if (request->change.n_params == WHAT_IF_MOST)
    return bad("--param", value, "is one too many, 64 are possible");
  char *name = keep(request, strndup(value, (size_t)(equals - value)));
  if (!name)
    return command_fail(NULL, "out of memory");
  request->params[request->change.n_params++] = (dc_what_if_param){.name = name, .value = number};
  return 0;
}

static int read_arch(const char *value, what_if_request *request) {
  dc_error error;
  if (dc_arch_load(value, &request->arch, &error) != DC_OK)
    return error.status == DC_ERROR_ARGUMENT ? bad("--arch", value, error.text)
                                             : command_fail(value, error.text);
  request->change.arch = &request->arch;
  return 0;
}

static int read_granularity(const char *value, what_if_request *request) {
  char *end;
  unsigned long lanes = strtoul(value, &end, 10);
  if (*value < '0' || *value > '9' || *end || lanes < 1 || lanes > 32 || (lanes & (lanes - 1)))
    return bad("--granularity", value, "must be 1, 2, 4, 8, 16 or 32 lanes for an item");
  request->change.lanes_per_item = (unsigned)lanes;
  return 0;
}

// "spmv.cu:12" or "0123456789abcdef", as far as `length`.
static int read_where(const char *value, size_t length, what_if_request *request,
                      dc_what_if_trips *trips) {
  char *where = keep(request, strndup(value, length));
  if (!where)
    return command_fail(NULL, "out of memory");
  char *colon = strrchr(where, ':'), *end;
  if (!colon && length == 16 && strspn(where, "0123456789abcdef") == 16) {
    trips->id = strtoull(where, NULL, 16);
    return 0;
  }
  unsigned long line = colon ? strtoul(colon + 1, &end, 10) : 0;
  if (!colon || colon == where || colon[1] < '0' || colon[1] > '9' || *end || line < 1 ||
      line > UINT32_MAX)
    return bad("--trips", value,
               "must be FILE:LINE=DISTRIBUTION or ID=DISTRIBUTION, such as "
               "spmv.cu:12=zipf(2,1000); ID has 16 "
               "hexadecimal digits");
  *colon = 0;
  trips->file = where;
  trips->line = (uint32_t)line;
  return 0;
}

static int read_trips(const char *value, what_if_request *request) {
  const char *equals = strchr(value, '=');
  dc_what_if_trips *trips = &request->trips[request->change.n_trips];
  if (request->change.n_trips == WHAT_IF_MOST)
    return bad("--trips", value, "is one too many, 64 are possible");
  *trips = (dc_what_if_trips){.distribution = ""};
  int status = read_where(value, equals ? (size_t)(equals - value) : strlen(value), request, trips);
  if (status != 0)
    return status;
  dc_error error;
  char *distribution = NULL;
  if (!equals ||
      dc_trips_text(equals + 1, NULL, &distribution, &trips->correlation, &error) != DC_OK)
    return bad("--trips", value, equals ? error.text : "has no '=' with a distribution behind it");
  trips->distribution = keep(request, distribution);
  request->trips_written[request->change.n_trips++] = value;
  return 0;
}

// ---- all of them -------------------------------------------------------------------------------

typedef struct option {
  const char *name;
  int (*read)(const char *value, what_if_request *request);
} option;

static const option options[] = {
    {"--block", read_block},
    {"--param", read_param},
    {"--arch", read_arch},
    {"--trips", read_trips},
    {"--granularity", read_granularity},
};

// Takes arguments[*at] and, unless it is "--name=value", the one behind it.
static int read_option(int count, char **arguments, int *at, what_if_request *request) {
  const char *argument = arguments[*at];
  for (unsigned k = 0; k < sizeof options / sizeof *options; ++k) {
    size_t size = strlen(options[k].name);
    if (strncmp(argument, options[k].name, size) != 0)
      continue;
    if (argument[size] == '=')
      return options[k].read(argument + size + 1, request);
    if (!argument[size] && *at + 1 < count)
      return options[k].read(arguments[++*at], request);
    if (!argument[size])
      return command_misuse("a value is missing after", argument);
  }
  return command_unknown_option(argument);
}

static int check(const what_if_request *request, int reports) {
  const dc_what_if *change = &request->change;
  dc_error error;
  if (reports == 0)
    return command_misuse("what-if needs a report", "");
  if (!change->block[0] && !change->n_params && !change->n_trips && !change->arch &&
      !change->lanes_per_item)
    return command_misuse("what-if needs a question: --block, --param, --trips, --arch or "
                          "--granularity",
                          "");
  if (request->json && change->lanes_per_item > 1)
    return command_misuse("--granularity has no --json: the figures of a report follow from its "
                          "skeletons, which know nothing of items",
                          "");
  return dc_what_if_check(change, &error) == DC_OK ? 0 : command_misuse(error.text, "");
}

int what_if_read(int *count, char **arguments, what_if_request *request) {
  int kept = 0;
  request->change.params = request->params;
  request->change.trips = request->trips;
  for (int k = 0; k < *count; ++k) {
    int status = 0;
    if (strcmp(arguments[k], "--help") == 0)
      request->help = true;
    else if (strcmp(arguments[k], "--json") == 0)
      request->json = true;
    else if (arguments[k][0] == '-')
      status = read_option(*count, arguments, &k, request);
    else
      arguments[kept++] = arguments[k];
    if (status != 0)
      return status;
  }
  *count = kept;
  return request->help ? 0 : check(request, kept);
}
