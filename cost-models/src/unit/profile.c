// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiles in memory: sorted arrays of loops, bodies and kernels, to which things and counts are
// added.
#include "divcost/profile.h"

#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy)
    memcpy(copy, text, size);
  return copy;
}

// ---- sorted arrays ------------------------------------------------------------------------------

typedef int compare_function(const void *element, const void *key);

// Where the key is in array[count], or would be.
static uint32_t position(const void *array, uint32_t count, size_t size, compare_function *compare,
                         const void *key) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (compare((const char *)array + middle * size, key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// The array with room for one more at a position, all zeroes; arrays double when they are full.
// NULL: out of memory, and the array is as it was.
static void *make_room(void *array, uint32_t *count, size_t size, uint32_t at) {
  bool full = (*count & (*count - 1)) == 0; // 0 or a power of two
  void *larger = full ? realloc(array, (*count ? 2 * (size_t)*count : 1) * size) : array;
  if (!larger)
    return NULL;
  char *place = (char *)larger + at * size;
  memmove(place + size, place, (*count - at) * size);
  memset(place, 0, size);
  ++*count;
  return larger;
}

// ---- loops --------------------------------------------------------------------------------------

static void free_loop(dc_profile_loop *loop) {
  if (!loop)
    return;
  free(loop->kernel);
  free(loop->path);
  free(loop->function);
  free(loop->file);
  free(loop);
}

static int compare_numbers(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

static int compare_keys(const dc_profile_loop *a, const dc_profile_loop *b) {
  int order = strcmp(a->kernel, b->kernel);
  if (!order)
    order = strcmp(a->path, b->path);
  if (!order)
    order = strcmp(a->function, b->function);
  if (!order)
    order = compare_numbers(a->number, b->number);
  return order ? order : compare_numbers(a->hash, b->hash);
}

static int compare_places(const dc_profile_loop *a, const dc_profile_loop *b) {
  int order = strcmp(a->file, b->file);
  if (!order)
    order = compare_numbers(a->line, b->line);
  return order ? order : compare_numbers(a->column, b->column);
}

static int compare_loop(const void *element, const void *key) {
  return compare_keys(*(dc_profile_loop *const *)element, key);
}

static dc_profile_loop *new_loop(const dc_profile_loop *like) {
  dc_profile_loop *loop = calloc(1, sizeof *loop);
  if (!loop)
    return NULL;
  loop->kernel = copy_of(like->kernel);
  loop->path = copy_of(like->path);
  loop->function = copy_of(like->function);
  loop->file = copy_of(like->file);
  loop->number = like->number;
  loop->hash = like->hash;
  loop->line = like->line;
  loop->column = like->column;
  loop->level = like->level;
  if (loop->kernel && loop->path && loop->function && loop->file)
    return loop;
  free_loop(loop);
  return NULL;
}

static bool move_to(dc_profile_loop *loop, const dc_profile_loop *like) {
  if (like->level > loop->level)
    loop->level = like->level;
  if (compare_places(like, loop) >= 0)
    return true;
  char *file = copy_of(like->file);
  if (!file)
    return false;
  free(loop->file);
  loop->file = file;
  loop->line = like->line;
  loop->column = like->column;
  return true;
}

dc_profile_loop *dc_profile_add(dc_profile *profile, const dc_profile_loop *like) {
  uint32_t at =
      position(profile->loops, profile->n_loops, sizeof *profile->loops, compare_loop, like);
  if (at < profile->n_loops && !compare_keys(profile->loops[at], like))
    return move_to(profile->loops[at], like) ? profile->loops[at] : NULL;
  dc_profile_loop *loop = new_loop(like);
  dc_profile_loop **loops =
      loop ? make_room(profile->loops, &profile->n_loops, sizeof *loops, at) : NULL;
  if (!loops) {
    free_loop(loop);
    return NULL;
  }
  profile->loops = loops;
  return loops[at] = loop;
}

const dc_profile_loop *dc_profile_find(const dc_profile *profile, const dc_profile_loop *like) {
  uint32_t at =
      position(profile->loops, profile->n_loops, sizeof *profile->loops, compare_loop, like);
  return at < profile->n_loops && !compare_keys(profile->loops[at], like) ? profile->loops[at]
                                                                          : NULL;
}

// ---- bodies -------------------------------------------------------------------------------------

static int compare_body(const void *element, const void *key) {
  const dc_profile_body *a = element, *b = key;
  int order = strcmp(a->kernel, b->kernel);
  if (!order)
    order = strcmp(a->path, b->path);
  if (!order)
    order = strcmp(a->function, b->function);
  return order ? order : compare_numbers(a->hash, b->hash);
}

static void free_body(dc_profile_body *body) {
  free(body->kernel);
  free(body->path);
  free(body->function);
  free(body->blocks);
}

dc_profile_body *dc_profile_add_body(dc_profile *profile, const dc_profile_body *like) {
  uint32_t at =
      position(profile->bodies, profile->n_bodies, sizeof *profile->bodies, compare_body, like);
  if (at < profile->n_bodies && !compare_body(&profile->bodies[at], like))
    return &profile->bodies[at];
  dc_profile_body body = {.kernel = copy_of(like->kernel),
                          .path = copy_of(like->path),
                          .function = copy_of(like->function),
                          .hash = like->hash};
  dc_profile_body *bodies = body.kernel && body.path && body.function
                                ? make_room(profile->bodies, &profile->n_bodies, sizeof *bodies, at)
                                : NULL;
  if (!bodies) {
    free_body(&body);
    return NULL;
  }
  profile->bodies = bodies;
  bodies[at] = body;
  return &bodies[at];
}

const dc_profile_body *dc_profile_find_body(const dc_profile *profile,
                                            const dc_profile_body *like) {
  uint32_t at =
      position(profile->bodies, profile->n_bodies, sizeof *profile->bodies, compare_body, like);
  return at < profile->n_bodies && !compare_body(&profile->bodies[at], like) ? &profile->bodies[at]
                                                                             : NULL;
}

static int compare_block(const void *element, const void *key) {
  return compare_numbers(((const dc_profile_block *)element)->number, *(const uint32_t *)key);
}

static uint32_t position_of_block(const dc_profile_body *body, uint32_t number) {
  return position(body->blocks, body->n_blocks, sizeof *body->blocks, compare_block, &number);
}

dc_profile_block *dc_profile_add_block(dc_profile_body *body, uint32_t number) {
  uint32_t at = position_of_block(body, number);
  if (at < body->n_blocks && body->blocks[at].number == number)
    return &body->blocks[at];
  dc_profile_block *blocks = make_room(body->blocks, &body->n_blocks, sizeof *blocks, at);
  if (!blocks)
    return NULL;
  body->blocks = blocks;
  blocks[at].number = number;
  return &blocks[at];
}

const dc_profile_block *dc_profile_find_block(const dc_profile_body *body, uint32_t number) {
  uint32_t at = position_of_block(body, number);
  return at < body->n_blocks && body->blocks[at].number == number ? &body->blocks[at] : NULL;
}

// ---- kernels ------------------------------------------------------------------------------------

static int compare_kernel(const void *element, const void *key) {
  return strcmp(((const dc_profile_kernel *)element)->symbol, key);
}

static int compare_launch(const void *element, const void *key) {
  const dc_profile_launch *a = element, *b = key;
  int order = 0;
  for (unsigned d = 0; d < 3 && !order; ++d)
    order = compare_numbers(a->grid[d], b->grid[d]);
  for (unsigned d = 0; d < 3 && !order; ++d)
    order = compare_numbers(a->block[d], b->block[d]);
  return order ? order : compare_numbers(a->shared, b->shared);
}

bool dc_profile_can_launch(const dc_profile_launch *launch) {
  double threads = 1;
  bool some = true;
  for (unsigned d = 0; d < 3; ++d) {
    threads *= launch->block[d];
    some &= launch->grid[d] > 0 && launch->block[d] > 0;
  }
  return some && threads <= 1024;
}

static uint32_t position_of_kernel(const dc_profile *profile, const char *symbol) {
  return position(profile->kernels, profile->n_kernels, sizeof *profile->kernels, compare_kernel,
                  symbol);
}

const dc_profile_kernel *dc_profile_find_kernel(const dc_profile *profile, const char *symbol) {
  uint32_t at = position_of_kernel(profile, symbol);
  return at < profile->n_kernels && !strcmp(profile->kernels[at].symbol, symbol)
             ? &profile->kernels[at]
             : NULL;
}

static dc_profile_kernel *add_kernel(dc_profile *profile, const char *symbol) {
  uint32_t at = position_of_kernel(profile, symbol);
  if (at < profile->n_kernels && !strcmp(profile->kernels[at].symbol, symbol))
    return &profile->kernels[at];
  char *copy = copy_of(symbol);
  dc_profile_kernel *kernels =
      copy ? make_room(profile->kernels, &profile->n_kernels, sizeof *kernels, at) : NULL;
  if (!kernels) {
    free(copy);
    return NULL;
  }
  profile->kernels = kernels;
  kernels[at].symbol = copy;
  return &kernels[at];
}

uint64_t dc_profile_launch_count(const dc_profile_kernel *kernel) {
  uint64_t all = kernel->more;
  for (uint32_t k = 0; k < kernel->n_launches; ++k)
    all =
        kernel->launches[k].count > UINT64_MAX - all ? UINT64_MAX : all + kernel->launches[k].count;
  return all;
}

// Which configurations are kept must not depend on the order in which they come: the least ones.
static void keep_least(dc_profile_kernel *kernel) {
  if (kernel->n_launches > DC_PROFILE_LAUNCHES)
    kernel->more += kernel->launches[--kernel->n_launches].count;
}

bool dc_profile_add_launches(dc_profile *profile, const char *symbol,
                             const dc_profile_launch *launch) {
  dc_profile_kernel *kernel = add_kernel(profile, symbol);
  if (!kernel || launch->count > UINT64_MAX - dc_profile_launch_count(kernel))
    return false;
  uint32_t at = position(kernel->launches, kernel->n_launches, sizeof *kernel->launches,
                         compare_launch, launch);
  if (at == kernel->n_launches || compare_launch(&kernel->launches[at], launch) != 0) {
    dc_profile_launch *launches =
        make_room(kernel->launches, &kernel->n_launches, sizeof *launches, at);
    if (!launches)
      return false;
    kernel->launches = launches;
    launches[at] = *launch;
    launches[at].count = 0;
  }
  kernel->launches[at].count += launch->count;
  keep_least(kernel);
  return true;
}

// ---- parameters ---------------------------------------------------------------------------------

static int compare_param(const void *element, const void *key) {
  const dc_profile_param *a = element, *b = key;
  int order = compare_numbers(a->number, b->number);
  return order ? order : compare_numbers(a->kind, b->kind);
}

static dc_profile_param *add_param(dc_profile_kernel *kernel, uint32_t number, uint8_t kind) {
  const dc_profile_param like = {.number = number, .kind = kind};
  uint32_t at =
      position(kernel->params, kernel->n_params, sizeof *kernel->params, compare_param, &like);
  if (at < kernel->n_params && compare_param(&kernel->params[at], &like) == 0)
    return &kernel->params[at];
  dc_profile_param *params = make_room(kernel->params, &kernel->n_params, sizeof *params, at);
  if (!params)
    return NULL;
  kernel->params = params;
  params[at] = like;
  return &params[at];
}

static uint64_t count_values(const dc_profile_param *param) {
  uint64_t all = param->more;
  for (unsigned k = 0; k < param->n_values; ++k)
    all = param->values[k].count > UINT64_MAX - all ? UINT64_MAX : all + param->values[k].count;
  return all;
}

// As of configurations, the least ones are kept.
static void insert_value(dc_profile_param *param, dc_profile_value value) {
  unsigned at = 0;
  while (at < param->n_values && param->values[at].value < value.value)
    ++at;
  if (at < param->n_values && param->values[at].value == value.value) {
    param->values[at].count += value.count;
    return;
  }
  if (at == DC_PROFILE_VALUES) {
    param->more += value.count;
    return;
  }
  if (param->n_values == DC_PROFILE_VALUES)
    param->more += param->values[--param->n_values].count;
  memmove(&param->values[at + 1], &param->values[at],
          (param->n_values - at) * sizeof *param->values);
  param->values[at] = value;
  ++param->n_values;
}

bool dc_profile_add_value(dc_profile *profile, const char *symbol, uint32_t number,
                          dc_profile_param_kind kind, dc_profile_value value) {
  dc_profile_kernel *kernel = add_kernel(profile, symbol);
  dc_profile_param *param = kernel ? add_param(kernel, number, (uint8_t)kind) : NULL;
  if (!param || value.count > UINT64_MAX - count_values(param))
    return false;
  insert_value(param, value);
  return true;
}

bool dc_profile_only_value(const dc_profile_kernel *kernel, uint32_t number,
                           dc_profile_param_kind kind, int64_t *value) {
  for (uint32_t k = 0; k < kernel->n_params; ++k) {
    const dc_profile_param *param = &kernel->params[k];
    if (param->number != number || param->kind != kind)
      continue;
    uint64_t launches = dc_profile_launch_count(kernel);
    uint64_t least = kind == DC_PROFILE_EXTENT ? launches - launches / 2 : launches;
    *value = param->values[0].value;
    return param->n_values == 1 && param->more == 0 && param->values[0].count >= least;
  }
  return false;
}

// ---- the whole ----------------------------------------------------------------------------------

void dc_profile_free(dc_profile *profile) {
  for (uint32_t k = 0; k < profile->n_loops; ++k)
    free_loop(profile->loops[k]);
  for (uint32_t k = 0; k < profile->n_bodies; ++k)
    free_body(&profile->bodies[k]);
  for (uint32_t k = 0; k < profile->n_kernels; ++k) {
    free(profile->kernels[k].symbol);
    free(profile->kernels[k].launches);
    free(profile->kernels[k].params);
  }
  free(profile->loops);
  free(profile->bodies);
  free(profile->kernels);
  memset(profile, 0, sizeof *profile);
}

static dc_status no_memory(dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a profile");
}

static dc_status merge_loops(dc_profile *to, const dc_profile *from, dc_error *error) {
  for (uint32_t k = 0; k < from->n_loops; ++k) {
    dc_profile_loop *loop = dc_profile_add(to, from->loops[k]);
    if (!loop)
      return no_memory(error);
    if (!dc_profile_add_counts(&loop->counts, &from->loops[k]->counts))
      return dc_fail(error, DC_ERROR_LIMIT,
                     "the counts of the loop at %.100s:%u in '%.60s' add up to more than 2^64 - 1",
                     loop->file, (unsigned)loop->line, loop->function);
  }
  return DC_OK;
}

static dc_status merge_body(dc_profile_body *to, const dc_profile_body *from, dc_error *error) {
  for (uint32_t k = 0; k < from->n_blocks; ++k) {
    const dc_profile_block *more = &from->blocks[k];
    dc_profile_block *block = dc_profile_add_block(to, more->number);
    if (!block)
      return no_memory(error);
    if (more->lanes > UINT64_MAX - block->lanes || more->warps > UINT64_MAX - block->warps)
      return dc_fail(error, DC_ERROR_LIMIT,
                     "the executions of the blocks of '%.100s' in '%.100s' add up to more than "
                     "2^64 - 1",
                     from->function, from->kernel);
    block->warps += more->warps;
    block->lanes += more->lanes;
  }
  return DC_OK;
}

static dc_status merge_launches(dc_profile *to, const dc_profile_kernel *from, dc_error *error) {
  dc_profile_kernel *kernel = add_kernel(to, from->symbol);
  if (!kernel)
    return no_memory(error);
  if (dc_profile_launch_count(from) > UINT64_MAX - dc_profile_launch_count(kernel))
    return dc_fail(error, DC_ERROR_LIMIT, "the launches of '%.150s' add up to more than 2^64 - 1",
                   from->symbol);
  kernel->more += from->more;
  for (uint32_t k = 0; k < from->n_launches; ++k)
    if (!dc_profile_add_launches(to, from->symbol, &from->launches[k]))
      return no_memory(error);
  return DC_OK;
}

static dc_status merge_params(dc_profile *to, const dc_profile_kernel *from, dc_error *error) {
  dc_profile_kernel *kernel = add_kernel(to, from->symbol);
  for (uint32_t k = 0; k < from->n_params; ++k) {
    const dc_profile_param *more = &from->params[k];
    dc_profile_param *param = kernel ? add_param(kernel, more->number, more->kind) : NULL;
    if (!param)
      return no_memory(error);
    if (count_values(more) > UINT64_MAX - count_values(param))
      return dc_fail(error, DC_ERROR_LIMIT,
                     "the values of parameter %u of '%.150s' add up to more than 2^64 - 1",
                     (unsigned)more->number, from->symbol);
    param->more += more->more;
    for (unsigned v = 0; v < more->n_values; ++v)
      insert_value(param, more->values[v]);
  }
  return DC_OK;
}

dc_status dc_profile_merge(dc_profile *to, const dc_profile *from, dc_error *error) {
  dc_status status = merge_loops(to, from, error);
  for (uint32_t k = 0; k < from->n_bodies && status == DC_OK; ++k) {
    dc_profile_body *body = dc_profile_add_body(to, &from->bodies[k]);
    status = body ? merge_body(body, &from->bodies[k], error) : no_memory(error);
  }
  for (uint32_t k = 0; k < from->n_kernels && status == DC_OK; ++k) {
    status = merge_launches(to, &from->kernels[k], error);
    if (status == DC_OK)
      status = merge_params(to, &from->kernels[k], error);
  }
  if (status == DC_OK)
    to->runs = from->runs > UINT64_MAX - to->runs ? UINT64_MAX : to->runs + from->runs;
  return status;
}
