// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup keccak_messages_setup("keccak_messages", [](Twins &twins) {
  const auto &blocks = twins.lengths("blocks");
  const auto &begin = twins.begins(blocks);
  std::vector<unsigned long long> text(17 * (size_t)begin.back()), of_rounds;
  for (auto &word : text)
    word = twins.random.bits();
  // Bits of a shift register decide which bits of a round's constant are set.
  unsigned shifted = 1;
  for (int round = 0; round < 24; ++round) {
    unsigned long long constant = 0;
    for (int j = 0; j < 7; ++j) {
      if (shifted & 1)
        constant |= 1ull << ((1 << j) - 1);
      shifted = shifted & 128 ? (shifted << 1 ^ 0x171u) : shifted << 1;
    }
    of_rounds.push_back(constant);
  }
  const auto &words = twins.keep(std::move(text));
  const auto &constants = twins.keep(std::move(of_rounds));
  const int *d_begin = twins.input("begin", begin);
  const unsigned long long *d_words = twins.input("words", words);
  const unsigned long long *d_constants = twins.input("constants", constants);
  unsigned long long *out =
      twins.output<unsigned long long>("out", (size_t)twins.n * 4, [&](size_t at) {
        unsigned long long s[5][5] = {};
        auto turn = [](unsigned long long x, int by) {
          return by % 64 ? x << by % 64 | x >> (64 - by % 64) : x;
        };
        for (int block = begin[at / 4]; block < begin[at / 4 + 1]; ++block) {
          for (int k = 0; k < 17; ++k)
            s[k % 5][k / 5] ^= words[17 * (size_t)block + (size_t)k];
          for (size_t round = 0; round < 24; ++round) {
            unsigned long long c[5];
            for (int x = 0; x < 5; ++x)
              c[x] = s[x][0] ^ s[x][1] ^ s[x][2] ^ s[x][3] ^ s[x][4];
            for (int x = 0; x < 5; ++x)
              for (int y = 0; y < 5; ++y)
                s[x][y] ^= c[(x + 4) % 5] ^ turn(c[(x + 1) % 5], 1);
            // Words go round from place to place, each turned further than the one before.
            unsigned long long moving = s[1][0];
            for (int k = 0, x = 1, y = 0; k < 24; ++k) {
              int next = (2 * x + 3 * y) % 5;
              x = y;
              y = next;
              std::swap(moving, s[x][y]);
              s[x][y] = turn(s[x][y], (k + 1) * (k + 2) / 2);
            }
            for (int y = 0; y < 5; ++y) {
              unsigned long long row[5];
              for (int x = 0; x < 5; ++x)
                row[x] = s[x][y];
              for (int x = 0; x < 5; ++x)
                s[x][y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
            }
            s[0][0] ^= constants[round];
          }
        }
        return s[at % 4][0];
      });
  twins.group_by(blocks);
  twins.launch = [=, &twins] {
    RUN(twins, keccak_messages, twins.order, d_begin, d_words, d_constants, out, twins.n);
  };
});
