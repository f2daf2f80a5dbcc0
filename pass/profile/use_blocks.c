// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often the blocks of a kernel were executed, as a profile has it: which blocks the recorder
// has to count, and the counts by the names of blocks and loops.
#include "profile/profile.h"

#include "divcost/hash.h"

#include <stdlib.h>
#include <string.h>

static dc_status no_memory(dc_error *error) {
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a profile");
}

static void find_recorded(const dc_kernel *kernel, const dcp_source *source, bool *recorded) {
  for (uint32_t l = 0; l < kernel->n_loops; ++l) {
    dc_profile_loop name;
    recorded[l] =
        kernel->loops[l].level == DC_DIVERGENT && dcp_profile_name_loop(kernel, l, source, &name);
    if (recorded[l])
      dcp_profile_clear(&name);
  }
}

dc_status dcp_profile_plan(const dc_kernel *kernel, const dcp_kernel_blocks *blocks,
                           const dcp_source *source, dc_block_plan *plan, dc_error *error) {
  bool *recorded = calloc((size_t)kernel->n_loops + 1, sizeof *recorded);
  bool *countable = calloc((size_t)kernel->n_blocks + 1, sizeof *countable);
  dc_status status = DC_ERROR_MEMORY;
  if (recorded && countable) {
    find_recorded(kernel, source, recorded);
    for (uint32_t b = 0; b < kernel->n_blocks; ++b)
      countable[b] = blocks->names[b].function != NULL;
    status =
        dc_plan_blocks(kernel, blocks->bodies, recorded, countable, blocks->apart, plan, error);
  } else {
    no_memory(error);
  }
  free(recorded);
  free(countable);
  return status;
}

static const char PLANNED[] = "(planned)"; // no call path

dc_profile_body dcp_profile_planned(const dc_kernel *kernel, const dcp_kernel_blocks *blocks,
                                    const dc_block_plan *plan) {
  dc_profile_body body = {.path = (char *)PLANNED,
                          .hash = dc_hash_u64(DC_HASH_BEGIN, blocks->unit)};
  body.kernel = body.function = (char *)dc_kernel_text(kernel, kernel->symbol);
  for (uint32_t b = 0; b < kernel->n_blocks; ++b) {
    const dcp_block_name *name = &blocks->names[b];
    if (plan[b].by != DC_COUNTED_HERE || !name->function)
      continue;
    body.hash = dc_hash_text(dc_hash_text(body.hash, name->root), name->function);
    body.hash = dc_hash_text(body.hash, name->path);
    body.hash = dc_hash_u64(dc_hash_u64(body.hash, name->hash), name->number);
  }
  return body;
}

// ---- counts -------------------------------------------------------------------------------------

typedef struct counting {
  const dc_profile *profile;
  const dcp_kernel_blocks *blocks;
  const dcp_source *source;
  const dc_kernel *kernel;
  const dc_block_plan *plan;
  bool as_planned;   // these blocks were to be counted when it was recorded
  const char *stale; // a function whose code has changed
} counting;

// Whatever the path: where blocks are counted together, those of all copies of a function.
static bool same_block(const dcp_block_name *a, const dcp_block_name *b) {
  return a->function && b->function && a->number == b->number && a->hash == b->hash &&
         !strcmp(a->function, b->function) && !strcmp(a->root, b->root);
}

static bool same_name(const dcp_block_name *a, const dcp_block_name *b) {
  return same_block(a, b) && !strcmp(a->path, b->path);
}

typedef bool same(const dcp_block_name *, const dcp_block_name *);

// How many blocks of the kernel have one name: copies of a loop's body that a pragma has unrolled.
// They are counted together, whether or not the plan needs the counts of each.
static uint64_t copies_of(const counting *c, const dcp_block_name *name, same *is_same) {
  uint64_t n = 0;
  for (uint32_t b = 0; b < c->kernel->n_blocks; ++b)
    n += c->plan[b].by != DC_COUNTED_NEVER && is_same(&c->blocks->names[b], name);
  return n;
}

// The same of slow paths.
static uint64_t slow_copies_of(const counting *c, const dcp_block_name *name, same *is_same) {
  uint64_t n = 0;
  for (uint32_t k = 0; k < c->blocks->n_slow; ++k)
    n += is_same(&c->blocks->slow[k].name, name);
  return n;
}

// One of so many equal parts, as far as there are: between so many warps and 32 times as many
// lanes.
static dc_block_count share_of(uint64_t warps, uint64_t lanes, uint64_t parts) {
  parts += parts == 0;
  uint64_t some = warps / parts + (warps % parts > 0), each = lanes / parts;
  each = each < some ? some : each > 32 * some ? 32 * some : each;
  return (dc_block_count){.known = true, .warps = some, .lanes = each};
}

// How many loops of the kernel are recorded as one: copies, of which each has the same place.
static uint64_t copies_of_loop(const dc_kernel *kernel, uint32_t loop) {
  uint64_t n = 1;
  for (uint32_t l = 0; l < kernel->n_loops; ++l)
    n += l != loop && kernel->loops[l].location == kernel->loops[loop].location;
  return n;
}

// Whether the profile has the function with other code.
static bool is_stale(const dc_profile *profile, const dc_profile_body *wanted) {
  bool found = false;
  for (uint32_t k = 0; k < profile->n_bodies && !found; ++k) {
    const dc_profile_body *body = &profile->bodies[k];
    found = !strcmp(body->kernel, wanted->kernel) && !strcmp(body->path, wanted->path) &&
            !strcmp(body->function, wanted->function);
  }
  return found;
}

static const dc_profile_block *find_named(counting *c, const dcp_block_name *name,
                                          const char *path) {
  dc_profile_body like = {.kernel = (char *)name->root,
                          .path = (char *)path,
                          .function = (char *)name->function,
                          .hash = name->hash};
  const dc_profile_body *body = dc_profile_find_body(c->profile, &like);
  if (!body && !c->stale && is_stale(c->profile, &like))
    c->stale = name->function;
  return body ? dc_profile_find_block(body, name->number) : NULL;
}

// Whether a symbol is that of a kernel of which blocks were to be counted.
static bool is_kernel(const dc_profile *profile, const char *symbol) {
  bool is = false;
  for (uint32_t k = 0; k < profile->n_bodies && !is; ++k)
    is = !strcmp(profile->bodies[k].path, PLANNED) && !strcmp(profile->bodies[k].kernel, symbol);
  return is;
}

// Whether a function may have become a part of something else than it did for the analysis: its
// counts are elsewhere then.
static bool may_be_elsewhere(const counting *c, const dcp_block_name *name) {
  bool called = strcmp(name->root, dc_kernel_text(c->kernel, c->kernel->symbol)), begun = !called;
  for (uint32_t k = 0; k < c->profile->n_bodies; ++k) {
    const dc_profile_body *body = &c->profile->bodies[k];
    bool in_root = !strcmp(body->kernel, name->root);
    begun |= in_root;
    if (!in_root && body->hash == name->hash && !strcmp(body->function, name->function) &&
        (called || !is_kernel(c->profile, body->kernel)))
      return true;
  }
  return !begun;
}

typedef uint64_t copies(const counting *, const dcp_block_name *, same *);

// Of a block, or, where too many would be counted otherwise, of all copies of its function: then
// these have no path.
static dc_block_count count_named(counting *c, const dcp_block_name *name, copies *count) {
  if (!name->function)
    return (dc_block_count){.known = false};
  const dc_profile_block *found = find_named(c, name, name->path);
  if (found)
    return share_of(found->warps, found->lanes, count(c, name, same_name));
  found = *name->path ? find_named(c, name, "") : NULL;
  if (!found)
    return (dc_block_count){.known = false};
  dc_block_count part = share_of(found->warps, found->lanes, count(c, name, same_block));
  part.together = true;
  return part;
}

// Of a block that the plan asks for: one that isn't there was never to be executed.
static dc_block_count count_planned_block(counting *c, const dcp_block_name *name) {
  dc_block_count count = count_named(c, name, copies_of);
  if (!count.known && name->function && c->as_planned && !may_be_elsewhere(c, name))
    return (dc_block_count){.known = true};
  return count;
}

static const dc_profile_loop *find_loop(const counting *c, uint32_t loop) {
  dc_profile_loop name;
  if (!dcp_profile_name_loop(c->kernel, loop, c->source, &name))
    return NULL;
  dc_profile_loop of_root = name;
  of_root.kernel = (char *)c->blocks->names[c->kernel->loops[loop].header].root;
  const dc_profile_loop *found = dc_profile_find(c->profile, &of_root);
  dcp_profile_clear(&name);
  return found;
}

// The iterations of a loop, or its entries.
static dc_block_count count_loop(const counting *c, uint32_t loop, bool entries) {
  const dc_profile_loop *found = find_loop(c, loop);
  if (!found)
    return (dc_block_count){.known = false};
  dc_profile_totals totals = dc_profile_total(&found->counts);
  uint64_t copies = copies_of_loop(c->kernel, loop);
  return entries ? share_of(found->counts.entries, totals.lanes, copies)
                 : share_of(found->counts.warp_iterations, totals.iterations, copies);
}

static void count_planned(counting *c, dc_block_count *counts) {
  for (uint32_t b = 0; b < c->kernel->n_blocks; ++b)
    if (c->plan[b].by == DC_COUNTED_HERE)
      counts[b] = count_planned_block(c, &c->blocks->names[b]);
    else if (c->plan[b].by == DC_COUNTED_LOOP || c->plan[b].by == DC_COUNTED_ENTRIES)
      counts[b] = count_loop(c, c->plan[b].of, c->plan[b].by == DC_COUNTED_ENTRIES);
}

// False: memory is out.
static bool count_slow(counting *c, dc_kernel *kernel, dc_slow_path *slow) {
  for (uint32_t k = 0; k < c->blocks->n_slow; ++k) {
    const dcp_slow_path *of = &c->blocks->slow[k];
    slow[k] = of->path;
    slow[k].count = count_named(c, &of->name, slow_copies_of);
    slow[k].location = DC_NONE;
    if (!slow[k].count.known || !slow[k].count.lanes)
      continue;
    dc_text file = dc_kernel_add_text(kernel, of->at.file);
    slow[k].location = dc_kernel_add_location(kernel);
    if (!file || slow[k].location == DC_NONE)
      return false;
    kernel->locations[slow[k].location] = (dc_location){.file = file,
                                                        .line = of->at.line,
                                                        .column = of->at.column,
                                                        .function = kernel->name,
                                                        .inlined_at = DC_NONE};
  }
  return true;
}

// Of loops that have no copies, since copies share theirs.
static void find_trips(const counting *c, const dc_profile_counts **trips) {
  for (uint32_t l = 0; l < c->kernel->n_loops; ++l) {
    const dc_profile_loop *found = copies_of_loop(c->kernel, l) == 1 ? find_loop(c, l) : NULL;
    trips[l] = found ? &found->counts : NULL;
  }
}

dc_status dcp_profile_count(const dc_profile *profile, const dcp_kernel_blocks *blocks,
                            const dcp_source *source, dc_unit_kernel *kernel, const char **stale,
                            dc_error *error) {
  const dc_kernel *skeleton = &kernel->kernel;
  const dc_profile_kernel *launches =
      dc_profile_find_kernel(profile, dc_kernel_text(skeleton, skeleton->symbol));
  *stale = NULL;
  if (!launches || skeleton->n_blocks == 0 || blocks->shared)
    return DC_OK;
  dc_block_plan *plan = calloc((size_t)skeleton->n_blocks + 1, sizeof *plan);
  dc_block_count *counts = calloc((size_t)skeleton->n_blocks + 1, sizeof *counts);
  const dc_profile_counts **trips = calloc((size_t)skeleton->n_loops + 1, sizeof *trips);
  dc_slow_path *slow = calloc((size_t)blocks->n_slow + 1, sizeof *slow);
  counting c = {profile, blocks, source, skeleton, plan, false, NULL};
  bool all;
  dc_status status = plan && counts && trips && slow && count_slow(&c, &kernel->kernel, slow)
                         ? dcp_profile_plan(skeleton, blocks, source, plan, error)
                         : no_memory(error);
  if (plan && counts && trips && slow && status == DC_OK) {
    const dc_profile_body planned = dcp_profile_planned(skeleton, blocks, plan);
    c.as_planned = dc_profile_find_body(profile, &planned) != NULL;
    count_planned(&c, counts);
    find_trips(&c, trips);
    status = dc_unit_count(kernel, plan, counts, trips, slow, blocks->n_slow,
                           dc_profile_launch_count(launches), &all, error);
  }
  *stale = c.stale;
  free(plan);
  free(counts);
  free(trips);
  free(slow);
  return status;
}

// ---- launches -----------------------------------------------------------------------------------

static double threads_of(const dc_profile_launch *launch) {
  double threads = (double)launch->count;
  for (unsigned d = 0; d < 3; ++d)
    threads *= (double)launch->grid[d] * launch->block[d];
  return threads;
}

// Whether one comes before another: with more threads, or as many and listed before.
static bool comes_before(const dc_profile_launch *a, const dc_profile_launch *b) {
  double x = threads_of(a), y = threads_of(b);
  return x != y ? x > y : a < b;
}

// The first of those that come after one, or, for NULL, of all; NULL: there is none.
static const dc_profile_launch *next_launch(const dc_profile_kernel *from,
                                            const dc_profile_launch *after) {
  const dc_profile_launch *first = NULL;
  for (uint32_t k = 0; k < from->n_launches; ++k) {
    const dc_profile_launch *at = &from->launches[k];
    if ((!after || comes_before(after, at)) && (!first || comes_before(at, first)))
      first = at;
  }
  return first;
}

void dcp_profile_launches(const dc_profile *profile, dc_kernel *kernel) {
  const dc_profile_kernel *from =
      dc_profile_find_kernel(profile, dc_kernel_text(kernel, kernel->symbol));
  if (!from || kernel->launches[0].from < DC_BLOCK_LAUNCH_BOUNDS)
    return;
  const dc_profile_launch *launch = next_launch(from, NULL);
  kernel->n_launches = 0; // the array has room for one
  for (unsigned k = 0; k < DCP_LAUNCHES && launch; ++k) {
    uint32_t at = k == 0 ? kernel->n_launches++ : dc_kernel_add_launch(kernel);
    if (at == DC_NONE)
      return;
    kernel->launches[at] = (dc_launch){.from = DC_BLOCK_PROFILE,
                                       .location = DC_NONE,
                                       .shared = (uint32_t)launch->shared,
                                       .shared_known = launch->shared <= UINT32_MAX};
    memcpy(kernel->launches[at].block, launch->block, sizeof launch->block);
    memcpy(kernel->launches[at].grid, launch->grid, sizeof launch->grid);
    launch = next_launch(from, launch);
  }
}

dc_profile_body dcp_profile_parameters(const dcp_source *source, const char *symbol) {
  const dcp_kernel_source *kernel = dcp_source_find_kernel(source, symbol);
  dc_profile_body body = {0};
  if (!kernel)
    return body;
  body.kernel = body.function = (char *)symbol;
  body.path = (char *)"(parameters)"; // no call path
  body.hash = DC_HASH_BEGIN;
  for (uint32_t k = 0; k < kernel->n_parameters; ++k)
    body.hash = dc_hash_text(dc_hash_u64(body.hash, k), kernel->parameters[k].name);
  return body;
}

// The recorder has signed numbers.
static int64_t as_declared(const dcp_kernel_source *kernel, uint32_t param, int64_t value) {
  unsigned bytes = param < kernel->n_parameters ? kernel->parameters[param].unsigned_bytes : 0;
  return bytes > 0 && bytes < sizeof value ? value & ((INT64_C(1) << (8 * bytes)) - 1) : value;
}

void dcp_profile_values(const dc_profile *profile, const dcp_source *source, dc_kernel *kernel) {
  const char *symbol = dc_kernel_text(kernel, kernel->symbol);
  const dc_profile_kernel *from = dc_profile_find_kernel(profile, symbol);
  const dcp_kernel_source *known = dcp_source_find_kernel(source, symbol);
  const dc_profile_body names = dcp_profile_parameters(source, symbol);
  if (!from || !known || !dc_profile_find_body(profile, &names))
    return;
  for (uint32_t k = 0; k < kernel->n_params; ++k) {
    dc_param *param = &kernel->params[k];
    int64_t value;
    if (!param->known && dc_profile_only_value(from, k, DC_PROFILE_INTEGER, &value)) {
      param->known = true;
      param->value = as_declared(known, k, value);
    }
    if (!param->extent && dc_profile_only_value(from, k, DC_PROFILE_EXTENT, &value) && value > 0)
      param->extent = (uint64_t)value;
  }
}
