// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup wind_mixtures_setup("wind_mixtures", [](Twins &twins) {
  size_t count = (size_t)twins.pair.extents.at("table") / 16;
  const auto &components = twins.lengths("components");
  if ((size_t)*std::max_element(components.begin(), components.end()) > count)
    fail("wind_mixtures needs a longer table");
  const auto &angles = twins.floats((size_t)twins.n, 0.0f, 6.28f);
  std::vector<float4> drawn;
  for (size_t k = 0; k < count; ++k) {
    float weight = twins.random.between(-9.0f, -5.0f), one = twins.random.between(0.0f, 2.0f);
    float two = twins.random.between(-1.0f, 1.0f);
    drawn.push_back(make_float4(weight, one, two, twins.random.between(0.0f, 6.28f)));
  }
  const auto &table = twins.keep(std::move(drawn));
  const int *d_components = twins.input("components", components);
  const float *d_angles = twins.input("angles", angles);
  const float4 *d_table = twins.input("table", table);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double sum = 0;
        for (size_t k = 0; k < (size_t)components[item]; ++k) {
          double off = (double)angles[item] - (double)table[k].w;
          sum += exp((double)table[k].x + (double)table[k].y * cos(off) +
                     (double)table[k].z * cos(2 * off));
        }
        return (float)sum;
      },
      1e-3);
  twins.group_by(components);
  twins.launch = [=, &twins] {
    RUN(twins, wind_mixtures, twins.order, d_components, d_angles, d_table, out, twins.n);
  };
});
