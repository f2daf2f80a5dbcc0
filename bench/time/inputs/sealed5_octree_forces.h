// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Half of the stars are in clusters. The tree is that of other stars, so that there are no pairs of
// a star with itself; leaves have one star each, and a reach below zero.
static const Setup octree_forces_setup("octree_forces", [](Twins &twins) {
  struct Star {
    double place[3];
  };
  struct Node {
    std::vector<size_t> stars;
    double low[3], size;
  };
  size_t sources = (size_t)twins.value("nodes") / 4096 * 2800;
  std::vector<Star> centres;
  auto star = [&] {
    Star one;
    for (double &axis : one.place)
      axis = twins.random.unit();
    if (centres.size() < 40 || twins.random.bits() & 1)
      return one;
    const Star &centre = centres[twins.random.below(centres.size())];
    for (size_t axis = 0; axis < 3; ++axis)
      one.place[axis] = centre.place[axis] + 0.04 * (one.place[axis] - 0.5);
    return one;
  };
  while (centres.size() < 40)
    centres.push_back(star());
  std::vector<Star> source;
  for (size_t k = 0; k < sources; ++k)
    source.push_back(star());
  std::vector<float4> mass;
  std::vector<float> far;
  std::vector<int> skip;
  std::function<void(const Node &)> add = [&](const Node &node) {
    double sum[3] = {}, count = (double)node.stars.size();
    for (size_t k : node.stars)
      for (size_t axis = 0; axis < 3; ++axis)
        sum[axis] += source[k].place[axis];
    size_t at = mass.size();
    mass.push_back(make_float4((float)(sum[0] / count), (float)(sum[1] / count),
                               (float)(sum[2] / count), (float)count));
    bool leaf = node.stars.size() == 1;
    far.push_back(leaf ? -1.0f : (float)(node.size * node.size / 0.49));
    skip.push_back(0);
    if (!leaf)
      for (size_t child = 0; child < 8; ++child) {
        Node part = {{}, {}, node.size / 2};
        for (size_t axis = 0; axis < 3; ++axis)
          part.low[axis] = node.low[axis] + (child >> axis & 1 ? node.size / 2 : 0);
        for (size_t k : node.stars) {
          size_t of = 0;
          for (size_t axis = 0; axis < 3; ++axis)
            of |= (size_t)(source[k].place[axis] >= node.low[axis] + node.size / 2) << axis;
          if (of == child)
            part.stars.push_back(k);
        }
        if (!part.stars.empty())
          add(part);
      }
    skip[at] = (int)mass.size();
  };
  Node root = {{}, {-0.5, -0.5, -0.5}, 2};
  for (size_t k = 0; k < sources; ++k)
    root.stars.push_back(k);
  add(root);
  size_t nodes = (size_t)twins.value("nodes");
  if (mass.size() != nodes)
    fail("octree_forces has " + std::to_string(mass.size()) + " nodes");
  std::vector<float4> drawn;
  for (int k = 0; k < twins.n; ++k) {
    Star one = star();
    drawn.push_back(
        make_float4((float)one.place[0], (float)one.place[1], (float)one.place[2], 1.0f));
  }
  const auto &masses = twins.keep(std::move(mass));
  const auto &reach = twins.keep(std::move(far));
  const auto &behind = twins.keep(std::move(skip));
  const auto &stars = twins.keep(std::move(drawn));
  auto walked = [&](size_t item, double *pull) {
    int visits = 0;
    for (size_t at = 0; at < masses.size(); ++visits) {
      double way[3] = {(double)masses[at].x - (double)stars[item].x,
                       (double)masses[at].y - (double)stars[item].y,
                       (double)masses[at].z - (double)stars[item].z};
      double apart = way[0] * way[0] + way[1] * way[1] + way[2] * way[2];
      bool is_far = apart > (double)reach[at];
      if (is_far && pull)
        for (size_t axis = 0; axis < 3; ++axis)
          pull[axis] += (double)masses[at].w * way[axis] / pow(apart + 1e-4, 1.5);
      at = is_far ? (size_t)behind[at] : at + 1;
    }
    return visits;
  };
  const float4 *d_stars = twins.input("stars", stars);
  const float4 *d_masses = twins.input("masses", masses);
  const float *d_reach = twins.input("reach", reach);
  const int *d_behind = twins.input("behind", behind);
  float *out = twins.output<float>(
      "out", (size_t)twins.n * 4,
      [=](size_t at) {
        double pull[4] = {};
        walked(at / 4, pull);
        return (float)pull[at % 4];
      },
      2e-2);
  std::vector<int> visits;
  for (size_t item = 0; item < (size_t)twins.n; ++item)
    visits.push_back(walked(item, nullptr));
  twins.group_by(visits);
  twins.launch = [=, &twins] {
    RUN(twins, octree_forces, twins.order, d_stars, d_masses, d_reach, d_behind, (float4 *)out,
        (int)nodes, twins.n);
  };
});
