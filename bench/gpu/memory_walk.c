// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "memory_walk.h"

#include <stdlib.h>
#include <string.h>

#include "divcost/random.h"
#include "divcost/sampler.h"

const walk_level walk_levels[WALK_LEVELS] = {
    {"l1", true, 3}, {"l2", false, 12}, {"dram", false, 17}}; // 32 KiB, 16 MiB, 512 MiB

const walk_layout walk_layouts[WALK_LAYOUTS] = {{5, 32}, {4, 32}, {3, 32}, {2, 32},
                                                {1, 32}, {0, 32}, {0, 128}};

const char *const walk_laws[WALK_LAWS] = {"geometric(0.05)", "uniform(0,40)", "poisson(20)",
                                          "zipf(1.5,200)", "0.9*const(8)+0.1*const(100)"};

int walk_level_find(const char *name) {
  for (int l = 0; l < WALK_LEVELS; ++l)
    if (strcmp(walk_levels[l].name, name) == 0)
      return l;
  return -1;
}

int walk_law_find(const char *text) {
  for (int l = 0; l < WALK_LAWS; ++l)
    if (strcmp(walk_laws[l], text) == 0)
      return l;
  return -1;
}

// A linear congruential generator of full period (Hull and Dobell): odd increment, multiplier 1
// modulo 4.
unsigned walk_next(const walk_level *level, unsigned row) {
  return (row * 1664525u + 1013904223u) & ((1u << level->rows_log2) - 1);
}

// --- trip counts ---------------------------------------------------------------------------------

void walk_subsets(unsigned active, uint16_t *trips) {
  memset(trips, 0, (size_t)WALK_TRIPS * WALK_LANES * sizeof *trips);
  for (uint32_t row = 0; row < WALK_TRIPS; ++row) {
    unsigned char lanes[WALK_LANES];
    for (unsigned lane = 0; lane < WALK_LANES; ++lane)
      lanes[lane] = (unsigned char)lane;
    for (uint32_t k = 0; k < active; ++k) { // the first steps of a shuffle
      double unit = dc_random_unit(active, (uint32_t[4]){row, k, 0, 0});
      unsigned other = k + (unsigned)(unit * (WALK_LANES - k));
      unsigned char lane = lanes[other];
      lanes[other] = lanes[k];
      lanes[k] = lane;
      trips[row * WALK_LANES + lane] = 1;
    }
  }
}

dc_status walk_distribution(const char *law, dc_distribution *distribution, dc_error *error) {
  static const dc_distribution_options options = {.cut = 1e-15};
  return dc_distribution_from_text(law, &options, distribution, error);
}

dc_status walk_draw(const dc_distribution *distribution, uint16_t *trips, dc_error *error) {
  enum { SEED = 20 };
  dc_sampler sampler;
  dc_status status = dc_sampler_build(distribution, &sampler, error);
  for (uint32_t row = 0; status == DC_OK && row < WALK_TRIPS; ++row)
    for (uint32_t lane = 0; lane < WALK_LANES; ++lane)
      trips[row * WALK_LANES + lane] =
          (uint16_t)dc_draw(&sampler, SEED, (uint32_t[4]){row, lane, 0, 0});
  dc_sampler_free(&sampler);
  return status;
}
