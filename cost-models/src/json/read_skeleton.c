// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel skeleton out of JSON, the inverse of write_skeleton.c. Types and indices are checked
// here, where the place in the file is known; what makes sense of them together (order of operands,
// nesting, cycles) is dc_kernel_validate's.
#include "json/json_internal.h"

#include <stdlib.h>
#include <string.h>

// Step, comparison and branch: what reports that don't say it were made with.
#define SHARED_BEFORE 3

// What is being read, and how many there will be of what is referred to.
typedef struct skeleton {
  dc_json_reader *reader;
  dc_kernel *kernel;
  dc_text *texts; // where the strings of the file are in the kernel
  size_t n_texts, n_locations, n_nodes, n_blocks, n_branches, n_loops;
} skeleton;

static void check_added(skeleton *s, const dc_json_place *place, uint32_t index) {
  if (index == DC_NONE && s->reader->status == DC_OK)
    s->reader->status = dc_fail(s->reader->error, DC_ERROR_MEMORY, "out of memory for '%s'",
                                place->name ? place->name : "a row");
}

// A row of a fixed number of columns, or of low to high of them.
static size_t row_size(skeleton *s, const dc_json_place *row, size_t low, size_t high) {
  size_t size = dc__json_count(s->reader, row, DC_JSON_REQUIRED);
  if (size < low || size > high)
    dc__json_fail(s->reader, row, "has %zu columns, must have %zu%s", size, low,
                  high > low ? " or more" : "");
  return size;
}

static dc_text text_at(skeleton *s, const dc_json_place *place) {
  uint32_t number = dc__json_index(s->reader, place, s->n_texts, "strings", DC_JSON_OPTIONAL);
  return number == DC_NONE ? 0 : s->texts[number];
}

// Columns of a row.
static dc_text text_in(skeleton *s, const dc_json_place *row, size_t column) {
  dc_json_place place = dc__json_element(row, column);
  return text_at(s, &place);
}

static uint32_t index_in(skeleton *s, const dc_json_place *row, size_t column, size_t count,
                         const char *things, dc_json_need need) {
  dc_json_place place = dc__json_element(row, column);
  return dc__json_index(s->reader, &place, count, things, need);
}

static uint32_t integer_in(skeleton *s, const dc_json_place *row, size_t column, int64_t high) {
  dc_json_place place = dc__json_element(row, column);
  return (uint32_t)dc__json_integer(s->reader, &place, 0, high, DC_JSON_REQUIRED);
}

static uint32_t location_in(skeleton *s, const dc_json_place *row, size_t column) {
  return index_in(s, row, column, s->n_locations, "locations", DC_JSON_OPTIONAL);
}

// Members of an object.
static dc_text text_of(skeleton *s, const dc_json_place *object, const char *name) {
  dc_json_place place = dc__json_member(object, name);
  return text_at(s, &place);
}

static uint32_t index_of(skeleton *s, const dc_json_place *object, const char *name, size_t count,
                         const char *things, dc_json_need need) {
  dc_json_place place = dc__json_member(object, name);
  return dc__json_index(s->reader, &place, count, things, need);
}

static uint32_t integer_of(skeleton *s, const dc_json_place *object, const char *name,
                           dc_json_need need) {
  dc_json_place place = dc__json_member(object, name);
  return (uint32_t)dc__json_integer(s->reader, &place, 0, UINT32_MAX, need);
}

static uint8_t enum_of(skeleton *s, const dc_json_place *object, const char *name,
                       int (*parse)(const char *)) {
  dc_json_place place = dc__json_member(object, name);
  return dc__json_enum(s->reader, &place, parse);
}

// Calls `read` for each element of an array, until something fails.
static void each_of(skeleton *s, const dc_json_place *array,
                    void (*read)(skeleton *s, const dc_json_place *element)) {
  size_t count = dc__json_count(s->reader, array, DC_JSON_REQUIRED);
  for (size_t k = 0; k < count && s->reader->status == DC_OK; ++k) {
    dc_json_place element = dc__json_element(array, k);
    read(s, &element);
  }
}

// Likewise for the array that is a member of an object.
static void each(skeleton *s, const dc_json_place *object, const char *name,
                 void (*read)(skeleton *s, const dc_json_place *element)) {
  dc_json_place array = dc__json_member(object, name);
  each_of(s, &array, read);
}

static void read_string(skeleton *s, const dc_json_place *place) {
  const char *text = dc__json_string(s->reader, place, DC_JSON_REQUIRED);
  if (!*text)
    dc__json_fail(s->reader, place, "is empty, must have a character");
  dc_text added = dc_kernel_add_text(s->kernel, text);
  s->texts[s->n_texts++] = added;
  check_added(s, place, added || !*text ? 0 : DC_NONE);
}

static void read_location(skeleton *s, const dc_json_place *row) {
  row_size(s, row, 5, 5);
  dc_location location = {.file = text_in(s, row, 0),
                          .line = integer_in(s, row, 1, UINT32_MAX),
                          .column = integer_in(s, row, 2, UINT32_MAX),
                          .function = text_in(s, row, 3),
                          .inlined_at = location_in(s, row, 4)};
  uint32_t index = dc_kernel_add_location(s->kernel);
  check_added(s, row, index);
  if (index != DC_NONE)
    s->kernel->locations[index] = location;
}

static void read_param(skeleton *s, const dc_json_place *row) {
  size_t size = row_size(s, row, 1, 2);
  dc_json_place value = dc__json_element(row, 1);
  dc_param param = {.name = text_in(s, row, 0), .known = size == 2};
  if (param.known)
    param.value = dc__json_read_int64(s->reader, &value);
  uint32_t index = dc_kernel_add_param(s->kernel);
  check_added(s, row, index);
  if (index != DC_NONE)
    s->kernel->params[index] = param;
}

static void read_extent(skeleton *s, const dc_json_place *row) {
  row_size(s, row, 2, 2);
  dc_json_place bytes = dc__json_element(row, 1);
  uint32_t index = index_in(s, row, 0, s->kernel->n_params, "params", DC_JSON_REQUIRED);
  int64_t extent = dc__json_integer(s->reader, &bytes, 1, DC_JSON_INTEGER_MAX, DC_JSON_REQUIRED);
  if (index < s->kernel->n_params)
    s->kernel->params[index].extent = (uint64_t)extent;
}

static void read_launch(skeleton *s, const dc_json_place *object) {
  dc_launch launch = {.from = 0};
  dc_json_place block = dc__json_member(object, "block"), grid = dc__json_member(object, "grid");
  dc__json_is_object(s->reader, object);
  dc__json_read_dims(s->reader, &block, launch.block, DC_JSON_REQUIRED);
  dc__json_read_dims(s->reader, &grid, launch.grid, DC_JSON_OPTIONAL);
  launch.from = enum_of(s, object, "from", dc_block_from_parse);
  launch.location = index_of(s, object, "location", s->n_locations, "locations", DC_JSON_OPTIONAL);
  dc__json_read_shared(s->reader, object, &launch);
  uint32_t index = dc_kernel_add_launch(s->kernel);
  check_added(s, object, index);
  if (index != DC_NONE)
    s->kernel->launches[index] = launch;
}

// The text of a name, which may be empty (-1).
static const char *name_at(skeleton *s, const dc_json_place *place) {
  return dc_kernel_text(s->kernel, text_at(s, place));
}

// The name is copied, for adding it may move the table that it stands in.
static void read_name(skeleton *s, const dc_json_place *place,
                      uint32_t (*add)(dc_kernel *kernel, const char *text)) {
  const char *name = name_at(s, place);
  char *copy = malloc(strlen(name) + 1);
  if (copy)
    strcpy(copy, name);
  check_added(s, place, copy ? add(s->kernel, copy) : DC_NONE);
  free(copy);
}

static void read_load_name(skeleton *s, const dc_json_place *place) {
  read_name(s, place, dc_kernel_add_load_name);
}

static void read_opaque_name(skeleton *s, const dc_json_place *place) {
  read_name(s, place, dc_kernel_add_opaque_name);
}

// Nodes are put into the pool as they are: dc_expr_apply would simplify them.
static void read_node(skeleton *s, const dc_json_place *row) {
  size_t size = row_size(s, row, 4, 7);
  dc_json_place op = dc__json_element(row, 0), immediate = dc__json_element(row, 3);
  dc_expr_node node = {.op = dc__json_enum(s->reader, &op, dc_expr_op_parse),
                       .bits = (uint8_t)integer_in(s, row, 1, 64),
                       .level = (uint8_t)integer_in(s, row, 2, DC_DIVERGENT),
                       .i = dc__json_read_int64(s->reader, &immediate)};
  dc_expr *operands[] = {&node.a, &node.b, &node.c};
  for (size_t o = 0; o < 3; ++o)
    *operands[o] =
        o + 4 < size ? index_in(s, row, o + 4, s->n_nodes, "nodes", DC_JSON_OPTIONAL) : DC_NO_EXPR;
  s->kernel->pool.nodes[s->kernel->pool.count++] = node;
}

static void read_nodes(skeleton *s, const dc_json_place *object) {
  if (s->n_nodes == 0)
    return;
  dc_expr_pool *pool = &s->kernel->pool;
  dc_json_place place = dc__json_member(object, "nodes");
  pool->nodes = s->n_nodes < DC_NONE / 2 ? malloc(s->n_nodes * sizeof *pool->nodes) : NULL;
  check_added(s, &place, pool->nodes ? 0 : DC_NONE);
  if (!pool->nodes)
    return;
  pool->capacity = (uint32_t)s->n_nodes;
  each(s, object, "nodes", read_node);
}

static void read_mix(skeleton *s, const dc_json_place *place, uint32_t mix[DC_MIX_COUNT]) {
  if (!dc__json_is_object(s->reader, place))
    return;
  const char *key;
  json_t *value;
  json_object_foreach((json_t *)place->value, key, value) {
    dc_json_place member = {place, key, 0, value};
    int kind = dc_mix_parse(key);
    if (kind < 0)
      dc__json_fail(s->reader, &member, "is no kind of instruction that is known here");
    else
      mix[kind] = (uint32_t)dc__json_integer(s->reader, &member, 0, UINT32_MAX, DC_JSON_REQUIRED);
  }
}

static void read_block(skeleton *s, const dc_json_place *row) {
  size_t size = row_size(s, row, 6, 13);
  dc_json_place successors = dc__json_element(row, 0), mix = dc__json_element(row, 5);
  size_t n_successors = dc__json_count(s->reader, &successors, DC_JSON_REQUIRED);
  dc_block block = {.loop = index_in(s, row, 1, s->n_loops, "loops", DC_JSON_OPTIONAL),
                    .branch = index_in(s, row, 2, s->n_branches, "branches", DC_JSON_OPTIONAL),
                    .post_dominator = index_in(s, row, 3, s->n_blocks, "blocks", DC_JSON_OPTIONAL),
                    .control = (uint8_t)integer_in(s, row, 4, DC_DIVERGENT)};
  read_mix(s, &mix, block.mix);
  block.counted = size > 6;
  if (block.counted)
    block.machine = integer_in(s, row, 6, UINT32_MAX);
  if (size > 8) {
    block.contended_one = (uint16_t)integer_in(s, row, 7, UINT16_MAX);
    block.contended = (uint16_t)integer_in(s, row, 8, UINT16_MAX);
  }
  if (size > 10) {
    block.stages = (uint16_t)integer_in(s, row, 9, UINT16_MAX);
    block.chain = (uint16_t)integer_in(s, row, 10, UINT16_MAX);
  }
  if (size > 12) {
    block.slow = integer_in(s, row, 11, UINT32_MAX);
    block.slow_alike = integer_in(s, row, 12, block.slow);
  }
  uint32_t index = dc_kernel_add_block(s->kernel);
  check_added(s, row, index);
  if (index == DC_NONE)
    return;
  s->kernel->blocks[index] = block;
  for (size_t k = 0; k < n_successors && s->reader->status == DC_OK; ++k) {
    uint32_t to = index_in(s, &successors, k, s->n_blocks, "blocks", DC_JSON_REQUIRED);
    uint32_t added = dc_kernel_add_successor(s->kernel, index);
    check_added(s, row, added);
    if (added != DC_NONE)
      s->kernel->successors[added] = to;
  }
}

static void read_branch(skeleton *s, const dc_json_place *row) {
  size_t columns = row_size(s, row, 6, 9);
  dc_json_place predication = dc__json_element(row, 3), alike = dc__json_element(row, 7),
                close = dc__json_element(row, 8);
  dc_branch branch = {.block = index_in(s, row, 0, s->n_blocks, "blocks", DC_JSON_REQUIRED),
                      .condition = index_in(s, row, 1, s->n_nodes, "nodes", DC_JSON_OPTIONAL),
                      .level = (uint8_t)integer_in(s, row, 2, DC_DIVERGENT),
                      .predication = dc__json_enum(s->reader, &predication, dc_predication_parse),
                      .exits = index_in(s, row, 4, s->n_loops, "loops", DC_JSON_OPTIONAL),
                      .location = location_in(s, row, 5),
                      .taken = columns > 6 ? integer_in(s, row, 6, DC_CHANCE - 1) : 0,
                      .alike = columns > 7 && dc__json_boolean(s->reader, &alike, DC_JSON_REQUIRED),
                      .close =
                          columns > 8 && dc__json_boolean(s->reader, &close, DC_JSON_REQUIRED)};
  uint32_t index = dc_kernel_add_branch(s->kernel);
  check_added(s, row, index);
  if (index != DC_NONE)
    s->kernel->branches[index] = branch;
}

static void read_reason(skeleton *s, const dc_json_place *row) {
  row_size(s, row, 2, 2);
  uint32_t location = location_in(s, row, 0);
  dc_text text = text_in(s, row, 1);
  uint32_t index = dc_kernel_add_reason(s->kernel, location, "");
  check_added(s, row, index);
  if (index != DC_NONE)
    s->kernel->reasons[index].text = text;
}

static void read_barrier(skeleton *s, const dc_json_place *row) {
  row_size(s, row, 5, 6);
  dc_json_place warp = dc__json_element(row, 4), reasons = dc__json_element(row, 5);
  dc_barrier barrier = {.block = index_in(s, row, 0, s->n_blocks, "blocks", DC_JSON_REQUIRED),
                        .location = location_in(s, row, 1),
                        .level = (uint8_t)integer_in(s, row, 2, DC_DIVERGENT),
                        .left = (uint8_t)integer_in(s, row, 3, DC_DIVERGENT),
                        .warp = dc__json_boolean(s->reader, &warp, DC_JSON_REQUIRED),
                        .first_reason = s->kernel->n_reasons};
  if (json_array_size(row->value) > 5)
    each_of(s, &reasons, read_reason);
  barrier.n_reasons = s->kernel->n_reasons - barrier.first_reason;
  uint32_t index = dc_kernel_add_barrier(s->kernel);
  check_added(s, row, index);
  if (index != DC_NONE)
    s->kernel->barriers[index] = barrier;
}

static void read_row_level(skeleton *s, const dc_json_place *row) {
  row_size(s, row, 3, 4);
  dc_json_place of = dc__json_element(row, 0), loop_class = dc__json_element(row, 3);
  const struct {
    size_t count;
    const char *array;
  } parts[] = {[DC_ROWS_NODE] = {s->n_nodes, "nodes"},
               [DC_ROWS_BRANCH] = {s->n_branches, "branches"},
               [DC_ROWS_EXIT] = {s->kernel->n_exits, "exits"},
               [DC_ROWS_LOOP] = {s->n_loops, "loops"}};
  dc_row_level level = {.of = dc__json_enum(s->reader, &of, dc_row_part_parse),
                        .level = (uint8_t)integer_in(s, row, 2, DC_DIVERGENT)};
  level.index = index_in(s, row, 1, parts[level.of].count, parts[level.of].array, DC_JSON_REQUIRED);
  if (level.of == DC_ROWS_LOOP)
    level.loop_class = dc__json_enum(s->reader, &loop_class, dc_class_parse);
  uint32_t index = dc_kernel_add_row_level(s->kernel);
  check_added(s, row, index);
  if (index != DC_NONE)
    s->kernel->row_levels[index] = level;
}

static void read_access(skeleton *s, const dc_json_place *row) {
  size_t size = row_size(s, row, 10, 14);
  dc_json_place space = dc__json_element(row, 1), kind = dc__json_element(row, 2);
  dc_access access = {.block = index_in(s, row, 0, s->n_blocks, "blocks", DC_JSON_REQUIRED),
                      .space = dc__json_enum(s->reader, &space, dc_space_parse),
                      .kind = dc__json_enum(s->reader, &kind, dc_access_kind_parse),
                      .bytes = (uint8_t)integer_in(s, row, 3, 16),
                      .level = (uint8_t)integer_in(s, row, 4, DC_DIVERGENT),
                      .address = index_in(s, row, 5, s->n_nodes, "nodes", DC_JSON_OPTIONAL),
                      .location = location_in(s, row, 6),
                      .root = index_in(s, row, 7, s->n_nodes, "nodes", DC_JSON_OPTIONAL),
                      .alignment = integer_in(s, row, 8, UINT32_MAX),
                      .name = text_in(s, row, 9),
                      .stage = (uint8_t)(size > 10 ? integer_in(s, row, 10, UINT8_MAX) : 0),
                      .carried = size > 11 && integer_in(s, row, 11, 1),
                      .advance = (uint16_t)(size > 12 ? integer_in(s, row, 12, UINT16_MAX) : 0),
                      .descends = size > 13 && integer_in(s, row, 13, 1)};
  uint32_t index = dc_kernel_add_access(s->kernel);
  check_added(s, row, index);
  if (index != DC_NONE)
    s->kernel->accesses[index] = access;
}

static void read_call(skeleton *s, const dc_json_place *row) {
  row_size(s, row, 2, 2);
  dc_json_place kind = dc__json_element(row, 1);
  dc_text function = text_in(s, row, 0);
  dc_call_kind known = (dc_call_kind)dc__json_enum(s->reader, &kind, dc_call_kind_parse);
  uint32_t index = dc_kernel_add_call(s->kernel, known, "");
  check_added(s, row, index);
  if (index != DC_NONE)
    s->kernel->calls[index].function = function;
}

static void read_exit(skeleton *s, const dc_json_place *row) {
  row_size(s, row, 4, 4);
  dc_exit way = {.block = index_in(s, row, 0, s->n_blocks, "blocks", DC_JSON_REQUIRED),
                 .location = location_in(s, row, 1),
                 .level = (uint8_t)integer_in(s, row, 2, DC_DIVERGENT),
                 .trips = index_in(s, row, 3, s->n_nodes, "nodes", DC_JSON_OPTIONAL)};
  uint32_t index = dc_kernel_add_exit(s->kernel);
  check_added(s, row, index);
  if (index != DC_NONE)
    s->kernel->exits[index] = way;
}

static void read_loop(skeleton *s, const dc_json_place *object) {
  if (!dc__json_is_object(s->reader, object))
    return;
  dc_json_place id = dc__json_member(object, "id"),
                correlation = dc__json_member(object, "correlation"),
                irreducible = dc__json_member(object, "irreducible"),
                level = dc__json_member(object, "level"),
                shared = dc__json_member(object, "unroll_shared"),
                swaps = dc__json_member(object, "swaps"),
                once = dc__json_member(object, "unroll_once");
  dc_loop loop = {
      .header = index_of(s, object, "header", s->n_blocks, "blocks", DC_JSON_REQUIRED),
      .parent = index_of(s, object, "parent", s->n_loops, "loops", DC_JSON_OPTIONAL),
      .depth = integer_of(s, object, "depth", DC_JSON_REQUIRED),
      .location = index_of(s, object, "location", s->n_locations, "locations", DC_JSON_OPTIONAL),
      .first_exit = s->kernel->n_exits,
      .first_reason = s->kernel->n_reasons,
      .loop_class = enum_of(s, object, "class", dc_class_parse),
      .level = (uint8_t)dc__json_integer(s->reader, &level, 0, DC_DIVERGENT, DC_JSON_REQUIRED),
      .irreducible = dc__json_boolean(s->reader, &irreducible, DC_JSON_OPTIONAL),
      .swaps = (uint8_t)dc__json_integer(s->reader, &swaps, DC_SWAPS_NONE, DC_SWAPS_ONE,
                                         DC_JSON_OPTIONAL),
      .unroll = integer_of(s, object, "unroll", DC_JSON_OPTIONAL),
      .unroll_expected = integer_of(s, object, "unroll_expected", DC_JSON_OPTIONAL),
      .unroll_llvm = integer_of(s, object, "unroll_llvm", DC_JSON_OPTIONAL),
      .unroll_setup = integer_of(s, object, "unroll_setup", DC_JSON_OPTIONAL),
      .carried = integer_of(s, object, "carried", DC_JSON_OPTIONAL),
      .trips = index_of(s, object, "trips", s->n_nodes, "nodes", DC_JSON_OPTIONAL),
      .distribution = text_of(s, object, "distribution"),
      .distribution_at = text_of(s, object, "distribution_at"),
      .condition = text_of(s, object, "condition"),
      .unknown = text_of(s, object, "unknown"),
      .ignored = text_of(s, object, "ignored"),
      .ignored_at = text_of(s, object, "ignored_at"),
      .id = dc__json_read_hex(s->reader, &id)};
  if (loop.distribution)
    loop.trips_from = enum_of(s, object, "from", dc_from_parse);
  if (loop.unroll_expected > 1)
    loop.unroll_shared =
        shared.value ? integer_of(s, object, "unroll_shared", DC_JSON_REQUIRED) : SHARED_BEFORE;
  loop.unroll_once = once.value ? dc__json_read_real(s->reader, &once) : loop.unroll_shared;
  if (correlation.value)
    loop.correlation = dc__json_read_real(s->reader, &correlation);
  each(s, object, "exits", read_exit);
  each(s, object, "reasons", read_reason);
  loop.n_exits = s->kernel->n_exits - loop.first_exit;
  loop.n_reasons = s->kernel->n_reasons - loop.first_reason;
  uint32_t index = dc_kernel_add_loop(s->kernel);
  check_added(s, object, index);
  if (index != DC_NONE)
    s->kernel->loops[index] = loop;
}

static size_t count_of(skeleton *s, const dc_json_place *object, const char *name) {
  dc_json_place array = dc__json_member(object, name);
  return dc__json_count(s->reader, &array, DC_JSON_REQUIRED);
}

// Before it was said, all were counted on sm_90.
static void read_machine_code(skeleton *s, const dc_json_place *object) {
  dc_json_place place = dc__json_member(object, "machine_code");
  s->kernel->machine_code = place.value ? dc__json_read_sm(s->reader, &place) : 90;
}

static uint32_t whole_of(skeleton *s, const dc_json_place *object, const char *name) {
  dc_json_place place = dc__json_member(object, name);
  if (!place.value)
    return 0;
  return (uint32_t)dc__json_integer(s->reader, &place, 0, UINT32_MAX, DC_JSON_REQUIRED);
}

static void read_registers(skeleton *s, const dc_json_place *resources) {
  dc_json_place registers = dc__json_member(resources, "registers");
  if (!registers.value || !dc__json_is_object(s->reader, &registers))
    return;
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)registers.value, name, value) {
    dc_json_place count = dc__json_member(&registers, name);
    char *end = NULL;
    bool named = strncmp(name, "sm_", 3) == 0 && name[3] >= '1' && name[3] <= '9';
    unsigned long sm = named ? strtoul(name + 3, &end, 10) : 0;
    if (!named || *end || sm > 999)
      dc__json_fail(s->reader, &count, "is of no architecture, must be one such as sm_90");
    dc_kernel_set_registers(
        s->kernel, (uint32_t)sm,
        (uint32_t)dc__json_integer(s->reader, &count, 1, 1024, DC_JSON_REQUIRED));
  }
}

// Reports of before the resources have none.
static void read_resources(skeleton *s, const dc_json_place *object) {
  dc_json_place place = dc__json_member(object, "resources");
  if (!place.value || !dc__json_is_object(s->reader, &place))
    return;
  dc_json_place dynamic = dc__json_member(&place, "dynamic_shared");
  s->kernel->resources = (dc_resources){
      .known = true,
      .live_known = dc__json_member(&place, "live").value != NULL,
      .live = whole_of(s, &place, "live"),
      .arrays = whole_of(s, &place, "arrays"),
      .max_threads = whole_of(s, &place, "max_threads"),
      .min_blocks = whole_of(s, &place, "min_blocks"),
      .max_registers = whole_of(s, &place, "max_registers"),
      .shared = whole_of(s, &place, "shared"),
      .dynamic_shared = dc__json_boolean(s->reader, &dynamic, DC_JSON_OPTIONAL),
  };
  read_registers(s, &place);
}

static void read_members(skeleton *s, const dc_json_place *place) {
  s->n_locations = count_of(s, place, "locations");
  s->n_nodes = count_of(s, place, "nodes");
  s->n_blocks = count_of(s, place, "blocks");
  s->n_branches = count_of(s, place, "branches");
  s->n_loops = count_of(s, place, "loops");
  each(s, place, "strings", read_string);
  s->kernel->name = text_of(s, place, "name");
  s->kernel->symbol = text_of(s, place, "symbol");
  s->kernel->location =
      index_of(s, place, "location", s->n_locations, "locations", DC_JSON_OPTIONAL);
  s->kernel->not_analysed = text_of(s, place, "not_analysed");
  read_machine_code(s, place);
  read_resources(s, place);
  each(s, place, "locations", read_location);
  each(s, place, "params", read_param);
  if (dc__json_member(place, "extents").value)
    each(s, place, "extents", read_extent);
  if (dc__json_member(place, "l2").value)
    s->kernel->l2 = enum_of(s, place, "l2", dc_l2_state_parse);
  each(s, place, "launches", read_launch);
  if (dc__json_member(place, "calls").value)
    each(s, place, "calls", read_call);
  each(s, place, "load_names", read_load_name);
  each(s, place, "opaque_names", read_opaque_name);
  read_nodes(s, place);
  each(s, place, "loops", read_loop);
  each(s, place, "blocks", read_block);
  each(s, place, "branches", read_branch);
  each(s, place, "barriers", read_barrier);
  if (dc__json_member(place, "row_levels").value)
    each(s, place, "row_levels", read_row_level);
  if (dc__json_member(place, "accesses").value)
    each(s, place, "accesses", read_access);
}

void dc__json_read_skeleton(dc_json_reader *reader, const dc_json_place *place, dc_kernel *kernel) {
  if (!dc__json_is_object(reader, place))
    return;
  skeleton s = {.reader = reader, .kernel = kernel};
  s.texts = malloc((count_of(&s, place, "strings") + 1) * sizeof *s.texts);
  check_added(&s, place, s.texts ? 0 : DC_NONE);
  if (s.texts)
    read_members(&s, place);
  free(s.texts);
  dc_error why;
  if (reader->status != DC_OK)
    return;
  dc_status status = dc_kernel_validate(kernel, &why);
  if (status == DC_ERROR_MEMORY)
    reader->status = dc_fail(reader->error, status, "%s", why.text);
  else if (status != DC_OK) // the pool's nodes are the file's
    dc__json_fail(reader, place, "%s",
                  strncmp(why.text, "pool.", 5) == 0 ? why.text + 5 : why.text);
}
