// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup option_tree_setup("option_tree", [](Twins &twins) {
  const auto &levels = twins.lengths("levels");
  const auto &strike = twins.floats((size_t)twins.n, 0.9f, 1.1f);
  if (*std::max_element(levels.begin(), levels.end()) > 64)
    fail("option_tree has room for 64 levels");
  const int *d_levels = twins.input("levels", levels);
  const float *d_strike = twins.input("strike", strike);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        int depth = levels[item];
        double k = strike[item], up = 1.02, value[65];
        for (int level = depth; level >= 0; --level)
          for (int node = 0; node <= level; ++node) {
            double now = k - pow(up, 2 * node - level);
            double held = 0;
            if (level < depth)
              held = 0.9995 * (0.505 * value[node + 1] + 0.495 * value[node]);
            value[node] = std::max(now, held);
          }
        return (float)value[0];
      },
      1e-3);
  std::vector<double> work;
  for (int one : levels)
    work.push_back(one * (10.0 + one));
  twins.group({levels.begin(), levels.end()}, work);
  twins.launch = [=, &twins] {
    RUN(twins, option_tree, twins.order, d_levels, d_strike, out, twins.n);
  };
});
