// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Symbols are the rarer the higher they are, as differences of a signal are.
static const Setup rans_decode_setup("rans_decode", [](Twins &twins) {
  const auto &length = twins.lengths("symbols");
  const auto &starts = twins.begins(length);
  std::vector<unsigned> often, before, table;
  for (unsigned left = 1024; left;) {
    unsigned share = std::min(left, std::max(1u, left / 12));
    before.push_back(1024 - left);
    often.push_back(share);
    left -= share;
  }
  if (often.size() > 256)
    fail("rans_decode has too many symbols");
  std::vector<unsigned char> symbol_of(1024);
  for (unsigned symbol = 0; symbol < often.size(); ++symbol)
    for (unsigned k = 0; k < often[symbol]; ++k) {
      symbol_of[before[symbol] + k] = (unsigned char)symbol;
      table.push_back(symbol | often[symbol] << 8 | k << 18);
    }
  std::vector<unsigned char> text((size_t)starts.back());
  for (unsigned char &symbol : text)
    symbol = symbol_of[twins.random.below(1024)];
  // Packed from the last symbol to the first.
  std::vector<unsigned short> stream;
  std::vector<int> places;
  for (size_t item = 0; item < length.size(); ++item) {
    std::vector<unsigned short> words;
    uint64_t state = 65536;
    for (int k = starts[item + 1] - 1; k >= starts[item]; --k) {
      unsigned symbol = text[(size_t)k];
      if (state >= (uint64_t)often[symbol] << 22) {
        words.push_back((unsigned short)(state & 65535));
        state >>= 16;
      }
      state = state / often[symbol] * 1024 + state % often[symbol] + before[symbol];
    }
    places.push_back((int)stream.size());
    stream.push_back((unsigned short)(state >> 16));
    stream.push_back((unsigned short)(state & 65535));
    stream.insert(stream.end(), words.rbegin(), words.rend());
  }
  const auto &letters = twins.keep(std::move(text));
  const int *d_symbols = twins.input("symbols", length);
  const int *d_begin = twins.input("begin", places);
  const unsigned short *d_packed = twins.input("packed", stream);
  const unsigned *d_table = twins.input("table", table);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    unsigned sum = 0;
    for (int k = starts[item]; k < starts[item + 1]; ++k)
      sum = sum * 31 + letters[(size_t)k];
    return sum;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, rans_decode, twins.order, d_symbols, d_begin, d_packed, d_table, out, twins.n);
  };
});
