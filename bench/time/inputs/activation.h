// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup activation_setup("activation", [](Twins &twins) {
  const auto &kind = twins.kinds("kind");
  const auto &start = twins.floats((size_t)twins.n, -1.0f, 1.0f);
  int rounds = (int)twins.value("rounds");
  const int *d_kind = twins.input("kind", kind);
  const float *d_start = twins.input("start", start);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&, rounds](size_t item) {
        float x = start[item];
        for (int k = 0; k < rounds; ++k)
          x = kind[item] ? 1.0f / (1.0f + expf(-x)) : logf(2.0f + x * x) + 0.25f * cosf(x);
        return x;
      },
      1e-3);
  twins.group({kind.begin(), kind.end()}, std::vector<double>(kind.size(), rounds));
  twins.launch = [=, &twins] {
    RUN(twins, activation, twins.order, d_kind, d_start, out, rounds, twins.n);
  };
});
