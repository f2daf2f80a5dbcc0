// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// All leaves of a tile's tree are equally deep. A node's two children are neighbours; where they
// lie in the tile's part of the table is by chance.
static const Setup kd_descend_setup("kd_descend", [](Twins &twins) {
  size_t tiles = (size_t)twins.pair.extents.at("roots") / sizeof(int);
  const auto &depth = twins.draws("levels", tiles);
  std::vector<int> tile, level, root, child;
  std::vector<float> split;
  std::vector<float2> places;
  for (size_t k = 0; k < tiles; ++k) {
    size_t base = child.size(), pairs = ((size_t)1 << depth[k]) - 1;
    root.push_back((int)base);
    std::vector<int> slot(pairs);
    std::iota(slot.begin(), slot.end(), 0);
    twins.random.shuffle(slot);
    child.resize(base + 1 + 2 * pairs, -1);
    split.resize(base + 1 + 2 * pairs, 0.0f);
    std::vector<size_t> row = {base}; // the nodes of a level: by x's and y's digits in turn
    for (int d = 0, used = 0; d < depth[k]; ++d) {
      std::vector<size_t> next;
      for (size_t at = 0; at < row.size(); ++at) {
        // The node's region on its axis: every second digit, beginning with the first.
        double low = 0, size = 1;
        for (int digit = d % 2; digit < d; digit += 2) {
          size /= 2;
          low += size * (double)(at >> (d - 1 - digit) & 1);
        }
        child[row[at]] = (int)(base + 1 + 2 * (size_t)slot[(size_t)used++]);
        split[row[at]] = (float)(low + size / 2);
        next.push_back((size_t)child[row[at]]);
        next.push_back((size_t)child[row[at]] + 1);
      }
      row = next;
    }
  }
  for (int k = 0; k < twins.n; ++k) {
    tile.push_back((int)twins.random.below(tiles));
    level.push_back(depth[(size_t)tile.back()]);
    float x = twins.random.between(0.0f, 1.0f);
    places.push_back(make_float2(x, twins.random.between(0.0f, 1.0f)));
  }
  const auto &tile_of = twins.keep(std::move(tile));
  const auto &levels = twins.keep(std::move(level));
  const auto &roots = twins.keep(std::move(root));
  const auto &children = twins.keep(std::move(child));
  const auto &points = twins.keep(std::move(places));
  const int *d_tile = twins.input("tile", tile_of);
  const float2 *d_points = twins.input("points", points);
  const int *d_roots = twins.input("roots", roots);
  const int *d_children = twins.input("children", children);
  const float *d_splits = twins.input("splits", split);
  int *out = twins.output<int>("out", (size_t)twins.n, [&](size_t item) {
    int node = roots[(size_t)tile_of[item]];
    for (int d = 0; d < levels[item]; ++d) {
      double at = d % 2 ? points[item].y : points[item].x;
      node = children[(size_t)node] + ((int)(at * (double)(2 << d / 2)) & 1);
    }
    return node;
  });
  twins.group_by(levels);
  twins.launch = [=, &twins] {
    RUN(twins, kd_descend, twins.order, d_tile, d_points, d_roots, d_children, d_splits, out,
        twins.n);
  };
});
