// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each node has neighbours behind the one that is in the front, too.
static const Setup bfs_parents_setup("bfs_parents", [](Twins &twins) {
  size_t nodes = (size_t)twins.pair.extents.at("reached") / 4;
  const auto &scanned = twins.lengths("scanned");
  auto is_front = [](size_t node) { return unit_at((unsigned)node) < 0.125f; };
  std::vector<int> degree, lists;
  for (int count : scanned) {
    int behind = (int)twins.random.below(8);
    degree.push_back(count + behind);
    for (int k = 0; k < count + behind; ++k) {
      size_t node = twins.random.below(nodes);
      while (k < count && is_front(node) != (k == count - 1))
        node = twins.random.below(nodes);
      lists.push_back((int)node);
    }
  }
  const auto &begin = twins.begins(degree);
  const auto &neighbours = twins.keep(std::move(lists));
  const int *d_begin = twins.input("begin", begin);
  const int *d_neighbours = twins.input("neighbours", neighbours);
  const float *d_reached = twins.units("reached", nodes);
  int *parents = twins.output<int>("parents", (size_t)twins.n, [&](size_t item) {
    return neighbours[(size_t)(begin[item] + scanned[item] - 1)];
  });
  twins.group_by(scanned);
  twins.launch = [=, &twins] {
    RUN(twins, bfs_parents, twins.order, d_begin, d_neighbours, d_reached, parents, twins.n);
  };
});
