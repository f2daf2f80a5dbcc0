// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Corners lie anywhere in the unit square, places on the line in its middle, so that half of the
// edges are crossed. Every zone has the same number of places.
static const Setup polygon_inside_setup("polygon_inside", [](Twins &twins) {
  const int zones = 4096;
  const auto &length = twins.draws("corners", zones);
  const auto &begin = twins.begins(length);
  std::vector<float2> points, where;
  for (int k = 0; k < begin.back(); ++k) {
    float x = twins.random.between(0.0f, 1.0f), y = twins.random.between(0.0f, 1.0f);
    points.push_back(make_float2(x, y));
  }
  std::vector<int> which, count;
  for (int k = 0; k < twins.n; ++k) {
    which.push_back(k % zones);
    where.push_back(make_float2(twins.random.between(0.0f, 1.0f), 0.5f));
    count.push_back(length[(size_t)which.back()]);
  }
  const auto &corners = twins.keep(std::move(points));
  const auto &places = twins.keep(std::move(where));
  const auto &zone = twins.keep(std::move(which));
  const int *d_zone = twins.input("zone", zone);
  const int *d_begin = twins.input("begin", begin);
  const float2 *d_corners = twins.input("corners", corners);
  const float2 *d_places = twins.input("places", places);
  int *out = twins.output<int>("out", (size_t)twins.n, [&](size_t item) {
    int inside = 0;
    float2 at = places[item];
    for (int j = begin[(size_t)zone[item]]; j < begin[(size_t)zone[item] + 1]; ++j) {
      int next = j + 1 < begin[(size_t)zone[item] + 1] ? j + 1 : begin[(size_t)zone[item]];
      double x1 = corners[(size_t)j].x, y1 = corners[(size_t)j].y;
      double x2 = corners[(size_t)next].x, y2 = corners[(size_t)next].y;
      if ((y1 > at.y) != (y2 > at.y) && at.x < x1 + (x2 - x1) * (at.y - y1) / (y2 - y1))
        inside = !inside;
    }
    return inside;
  });
  twins.group_by(count);
  twins.launch = [=, &twins] {
    RUN(twins, polygon_inside, twins.order, d_zone, d_begin, d_corners, d_places, out, twins.n);
  };
});
