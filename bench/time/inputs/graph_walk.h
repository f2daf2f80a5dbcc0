// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup graph_walk_setup("graph_walk", [](Twins &twins) {
  const auto &steps = twins.lengths("steps");
  const auto &seeds = twins.seeds();
  unsigned mask = (unsigned)twins.value("mask");
  const auto &edges = twins.wholes(((size_t)mask + 1) * 8, (int)mask + 1);
  const int *d_steps = twins.input("steps", steps);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  const int *d_edges = twins.input("edges", edges);
  int *out = twins.output<int>("out", (size_t)twins.n, [&, mask](size_t item) {
    unsigned state = seeds[item];
    int node = (int)(state & mask);
    for (int k = 0; k < steps[item]; ++k) {
      state = state * 1664525u + 1013904223u;
      node = edges[(size_t)node * 8 + (state >> 29)];
    }
    return node;
  });
  twins.group_by(steps);
  twins.launch = [=, &twins] {
    RUN(twins, graph_walk, twins.order, d_steps, d_seeds, d_edges, out, mask, twins.n);
  };
});
