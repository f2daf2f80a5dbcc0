// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup chacha_blocks_setup("chacha_blocks", [](Twins &twins) {
  const auto &blocks = twins.lengths("blocks");
  const auto &nonce = twins.seeds();
  const int *d_blocks = twins.input("blocks", blocks);
  const unsigned *d_nonce = twins.input("nonce", nonce);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    const int turns[4] = {16, 12, 8, 7};
    unsigned sum = 0;
    for (unsigned block = 0; block < (unsigned)blocks[item]; ++block) {
      unsigned start[16] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u, 1, 2, 3, 4, 5, 6,
                            7,           8,           block,       nonce[item], 0, 0};
      unsigned s[16];
      std::copy(start, start + 16, s);
      for (int round = 0; round < 20; ++round)
        for (int column = 0; column < 4; ++column) {
          int at[4]; // down a column, or down a diagonal
          for (int row = 0; row < 4; ++row)
            at[row] = 4 * row + (column + (round % 2 ? row : 0)) % 4;
          for (int turn = 0; turn < 4; ++turn) {
            int into = turn % 2 ? 2 : 0, by = turn % 2 ? 1 : 3;
            s[at[into]] += s[at[turn % 2 ? 3 : 1]];
            unsigned &x = s[at[by]];
            x ^= s[at[into]];
            x = x << turns[turn] | x >> (32 - turns[turn]);
          }
        }
      for (int k = 0; k < 16; ++k)
        sum ^= s[k] + start[k];
    }
    return sum;
  });
  twins.group_by(blocks);
  twins.launch = [=, &twins] {
    RUN(twins, chacha_blocks, twins.order, d_blocks, d_nonce, out, twins.n);
  };
});
