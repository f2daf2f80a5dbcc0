// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup rice_residuals_setup("rice_residuals", [](Twins &twins) {
  int width = (int)twins.value("width");
  const auto &samples = twins.lengths("samples");
  std::vector<unsigned> words, loud;
  std::vector<int> from;
  for (int count : samples) {
    from.push_back((int)words.size());
    uint64_t bits = 0;
    int held = 0;
    unsigned one = 0, two = 0, sum = 0;
    for (int k = 0; k < count; ++k) {
      uint64_t lots = twins.random.bits();
      int zeros = std::min(__builtin_ctzll(lots | 1ull << 40), 20);
      uint64_t rest = lots >> 44 & ((1u << width) - 1);
      bits |= (rest << 1 | 1) << (held + zeros);
      held += zeros + 1 + width;
      if (held >= 32) {
        words.push_back((unsigned)bits);
        bits >>= 32;
        held -= 32;
      }
      int coded = (zeros << width) + (int)rest;
      int missed = coded % 2 ? -(coded / 2) - 1 : coded / 2;
      unsigned value = (2 * one - two + (unsigned)missed) % 65536;
      sum += value ^ one;
      two = one;
      one = value;
    }
    words.push_back((unsigned)bits);
    words.push_back(0);
    loud.push_back(sum);
  }
  const auto &expected = twins.keep(std::move(loud));
  const int *d_samples = twins.input("samples", samples);
  const int *d_begin = twins.input("begin", from);
  const unsigned *d_packed = twins.input("packed", words);
  unsigned *out =
      twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) { return expected[item]; });
  twins.group_by(samples);
  twins.launch = [=, &twins] {
    RUN(twins, rice_residuals, twins.order, d_samples, d_begin, d_packed, out, width, twins.n);
  };
});
