// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup kmeans_assign_setup("kmeans_assign", [](Twins &twins) {
  size_t tiles = (size_t)twins.value("tiles");
  if (tiles > 8)
    fail("kmeans_assign counts members of 8 tiles at most");
  const auto &reach = twins.lengths("reach");
  auto places = [&](size_t count) {
    std::vector<int4> all;
    for (size_t k = 0; k < count; ++k) {
      uint64_t bits = twins.random.bits();
      all.push_back(make_int4((int)(bits & 1023), (int)(bits >> 16 & 1023),
                              (int)(bits >> 32 & 1023), (int)(bits >> 48 & 1023)));
    }
    return all;
  };
  const auto &points = twins.keep(places((size_t)twins.n));
  const auto &centres = twins.keep(places(tiles * 128));
  const int *d_reach = twins.input("reach", reach);
  const int4 *d_points = twins.input("points", points);
  const int4 *d_centres = twins.input("centres", centres);
  auto nearest_of = [&, tiles](size_t item) {
    std::pair<int, int> best = {0x7fffffff, 0};
    int4 a = points[item];
    for (int k = 0; k < (int)tiles * 128; ++k) {
      int4 b = centres[(size_t)k];
      int distance = (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) +
                     (a.z - b.z) * (a.z - b.z) + (a.w - b.w) * (a.w - b.w);
      if (k % 128 < reach[item])
        best = std::min(best, {distance, k});
    }
    return best.second;
  };
  int *nearest = twins.output<int>("nearest", (size_t)twins.n, nearest_of);
  unsigned *sizes = twins.sums<unsigned>("sizes", tiles * 128, [=, &twins] {
    std::vector<unsigned> all(tiles * 128, 0);
    for (size_t item = 0; item < (size_t)twins.n; ++item)
      ++all[(size_t)nearest_of(item)];
    return all;
  });
  twins.group_by(reach);
  twins.launch = [=, &twins] {
    RUN(twins, kmeans_assign, twins.order, d_reach, d_points, d_centres, nearest, sizes, (int)tiles,
        twins.n);
  };
});
