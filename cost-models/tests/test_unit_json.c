// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Units as JSON: what was written is read back whole; what is wrong is refused, at its place; and
// nothing that a file may hold does harm (run this with the sanitizers).
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "cases.h"
#include "sample_unit.h"

#include "divcost/files.h"
#include "divcost/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dc_status read_text(const char *text, size_t size, dc_unit *unit, dc_error *error) {
  FILE *stream = fmemopen((void *)(uintptr_t)text, size, "r");
  assert_non_null(stream);
  dc_status status = dc_unit_read_json(stream, unit, error);
  fclose(stream);
  return status;
}

static void assert_empty(const dc_unit *unit) {
  assert_null(unit->path);
  assert_null(unit->kernels);
  assert_null(unit->archs);
  assert_int_equal(unit->n_kernels, 0);
}

// Writes, reads, and writes again: the same bytes.
static void round_trip(const dc_unit *unit) {
  char *first = json_of(unit);
  dc_unit again;
  dc_error error;
  if (read_text(first, strlen(first), &again, &error) != DC_OK)
    fail_msg("%s", error.text);
  char *second = json_of(&again);
  assert_string_equal(first, second);
  free(first);
  free(second);
  dc_unit_free(&again);
}

static void sample_survives_a_round_trip(void **state) {
  (void)state;
  dc_unit unit;
  sample_unit(&unit);
  round_trip(&unit);
  dc_unit_free(&unit);
}

static void kernels_that_were_not_analysed_survive_a_round_trip(void **state) {
  (void)state;
  dc_unit unit, again;
  sample_not_analysed(&unit);
  round_trip(&unit);
  char *text = json_of(&unit);
  assert_int_equal(read_text(text, strlen(text), &again, NULL), DC_OK);
  const dc_unit_kernel *kernel = &again.kernels[3];
  assert_string_equal(dc_kernel_text(&kernel->kernel, kernel->kernel.not_analysed),
                      dc_kernel_text(&unit.kernels[3].kernel, unit.kernels[3].kernel.not_analysed));
  assert_int_equal(kernel->n_estimates, 2);
  assert_true(kernel->estimates[1].cycles.low < 0);
  free(text);
  dc_unit_free(&unit);
  dc_unit_free(&again);
}

// Whatever the plugin writes is read again: fields at their largest, and much of what is numerous.
static void the_largest_kernels_survive_a_round_trip(void **state) {
  (void)state;
  enum { LONG = 1 << 20 };
  uint32_t many = (uint32_t)cases_of(20000, 500);
  dc_unit unit;
  sample_part(&unit, 80);
  dc_kernel *k = &unit.kernels[1].kernel;
  char *text = malloc(LONG + 1);
  memset(text, 'x', LONG);
  text[LONG] = 0;
  k->name = dc_kernel_add_text(k, text);
  k->loops[0].unknown = dc_kernel_add_text(k, text);
  free(unit.kernels[1].findings[0].message);
  unit.kernels[1].findings[0].message = text;
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    k->blocks[0].mix[mix] = UINT32_MAX;
  k->blocks[0].machine = UINT32_MAX;
  k->blocks[0].counted = true;
  k->locations[0].line = k->locations[0].column = UINT32_MAX;
  k->loops[0].unroll = k->loops[0].unroll_expected = k->loops[0].unroll_shared = UINT32_MAX;
  k->loops[0].unroll_setup = k->loops[0].unroll_llvm = UINT32_MAX;
  k->loops[0].unroll_once = 0.015625;
  k->loops[0].id = UINT64_MAX;
  k->params[0].known = true;
  k->params[0].value = INT64_MIN;
  k->launches[0] = (dc_launch){{1, 1, 1024}, {UINT32_MAX, 1, UINT32_MAX}, 0, DC_NONE, 4096, true};
  dc_expr deep = dc_expr_leaf(&k->pool, DC_OP_TID, 32, DC_DIVERGENT, 0);
  for (uint32_t round = 0; round < many; ++round) {
    deep = dc_expr_binary(&k->pool, DC_OP_XOR, dc_expr_binary(&k->pool, DC_OP_MUL, deep, deep),
                          dc_expr_constant(&k->pool, 32, round));
    uint32_t at = dc_kernel_add_location(k); // inlined into the one before
    k->locations[at] = (dc_location){0, round, 1, 0, at - 1, false};
    uint32_t loop = dc_kernel_add_loop(k); // in the one before
    k->loops[loop] = (dc_loop){.header = 1,
                               .parent = loop - 1,
                               .depth = k->loops[loop - 1].depth + 1,
                               .location = DC_NONE,
                               .trips = DC_NO_EXPR};
  }
  k->loops[0].trips = deep;
  dc_arch arch;
  dc_error error;
  assert_int_equal(dc_kernel_validate(k, NULL), DC_OK);
  assert_int_equal(dc_arch_find_sm(80, &arch, NULL), DC_OK);
  if (dc_unit_estimate(&unit.kernels[1], &arch, 1, NULL, &error) != DC_OK)
    fail_msg("%s", error.text);
  round_trip(&unit);
  dc_unit_free(&unit);
}

static void random_units_survive_a_round_trip(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= cases_of(100, 20); ++seed) {
    dc_unit unit;
    random_unit(&unit, seed);
    round_trip(&unit);
    dc_unit_free(&unit);
  }
}

// The bytes could agree although both writings leave something out, so look at the kernel too.
static void reading_gives_the_kernel_that_was_written(void **state) {
  (void)state;
  dc_unit unit, again;
  sample_unit(&unit);
  char *text = json_of(&unit);
  assert_int_equal(read_text(text, strlen(text), &again, NULL), DC_OK);
  const dc_unit_kernel *x = &unit.kernels[1], *y = &again.kernels[1];
  assert_string_equal(dc_kernel_text(&x->kernel, x->kernel.symbol),
                      dc_kernel_text(&y->kernel, y->kernel.symbol));
  assert_int_equal(x->kernel.pool.count, y->kernel.pool.count);
  for (uint32_t k = 0; k < x->kernel.pool.count; ++k)
    assert_memory_equal(&x->kernel.pool.nodes[k], &y->kernel.pool.nodes[k], sizeof(dc_expr_node));
  assert_int_equal(x->kernel.n_blocks, y->kernel.n_blocks);
  for (uint32_t k = 0; k < x->kernel.n_blocks; ++k) {
    assert_memory_equal(x->kernel.blocks[k].mix, y->kernel.blocks[k].mix,
                        sizeof x->kernel.blocks[k].mix);
    assert_int_equal(x->kernel.blocks[k].n_successors, y->kernel.blocks[k].n_successors);
    assert_int_equal(x->kernel.blocks[k].loop, y->kernel.blocks[k].loop);
    assert_int_equal(x->kernel.blocks[k].post_dominator, y->kernel.blocks[k].post_dominator);
  }
  assert_int_equal(y->kernel.loops[1].parent, 0);
  assert_int_equal(y->kernel.loops[1].id, 0xff);
  assert_int_equal(y->kernel.loops[0].n_reasons, 1);
  assert_int_equal(y->kernel.locations[y->kernel.loops[1].location].inlined_at,
                   x->kernel.locations[x->kernel.loops[1].location].inlined_at);
  assert_int_equal(y->n_estimates, 2);
  assert_float_equal(y->estimates[0].loops[0].aggregate.high,
                     x->estimates[0].loops[0].aggregate.high, 1e-8);
  assert_true(y->estimates[1].loops[0].worst < 0);
  assert_int_equal(y->kernel.machine_code, 90);
  assert_int_equal(y->findings[0].rule, DC_RULE_BARRIER);
  assert_string_equal(y->findings[0].message, x->findings[0].message);
  assert_true(again.kernels[2].kernel.params[0].value == INT64_MAX);
  free(text);
  dc_unit_free(&unit);
  dc_unit_free(&again);
}

// Sources need not be UTF-8, JSON must be: overlong forms, surrogates, and what is cut or too
// large.
static void bytes_that_are_not_utf8_are_replaced(void **state) {
  (void)state;
  static const char *const texts[][2] = {
      {"caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
      {"caf\xe9", "caf\xef\xbf\xbd"},
      {"\xe0\x80\xaf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
      {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
  };
  for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
    char path[40], expected[60];
    snprintf(path, sizeof path, "%s", texts[k][0]);
    snprintf(expected, sizeof expected, "\"unit\": \"%s\"", texts[k][1]);
    const dc_unit unit = {.path = path};
    char *text = json_of(&unit);
    if (!strstr(text, expected))
      fail_msg("text %zu: %s", k, text);
    free(text);
  }
}

// One kernel for one architecture, in few bytes.
static void small_unit(dc_unit *unit) {
  dc_unit rest;
  sample_part(&rest, 90);
  *unit = rest;
  unit->kernels = malloc(sizeof *unit->kernels);
  unit->kernels[0] = rest.kernels[2];
  unit->n_kernels = 1;
  rest.path = NULL;
  rest.archs = NULL;
  rest.n_kernels = 2;
  dc_unit_free(&rest);
}

static void a_truncated_file_is_refused_wherever_it_ends(void **state) {
  (void)state;
  dc_unit unit, again;
  small_unit(&unit);
  char *text = json_of(&unit);
  size_t size = strlen(text);
  for (size_t end = 1; end + 1 < size; end += cases_of(1, 11)) { // the last byte is a line end
    dc_error error = {0};
    assert_int_equal(read_text(text, end, &again, &error), DC_ERROR_SYNTAX);
    assert_true(error.text[0]);
    assert_empty(&again);
  }
  assert_int_equal(read_text(text, size - 1, &again, NULL), DC_OK);
  dc_unit_free(&again);
  dc_unit_free(&unit);
  free(text);
}

// ---- one change at a time ----------------------------------------------------------------------

// Reads a tree as a file. Returns the status.
static dc_status read_tree(const json_t *root, dc_error *error) {
  char *text = json_dumps(root, 0);
  assert_non_null(text);
  dc_unit unit;
  dc_status status = read_text(text, strlen(text), &unit, error);
  if (status == DC_OK)
    dc_unit_free(&unit);
  else
    assert_empty(&unit);
  free(text);
  return status;
}

static json_t *sample_tree(void) {
  dc_unit unit;
  sample_unit(&unit);
  char *text = json_of(&unit);
  json_t *root = json_loads(text, 0, NULL);
  assert_non_null(root);
  free(text);
  dc_unit_free(&unit);
  return root;
}

// The value at a path such as "kernels.0.skeleton.loops.1".
static json_t *at(json_t *root, const char *path) {
  char copy[200];
  snprintf(copy, sizeof copy, "%s", path);
  for (char *step = strtok(copy, "."); step && root; step = strtok(NULL, "."))
    root = json_is_array(root) ? json_array_get(root, (size_t)atoi(step))
                               : json_object_get(root, step);
  return root;
}

static void set(json_t *parent, const char *last, json_t *value) {
  if (json_is_array(parent))
    json_array_set_new(parent, (size_t)atoi(last), value);
  else
    json_object_set_new(parent, last, value);
}

// With `value` (as JSON; NULL: removed) at path.last, the message begins with `expected`.
static void expect(const char *path, const char *last, const char *value, const char *expected) {
  json_t *root = sample_tree(), *parent = at(root, path);
  assert_non_null(parent);
  if (value)
    set(parent, last, json_loads(value, JSON_DECODE_ANY, NULL));
  else
    json_object_del(parent, last);
  dc_error error = {0};
  assert_int_not_equal(read_tree(root, &error), DC_OK);
  if (strncmp(error.text, expected, strlen(expected)) != 0)
    fail_msg("%s.%s = %s: '%s', expected '%s'", path, last, value ? value : "(absent)", error.text,
             expected);
  json_decref(root);
}

static void messages_name_the_place_and_what_is_wrong(void **state) {
  (void)state;
  expect("", "divcost", "2", "divcost: version 2 is not known here, only version 1");
  expect("", "divcost", NULL, "divcost: is missing, must be a whole number");
  expect("", "divcost", "\"1\"", "divcost: must be a whole number, not a string");
  expect("", "kernels", "{}", "kernels: must be an array, not an object");
  expect("", "archs", "[\"sm_90\", \"sm_80\"]", "archs[1]: must be above the one before it");
  expect("", "archs", "[\"gfx90a\"]", "archs[0]: 'gfx90a' is no architecture");
  expect("kernels", "1", "7", "kernels[1]: must be an object, not a whole number");
  expect("kernels.0", "skeleton", NULL, "kernels[0].skeleton: is missing, must be an object");
  const char *s0 = "kernels.0.skeleton", *loop = "kernels.1.skeleton.loops.1";
  expect(s0, "machine_code", "\"sm_x\"",
         "kernels[0].skeleton.machine_code: 'sm_x' is no architecture, must be one such as sm_90");
  expect(s0, "machine_code", "90",
         "kernels[0].skeleton.machine_code: must be a string, not a whole number");
  expect(s0, "machine_code", "\"sm_1000\"",
         "kernels[0].skeleton: machine_code is 1000, which is no sm number");
  expect(s0, "nodes", "null", "kernels[0].skeleton.nodes: must be an array, not null");
  expect("kernels.0.skeleton.strings", "2", "\"\"", "kernels[0].skeleton.strings[2]: is empty");
  expect(loop, "parent", "5", "kernels[1].skeleton.loops[1].parent: is 5, but there are 3 loops");
  expect(loop, "parent", "1", "kernels[1].skeleton: loops[1].parent is 1, outer loops must stand");
  expect(loop, "depth", "1", "kernels[1].skeleton: loops[1].depth is 1");
  expect(loop, "header", "-1",
         "kernels[1].skeleton.loops[1].header: is -1, but there are 6 blocks");
  expect(loop, "class", "\"strange\"",
         "kernels[1].skeleton.loops[1].class: 'strange' is no name that is known here");
  expect(loop, "id", "\"FF\"", "kernels[1].skeleton.loops[1].id: must be 16 hexadecimal digits");
  expect(loop, "level", "4", "kernels[1].skeleton.loops[1].level: is 4, must be in 0 .. 3");
  expect("kernels.1.skeleton.loops.0.exits.0", "0", "6",
         "kernels[1].skeleton.loops[0].exits[0][0]: is 6, but there are 6 blocks");
  expect("kernels.1.skeleton.loops.0.reasons.0", "1", "99",
         "kernels[1].skeleton.loops[0].reasons[0][1]: is 99, but there are");
  expect("kernels.0.skeleton.blocks.1.0", "0", "4",
         "kernels[0].skeleton.blocks[1][0][0]: is 4, but there are 4 blocks");
  expect("kernels.0.skeleton.blocks.1", "5", "{\"quantum\": 1}",
         "kernels[0].skeleton.blocks[1][5].quantum: is no kind of instruction");
  expect("kernels.0.skeleton.blocks.1", "5", "{\"fp32\": 4294967296}",
         "kernels[0].skeleton.blocks[1][5].fp32: is 4294967296, must be in 0 .. 4294967295");
  expect("kernels.0.skeleton.nodes", "3", "[\"add\", 32, 3, 0, 3, 0]",
         "kernels[0].skeleton: nodes[3].a is 3, operands must stand before their use");
  expect("kernels.0.skeleton.nodes", "3", "[\"warp\", 32, 3, 0]",
         "kernels[0].skeleton.nodes[3][0]: 'warp' is no name");
  expect("kernels.0.skeleton.nodes", "3", "[\"add\", 32, 3]",
         "kernels[0].skeleton.nodes[3]: has 3 columns, must have 4 or more");
  expect("kernels.0.skeleton.nodes.3", "3", "\"9223372036854775808\"",
         "kernels[0].skeleton.nodes[3][3]: must be a whole number of 64 bits");
  expect("kernels.1.skeleton.locations.0", "4", "0",
         "kernels[1].skeleton: locations[0].inlined_at leads back");
  expect("kernels.0.skeleton.launches.0", "block", "[256, 8, 1]",
         "kernels[0].skeleton: launches[0].block is 256 x 8 x 1");
  expect("kernels.0.skeleton.launches.0", "block", "[256]",
         "kernels[0].skeleton.launches[0].block: has 1 numbers, must have 3");
  expect("kernels.0.estimates.0", "arch", "90",
         "kernels[0].estimates[0].arch: must be a string, not a whole number");
  expect("kernels.0.estimates.0", "loops", "[]",
         "kernels[0].estimates[0].loops: has figures for 0 loops, the skeleton has 1");
  expect("kernels.0.estimates.0.loops.0", "efficiency", "-0.5",
         "kernels[0].estimates[0].loops[0].efficiency: is -0.5, must not be negative");
  expect("kernels.0.estimates.0.loops.0", "efficiency", "{\"low\": 2, \"high\": 1}",
         "kernels[0].estimates[0].loops[0].efficiency: low is 2, above high, 1");
  expect("kernels.0.estimates.0.loops.0.cycles", "body", "\"many\"",
         "kernels[0].estimates[0].loops[0].cycles.body: must be a number, or an object");
  expect("kernels.0.findings.0", "rule", "\"taste\"",
         "kernels[0].findings[0].rule: 'taste' is no name");
  expect("kernels.0.findings.0", "loop_index", "1",
         "kernels[0].findings[0].loop_index: is 1, but there are 1 loops");
  expect("kernels.0.findings.0", "suppressed", "0",
         "kernels[0].findings[0].suppressed: must be true or false");
}

// Reports were written before it was said whose machine code the counts are of.
static void machine_code_is_that_of_sm_90_where_nobody_says(void **state) {
  (void)state;
  dc_unit unit, again;
  sample_unit(&unit);
  unit.kernels[0].kernel.machine_code = 80;
  unit.kernels[1].kernel.machine_code = 0;
  char *text = json_of(&unit);
  json_t *root = json_loads(text, 0, NULL);
  assert_string_equal(json_string_value(at(root, "kernels.0.skeleton.machine_code")), "sm_80");
  assert_null(at(root, "kernels.1.skeleton.machine_code"));
  assert_int_equal(read_text(text, strlen(text), &again, NULL), DC_OK);
  assert_int_equal(again.kernels[0].kernel.machine_code, 80);
  assert_int_equal(again.kernels[1].kernel.machine_code, 90);
  assert_int_equal(again.kernels[2].kernel.machine_code, 90);
  json_decref(root);
  free(text);
  dc_unit_free(&unit);
  dc_unit_free(&again);
}

static void syntax_errors_name_line_and_column(void **state) {
  (void)state;
  dc_unit unit;
  dc_error error = {0};
  const char *text = "{\n \"divcost\": 1,\n \"unit\" \"a.cu\"}";
  assert_int_equal(read_text(text, strlen(text), &unit, &error), DC_ERROR_SYNTAX);
  assert_non_null(strstr(error.text, "line 3, column"));
  assert_true(error.offset > 0);
  const char *twice = "{\"divcost\": 1, \"divcost\": 1}";
  assert_int_equal(read_text(twice, strlen(twice), &unit, &error), DC_ERROR_SYNTAX);
  assert_empty(&unit);
}

// Puts every kind of value into every place of the tree, one at a time. Most are refused; what is
// accepted must be as good as any unit. No message but says where.
static void try_values(json_t *root, json_t *container, unsigned *refused) {
  static const char *const values[] = {"null", "true", "-1", "4294967295",
                                       "0.5",  "\"\"", "[]", "{}"};
  size_t count = json_is_array(container) ? json_array_size(container) : 0;
  void *member = json_object_iter(container);
  for (size_t k = 0; json_is_array(container) ? k < count : member != NULL; ++k) {
    json_t *old =
        json_is_array(container) ? json_array_get(container, k) : json_object_iter_value(member);
    json_incref(old);
    for (size_t v = k % cases_of(1, 8); v < sizeof values / sizeof *values; v += cases_of(1, 8)) {
      json_t *value = json_loads(values[v], JSON_DECODE_ANY, NULL);
      if (json_is_array(container))
        json_array_set_new(container, k, value);
      else
        json_object_iter_set_new(container, member, value);
      dc_error error = {0};
      if (read_tree(root, &error) != DC_OK) {
        ++*refused;
        assert_true(error.text[0]);
      }
    }
    if (json_is_array(container))
      json_array_set_new(container, k, old);
    else
      json_object_iter_set_new(container, member, old);
    if (json_is_array(old) || json_is_object(old))
      try_values(root, old, refused);
    if (member)
      member = json_object_iter_next(container, member);
  }
}

static void no_value_anywhere_does_harm(void **state) {
  (void)state;
  json_t *root = sample_tree();
  while (json_array_size(at(root, "kernels")) > 1)
    json_array_remove(at(root, "kernels"), 0); // saxpy, the smallest
  unsigned refused = 0;
  try_values(root, at(root, "kernels.0.skeleton"), &refused);
  try_values(root, at(root, "kernels.0.estimates.0"), &refused);
  assert_true(refused > (cases_of(1, 8) == 1 ? 500u : 60u));
  assert_int_equal(read_tree(root, NULL), DC_OK);
  json_decref(root);
}

static void no_byte_anywhere_does_harm(void **state) {
  (void)state;
  dc_unit unit, again;
  small_unit(&unit);
  char *text = json_of(&unit), *changed = malloc(strlen(text) + 1);
  size_t size = strlen(text);
  uint64_t random = 1;
  for (unsigned k = 0; k < cases_of(1000, 100); ++k) {
    strcpy(changed, text);
    for (unsigned change = 0; change < 1 + k % 3; ++change) {
      random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
      changed[(random >> 33) % size] = "0123456789-,[]{}\"ax."[(random >> 20) % 20];
    }
    if (read_text(changed, size, &again, NULL) == DC_OK) {
      round_trip(&again);
      free(text_of_unit(&again, false));
      dc_unit_free(&again);
    }
  }
  free(text);
  free(changed);
  dc_unit_free(&unit);
}

// ---- failing surroundings ----------------------------------------------------------------------

static long allocations_left;

static void *failing_malloc(size_t size) { return allocations_left-- > 0 ? malloc(size) : NULL; }

static void memory_that_runs_out_is_an_error(void **state) {
  (void)state;
  dc_unit unit, again;
  small_unit(&unit);
  char *text = json_of(&unit);
  FILE *nowhere = fopen("/dev/null", "w");
  assert_non_null(nowhere);
  json_set_alloc_funcs(failing_malloc, free);
  dc_status writing = DC_ERROR_MEMORY, reading = DC_ERROR_MEMORY;
  for (long limit = 0; writing != DC_OK || reading != DC_OK; limit += 1 + limit / 30) {
    allocations_left = limit;
    writing = dc_unit_write(&unit, &dc_format_json, NULL, nowhere, NULL);
    allocations_left = limit;
    reading = read_text(text, strlen(text), &again, NULL);
    if (reading == DC_OK)
      dc_unit_free(&again);
    else
      assert_empty(&again);
  }
  json_set_alloc_funcs(malloc, free);
  fclose(nowhere);
  free(text);
  dc_unit_free(&unit);
}

static void a_full_disk_is_an_error(void **state) {
  (void)state;
  dc_unit unit;
  sample_unit(&unit);
  FILE *full = fopen("/dev/full", "w");
  if (!full)
    skip();
  dc_error error;
  assert_int_equal(dc_unit_write(&unit, &dc_format_json, NULL, full, &error), DC_ERROR_FILE);
  fclose(full);
  full = fopen("/dev/full", "w");
  assert_int_equal(dc_unit_write(&unit, &dc_format_text, NULL, full, &error), DC_ERROR_FILE);
  fclose(full);
  dc_unit_free(&unit);
}

static void a_figure_that_is_no_number_is_an_error(void **state) {
  (void)state;
  dc_unit unit;
  sample_unit(&unit);
  unit.kernels[0].estimates[0].loops[0].body.high = 1.0 / 0.0;
  FILE *stream = tmpfile();
  dc_error error;
  assert_int_equal(dc_unit_write(&unit, &dc_format_json, NULL, stream, &error), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "body"));
  fclose(stream);
  dc_unit_free(&unit);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sample_survives_a_round_trip),
      cmocka_unit_test(kernels_that_were_not_analysed_survive_a_round_trip),
      cmocka_unit_test(the_largest_kernels_survive_a_round_trip),
      cmocka_unit_test(random_units_survive_a_round_trip),
      cmocka_unit_test(reading_gives_the_kernel_that_was_written),
      cmocka_unit_test(bytes_that_are_not_utf8_are_replaced),
      cmocka_unit_test(a_truncated_file_is_refused_wherever_it_ends),
      cmocka_unit_test(messages_name_the_place_and_what_is_wrong),
      cmocka_unit_test(machine_code_is_that_of_sm_90_where_nobody_says),
      cmocka_unit_test(syntax_errors_name_line_and_column),
      cmocka_unit_test(no_value_anywhere_does_harm),
      cmocka_unit_test(no_byte_anywhere_does_harm),
      cmocka_unit_test(memory_that_runs_out_is_an_error),
      cmocka_unit_test(a_full_disk_is_an_error),
      cmocka_unit_test(a_figure_that_is_no_number_is_an_error),
  };
  return cmocka_run_group_tests_name("unit_json", tests, NULL, NULL);
}
