// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Divergent exits and stack depth of the single loop and of the double loop with equal bounds, from
// the number of distinct trip counts in a warp (Bialas and Strzelecki, table I, for iid lanes in
// the mean; rules in reconvergence.h). The means are sums over the support; the distribution of the
// depth is a dynamic programme. Not here: other shapes of loop, spills, cycles.
#include "divcost/reconvergence.h"

#include "imbalance/imbalance_internal.h"
#include "math/sum.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// ---- means, iid lanes --------------------------------------------------------------------------

// What the lanes of one warp have, in the mean.
typedef struct summary {
  double distinct;      // values, 0 included
  double positive;      // distinct positive values
  double positive_sum;  // their sum
  double all_zero;      // probability that all lanes have 0
  double some_zero;     // probability that some have 0 and some don't
  double zero_and_only; // probability that some have 0 and the others all the same positive value
} summary;

// The probability that all lanes have one of two values, and both occur: (a + b)^n - a^n - b^n.
static double only_these_two(double a, double b, unsigned lanes) {
  double small = fmin(a, b), large = fmax(a, b), growth = lanes * log1p(small / large);
  double all_large = pow(large, lanes), all_small = pow(small, lanes);
  double difference =
      growth < 1 ? all_large * expm1(growth) : pow(small + large, lanes) - all_large;
  return lanes > 1 ? fmax(difference - all_small, 0) : 0;
}

// The probability that some lanes have a value and some don't.
static double splits(double value, double rest, unsigned lanes) {
  double small = fmin(value, rest);
  return lanes > 1 ? fmax(dc__any_lane(small, lanes) - pow(small, lanes), 0) : 0;
}

static summary summary_of(const dc_distribution *distribution, unsigned lanes) {
  const dc_point *points = distribution->points;
  bool has_zero = points[0].value == 0;
  double zero = has_zero ? points[0].mass : 0;
  dc_sum rest = {0, 0}, positive = {0, 0}, positive_sum = {0, 0}, only = {0, 0};
  summary s = {.all_zero = has_zero ? pow(zero, lanes) : 0};
  for (size_t i = has_zero; i < distribution->count; ++i) {
    double occurs = dc__any_lane(points[i].mass, lanes);
    dc__sum_add(&rest, points[i].mass);
    dc__sum_add(&positive, occurs);
    dc__sum_add(&positive_sum, occurs * (double)points[i].value);
    if (has_zero)
      dc__sum_add(&only, only_these_two(zero, points[i].mass, lanes));
  }
  s.positive = dc__sum_value(&positive);
  s.positive_sum = dc__sum_value(&positive_sum);
  s.zero_and_only = dc__sum_value(&only);
  s.distinct = s.positive + (has_zero ? dc__any_lane(zero, lanes) : 0);
  s.some_zero = has_zero ? splits(zero, dc__sum_value(&rest), lanes) : 0;
  return s;
}

dc_status dc_single_loop(const dc_distribution *distribution, unsigned lanes,
                         dc_reconvergence *result, dc_error *error) {
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status != DC_OK)
    return status;
  summary s = summary_of(distribution, lanes);
  *result = (dc_reconvergence){
      .distinct = s.distinct,
      .divergent_exits = fmax(s.positive - (1 - s.all_zero), 0),
      .divergent_guard = s.some_zero,
      // K, but 1 where K is 0, and 2 where K is 1 and the guard diverges.
      .depth = s.positive + s.all_zero + s.zero_and_only,
  };
  return DC_OK;
}

dc_status dc_double_loop(const dc_distribution *distribution, unsigned lanes,
                         dc_reconvergence *result, dc_error *error) {
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status != DC_OK)
    return status;
  summary s = summary_of(distribution, lanes);
  double outer = fmax(s.positive - (1 - s.all_zero), 0);
  double inner = fmax(s.positive_sum - dc__maximum_mean(distribution, lanes), 0);
  *result = (dc_reconvergence){
      .distinct = s.distinct,
      .divergent_exits = outer + inner,
      .divergent_guard = s.some_zero,
      .depth = s.positive + 1,
  };
  return DC_OK;
}

// ---- one warp's listed counts ------------------------------------------------------------------

typedef struct listed {
  int64_t positive; // distinct positive values
  int64_t sum;      // of these
  int64_t largest;
  bool zero; // some lane has 0
} listed;

static listed listed_of(const int64_t *counts, unsigned lanes) {
  listed l = {0};
  for (unsigned i = 0; i < lanes; ++i) {
    if (counts[i] == 0) {
      l.zero = true;
      continue;
    }
    unsigned first = 0;
    while (counts[first] != counts[i])
      ++first;
    if (first < i)
      continue;
    ++l.positive;
    l.sum += counts[i];
    l.largest = counts[i] > l.largest ? counts[i] : l.largest;
  }
  return l;
}

dc_status dc_single_loop_listed(const int64_t *counts, unsigned lanes, dc_reconvergence *result,
                                dc_error *error) {
  dc_status status = dc__check_counts(counts, lanes, error);
  if (status != DC_OK)
    return status;
  listed l = listed_of(counts, lanes);
  bool guard = l.zero && l.positive > 0;
  int64_t least = guard ? 2 : 1;
  *result = (dc_reconvergence){
      .distinct = (double)(l.positive + l.zero),
      .divergent_exits = (double)(l.positive > 0 ? l.positive - 1 : 0),
      .divergent_guard = guard,
      .depth = (double)(l.positive > least ? l.positive : least),
  };
  return DC_OK;
}

dc_status dc_double_loop_listed(const int64_t *counts, unsigned lanes, dc_reconvergence *result,
                                dc_error *error) {
  dc_status status = dc__check_counts(counts, lanes, error);
  if (status != DC_OK)
    return status;
  listed l = listed_of(counts, lanes);
  *result = (dc_reconvergence){
      .distinct = (double)(l.positive + l.zero),
      .divergent_exits = (double)(l.positive > 0 ? l.positive - 1 + l.sum - l.largest : 0),
      .divergent_guard = l.zero && l.positive > 0,
      .depth = (double)(l.positive + 1),
  };
  return DC_OK;
}

// ---- the distribution of the depth -------------------------------------------------------------

// If the number of lanes were Poisson with mean n, the numbers of lanes at each value would be
// independent and Poisson with mean n f_v. So P(j lanes, d distinct values) of a set of values is a
// table, the table of a union is the product (as polynomials in j and d), and given that all values
// took n lanes together, the distribution of d is the one of n lanes. A table of few values of
// small mass has few rows: small masses are collected in a block, and the block is multiplied in
// when it is full.
enum { BLOCK_ROWS = 20 }; // lanes at a block's values: 0 .. 19

// A block's mean number of lanes: 0.5^20 / 20! is 4e-25.
#define BLOCK_MEAN 0.5

// Terms below this are left out.
#define NEGLIGIBLE 1e-26

// table[j * width + d]: probability of j lanes at d distinct values. rows in use: 0 .. rows - 1.
typedef struct table {
  double *cell;
  unsigned width; // columns, and the limit of rows
  unsigned rows;
} table;

// table *= the values' own table (1, then term[i] for i lanes at one more distinct value).
static void place_value(table *t, const double *term, unsigned terms) {
  unsigned rows = t->rows + terms - 1 < t->width ? t->rows + terms - 1 : t->width;
  for (unsigned j = rows; j-- > 0;) {
    double *to = t->cell + (size_t)j * t->width;
    unsigned most = j < t->rows ? j : t->rows - 1;
    if (j < t->rows)
      for (unsigned d = 0; d <= j; ++d)
        to[d] *= term[0];
    else
      memset(to, 0, t->width * sizeof *to);
    for (unsigned i = 1; i < terms && i <= j; ++i) {
      if (j - i > most)
        continue;
      const double *from = t->cell + (size_t)(j - i) * t->width;
      for (unsigned d = 0; d <= j - i && d + 1 < t->width; ++d)
        to[d + 1] += from[d] * term[i];
    }
  }
  t->rows = rows;
}

// Poisson probabilities of 0, 1, ... lanes at a value; returns how many matter.
static unsigned poisson_terms(double mean, unsigned lanes, double *term) {
  term[0] = exp(-mean);
  unsigned i = 0;
  while (i < lanes && (i < mean || term[i] >= NEGLIGIBLE)) {
    term[i + 1] = term[i] * mean / (i + 1);
    ++i;
  }
  return i + 1;
}

// table *= block; block becomes the table of no values.
static void place_block(table *t, table *block) {
  unsigned rows = t->rows + block->rows - 1 < t->width ? t->rows + block->rows - 1 : t->width;
  for (unsigned j = rows; j-- > 0;) {
    double *to = t->cell + (size_t)j * t->width;
    if (j >= t->rows)
      memset(to, 0, t->width * sizeof *to);
    else
      for (unsigned d = 0; d <= j; ++d)
        to[d] *= block->cell[0];
    for (unsigned i = 1; i < block->rows && i <= j; ++i) {
      if (j - i >= t->rows)
        continue;
      const double *from = t->cell + (size_t)(j - i) * t->width;
      const double *factor = block->cell + (size_t)i * block->width;
      for (unsigned k = 1; k <= i; ++k)
        for (unsigned d = 0; d <= j - i; ++d)
          to[d + k] += from[d] * factor[k];
    }
  }
  t->rows = rows;
  block->rows = 1;
  block->cell[0] = 1;
}

// The table of all positive values.
static void place_all(const dc_distribution *distribution, unsigned lanes, table *t) {
  double block_cell[BLOCK_ROWS * BLOCK_ROWS], term[DC_DEPTH_LANES_MAX + 1];
  table block = {block_cell, BLOCK_ROWS, 1};
  block_cell[0] = 1;
  double block_mean = 0;
  for (size_t i = distribution->points[0].value == 0; i < distribution->count; ++i) {
    double mean = lanes * distribution->points[i].mass;
    unsigned terms = poisson_terms(mean, lanes, term);
    if (mean > BLOCK_MEAN) {
      place_value(t, term, terms);
      continue;
    }
    if (block_mean + mean > BLOCK_MEAN) {
      place_block(t, &block);
      block_mean = 0;
    }
    place_value(&block, term, terms < BLOCK_ROWS ? terms : BLOCK_ROWS);
    block_mean += mean;
    // Rows that don't matter.
    while (block.rows > 1) {
      double largest = 0;
      for (unsigned d = 0; d < block.rows; ++d)
        largest = fmax(largest, block_cell[(block.rows - 1) * BLOCK_ROWS + d]);
      if (largest >= NEGLIGIBLE)
        break;
      --block.rows;
    }
  }
  place_block(t, &block);
}

// From the table of lanes at positive values.
static void collect_depths(const dc_distribution *distribution, unsigned lanes, const table *t,
                           double *probability) {
  // The lanes that are not at positive values are at 0.
  const dc_point *lowest = distribution->points;
  double term[DC_DEPTH_LANES_MAX + 1] = {1};
  unsigned terms = lowest->value == 0 ? poisson_terms(lanes * lowest->mass, lanes, term) : 1;
  memset(probability, 0, (lanes + 1) * sizeof *probability);
  double total = 0;
  for (unsigned j = 0; j < t->rows; ++j) {
    unsigned zeros = lanes - j;
    if (zeros >= terms)
      continue;
    for (unsigned d = 0; d <= j; ++d) {
      unsigned least = zeros > 0 && d > 0 ? 2 : 1;
      double p = t->cell[(size_t)j * t->width + d] * term[zeros];
      probability[d > least ? d : least] += p;
      total += p;
    }
  }
  for (unsigned d = 0; d <= lanes; ++d)
    probability[d] /= total;
}

dc_status dc_single_loop_depth(const dc_distribution *distribution, unsigned lanes,
                               double *probability, dc_error *error) {
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status != DC_OK)
    return status;
  if (lanes > DC_DEPTH_LANES_MAX)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "lanes is %u, but must be from 1 to %u for the distribution of the depth", lanes,
                   DC_DEPTH_LANES_MAX);
  size_t width = (size_t)lanes + 1;
  table t = {malloc(width * width * sizeof(double)), lanes + 1, 1};
  if (!t.cell)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for the depths of %u lanes", lanes);
  memset(t.cell, 0, width * sizeof(double));
  t.cell[0] = 1;
  place_all(distribution, lanes, &t);
  collect_depths(distribution, lanes, &t, probability);
  free(t.cell);
  return DC_OK;
}

double dc_depth_exceeds(const double *probability, unsigned lanes, unsigned capacity) {
  double sum = 0;
  for (unsigned d = lanes; d > capacity; --d)
    sum += probability[d];
  return sum < 1 ? sum : 1;
}
