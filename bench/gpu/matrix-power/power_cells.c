// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "power_cells.h"

#include <stdlib.h>
#include <string.h>

const power_name power_laws[POWER_LAWS] = {{"B(40,0.5)", "binomial(40,0.5)"},
                                           {"Geo(0.05)", "geometric(0.05)"},
                                           {"Pois(30)", "poisson(30)"},
                                           {"U(20,40)", "uniform(20,40)"},
                                           {"NB(5,0.3)", "negbin(5,0.3)"}};
const unsigned power_sizes[POWER_SIZES] = {2, 4, 8, 16, 32};

enum { SEED = 2022 };

dc_status power_law_open(unsigned law, power_law *result, dc_error *error) {
  const dc_distribution_options options = {.cut = DC_CUT_PAPER};
  *result = (power_law){0};
  dc_status status =
      dc_distribution_from_text(power_laws[law].text, &options, &result->distribution, error);
  if (status == DC_OK)
    status = dc_sampler_build(&result->distribution, &result->sampler, error);
  if (status != DC_OK)
    power_law_close(result);
  return status;
}

void power_law_close(power_law *law) {
  dc_sampler_free(&law->sampler);
  dc_distribution_free(&law->distribution);
}

void power_draw(const power_law *from, unsigned law, unsigned lanes, unsigned groups, int *counts) {
  for (uint32_t group = 0; group < groups; ++group)
    for (uint32_t lane = 0; lane < lanes; ++lane)
      counts[group * lanes + lane] =
          (int)dc_draw(&from->sampler, SEED, (uint32_t[4]){group, lane, law, lanes});
}

void power_balance(const int *counts, unsigned count, unsigned unit, int *balanced) {
  uint64_t total = 0, units = count / unit;
  for (unsigned i = 0; i < count; ++i)
    total += (uint64_t)counts[i];
  total /= unit;
  for (uint64_t u = 0; u < units; ++u)
    for (unsigned lane = 0; lane < unit; ++lane)
      balanced[u * unit + lane] = (int)((u + 1) * total / units - u * total / units);
}
