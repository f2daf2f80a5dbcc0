// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A tree grows leaf by leaf: any of its leaves gets two children next.
static const Setup forest_scores_setup("forest_scores", [](Twins &twins) {
  size_t trees = (size_t)twins.pair.extents.at("roots") / sizeof(int);
  size_t leaves = ((size_t)twins.pair.extents.at("nodes") / sizeof(unsigned) / trees + 1) / 2;
  const auto &count = twins.lengths("trees");
  std::vector<int> first;
  std::vector<unsigned> node;
  std::vector<float> value;
  for (size_t tree = 0; tree < trees; ++tree) {
    std::vector<unsigned> open = {(unsigned)node.size()};
    first.push_back((int)node.size());
    node.push_back(0);
    value.push_back(twins.random.between(-1.0f, 1.0f));
    while (open.size() < leaves) {
      unsigned &lot = open[twins.random.below(open.size())];
      unsigned at = lot, child = (unsigned)node.size();
      node[at] = child << 4 | (unsigned)(twins.random.bits() >> 60);
      value[at] = twins.random.between(0.2f, 0.8f);
      lot = child;
      open.push_back(child + 1);
      for (int k = 0; k < 2; ++k) {
        node.push_back(0);
        value.push_back(twins.random.between(-1.0f, 1.0f));
      }
    }
  }
  if (*std::max_element(count.begin(), count.end()) > (int)trees)
    fail("forest_scores has fewer trees");
  const auto &roots = twins.keep(std::move(first));
  const auto &nodes = twins.keep(std::move(node));
  const auto &values = twins.keep(std::move(value));
  const int *d_trees = twins.input("trees", count);
  const float *d_features = twins.units("features", (size_t)twins.n * 16);
  const int *d_roots = twins.input("roots", roots);
  const unsigned *d_nodes = twins.input("nodes", nodes);
  const float *d_values = twins.input("values", values);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double sum = 0;
        for (int k = 0; k < count[item]; ++k) {
          std::function<double(size_t)> below = [&](size_t at) {
            unsigned child = nodes[at] / 16, feature = nodes[at] % 16;
            if (!child)
              return (double)values[at];
            bool right = unit_at((unsigned)item * 16 + feature) >= values[at];
            return below(child + right);
          };
          sum += below((size_t)roots[(size_t)k]);
        }
        return (float)sum;
      },
      1e-4);
  twins.group_by(count);
  twins.launch = [=, &twins] {
    RUN(twins, forest_scores, twins.order, d_trees, d_features, d_roots, d_nodes, d_values, out,
        twins.n);
  };
});
