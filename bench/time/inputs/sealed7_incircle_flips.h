// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Corners are in a square of 8192, and run around their triangle counterclockwise.
static const Setup incircle_flips_setup("incircle_flips", [](Twins &twins) {
  size_t held = (size_t)twins.pair.extents.at("thirds") / 8, n = (size_t)twins.n;
  const auto &triangles = twins.lengths("triangles");
  size_t longest = (size_t)*std::max_element(triangles.begin(), triangles.end());
  if (longest > held)
    fail("incircle_flips needs more triangles");
  std::vector<int4> twos;
  std::vector<int2> ones, at;
  while (ones.size() < held) {
    int x[3], y[3], middle_x = 1024 + (int)twins.random.below(6144),
                    middle_y = 1024 + (int)twins.random.below(6144);
    for (int k = 0; k < 3; ++k) {
      x[k] = middle_x + (int)twins.random.below(2048) - 1024;
      y[k] = middle_y + (int)twins.random.below(2048) - 1024;
    }
    int area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    if (std::abs(area) < 100000)
      continue;
    int second = area > 0 ? 1 : 2;
    twos.push_back(make_int4(x[0], y[0], x[second], y[second]));
    ones.push_back(make_int2(x[3 - second], y[3 - second]));
  }
  for (size_t item = 0; item < n; ++item) {
    int x = (int)twins.random.below(8192);
    at.push_back(make_int2(x, (int)twins.random.below(8192)));
  }
  const auto &corners = twins.keep(std::move(twos));
  const auto &thirds = twins.keep(std::move(ones));
  const auto &points = twins.keep(std::move(at));
  const auto &first = twins.wholes(n, (int)(held - longest + 1));
  const int *d_triangles = twins.input("triangles", triangles);
  const int *d_first = twins.input("first", first);
  const int2 *d_points = twins.input("points", points);
  const int4 *d_corners = twins.input("corners", corners);
  const int2 *d_thirds = twins.input("thirds", thirds);
  // By the center of the circle, in fractions: (p - a) (p - a - 2 m / d) < 0, where m / d leads
  // from a to the center.
  auto found = [&](size_t item) {
    int count = 0, most = 0;
    for (size_t k = (size_t)first[item]; k < (size_t)(first[item] + triangles[item]); ++k) {
      int64_t bx = corners[k].z - corners[k].x, by = corners[k].w - corners[k].y;
      int64_t cx = thirds[k].x - corners[k].x, cy = thirds[k].y - corners[k].y;
      int64_t px = points[item].x - corners[k].x, py = points[item].y - corners[k].y;
      int64_t b = bx * bx + by * by, c = cx * cx + cy * cy, d = bx * cy - by * cx;
      int64_t mx = cy * b - by * c, my = bx * c - cx * b;
      if ((px * px + py * py) * d - px * mx - py * my >= 0)
        continue;
      ++count;
      most = std::max(most, (int)(px * px + py * py));
    }
    return std::make_pair(count, most);
  };
  int *gone = twins.output<int>("gone", n, [=](size_t item) { return found(item).first; });
  int *farthest = twins.output<int>("farthest", n, [=](size_t item) { return found(item).second; });
  twins.group_by(triangles);
  twins.launch = [=, &twins] {
    RUN(twins, incircle_flips, twins.order, d_triangles, d_first, d_points, d_corners, d_thirds,
        gone, farthest, twins.n);
  };
});
