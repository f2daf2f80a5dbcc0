// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup two_sources_setup("two_sources", [](Twins &twins) {
  const auto &kind = twins.kinds("kind");
  const auto &seeds = twins.seeds();
  unsigned mask = (unsigned)twins.value("mask");
  int gathers = (int)twins.value("gathers"), rounds = (int)twins.value("rounds");
  const int *d_kind = twins.input("kind", kind);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  const float *d_table = twins.units("table", (size_t)mask + 1);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&, mask, gathers, rounds](size_t item) {
        unsigned state = seeds[item];
        float sum = 0.0f;
        for (int k = 0; k < (kind[item] ? gathers : rounds); ++k) {
          if (kind[item]) {
            state = state * 1664525u + 1013904223u;
            sum += unit_at((state >> 4) & mask);
          } else {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            sum += (float)(state >> 16) * (1.0f / 65536.0f);
          }
        }
        return sum;
      },
      1e-4);
  std::vector<double> work;
  for (int one : kind)
    work.push_back(one ? 20.0 * gathers : rounds);
  twins.group({kind.begin(), kind.end()}, work);
  twins.launch = [=, &twins] {
    RUN(twins, two_sources, twins.order, d_kind, d_seeds, d_table, out, mask, gathers, rounds,
        twins.n);
  };
});
