// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup relax_edges_setup("relax_edges", [](Twins &twins) {
  const auto &length = twins.lengths("edges");
  const auto &begin = twins.begins(length);
  std::vector<uint2> list((size_t)begin.back());
  for (uint2 &edge : list) {
    unsigned target = (unsigned)twins.random.below((uint64_t)twins.n);
    edge = make_uint2(target, (unsigned)twins.random.below(1 << 20));
  }
  std::vector<unsigned> known;
  for (int k = 0; k < twins.n; ++k)
    known.push_back((unsigned)twins.random.below(1 << 20));
  const auto &edges = twins.keep(std::move(list));
  const auto &from = twins.keep(std::move(known));
  const int *d_begin = twins.input("begin", begin);
  const uint2 *d_edges = twins.input("edges", edges);
  const unsigned *d_from = twins.input("from", from);
  unsigned *distance = twins.sums<unsigned>(
      "distance", (size_t)twins.n,
      [&] {
        std::vector<unsigned> least(from.size(), 0xffffffffu);
        for (size_t item = 0; item < from.size(); ++item)
          for (int j = begin[item]; j < begin[item + 1]; ++j) {
            uint2 edge = edges[(size_t)j];
            least[edge.x] = std::min(least[edge.x], from[item] + edge.y);
          }
        return least;
      },
      0xff);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, relax_edges, twins.order, d_begin, d_edges, d_from, distance, twins.n);
  };
});
