// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup duffing64_setup("duffing64", [](Twins &twins) {
  const auto &steps = twins.lengths("steps");
  std::vector<double> places;
  for (int k = 0; k < twins.n; ++k)
    places.push_back(0.2 + twins.random.unit());
  const auto &start = twins.keep(std::move(places));
  const int *d_steps = twins.input("steps", steps);
  const double *d_start = twins.input("start", start);
  double *out = twins.output<double>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        const double at[4] = {0, 0.01, 0.01, 0.02}, weight[4] = {1, 2, 2, 1};
        double x = start[item], v = 0;
        for (int k = 0; k < steps[item]; ++k) {
          double dx = 0, dv = 0, by_x = 0, by_v = 0;
          for (int stage = 0; stage < 4; ++stage) {
            double xs = x + at[stage] * by_x, vs = v + at[stage] * by_v;
            by_x = vs;
            by_v = xs - xs * xs * xs - 0.3 * vs;
            dx += weight[stage] * by_x;
            dv += weight[stage] * by_v;
          }
          x += 0.02 / 6 * dx;
          v += 0.02 / 6 * dv;
        }
        return x;
      },
      1e-6);
  twins.group_by(steps);
  twins.launch = [=, &twins] {
    RUN(twins, duffing64, twins.order, d_steps, d_start, out, twins.n);
  };
});
