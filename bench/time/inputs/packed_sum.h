// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// From 3 to 20 bits.
static const Setup packed_sum_setup("packed_sum", [](Twins &twins) {
  const auto &rows = twins.lengths("rows");
  std::vector<unsigned char> widths;
  std::vector<unsigned> words;
  std::vector<int> from;
  for (int one : rows) {
    int width = 3 + (int)twins.random.below(18);
    widths.push_back((unsigned char)width);
    from.push_back((int)words.size());
    for (int k = 0; k < one * width; k += 32)
      words.push_back((unsigned)twins.random.bits());
  }
  const auto &packed = twins.keep(std::move(words));
  const auto &begin = twins.keep(std::move(from));
  const auto &bits = twins.keep(std::move(widths));
  const int *d_rows = twins.input("rows", rows);
  const int *d_begin = twins.input("begin", begin);
  const unsigned char *d_bits = twins.input("bits", bits);
  const unsigned *d_words = twins.input("words", packed);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    unsigned all = (1u << bits[item]) - 1, sum = 0;
    size_t bit = (size_t)begin[item] * 32;
    for (int k = 0; k < rows[item]; ++k) {
      unsigned value = 0;
      for (int b = 0; b < bits[item]; ++b, ++bit)
        value |= (packed[bit / 32] >> bit % 32 & 1) << b;
      if (value >= all / 8 && value <= all - all / 4)
        sum += value;
    }
    return sum;
  });
  twins.group_by(rows);
  twins.launch = [=, &twins] {
    RUN(twins, packed_sum, twins.order, d_rows, d_begin, d_bits, d_words, out, twins.n);
  };
});
