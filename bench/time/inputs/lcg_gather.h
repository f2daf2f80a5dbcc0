// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup lcg_gather_setup("lcg_gather", [](Twins &twins) {
  const auto &draws = twins.lengths("draws");
  const auto &seeds = twins.seeds();
  unsigned mask = (unsigned)twins.value("mask");
  const int *d_draws = twins.input("draws", draws);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  const float *d_table = twins.units("table", (size_t)mask + 1);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&, mask](size_t item) {
        unsigned state = seeds[item];
        float sum = 0.0f;
        for (int k = 0; k < draws[item]; ++k) {
          state = state * 1664525u + 1013904223u;
          sum += unit_at((state >> 4) & mask);
        }
        return sum;
      },
      1e-5);
  twins.group_by(draws);
  twins.launch = [=, &twins] {
    RUN(twins, lcg_gather, twins.order, d_draws, d_seeds, d_table, out, mask, twins.n);
  };
});
