// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup common_prefix_setup("common_prefix", [](Twins &twins) {
  const auto &same = twins.lengths("same");
  std::vector<int> length;
  for (int one : same)
    length.push_back(one + 1 + (int)twins.random.below(4));
  const auto &begin = twins.begins(length);
  std::vector<char> text((size_t)begin.back());
  for (char &c : text)
    c = (char)('a' + twins.random.below(26));
  std::vector<char> other = text;
  for (size_t k = 0; k < same.size(); ++k)
    other[(size_t)(begin[k] + same[k])] ^= 1;
  const int *d_begin = twins.input("begin", begin);
  const char *d_left = twins.input("left", text);
  const char *d_right = twins.input("right", other);
  int *out = twins.output<int>("out", (size_t)twins.n, [&](size_t item) { return same[item]; });
  twins.group_by(same);
  twins.launch = [=, &twins] {
    RUN(twins, common_prefix, twins.order, d_begin, d_left, d_right, out, twins.n);
  };
});
