// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup gillespie_cells_setup("gillespie_cells", [](Twins &twins) {
  const auto &reactions = twins.lengths("reactions");
  std::vector<int> drawn;
  for (int k = 0; k < twins.n; ++k)
    drawn.push_back(200 + (int)twins.random.below(400));
  const auto &makes = twins.keep(std::move(drawn));
  const auto &seeds = twins.seeds();
  const int *d_reactions = twins.input("reactions", reactions);
  const int *d_makes = twins.input("makes", makes);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  auto run = [&](size_t item) {
    unsigned state = seeds[item];
    uint64_t molecules = 0, make = (uint64_t)makes[item];
    double time = 0;
    for (int k = 0; k < reactions[item]; ++k) {
      uint64_t decay = 8 * molecules, join = molecules ? molecules * (molecules - 1) / 2 : 0;
      uint64_t all = make + decay + join;
      state = state * 1664525u + 1013904223u;
      time -= log(((state >> 8) + 0.5) / 16777216.0) / (double)all;
      state = state * 1664525u + 1013904223u;
      uint64_t which = (state * all) >> 32;
      molecules += which < make ? 1 : 0;
      molecules -= which < make ? 0 : which < make + decay ? 1 : 2;
    }
    return std::make_pair((int)molecules, (float)time);
  };
  size_t n = (size_t)twins.n;
  int *left = twins.output<int>("left", n, [=](size_t item) { return run(item).first; });
  float *times =
      twins.output<float>("times", n, [=](size_t item) { return run(item).second; }, 2e-3);
  twins.group_by(reactions);
  twins.launch = [=, &twins] {
    RUN(twins, gillespie_cells, twins.order, d_reactions, d_makes, d_seeds, left, times, twins.n);
  };
});
