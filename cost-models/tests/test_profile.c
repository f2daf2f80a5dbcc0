// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Profiles: bins, figures against their definitions, merging in any order, files that are cut off
// or changed at any byte, and several processes that add to one file.
#define _POSIX_C_SOURCE 200809L // mkdtemp

#include "support.h"

#include "divcost/expr.h"
#include "divcost/files.h"
#include "divcost/hash.h"
#include "divcost/profile.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// A loop with the counts of one warp's entry, as the device would add them.
static void add_entry(dc_profile_counts *counts, const uint32_t *trips, unsigned n) {
  uint64_t most = 0, sum = 0, squares = 0;
  for (unsigned k = 0; k < n; ++k) {
    uint32_t bin = dc_profile_bin(trips[k]);
    ++counts->lanes[bin];
    if (bin >= DC_PROFILE_EXACT)
      counts->sums[bin - DC_PROFILE_EXACT] += trips[k];
    most = trips[k] > most ? trips[k] : most;
    sum += trips[k];
    squares += (uint64_t)trips[k] * trips[k];
  }
  ++counts->entries;
  counts->warp_iterations += most;
  if (most < DC_PROFILE_SPREAD_END) {
    counts->pairs += (uint64_t)n * (n - 1) / 2;
    counts->spread += n * squares - sum * sum;
  }
}

static dc_profile_loop loop_of(const char *kernel, const char *path, uint32_t number) {
  dc_profile_loop loop;
  memset(&loop, 0, sizeof loop);
  loop.kernel = (char *)kernel;
  loop.path = (char *)path;
  loop.function = (char *)"function";
  loop.file = (char *)"/file.cu";
  loop.number = number;
  loop.hash = UINT64_C(0xfedcba9876543210);
  loop.line = 12;
  loop.column = 3;
  loop.level = DC_DIVERGENT;
  return loop;
}

static uint64_t state = 1;
static uint32_t draw(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((state >> 33) % below);
}

// Some blocks of some functions, and some configurations of more than are kept.
static void add_blocks(dc_profile *profile) {
  static const char *const kernels[] = {"kernel", "other"}, *const functions[] = {"_Z1fv", "_Z1gv"};
  for (unsigned k = 0; k < 6; ++k) {
    dc_profile_body like = {.kernel = (char *)kernels[draw(2)],
                            .path = (char *)"",
                            .function = (char *)functions[draw(2)],
                            .hash = draw(2)};
    dc_profile_body *body = dc_profile_add_body(profile, &like);
    assert_non_null(body);
    dc_profile_block *block = dc_profile_add_block(body, draw(5) * 1000);
    assert_non_null(block);
    uint64_t warps = draw(100);
    block->warps += warps;
    block->lanes += warps * (1 + draw(32));
  }
}

static void add_launches(dc_profile *profile) {
  for (unsigned k = 0; k < 3 * DC_PROFILE_LAUNCHES; ++k) {
    dc_profile_launch launch = {{1 + draw(4), 1 + draw(4), 1}, {32 * (1 + draw(16)), 1, 1}, 0, 2};
    assert_true(dc_profile_add_launches(profile, draw(9) ? "kernel" : "other", &launch));
  }
}

// Values of some parameters, of more than are kept.
static void add_values(dc_profile *profile) {
  for (unsigned k = 0; k < 40; ++k) {
    dc_profile_param_kind kind = (dc_profile_param_kind)draw(DC_PROFILE_PARAM_KINDS);
    dc_profile_value value = {.value = (int64_t)draw(20) + (kind == DC_PROFILE_EXTENT ? 1 : -10),
                              .count = 1};
    assert_true(dc_profile_add_value(profile, draw(9) ? "kernel" : "other", draw(3), kind, value));
  }
}

// Some loops of eight, with random counts.
static dc_profile random_profile(void) {
  static const char *const kernels[] = {"kernel", "other"}, *const paths[] = {"", "kernel:3:7"};
  dc_profile profile = {.runs = 1 + draw(3)};
  for (unsigned k = 0; k < 5; ++k) {
    dc_profile_loop like = loop_of(kernels[draw(2)], paths[draw(2)], draw(2));
    like.line = 10 + draw(3);
    like.level = (uint8_t)draw(DC_DIVERGENT + 1);
    dc_profile_loop *loop = dc_profile_add(&profile, &like);
    assert_non_null(loop);
    for (unsigned entry = 0; entry < 20; ++entry) {
      uint32_t trips[32];
      for (unsigned lane = 0; lane < 32; ++lane)
        trips[lane] = draw(draw(10) ? 50 : 1000000);
      add_entry(&loop->counts, trips, 1 + draw(32));
    }
  }
  add_blocks(&profile);
  add_launches(&profile);
  add_values(&profile);
  return profile;
}

static unsigned char *bytes_of(const dc_profile *profile, size_t *size) {
  *size = dc_profile_print(profile, NULL, 0);
  unsigned char *bytes = malloc(*size);
  assert_int_equal(dc_profile_print(profile, bytes, *size), *size);
  return bytes;
}

static void assert_equal(const dc_profile *a, const dc_profile *b) {
  size_t size_a, size_b;
  unsigned char *x = bytes_of(a, &size_a), *y = bytes_of(b, &size_b);
  assert_int_equal(size_a, size_b);
  assert_memory_equal(x, y, size_a);
  free(x);
  free(y);
}

static void every_trip_count_is_in_the_bin_that_begins_at_or_below_it(void **context) {
  (void)context;
  for (uint32_t bin = 0; bin < DC_PROFILE_BINS; ++bin) {
    uint32_t start = dc_profile_bin_start(bin);
    assert_int_equal(dc_profile_bin(start), bin);
    if (start > 0)
      assert_int_equal(dc_profile_bin(start - 1), bin - 1);
  }
  assert_int_equal(dc_profile_bin(UINT32_MAX), DC_PROFILE_BINS - 1);
  assert_int_equal(dc_profile_bin_start(1023), 1023);
  assert_int_equal(dc_profile_bin(1279), 1024);
  assert_int_equal(dc_profile_bin(1280), 1025);
}

static void figures_are_those_of_the_entries(void **context) {
  (void)context;
  static const uint32_t first[4] = {1, 2, 3, 6}, second[4] = {5, 5, 5, 5};
  dc_profile_counts *counts = calloc(1, sizeof *counts);
  add_entry(counts, first, 4);
  add_entry(counts, second, 4);
  dc_profile_figures f = dc_profile_figure(counts);
  assert_float_equal(f.lanes, 8, 0);
  assert_float_equal(f.iterations, 32, 0);
  assert_float_equal(f.mean, 4, 0);
  assert_float_equal(f.variance, (9 + 4 + 1 + 4 + 4 * 1) / 8.0, 1e-12);
  assert_float_equal(f.efficiency, 32 / (32.0 * 11), 1e-12);
  assert_float_equal(f.aggregate, 4 * 11 / 32.0, 1e-12);
  // Pairs of the first: 1+4+25+1+16+9 = 56, of the second: 0; of 12.
  assert_float_equal(f.correlation, 1 - 56.0 / 12 / (2 * 22 / 8.0), 1e-12);
  free(counts);
}

static void lanes_that_are_alike_have_correlation_1(void **context) {
  (void)context;
  dc_profile_counts *counts = calloc(1, sizeof *counts);
  for (uint32_t entry = 0; entry < 10; ++entry) {
    uint32_t trips[32];
    for (unsigned lane = 0; lane < 32; ++lane)
      trips[lane] = entry * 3;
    add_entry(counts, trips, 32);
  }
  dc_profile_figures f = dc_profile_figure(counts);
  assert_float_equal(f.correlation, 1, 1e-12);
  assert_float_equal(f.efficiency, 1, 1e-12);
  free(counts);
}

static void independent_lanes_have_correlation_0(void **context) {
  (void)context;
  dc_profile_counts *counts = calloc(1, sizeof *counts);
  for (unsigned entry = 0; entry < 20000; ++entry) {
    uint32_t trips[32];
    for (unsigned lane = 0; lane < 32; ++lane)
      trips[lane] = draw(1200);
    add_entry(counts, trips, 32);
  }
  assert_float_equal(dc_profile_figure(counts).correlation, 0, 0.01);
  free(counts);
}

static void long_loops_keep_their_mean(void **context) {
  (void)context;
  static const uint32_t trips[3] = {1000000, 1000003, 5};
  dc_profile_counts *counts = calloc(1, sizeof *counts);
  dc_point points[DC_PROFILE_BINS];
  add_entry(counts, trips, 3);
  assert_int_equal(dc_profile_points(counts, points), 2);
  assert_true(points[0].value == 5 && points[0].mass == 1);
  assert_true(points[1].value == 1000002 && points[1].mass == 2);
  assert_float_equal(dc_profile_figure(counts).iterations, 2000008, 0);
  free(counts);
}

static void merging_is_commutative_and_associative(void **context) {
  (void)context;
  for (unsigned round = 0; round < 20; ++round) {
    dc_profile p[3], left = {0}, right = {0}, inner = {0};
    for (unsigned k = 0; k < 3; ++k)
      p[k] = random_profile();
    for (unsigned k = 0; k < 3; ++k)
      assert_int_equal(dc_profile_merge(&left, &p[k], NULL), DC_OK);
    assert_int_equal(dc_profile_merge(&inner, &p[2], NULL), DC_OK);
    assert_int_equal(dc_profile_merge(&inner, &p[1], NULL), DC_OK);
    assert_int_equal(dc_profile_merge(&right, &inner, NULL), DC_OK);
    assert_int_equal(dc_profile_merge(&right, &p[0], NULL), DC_OK);
    assert_equal(&left, &right);
    assert_true(left.runs == p[0].runs + p[1].runs + p[2].runs);
    for (unsigned k = 0; k < 3; ++k)
      dc_profile_free(&p[k]);
    dc_profile_free(&left);
    dc_profile_free(&right);
    dc_profile_free(&inner);
  }
}

static void sums_that_are_too_large_are_an_error(void **context) {
  (void)context;
  dc_profile a = {.runs = UINT64_MAX - 1}, b = {.runs = 5};
  dc_profile_loop like = loop_of("kernel", "", 0);
  dc_error error;
  dc_profile_add(&a, &like)->counts.lanes[0] = UINT64_MAX - 2;
  dc_profile_add(&b, &like)->counts.lanes[1] = 1;
  assert_int_equal(dc_profile_merge(&a, &b, &error), DC_OK);
  assert_true(a.runs == UINT64_MAX && a.loops[0]->counts.lanes[1] == 1);
  assert_int_equal(dc_profile_merge(&a, &b, &error), DC_ERROR_LIMIT); // lanes of all bins
  assert_string_equal(error.text,
                      "the counts of the loop at /file.cu:12 in 'function' add up to more than "
                      "2^64 - 1");
  assert_true(a.loops[0]->counts.lanes[1] == 1);
  b.loops[0]->counts.lanes[0] = 7; // a word
  assert_int_equal(dc_profile_merge(&a, &b, &error), DC_ERROR_LIMIT);
  assert_true(a.loops[0]->counts.lanes[0] == UINT64_MAX - 2);
  dc_profile_free(&a);
  dc_profile_free(&b);
}

// In memory of its own, so that a sanitizer sees a read past the end.
static dc_status parse_copy(const unsigned char *bytes, size_t size, dc_error *error) {
  unsigned char *exact = malloc(size ? size : 1);
  dc_profile profile;
  memcpy(exact, bytes, size);
  dc_status status = dc_profile_parse(exact, size, &profile, error);
  if (status != DC_OK)
    assert_true(profile.n_loops == 0 && profile.loops == NULL);
  dc_profile_free(&profile);
  free(exact);
  return status;
}

// Counts of a few entries, one of them long.
static void fill(dc_profile_counts *counts) {
  static const uint32_t few[3] = {0, 3, 9}, many[2] = {5, 70000};
  memset(counts, 0, sizeof *counts);
  add_entry(counts, few, 3);
  add_entry(counts, many, 2);
}

static void counts_that_cannot_be_are_refused_and_mended(void **context) {
  (void)context;
  const uint32_t wide = dc_profile_bin(70000) - DC_PROFILE_EXACT;
  dc_profile_counts *counts = malloc(sizeof *counts);
  const struct {
    uint64_t *word, value;
    const char *text;
  } cases[] = {
      {&counts->sums[wide], 65535, "1 lanes of 65536 to 81919 trips can't have a sum of 65535"},
      {&counts->sums[wide], 81920, "1 lanes of 65536 to 81919 trips can't have a sum of 81920"},
      {&counts->sums[wide], UINT64_MAX - 9,
       "1 lanes of 65536 to 81919 trips can't have a sum of 18446744073709551606"},
      {&counts->sums[wide + 1], 1, "0 lanes of 81920 to 98303 trips can't have a sum of 1"},
      {&counts->lanes[DC_PROFILE_BINS - 1], UINT64_MAX / 2,
       "9223372036854775807 lanes of 3758096384 to 4294967295 trips can't have a sum of 0"},
      {&counts->lanes[1000], UINT64_MAX / 2, "iterations of all bins add up to 2^64 - 1 or more"},
      {&counts->lanes[0], UINT64_MAX - 4, "lanes of all bins add up to 2^64 - 1 or more"},
      {&counts->entries, 6, "6 entries of warps can't be of 5 lanes"},
      {&counts->entries, 0, "0 entries of warps can't be of 5 lanes"},
      {&counts->warp_iterations, 70018, "70018 iterations of warps can't be 70017 of lanes"},
      {&counts->warp_iterations, 2188, "2188 iterations of warps can't be 70017 of lanes"},
      {&counts->pairs, 78, "5 lanes can't make 78 pairs"},
      {&counts->spread, UINT64_C(3) * 4095 * 4095 + 1, "3 pairs can't have a spread of 50307076"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    dc_error error;
    fill(counts);
    assert_int_equal(dc_profile_check_counts(counts, &error), DC_OK);
    assert_false(dc_profile_mend_counts(counts));
    *cases[k].word = cases[k].value;
    assert_int_equal(dc_profile_check_counts(counts, &error), DC_ERROR_ARGUMENT);
    assert_string_equal(error.text, cases[k].text);
    assert_true(dc_profile_mend_counts(counts));
    assert_int_equal(dc_profile_check_counts(counts, &error), DC_OK);
  }
  free(counts);
}

static void a_file_with_counts_that_cannot_be_is_refused(void **context) {
  (void)context;
  dc_profile profile = {.runs = 1};
  dc_profile_loop like = loop_of("kernel", "", 0);
  dc_profile_counts *counts = &dc_profile_add(&profile, &like)->counts;
  fill(counts);
  counts->sums[dc_profile_bin(70000) - DC_PROFILE_EXACT] = UINT64_MAX - 1;
  size_t size;
  unsigned char *bytes = bytes_of(&profile, &size);
  dc_error error;
  assert_int_equal(parse_copy(bytes, size, &error), DC_ERROR_SYNTAX);
  assert_string_equal(error.text,
                      "byte 49: the loop at /file.cu:12 in 'function': 1 lanes of 65536 to 81919 "
                      "trips can't have a sum of 18446744073709551614; record it anew");
  free(bytes);
  dc_profile_free(&profile);
}

static void a_file_comes_back_as_it_was(void **context) {
  (void)context;
  for (unsigned round = 0; round < 20; ++round) {
    dc_profile profile = random_profile(), back;
    size_t size;
    unsigned char *bytes = bytes_of(&profile, &size);
    dc_error error;
    if (dc_profile_parse(bytes, size, &back, &error) != DC_OK)
      fail_msg("%s", error.text);
    assert_equal(&profile, &back);
    free(bytes);
    dc_profile_free(&profile);
    dc_profile_free(&back);
  }
}

static void a_file_that_is_cut_off_is_refused_there(void **context) {
  (void)context;
  dc_profile profile = random_profile();
  size_t size;
  unsigned char *bytes = bytes_of(&profile, &size);
  dc_error error;
  for (size_t length = 0; length < size; ++length) {
    assert_int_equal(parse_copy(bytes, length, &error), DC_ERROR_SYNTAX);
    assert_int_equal(error.offset, length);
  }
  char text[100];
  snprintf(text, sizeof text, "byte 100: cut off: the file should have %zu bytes", size);
  parse_copy(bytes, 100, &error);
  assert_string_equal(error.text, text);
  free(bytes);
  dc_profile_free(&profile);
}

static void a_file_that_is_changed_anywhere_is_refused(void **context) {
  (void)context;
  dc_profile profile = random_profile();
  size_t size;
  unsigned char *bytes = bytes_of(&profile, &size);
  for (size_t at = 0; at < size; ++at) {
    dc_error error;
    bytes[at] ^= (unsigned char)(1 + draw(255));
    if (parse_copy(bytes, size, &error) == DC_OK)
      fail_msg("a change of byte %zu goes unseen", at);
    assert_true(error.offset <= at + 8 || at < 40); // the record's, or within it
    size_t same;
    free(bytes);
    bytes = bytes_of(&profile, &same);
  }
  free(bytes);
  dc_profile_free(&profile);
}

static void another_version_is_named(void **context) {
  (void)context;
  dc_profile profile = random_profile();
  size_t size;
  unsigned char *bytes = bytes_of(&profile, &size);
  dc_error error;
  bytes[8] = 4;
  assert_int_equal(parse_copy(bytes, size, &error), DC_ERROR_LIMIT);
  assert_string_equal(error.text, "byte 8: version 4; this divcost reads versions 1 to 3");
  assert_int_equal(parse_copy((const unsigned char *)"# trips\n", 8, &error), DC_ERROR_SYNTAX);
  assert_string_equal(error.text, "byte 0: this is no profile: it doesn't begin with \"divprof\"");
  free(bytes);
  dc_profile_free(&profile);
}

static void processes_side_by_side_lose_nothing(void **context) {
  (void)context;
  enum { PROCESSES = 8, TIMES = 5 };
  char folder[] = "/tmp/divcost-profile-XXXXXX", path[64];
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/out.divprof", folder);
  for (int k = 0; k < PROCESSES; ++k)
    if (fork() == 0) {
      dc_profile one = {.runs = 1};
      dc_profile_loop like = loop_of("kernel", "", (uint32_t)k % 2);
      dc_profile_counts *counts = &dc_profile_add(&one, &like)->counts;
      add_entry(counts, (const uint32_t[]){(uint32_t)k}, 1);
      int wrong = 0;
      for (int times = 0; times < TIMES; ++times)
        wrong |= dc_profile_add_to_file(path, &one, NULL) != DC_OK;
      dc_profile_free(&one);
      _exit(wrong);
    }
  for (int k = 0, status; k < PROCESSES; ++k) {
    assert_true(wait(&status) > 0);
    assert_int_equal(status, 0);
  }
  dc_profile all;
  assert_int_equal(dc_profile_load(path, &all, NULL), DC_OK);
  assert_true(all.runs == (uint64_t)PROCESSES * TIMES && all.n_loops == 2);
  for (int k = 0; k < PROCESSES; ++k)
    assert_true(all.loops[k % 2]->counts.lanes[k] == TIMES);
  dc_profile_free(&all);
  assert_int_equal(unlink(path), 0);
  assert_int_equal(rmdir(folder), 0); // no temporary file is left
}

static void a_file_that_is_no_profile_is_left_alone(void **context) {
  (void)context;
  char folder[] = "/tmp/divcost-profile-XXXXXX", path[64], text[16] = "";
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/notes", folder);
  FILE *file = fopen(path, "w");
  fputs("my notes", file);
  fclose(file);
  dc_profile profile = random_profile();
  dc_error error;
  assert_int_equal(dc_profile_add_to_file(path, &profile, &error), DC_ERROR_SYNTAX);
  file = fopen(path, "r");
  assert_non_null(fgets(text, sizeof text, file));
  fclose(file);
  assert_string_equal(text, "my notes");
  dc_profile_free(&profile);
  unlink(path);
  rmdir(folder);
}

static void version_1_is_read(void **context) {
  (void)context;
  dc_profile profile = random_profile(), loops = profile;
  loops.n_bodies = loops.n_kernels = 0;
  size_t size, at = 40, to = 40;
  unsigned char *bytes = bytes_of(&loops, &size);
  for (uint32_t k = 0; k < loops.n_loops; ++k) { // without the kind, that is
    uint32_t length, sum;
    memcpy(&length, bytes + at, 4);
    memmove(bytes + to + 8, bytes + at + 9, --length);
    sum = dc_hash_bytes_32(bytes + to + 8, length);
    memcpy(bytes + to, &length, 4);
    memcpy(bytes + to + 4, &sum, 4);
    at += 9 + length;
    to += 8 + length;
  }
  uint64_t whole = to;
  bytes[8] = 1;
  memcpy(bytes + 24, &whole, 8);
  uint32_t sum = dc_hash_bytes_32(bytes, 32);
  memcpy(bytes + 32, &sum, 4);
  dc_profile back;
  dc_error error;
  if (dc_profile_parse(bytes, to, &back, &error) != DC_OK)
    fail_msg("%s", error.text);
  assert_equal(&loops, &back);
  free(bytes);
  dc_profile_free(&back);
  dc_profile_free(&profile);
}

static void of_many_configurations_the_least_are_kept(void **context) {
  (void)context;
  dc_profile up = {0}, down = {0};
  for (uint32_t k = 0; k < 100; ++k) {
    dc_profile_launch low = {{1 + k, 1, 1}, {32, 1, 1}, 0, 3}, high = low;
    high.grid[0] = 100 - k;
    assert_true(dc_profile_add_launches(&up, "kernel", &low));
    assert_true(dc_profile_add_launches(&down, "kernel", &high));
  }
  assert_equal(&up, &down);
  const dc_profile_kernel *kernel = dc_profile_find_kernel(&up, "kernel");
  assert_int_equal(kernel->n_launches, DC_PROFILE_LAUNCHES);
  assert_true(kernel->launches[DC_PROFILE_LAUNCHES - 1].grid[0] == DC_PROFILE_LAUNCHES);
  assert_true(dc_profile_launch_count(kernel) == 300 && kernel->more == 300 - 3 * 64);
  dc_profile_launch too_many = {{1, 1, 1}, {1, 1, 1}, 0, UINT64_MAX - 200};
  assert_false(dc_profile_add_launches(&up, "kernel", &too_many));
  assert_null(dc_profile_find_kernel(&up, "other"));
  dc_profile_free(&up);
  dc_profile_free(&down);
}

static void of_many_values_the_least_are_kept(void **context) {
  (void)context;
  dc_profile up = {0}, down = {0};
  for (int64_t k = 0; k < 20; ++k) {
    const dc_profile_value low = {k - 10, 2}, high = {9 - k, 2};
    assert_true(dc_profile_add_value(&up, "kernel", 1, DC_PROFILE_INTEGER, low));
    assert_true(dc_profile_add_value(&down, "kernel", 1, DC_PROFILE_INTEGER, high));
  }
  const dc_profile_kernel *kernel = dc_profile_find_kernel(&up, "kernel");
  const dc_profile_param *param = &kernel->params[0];
  assert_true(param->n_values == DC_PROFILE_VALUES && param->values[0].value == -10);
  assert_true(param->values[DC_PROFILE_VALUES - 1].value == -3 && param->more == 40 - 2 * 8);
  assert_memory_equal(param, &dc_profile_find_kernel(&down, "kernel")->params[0], sizeof *param);
  const dc_profile_value too_many = {0, UINT64_MAX - 30};
  assert_false(dc_profile_add_value(&up, "kernel", 1, DC_PROFILE_INTEGER, too_many));
  dc_profile_free(&up);
  dc_profile_free(&down);
}

static void a_value_of_all_launches_is_known(void **context) {
  (void)context;
  dc_profile profile = {0};
  const dc_profile_launch launch = {{1, 1, 1}, {32, 1, 1}, 0, 3};
  const dc_profile_value all = {-7, 3}, some = {64, 2}, others = {65, 1};
  const dc_profile_param_kind extent = DC_PROFILE_EXTENT;
  int64_t value;
  assert_true(dc_profile_add_launches(&profile, "kernel", &launch));
  assert_true(dc_profile_add_value(&profile, "kernel", 0, DC_PROFILE_INTEGER, all));
  assert_true(dc_profile_add_value(&profile, "kernel", 0, extent, some));
  assert_true(dc_profile_add_value(&profile, "kernel", 1, extent, others));
  assert_true(dc_profile_add_value(&profile, "kernel", 2, DC_PROFILE_INTEGER, some));
  assert_true(dc_profile_add_value(&profile, "kernel", 2, DC_PROFILE_INTEGER, others));
  const dc_profile_kernel *kernel = dc_profile_find_kernel(&profile, "kernel");
  assert_true(dc_profile_only_value(kernel, 0, DC_PROFILE_INTEGER, &value) && value == -7);
  assert_true(dc_profile_only_value(kernel, 0, extent, &value) && value == 64); // of two in three
  assert_false(dc_profile_only_value(kernel, 1, extent, &value));
  assert_false(dc_profile_only_value(kernel, 1, DC_PROFILE_INTEGER, &value));
  assert_false(dc_profile_only_value(kernel, 2, DC_PROFILE_INTEGER, &value));
  dc_profile_free(&profile);
}

static void values_that_cannot_be_are_refused(void **context) {
  (void)context;
  for (unsigned k = 0; k < 7; ++k) {
    dc_profile profile = {0};
    const dc_profile_launch launch = {{1, 1, 1}, {32, 1, 1}, 0, 6};
    const dc_profile_value first = {1, 3}, second = {2, 3};
    const dc_profile_param_kind kind = k == 5 ? DC_PROFILE_EXTENT : DC_PROFILE_INTEGER;
    assert_true(dc_profile_add_launches(&profile, "kernel", &launch));
    assert_true(dc_profile_add_value(&profile, "kernel", 4, kind, first));
    assert_true(dc_profile_add_value(&profile, "kernel", 4, kind, second));
    dc_profile_param *param = &profile.kernels[0].params[0];
    if (k == 0)
      param->values[1].value = 1; // twice
    else if (k == 1)
      param->n_values = 0;
    else if (k == 2)
      param->values[0].count = 0;
    else if (k == 3)
      param->values[0].count = 4; // more than launches
    else if (k == 4)
      param->more = 1; // while there is room
    else if (k == 5)
      param->values[0].value = -1; // bytes
    size_t size;
    dc_error error;
    unsigned char *bytes = bytes_of(&profile, &size);
    assert_int_equal(parse_copy(bytes, size, &error), k == 6 ? DC_OK : DC_ERROR_SYNTAX);
    if (k < 6)
      assert_non_null(strstr(error.text, "the values of parameter 4 of 'kernel' can't be"));
    free(bytes);
    dc_profile_free(&profile);
  }
}

static void version_2_is_read(void **context) {
  (void)context;
  dc_profile profile = {0}, back;
  const dc_profile_launch launch = {{1, 1, 1}, {32, 1, 1}, 0, 3};
  dc_error error;
  assert_true(dc_profile_add_launches(&profile, "kernel", &launch));
  size_t size;
  unsigned char *bytes = bytes_of(&profile, &size);
  uint32_t length, sum; // without the number of parameters, which is the last byte
  memcpy(&length, bytes + 40, 4);
  --length;
  sum = dc_hash_bytes_32(bytes + 48, length);
  memcpy(bytes + 40, &length, 4);
  memcpy(bytes + 44, &sum, 4);
  uint64_t whole = size - 1;
  bytes[8] = 2;
  memcpy(bytes + 24, &whole, 8);
  sum = dc_hash_bytes_32(bytes, 32);
  memcpy(bytes + 32, &sum, 4);
  if (dc_profile_parse(bytes, size - 1, &back, &error) != DC_OK)
    fail_msg("%s", error.text);
  assert_equal(&profile, &back);
  free(bytes);
  dc_profile_free(&back);
  dc_profile_free(&profile);
}

static void launches_that_cannot_be_are_refused(void **context) {
  (void)context;
  const dc_profile_launch wrong[] = {{{0, 1, 1}, {32, 1, 1}, 0, 1},
                                     {{1, 1, 1}, {32, 0, 1}, 0, 1},
                                     {{1, 1, 1}, {32, 33, 1}, 0, 1},
                                     {{1, 1, 1}, {32, 32, 1}, 0, UINT64_MAX}};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    dc_profile profile = {0};
    assert_true(dc_profile_add_launches(&profile, "kernel", &wrong[k]));
    profile.kernels[0].more = k == 3; // then it is one too many
    size_t size;
    unsigned char *bytes = bytes_of(&profile, &size);
    dc_error error;
    assert_int_equal(parse_copy(bytes, size, &error), DC_ERROR_SYNTAX);
    assert_non_null(strstr(error.text, k == 3 ? "add up to too many" : "CUDA can't launch"));
    free(bytes);
    dc_profile_free(&profile);
  }
}

static void executions_that_cannot_be_are_refused(void **context) {
  (void)context;
  dc_profile profile = {0};
  dc_profile_body like = {(char *)"kernel", (char *)"", (char *)"_Z1fv", 7, NULL, 0};
  dc_profile_block *block = dc_profile_add_block(dc_profile_add_body(&profile, &like), 3);
  *block = (dc_profile_block){3, 2, 65};
  size_t size;
  unsigned char *bytes = bytes_of(&profile, &size);
  dc_error error;
  assert_int_equal(parse_copy(bytes, size, &error), DC_ERROR_SYNTAX);
  assert_non_null(strstr(error.text, "block 3 of '_Z1fv': 2 executions by warps can't be 65 by"));
  free(bytes);
  dc_profile_free(&profile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_trip_count_is_in_the_bin_that_begins_at_or_below_it),
      cmocka_unit_test(figures_are_those_of_the_entries),
      cmocka_unit_test(lanes_that_are_alike_have_correlation_1),
      cmocka_unit_test(independent_lanes_have_correlation_0),
      cmocka_unit_test(long_loops_keep_their_mean),
      cmocka_unit_test(merging_is_commutative_and_associative),
      cmocka_unit_test(sums_that_are_too_large_are_an_error),
      cmocka_unit_test(counts_that_cannot_be_are_refused_and_mended),
      cmocka_unit_test(a_file_with_counts_that_cannot_be_is_refused),
      cmocka_unit_test(a_file_comes_back_as_it_was),
      cmocka_unit_test(a_file_that_is_cut_off_is_refused_there),
      cmocka_unit_test(a_file_that_is_changed_anywhere_is_refused),
      cmocka_unit_test(version_1_is_read),
      cmocka_unit_test(version_2_is_read),
      cmocka_unit_test(of_many_values_the_least_are_kept),
      cmocka_unit_test(a_value_of_all_launches_is_known),
      cmocka_unit_test(values_that_cannot_be_are_refused),
      cmocka_unit_test(of_many_configurations_the_least_are_kept),
      cmocka_unit_test(launches_that_cannot_be_are_refused),
      cmocka_unit_test(executions_that_cannot_be_are_refused),
      cmocka_unit_test(another_version_is_named),
      cmocka_unit_test(processes_side_by_side_lose_nothing),
      cmocka_unit_test(a_file_that_is_no_profile_is_left_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
