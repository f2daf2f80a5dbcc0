// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup gear_chunks_setup("gear_chunks", [](Twins &twins) {
  const auto &length = twins.lengths("words");
  const auto &begin = twins.begins(length);
  std::vector<unsigned> drawn((size_t)begin.back()), entries(256);
  for (unsigned &word : drawn)
    word = (unsigned)twins.random.bits();
  for (unsigned &entry : entries)
    entry = (unsigned)twins.random.bits();
  const auto &words = twins.keep(std::move(drawn));
  const auto &gears = twins.keep(std::move(entries));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_words = twins.input("words", words);
  const unsigned *d_gears = twins.input("gears", gears);
  auto found = [&](size_t item) {
    const unsigned char *bytes = (const unsigned char *)(words.data() + begin[item]);
    int count = 0, most = 0, since = 0;
    uint64_t sum = 0xffffffffu;
    for (int k = 0; k < 4 * length[item]; ++k) {
      sum = (2 * sum + gears[bytes[k]]) & 0xffffffffu;
      ++since;
      most = std::max(most, since);
      if (sum < 1u << 26) {
        ++count;
        since = 0;
      }
    }
    return std::make_pair(count, most);
  };
  size_t n = (size_t)twins.n;
  int *chunks = twins.output<int>("chunks", n, [=](size_t item) { return found(item).first; });
  int *longest = twins.output<int>("longest", n, [=](size_t item) { return found(item).second; });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, gear_chunks, twins.order, d_begin, d_words, d_gears, chunks, longest, twins.n);
  };
});
