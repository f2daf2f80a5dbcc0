// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Most bases at a place are the same one; reads lie in the order in which they were sequenced.
static const Setup pileup_calls_setup("pileup_calls", [](Twins &twins) {
  size_t bases = (size_t)twins.pair.extents.at("quality");
  double good = twins.pair.branches.at("good")[0];
  const auto &depth = twins.lengths("hits");
  const auto &begin = twins.begins(depth);
  std::vector<unsigned> drawn, words(bases / 16);
  std::vector<unsigned char> sure(bases);
  for (unsigned &word : words)
    word = (unsigned)(twins.random.bits() & twins.random.bits());
  for (unsigned char &one : sure) {
    uint64_t bits = twins.random.bits();
    bool is_good = (double)(bits >> 32) * 0x1p-32 < good;
    one = (unsigned char)(is_good ? 20 + bits % 21 : 2 + bits % 18);
  }
  for (int k = 0; k < begin.back(); ++k)
    drawn.push_back((unsigned)twins.random.below(bases));
  const auto &hits = twins.keep(std::move(drawn));
  const auto &reads = twins.keep(std::move(words));
  const auto &quality = twins.keep(std::move(sure));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_hits = twins.input("hits", hits);
  const unsigned *d_reads = twins.input("reads", reads);
  const unsigned char *d_quality = twins.input("quality", quality);
  int *out = twins.output<int>("out", (size_t)twins.n, [&](size_t item) {
    int votes[4] = {}, sum = 0;
    for (int k = begin[item]; k < begin[item + 1]; ++k) {
      size_t hit = hits[(size_t)k];
      int counts = quality[hit] < 20 ? 0 : quality[hit];
      votes[reads[hit / 16] >> 2 * (hit % 16) & 3] += counts;
      sum += counts;
    }
    int called = (int)(std::max_element(votes, votes + 4) - votes);
    return 4 * (2 * votes[called] - sum) + called;
  });
  twins.group_by(depth);
  twins.launch = [=, &twins] {
    RUN(twins, pileup_calls, twins.order, d_begin, d_hits, d_reads, d_quality, out, twins.n);
  };
});
