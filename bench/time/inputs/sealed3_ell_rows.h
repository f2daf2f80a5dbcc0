// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup ell_rows_setup("ell_rows", [](Twins &twins) {
  const auto &length = twins.lengths("entries");
  std::vector<int> first;
  size_t size = 0;
  for (size_t row = 0; row < length.size(); row += 32) {
    first.push_back((int)size);
    size +=
        32 * (size_t)*std::max_element(length.begin() + (long)row, length.begin() + (long)row + 32);
  }
  const auto &slices = twins.keep(std::move(first));
  const auto &columns = twins.wholes(size, twins.n);
  const int *d_lengths = twins.input("lengths", length);
  const int *d_slices = twins.input("slices", slices);
  const int *d_columns = twins.input("columns", columns);
  const float *d_values = twins.units("values", size);
  const float *d_x = twins.units("x", (size_t)twins.n);
  float *y = twins.output<float>(
      "y", (size_t)twins.n,
      [&](size_t row) {
        double sum = 0;
        for (int k = 0; k < length[row]; ++k) {
          size_t at = (size_t)slices[row / 32] + 32 * (size_t)k + row % 32;
          sum += (double)unit_at((unsigned)at) * unit_at((unsigned)columns[at]);
        }
        return (float)sum;
      },
      1e-4);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, ell_rows, twins.order, d_lengths, d_slices, d_columns, d_values, d_x, y, twins.n);
  };
});
