// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost emulate`: warps of a kernel (from the report that the plugin wrote) or of an assembly
// through the emulator.
#include "emulate/emulate.h"

#include "divcost/files.h"
#include "divcost/input.h"
#include "divcost/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: divcost emulate FILE [--arch NAME] [OPTION ...]\n"
    "\n"
    "Executes warps of a kernel under the reconvergence rules of an architecture, and counts what\n"
    "the hardware would do. FILE is a report (*.json), as the compiler writes it with\n"
    "-fplugin-arg-divcost-report=FILE.json, or an assembly (see docs/emulator.md).\n"
    "\n"
    "  --arch NAME      sm_NN, fermi, kepler, maxwell, hopper, or a file of divcost\n"
    "                   calibrate; default: sm_90\n"
    "  --rules RULES    stack, barriers or none (predication), against the architecture's own\n"
    "  --reload POLICY  lazy or eager: when spilled tokens come back to the chip\n"
    "what is printed:\n"
    "  (default)        figures, a table of instructions or blocks, the depth of one warp\n"
    "  --json           the figures and the table as JSON\n"
    "  --trace          a line for each step: its number, pc, active lanes, instruction, stack\n"
    "  --csv, --svg     how deep the stack is, step by step\n"
    "of a report:\n"
    "  --kernel TEXT    the kernel whose name contains TEXT; needed if there are several\n"
    "  --block X[,Y[,Z]] its dimensions; default: the kernel's first launch\n"
    "  --grid X[,Y[,Z]]  likewise\n"
    "  --warp N         this warp of the block; default: all, added up (for --trace, --csv and\n"
    "                   --svg: 0)\n"
    "  --assume DISTRIBUTION\n"
    "                   of trip counts of loops of which nothing is known; default: the narrower "
    "one\n"
    "                   that reports assume, poisson(64)\n"
    "  --seed N         for what is drawn: trip counts with a distribution, unknown conditions\n"
    "of an assembly:\n"
    "  --lanes N        1 to 64; default: 32\n"
    "of both:\n"
    "  --param NAME=N   value of a parameter; of a report's kernel others that are not known are\n"
    "                   assumed to be 65536\n"
    "  --steps N        stop after so many; default: 1000000000\n"
    "Exit status: 0 done, 1 a file can't be read or understood or emulated, 2 wrong usage.\n";

enum { PARAMS_MAX = 64, WARPS_MAX = 1024 / 32 };

typedef enum output { OUTPUT_TEXT, OUTPUT_JSON, OUTPUT_TRACE, OUTPUT_CSV, OUTPUT_SVG } output;

typedef struct command {
  const char *file, *arch, *rules, *reload, *kernel, *assume;
  const char *params[PARAMS_MAX]; // NAME=VALUE
  unsigned n_params;
  uint32_t block[3], grid[3];
  int64_t warp;
  uint64_t seed, steps;
  unsigned lanes;
  output output;
} command;

// ---- arguments ----------------------------------------------------------------------------------

static bool read_number(const char *text, uint64_t most, uint64_t *value) {
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end && errno == 0 && *value <= most;
}

static bool read_dims(const char *text, uint32_t dims[3]) {
  dims[0] = dims[1] = dims[2] = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    char *end;
    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || errno != 0 || value < 1 || value > 0x7fffffff)
      return false;
    dims[axis] = (uint32_t)value;
    if (!*end)
      return true;
    if (*end != ',')
      return false;
    text = end + 1;
  }
  return false;
}

static bool take_value(command *c, const char *option, const char *value) {
  uint64_t number = 0;
  if (strcmp(option, "--arch") == 0)
    c->arch = value;
  else if (strcmp(option, "--rules") == 0)
    c->rules = value;
  else if (strcmp(option, "--reload") == 0)
    c->reload = value;
  else if (strcmp(option, "--kernel") == 0)
    c->kernel = value;
  else if (strcmp(option, "--assume") == 0)
    c->assume = value;
  else if (strcmp(option, "--param") == 0 && strchr(value, '=') && c->n_params < PARAMS_MAX)
    c->params[c->n_params++] = value;
  else if (strcmp(option, "--block") == 0)
    return read_dims(value, c->block) && (uint64_t)c->block[0] * c->block[1] * c->block[2] <= 1024;
  else if (strcmp(option, "--grid") == 0)
    return read_dims(value, c->grid);
  else if (strcmp(option, "--warp") == 0 && read_number(value, WARPS_MAX - 1, &number))
    c->warp = (int64_t)number;
  else if (strcmp(option, "--seed") == 0 && read_number(value, UINT64_MAX, &number))
    c->seed = number;
  else if (strcmp(option, "--steps") == 0 && read_number(value, UINT64_MAX, &number) && number)
    c->steps = number;
  else if (strcmp(option, "--lanes") == 0 && read_number(value, DC_EMULATOR_LANES_MAX, &number) &&
           number)
    c->lanes = (unsigned)number;
  else
    return false;
  return true;
}

static const char *const valued[] = {"--arch",   "--rules", "--reload", "--kernel",
                                     "--assume", "--param", "--block",  "--grid",
                                     "--warp",   "--seed",  "--steps",  "--lanes"};

static bool takes_value(const char *option) {
  for (size_t k = 0; k < sizeof valued / sizeof *valued; ++k)
    if (strcmp(option, valued[k]) == 0)
      return true;
  return false;
}

static const char *const outputs[] = {"", "--json", "--trace", "--csv", "--svg"};

// OUTPUT_TEXT: it is another option.
static output find_output(const char *argument) {
  for (int j = OUTPUT_JSON; j <= OUTPUT_SVG; ++j)
    if (strcmp(argument, outputs[j]) == 0)
      return (output)j;
  return OUTPUT_TEXT;
}

static int read_arguments(int count, char **arguments, command *c) {
  for (int k = 0; k < count; ++k) {
    const char *argument = arguments[k];
    output asked = find_output(argument);
    if (asked != OUTPUT_TEXT) {
      if (c->output != OUTPUT_TEXT && c->output != asked)
        return command_exclusive(outputs[c->output], argument);
      c->output = asked;
      continue;
    }
    if (takes_value(argument)) {
      if (k + 1 == count)
        return command_misuse("a value is missing after", argument);
      if (!take_value(c, argument, arguments[++k])) {
        char both[200];
        snprintf(both, sizeof both, "%s %.150s", argument, arguments[k]);
        return command_misuse("can't make sense of", both);
      }
    } else if (argument[0] == '-') {
      return command_unknown_option(argument);
    } else if (c->file) {
      return command_misuse("one file at a time, not also", argument);
    } else {
      c->file = argument;
    }
  }
  return c->file ? 0 : command_misuse("emulate needs a file", "");
}

static int find_arch(const command *c, dc_arch *arch) {
  dc_error error;
  if (dc_arch_load(c->arch, arch, &error) != DC_OK)
    return command_fail(c->arch, error.text);
  if (c->rules) {
    int rules = dc_rules_parse(c->rules);
    if (rules < 0)
      return command_misuse("--rules must be stack, barriers or none, not", c->rules);
    arch->rules = (dc_rules)rules;
  }
  if (c->reload) {
    int reload = dc_reload_parse(c->reload);
    if (reload < 0)
      return command_misuse("--reload must be lazy or eager, not", c->reload);
    if (arch->rules != DC_RULES_STACK)
      return command_misuse("--reload is for the rules stack, but these are",
                            dc_rules_name(arch->rules));
    arch->reload = (dc_reload)reload;
  }
  return 0;
}

// Splits NAME=VALUE; false: the value is no number.
static bool split(const char *param, char *name, size_t size, int64_t *value) {
  const char *equals = strchr(param, '=');
  char *end;
  errno = 0;
  *value = strtoll(equals + 1, &end, 0);
  snprintf(name, size, "%.*s", (int)(equals - param), param);
  return equals[1] && !*end && errno == 0;
}

// Options that a file of this kind doesn't have.
static int check_kind(const command *c, bool report) {
  if (report && c->lanes)
    return command_misuse("a report's warps have 32 lanes; --lanes is for an assembly, not",
                          c->file);
  if (!report && (c->kernel || c->assume || c->block[0] || c->grid[0] || c->warp >= 0 || c->seed))
    return command_misuse("--kernel, --block, --grid, --warp, --assume and --seed are for reports "
                          "(*.json), not",
                          c->file);
  return 0;
}

// ---- running ------------------------------------------------------------------------------------

typedef struct tracer {
  const dc_program *program;
  unsigned lanes;
} tracer;

static void print_step(void *context, const dc_step *step) {
  const tracer *t = context;
  char text[4096];
  dc_step_print(t->program, step, t->lanes, text, sizeof text);
  puts(text);
}

static void add_warp(emulation *run, const dc_emulator *emulator) {
  dc_emulation *t = &run->total, r = dc_emulator_result(emulator);
  t->pushes += r.pushes;
  t->pops += r.pops;
  t->spills += r.spills;
  t->reloads += r.reloads;
  t->max_depth = r.max_depth > t->max_depth ? r.max_depth : t->max_depth;
  t->divergent_branches += r.divergent_branches;
  t->divergent_exits += r.divergent_exits;
  t->waits += r.waits;
  t->instructions += r.instructions;
  t->lane_instructions += r.lane_instructions;
  t->steps += r.steps;
  t->issue += r.issue;
  t->reconvergence += r.reconvergence;
  t->cycles += r.cycles;
  t->uses_assumed |= r.uses_assumed;
  double full = run->options.lanes > 32 ? 64 : 32;
  t->efficiency =
      t->instructions ? (double)t->lane_instructions / ((double)t->instructions * full) : 0;
  for (uint32_t pc = 0; pc < run->program.length; ++pc) {
    dc_emulated at = dc_emulator_at(emulator, pc);
    run->at[pc].executions += at.executions;
    run->at[pc].lane_executions += at.lane_executions;
    run->at[pc].divergent += at.divergent;
  }
  run->words = dc_emulator_words(emulator);
}

// Prepares the next warp's run.
static dc_status begin_warp(emulation *run, dc_error *error) {
  if (run->emulator)
    return dc_emulator_restart(run->emulator, &run->options, error);
  return dc_emulator_create(&run->program, &run->arch, &run->options, &run->emulator, error);
}

static int run_warps(const command *c, emulation *run) {
  dc_error error;
  uint64_t threads =
      (uint64_t)run->options.block[0] * run->options.block[1] * run->options.block[2];
  for (uint32_t warp = run->first_warp; warp < run->first_warp + run->n_warps; ++warp) {
    if (run->program.kernel) {
      run->options.warp = warp;
      run->options.first_lane = 32 * warp;
      run->options.lanes = threads - 32 * warp < 32 ? (unsigned)(threads - 32 * warp) : 32;
    }
    if (begin_warp(run, &error) != DC_OK || dc_emulator_run(run->emulator, &error) != DC_OK)
      return command_fail(c->file, error.text);
    add_warp(run, run->emulator);
  }
  return 0;
}

static int print_output(const command *c, const emulation *run, const dc_depth_history *history) {
  switch (c->output) {
  case OUTPUT_TEXT:
    emulate_write_text(run, history, stdout);
    break;
  case OUTPUT_JSON:
    if (!emulate_write_json(run, stdout) && !command_output_failed())
      return command_fail(c->file, "out of memory for the report");
    break;
  case OUTPUT_TRACE: // written while it ran
  case OUTPUT_CSV:
    break;
  case OUTPUT_SVG:
    depth_write_svg(history, run, stdout);
    break;
  }
  return 0;
}

static int run_and_print(const command *c, emulation *run) {
  dc_depth_history history = {.every = 1};
  tracer t = {&run->program, run->options.lanes};
  if (c->output == OUTPUT_TRACE) {
    run->options.trace = print_step;
    run->options.context = &t;
  } else if (c->output == OUTPUT_CSV) {
    depth_write_csv_head(stdout);
    run->options.trace = depth_write_csv;
    run->options.context = stdout;
  } else if (run->n_warps == 1 && c->output != OUTPUT_JSON) {
    run->options.trace = dc_depth_record;
    run->options.context = &history;
  }
  run->at = calloc(run->program.length, sizeof *run->at);
  int result =
      run->at ? run_warps(c, run) : command_fail(c->file, "out of memory for the emulator");
  run->options.trace = NULL; // what it writes to ends here
  run->options.context = NULL;
  if (result == 0)
    result = print_output(c, run, &history);
  free(run->at);
  dc_emulator_free(run->emulator);
  return result;
}

// ---- reports ------------------------------------------------------------------------------------

static int find_kernel(const command *c, dc_unit *unit, dc_kernel **kernel) {
  uint32_t found = 0;
  for (uint32_t k = 0; k < unit->n_kernels; ++k) {
    dc_kernel *here = &unit->kernels[k].kernel;
    if (!c->kernel || strstr(dc_kernel_text(here, here->name), c->kernel) ||
        strcmp(dc_kernel_text(here, here->symbol), c->kernel) == 0) {
      *kernel = here;
      ++found;
    }
  }
  if (found == 1)
    return 0;
  fprintf(stderr, "divcost: %s: %s; its kernels are\n", c->file,
          found ? "--kernel must name one kernel" : "no such kernel");
  for (uint32_t k = 0; k < unit->n_kernels; ++k)
    fprintf(stderr, "  %s\n",
            dc_kernel_text(&unit->kernels[k].kernel, unit->kernels[k].kernel.name));
  return 1;
}

static int set_kernel_params(const command *c, dc_kernel *kernel) {
  for (unsigned k = 0; k < c->n_params; ++k) {
    char name[100];
    int64_t value;
    uint32_t at = 0;
    if (!split(c->params[k], name, sizeof name, &value))
      return command_misuse("no number in --param", c->params[k]);
    while (at < kernel->n_params &&
           strcmp(dc_kernel_text(kernel, kernel->params[at].name), name) != 0)
      ++at;
    if (at == kernel->n_params)
      return command_fail(c->params[k], "the kernel has no such parameter");
    kernel->params[at].known = true;
    kernel->params[at].value = value;
  }
  return 0;
}

static void set_launch(const command *c, const dc_kernel *kernel, emulation *run) {
  const dc_launch *launch = &kernel->launches[0];
  memcpy(run->options.block, c->block[0] ? c->block : launch->block, sizeof c->block);
  memcpy(run->options.grid, c->grid[0] ? c->grid : launch->grid, sizeof c->grid);
  uint64_t threads =
      (uint64_t)run->options.block[0] * run->options.block[1] * run->options.block[2];
  uint32_t warps = (uint32_t)((threads + 31) / 32);
  bool one = c->warp >= 0 || c->output >= OUTPUT_TRACE;
  run->first_warp = c->warp >= 0 ? (uint32_t)c->warp : 0;
  run->n_warps = one ? 1 : warps;
  run->options.lanes = 32;
}

static int emulate_view(const command *c, const dc_kernel *kernel, emulation *run) {
  dc_error error;
  dc_samplers samplers;
  if (dc_program_from_kernel(kernel, &run->program, &error) != DC_OK)
    return command_fail(c->file, error.text);
  if (dc_samplers_build(kernel, c->assume, &samplers, &error) != DC_OK) {
    dc_program_free(&run->program);
    return command_fail(c->file, error.text);
  }
  run->options.distributions = samplers.of;
  run->options.assumed_distribution = &samplers.of[kernel->n_loops];
  run->options.assumed_within = &samplers.of[kernel->n_loops + 1];
  int result = run_and_print(c, run);
  dc_samplers_free(&samplers);
  dc_program_free(&run->program);
  return result;
}

static int emulate_kernel(const command *c, dc_kernel *kernel, emulation *run) {
  dc_error error;
  dc_kernel view;
  int result = set_kernel_params(c, kernel);
  if (result)
    return result;
  set_launch(c, kernel, run);
  if ((uint64_t)run->first_warp * 32 >=
      (uint64_t)run->options.block[0] * run->options.block[1] * run->options.block[2])
    return command_fail(c->file, "the block has no such warp");
  run->kernel = dc_kernel_text(kernel, kernel->name);
  if (dc_kernel_in_block(kernel, run->options.block, &view, &error) != DC_OK)
    return command_fail(c->file, error.text);
  result = emulate_view(c, &view, run);
  dc_kernel_leave_block(kernel, &view);
  return result;
}

static int emulate_report(const command *c, FILE *stream, emulation *run) {
  dc_unit unit;
  dc_error error;
  dc_kernel *kernel = NULL;
  if (dc_unit_read_json(stream, &unit, &error) != DC_OK)
    return command_fail(c->file, error.text);
  int result = find_kernel(c, &unit, &kernel);
  if (result == 0)
    result = emulate_kernel(c, kernel, run);
  dc_unit_free(&unit);
  return result;
}

// ---- assembly -----------------------------------------------------------------------------------

static int set_values(const command *c, const dc_program *program, int32_t *values) {
  for (uint32_t k = 0; k < program->n_params; ++k)
    values[k] = program->params[k].value;
  for (unsigned k = 0; k < c->n_params; ++k) {
    char name[100];
    int64_t value;
    if (!split(c->params[k], name, sizeof name, &value) || value < INT32_MIN || value > INT32_MAX)
      return command_misuse("no number of 32 bits in --param", c->params[k]);
    int at = dc_program_find_param(program, name);
    if (at < 0)
      return command_fail(c->params[k], "the program has no such parameter");
    values[at] = (int32_t)value;
  }
  return 0;
}

static int emulate_assembly(const command *c, FILE *stream, emulation *run) {
  dc_error error;
  char *text = NULL;
  size_t length;
  dc_status status = dc_input_read_stream(stream, DC_INPUT_TEXT_MOST, &text, &length, &error);
  if (status == DC_OK)
    status = dc_input_check_text(text, length, &error);
  if (status == DC_OK)
    status = dc_program_assemble(text, &run->program, &error);
  if (status != DC_OK) {
    free(text);
    return command_fail(c->file, error.text);
  }
  int32_t *values = calloc(run->program.n_params + 1u, sizeof *values);
  int result =
      values ? set_values(c, &run->program, values) : command_fail(c->file, "out of memory");
  run->options.lanes = c->lanes ? c->lanes : 32;
  run->options.values = values;
  run->n_warps = 1;
  if (result == 0)
    result = run_and_print(c, run);
  free(values);
  dc_program_free(&run->program);
  free(text);
  return result;
}

// ---- the command --------------------------------------------------------------------------------

int command_emulate(int count, char **arguments) {
  command c = {.arch = "sm_90", .warp = -1};
  emulation run = {0};
  if (count > 0 && strcmp(arguments[0], "--help") == 0)
    return command_print(help);
  int result = read_arguments(count, arguments, &c);
  if (result == 0)
    result = find_arch(&c, &run.arch);
  if (result || !c.file)
    return result;
  run.path = c.file;
  run.options.seed = c.seed;
  run.options.steps = c.steps;
  dc_error error;
  FILE *stream = dc_input_open_stream(c.file, &error);
  if (!stream)
    return command_fail(c.file, error.text);
  bool report = dc_path_has_ending(c.file, ".json");
  result = check_kind(&c, report);
  if (result == 0)
    result = report ? emulate_report(&c, stream, &run) : emulate_assembly(&c, stream, &run);
  fclose(stream);
  return result;
}
