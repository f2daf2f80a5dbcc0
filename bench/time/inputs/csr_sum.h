// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// x is as long as its extent says.
static const Setup csr_sum_setup("csr_sum", [](Twins &twins) {
  auto extent = twins.pair.extents.find("x");
  if (extent == twins.pair.extents.end())
    fail("csr_sum needs the extent of x");
  int width = (int)(extent->second / 4);
  const auto &length = twins.lengths("rows");
  const auto &begin = twins.begins(length);
  const auto &columns = twins.wholes((size_t)begin.back(), width);
  const int *d_begin = twins.input("begin", begin);
  const int *d_columns = twins.input("columns", columns);
  const float *d_values = twins.units("values", (size_t)begin.back());
  const float *d_x = twins.units("x", (size_t)width);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        float sum = 0.0f;
        for (int j = begin[item]; j < begin[item + 1]; ++j)
          sum += unit_at((unsigned)j) * unit_at((unsigned)columns[(size_t)j]);
        return sum;
      },
      1e-4);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, csr_sum, twins.order, d_begin, d_columns, d_values, d_x, out, twins.n);
  };
});
