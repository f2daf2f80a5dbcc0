// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Any bits are a stream of symbols. Codes' first bits are the lowest.
static const Setup huffman_symbols_setup("huffman_symbols", [](Twins &twins) {
  const int lengths[] = {2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 8, 8}, pool = 1 << 20;
  std::vector<unsigned short> table;
  std::vector<int> of_place;
  int symbol = 0;
  std::vector<unsigned short> by_first(256);
  for (int length : lengths) {
    for (int k = 0; k < 256 >> length; ++k)
      by_first[table.size()] = (unsigned short)(symbol << 4 | length), table.push_back(0);
    ++symbol;
  }
  for (unsigned place = 0; place < 256; ++place) {
    unsigned turned = 0;
    for (int b = 0; b < 8; ++b)
      turned |= (place >> b & 1) << (7 - b);
    table[place] = by_first[turned];
  }
  std::vector<unsigned> words((size_t)pool);
  for (unsigned &word : words)
    word = (unsigned)twins.random.bits();
  const auto &symbols = twins.lengths("symbols");
  std::vector<int> from;
  for (int one : symbols)
    from.push_back((int)twins.random.below((uint64_t)(pool - one / 4 - 2)));
  const auto &begin = twins.keep(std::move(from));
  const auto &stream = twins.keep(std::move(words));
  const int *d_symbols = twins.input("symbols", symbols);
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_stream = twins.input("stream", stream);
  const unsigned short *d_codes = twins.input("codes", table);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    // Two symbols of each length up to 7: ones say how long, and then comes which of them.
    unsigned sum = 0;
    size_t bit = (size_t)begin[item] * 32;
    auto next = [&] {
      unsigned is = stream[bit / 32] >> bit % 32 & 1;
      ++bit;
      return is;
    };
    for (int k = 0; k < symbols[item]; ++k) {
      unsigned ones = 0;
      while (ones < 6 && next())
        ++ones;
      unsigned which = next();
      sum = sum * 33 + (ones < 6 ? 2 * ones + which : 12 + 2 * which + next());
    }
    return sum;
  });
  twins.group_by(symbols);
  twins.launch = [=, &twins] {
    RUN(twins, huffman_symbols, twins.order, d_symbols, d_begin, d_stream, d_codes, out, twins.n);
  };
});
