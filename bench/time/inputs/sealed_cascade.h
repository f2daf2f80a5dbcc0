// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup cascade_setup("cascade", [](Twins &twins) {
  const auto &steps = twins.lengths("steps");
  const auto &rate = twins.floats((size_t)twins.n, 0.3f, 0.9f);
  const int *d_steps = twins.input("steps", steps);
  const float *d_rate = twins.input("rate", rate);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        float stage[128] = {}, sum = 0.0f;
        for (int k = 0; k < steps[item]; ++k) {
          float input = 1.0f;
          for (float &one : stage)
            input = one += rate[item] * (input - one);
        }
        for (float one : stage)
          sum += one;
        return sum;
      },
      1e-4);
  twins.group_by(steps);
  twins.launch = [=, &twins] { RUN(twins, cascade, twins.order, d_steps, d_rate, out, twins.n); };
});
