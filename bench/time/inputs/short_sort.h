// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup short_sort_setup("short_sort", [](Twins &twins) {
  const auto &length = twins.lengths("entries");
  const auto &begin = twins.begins(length);
  const auto &entries = twins.wholes((size_t)begin.back(), 1 << 30);
  const int *d_begin = twins.input("begin", begin);
  const int *d_entries = twins.input("entries", entries);
  int *out = twins.output<int>("out", (size_t)twins.n, [&](size_t item) {
    std::vector<int> list(entries.begin() + begin[item], entries.begin() + begin[item + 1]);
    std::sort(list.begin(), list.end());
    return list.empty() ? 0 : list[list.size() / 2];
  });
  if (*std::max_element(length.begin(), length.end()) > 32)
    fail("short_sort has room for 32 entries");
  std::vector<double> work;
  for (int one : length)
    work.push_back(2.0 * one + 0.25 * one * one);
  twins.group({length.begin(), length.end()}, work);
  twins.launch = [=, &twins] {
    RUN(twins, short_sort, twins.order, d_begin, d_entries, out, twins.n);
  };
});
