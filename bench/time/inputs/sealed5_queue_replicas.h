// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup queue_replicas_setup("queue_replicas", [](Twins &twins) {
  const auto &customers = twins.lengths("customers");
  const auto &seeds = twins.seeds();
  const int *d_customers = twins.input("customers", customers);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  auto served = [&](size_t item) {
    unsigned state = seeds[item];
    double wait = 0, sum = 0, most = 0;
    auto exponential = [&] {
      state = state * 1664525u + 1013904223u;
      return -log(((state >> 8) + 1) / 16777216.0);
    };
    for (int k = 0; k < customers[item]; ++k) {
      double between = exponential(), service = 0.8 * exponential();
      wait = std::max(0.0, wait + service - between);
      sum += wait;
      most = std::max(most, wait);
    }
    return std::make_pair((float)sum, (float)most);
  };
  size_t n = (size_t)twins.n;
  float *waited =
      twins.output<float>("waited", n, [=](size_t item) { return served(item).first; }, 2e-3);
  float *longest =
      twins.output<float>("longest", n, [=](size_t item) { return served(item).second; }, 2e-3);
  twins.group_by(customers);
  twins.launch = [=, &twins] {
    RUN(twins, queue_replicas, twins.order, d_customers, d_seeds, waited, longest, twins.n);
  };
});
