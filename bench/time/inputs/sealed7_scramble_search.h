// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One bit in 16 or fewer comes wrong. The known text is all zeros. What was sent is made 24 bits at
// a time, what must be found bit by bit.
static const Setup scramble_search_setup("scramble_search", [](Twins &twins) {
  size_t n = (size_t)twins.n;
  const auto &length = twins.lengths("words");
  const auto &begin = twins.begins(length);
  std::vector<unsigned> drawn;
  std::vector<uint4> ids;
  drawn.reserve((size_t)begin.back());
  for (size_t item = 0; item < n; ++item) {
    uint64_t low = twins.random.bits(), high = twins.random.bits();
    uint4 id = make_uint4((unsigned)low >> 1, (unsigned)(low >> 33), (unsigned)high >> 1,
                          (unsigned)(high >> 33));
    ids.push_back(id);
    unsigned x = 1, y = item % 4 == 0 ? id.x : item % 4 == 1 ? id.y : item % 4 == 2 ? id.z : id.w;
    for (int k = 0; k < length[item]; ++k) {
      uint64_t lots = twins.random.bits();
      drawn.push_back(((unsigned)(lots & lots >> 20 & lots >> 33 & lots >> 40) ^ x ^ y) & 0xffffff);
      x = x >> 24 | ((x ^ x >> 3) & 0xffffff) << 7;
      y = y >> 24 | ((y ^ y >> 1 ^ y >> 2 ^ y >> 3) & 0xffffff) << 7;
    }
  }
  const auto &words = twins.keep(std::move(drawn));
  const auto &numbers = twins.keep(std::move(ids));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_words = twins.input("words", words);
  const uint4 *d_numbers = twins.input("numbers", numbers);
  auto found = [&](size_t item) {
    const unsigned starts[4] = {numbers[item].x, numbers[item].y, numbers[item].z, numbers[item].w};
    int best = -1, least = 0;
    for (int one = 0; one < 4; ++one) {
      int count = 0;
      unsigned x = 1, y = starts[one];
      for (size_t k = (size_t)begin[item]; k < (size_t)begin[item + 1]; ++k)
        for (int bit = 0; bit < 24; ++bit) {
          count += (int)((words[k] >> bit ^ x ^ y) & 1);
          x = x >> 1 | ((x ^ x >> 3) & 1) << 30;
          y = y >> 1 | ((y ^ y >> 1 ^ y >> 2 ^ y >> 3) & 1) << 30;
        }
      if (best < 0 || count < least) {
        least = count;
        best = one;
      }
    }
    return std::make_pair(best, least);
  };
  int *which = twins.output<int>("which", n, [=](size_t item) { return found(item).first; });
  int *errors = twins.output<int>("errors", n, [=](size_t item) { return found(item).second; });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, scramble_search, twins.order, d_begin, d_words, d_numbers, which, errors, twins.n);
  };
});
