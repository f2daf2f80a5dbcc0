// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Bits of a fingerprint are those of numbers in [0, 1).
static const Setup tanimoto_best_setup("tanimoto_best", [](Twins &twins) {
  size_t molecules = (size_t)twins.pair.extents.at("bits") / sizeof(int);
  const auto &length = twins.lengths("candidates");
  const auto &begin = twins.begins(length);
  const auto &query = twins.wholes((size_t)twins.n, (int)molecules);
  const auto &candidates = twins.wholes((size_t)begin.back(), (int)molecules);
  auto word_at = [](size_t molecule, size_t k) {
    float unit = unit_at((unsigned)(molecule * 16 + k));
    unsigned word;
    memcpy(&word, &unit, 4);
    return word;
  };
  std::vector<int> set;
  for (size_t molecule = 0; molecule < molecules; ++molecule) {
    int bits = 0;
    for (size_t k = 0; k < 16; ++k)
      bits += __builtin_popcount(word_at(molecule, k));
    set.push_back(bits);
  }
  const int *d_query = twins.input("query", query);
  const int *d_begin = twins.input("begin", begin);
  const int *d_candidates = twins.input("candidates", candidates);
  const uint4 *d_prints = (const uint4 *)twins.units("prints", molecules * 16);
  const int *d_bits = twins.input("bits", set);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&, word_at](size_t item) {
        double best = 0;
        for (int k = begin[item]; k < begin[item + 1]; ++k) {
          double both = 0, any = 0;
          for (size_t at = 0; at < 16; ++at) {
            unsigned one = word_at((size_t)query[item], at);
            unsigned other = word_at((size_t)candidates[(size_t)k], at);
            both += __builtin_popcount(one & other);
            any += __builtin_popcount(one | other);
          }
          best = std::max(best, both / any);
        }
        return (float)best;
      },
      1e-5);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, tanimoto_best, twins.order, d_query, d_begin, d_candidates, d_prints, d_bits, out,
        twins.n);
  };
});
