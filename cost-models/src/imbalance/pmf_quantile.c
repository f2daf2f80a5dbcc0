// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions to an exact pmf of the imbalance: its points, its moments, its quantiles. A quantile
// needs no sorting: the range of X is cut into parts, and the part that the quantile is in again,
// until it holds one number.
#include "divcost/imbalance_pmf.h"

#include "imbalance/pmf_internal.h"
#include "math/sum.h"

#define PARTS 2048

bool dc_imbalance_pmf_next(const dc_imbalance_pmf *pmf, dc_pmf_cursor *cursor,
                           dc_pmf_point *point) {
  size_t end = pmf->row[pmf->rows].begin;
  while (cursor->cell < end && pmf->cells[cursor->cell] <= 0)
    ++cursor->cell;
  if (cursor->cell >= end)
    return false;
  while (pmf->row[cursor->row + 1].begin <= cursor->cell)
    ++cursor->row;
  const dc_pmf_row *row = &pmf->row[cursor->row];
  int64_t sum = row->first_sum + (int64_t)(cursor->cell - row->begin) * pmf->unit;
  int64_t slots = row->maximum * (int64_t)pmf->lanes;
  int64_t divisor = dc__gcd(slots, sum);
  *point = (dc_pmf_point){1, 1, pmf->cells[cursor->cell]}; // a sum of 0 has X = 1
  if (sum > 0) {
    point->numerator = slots / divisor;
    point->denominator = sum / divisor;
  }
  ++cursor->cell;
  return true;
}

dc_moments dc_imbalance_pmf_moments(const dc_imbalance_pmf *pmf) {
  dc_sum excess = {0, 0}, square = {0, 0};
  for (size_t r = 0; r < pmf->rows; ++r) {
    const dc_pmf_row *row = &pmf->row[r];
    double first = 0, second = 0;
    int64_t sum = row->first_sum, slots = row->maximum * (int64_t)pmf->lanes;
    for (size_t i = row->begin; i < row[1].begin; ++i, sum += pmf->unit) {
      double x = sum > 0 ? (double)(slots - sum) / (double)sum : 0;
      first += pmf->cells[i] * x;
      second += pmf->cells[i] * x * x;
    }
    dc__sum_add(&excess, first);
    dc__sum_add(&square, second);
  }
  double first = dc__sum_value(&excess), second = dc__sum_value(&square);
  return (dc_moments){1 + first, first, second, second - first * first};
}

// What a pass over the cells finds out about the part (low, high] of the range of X.
typedef struct pass {
  double low, high;
  double masses[PARTS];             // of its parts, in ascending order
  double least[PARTS], most[PARTS]; // values of X in each
} pass;

static unsigned part_of(const pass *p, double x) {
  double part = (x - p->low) / (p->high - p->low) * PARTS;
  return part < PARTS ? (unsigned)part : PARTS - 1;
}

static void look(const dc_imbalance_pmf *pmf, pass *p) {
  for (unsigned i = 0; i < PARTS; ++i) {
    p->masses[i] = p->most[i] = 0;
    p->least[i] = HUGE_VAL;
  }
  for (size_t r = 0; r < pmf->rows; ++r) {
    const dc_pmf_row *row = &pmf->row[r];
    int64_t sum = row->first_sum, slots = row->maximum * (int64_t)pmf->lanes;
    for (size_t i = row->begin; i < row[1].begin; ++i, sum += pmf->unit) {
      double x = sum > 0 ? (double)slots / (double)sum : 1;
      if (pmf->cells[i] <= 0 || x < p->low || x > p->high)
        continue;
      unsigned part = part_of(p, x);
      p->masses[part] += pmf->cells[i];
      p->least[part] = fmin(p->least[part], x);
      p->most[part] = fmax(p->most[part], x);
    }
  }
}

double dc_imbalance_pmf_quantile(const dc_imbalance_pmf *pmf, double probability) {
  pass p = {.low = 1, .high = pmf->lanes > 1 ? pmf->lanes : 2};
  double below = 0;
  for (;;) {
    look(pmf, &p);
    unsigned part = 0, found = PARTS;
    for (; part < PARTS; ++part) {
      if (p.masses[part] <= 0)
        continue;
      found = part; // the last one there is, if rounding has made the sum too small
      if (below + p.masses[part] >= probability)
        break;
      below += p.masses[part];
    }
    if (found == PARTS)
      return p.low;
    if (part == PARTS)
      return p.most[found];
    if (p.least[found] >= p.most[found])
      return p.most[found];
    p.low = p.least[found];
    p.high = p.most[found];
  }
}
