// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Half of all lines are of the first 16 groups.
static const Setup group_revenue_setup("group_revenue", [](Twins &twins) {
  int last = (int)twins.value("last");
  const auto &length = twins.lengths("lines");
  const auto &begin = twins.begins(length);
  const auto &early = twins.kinds("early", (size_t)begin.back());
  std::vector<short> day;
  std::vector<unsigned char> group;
  for (int is : early) {
    day.push_back((short)(is ? twins.random.below((uint64_t)last)
                             : (uint64_t)last + twins.random.below((uint64_t)(2557 - last))));
    uint64_t bits = twins.random.bits();
    group.push_back((unsigned char)(bits & 1 ? bits >> 60 : bits >> 56));
  }
  const auto &days = twins.keep(std::move(day));
  const auto &groups = twins.keep(std::move(group));
  const auto &prices = twins.wholes((size_t)begin.back(), 100000);
  const int *d_begin = twins.input("begin", begin);
  const short *d_days = twins.input("days", days);
  const unsigned char *d_groups = twins.input("groups", groups);
  const int *d_prices = twins.input("prices", prices);
  unsigned *totals = twins.sums<unsigned>("totals", 256, [&, last] {
    std::vector<unsigned> all(256, 0);
    for (size_t k = 0; k < days.size(); ++k)
      if (days[k] < last)
        all[groups[k]] += (unsigned)prices[k];
    return all;
  });
  int *taken = twins.output<int>("taken", (size_t)twins.n, [&](size_t item) {
    return std::accumulate(early.begin() + begin[item], early.begin() + begin[item + 1], 0);
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, group_revenue, twins.order, d_begin, d_days, d_groups, d_prices, totals, taken, last,
        twins.n);
  };
});
