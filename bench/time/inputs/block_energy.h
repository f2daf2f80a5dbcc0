// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static unsigned energy_of(unsigned state, int count) {
  unsigned sum = 0;
  for (int k = 0; k < count; ++k) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    sum += state >> 24;
  }
  return sum;
}

static const Setup block_energy_setup("block_energy", [](Twins &twins) {
  const auto &terms = twins.lengths("terms");
  const auto &seeds = twins.seeds();
  const int *d_terms = twins.input("terms", terms);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  unsigned *out = twins.output<unsigned>(
      "out", (size_t)twins.n, [&](size_t item) { return energy_of(seeds[item], terms[item]); });
  unsigned long long *total = twins.sums<unsigned long long>("total", 1, [&] {
    unsigned long long sum = 0;
    for (size_t k = 0; k < terms.size(); ++k)
      sum += energy_of(seeds[k], terms[k]);
    return std::vector<unsigned long long>{sum};
  });
  twins.group_by(terms);
  twins.launch = [=, &twins] {
    RUN(twins, block_energy, twins.order, d_terms, d_seeds, out, total, twins.n);
  };
});
