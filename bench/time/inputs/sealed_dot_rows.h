// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup dot_rows_setup("dot_rows", [](Twins &twins) {
  const auto &length = twins.lengths("rows");
  const auto &begin = twins.begins(length);
  const int *d_begin = twins.input("begin", begin);
  const float *d_a = twins.units("a", (size_t)begin.back());
  const float *d_b = twins.units("b", (size_t)begin.back());
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        float sum = 0.0f;
        for (int j = begin[item]; j < begin[item + 1]; ++j)
          sum += unit_at((unsigned)j) * unit_at((unsigned)j);
        return sum;
      },
      1e-4);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, dot_rows, twins.order, d_begin, d_a, d_b, out, twins.n);
  };
});
