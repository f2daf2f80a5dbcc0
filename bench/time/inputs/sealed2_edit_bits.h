// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The whole table of edit distances, of which the pattern may begin anywhere in the text.
static const Setup edit_bits_setup("edit_bits", [](Twins &twins) {
  const auto &length = twins.lengths("words");
  const auto &begin = twins.begins(length);
  std::vector<unsigned> words((size_t)begin.back());
  for (unsigned &word : words)
    word = (unsigned)twins.random.bits();
  std::vector<uint4> masks;
  std::vector<uint64_t> letters;
  for (int k = 0; k < twins.n; ++k) {
    uint64_t bases = twins.random.bits();
    unsigned of[4] = {0, 0, 0, 0};
    for (int b = 0; b < 32; ++b)
      of[bases >> 2 * b & 3] |= 1u << b;
    masks.push_back(make_uint4(of[0], of[1], of[2], of[3]));
    letters.push_back(bases);
  }
  const auto &text = twins.keep(std::move(words));
  const auto &bases = twins.keep(std::move(letters));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_text = twins.input("text", text);
  const uint4 *d_pattern = twins.input("pattern", masks);
  int *out = twins.output<int>("out", (size_t)twins.n, [&](size_t item) {
    int column[33], best = 32;
    for (int row = 0; row <= 32; ++row)
      column[row] = row;
    for (int w = begin[item]; w < begin[item + 1]; ++w)
      for (int k = 0; k < 16; ++k) {
        unsigned base = text[(size_t)w] >> 2 * k & 3;
        for (int row = 1, left = 0; row <= 32; ++row) {
          int above = left + ((bases[item] >> 2 * (row - 1) & 3) != base);
          left = column[row];
          column[row] = std::min(above, std::min(left, column[row - 1]) + 1);
        }
        best = std::min(best, column[32]);
      }
    return best;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, edit_bits, twins.order, d_begin, d_text, d_pattern, out, twins.n);
  };
});
