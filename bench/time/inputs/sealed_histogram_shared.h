// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup histogram_shared_setup("histogram_shared", [](Twins &twins) {
  const auto &throws = twins.lengths("throws");
  const auto &seeds = twins.seeds();
  const int *d_throws = twins.input("throws", throws);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    unsigned state = seeds[item];
    for (int k = 0; k < throws[item]; ++k)
      state = state * 1664525u + 1013904223u;
    return state;
  });
  unsigned *total = twins.sums<unsigned>("total", 256, [&] {
    std::vector<unsigned> bins(256, 0);
    for (size_t item = 0; item < throws.size(); ++item) {
      unsigned state = seeds[item];
      for (int k = 0; k < throws[item]; ++k)
        ++bins[(state = state * 1664525u + 1013904223u) >> 24];
    }
    return bins;
  });
  twins.group_by(throws);
  twins.launch = [=, &twins] {
    RUN(twins, histogram_shared, twins.order, d_throws, d_seeds, out, total, twins.n);
  };
});
