// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup filter_sum_setup("filter_sum", [](Twins &twins) {
  const auto &length = twins.lengths("words");
  const auto &begin = twins.begins(length);
  const auto &kinds = twins.kinds("flags", (size_t)begin.back());
  const auto &flags = twins.keep(std::vector<unsigned char>(kinds.begin(), kinds.end()));
  int rounds = (int)twins.value("rounds");
  const int *d_begin = twins.input("begin", begin);
  const unsigned char *d_flags = twins.input("flags", flags);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&, rounds](size_t item) {
    unsigned sum = 0;
    for (int j = begin[item]; j < begin[item + 1]; ++j) {
      unsigned word = (unsigned)j * 0x9e3779b9u;
      for (int k = 0; flags[(size_t)j] && k < rounds; ++k) {
        word ^= word >> 13;
        word = word * 0x5bd1e995u + (unsigned)k;
      }
      sum += word;
    }
    return sum;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, filter_sum, twins.order, d_begin, d_flags, out, rounds, twins.n);
  };
});
