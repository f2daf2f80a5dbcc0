// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the distributions that are made of others do with points: put them in order, add independent
// draws, take the largest. Sums of values on a common grid are convolutions (convolve.h); where the
// grid has more cells than there are pairs of points, the pairs are merged in order instead, so
// that a few values far apart stay a few.
#include "distribution/distribution_internal.h"
#include "math/convolve.h"
#include "math/sum.h"

#include <math.h>
#include <string.h>

void dc__points_scale(dc_point *points, size_t count, double weight) {
  dc_sum total = {0, 0};
  for (size_t i = 0; i < count; ++i)
    dc__sum_add(&total, points[i].mass);
  // Divided first: the weight over a very small sum could overflow.
  for (size_t i = 0; i < count; ++i)
    points[i].mass = points[i].mass / (dc__sum_value(&total)) * weight;
}

static void sift_down(dc_point *points, size_t root, size_t count) {
  dc_point moving = points[root];
  for (size_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && points[child].value < points[child + 1].value)
      ++child;
    if (points[child].value <= moving.value)
      break;
    points[root] = points[child];
  }
  points[root] = moving;
}

// Heapsort by value, where needed: qsort may allocate.
static void sort_points(dc_point *points, size_t count) {
  size_t sorted = 1;
  while (sorted < count && points[sorted - 1].value <= points[sorted].value)
    ++sorted;
  if (sorted >= count)
    return;
  for (size_t i = count / 2; i > 0; --i)
    sift_down(points, i - 1, count);
  for (size_t i = count; i > 1; --i) {
    dc_point last = points[i - 1];
    points[i - 1] = points[0];
    points[0] = last;
    sift_down(points, 0, i - 1);
  }
}

// Adds up neighbours of equal value, drops masses of 0; returns how many are left.
static size_t merge_points(dc_point *points, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    if (points[i].mass <= 0)
      continue;
    if (kept > 0 && points[kept - 1].value == points[i].value)
      points[kept - 1].mass += points[i].mass;
    else
      points[kept++] = points[i];
  }
  return kept;
}

size_t dc__points_tidy(dc_point *points, size_t count) {
  sort_points(points, count);
  count = merge_points(points, count);
  dc__points_scale(points, count, 1);
  // Dividing may have made 0 of the smallest.
  return merge_points(points, count);
}

static dc_status too_many(dc_error *error) {
  return dc_fail(error, DC_ERROR_LIMIT, "the distribution has more than %zu values; narrow it",
                 DC_POINTS_MAX);
}

// ---- sums --------------------------------------------------------------------------------------

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

// Cells from the first to the last sum of a grid of this step.
static size_t cells_of(dc_range a, dc_range b, int64_t step) {
  return (size_t)((a.last - a.first) / step + (b.last - b.first) / step) + 1;
}

// na * nb without overflow; both are at most DC_POINTS_MAX.
static size_t pairs_of(size_t na, size_t nb) { return na * nb; }

// For a convolution: both operands and the result as arrays, and its work.
static size_t grid_bytes(size_t cells) {
  return 3 * (cells + 1) * sizeof(double) + dc__convolve_values(cells) * sizeof(double);
}

// For merging: a heap with an entry for each point of the shorter operand, and the result.
typedef struct heap_entry {
  int64_t value;
  size_t of_short, of_long;
} heap_entry;

static size_t merge_bytes(size_t shorter, size_t pairs) {
  return least(pairs, DC_POINTS_MAX + 1) * sizeof(dc_point) + shorter * sizeof(heap_entry);
}

size_t dc__points_sum_bytes(size_t na, dc_range a, size_t nb, dc_range b) {
  size_t pairs = pairs_of(na, nb), cells = least(cells_of(a, b, 1), least(pairs, DC_POINTS_MAX));
  size_t grid = grid_bytes(cells), merge = merge_bytes(least(na, nb), pairs);
  return (grid > merge ? grid : merge) / sizeof(dc_point) * sizeof(dc_point) + sizeof(dc_point);
}

// The greatest step of which all values, counted from the first, are multiples; step 0 for none
// yet.
static int64_t common_step(const dc_point *points, size_t count, int64_t step) {
  for (size_t i = 1; i < count && step != 1; ++i)
    for (int64_t other = points[i].value - points[0].value; other != 0;) {
      int64_t rest = step % other;
      step = other;
      other = rest;
    }
  return step;
}

static size_t spread(const dc_point *points, size_t count, int64_t step, double *cells) {
  size_t length = (size_t)((points[count - 1].value - points[0].value) / step) + 1;
  memset(cells, 0, length * sizeof *cells);
  for (size_t i = 0; i < count; ++i)
    cells[(points[i].value - points[0].value) / step] = points[i].mass;
  return length;
}

static size_t sum_on_grid(const dc_point *a, size_t na, const dc_point *b, size_t nb, int64_t step,
                          void *work, dc_point *result) {
  double *x = work;
  size_t nx = spread(a, na, step, x), ny = nx;
  double *y = a == b ? x : x + nx;
  if (a != b)
    ny = spread(b, nb, step, y);
  // The sums lie behind the work, so that writing the result never reaches them.
  size_t cells = nx + ny - 1;
  double *convolving = x + nx + (a == b ? 0 : ny);
  double *out = convolving + dc__convolve_values(cells);
  dc__convolve(x, nx, y, ny, out, convolving);
  double largest = 0;
  for (size_t k = 0; k < cells; ++k)
    largest = fmax(largest, out[k]);
  int64_t first = a[0].value + b[0].value;
  size_t count = 0;
  for (size_t k = 0; k < cells; ++k)
    if (out[k] > DC_NEGLIGIBLE * largest)
      result[count++] = (dc_point){first + (int64_t)k * step, out[k]};
  return count;
}

// The heap has its least value in front.
static void heap_settle(heap_entry *heap, size_t count, size_t root) {
  heap_entry moving = heap[root];
  for (size_t child; (child = 2 * root + 1) < count; root = child) {
    if (child + 1 < count && heap[child + 1].value < heap[child].value)
      ++child;
    if (heap[child].value >= moving.value)
      break;
    heap[root] = heap[child];
  }
  heap[root] = moving;
}

// All pairs in ascending order of their sums: a row for each point of the shorter operand, and of
// all rows the least next sum.
static dc_status sum_by_merging(const dc_point *a, size_t na, const dc_point *b, size_t nb,
                                void *work, size_t *count, dc_error *error) {
  dc_point *sums = work;
  heap_entry *heap = (heap_entry *)(sums + least(pairs_of(na, nb), DC_POINTS_MAX + 1));
  for (size_t i = 0; i < na; ++i)
    heap[i] = (heap_entry){a[i].value + b[0].value, i, 0};
  size_t used = 0, rows = na; // ascending, so it is a heap
  while (rows > 0) {
    heap_entry *top = &heap[0];
    double mass = a[top->of_short].mass * b[top->of_long].mass;
    if (used > 0 && sums[used - 1].value == top->value)
      sums[used - 1].mass += mass;
    else if (used > DC_POINTS_MAX)
      return too_many(error);
    else
      sums[used++] = (dc_point){top->value, mass};
    if (++top->of_long < nb)
      top->value = a[top->of_short].value + b[top->of_long].value;
    else
      heap[0] = heap[--rows];
    heap_settle(heap, rows, 0);
  }
  *count = used;
  return DC_OK;
}

dc_status dc__points_sum(const dc_point *a, size_t na, const dc_point *b, size_t nb, void *work,
                         dc_point *result, size_t *count, dc_error *error) {
  dc_range in_a = {a[0].value, a[na - 1].value}, in_b = {b[0].value, b[nb - 1].value};
  if (in_a.last > DC_TRIPS_MAX - in_b.last)
    return dc_fail(error, DC_ERROR_ARGUMENT, "the sum goes up to %.0f, but must be at most %lld",
                   (double)in_a.last + (double)in_b.last, (long long)DC_TRIPS_MAX);
  int64_t step = common_step(b, nb, common_step(a, na, 0));
  size_t cells = cells_of(in_a, in_b, step > 0 ? step : 1), pairs = pairs_of(na, nb);
  dc_status status = DC_OK;
  if (cells <= DC_POINTS_MAX && cells <= pairs) {
    *count = sum_on_grid(a, na, b, nb, step > 0 ? step : 1, work, result);
  } else if (na + nb - 1 > DC_POINTS_MAX) {
    status = too_many(error);
  } else if (pairs > DC_PAIRS_MAX) {
    status = dc_fail(error, DC_ERROR_LIMIT,
                     "the sum has %zu pairs of values over %zu steps, but may have %zu pairs or "
                     "%zu steps; narrow it",
                     pairs, cells, DC_PAIRS_MAX, DC_POINTS_MAX);
  } else {
    status = na < nb ? sum_by_merging(a, na, b, nb, work, count, error)
                     : sum_by_merging(b, nb, a, na, work, count, error);
    if (status == DC_OK && *count > DC_POINTS_MAX)
      status = too_many(error);
    if (status == DC_OK)
      memmove(result, work, *count * sizeof *result);
  }
  if (status == DC_OK)
    *count = dc__points_tidy(result, *count);
  return status;
}

// ---- the largest -------------------------------------------------------------------------------

size_t dc__points_max_bytes(size_t na, size_t nb) { return (na + nb) * sizeof(dc_point); }

// P(max = v) = P(A = v) P(B <= v) + P(A < v) P(B = v): positive terms only.
dc_status dc__points_max(const dc_point *a, size_t na, const dc_point *b, size_t nb, void *work,
                         dc_point *result, size_t *count, dc_error *error) {
  dc_point *merged = work;
  dc_sum below_a = {0, 0}, below_b = {0, 0};
  size_t i = 0, j = 0, used = 0;
  while (i < na || j < nb) {
    int64_t value = j == nb || (i < na && a[i].value <= b[j].value) ? a[i].value : b[j].value;
    double mass_a = i < na && a[i].value == value ? a[i++].mass : 0;
    double mass_b = j < nb && b[j].value == value ? b[j++].mass : 0;
    dc__sum_add(&below_b, mass_b);
    double mass = mass_a * dc__sum_value(&below_b) + dc__sum_value(&below_a) * mass_b;
    dc__sum_add(&below_a, mass_a);
    if (mass > 0)
      merged[used++] = (dc_point){value, mass};
  }
  if (used > DC_POINTS_MAX)
    return too_many(error);
  memmove(result, merged, used * sizeof *result);
  *count = dc__points_tidy(result, used);
  return DC_OK;
}

// F^k - (F - f)^k, with F = exp(log_all) >= f, without cancellation.
static double power_step(double log_all, double mass, double k) {
  double share = fmin(mass / exp(log_all), 1);
  return exp(k * log_all) * -expm1(k * log1p(-share));
}

size_t dc__points_max_of(dc_point *points, size_t count, double k) {
  // From above while P(W > v) is the smaller side, and so keeps its digits; then from below.
  dc_sum above = {0, 0};
  size_t end = count;
  while (end > 0 && dc__sum_value(&above) < 0.5) {
    double mass = points[--end].mass;
    points[end].mass = power_step(log1p(-dc__sum_value(&above)), mass, k);
    dc__sum_add(&above, mass);
  }
  dc_sum below = {0, 0};
  for (size_t i = 0; i < end; ++i) {
    double mass = points[i].mass;
    dc__sum_add(&below, mass);
    points[i].mass = power_step(log(dc__sum_value(&below)), mass, k);
  }
  return dc__points_tidy(points, count);
}
