// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup column_sums_setup("column_sums", [](Twins &twins) {
  const auto &heights = twins.lengths("heights");
  size_t rows = (size_t)*std::max_element(heights.begin(), heights.end()), width = (size_t)twins.n;
  if (rows * width > 0x7fffffff)
    fail("column_sums: the table is too large for its indices");
  const int *d_heights = twins.input("heights", heights);
  const float *d_table = twins.units("table", rows * width);
  float *out = twins.output<float>(
      "out", width,
      [&, width](size_t item) {
        float sum = 0.0f;
        for (int row = 0; row < heights[item]; ++row)
          sum += unit_at((unsigned)((size_t)row * width + item));
        return sum;
      },
      1e-5);
  twins.group_by(heights);
  twins.launch = [=, &twins] {
    RUN(twins, column_sums, twins.order, d_heights, d_table, out, twins.n);
  };
});
