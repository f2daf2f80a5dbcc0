// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup newton_chain_setup("newton_chain", [](Twins &twins) {
  const auto &steps = twins.lengths("steps");
  const auto &square = twins.floats((size_t)twins.n, 1.0f, 100.0f);
  const int *d_steps = twins.input("steps", steps);
  const float *d_square = twins.input("square", square);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        float x = 1.0f;
        for (int k = 0; k < steps[item]; ++k)
          x = 0.5f * (x + square[item] / x);
        return x;
      },
      1e-5);
  twins.group_by(steps);
  twins.launch = [=, &twins] {
    RUN(twins, newton_chain, twins.order, d_steps, d_square, out, twins.n);
  };
});
