// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup rank_select_setup("rank_select", [](Twins &twins) {
  if (twins.text_of("entries") != twins.text_of("others"))
    fail("rank_select compares the entries of a row with each other");
  const auto &length = twins.lengths("entries");
  const auto &begin = twins.begins(length);
  const auto &entries = twins.wholes((size_t)begin.back(), 1000);
  const int *d_begin = twins.input("begin", begin);
  const int *d_entries = twins.input("entries", entries);
  int *out = twins.output<int>("out", (size_t)twins.n, [&](size_t item) {
    std::vector<int> row(entries.begin() + begin[item], entries.begin() + begin[item + 1]);
    std::sort(row.begin(), row.end());
    return row.empty() ? 0 : row[row.size() / 2];
  });
  std::vector<double> work;
  for (int one : length)
    work.push_back(one * (5.0 + one));
  twins.group({length.begin(), length.end()}, work);
  twins.launch = [=, &twins] {
    RUN(twins, rank_select, twins.order, d_begin, d_entries, out, twins.n);
  };
});
