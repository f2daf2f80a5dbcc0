// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What requests to memory take, against what was counted on an H100: every row of the table.
#include "divcost/memory.h"
#include "memory/access.h"

#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct row {
  char space[16], kind[16];
  unsigned bytes, sectors, ideal_sectors, wavefronts, ideal_wavefronts;
  int64_t address[32];
  uint32_t lanes;
} row;

static void read_row(const char *line, row *out) {
  int at = 0;
  memset(out, 0, sizeof *out);
  assert_int_equal(sscanf(line, "%15s %15s %u %u %u %u %u%n", out->space, out->kind, &out->bytes,
                          &out->sectors, &out->ideal_sectors, &out->wavefronts,
                          &out->ideal_wavefronts, &at),
                   7);
  for (unsigned lane = 0; lane < 32; ++lane) {
    char *end;
    out->address[lane] = strtol(line + at, &end, 10);
    assert_ptr_not_equal(end, line + at);
    at = (int)(end - line);
    out->lanes |= (uint32_t)(out->address[lane] >= 0) << lane;
  }
}

static void check_row(const row *r, unsigned number) {
  int kind = dc_access_kind_parse(r->kind);
  assert_true(kind >= 0);
  if (strcmp(r->space, "shared") == 0) {
    unsigned taken = dc_request_wavefronts(r->address, r->lanes, r->bytes, (dc_access_kind)kind);
    if (taken != r->wavefronts ||
        dc_request_ideal_wavefronts(r->lanes, r->bytes, taken) != r->ideal_wavefronts)
      fail_msg("row %u: other wavefronts than the %u of %u that were counted", number,
               r->wavefronts, r->ideal_wavefronts);
  } else if (dc_request_sectors(r->address, r->lanes, r->bytes) != r->sectors ||
             dc_request_ideal_sectors(r->lanes, r->bytes, r->sectors) != r->ideal_sectors) {
    fail_msg("row %u: other sectors than the %u of %u that were counted", number, r->sectors,
             r->ideal_sectors);
  }
}

// The pieces of a request are as many as it takes.
static void check_pieces(const row *r, unsigned number) {
  dc_request_piece pieces[DC_REQUEST_PIECES];
  dc_space space = strcmp(r->space, "shared") == 0 ? DC_SPACE_SHARED : DC_SPACE_GLOBAL;
  dc_access_kind kind = (dc_access_kind)dc_access_kind_parse(r->kind);
  unsigned n = dc_request_pieces(space, kind, r->address, r->lanes, r->bytes, pieces);
  unsigned passes = 0, banks[DC_BANKS] = {0};
  uint32_t lanes = 0;
  assert_true(n <= DC_REQUEST_PIECES);
  for (unsigned k = 0; k < n; ++k) {
    unsigned *bank = &banks[pieces[k].at % DC_BANKS];
    lanes |= pieces[k].lanes;
    if (space == DC_SPACE_SHARED && *bank > pieces[k].pass)
      fail_msg("row %u: two words of a bank in pass %u", number, pieces[k].pass);
    *bank = pieces[k].pass + 1;
    passes = pieces[k].pass + 1 > passes ? pieces[k].pass + 1 : passes;
  }
  if (lanes != r->lanes || (space == DC_SPACE_SHARED ? passes != r->wavefronts : n != r->sectors))
    fail_msg("row %u: %u pieces in %u passes, of lanes %x", number, n, passes, (unsigned)lanes);
}

static void what_was_counted_follows(void **state) {
  (void)state;
  char line[1024];
  unsigned rows = 0;
  FILE *table = fopen(DIVCOST_RESULTS "/sm_90/requests.tsv", "r");
  assert_non_null(table);
  assert_non_null(fgets(line, sizeof line, table)); // names of the columns
  while (fgets(line, sizeof line, table)) {
    row r;
    read_row(line, &r);
    check_row(&r, ++rows);
    check_pieces(&r, rows);
  }
  fclose(table);
  assert_int_equal(rows, 1320);
}

static void places_below_zero_are_as_good_as_others(void **state) {
  (void)state;
  int64_t address[32], moved[32];
  for (unsigned lane = 0; lane < 32; ++lane) {
    address[lane] = (int64_t)(lane * 7 % 32) * 12;
    moved[lane] = address[lane] - 1280;
  }
  for (unsigned bytes = 1; bytes <= 4; bytes *= 2) {
    assert_int_equal(dc_request_sectors(address, UINT32_MAX, bytes),
                     dc_request_sectors(moved, UINT32_MAX, bytes));
    assert_int_equal(dc_request_wavefronts(address, UINT32_MAX, bytes, DC_ACCESS_LOAD),
                     dc_request_wavefronts(moved, UINT32_MAX, bytes, DC_ACCESS_LOAD));
  }
}

static void nobody_takes_nothing(void **state) {
  (void)state;
  const int64_t address[32] = {0};
  assert_int_equal(dc_request_sectors(address, 0, 4), 0);
  assert_int_equal(dc_request_ideal_sectors(0, 4, 0), 0);
  assert_int_equal(dc_request_wavefronts(address, 0, 16, DC_ACCESS_LOAD), 0);
  assert_int_equal(dc_request_ideal_wavefronts(0, 4, 0), 0);
  assert_int_equal(dc_request_addresses(address, 0), 0);
}

static void constants_are_read_one_after_the_other(void **state) {
  (void)state;
  int64_t address[32];
  for (unsigned lane = 0; lane < 32; ++lane)
    address[lane] = lane / 4 * 4;
  assert_int_equal(dc_request_addresses(address, UINT32_MAX), 8);
  assert_int_equal(dc_request_addresses(address, 0xf), 1);
}

static void names_are_found_again(void **state) {
  (void)state;
  for (int k = 0; k <= DC_ACCESS_GATHER; ++k)
    assert_int_equal(dc_access_class_parse(dc_access_class_name((dc_access_class)k)), k);
  assert_int_equal(dc_access_class_parse("column"), -1);
}

// Wherever what is common to all lies, at multiples of which nobody knows the one: as counted place
// by place.
static void places_are_counted_together(void **state) {
  (void)state;
  uint64_t seed = 20261127;
  for (unsigned trial = 0; trial < 20000; ++trial) {
    dc_access access = {.space = DC_SPACE_GLOBAL, .bytes = (uint16_t)(1 << random_below(&seed, 5))};
    dc__lane_values values = {.form = DC_LANES_APART,
                              .common = UINT64_C(1) << random_below(&seed, 7)};
    unsigned way = random_below(&seed, 4), step = random_below(&seed, 40);
    for (unsigned lane = 0; lane < 32; ++lane)
      values.apart[lane] = way == 0   ? random_below(&seed, 300)
                           : way == 1 ? (int64_t)random_below(&seed, 40) * access.bytes - 400
                                      : ((int64_t)lane - 3) * step * (way == 2 ? 1 : -access.bytes);
    uint32_t lanes = random_below(&seed, 3) ? UINT32_MAX : 1 + random_below(&seed, 1u << 31);
    dc__taken taken = {0, 0, 0, 0};
    uint64_t worst = 0, worst_seen = 0;
    unsigned places = dc__access_places(&access, &values, lanes, &taken, &worst), seen = 0;
    double low = INFINITY, high = 0;
    uint64_t every = values.common < DC_SECTOR ? values.common : DC_SECTOR;
    for (uint64_t place = 0; place < DC_SECTOR; place += every) {
      int64_t address[32];
      bool aligned = true;
      for (unsigned lane = 0; lane < 32; ++lane) {
        address[lane] = values.apart[lane] + (int64_t)place;
        aligned &= !(lanes >> lane & 1) || (uint64_t)address[lane] % access.bytes == 0;
      }
      unsigned sectors = dc_request_sectors(address, lanes, access.bytes);
      if (!aligned)
        continue;
      worst_seen = seen == 0 || sectors > high ? place : worst_seen;
      low = sectors < low ? sectors : low;
      high = sectors > high ? sectors : high;
      ++seen;
    }
    assert_int_equal(places, seen);
    if (seen > 0)
      assert_true(taken.low == low && taken.high == high && worst == worst_seen);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_are_counted_together),
      cmocka_unit_test(what_was_counted_follows),
      cmocka_unit_test(places_below_zero_are_as_good_as_others),
      cmocka_unit_test(nobody_takes_nothing),
      cmocka_unit_test(constants_are_read_one_after_the_other),
      cmocka_unit_test(names_are_found_again),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
