// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The page's kernel: opened, changed, described. Drawings are in draw.c.
#include "report/html/wasm/model.h"

#include "report/html/describe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

model model_open_one;

void *model_take(size_t size) { return malloc(size ? size : 1); }

void model_release(void *memory) { free(memory); }

// ---- answers -----------------------------------------------------------------------------------

html_json *model_begin(void) {
  html_json *out = &model_open_one.out;
  dc__html_json_free(out);
  return out;
}

const char *model_answer(void) {
  const html_json *out = &model_open_one.out;
  return out->failed ? "{\"error\":\"out of memory\"}" : out->text ? out->text : "{}";
}

const char *model_fail(const dc_error *error) {
  html_json *out = model_begin();
  dc__html_open(out, NULL, '{');
  dc__html_string(out, "error", error->text);
  dc__html_close(out, '}');
  return model_answer();
}

static const char *refuse(dc_status status, const char *what) {
  dc_error error;
  dc_fail(&error, status, "%s", what);
  return model_fail(&error);
}

static const char *answer_empty(void) {
  model_begin();
  return model_answer();
}

// ---- the kernel --------------------------------------------------------------------------------

static void forget(void) {
  model *m = &model_open_one;
  dc_unit unit = {.kernels = malloc(sizeof *unit.kernels), .n_kernels = 1};
  if (!unit.kernels)
    return;
  unit.kernels[0] = m->of;
  dc_unit_free(&unit);
  dc_flat_free(&m->flat);
  for (size_t k = 0; k < m->n_texts; ++k)
    free(m->texts[k]);
  free((void *)m->texts);
  free(m->change.params);
  free(m->change.trips);
  dc__html_json_free(&m->out);
  *m = (model){.is_changed = false};
}

const char *model_open(const void *bytes, size_t size) {
  model *m = &model_open_one;
  dc_error error;
  forget();
  if (dc_flat_read(bytes, size, &m->flat, &error) != DC_OK)
    return model_fail(&error);
  m->of.kernel = m->flat.kernel;
  m->flat.kernel = (dc_kernel){0};
  if (dc_unit_estimate(&m->of, m->flat.archs, m->flat.n_archs, NULL, &error) != DC_OK)
    return model_fail(&error);
  return answer_empty();
}

// ---- questions ---------------------------------------------------------------------------------

// What has been asked for so far makes sense.
static const char *changed(void) {
  dc_error error;
  model_open_one.is_changed = true;
  return dc_what_if_check(&model_open_one.change, &error) == DC_OK ? answer_empty()
                                                                   : model_fail(&error);
}

const char *model_set_block(uint32_t x, uint32_t y, uint32_t z) {
  memcpy(model_open_one.change.block, (uint32_t[]){x, y, z}, 3 * sizeof x);
  return x ? changed() : refuse(DC_ERROR_ARGUMENT, "a block has 1 to 1024 threads");
}

const char *model_set_lanes_per_item(uint32_t lanes) {
  model_open_one.change.lanes_per_item = lanes;
  return changed();
}

const char *model_set_arch(const char *name) {
  dc_error error;
  if (dc_arch_find(name, &model_open_one.arch, &error) != DC_OK)
    return model_fail(&error);
  model_open_one.change.arch = &model_open_one.arch;
  return changed();
}

// A copy that lives as long as the questions; NULL: memory is out.
static const char *keep(const char *text) {
  model *m = &model_open_one;
  size_t size = strlen(text) + 1;
  char **grown = (char **)realloc((void *)m->texts, (m->n_texts + 1) * sizeof *grown);
  char *made = grown ? malloc(size) : NULL;
  m->texts = grown ? grown : m->texts;
  if (made)
    m->texts[m->n_texts++] = memcpy(made, text, size);
  return made;
}

const char *model_set_param(uint32_t param, const char *value) {
  const dc_kernel *kernel = &model_open_one.of.kernel;
  dc_what_if *change = &model_open_one.change;
  char *end;
  errno = 0;
  long long number = strtoll(value, &end, 10);
  if (param >= kernel->n_params)
    return refuse(DC_ERROR_ARGUMENT, "the kernel has no such parameter");
  if (!*value || *end || errno)
    return refuse(DC_ERROR_ARGUMENT, "a parameter's value is a whole number of 64 bits");
  dc_what_if_param *grown =
      realloc(change->params, (change->n_params + 1) * sizeof *change->params);
  if (!grown)
    return refuse(DC_ERROR_MEMORY, "out of memory");
  change->params = grown;
  grown[change->n_params] = (dc_what_if_param){
      .name = keep(dc_kernel_text(kernel, kernel->params[param].name)), .value = number};
  change->n_params += grown[change->n_params].name != NULL;
  return changed();
}

// The loops at the same line, as for the command; a loop without a place by its id.
const char *model_set_distribution(uint32_t loop, const char *distribution) {
  const dc_kernel *kernel = &model_open_one.of.kernel;
  dc_what_if *change = &model_open_one.change;
  if (loop >= kernel->n_loops)
    return refuse(DC_ERROR_ARGUMENT, "the kernel has no such loop");
  dc_what_if_trips *grown = realloc(change->trips, (change->n_trips + 1) * sizeof *change->trips);
  if (!grown)
    return refuse(DC_ERROR_MEMORY, "out of memory");
  change->trips = grown;
  uint32_t at = kernel->loops[loop].location;
  bool placed = at != DC_NONE && kernel->locations[at].file && kernel->locations[at].line;
  dc_what_if_trips *trips = &grown[change->n_trips];
  *trips = (dc_what_if_trips){.id = kernel->loops[loop].id, .distribution = keep(distribution)};
  if (placed) {
    trips->file = keep(dc_kernel_text(kernel, kernel->locations[at].file));
    trips->line = kernel->locations[at].line;
  }
  ++change->n_trips;
  if (!trips->distribution || (placed && !trips->file))
    return refuse(DC_ERROR_MEMORY, "out of memory");
  return changed();
}

const char *model_describe(void) {
  dc_error error;
  model *m = &model_open_one;
  if (m->of.kernel.n_launches == 0)
    return refuse(DC_ERROR_ARGUMENT, "no kernel is open");
  if (m->is_changed && dc_what_if_kernel(&m->of, &m->change, &error) != DC_OK)
    return model_fail(&error);
  m->is_changed = false;
  dc__describe_kernel(model_begin(), &m->of);
  return model_answer();
}
