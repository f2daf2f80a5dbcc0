// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup lookback_paths_setup("lookback_paths", [](Twins &twins) {
  const auto &days = twins.lengths("days");
  const auto &seeds = twins.seeds();
  const auto &volatility = twins.floats((size_t)twins.n, 0.005f, 0.02f);
  const int *d_days = twins.input("days", days);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  const float *d_volatility = twins.input("volatility", volatility);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        unsigned state = seeds[item];
        double sigma = volatility[item], price = 0, highest = 0;
        for (int day = 0; day < days[item]; ++day) {
          state = state * 1664525u + 1013904223u;
          double first = ((state >> 8) + 1) / 16777216.0;
          state = state * 1664525u + 1013904223u;
          double second = (state >> 8) * (2 * M_PI / 16777216.0);
          price += sigma * sqrt(-2 * log(first)) * cos(second - M_PI) - 0.5 * sigma * sigma;
          highest = std::max(highest, price);
        }
        return (float)(exp(highest) - exp(price));
      },
      5e-3);
  twins.group_by(days);
  twins.launch = [=, &twins] {
    RUN(twins, lookback_paths, twins.order, d_days, d_seeds, d_volatility, out, twins.n);
  };
});
