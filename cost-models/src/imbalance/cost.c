// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divcost/cost.h"

#include "imbalance/imbalance_internal.h"
#include "imbalance/levels.h"

#define COST_MAX 1e12

double dc_iteration_cycles(const dc_iteration_cost *cost, unsigned active) {
  if (active == 0)
    return 0;
  return cost->table ? cost->table[active - 1] : cost->base + cost->per_lane * active;
}

dc_status dc_iteration_cost_check(const dc_iteration_cost *cost, unsigned lanes, dc_error *error) {
  dc_status status = dc__check_lanes(lanes, error);
  if (status != DC_OK)
    return status;
  if (cost->table && cost->count < lanes)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "the table of iteration costs has %zu entries, but must have one for each of "
                   "1 to %u active lanes",
                   cost->count, lanes);
  for (unsigned a = 1; a <= lanes; ++a) {
    double cycles = dc_iteration_cycles(cost, a);
    if (!(cycles >= 0 && cycles <= COST_MAX))
      return dc_fail(error, DC_ERROR_ARGUMENT,
                     "the cost of an iteration with %u active lanes is %.10g, but must be in "
                     "[0, %g]",
                     a, cycles, COST_MAX);
  }
  if (dc_iteration_cycles(cost, lanes) <= 0)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "the cost of an iteration with all %u lanes active is 0, but must be positive",
                   lanes);
  return DC_OK;
}

typedef struct level_cost {
  const dc_iteration_cost *cost;
  unsigned lanes;
} level_cost;

static double cycles_of(double active, const void *context) {
  return dc_iteration_cycles(context, (unsigned)active);
}

static double level_cycles(double at_least, double below, const void *context) {
  const level_cost *level = context;
  return dc__binomial_mean(level->lanes, at_least, below, cycles_of, level->cost);
}

static dc_status linear(const dc_distribution *distribution, unsigned lanes,
                        const dc_iteration_cost *cost, dc_cost_loss *result, dc_error *error) {
  double imbalance;
  dc_status status = dc_expected_imbalance(distribution, lanes, &imbalance, error);
  if (status != DC_OK)
    return status;
  result->cycles = cost->base * dc__maximum_mean(distribution, lanes) +
                   cost->per_lane * lanes * dc_distribution_mean(distribution);
  result->expected =
      (cost->base * imbalance + cost->per_lane * lanes) / dc_iteration_cycles(cost, lanes);
  return DC_OK;
}

static void listed(const dc_distribution *distribution, unsigned lanes,
                   const dc_iteration_cost *cost, dc_cost_loss *result) {
  const dc_point *lowest = distribution->points;
  const level_cost level = {cost, lanes};
  const dc_levels levels = {distribution, 1, level_cycles, &level};
  result->cycles = dc__levels_sum(&levels);
  if (distribution->count == 1) {
    result->expected = 1;
    return;
  }
  double all_zero = lowest->value == 0 ? pow(lowest->mass, lanes) : 0;
  result->expected =
      all_zero + lanes / dc_iteration_cycles(cost, lanes) * dc__levels_ratio(&levels, lanes);
}

dc_status dc_cost_imbalance(const dc_distribution *distribution, unsigned lanes,
                            const dc_iteration_cost *cost, dc_cost_loss *result, dc_error *error) {
  dc_status status = dc__check_iid(distribution, lanes, error);
  if (status == DC_OK)
    status = dc_iteration_cost_check(cost, lanes, error);
  if (status != DC_OK)
    return status;
  dc_cost_loss loss = {0};
  if (cost->table)
    listed(distribution, lanes, cost, &loss);
  else if ((status = linear(distribution, lanes, cost, &loss, error)) != DC_OK)
    return status;
  loss.ideal = dc_distribution_mean(distribution) * dc_iteration_cycles(cost, lanes);
  loss.lost = loss.cycles - loss.ideal;
  loss.aggregate = loss.ideal > 0 ? loss.cycles / loss.ideal : 1;
  loss.efficiency = 1 / loss.aggregate;
  *result = loss;
  return DC_OK;
}
