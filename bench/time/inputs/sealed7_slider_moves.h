// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Twelve men or so are on a board; where pieces move to is anywhere.
static const Setup slider_moves_setup("slider_moves", [](Twins &twins) {
  size_t n = (size_t)twins.n;
  const auto &length = twins.lengths("plies");
  const auto &begin = twins.begins(length);
  const auto &straight = twins.kinds("straight", (size_t)begin.back());
  std::vector<int> drawn;
  for (int is : straight)
    drawn.push_back((int)twins.random.below(4096) | is << 12);
  std::vector<uint64_t> men;
  for (size_t item = 0; item < n; ++item)
    men.push_back(twins.random.bits() & twins.random.bits() & (twins.random.bits() | 0xff));
  const auto &plies = twins.keep(std::move(drawn));
  const auto &boards = twins.keep(std::move(men));
  const int *d_begin = twins.input("begin", begin);
  const int *d_plies = twins.input("plies", plies);
  const uint64_t *d_boards = twins.input("boards", boards);
  unsigned *out = twins.output<unsigned>("out", n, [&](size_t item) {
    static const int ways[2][4][2] = {{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}},
                                      {{0, 1}, {0, -1}, {1, 0}, {-1, 0}}};
    uint64_t board = boards[item];
    unsigned sum = 0;
    for (size_t k = (size_t)begin[item]; k < (size_t)begin[item + 1]; ++k) {
      int to = plies[k] / 64 % 64;
      board &= ~(1ull << plies[k] % 64);
      board |= 1ull << to;
      unsigned count = 0;
      for (auto &way : ways[plies[k] / 4096]) {
        int y = to / 8 + way[0], x = to % 8 + way[1];
        for (; x >= 0 && x < 8 && y >= 0 && y < 8; y += way[0], x += way[1]) {
          ++count;
          if (board >> (8 * y + x) & 1)
            break;
        }
      }
      sum = sum * 5 + count;
    }
    return sum;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, slider_moves, twins.order, d_begin, d_plies, (const unsigned long long *)d_boards,
        out, twins.n);
  };
});
