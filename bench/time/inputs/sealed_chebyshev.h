// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup chebyshev_setup("chebyshev", [](Twins &twins) {
  const auto &points = twins.lengths("points");
  const auto &degrees = twins.lengths("degrees");
  const auto &width = twins.floats((size_t)twins.n, 0.0f, 0.0005f);
  const int *d_points = twins.input("points", points);
  const int *d_degrees = twins.input("degrees", degrees);
  const float *d_width = twins.input("width", width);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        float total = 0.0f;
        for (int p = 0; p < points[item]; ++p) {
          float x = width[item] * (float)p, last = 1.0f, now = x, sum = 1.0f;
          for (int d = 0; d < degrees[item]; ++d) {
            float next = 2.0f * x * now - last;
            sum += now;
            last = now;
            now = next;
          }
          total += sum;
        }
        return total;
      },
      1e-3);
  twins.group_by(points, degrees, [](int p, int d) { return p * (2.0 + d); });
  twins.launch = [=, &twins] {
    RUN(twins, chebyshev, twins.order, d_points, d_degrees, d_width, out, twins.n);
  };
});
