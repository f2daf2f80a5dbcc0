// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost model`: its arguments.
#include "model/model.h"
#include "command.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMNS = 92 };

static const char help_begin[] =
    "usage: divcost model DISTRIBUTION [options]\n"
    "       divcost model --counts LIST | --affine B,S,WARPS [-n N] [--json]\n"
    "       divcost model --table1 [--simulate=WARPS] [--seed S] [--json]\n"
    "\n"
    "What a warp loses if the trip counts of its lanes are drawn independently from\n";
static const char help_end[] =
    "where D is such a distribution, too. docs/distributions.md has examples and ranges.\n"
    "\n"
    "  -n, --lanes N       lanes that wait for each other, 1 to 1024 (32)\n"
    "  --per-warp          the components of the mixture are of whole warps\n"
    "  --cost T            cycles of an iteration by active lanes: \"12+0.5*lanes\", or N\n"
    "                      numbers with commas, for 1, 2, ... N active lanes\n"
    "  --block-warps K     blocks of K warps that wait at a barrier\n"
    "  --grid BLOCKS       a grid of so many blocks, on a GPU of:\n"
    "  --slots PxS         P multiprocessors that run S blocks each at once (132x1)\n"
    "  --simulate[=WARPS]  also simulates so many warps (262144), with standard errors\n"
    "  --seed S            of the simulation (1); the same seed gives the same figures\n"
    "  --json              prints JSON and not text; docs/model.md lists its keys\n"
    "  --counts LIST       known trip counts, one for each lane, with commas: \"3,5,8\"\n"
    "  --affine B,S,WARPS  lane i of so many warps runs max(0, B + S * i) times\n"
    "  --table1            prints table 1 of Swatman et al. 2022 beside ours, modelled and "
    "simulated\n"
    "\n"
    "Exit status: 0 done, 1 it can't be computed or written, 2 wrong usage.\n";

// Names and parameters of all distributions, in lines.
static int print_help(void) {
  fputs(help_begin, stdout);
  char usage[80];
  size_t column = 0;
  for (unsigned kind = 0; dc_distribution_usage(kind, usage, sizeof usage); ++kind) {
    size_t length = 2 + strlen(usage);
    bool wraps = column + length > HELP_COLUMNS;
    printf("%s  %s", wraps ? "\n" : "", usage);
    column = wraps ? length : column + length;
  }
  putchar('\n');
  return command_print(help_end);
}

// ---- values ------------------------------------------------------------------------------------

// A whole number in low .. high that ends at `end`; or false.
static bool whole(const char *text, char end, uint64_t low, uint64_t high, uint64_t *result) {
  char *rest;
  errno = 0;
  unsigned long long value = strtoull(text, &rest, 10);
  *result = value;
  return *text >= '0' && *text <= '9' && *rest == end && errno == 0 && value >= low &&
         value <= high;
}

static bool read_number(const char **text, double *result) {
  char *rest;
  *result = strtod(*text, &rest);
  bool good = rest != *text && isfinite(*result);
  *text = rest;
  return good;
}

static const char *skip_blanks(const char *text) { return text + strspn(text, " "); }

// "a", "a+b*lanes", "b*lanes".
static bool read_linear(const char *text, dc_iteration_cost *cost) {
  double value;
  bool more = true;
  *cost = (dc_iteration_cost){0};
  while (more) {
    if (!read_number(&text, &value))
      return false;
    text = skip_blanks(text);
    if (*text == '*') {
      text = skip_blanks(text + 1);
      if (strncmp(text, "lanes", 5) != 0)
        return false;
      text = skip_blanks(text + 5);
      cost->per_lane += value;
    } else {
      cost->base += value;
    }
    more = *text == '+';
    text += more;
  }
  return *text == 0;
}

static bool read_table(const char *text, model_request *request) {
  size_t count = 0;
  for (;; ++text) {
    if (count == DC_LANES_MAX || !read_number(&text, &request->table[count]))
      return false;
    ++count;
    text = skip_blanks(text);
    if (*text != ',')
      break;
  }
  request->cost = (dc_iteration_cost){.table = request->table, .count = count};
  return *text == 0;
}

// ---- options -----------------------------------------------------------------------------------

// What an option does with its value: NULL, or what the value must be.
static const char *set_lanes(const char *value, model_request *request) {
  uint64_t n;
  if (!whole(value, 0, 1, DC_LANES_MAX, &n))
    return "a whole number from 1 to 1024";
  request->lanes = (unsigned)n;
  request->has_lanes = true;
  return NULL;
}

static const char *set_cost(const char *value, model_request *request) {
  request->has_cost = true;
  bool good = strchr(value, ',') ? read_table(value, request) : read_linear(value, &request->cost);
  return good ? NULL : "a+b*lanes, or a list of numbers with commas";
}

static const char *set_block_warps(const char *value, model_request *request) {
  uint64_t n;
  if (!whole(value, 0, 1, DC_LANES_MAX, &n))
    return "a whole number from 1 to 1024";
  request->warps = (unsigned)n;
  return NULL;
}

static const char *set_grid(const char *value, model_request *request) {
  return whole(value, 0, 1, (uint64_t)1 << 31, &request->blocks)
             ? NULL
             : "a whole number from 1 to 2147483648";
}

static const char *set_slots(const char *value, model_request *request) {
  uint64_t p, s;
  const char *x = strchr(value, 'x');
  if (!x || !whole(value, 'x', 1, 65536, &p) || !whole(x + 1, 0, 1, 65536, &s))
    return "PxS, as in 132x4, each from 1 to 65536";
  request->multiprocessors = (unsigned)p;
  request->slots = (unsigned)s;
  request->has_slots = true;
  return NULL;
}

static const char *set_simulate(const char *value, model_request *request) {
  if (!value) {
    request->simulate = MODEL_SIMULATED;
    return NULL;
  }
  return whole(value, 0, 32, (uint64_t)1 << 32, &request->simulate)
             ? NULL
             : "a whole number from 32 to 4294967296";
}

static const char *set_seed(const char *value, model_request *request) {
  request->has_seed = true;
  return whole(value, 0, 0, UINT64_MAX, &request->seed) ? NULL : "a whole number below 2^64";
}

static const char *set_counts(const char *value, model_request *request) {
  request->counts = value;
  return NULL;
}

static const char *set_affine(const char *value, model_request *request) {
  char *rest;
  errno = 0;
  request->base = strtoll(value, &rest, 10);
  bool good = rest != value && *rest == ',';
  if (good) {
    const char *stride = rest + 1;
    request->stride = strtoll(stride, &rest, 10);
    good = rest != stride && *rest == ',' && errno == 0 &&
           whole(rest + 1, 0, 1, (uint64_t)1 << 31, &request->groups);
  }
  return good ? NULL : "base,stride,warps, as in 1024,-1,32";
}

static const char *set_per_warp(const char *value, model_request *request) {
  (void)value;
  request->per_warp = true;
  return NULL;
}

static const char *set_json(const char *value, model_request *request) {
  (void)value;
  request->json = true;
  return NULL;
}

static const char *set_table1(const char *value, model_request *request) {
  (void)value;
  request->table1 = true;
  return NULL;
}

static const char *set_help(const char *value, model_request *request) {
  (void)value;
  request->help = true;
  return NULL;
}

typedef enum takes { NOTHING, MAYBE, A_VALUE } takes; // MAYBE: only behind "="

static const struct option {
  const char *name, *letter;
  takes takes;
  const char *(*set)(const char *value, model_request *request);
} options[] = {
    {"--lanes", "-n", A_VALUE, set_lanes},     {"--per-warp", NULL, NOTHING, set_per_warp},
    {"--cost", NULL, A_VALUE, set_cost},       {"--block-warps", NULL, A_VALUE, set_block_warps},
    {"--grid", NULL, A_VALUE, set_grid},       {"--slots", NULL, A_VALUE, set_slots},
    {"--simulate", NULL, MAYBE, set_simulate}, {"--seed", NULL, A_VALUE, set_seed},
    {"--counts", NULL, A_VALUE, set_counts},   {"--affine", NULL, A_VALUE, set_affine},
    {"--json", NULL, NOTHING, set_json},       {"--table1", NULL, NOTHING, set_table1},
    {"--help", NULL, NOTHING, set_help},
};

static const struct option *find_option(const char *argument, const char **value) {
  *value = NULL;
  for (size_t i = 0; i < sizeof options / sizeof *options; ++i) {
    const struct option *o = &options[i];
    size_t length = strlen(o->name);
    if (o->letter && strcmp(argument, o->letter) == 0)
      return o;
    if (strncmp(argument, o->name, length) != 0 || (argument[length] && argument[length] != '='))
      continue;
    if (argument[length] == '=')
      *value = argument + length + 1;
    return o;
  }
  return NULL;
}

static int wrong_value(const struct option *option, const char *value, const char *wanted) {
  char text[200];
  snprintf(text, sizeof text, "%s is '%.60s', but must be %s", option->name, value, wanted);
  return command_misuse(text, "");
}

// What is asked of something that isn't a distribution.
static int check_without_distribution(const model_request *request) {
  bool for_distributions = request->has_cost || request->warps || request->blocks ||
                           request->per_warp || request->has_slots ||
                           ((request->simulate || request->has_seed) && !request->table1);
  if (for_distributions)
    return command_misuse("--counts, --affine and --table1 take no options of distributions", "");
  if (request->table1 && request->has_lanes)
    return command_misuse("--table1 takes no --lanes: its rows are for 2, 4, 8, 16 and 32 lanes",
                          "");
  return 0;
}

// An option that another one makes meaningless is refused: it must not be taken for heeded.
static int check_together(const model_request *request) {
  int subjects = (request->distribution != NULL) + (request->counts != NULL) +
                 (request->groups > 0) + request->table1;
  if (subjects > 1)
    return command_misuse("model takes one of a distribution, --counts, --affine, --table1", "");
  if (subjects == 1 && !request->distribution)
    return check_without_distribution(request);
  if (!request->distribution)
    return command_misuse("model needs a distribution, as in divcost model \"geometric(0.05)\"",
                          "");
  if (request->per_warp && (request->warps || request->blocks) && !request->simulate)
    return command_misuse("blocks and grids of --per-warp have no formula: add --simulate", "");
  if (request->has_slots && !request->blocks)
    return command_misuse("--slots are those of a grid: add --grid", "");
  if (request->has_seed && !request->simulate)
    return command_misuse("--seed is of the simulation: add --simulate", "");
  return 0;
}

static int read_arguments(int count, char **arguments, model_request *request) {
  for (int k = 0; k < count; ++k) {
    if (arguments[k][0] != '-') {
      if (request->distribution)
        return command_misuse("model takes one distribution; put quotes around it. Too much:",
                              arguments[k]);
      request->distribution = arguments[k];
      continue;
    }
    const char *value;
    const struct option *option = find_option(arguments[k], &value);
    if (!option || (value && option->takes == NOTHING))
      return command_unknown_option(arguments[k]);
    if (!value && option->takes == A_VALUE && ++k == count)
      return command_misuse("a value is missing behind", arguments[k - 1]);
    if (!value && option->takes == A_VALUE)
      value = arguments[k];
    const char *wanted = option->set(value, request);
    if (wanted)
      return wrong_value(option, value, wanted);
  }
  return request->help ? 0 : check_together(request);
}

// ---- running -----------------------------------------------------------------------------------

// A distribution that can't be read is shown with the place; anything that the arguments caused is
// usage.
static int failed(const model_request *request, const dc_error *error) {
  if (error->status == DC_ERROR_SYNTAX) {
    fprintf(stderr, "divcost: %s\n  %s\n  %*s^\n", error->text, request->distribution,
            (int)error->offset, "");
    return USAGE;
  }
  command_fail(NULL, error->text);
  return error->status == DC_ERROR_ARGUMENT || error->status == DC_ERROR_LIMIT ? USAGE : FAILURE;
}

int command_model(int count, char **arguments) {
  model_request request = {.lanes = 32, .multiprocessors = 132, .slots = 1, .seed = 1};
  int result = read_arguments(count, arguments, &request);
  if (result != 0)
    return result;
  if (request.help)
    return print_help();
  if (request.counts || request.groups)
    return model_answer_counts(&request);
  dc_error error;
  if (request.table1) {
    if (model_print_table1(&request, &error) != DC_OK)
      return failed(&request, &error);
    return 0;
  }
  model_figures figures;
  if (model_compute(&request, &figures, &error) != DC_OK)
    return failed(&request, &error);
  if (request.json)
    model_print_json(&request, &figures);
  else
    model_print_text(&request, &figures);
  model_free(&figures);
  return 0;
}
