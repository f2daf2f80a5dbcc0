// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup lattice_cells_setup("lattice_cells", [](Twins &twins) {
  int width = (int)twins.value("width");
  size_t n = (size_t)twins.n;
  const auto &kind = twins.kinds("kind");
  const unsigned char *d_kinds =
      twins.input("kinds", std::vector<unsigned char>(kind.begin(), kind.end()));
  const float *d_flow = twins.units("flow", 9 * n);
  float *next = twins.output<float>(
      "next", 9 * n,
      [&, width, n](size_t at) {
        const int right[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
        const int down[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
        size_t cell = at % n, q = at / n;
        double weight = q ? q < 5 ? 1.0 / 9 : 1.0 / 36 : 4.0 / 9;
        if (kind[cell] == 1) {
          size_t back = q ? q < 5 ? (q + 1) % 4 + 1 : (q - 3) % 4 + 5 : 0;
          return unit_at((unsigned)(back * n + cell));
        }
        if (kind[cell])
          return (float)(weight * (1 + 0.3 * right[q]));
        double density = 0, x = 0, y = 0, own = 0;
        for (size_t k = 0; k < 9; ++k) {
          long from = (long)cell - down[k] * width - right[k] + (long)n;
          double one = (double)unit_at((unsigned)(k * n + (size_t)from % n));
          density += one;
          x += right[k] * one;
          y += down[k] * one;
          own = k == q ? one : own;
        }
        x /= density;
        y /= density;
        double along = right[q] * x + down[q] * y;
        double even =
            weight * density * (1 + 3 * along + 4.5 * along * along - 1.5 * (x * x + y * y));
        return (float)(own + 1.2 * (even - own));
      },
      1e-4);
  twins.group_by(kind, kind, [](int one, int) { return one == 0 ? 3 : one == 1 ? 2 : 1; });
  twins.launch = [=, &twins] {
    RUN(twins, lattice_cells, twins.order, d_kinds, d_flow, next, width, twins.n);
  };
});
