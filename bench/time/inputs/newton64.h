// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup newton64_setup("newton64", [](Twins &twins) {
  const auto &steps = twins.lengths("steps");
  std::vector<double> numbers;
  for (int k = 0; k < twins.n; ++k)
    numbers.push_back(1.0 + 99.0 * twins.random.unit());
  const auto &cube = twins.keep(std::move(numbers));
  const int *d_steps = twins.input("steps", steps);
  const double *d_cube = twins.input("cube", cube);
  double *out = twins.output<double>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double x = 2.0;
        for (int k = 0; k < steps[item]; ++k)
          x -= (x * x * x - cube[item]) / (3.0 * x * x);
        return x;
      },
      1e-9);
  twins.group_by(steps);
  twins.launch = [=, &twins] { RUN(twins, newton64, twins.order, d_steps, d_cube, out, twins.n); };
});
