// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Pixels and triangles are those of a screen of 256 by 256; triangles of a bin are near each other
// in the table, where its draws begin.
static const Setup raster_bins_setup("raster_bins", [](Twins &twins) {
  size_t count = (size_t)twins.pair.extents.at("edges") / 48;
  size_t listed = (size_t)twins.pair.extents.at("bins") / 4;
  const auto &length = twins.lengths("triangles");
  size_t longest = (size_t)*std::max_element(length.begin(), length.end());
  if (longest > listed)
    fail("raster_bins needs longer bins");
  struct Triangle {
    int x[3], y[3], z[3]; // z is the plane's
  };
  std::vector<Triangle> drawn;
  std::vector<int4> lines;
  while (drawn.size() < count) {
    Triangle one;
    for (size_t k = 0; k < 3; ++k) {
      one.x[k] = (int)twins.random.below(256);
      one.y[k] = (int)twins.random.below(256);
      one.z[k] = (int)twins.random.below(200) - 100;
    }
    one.z[2] = (int)twins.random.below(1000000);
    int turn = (one.x[1] - one.x[0]) * (one.y[2] - one.y[0]) -
               (one.y[1] - one.y[0]) * (one.x[2] - one.x[0]);
    if (abs(turn) < 4000)
      continue;
    if (turn < 0) {
      std::swap(one.x[1], one.x[2]);
      std::swap(one.y[1], one.y[2]);
    }
    for (size_t k = 0; k < 3; ++k) {
      size_t next = (k + 1) % 3;
      int a = one.y[k] - one.y[next], b = one.x[next] - one.x[k];
      lines.push_back(make_int4(a, b, -(a * one.x[k] + b * one.y[k]), one.z[k]));
    }
    drawn.push_back(one);
  }
  std::vector<int> from, listing;
  std::vector<int2> places;
  for (size_t k = 0; k < listed; ++k)
    listing.push_back((int)((k / 8 + twins.random.below(64)) % count));
  for (int k = 0; k < twins.n; ++k) {
    uint64_t bits = twins.random.bits();
    from.push_back((int)twins.random.below(listed - longest + 1));
    places.push_back(make_int2((int)(bits & 255), (int)(bits >> 32 & 255)));
  }
  const auto &shapes = twins.keep(std::move(drawn));
  const auto &edges = twins.keep(std::move(lines));
  const auto &first = twins.keep(std::move(from));
  const auto &bins = twins.keep(std::move(listing));
  const auto &pixels = twins.keep(std::move(places));
  const int *d_triangles = twins.input("triangles", length);
  const int *d_first = twins.input("first", first);
  const int2 *d_pixels = twins.input("pixels", pixels);
  const int *d_bins = twins.input("bins", bins);
  const int4 *d_edges = twins.input("edges", edges);
  auto drawn_at = [&](size_t item) {
    std::pair<int, int> best = {0x7fffffff, -1};
    for (int k = 0; k < length[item]; ++k) {
      int triangle = bins[(size_t)(first[item] + k)];
      const Triangle &one = shapes[(size_t)triangle];
      int x = pixels[item].x, y = pixels[item].y;
      bool inside = true;
      for (size_t i = 0; i < 3; ++i) {
        size_t j = (i + 1) % 3;
        inside &= (one.x[j] - one.x[i]) * (y - one.y[i]) >= (one.y[j] - one.y[i]) * (x - one.x[i]);
      }
      int z = one.z[0] * x + one.z[1] * y + one.z[2];
      if (inside && z < best.first)
        best = {z, triangle};
    }
    return best;
  };
  size_t n = (size_t)twins.n;
  int *depth = twins.output<int>("depth", n, [=](size_t item) { return drawn_at(item).first; });
  int *seen = twins.output<int>("seen", n, [=](size_t item) { return drawn_at(item).second; });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, raster_bins, twins.order, d_triangles, d_first, d_pixels, d_bins, d_edges, depth,
        seen, twins.n);
  };
});
