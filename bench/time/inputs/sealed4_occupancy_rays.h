// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup occupancy_rays_setup("occupancy_rays", [](Twins &twins) {
  int width = (int)twins.value("width");
  const auto &length = twins.lengths("cells");
  int margin = *std::max_element(length.begin(), length.end());
  if (2 * margin >= width)
    fail("occupancy_rays needs a larger map");
  std::vector<int2> froms, bys;
  for (int one : length) {
    int x = margin + (int)twins.random.below((uint64_t)(width - 2 * margin));
    int y = margin + (int)twins.random.below((uint64_t)(width - 2 * margin));
    int less = (int)twins.random.below(2 * (uint64_t)one + 1) - one;
    uint64_t side = twins.random.below(4);
    int more = side & 1 ? one : -one;
    froms.push_back(make_int2(x, y));
    bys.push_back(side & 2 ? make_int2(more, less) : make_int2(less, more));
  }
  const auto &poses = twins.keep(std::move(froms));
  const auto &ways = twins.keep(std::move(bys));
  const int2 *d_poses = twins.input("poses", poses);
  const int2 *d_ways = twins.input("ways", ways);
  size_t cells = (size_t)width * (size_t)width;
  unsigned *map = twins.sums<unsigned>("map", cells, [&, width, cells] {
    std::vector<unsigned> all(cells, 0);
    for (size_t item = 0; item < poses.size(); ++item) {
      int x = poses[item].x, y = poses[item].y, dx = ways[item].x, dy = ways[item].y;
      int steps = std::max(abs(dx), abs(dy)), less = std::min(abs(dx), abs(dy));
      for (int k = 0; k <= steps; ++k) {
        // How often the other way was stepped until here.
        int other = steps ? (k * less + steps - 1 - steps / 2) / steps : 0;
        int i = abs(dx) < abs(dy) ? other : k, j = abs(dx) < abs(dy) ? k : other;
        all[(size_t)((y + (dy < 0 ? -j : j)) * width + x + (dx < 0 ? -i : i))] +=
            k < steps ? 1 : 65536;
      }
    }
    return all;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, occupancy_rays, twins.order, d_poses, d_ways, map, width, twins.n);
  };
});
