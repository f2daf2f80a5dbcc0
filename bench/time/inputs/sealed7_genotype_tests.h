// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// 00: none of the rarer allele, 01: not known, 10: one, 11: two.
static const Setup genotype_tests_setup("genotype_tests", [](Twins &twins) {
  size_t n = (size_t)twins.n;
  const auto &length = twins.lengths("blocks");
  const auto &begin = twins.begins(length);
  std::vector<uint64_t> drawn(2 * (size_t)begin.back());
  for (uint64_t &word : drawn)
    word = twins.random.bits();
  const auto &genotypes = twins.keep(std::move(drawn));
  const int *d_begin = twins.input("begin", begin);
  const uint64_t *d_genotypes = twins.input("genotypes", genotypes);
  float *out = twins.output<float>(
      "out", n,
      [&](size_t item) {
        double counts[4] = {0, 0, 0, 0};
        for (size_t k = 2 * (size_t)begin[item]; k < 2 * (size_t)begin[item + 1]; ++k)
          for (int person = 0; person < 32; ++person)
            ++counts[genotypes[k] >> (2 * person) & 3];
        double known = counts[0] + counts[2] + counts[3];
        double share = (counts[2] + 2 * counts[3]) / (2 * known + 1);
        double mixed = 2 * share * (1 - share) * known;
        return (float)(pow(counts[2] - mixed, 2) / (mixed + 1));
      },
      1e-2);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, genotype_tests, twins.order, d_begin, (const uint4 *)d_genotypes, out, twins.n);
  };
});
