// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup life_boards_setup("life_boards", [](Twins &twins) {
  const auto &generations = twins.lengths("generations");
  size_t words = (size_t)twins.n * 16;
  std::vector<unsigned> drawn(words);
  for (unsigned &word : drawn)
    word = (unsigned)(twins.random.bits() & twins.random.bits());
  const auto &boards = twins.keep(std::move(drawn));
  const int *d_generations = twins.input("generations", generations);
  const unsigned *d_boards = twins.input("boards", boards);
  unsigned *out = twins.output<unsigned>("out", words, [&](size_t at) {
    unsigned char cell[18][34], next[18][34];
    for (size_t y = 0; y < 16; ++y)
      for (size_t x = 0; x < 32; ++x)
        cell[y + 1][x + 1] = boards[at / 16 * 16 + y] >> x & 1;
    for (int g = 0; g < generations[at / 16]; ++g) {
      for (size_t y = 1; y <= 16; ++y) {
        cell[y][0] = cell[y][32];
        cell[y][33] = cell[y][1];
      }
      memcpy(cell[0], cell[16], 34);
      memcpy(cell[17], cell[1], 34);
      for (size_t y = 1; y <= 16; ++y)
        for (size_t x = 1; x <= 32; ++x) {
          int around = 0;
          for (size_t dy = 0; dy < 3; ++dy)
            for (size_t dx = 0; dx < 3; ++dx)
              around += cell[y + dy - 1][x + dx - 1];
          next[y][x] = around == 3 || (around == 4 && cell[y][x]);
        }
      memcpy(cell, next, sizeof cell);
    }
    unsigned row = 0;
    for (size_t x = 0; x < 32; ++x)
      row |= (unsigned)cell[at % 16 + 1][x + 1] << x;
    return row;
  });
  twins.group_by(generations);
  twins.launch = [=, &twins] {
    RUN(twins, life_boards, twins.order, d_generations, (const uint4 *)d_boards, (uint4 *)out,
        twins.n);
  };
});
