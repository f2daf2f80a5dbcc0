// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The letters are by chance, and the index is what follows from them. Kept are either all rows that
// are so many steps apart, if the steps from any row are uniform, or rows by chance.
static const Setup fm_locate_setup("fm_locate", [](Twins &twins) {
  size_t size = (size_t)twins.pair.extents.at("blocks") / 48 * 64;
  const std::string &steps = twins.text_of("steps");
  bool even = steps.compare(0, 10, "uniform(0,") == 0;
  bool by_chance = steps.compare(0, 16, "shift(geometric(") == 0;
  if (!even && !by_chance)
    fail("fm_locate: steps are uniform from 0, or geometric");
  double chance = atof(steps.c_str() + 16);
  size_t apart = (size_t)atol(steps.c_str() + 10) + 1;
  std::vector<unsigned char> letter(size);
  std::vector<unsigned> next(size);
  unsigned from[5] = {0, 0, 0, 0, 0};
  for (unsigned char &one : letter)
    ++from[(one = (unsigned char)(twins.random.bits() >> 62)) + 1];
  for (int k = 0; k < 4; ++k)
    from[k + 1] += from[k];
  std::vector<uint4> packed(size / 64 * 3, make_uint4(0, 0, 0, 0));
  for (size_t row = 0; row < size; ++row) {
    uint4 *block = &packed[row / 64 * 3];
    if (row % 64 == 0)
      block[0] = make_uint4(from[0], from[1], from[2], from[3]);
    unsigned bit = 1u << row % 32, one = letter[row];
    (row & 32 ? block[1].y : block[1].x) |= one & 1 ? bit : 0;
    (row & 32 ? block[1].w : block[1].z) |= one & 2 ? bit : 0;
    next[row] = from[one]++;
  }
  std::vector<bool> kept(size), visited(size);
  for (size_t begin = 0; begin < size; ++begin) {
    unsigned row = (unsigned)begin;
    for (size_t k = 0; !visited[row]; ++k) {
      visited[row] = true;
      if (k == 0 || (even ? k % apart == 0 : twins.random.unit() < chance)) {
        kept[row] = true;
        uint4 &marks = packed[row / 64 * 3 + 2];
        (row & 32 ? marks.y : marks.x) |= 1u << row % 32;
      }
      row = next[row];
    }
  }
  std::vector<unsigned> first, last;
  std::vector<int> hops;
  for (int item = 0; item < twins.n; ++item) {
    unsigned row = (unsigned)twins.random.below(size);
    first.push_back(row);
    int count = 0;
    for (; !kept[row]; ++count)
      row = next[row];
    last.push_back(row);
    hops.push_back(count);
  }
  const auto &rows = twins.keep(std::move(first));
  const auto &found = twins.keep(std::move(last));
  const auto &length = twins.keep(std::move(hops));
  const unsigned *d_rows = twins.input("rows", rows);
  const uint4 *d_blocks = twins.input("blocks", packed);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n * 2, [&](size_t at) {
    return at % 2 ? (unsigned)length[at / 2] : found[at / 2];
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, fm_locate, twins.order, d_rows, d_blocks, out, twins.n);
  };
});
