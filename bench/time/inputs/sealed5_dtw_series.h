// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup dtw_series_setup("dtw_series", [](Twins &twins) {
  size_t points = (size_t)twins.value("points");
  if (points > 32 || twins.pair.block > 256)
    fail("dtw_series has columns for 256 threads and 32 points");
  const auto &length = twins.lengths("samples");
  const auto &begin = twins.begins(length);
  std::vector<short> noisy;
  for (int one : length)
    for (int k = 0; k < one; ++k)
      noisy.push_back((short)(1000 * sin(6.0 * k / one) + (double)twins.random.below(400)));
  std::vector<int> smooth;
  for (size_t k = 0; k < points; ++k)
    smooth.push_back((int)(1000 * sin(6.0 * (double)k / (double)points)));
  const auto &series = twins.keep(std::move(noisy));
  const auto &pattern = twins.keep(std::move(smooth));
  const int *d_begin = twins.input("begin", begin);
  const short *d_series = twins.input("series", series);
  const int *d_pattern = twins.input("pattern", pattern);
  int *out = twins.output<int>("out", (size_t)twins.n, [&, points](size_t item) {
    size_t count = (size_t)length[item];
    std::vector<std::vector<int>> cost(count + 1, std::vector<int>(points + 1, 1 << 29));
    cost[0][0] = 0;
    for (size_t i = 1; i <= count; ++i)
      for (size_t j = 1; j <= points; ++j)
        cost[i][j] = abs(series[(size_t)begin[item] + i - 1] - pattern[j - 1]) +
                     std::min({cost[i - 1][j], cost[i][j - 1], cost[i - 1][j - 1]});
    return cost[count][points];
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, dtw_series, twins.order, d_begin, d_series, d_pattern, out, (int)points, twins.n);
  };
});
