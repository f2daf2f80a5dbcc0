// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup block_rows_setup("block_rows", [](Twins &twins) {
  const auto &length = twins.lengths("blocks");
  const auto &begin = twins.begins(length);
  const auto &columns = twins.wholes((size_t)begin.back(), twins.n);
  const int *d_begin = twins.input("begin", begin);
  const int *d_columns = twins.input("columns", columns);
  const float4 *d_blocks = (const float4 *)twins.units("blocks", (size_t)begin.back() * 16);
  const float4 *d_x = (const float4 *)twins.units("x", (size_t)twins.n * 4);
  float *y = twins.output<float>(
      "y", (size_t)twins.n * 4,
      [&](size_t at) {
        double sum = 0;
        for (int j = begin[at / 4]; j < begin[at / 4 + 1]; ++j)
          for (unsigned k = 0; k < 4; ++k)
            sum += unit_at((unsigned)j * 16 + (unsigned)(at % 4) * 4 + k) *
                   unit_at((unsigned)columns[(size_t)j] * 4 + k);
        return (float)sum;
      },
      1e-4);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, block_rows, twins.order, d_begin, d_columns, d_blocks, d_x, y, twins.n);
  };
});
