// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup merge_runs_setup("merge_runs", [](Twins &twins) {
  const auto &length = twins.lengths("entries");
  const auto &begin = twins.begins(length);
  std::vector<int> keys((size_t)begin.back());
  for (int &key : keys)
    key = (int)twins.random.below(1 << 30);
  std::vector<int> sorted = keys;
  for (size_t item = 0; item < length.size(); ++item) {
    auto from = keys.begin() + begin[item];
    std::sort(from, from + length[item] / 2);
    std::sort(from + length[item] / 2, from + length[item]);
    std::sort(sorted.begin() + begin[item], sorted.begin() + begin[item + 1]);
  }
  const auto &all = twins.keep(std::move(sorted));
  const int *d_begin = twins.input("begin", begin);
  const int *d_keys = twins.input("keys", keys);
  int *merged = twins.output<int>("merged", all.size(), [&](size_t at) { return all[at]; });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, merge_runs, twins.order, d_begin, d_keys, merged, twins.n);
  };
});
