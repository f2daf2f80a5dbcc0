// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup viterbi_windows_setup("viterbi_windows", [](Twins &twins) {
  const auto &length = twins.lengths("steps");
  const auto &begin = twins.begins(length);
  auto coded = [](unsigned five) {
    return std::make_pair(__builtin_popcount(five & 0x13) & 1, __builtin_popcount(five & 0x1d) & 1);
  };
  std::vector<unsigned short> noisy;
  for (int one : length) {
    unsigned sent = 0;
    for (int k = 0; k < one; ++k) {
      uint64_t lots = twins.random.bits();
      sent = (sent << 1 | (lots & 1)) & 31;
      auto noise = [&](int at) {
        return (int)(lots >> at & 63) + (int)(lots >> (at + 6) & 63) - 63;
      };
      auto [a, b] = coded(sent);
      unsigned first = (unsigned)std::clamp(128 + (a ? 50 : -50) + noise(8), 0, 255);
      unsigned second = (unsigned)std::clamp(128 + (b ? 50 : -50) + noise(24), 0, 255);
      noisy.push_back((unsigned short)(first | second << 8));
    }
  }
  const auto &received = twins.keep(std::move(noisy));
  const int *d_begin = twins.input("begin", begin);
  const unsigned short *d_received = twins.input("received", received);
  auto decoded = [&, coded](size_t item) {
    struct Way {
      int metric = -100000;
      unsigned bits = 0;
    };
    std::vector<Way> ways(16);
    ways[0].metric = 0;
    for (int k = begin[item]; k < begin[item + 1]; ++k) {
      int a = received[(size_t)k] % 256 - 128, b = received[(size_t)k] / 256 - 128;
      std::vector<Way> next(16);
      for (Way &way : next)
        way.metric = -1000000000;
      for (unsigned from = 0; from < 16; ++from)
        for (unsigned bit = 0; bit < 2; ++bit) {
          auto [p, q] = coded(from << 1 | bit);
          int metric = ways[from].metric + (p ? a : -a) + (q ? b : -b);
          Way &to = next[(from << 1 | bit) & 15];
          if (metric > to.metric)
            to = {metric, ways[from].bits << 1 | bit};
        }
      ways = next;
    }
    Way best = ways[0];
    for (const Way &way : ways)
      if (way.metric > best.metric)
        best = way;
    return std::make_pair(best.bits, best.metric);
  };
  size_t n = (size_t)twins.n;
  unsigned *bits =
      twins.output<unsigned>("bits", n, [=](size_t item) { return decoded(item).first; });
  int *likely = twins.output<int>("likely", n, [=](size_t item) { return decoded(item).second; });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, viterbi_windows, twins.order, d_begin, d_received, bits, likely, twins.n);
  };
});
