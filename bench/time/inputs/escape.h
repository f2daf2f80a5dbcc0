// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup escape_setup("escape", [](Twins &twins) {
  const auto &steps = twins.lengths("steps");
  std::vector<float2> places;
  for (int k = 0; k < twins.n; ++k) {
    float x = twins.random.between(-0.2f, 0.2f), y = twins.random.between(-0.2f, 0.2f);
    places.push_back(make_float2(x, y));
  }
  const auto &start = twins.keep(std::move(places));
  const int *d_steps = twins.input("steps", steps);
  const float2 *d_start = twins.input("start", start);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        float x = 0.0f, y = 0.0f;
        for (int k = 0; k < steps[item]; ++k) {
          float xx = x * x, yy = y * y;
          y = 2.0f * x * y + start[item].y;
          x = xx - yy + start[item].x;
        }
        return x + y;
      },
      1e-5);
  twins.group_by(steps);
  twins.launch = [=, &twins] { RUN(twins, escape, twins.order, d_steps, d_start, out, twins.n); };
});
