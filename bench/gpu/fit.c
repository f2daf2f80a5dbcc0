// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fit.h"

#include <math.h>
#include <string.h>

enum { N = FIT_UNKNOWNS_MAX };

// Of a pivot, against the largest entry of its matrix: smaller ones are rounding.
static const double negligible = 1e-9;

typedef struct system {
  double a[N][N], inverse[N][N];
  unsigned size;
} system;

static void add_row(system *s, unsigned to, unsigned from, double factor) {
  for (unsigned k = 0; k < s->size; ++k) {
    s->a[to][k] -= factor * s->a[from][k];
    s->inverse[to][k] -= factor * s->inverse[from][k];
  }
}

// Gauss and Jordan on a symmetric matrix, so pivots on the diagonal will do. What has none is left
// out: its row and column of the inverse are zero.
static void invert(system *s, bool known[N]) {
  double largest = 0;
  for (unsigned k = 0; k < s->size; ++k)
    largest = fmax(largest, s->a[k][k]);
  memset(s->inverse, 0, sizeof s->inverse);
  for (unsigned k = 0; k < s->size; ++k) {
    known[k] = s->a[k][k] > negligible * largest;
    if (!known[k]) {
      for (unsigned j = 0; j < s->size; ++j)
        s->a[k][j] = s->a[j][k] = s->inverse[k][j] = s->inverse[j][k] = 0;
      continue;
    }
    s->inverse[k][k] = 1;
    double pivot = s->a[k][k];
    for (unsigned j = 0; j < s->size; ++j) {
      s->a[k][j] /= pivot;
      s->inverse[k][j] /= pivot;
    }
    for (unsigned j = 0; j < s->size; ++j)
      if (j != k && s->a[j][k] != 0)
        add_row(s, j, k, s->a[j][k]);
  }
}

static void solve(const system *s, const double right[N], fit *result) {
  for (unsigned k = 0; k < s->size; ++k)
    for (unsigned j = 0; j < s->size; ++j)
      result->unknowns[k].value += s->inverse[k][j] * right[j];
}

// Residuals, and what they say of the unknowns.
static void judge(const system *s, const double *rows, const double *y, unsigned points,
                  unsigned known, fit *result) {
  double squares = 0;
  for (unsigned i = 0; i < points; ++i) {
    double residual = y[i];
    for (unsigned k = 0; k < s->size; ++k)
      residual -= rows[i * s->size + k] * result->unknowns[k].value;
    result->worst = fmax(result->worst, fabs(residual));
    squares += residual * residual;
  }
  double variance = points > known ? squares / (points - known) : 0;
  for (unsigned k = 0; k < s->size; ++k)
    result->unknowns[k].error = sqrt(variance * s->inverse[k][k]);
}

dc_status fit_least_squares(const double *rows, const double *y, unsigned points, unsigned unknowns,
                            fit *result, dc_error *error) {
  if (unknowns < 1 || unknowns > N)
    return dc_fail(error, DC_ERROR_ARGUMENT, "%u unknowns: 1 .. %d can be fitted", unknowns, N);
  system s = {.size = unknowns};
  double right[N] = {0};
  for (unsigned i = 0; i < points; ++i)
    for (unsigned k = 0; k < unknowns; ++k) {
      right[k] += rows[i * unknowns + k] * y[i];
      for (unsigned j = 0; j < unknowns; ++j)
        s.a[k][j] += rows[i * unknowns + k] * rows[i * unknowns + j];
    }
  bool known[N];
  unsigned count = 0;
  invert(&s, known);
  *result = (fit){.worst = 0};
  for (unsigned k = 0; k < unknowns; ++k) {
    result->unknowns[k].known = known[k];
    count += known[k];
  }
  if (points < count)
    return dc_fail(error, DC_ERROR_ARGUMENT, "%u points for %u unknowns", points, count);
  solve(&s, right, result);
  judge(&s, rows, y, points, count, result);
  return DC_OK;
}
