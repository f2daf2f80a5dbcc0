// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup two_hop_setup("two_hop", [](Twins &twins) {
  if (twins.text_of("neighbours") != twins.text_of("edges"))
    fail("two_hop has one graph, and so one distribution");
  const auto &degree = twins.lengths("neighbours");
  const auto &begin = twins.begins(degree);
  const auto &columns = twins.wholes((size_t)begin.back(), twins.n);
  const int *d_begin = twins.input("begin", begin);
  const int *d_columns = twins.input("columns", columns);
  const float *d_weights = twins.units("weights", (size_t)begin.back());
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        float sum = 0.0f;
        for (int j = begin[item]; j < begin[item + 1]; ++j) {
          size_t node = (size_t)columns[(size_t)j];
          for (int i = begin[node]; i < begin[node + 1]; ++i)
            sum += unit_at((unsigned)i);
        }
        return sum;
      },
      1e-4);
  std::vector<int> all;
  for (size_t item = 0; item < degree.size(); ++item) {
    int sum = 0;
    for (int j = begin[item]; j < begin[item + 1]; ++j)
      sum += 1 + degree[(size_t)columns[(size_t)j]];
    all.push_back(sum);
  }
  twins.group_by(degree, all, [](int, int sum) { return (double)sum; });
  twins.launch = [=, &twins] {
    RUN(twins, two_hop, twins.order, d_begin, d_columns, d_weights, out, twins.n);
  };
});
