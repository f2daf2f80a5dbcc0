// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup hough_votes_setup("hough_votes", [](Twins &twins) {
  const auto &directions = twins.lengths("directions");
  const auto &first = twins.wholes((size_t)twins.n, 1024);
  std::vector<int2> places, ways;
  for (int k = 0; k < twins.n; ++k) {
    int x = (int)twins.random.below(1400) - 700, y = (int)twins.random.below(1400) - 700;
    places.push_back(make_int2(x, y));
  }
  for (int k = 0; k < 1024; ++k)
    ways.push_back(
        make_int2((int)(16384 * cos(M_PI * k / 1024)), (int)(16384 * sin(M_PI * k / 1024))));
  const auto &edges = twins.keep(std::move(places));
  const auto &normals = twins.keep(std::move(ways));
  const int *d_directions = twins.input("directions", directions);
  const int *d_first = twins.input("first", first);
  const int2 *d_edges = twins.input("edges", edges);
  const int2 *d_normals = twins.input("normals", normals);
  unsigned *votes = twins.sums<unsigned>("votes", 1024 * 2048, [&] {
    std::vector<unsigned> all(1024 * 2048, 0);
    for (size_t item = 0; item < edges.size(); ++item)
      for (int k = first[item]; k < first[item] + directions[item]; ++k) {
        int2 normal = normals[(size_t)k % 1024];
        long along = (long)edges[item].x * normal.x + (long)edges[item].y * normal.y;
        ++all[(size_t)k % 1024 * 2048 + (size_t)(floor((double)along / 16384) + 1024)];
      }
    return all;
  });
  twins.group_by(directions);
  twins.launch = [=, &twins] {
    RUN(twins, hough_votes, twins.order, d_directions, d_first, d_edges, d_normals, votes, twins.n);
  };
});
