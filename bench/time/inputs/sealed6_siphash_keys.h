// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup siphash_keys_setup("siphash_keys", [](Twins &twins) {
  const auto &length = twins.lengths("words");
  const auto &begin = twins.begins(length);
  std::vector<unsigned long long> drawn((size_t)begin.back());
  for (unsigned long long &word : drawn)
    word = twins.random.bits();
  const auto &words = twins.keep(std::move(drawn));
  const int *d_begin = twins.input("begin", begin);
  const unsigned long long *d_words = twins.input("words", words);
  using Word = unsigned long long;
  // Compared as words of 32 bits, which a double holds.
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n * 2, [&](size_t at) {
    size_t item = at / 2;
    Word a = 0x7469766363757372ull, b = 0x646f6d6966737473ull, c = 0x6c7967656e657261ull,
         d = 0x7465646279746573ull;
    auto turn = [](Word x, int by) { return (x << by) | (x >> (64 - by)); };
    auto rounds = [&](int count) {
      while (count--) {
        a += b;
        b = turn(b, 13);
        b ^= a;
        a = turn(a, 32);
        c += d;
        d = turn(d, 16);
        d ^= c;
        a += d;
        d = turn(d, 21);
        d ^= a;
        c += b;
        b = turn(b, 17);
        b ^= c;
        c = turn(c, 32);
      }
    };
    for (int k = begin[item]; k < begin[item + 1]; ++k) {
      d ^= words[(size_t)k];
      rounds(4);
      a ^= words[(size_t)k];
    }
    c ^= 0xff;
    rounds(8);
    return (unsigned)((a ^ b ^ c ^ d) >> (at % 2 * 32));
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, siphash_keys, twins.order, d_begin, d_words, (unsigned long long *)out, twins.n);
  };
});
