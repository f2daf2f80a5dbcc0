// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup bond_yields64_setup("bond_yields64", [](Twins &twins) {
  size_t days = (size_t)twins.pair.extents.at("gaps") / 8;
  int steps = (int)twins.value("steps");
  const auto &coupons = twins.lengths("coupons");
  size_t longest = (size_t)*std::max_element(coupons.begin(), coupons.end());
  if (longest > days)
    fail("bond_yields64 needs more days");
  std::vector<double> between, paid, asked, yields;
  std::vector<int> from;
  for (size_t k = 0; k < days; ++k)
    between.push_back(0.24 + 0.02 * twins.random.unit());
  for (size_t item = 0; item < (size_t)twins.n; ++item) {
    size_t begin = twins.random.below(days - longest + 1);
    double rate = 0.01 + 0.06 * twins.random.unit(), yield = 0.01 + 0.06 * twins.random.unit();
    double value = 0, factor = 1;
    for (size_t k = 0; k < (size_t)coupons[item]; ++k) {
      factor /= 1 + yield * between[begin + k];
      value += between[begin + k] * rate * factor;
    }
    from.push_back((int)begin);
    paid.push_back(rate);
    asked.push_back(value + factor);
    yields.push_back(yield);
  }
  const auto &expected = twins.keep(std::move(yields));
  const int *d_coupons = twins.input("coupons", coupons);
  const int *d_first = twins.input("first", from);
  const double *d_gaps = twins.input("gaps", between);
  const double *d_rates = twins.input("rates", paid);
  const double *d_prices = twins.input("prices", asked);
  double *out = twins.output<double>(
      "out", (size_t)twins.n, [&](size_t item) { return expected[item]; }, 1e-4);
  twins.group_by(coupons);
  twins.launch = [=, &twins] {
    RUN(twins, bond_yields64, twins.order, d_coupons, d_first, d_gaps, d_rates, d_prices, out,
        steps, twins.n);
  };
});
