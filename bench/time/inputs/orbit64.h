// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup orbit64_setup("orbit64", [](Twins &twins) {
  const auto &steps = twins.lengths("steps");
  std::vector<double> angles;
  for (int k = 0; k < twins.n; ++k)
    angles.push_back(0.1 + 0.7 * twins.random.unit());
  const auto &turn = twins.keep(std::move(angles));
  const int *d_steps = twins.input("steps", steps);
  const double *d_turn = twins.input("turn", turn);
  double *out = twins.output<double>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double a = turn[item], b = 0.9 - a, x = 1.0, y = 0.0;
        for (int k = 0; k < steps[item]; ++k) {
          double next = x * a - y * b + 0.125;
          y = x * b + y * a - 0.25;
          x = next;
        }
        return x + y;
      },
      1e-9);
  twins.group_by(steps);
  twins.launch = [=, &twins] { RUN(twins, orbit64, twins.order, d_steps, d_turn, out, twins.n); };
});
