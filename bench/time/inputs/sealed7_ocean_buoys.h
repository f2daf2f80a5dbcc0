// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup ocean_buoys_setup("ocean_buoys", [](Twins &twins) {
  size_t n = (size_t)twins.n;
  const auto &waves = twins.lengths("waves");
  std::vector<float4> drawn;
  std::vector<float2> at;
  for (int k = 0; k < 128; ++k) {
    float x = twins.random.between(0.1f, 1.0f), y = twins.random.between(-1.0f, 1.0f);
    float fast = twins.random.between(0.05f, 0.4f);
    drawn.push_back(make_float4(x, y, fast, twins.random.between(0.01f, 0.04f)));
  }
  for (size_t item = 0; item < n; ++item) {
    float x = twins.random.between(0.0f, 5.0f);
    at.push_back(make_float2(x, twins.random.between(0.0f, 5.0f)));
  }
  const auto &sea = twins.keep(std::move(drawn));
  const auto &places = twins.keep(std::move(at));
  const int *d_waves = twins.input("waves", waves);
  const float2 *d_places = twins.input("places", places);
  const float4 *d_sea = twins.input("sea", sea);
  int steps = (int)twins.value("steps");
  auto found = [&, steps](size_t item) {
    double most = 0, steep = 0;
    for (int step = 0; step < steps; ++step) {
      double height = 0, slope = 0;
      for (size_t k = 0; k < (size_t)waves[item]; ++k) {
        double phase = (double)sea[k].x * (double)places[item].x +
                       (double)sea[k].y * (double)places[item].y -
                       2 * M_PI * (double)sea[k].z * step;
        height += (double)sea[k].w * cos(phase);
        slope -= (double)sea[k].w * (double)sea[k].x * sin(phase);
      }
      most = std::max(most, height);
      steep += slope * slope;
    }
    return std::make_pair((float)most, (float)steep);
  };
  float *highest =
      twins.output<float>("highest", n, [=](size_t item) { return found(item).first; }, 5e-3);
  float *steepness =
      twins.output<float>("steepness", n, [=](size_t item) { return found(item).second; }, 5e-3);
  twins.group_by(waves);
  twins.launch = [=, &twins] {
    RUN(twins, ocean_buoys, twins.order, d_waves, d_places, d_sea, highest, steepness, steps,
        twins.n);
  };
});
