// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Prices are those of volatilities that are known.
static const Setup implied_vol_setup("implied_vol", [](Twins &twins) {
  const auto &length = twins.lengths("strikes");
  const auto &begin = twins.begins(length);
  const auto &expiry = twins.floats((size_t)twins.n, 0.5f, 1.5f);
  std::vector<float2> prices;
  std::vector<float> sums;
  for (size_t item = 0; item < length.size(); ++item) {
    double sum = 0, root = sqrt((double)expiry[item]);
    for (int k = 0; k < length[item]; ++k) {
      double strike = (float)twins.random.between(0.9f, 1.1f),
             sigma = twins.random.between(0.15f, 0.5f);
      double d1 = -log(strike) / (sigma * root) + 0.5 * sigma * root, d2 = d1 - sigma * root;
      double price = 0.5 * erfc(-d1 * M_SQRT1_2) - strike * 0.5 * erfc(-d2 * M_SQRT1_2);
      prices.push_back(make_float2((float)strike, (float)price));
      sum += sigma;
    }
    sums.push_back((float)sum);
  }
  const auto &total = twins.keep(std::move(sums));
  const int *d_begin = twins.input("begin", begin);
  const float2 *d_quotes = twins.input("quotes", prices);
  const float *d_expiry = twins.input("expiry", expiry);
  float *out =
      twins.output<float>("out", (size_t)twins.n, [&](size_t item) { return total[item]; }, 2e-3);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, implied_vol, twins.order, d_begin, d_quotes, d_expiry, out, twins.n);
  };
});
