// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Columns and values have as many entries as the pool, which the kernel isn't told.
static const Setup slice_gather_setup("slice_gather", [](Twins &twins) {
  const int pool = 2 << 20;
  const auto &length = twins.lengths("length");
  std::vector<int> from;
  for (int one : length)
    from.push_back((int)twins.random.below((uint64_t)(pool - one)));
  const auto &begin = twins.keep(std::move(from));
  const auto &columns = twins.wholes((size_t)pool, pool);
  const int *d_begin = twins.input("begin", begin);
  const int *d_length = twins.input("length", length);
  const int *d_columns = twins.input("columns", columns);
  const float *d_values = twins.units("values", (size_t)pool);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        float sum = 0.0f;
        for (int j = begin[item]; j < begin[item] + length[item]; ++j)
          sum += unit_at((unsigned)columns[(size_t)j]);
        return sum;
      },
      1e-5);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, slice_gather, twins.order, d_begin, d_length, d_columns, d_values, out, twins.n);
  };
});
