// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup mttkrp_fibers_setup("mttkrp_fibers", [](Twins &twins) {
  size_t rows = (size_t)twins.pair.extents.at("second") / 32;
  size_t others = (size_t)twins.pair.extents.at("third") / 32;
  const auto &length = twins.lengths("entries");
  const auto &begin = twins.begins(length);
  std::vector<int2> drawn;
  for (int k = 0; k < begin.back(); ++k) {
    int row = (int)twins.random.below(rows);
    drawn.push_back(make_int2(row, (int)twins.random.below(others)));
  }
  const auto &places = twins.keep(std::move(drawn));
  const int *d_begin = twins.input("begin", begin);
  const int2 *d_places = twins.input("places", places);
  const float *d_values = twins.units("values", places.size());
  const float *d_second = twins.units("second", rows * 8);
  const float *d_third = twins.units("third", others * 8);
  float *out = twins.output<float>(
      "out", (size_t)twins.n * 8,
      [&](size_t at) {
        double sum = 0;
        for (int k = begin[at / 8]; k < begin[at / 8 + 1]; ++k) {
          const int2 &place = places[(size_t)k];
          sum += (double)unit_at((unsigned)k) *
                 (double)unit_at((unsigned)place.x * 8 + (unsigned)at % 8) *
                 (double)unit_at((unsigned)place.y * 8 + (unsigned)at % 8);
        }
        return (float)sum;
      },
      1e-4);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, mttkrp_fibers, twins.order, d_begin, d_places, d_values, (const float4 *)d_second,
        (const float4 *)d_third, (float4 *)out, twins.n);
  };
});
