// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// How far the planet moves follows from the chance that it covers the star.
static const Setup transit_flux_setup("transit_flux", [](Twins &twins) {
  double chance = twins.pair.branches.at("covered")[0];
  const auto &samples = twins.lengths("samples");
  std::vector<float4> drawn;
  for (int k = 0; k < twins.n; ++k) {
    float p = twins.random.between(0.05f, 0.3f), off = twins.random.between(0.0f, 0.8f);
    double across = 2 * sqrt((1.0 + p) * (1.0 + p) - (double)off * off);
    drawn.push_back(make_float4(p, off, (float)(across / chance), (float)twins.random.unit()));
  }
  const auto &stars = twins.keep(std::move(drawn));
  const int *d_samples = twins.input("samples", samples);
  const float4 *d_stars = twins.input("stars", stars);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        const float4 &star = stars[item];
        double p = star.x, lost = 0;
        float when = star.w;
        for (int k = 0; k < samples[item]; ++k) {
          when += 0.618034f;
          if (when >= 1.0f)
            when -= 1.0f;
          double x = (when - 0.5) * star.z, z = sqrt(x * x + (double)star.y * star.y);
          if (z >= 1 + p)
            continue;
          if (z <= 1 - p) {
            lost += M_PI * p * p;
            continue;
          }
          double a = acos((z * z + p * p - 1) / (2 * z * p)), b = acos((z * z + 1 - p * p) / 2 / z);
          lost += p * p * (a - sin(2 * a) / 2) + b - sin(2 * b) / 2;
        }
        return samples[item] ? (float)(lost / M_PI / samples[item]) : 0.0f;
      },
      2e-3);
  twins.group_by(samples);
  twins.launch = [=, &twins] {
    RUN(twins, transit_flux, twins.order, d_samples, d_stars, out, twins.n);
  };
});
