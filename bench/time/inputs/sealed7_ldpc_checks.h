// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup ldpc_checks_setup("ldpc_checks", [](Twins &twins) {
  if (twins.text_of("reads") != twins.text_of("writes"))
    fail("ldpc_checks goes over its bits twice");
  size_t held = (size_t)twins.pair.extents.at("beliefs") / 4;
  const auto &length = twins.lengths("reads");
  const auto &begin = twins.begins(length);
  std::vector<int> drawn(held);
  for (int &belief : drawn)
    belief = (int)twins.random.below(255) - 127;
  const auto &beliefs = twins.keep(std::move(drawn));
  const auto &places = twins.wholes((size_t)begin.back(), (int)held);
  const int *d_begin = twins.input("begin", begin);
  const int *d_places = twins.input("places", places);
  const int *d_beliefs = twins.input("beliefs", beliefs);
  int *told = twins.output<int>("told", places.size(), [&](size_t at) {
    auto after = std::upper_bound(begin.begin(), begin.end(), (int)at);
    int least = 1000;
    bool negative = false;
    for (size_t k = (size_t)after[-1]; k < (size_t)after[0]; ++k)
      if (k != at) {
        int belief = beliefs[(size_t)places[k]];
        least = std::min(least, std::abs(belief));
        negative ^= belief < 0;
      }
    least = std::max(least - 1, 0);
    return negative ? -least : least;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, ldpc_checks, twins.order, d_begin, d_places, d_beliefs, told, twins.n);
  };
});
