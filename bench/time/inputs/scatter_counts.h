// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup scatter_counts_setup("scatter_counts", [](Twins &twins) {
  const auto &throws = twins.lengths("throws");
  const auto &seeds = twins.seeds();
  unsigned mask = (unsigned)twins.value("mask");
  const int *d_throws = twins.input("throws", throws);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  unsigned *bins = twins.sums<unsigned>("bins", (size_t)mask + 1, [&, mask] {
    std::vector<unsigned> counts((size_t)mask + 1, 0);
    for (size_t item = 0; item < throws.size(); ++item) {
      unsigned state = seeds[item];
      for (int k = 0; k < throws[item]; ++k) {
        state = state * 1664525u + 1013904223u;
        ++counts[(state >> 8) & mask];
      }
    }
    return counts;
  });
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    unsigned state = seeds[item];
    for (int k = 0; k < throws[item]; ++k)
      state = state * 1664525u + 1013904223u;
    return state;
  });
  twins.group_by(throws);
  twins.launch = [=, &twins] {
    RUN(twins, scatter_counts, twins.order, d_throws, d_seeds, bins, out, mask, twins.n);
  };
});
