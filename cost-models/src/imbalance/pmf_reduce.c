// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Equal fractions in a table of (maximum, sum), put together: Swatman et al. 2022, equation 11. The
// pairs whose fraction in lowest terms is a / b are (k a, k b). Those with the least k for which
// k a is a value that occurs, and k b a sum that it can have, get the mass of the others. The
// common divisors of a maximum m and all the sums are those of m and the residues of the sums,
// which recur; so no division is needed for most cells, and those with no common divisor aren't
// looked at.
#include "imbalance/pmf_internal.h"

#include <math.h>
#include <string.h>

// A residue r of the sums modulo m that has a common divisor with m.
typedef struct shared {
  uint32_t residue, divisor;
  uint32_t a, b;  // m and r over the divisor
  int64_t origin; // of the sums in the row of a: the cell of the sum b is origin + b
} shared;

#define NO_ROW INT64_MIN

typedef struct reduction {
  const dc_imbalance_pmf *pmf;
  double *cells;
  int64_t lowest, others; // the lowest value, and the least sum of all lanes but one
  uint32_t *row_at;       // the row at a position, or 0 if there is none, which is never asked for
  uint32_t *divisors;     // scratch, for each residue
  shared *residues;
  int64_t residues_max;
} reduction;

static double multiple_of_8(double bytes) { return ceil(bytes / 8) * 8; }

double dc__reduction_bytes(double positions, double residues) {
  return multiple_of_8((positions + 1) * sizeof(uint32_t)) +
         multiple_of_8((residues + 1) * sizeof(uint32_t)) + (residues + 1) * sizeof(shared);
}

// The least k with k a >= the lowest value and k b >= k a + what the others have at least.
static int64_t least_multiple(int64_t lowest, int64_t others, int64_t a, int64_t b) {
  if (a >= lowest && b - a >= others)
    return 1;
  int64_t for_maximum = (lowest + a - 1) / a;
  int64_t for_sum = others > 0 ? (others + (b - a) - 1) / (b - a) : 0;
  return for_maximum > for_sum ? for_maximum : for_sum;
}

// Where the mass of the fraction a / b goes that the row has as divisor * (a, b): NULL if nowhere.
static double *target(const reduction *r, int64_t a, int64_t b, int64_t divisor) {
  const dc_imbalance_pmf *pmf = r->pmf;
  int64_t k = least_multiple(r->lowest, r->others, a, b);
  for (; k < divisor; ++k) {
    int64_t above = k * a - r->lowest;
    if (pmf->unit > 1 && above % pmf->unit != 0)
      continue;
    size_t position = (size_t)(pmf->unit > 1 ? above / pmf->unit : above),
           row = r->row_at[position];
    if (row == 0 && above != 0)
      continue;
    int64_t offset = k * b - pmf->row[row].first_sum;
    if (pmf->unit == 1)
      return r->cells + pmf->row[row].begin + offset;
    if (offset % pmf->unit == 0)
      return r->cells + pmf->row[row].begin + offset / pmf->unit;
  }
  return NULL;
}

static void move_mass(const reduction *r, double *cell, int64_t a, int64_t b, int64_t divisor) {
  double *to = target(r, a, b, divisor);
  if (to) {
    *to += *cell;
    *cell = 0;
  }
}

// For a lattice with unit 1.
static int64_t origin_of_row(const reduction *r, int64_t maximum) {
  if (maximum < r->lowest)
    return NO_ROW;
  uint32_t row = r->row_at[maximum - r->lowest];
  if (row == 0 && maximum != r->lowest)
    return NO_ROW;
  return (int64_t)r->pmf->row[row].begin - r->pmf->row[row].first_sum;
}

// Lists the residues modulo m that have a common divisor with m, if the largest multiple of a below
// m, which is m - a, is high enough to be a value; returns how many.
static size_t list_shared(const reduction *r, uint32_t m) {
  uint32_t *divisors = r->divisors;
  memset(divisors, 0, m * sizeof *divisors);
  for (uint32_t d = 2; d <= m; ++d) // ascending: the greatest stays
    if (m % d == 0)
      for (uint32_t i = 0; i < m; i += d)
        divisors[i] = d;
  size_t count = 0;
  for (uint32_t i = 0; i < m; ++i) {
    uint32_t divisor = divisors[i], a = divisor > 0 ? m / divisor : m;
    if (a < m && (int64_t)(m - a) >= r->lowest)
      r->residues[count++] = (shared){i, divisor, a, i / divisor, origin_of_row(r, (int64_t)a)};
  }
  return count;
}

static void reduce_by_residues(const reduction *r, size_t row) {
  const dc_pmf_row *pmf_row = &r->pmf->row[row];
  int64_t m = pmf_row->maximum, first = pmf_row->first_sum;
  int64_t last = first + (int64_t)(pmf_row[1].begin - pmf_row->begin) - 1;
  size_t count = list_shared(r, (uint32_t)m);
  double *cells = r->cells + pmf_row->begin;
  for (int64_t multiple = first / m; multiple * m <= last; ++multiple)
    for (size_t i = 0; i < count; ++i) {
      const shared *s = &r->residues[i];
      int64_t sum = multiple * m + s->residue;
      if (sum < first || sum > last)
        continue;
      double *cell = cells + (sum - first);
      int64_t b = s->b + multiple * s->a;
      if (s->origin == NO_ROW || b - s->a < r->others) {
        move_mass(r, cell, s->a, b, s->divisor);
      } else { // to (a, b) itself, as mostly
        r->cells[s->origin + b] += *cell;
        *cell = 0;
      }
    }
}

static void reduce_one_by_one(const reduction *r, size_t row) {
  const dc_pmf_row *pmf_row = &r->pmf->row[row];
  int64_t sum = pmf_row->first_sum;
  for (size_t i = pmf_row->begin; i < pmf_row[1].begin; ++i, sum += r->pmf->unit) {
    int64_t divisor = dc__gcd(pmf_row->maximum, sum);
    if (divisor > 1 && r->cells[i] > 0)
      move_mass(r, r->cells + i, pmf_row->maximum / divisor, sum / divisor, divisor);
  }
}

void dc__reduce_pmf(const dc_imbalance_pmf *pmf, double *cells, void *memory) {
  const dc_pmf_row *rows = pmf->row;
  reduction r = {.pmf = pmf, .cells = cells, .lowest = rows[0].maximum, .row_at = memory};
  r.others = (int64_t)(pmf->lanes - 1) * r.lowest;
  size_t positions = (size_t)((rows[pmf->rows - 1].maximum - r.lowest) / pmf->unit);
  int64_t cells_max = (int64_t)(pmf->lanes - 1) * (int64_t)positions + 1;
  r.residues_max =
      rows[pmf->rows - 1].maximum < cells_max ? rows[pmf->rows - 1].maximum : cells_max;
  memset(r.row_at, 0, (positions + 1) * sizeof *r.row_at);
  for (size_t row = 0; row < pmf->rows; ++row)
    r.row_at[(rows[row].maximum - r.lowest) / pmf->unit] = (uint32_t)row;
  r.divisors = r.row_at + (positions + 2) / 2 * 2;
  void *after = r.divisors + (r.residues_max + 2) / 2 * 2;
  r.residues = after;
  if (rows[0].maximum == 0 && pmf->rows > 1) { // a sum of 0 is X = 1, as if all lanes agreed
    cells[rows[2].begin - 1] += cells[0];
    cells[0] = 0;
  }
  // Ascending: the cell that has it all is then complete when it is last added to.
  for (size_t row = 1; row < pmf->rows; ++row) {
    int64_t count = (int64_t)(rows[row + 1].begin - rows[row].begin);
    if (pmf->unit == 1 && rows[row].maximum <= count && rows[row].maximum <= r.residues_max)
      reduce_by_residues(&r, row);
    else
      reduce_one_by_one(&r, row);
  }
}
