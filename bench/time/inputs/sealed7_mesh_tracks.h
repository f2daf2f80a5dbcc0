// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Two triangles to each of side by side squares, all around; across an edge of each direction there
// is a triangle of the other sort.
static const Setup mesh_tracks_setup("mesh_tracks", [](Twins &twins) {
  size_t held = (size_t)twins.pair.extents.at("cells") / 16, n = (size_t)twins.n;
  size_t side = (size_t)lrint(sqrt((double)held / 2));
  if (2 * side * side != held)
    fail("mesh_tracks needs twice a square of cells");
  const auto &crossings = twins.lengths("crossings");
  std::vector<int> names(held);
  std::iota(names.begin(), names.end(), 0);
  twins.random.shuffle(names);
  std::vector<int4> drawn(held), from, to;
  auto named = [&](size_t x, size_t y, size_t upper) {
    return names[2 * (y % side * side + x % side) + upper];
  };
  for (size_t y = 0; y < side; ++y)
    for (size_t x = 0; x < side; ++x) {
      int thick = (int)twins.random.below(64), thin = (int)twins.random.below(64);
      drawn[(size_t)named(x, y, 0)] =
          make_int4(named(x, y, 1), named(x, y + side - 1, 1), named(x + side - 1, y, 1), thick);
      drawn[(size_t)named(x, y, 1)] =
          make_int4(named(x, y, 0), named(x, y + 1, 0), named(x + 1, y, 0), thin);
    }
  auto below = [&](uint64_t limit) { return (int)twins.random.below(limit); };
  for (size_t item = 0; item < n; ++item) {
    int a = below(1000), b = below(1000), c = below(1000);
    from.push_back(make_int4(a, b, c, below(held)));
    a = 200 + below(2000);
    b = 200 + below(2000);
    c = 200 + below(2000);
    to.push_back(make_int4(a, b, c, 0));
  }
  const auto &cells = twins.keep(std::move(drawn));
  const auto &starts = twins.keep(std::move(from));
  const auto &ways = twins.keep(std::move(to));
  const int *d_crossings = twins.input("crossings", crossings);
  const int4 *d_starts = twins.input("starts", starts);
  const int4 *d_ways = twins.input("ways", ways);
  const int4 *d_cells = twins.input("cells", cells);
  auto walk = [&](size_t item) {
    const int *start = &starts[item].x, *way = &ways[item].x;
    int64_t when[3] = {start[0], start[1], start[2]}, now = 0, depth = 0;
    int cell = start[3];
    for (int k = 0; k < crossings[item]; ++k) {
      size_t next = 0;
      for (size_t one = 1; one < 3; ++one)
        if (when[one] < when[next])
          next = one;
      depth += (when[next] - now) * cells[(size_t)cell].w;
      now = when[next];
      when[next] += way[next];
      cell = (&cells[(size_t)cell].x)[next];
    }
    return std::make_pair((unsigned)depth, cell);
  };
  unsigned *depths =
      twins.output<unsigned>("depths", n, [=](size_t item) { return walk(item).first; });
  int *ends = twins.output<int>("ends", n, [=](size_t item) { return walk(item).second; });
  twins.group_by(crossings);
  twins.launch = [=, &twins] {
    RUN(twins, mesh_tracks, twins.order, d_crossings, d_starts, d_ways, d_cells, depths, ends,
        twins.n);
  };
});
