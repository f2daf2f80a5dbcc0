// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bit by bit.
static unsigned crc_of(unsigned crc, unsigned word, int bits) {
  for (int b = 0; b < bits; ++b, word >>= 1)
    crc = crc >> 1 ^ ((crc ^ word) & 1 ? 0xedb88320u : 0);
  return crc;
}

static const Setup crc_messages_setup("crc_messages", [](Twins &twins) {
  const auto &length = twins.lengths("words");
  const auto &begin = twins.begins(length);
  std::vector<unsigned> text((size_t)begin.back()), tables(1024);
  for (unsigned &word : text)
    word = (unsigned)twins.random.bits();
  for (unsigned k = 0; k < 1024; ++k)
    tables[k] = crc_of(0, k & 255, 8 * (int)(k / 256 + 1));
  const auto &words = twins.keep(std::move(text));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_words = twins.input("words", words);
  const unsigned *d_tables = twins.input("tables", tables);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    unsigned crc = 0xffffffffu;
    for (int j = begin[item]; j < begin[item + 1]; ++j)
      crc = crc_of(crc, words[(size_t)j], 32);
    return ~crc;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, crc_messages, twins.order, d_begin, d_words, d_tables, out, twins.n);
  };
});
