// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Of entries of the first table two in five are ports, of those of the nodes of the next level,
// which are the first half, one in two, and of the others all.
static const Setup route_lookups_setup("route_lookups", [](Twins &twins) {
  size_t count = (size_t)twins.pair.extents.at("nodes") / 1024;
  const auto &length = twins.lengths("packets");
  const auto &begin = twins.begins(length);
  std::vector<unsigned> top, below, drawn((size_t)begin.back());
  auto port = [&] { return 0x80000000u | (unsigned)twins.random.below(64); };
  for (int k = 0; k < 65536; ++k)
    top.push_back(twins.random.below(5) < 2 ? port() : (unsigned)twins.random.below(count / 2));
  for (size_t k = 0; k < count * 256; ++k)
    below.push_back(k / 256 >= count / 2 || twins.random.below(2)
                        ? port()
                        : (unsigned)(count / 2 + twins.random.below(count / 2)));
  for (unsigned &address : drawn)
    address = (unsigned)twins.random.bits();
  const auto &addresses = twins.keep(std::move(drawn));
  const auto &roots = twins.keep(std::move(top));
  const auto &nodes = twins.keep(std::move(below));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_addresses = twins.input("addresses", addresses);
  const unsigned *d_roots = twins.input("roots", roots);
  const unsigned *d_nodes = twins.input("nodes", nodes);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    unsigned sum = 0;
    for (size_t k = (size_t)begin[item]; k < (size_t)begin[item + 1]; ++k) {
      unsigned entry = roots[addresses[k] / 65536];
      if (entry < 0x80000000u)
        entry = nodes[(size_t)entry * 256 + addresses[k] / 256 % 256];
      if (entry < 0x80000000u)
        entry = nodes[(size_t)entry * 256 + addresses[k] % 256];
      sum = sum * 31 + entry % 0x80000000u;
    }
    return sum;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, route_lookups, twins.order, d_begin, d_addresses, d_roots, d_nodes, out, twins.n);
  };
});
