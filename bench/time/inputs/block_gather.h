// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup block_gather_setup("block_gather", [](Twins &twins) {
  const auto &draws = twins.lengths("draws");
  const auto &seeds = twins.seeds();
  unsigned mask = (unsigned)twins.value("mask");
  const int *d_draws = twins.input("draws", draws);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  const float *d_table = twins.units("table", (size_t)mask + 1);
  auto sum_of = [&, mask](size_t item) {
    unsigned state = seeds[item];
    float sum = 0.0f;
    for (int k = 0; k < draws[item]; ++k) {
      state = state * 1664525u + 1013904223u;
      sum += unit_at((state >> 4) & mask);
    }
    return sum;
  };
  float *out = twins.output<float>("out", (size_t)twins.n, sum_of, 1e-5);
  int *greatest = twins.sums<int>("greatest", 1, [&draws, sum_of] {
    float most = 0.0f;
    for (size_t item = 0; item < draws.size(); ++item)
      most = std::max(most, sum_of(item));
    return std::vector<int>{(int)most};
  });
  twins.group_by(draws);
  twins.launch = [=, &twins] {
    RUN(twins, block_gather, twins.order, d_draws, d_seeds, d_table, out, greatest, mask, twins.n);
  };
});
