// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For each maximum, from the lowest to the highest value of the support: the mass function up to
// it, convolved with itself until it is the law of all lanes' sum, less that of the maximum before;
// then each pair of maximum and sum as a fraction in lowest terms. Cubic in the support.
#include "plain_imbalance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double seconds_now(void) { return (double)clock() / CLOCKS_PER_SEC; }

static double *zeros(size_t count) {
  double *memory = calloc(count, sizeof *memory);
  if (!memory) {
    fprintf(stderr, "out of memory: %zu bytes\n", count * sizeof *memory);
    exit(1);
  }
  return memory;
}

static void convolve_with_itself(const double *x, size_t count, double *restrict result) {
  memset(result, 0, (2 * count - 1) * sizeof *result);
  for (size_t i = 0; i < count; ++i)
    for (size_t j = 0; j < count; ++j)
      result[i + j] += x[i] * x[j];
}

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// A table with a place for each fraction maximum / sum in lowest terms.
typedef struct fractions {
  double *masses;
  size_t sums;
  unsigned lanes;
} fractions;

static void add_fractions(fractions *f, int64_t maximum, int64_t first_sum, const double *masses,
                          size_t count) {
  for (size_t i = 0; i < count; ++i) {
    int64_t sum = first_sum + (int64_t)i;
    if (sum == 0) { // X = 1
      f->masses[f->sums + f->lanes] += masses[i];
      continue;
    }
    int64_t divisor = common_divisor(maximum, sum);
    f->masses[(size_t)(maximum / divisor) * f->sums + (size_t)(sum / divisor)] += masses[i];
  }
}

plain_result plain_imbalance(const dc_distribution *distribution, unsigned lanes) {
  int64_t lowest = distribution->points[0].value;
  size_t values = (size_t)(dc_distribution_max(distribution) - lowest) + 1;
  size_t sums = lanes * (values - 1) + 1;
  double *one = zeros(values), *x = zeros(sums + lanes), *y = zeros(sums + lanes);
  double *row = zeros(sums), *before = zeros(sums);
  for (size_t i = 0; i < distribution->count; ++i)
    one[distribution->points[i].value - lowest] = distribution->points[i].mass;
  int64_t highest = dc_distribution_max(distribution);
  fractions f = {NULL, lanes * (size_t)highest + 1, lanes};
  f.masses = zeros(((size_t)highest + 1) * f.sums);
  plain_result result = {0, 0, 0, 0};
  double n = lanes, start = seconds_now(), reducing = 0;
  for (size_t m = 0; m < values; ++m) {
    size_t count = m + 1;
    memcpy(x, one, count * sizeof *x);
    for (unsigned of = 1; of < lanes; of *= 2) {
      convolve_with_itself(x, count, y);
      double *swap = x;
      x = y;
      y = swap;
      count = 2 * count - 1;
    }
    double maximum = (double)(lowest + (int64_t)m), first_sum = n * (double)lowest;
    for (size_t i = 0; i < count; ++i) {
      row[i] = x[i] - before[i];
      before[i] = x[i];
      double sum = first_sum + (double)i;
      result.mean += row[i] * (sum > 0 ? n * maximum / sum : 1);
    }
    double from = seconds_now();
    add_fractions(&f, lowest + (int64_t)m, (int64_t)lanes * lowest, row, count);
    reducing += seconds_now() - from;
  }
  result.whole_seconds = seconds_now() - start;
  result.mean_seconds = result.whole_seconds - reducing;
  for (size_t i = 0; i < ((size_t)highest + 1) * f.sums; ++i)
    result.total += f.masses[i];
  free(one);
  free(x);
  free(y);
  free(row);
  free(before);
  free(f.masses);
  return result;
}
