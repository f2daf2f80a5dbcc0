// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup structure_factors_setup("structure_factors", [](Twins &twins) {
  const auto &count = twins.lengths("atoms");
  size_t all = (size_t)*std::max_element(count.begin(), count.end());
  size_t most = (size_t)twins.pair.extents.at("heat") / 4;
  if (all > most)
    fail("structure_factors needs more atoms");
  std::vector<float4> drawn, placed;
  for (size_t k = 0; k < (size_t)twins.n; ++k) {
    auto index = [&] { return (float)twins.random.below(31) - 15.0f; };
    float x = index(), y = index(), z = index();
    drawn.push_back(make_float4(x, y, z, 0.002f * (x * x + y * y + z * z)));
  }
  for (size_t k = 0; k < most; ++k) {
    float x = (float)twins.random.unit(), y = (float)twins.random.unit();
    float z = (float)twins.random.unit();
    placed.push_back(make_float4(x, y, z, 1.0f / (1.0f + 0.01f * (float)k)));
  }
  const auto &waves = twins.keep(std::move(drawn));
  const auto &places = twins.keep(std::move(placed));
  const auto &heat = twins.floats(most, 0.1f, 1.0f);
  const int *d_atoms = twins.input("atoms", count);
  const float4 *d_waves = twins.input("waves", waves);
  const float4 *d_places = twins.input("places", places);
  const float *d_heat = twins.input("heat", heat);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double real = 0, imaginary = 0;
        for (size_t k = 0; k < (size_t)count[item]; ++k) {
          const float4 &h = waves[item], &atom = places[k];
          double phase = 2 * M_PI *
                         ((double)h.x * (double)atom.x + (double)h.y * (double)atom.y +
                          (double)h.z * (double)atom.z);
          double weight = (double)atom.w * exp(-(double)h.w * (double)heat[k]);
          real += weight * cos(phase);
          imaginary += weight * sin(phase);
        }
        return (float)sqrt(real * real + imaginary * imaginary);
      },
      5e-3);
  twins.group_by(count);
  twins.launch = [=, &twins] {
    RUN(twins, structure_factors, twins.order, d_atoms, d_waves, d_places, d_heat, out, twins.n);
  };
});
