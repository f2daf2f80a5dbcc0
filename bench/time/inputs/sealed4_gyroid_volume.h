// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup gyroid_volume_setup("gyroid_volume", [](Twins &twins) {
  const auto &samples = twins.lengths("samples");
  const int *d_samples = twins.input("samples", samples);
  const float4 *d_rays = (const float4 *)twins.units("rays", (size_t)twins.n * 4);
  auto traced = [&](size_t item) {
    auto of_ray = [item](unsigned k) { return (double)unit_at((unsigned)item * 4 + k); };
    double light = 0, through = 1;
    float z = 0.0f;
    for (int k = 0; k < samples[item]; ++k) {
      double x = 3 * of_ray(0) + 0.02 * k * of_ray(2), y = 3 * of_ray(1) + 0.02 * k * of_ray(3);
      double surface = sin(x) * cos(y) + sin(y) * cos(z) + sin(z) * cos(x);
      double pass = exp(-0.04 * std::max(surface, 0.0));
      light += through * (1 - pass) * (0.5 + 0.25 * (double)z);
      through *= pass;
      z += 0.03f;
      if (z > 3.1415927f)
        z -= 6.2831853f;
    }
    return std::make_pair(light, through);
  };
  size_t n = (size_t)twins.n;
  float *out =
      twins.output<float>("out", n, [=](size_t item) { return (float)traced(item).first; }, 5e-3);
  float *seen =
      twins.output<float>("seen", n, [=](size_t item) { return (float)traced(item).second; }, 5e-3);
  twins.group_by(samples);
  twins.launch = [=, &twins] {
    RUN(twins, gyroid_volume, twins.order, d_samples, d_rays, out, seen, twins.n);
  };
});
