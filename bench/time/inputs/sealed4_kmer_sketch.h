// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The first pieces of a read are as if As were in front of it.
static const Setup kmer_sketch_setup("kmer_sketch", [](Twins &twins) {
  const auto &length = twins.lengths("words");
  const auto &begin = twins.begins(length);
  std::vector<unsigned> words((size_t)begin.back());
  for (unsigned &word : words)
    word = (unsigned)(twins.random.bits() >> 32);
  const auto &reads = twins.keep(std::move(words));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_reads = twins.input("reads", reads);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n * 4, [&](size_t at) {
    unsigned least = ~0u;
    int from = begin[at / 4] * 16, end = begin[at / 4 + 1] * 16;
    auto base_at = [&](int place) {
      return place < from ? 0u : reads[(size_t)place / 16] >> place % 16 * 2 & 3;
    };
    for (int last = from; last < end; ++last) {
      unsigned kmer = 0, opposite = 0;
      for (int k = 0; k < 15; ++k) {
        kmer = kmer * 4 + base_at(last - 14 + k);
        opposite = opposite * 4 + (last - k < from ? 0 : 3 - base_at(last - k));
      }
      unsigned hash = kmer_hash(std::min(kmer, opposite));
      if (at % 4 > 0)
        hash = hash * 0x9e3779b1u + 0x7f4a7c15u;
      if (at % 4 > 1)
        hash = (hash ^ hash >> 15) * 0x9e3779b1u;
      if (at % 4 > 2)
        hash = (hash ^ hash >> 14) * 0x9e3779b1u;
      least = std::min(least, hash);
    }
    return least;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, kmer_sketch, twins.order, d_begin, d_reads, out, twins.n);
  };
});
