// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup velvet_taps_setup("velvet_taps", [](Twins &twins) {
  size_t held = (size_t)twins.pair.extents.at("sound") / 4, n = (size_t)twins.n;
  size_t most = (size_t)twins.pair.extents.at("taps") / 4, reach = held / 2;
  const auto &counts = twins.lengths("counts");
  if ((size_t)*std::max_element(counts.begin(), counts.end()) > most)
    fail("velvet_taps needs more taps");
  std::vector<int> drawn, at;
  for (size_t k = 0; k < most; ++k)
    drawn.push_back((int)((k + twins.random.unit()) / (double)most * (double)(reach - 2) * 64) * 2 +
                    (int)twins.random.below(2));
  for (size_t item = 0; item < n; ++item)
    at.push_back((int)(reach + twins.random.below(held - reach)));
  const auto &taps = twins.keep(std::move(drawn));
  const auto &places = twins.keep(std::move(at));
  const int *d_counts = twins.input("counts", counts);
  const int *d_places = twins.input("places", places);
  const int *d_taps = twins.input("taps", taps);
  const float *d_sound = twins.units("sound", held);
  float *out = twins.output<float>(
      "out", n,
      [&](size_t item) {
        double sum = 0;
        for (size_t k = 0; k < (size_t)counts[item]; ++k) {
          int back = taps[k] / 2;
          unsigned whole = (unsigned)(places[item] - back / 64);
          double part = back % 64 / 64.0;
          sum += (taps[k] % 2 ? -1 : 1) *
                 ((1 - part) * (double)unit_at(whole) + part * (double)unit_at(whole - 1));
        }
        return (float)sum;
      },
      1e-3);
  twins.group_by(counts);
  twins.launch = [=, &twins] {
    RUN(twins, velvet_taps, twins.order, d_counts, d_places, d_taps, d_sound, out, twins.n);
  };
});
