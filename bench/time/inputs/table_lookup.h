// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup table_lookup_setup("table_lookup", [](Twins &twins) {
  const auto &samples = twins.lengths("samples");
  const auto &seeds = twins.seeds();
  const int *d_samples = twins.input("samples", samples);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  const float *d_table = twins.units("table", 2049);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        unsigned state = seeds[item];
        float sum = 0.0f;
        for (int k = 0; k < samples[item]; ++k) {
          state = state * 1664525u + 1013904223u;
          float along = (float)(state >> 5 & 0xffff) * (1.0f / 65536.0f);
          float low = unit_at(state >> 21), high = unit_at((state >> 21) + 1);
          sum += low + along * (high - low);
        }
        return sum;
      },
      1e-4);
  twins.group_by(samples);
  twins.launch = [=, &twins] {
    RUN(twins, table_lookup, twins.order, d_samples, d_seeds, d_table, out, twins.n);
  };
});
