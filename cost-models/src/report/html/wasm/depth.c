// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The history of the reconvergence stack, or of the barriers, that the page draws: the emulator's,
// of the kernel's first warp, as `divcost emulate` runs it.
#include "report/html/wasm/model.h"

#include "divcost/emulator.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 240, STEPS = 200000, OPERATIONS = 5000000 };

static void write_history(html_json *json, const dc_depth_history *history, const dc_arch *arch,
                          bool whole, bool assumed) {
  uint32_t heights[COLUMNS] = {0};
  size_t columns = history->count < COLUMNS ? history->count : COLUMNS;
  for (size_t k = 0; k < history->count; ++k) {
    uint32_t *height = &heights[k * columns / history->count];
    *height = history->depths[k] > *height ? history->depths[k] : *height;
  }
  dc__html_open(json, NULL, '{');
  dc__html_string(json, "rules", dc_rules_name(arch->rules));
  dc__html_whole(json, "on_chip", arch->stack_entries);
  dc__html_whole(json, "steps", (long long)history->steps);
  dc__html_truth(json, "whole", whole);
  dc__html_truth(json, "assumed", assumed);
  dc__html_open(json, "depths", '[');
  for (size_t k = 0; k < columns; ++k)
    dc__html_whole(json, NULL, heights[k]);
  dc__html_close(json, ']');
  dc__html_close(json, '}');
}

static dc_status run(const dc_program *program, const dc_arch *arch,
                     const dc_emulator_options *options, const dc_depth_history *history,
                     dc_error *error) {
  dc_emulator *emulator;
  dc_status status = dc_emulator_create(program, arch, options, &emulator, error);
  if (status == DC_OK) {
    status = dc_emulator_run(emulator, error);
    if (status == DC_OK || status == DC_ERROR_LIMIT) { // its beginning is worth drawing, too
      write_history(model_begin(), history, arch, status == DC_OK,
                    dc_emulator_result(emulator).uses_assumed);
      status = DC_OK;
    }
  }
  dc_emulator_free(emulator);
  return status;
}

static dc_status emulate_view(const dc_kernel *kernel, const dc_arch *arch,
                              dc_depth_history *history, dc_error *error) {
  dc_program program;
  dc_samplers samplers;
  dc_status status = dc_program_from_kernel(kernel, &program, error);
  if (status != DC_OK)
    return status;
  status = dc_samplers_build(kernel, NULL, &samplers, error);
  if (status == DC_OK) {
    const dc_launch *launch = &kernel->launches[0];
    uint64_t threads = (uint64_t)launch->block[0] * launch->block[1] * launch->block[2];
    dc_emulator_options options = {.lanes = threads < 32 ? (unsigned)threads : 32,
                                   .steps = STEPS,
                                   .operations = OPERATIONS,
                                   .distributions = samplers.of,
                                   .assumed_distribution = &samplers.of[kernel->n_loops],
                                   .assumed_within = &samplers.of[kernel->n_loops + 1],
                                   .trace = dc_depth_record,
                                   .context = history};
    memcpy(options.block, launch->block, sizeof options.block);
    memcpy(options.grid, launch->grid, sizeof options.grid);
    status = run(&program, arch, &options, history, error);
    dc_samplers_free(&samplers);
  }
  dc_program_free(&program);
  return status;
}

static dc_status emulate(const dc_kernel *kernel, const dc_arch *arch, dc_depth_history *history,
                         dc_error *error) {
  dc_kernel view;
  dc_status status = dc_kernel_in_block(kernel, kernel->launches[0].block, &view, error);
  if (status == DC_OK)
    status = emulate_view(&view, arch, history, error);
  dc_kernel_leave_block(kernel, &view);
  return status;
}

const char *model_depth(void) {
  const model *m = &model_open_one;
  dc_error error;
  if (m->flat.n_archs == 0 || m->of.kernel.n_blocks == 0) {
    dc_fail(&error, DC_ERROR_ARGUMENT,
            m->of.kernel.not_analysed ? "the kernel was not analysed" : "no kernel is open");
    return model_fail(&error);
  }
  dc_depth_history *history = calloc(1, sizeof *history);
  if (!history) {
    dc_fail(&error, DC_ERROR_MEMORY, "out of memory for the history");
    return model_fail(&error);
  }
  history->every = 1;
  dc_status status = emulate(&m->of.kernel, &m->flat.archs[0], history, &error);
  free(history);
  return status == DC_OK ? model_answer() : model_fail(&error);
}
