// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup bitmap_weights_setup("bitmap_weights", [](Twins &twins) {
  const auto &length = twins.lengths("words");
  const auto &begin = twins.begins(length);
  const auto &bits = twins.draws("bits", (size_t)begin.back());
  std::vector<unsigned> words, values(1024);
  for (int count : bits) {
    bool most = count > 16;
    unsigned word = 0;
    for (int left = most ? 32 - count : count; left > 0;) {
      unsigned bit = 1u << (twins.random.bits() >> 59);
      left -= !(word & bit);
      word |= bit;
    }
    words.push_back(most ? ~word : word);
  }
  for (unsigned &value : values)
    value = (unsigned)twins.random.below(1000);
  const auto &bitmap = twins.keep(std::move(words));
  const auto &weights = twins.keep(std::move(values));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_bitmap = twins.input("bitmap", bitmap);
  const unsigned *d_weights = twins.input("weights", weights);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    unsigned sum = 0;
    for (int k = 0; k < 32 * length[item]; ++k)
      if (bitmap[(size_t)(begin[item] + k / 32)] >> k % 32 & 1)
        sum += weights[(size_t)k % 1024];
    return sum;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, bitmap_weights, twins.order, d_begin, d_bitmap, d_weights, out, twins.n);
  };
});
