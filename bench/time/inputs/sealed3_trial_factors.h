// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers are products of two primes below 65536; the smaller one's place is the length.
static const Setup trial_factors_setup("trial_factors", [](Twins &twins) {
  std::vector<unsigned> all;
  std::vector<char> composite(65536, 0);
  for (unsigned p = 2; p < 65536; ++p)
    if (!composite[p]) {
      all.push_back(p);
      for (unsigned m = 2 * p; m < 65536; m += p)
        composite[m] = 1;
    }
  const auto &place = twins.lengths("divisors");
  std::vector<unsigned> products;
  for (int at : place) {
    if ((size_t)at >= all.size())
      fail("trial_factors has primes below 65536 only");
    products.push_back(all[(size_t)at] * all[at + twins.random.below(all.size() - (size_t)at)]);
  }
  const auto &primes = twins.keep(std::move(all));
  const unsigned *d_numbers = twins.input("numbers", products);
  const unsigned *d_primes = twins.input("primes", primes);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n,
                                         [&](size_t item) { return primes[(size_t)place[item]]; });
  twins.group_by(place);
  twins.launch = [=, &twins] {
    RUN(twins, trial_factors, twins.order, d_numbers, d_primes, out, twins.n);
  };
});
