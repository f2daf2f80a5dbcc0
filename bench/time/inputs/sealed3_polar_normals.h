// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup polar_normals_setup("polar_normals", [](Twins &twins) {
  const auto &samples = twins.lengths("samples");
  const auto &seeds = twins.keep([&] {
    std::vector<unsigned> odd = twins.seeds();
    for (unsigned &seed : odd)
      seed |= 1;
    return odd;
  }());
  std::vector<float2> spreads;
  for (size_t k = 0; k < samples.size(); ++k) {
    float one = twins.random.between(0.1f, 0.4f);
    spreads.push_back(make_float2(one, twins.random.between(0.1f, 0.4f)));
  }
  const auto &volatility = twins.keep(std::move(spreads));
  const int *d_samples = twins.input("samples", samples);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  const float2 *d_volatility = twins.input("volatility", volatility);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        unsigned state = seeds[item];
        double sum = 0;
        for (int k = 0; k < samples[item]; ++k) {
          double x, y, square;
          do {
            x = polar_draw(state);
            y = polar_draw(state);
            square = x * x + y * y;
          } while (square >= 1);
          double factor = sqrt(-2 * log(square) / square);
          sum += std::max(0.0, exp((double)volatility[item].x * x * factor) -
                                   exp((double)volatility[item].y * y * factor));
        }
        return (float)(sum / std::max(samples[item], 1));
      },
      1e-3);
  twins.group_by(samples);
  twins.launch = [=, &twins] {
    RUN(twins, polar_normals, twins.order, d_samples, d_seeds, d_volatility, out, twins.n);
  };
});
