// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup two_ways_setup("two_ways", [](Twins &twins) {
  const auto &kind = twins.kinds("kind");
  const auto &seeds = twins.seeds();
  int first = (int)twins.value("first"), second = (int)twins.value("second");
  const int *d_kind = twins.input("kind", kind);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&, first, second](size_t item) {
        unsigned seed = seeds[item];
        if (kind[item]) {
          for (int k = 0; k < first; ++k) {
            seed ^= seed >> 15;
            seed = seed * 0x2c1b3c6du + (unsigned)k;
          }
          return (float)(seed >> 8);
        }
        float x = (float)(seed >> 8) * (1.0f / 16777216.0f), y = 0.0f, z = 1.0f;
        for (int k = 0; k < second; ++k) {
          y = y * x + 0.5f;
          z = z * 0.25f + y;
        }
        return y + z;
      },
      1e-4);
  std::vector<double> work;
  for (int one : kind)
    work.push_back(one ? first : second);
  twins.group({kind.begin(), kind.end()}, work);
  twins.launch = [=, &twins] {
    RUN(twins, two_ways, twins.order, d_kind, d_seeds, out, first, second, twins.n);
  };
});
