// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static unsigned four_ways_of(int kind, unsigned x, int rounds) {
  unsigned y = 1;
  for (int k = 0; k < rounds; ++k) {
    if (kind == 0) {
      x = x * 1664525u + 1013904223u;
      y += x >> 16;
    } else if (kind == 1) {
      x ^= x << 13;
      x ^= x >> 17;
      x ^= x << 5;
    } else if (kind == 2) {
      unsigned z = std::max(x, y) - std::min(x, y);
      x = y + 0x9e3779b9u;
      y = z ^ z >> 3;
    } else {
      x = (x << 7 | x >> 25) ^ y;
      y += x;
    }
  }
  return x ^ y;
}

static const Setup four_ways_setup("four_ways", [](Twins &twins) {
  const auto &kind = twins.kinds("kind");
  const auto &seeds = twins.seeds();
  int rounds = (int)twins.value("rounds");
  const int *d_kind = twins.input("kind", kind);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&, rounds](size_t item) {
    return four_ways_of(kind[item], seeds[item], rounds);
  });
  twins.group({kind.begin(), kind.end()}, std::vector<double>(kind.size(), rounds));
  twins.launch = [=, &twins] {
    RUN(twins, four_ways, twins.order, d_kind, d_seeds, out, rounds, twins.n);
  };
});
