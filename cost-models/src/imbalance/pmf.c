// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exact pmf of the imbalance: the joint distribution of maximum and sum (joint.h) as a table,
// in which the pairs that give the same fraction are then put together (pmf_reduce.c). Questions to
// it are in pmf_quantile.c.
#include "divcost/imbalance_pmf.h"

#include "imbalance/imbalance_internal.h"
#include "imbalance/pmf_internal.h"
#include "math/quad.h"

#include <stdlib.h>
#include <string.h>

static int64_t divisor_of_gaps(const dc_distribution *d) {
  int64_t unit = 0;
  for (size_t i = 1; i < d->count && unit != 1; ++i)
    unit = dc__gcd(d->points[i].value - d->points[0].value, unit);
  return unit > 0 ? unit : 1;
}

dc_joint dc__joint_of(const dc_distribution *distribution, unsigned lanes) {
  return (dc_joint){distribution->points, distribution->count, divisor_of_gaps(distribution), lanes,
                    0};
}

// What goes into the memory, in this order, and how many bytes of it.
typedef struct layout {
  dc_pmf_method method;
  size_t cells, rows, reduction, joint; // bytes
  double total;
} layout;

// In floating point: the numbers may exceed what a size_t holds.
static layout layout_of(const dc_joint *joint, dc_pmf_method method) {
  double n = joint->lanes, last = 0, cells = 0;
  for (size_t row = 0; row < joint->count; ++row) {
    double position = (double)dc__joint_position(joint, row);
    cells += (n - 1) * position + 1;
    last = position;
  }
  layout l = {.method = method};
  double largest = (double)joint->points[joint->count - 1].value;
  double reduction = dc__reduction_bytes(last, fmin(largest, (n - 1) * last + 1));
  double rows = ((double)joint->count + 1) * sizeof(dc_pmf_row);
  l.total = cells * sizeof(double) + rows + reduction;
  double powers = (n * n * last / 2 + n * last + n) * sizeof(double);
  if (l.total > (double)DC_PMF_BYTES_MAX) { // what the methods need doesn't matter any more
    l.total += method == DC_PMF_POWERS ? powers : 0;
    return l;
  }
  if (joint->lanes == 1) // no sum to transform
    l.method = method = DC_PMF_POWERS;
  bool fits = l.total + powers <= (double)DC_PMF_BYTES_MAX;
  if (method == DC_PMF_FASTEST)
    l.method = fits && dc__joint_powers_seconds(joint) < dc__joint_fourier_seconds(joint)
                   ? DC_PMF_POWERS
                   : DC_PMF_SPECTRUM;
  if (l.method == DC_PMF_POWERS && !fits) {
    l.total += powers;
    return l;
  }
  l.cells = (size_t)cells * sizeof(double);
  l.rows = (size_t)rows;
  l.reduction = (size_t)reduction;
  l.joint =
      l.method == DC_PMF_POWERS ? dc__joint_powers_bytes(joint) : dc__joint_fourier_bytes(joint);
  l.total += (double)l.joint;
  return l;
}

static dc_status check_pmf(const dc_distribution *distribution, unsigned lanes,
                           dc_pmf_method method, dc_error *error) {
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status == DC_OK && (unsigned)method > DC_PMF_POWERS)
    status = dc_fail(error, DC_ERROR_ARGUMENT, "method is %d, but must be one of dc_pmf_method",
                     (int)method);
  return status;
}

static dc_status check_layout(const dc_joint *joint, const layout *l, dc_error *error) {
  if (l->total <= (double)DC_PMF_BYTES_MAX)
    return DC_OK;
  return dc_fail(error, DC_ERROR_LIMIT,
                 "the exact pmf of %u lanes and %zu values would need %.3g bytes, but may have "
                 "%zu; use the grid, dc_imbalance_grid_build",
                 joint->lanes, joint->count, l->total, DC_PMF_BYTES_MAX);
}

dc_status dc_imbalance_pmf_bytes(const dc_distribution *distribution, unsigned lanes,
                                 dc_pmf_method method, size_t *bytes, dc_error *error) {
  dc_status status = check_pmf(distribution, lanes, method, error);
  if (status != DC_OK)
    return status;
  dc_joint joint = dc__joint_of(distribution, lanes);
  layout l = layout_of(&joint, method);
  status = check_layout(&joint, &l, error);
  if (status == DC_OK)
    *bytes = (size_t)l.total;
  return status;
}

typedef struct table {
  dc_pmf_row *rows;
  double *cells;
} table;

static void copy_row(void *context, size_t row, const double *masses) {
  table *t = context;
  const dc_pmf_row *r = &t->rows[row];
  memcpy(t->cells + r->begin, masses, (r[1].begin - r->begin) * sizeof(double));
}

static void fill_rows(const dc_joint *joint, dc_pmf_row *rows) {
  int64_t divisor = joint->points[0].value, lowest = joint->points[0].value;
  for (size_t i = 1; i < joint->count && divisor != 1; ++i)
    divisor = dc__gcd(joint->points[i].value, divisor);
  divisor = divisor > 0 ? divisor : 1;
  size_t begin = 0;
  for (size_t i = 0; i < joint->count; ++i) {
    int64_t value = joint->points[i].value;
    rows[i] = (dc_pmf_row){value / divisor,
                           (value + (int64_t)(joint->lanes - 1) * lowest) / divisor, begin};
    begin += dc__joint_cells(joint, i);
  }
  rows[joint->count] = (dc_pmf_row){0, 0, begin};
}

// Into memory with the layout l.
static void build_pmf(const dc_joint *joint, const layout *l, char *memory, dc_imbalance_pmf *pmf) {
  void *rows = memory + l->cells, *reduction = memory + l->cells + l->rows;
  void *work = memory + l->cells + l->rows + l->reduction;
  table t = {rows, (void *)memory};
  fill_rows(joint, t.rows);
  unsigned before = quad_flush_subnormals();
  if (l->method == DC_PMF_POWERS)
    dc__joint_powers(joint, work, copy_row, &t);
  else
    dc__joint_fourier(joint, work, copy_row, &t);
  // In units of the rows' divisor; with one value there are no gaps.
  int64_t divisor = joint->points[joint->count - 1].value > 0
                        ? joint->points[joint->count - 1].value / t.rows[joint->count - 1].maximum
                        : 1;
  int64_t unit = joint->count > 1 ? joint->unit / divisor : 1;
  *pmf = (dc_imbalance_pmf){joint->lanes, unit, joint->count, t.rows, t.cells, memory};
  dc__reduce_pmf(pmf, t.cells, reduction);
  quad_restore_subnormals(before);
}

dc_status dc_imbalance_pmf_build(const dc_distribution *distribution, unsigned lanes,
                                 dc_pmf_method method, dc_imbalance_pmf *pmf, dc_error *error) {
  *pmf = (dc_imbalance_pmf){0};
  dc_status status = check_pmf(distribution, lanes, method, error);
  if (status != DC_OK)
    return status;
  dc_joint joint = dc__joint_of(distribution, lanes);
  layout l = layout_of(&joint, method);
  status = check_layout(&joint, &l, error);
  if (status != DC_OK)
    return status;
  char *memory = malloc((size_t)l.total);
  if (!memory)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a pmf of %zu bytes", (size_t)l.total);
  build_pmf(&joint, &l, memory, pmf);
  return DC_OK;
}

void dc_imbalance_pmf_free(dc_imbalance_pmf *pmf) {
  free(pmf->memory);
  *pmf = (dc_imbalance_pmf){0};
}
