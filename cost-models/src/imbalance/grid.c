// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks and grids of iid lanes: maxima over many lanes, and list scheduling in the mean. The
// formulas are in grid.h.
#include "divcost/grid.h"

#include "divcost/imbalance.h"

#include "imbalance/imbalance_internal.h"
#include "math/sum.h"

#define BLOCKS_MAX ((uint64_t)1 << 31)
#define PLACES_MAX 65536u

static dc_status check_block(unsigned lanes, unsigned warps, dc_error *error) {
  if (lanes >= 1 && warps >= 1 && (uint64_t)lanes * warps <= DC_LANES_MAX)
    return DC_OK;
  return dc_fail(error, DC_ERROR_ARGUMENT,
                 "a block has %u warps of %u lanes, but must have 1 to %u lanes in total", warps,
                 lanes, DC_LANES_MAX);
}

static dc_status check_places(const char *what, unsigned value, dc_error *error) {
  if (value >= 1 && value <= PLACES_MAX)
    return DC_OK;
  return dc_fail(error, DC_ERROR_ARGUMENT, "%s is %u, but must be from 1 to %u", what, value,
                 PLACES_MAX);
}

dc_status dc_grid_check(const dc_grid *grid, dc_error *error) {
  dc_status status = check_block(grid->lanes, grid->warps, error);
  if (status == DC_OK && (grid->blocks < 1 || grid->blocks > BLOCKS_MAX))
    status = dc_fail(error, DC_ERROR_ARGUMENT, "blocks is %llu, but must be from 1 to %llu",
                     (unsigned long long)grid->blocks, (unsigned long long)BLOCKS_MAX);
  if (status == DC_OK)
    status = check_places("multiprocessors", grid->multiprocessors, error);
  if (status == DC_OK)
    status = check_places("slots", grid->slots, error);
  return status;
}

dc_status dc_block_imbalance(const dc_distribution *distribution, unsigned lanes, unsigned warps,
                             dc_block_loss *result, dc_error *error) {
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status == DC_OK)
    status = check_block(lanes, warps, error);
  if (status != DC_OK)
    return status;
  double mean = dc_distribution_mean(distribution);
  dc_block_loss loss = {.iterations = dc__maximum_mean(distribution, lanes * warps),
                        .aggregate = 1};
  loss.waiting = fmax(loss.iterations - dc__maximum_mean(distribution, lanes), 0);
  if (mean > 0)
    loss.aggregate = fmax(loss.iterations / mean, 1);
  loss.efficiency = 1 / loss.aggregate;
  *result = loss;
  return DC_OK;
}

// P(at least one of n lanes is in a set of probability p), for more lanes than dc__any_lane takes.
static double any_of(double p, double n) { return p < 1 ? -expm1(n * log1p(-p)) : 1; }

// The first two moments of the longest of n lanes' duration: E[D], E[D^2].
static void longest(const dc_distribution *distribution, double n, double *first, double *second) {
  const dc_point *points = distribution->points;
  dc_sum tail = {0, 0}, one = {0, 0}, two = {0, 0};
  for (size_t i = distribution->count - 1; i > 0; --i) {
    dc__sum_add(&tail, points[i].mass);
    double low = (double)points[i - 1].value, high = (double)points[i].value;
    double some = any_of(dc__sum_value(&tail), n);
    dc__sum_add(&one, (high - low) * some);
    dc__sum_add(&two, (high - low) * (high + low) * some);
  }
  double least = (double)points[0].value;
  dc__sum_add(&one, least);
  dc__sum_add(&two, least * least);
  *first = dc__sum_value(&one);
  *second = dc__sum_value(&two);
}

// The integral of r^(m-1) over a gap of x in which r rises evenly from `from` to `to`.
static double power_integral(double from, double to, double gap, double m) {
  if (m * (to - from) < 1e-6)
    return gap * pow((from + to) / 2, m - 1);
  return gap * (pow(to, m) - pow(from, m)) / (m * (to - from));
}

// E[max(D, R_1 ... R_(m-1))], by walking down from the greatest value: P(R <= x) falls from 1 by
// P(D > y) dy / E[D].
static double longest_rest(const dc_distribution *distribution, double n, double m, double mean) {
  const dc_point *points = distribution->points;
  dc_sum tail = {0, 0}, result = {0, 0};
  double ended = 1;
  for (size_t i = distribution->count - 1; i > 0; --i) {
    dc__sum_add(&tail, points[i].mass);
    double gap = (double)(points[i].value - points[i - 1].value);
    double some = any_of(dc__sum_value(&tail), n);
    double before = fmax(ended - some * gap / mean, 0);
    dc__sum_add(&result, gap - (1 - some) * power_integral(before, ended, gap, m));
    ended = before;
  }
  dc__sum_add(&result, (double)points[0].value); // D is never less
  return dc__sum_value(&result);
}

dc_status dc_grid_makespan(const dc_distribution *distribution, const dc_grid *grid,
                           dc_makespan *result, dc_error *error) {
  dc_status status = dc_grid_check(grid, error);
  if (status == DC_OK)
    status = dc__check_iid(distribution, grid->lanes, error);
  if (status != DC_OK)
    return status;
  double n = (double)grid->lanes * grid->warps, blocks = (double)grid->blocks;
  double m = (double)grid->multiprocessors * grid->slots;
  double block, square, all, unused;
  longest(distribution, n, &block, &square);
  longest(distribution, n * blocks, &all, &unused);
  dc_makespan span = {.exact = true, .efficiency = 1};
  if (blocks <= m) {
    span.low = span.high = span.iterations = all;
  } else if (distribution->count == 1) {
    span.low = span.high = span.iterations = ceil(blocks / m) * block;
  } else {
    double rest = square / (2 * block);
    span.exact = false;
    span.low = fmax(blocks * block / m, all);
    span.high = blocks * block / m + (1 - 1 / m) * all;
    span.iterations =
        ((blocks - 1) * block - (m - 1) * rest) / m + longest_rest(distribution, n, m, block);
    span.iterations = fmin(fmax(span.iterations, span.low), span.high);
  }
  span.tail = fmax(span.iterations - blocks * block / m, 0);
  if (span.iterations > 0)
    span.efficiency = fmin(blocks * dc_distribution_mean(distribution) / (m * span.iterations), 1);
  *result = span;
  return DC_OK;
}
