// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup ozone_cells64_setup("ozone_cells64", [](Twins &twins) {
  const auto &steps = twins.lengths("steps");
  std::vector<double> warm, much;
  for (size_t k = 0; k < steps.size(); ++k) {
    warm.push_back(0.5 + twins.random.unit());
    much.push_back(0.5 + 0.5 * twins.random.unit());
  }
  const auto &heat = twins.keep(std::move(warm));
  const auto &start = twins.keep(std::move(much));
  const int *d_steps = twins.input("steps", steps);
  const double *d_heat = twins.input("heat", heat);
  const double *d_start = twins.input("start", start);
  auto reacted = [&](size_t item) {
    double x = start[item], y = 0, temperature = heat[item];
    for (int k = 0; k < steps[item]; ++k) {
      double a = 0.04 * exp(1 - 1 / temperature), b = 40 * exp(-1 / temperature);
      double was_x = x, was_y = y;
      for (int i = 0; i < 2; ++i) {
        double z = 1 - x - y;
        // Newton's step by elimination.
        double m[2][3] = {
            {1 + 0.5 * (a + b * y), 0.5 * b * (y - z), was_x - x - 0.5 * (a * x - b * y * z)},
            {-0.5 * (a + b * y), 1 - 0.5 * (b * (y - z) - 60 * y),
             was_y - y + 0.5 * (a * x - b * y * z - 30 * y * y)}};
        double by = m[1][0] / m[0][0];
        double more_y = (m[1][2] - by * m[0][2]) / (m[1][1] - by * m[0][1]);
        x += (m[0][2] - m[0][1] * more_y) / m[0][0];
        y += more_y;
      }
      temperature += 0.01 * (was_x - x);
    }
    return std::make_pair(x, y);
  };
  size_t n = (size_t)twins.n;
  double *slow =
      twins.output<double>("slow", n, [=](size_t item) { return reacted(item).first; }, 1e-8);
  double *fast =
      twins.output<double>("fast", n, [=](size_t item) { return reacted(item).second; }, 1e-8);
  twins.group_by(steps);
  twins.launch = [=, &twins] {
    RUN(twins, ozone_cells64, twins.order, d_steps, d_heat, d_start, slow, fast, twins.n);
  };
});
