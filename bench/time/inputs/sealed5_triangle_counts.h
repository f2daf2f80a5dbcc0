// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Neighbours are near, so that there are triangles; an edge of each node is looked at.
static const Setup triangle_counts_setup("triangle_counts", [](Twins &twins) {
  size_t n = (size_t)twins.n;
  const auto &degree = twins.lengths("neighbours");
  const auto &begin = twins.begins(degree);
  std::vector<int> lists, beside;
  for (size_t node = 0; node < n; ++node) {
    size_t from = lists.size(), span = 4 * (size_t)degree[node] + 16;
    for (int k = 0; k < degree[node]; ++k) {
      uint64_t bits = twins.random.bits();
      size_t far = bits & 1 ? bits >> 32 : (bits >> 32) % span;
      lists.push_back((int)((node + far) % n));
    }
    std::sort(lists.begin() + (long)from, lists.end());
    size_t chosen = from + (degree[node] ? twins.random.below((uint64_t)degree[node]) : 0);
    beside.push_back(degree[node] ? lists[chosen] : (int)node);
  }
  const auto &neighbours = twins.keep(std::move(lists));
  const auto &others = twins.keep(std::move(beside));
  const int *d_begin = twins.input("begin", begin);
  const int *d_others = twins.input("others", others);
  const int *d_neighbours = twins.input("neighbours", neighbours);
  auto counted = [&](size_t item) {
    int count = 0;
    for (int k = begin[item]; k < begin[item + 1]; ++k) {
      int other = others[item], one = neighbours[(size_t)k];
      count += std::binary_search(neighbours.begin() + begin[(size_t)other],
                                  neighbours.begin() + begin[(size_t)other + 1], one);
    }
    return count;
  };
  int *out = twins.output<int>("out", n, counted);
  unsigned *total = twins.sums<unsigned>("total", 1, [=] {
    unsigned sum = 0;
    for (size_t item = 0; item < n; ++item)
      sum += (unsigned)counted(item);
    return std::vector<unsigned>{sum};
  });
  std::vector<int> halves;
  for (int other : others) {
    int steps = 0;
    for (int rest = degree[(size_t)other]; rest > 0; rest /= 2)
      ++steps;
    halves.push_back(steps);
  }
  twins.group_by(degree, halves, [](int one, int steps) { return one * (steps + 1.0); });
  twins.launch = [=, &twins] {
    RUN(twins, triangle_counts, twins.order, d_begin, d_others, d_neighbours, out, total, twins.n);
  };
});
