// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup kepler64_setup("kepler64", [](Twins &twins) {
  const auto &times = twins.lengths("times");
  std::vector<double> flat, fast;
  for (size_t k = 0; k < times.size(); ++k) {
    flat.push_back(0.4 * twins.random.unit());
    fast.push_back(0.1 + twins.random.unit());
  }
  const auto &eccentricity = twins.keep(std::move(flat));
  const auto &motion = twins.keep(std::move(fast));
  const int *d_times = twins.input("times", times);
  const double *d_eccentricity = twins.input("eccentricity", eccentricity);
  const double *d_motion = twins.input("motion", motion);
  double *out = twins.output<double>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double e = eccentricity[item], sum = 0, mean = 0;
        for (int k = 0; k < times[item]; ++k) {
          mean += motion[item];
          if (mean > M_PI)
            mean -= 2 * M_PI;
          // As often as it takes by halving.
          double low = mean - 1, high = mean + 1;
          for (int i = 0; i < 60; ++i) {
            double middle = (low + high) / 2;
            (middle - e * sin(middle) < mean ? low : high) = middle;
          }
          sum += cos(low) - e + sqrt(1 - e * e) * sin(low);
        }
        return sum;
      },
      1e-7);
  twins.group_by(times);
  twins.launch = [=, &twins] {
    RUN(twins, kepler64, twins.order, d_times, d_eccentricity, d_motion, out, twins.n);
  };
});
