// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page's kernel: opened, changed, described. Drawings are in draw.c.
#include "html/wasm/model.h"

#include "html/describe.h"

#include "divcost/distribution.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

model model_open_one;

void *model_take(size_t size) { return malloc(size ? size : 1); }

void model_release(void *memory) { free(memory); }

// ---- answers -----------------------------------------------------------------------------------

json_text *model_begin(void) {
  json_text *out = &model_open_one.out;
  json_text_free(out);
  return out;
}

const char *model_answer(void) {
  const json_text *out = &model_open_one.out;
  return out->failed ? "{\"error\":\"out of memory\"}" : out->text ? out->text : "{}";
}

const char *model_fail(const dc_error *error) {
  json_text *out = model_begin();
  json_open(out, NULL, '{');
  json_string(out, "error", error->text);
  json_close(out, '}');
  return model_answer();
}

static const char *refuse(dc_status status, const char *what) {
  dc_error error;
  dc_fail(&error, status, "%s", what);
  return model_fail(&error);
}

static const char *changed(void) {
  model_begin();
  return model_answer();
}

// ---- the kernel --------------------------------------------------------------------------------

static void forget(void) {
  dc_unit unit = {.kernels = malloc(sizeof *unit.kernels), .n_kernels = 1};
  if (!unit.kernels)
    return;
  unit.kernels[0] = model_open_one.of;
  dc_unit_free(&unit);
  model_open_one.of = (dc_unit_kernel){0};
  dc_flat_free(&model_open_one.flat);
}

const char *model_open(const void *bytes, size_t size) {
  dc_error error;
  forget();
  if (dc_flat_read(bytes, size, &model_open_one.flat, &error) != DC_OK)
    return model_fail(&error);
  model_open_one.of.kernel = model_open_one.flat.kernel;
  model_open_one.flat.kernel = (dc_kernel){0};
  return changed();
}

const char *model_set_block(uint32_t x, uint32_t y, uint32_t z) {
  dc_kernel *kernel = &model_open_one.of.kernel;
  uint64_t threads = x > 1024 || y > 1024 || z > 1024 ? 0 : (uint64_t)x * y * z;
  if (threads < 1 || threads > 1024)
    return refuse(DC_ERROR_ARGUMENT, "a block has 1 to 1024 threads");
  if (kernel->n_launches == 0)
    return refuse(DC_ERROR_ARGUMENT, "no kernel is open");
  kernel->n_launches = 1;
  kernel->launches[0].from = DC_BLOCK_OPTION;
  kernel->launches[0].location = DC_NONE;
  memcpy(kernel->launches[0].block, (uint32_t[]){x, y, z}, sizeof kernel->launches[0].block);
  return changed();
}

const char *model_set_param(uint32_t param, const char *value) {
  dc_kernel *kernel = &model_open_one.of.kernel;
  char *end;
  errno = 0;
  long long number = strtoll(value, &end, 10);
  if (param >= kernel->n_params)
    return refuse(DC_ERROR_ARGUMENT, "the kernel has no such parameter");
  if (!*value || *end || errno)
    return refuse(DC_ERROR_ARGUMENT, "a parameter's value is a whole number of 64 bits");
  kernel->params[param].known = true;
  kernel->params[param].value = number;
  return changed();
}

const char *model_set_arch(const char *name) {
  dc_arch arch, *one = malloc(sizeof *one);
  dc_error error;
  if (!one)
    return refuse(DC_ERROR_MEMORY, "out of memory");
  if (dc_arch_find(name, &arch, &error) != DC_OK) {
    free(one);
    return model_fail(&error);
  }
  *one = arch;
  free(model_open_one.flat.archs);
  model_open_one.flat.archs = one;
  model_open_one.flat.n_archs = 1;
  return changed();
}

// Whether the law can be computed with, so that the error names it and not the estimate.
static dc_status check_law(const char *text, dc_error *error) {
  size_t bytes = dc_law_bytes(text);
  void *memory = malloc(bytes);
  const dc_law *law;
  if (!memory)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  dc_status status = dc_law_parse(text, memory, bytes, &law, error);
  if (status == DC_OK)
    status = dc_distribution_bytes(law, NULL, &bytes, error);
  free(memory);
  return status;
}

const char *model_set_law(uint32_t loop, const char *law) {
  dc_kernel *kernel = &model_open_one.of.kernel;
  dc_error error;
  if (loop >= kernel->n_loops)
    return refuse(DC_ERROR_ARGUMENT, "the kernel has no such loop");
  if (check_law(law, &error) != DC_OK)
    return model_fail(&error);
  dc_text text = dc_kernel_add_text(kernel, law);
  if (!text)
    return refuse(DC_ERROR_MEMORY, "out of memory");
  kernel->loops[loop].distribution = text;
  kernel->loops[loop].distribution_at = 0;
  kernel->loops[loop].trips_from = DC_FROM_ANNOTATED;
  kernel->loops[loop].trips = DC_NO_EXPR;
  kernel->loops[loop].correlation = 0;
  return changed();
}

const char *model_describe(void) {
  dc_error error;
  model *m = &model_open_one;
  if (m->of.kernel.n_blocks == 0)
    return refuse(DC_ERROR_ARGUMENT, "no kernel is open");
  if (dc_unit_estimate(&m->of, m->flat.archs, m->flat.n_archs, &error) != DC_OK)
    return model_fail(&error);
  describe_kernel(model_begin(), &m->of);
  return model_answer();
}
