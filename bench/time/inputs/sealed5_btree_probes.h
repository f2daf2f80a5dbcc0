// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup btree_probes_setup("btree_probes", [](Twins &twins) {
  int levels = (int)twins.value("levels");
  const auto &length = twins.lengths("probes");
  const auto &begin = twins.begins(length);
  size_t leaves = (size_t)1 << 4 * levels;
  auto key_of = [](size_t leaf) { return (unsigned)(leaf * 200 + mixed_bits(7, leaf) % 200); };
  std::vector<unsigned> keys;
  for (size_t across = 1; across < leaves; across *= 16)
    for (size_t node = 0; node < across; ++node)
      for (size_t child = 1; child <= 16; ++child) // the last one is no key
        keys.push_back(child < 16 ? key_of(leaves / across * node + leaves / across / 16 * child)
                                  : 0xffffffffu);
  std::vector<unsigned> kept(leaves), asked((size_t)begin.back());
  for (unsigned &value : kept)
    value = (unsigned)twins.random.bits();
  for (unsigned &one : asked)
    one = key_of(twins.random.below(leaves));
  const auto &values = twins.keep(std::move(kept));
  const auto &wanted = twins.keep(std::move(asked));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_wanted = twins.input("wanted", wanted);
  const unsigned *d_nodes = twins.input("nodes", keys);
  const unsigned *d_values = twins.input("values", values);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    unsigned sum = 0;
    for (int k = begin[item]; k < begin[item + 1]; ++k)
      sum += values[wanted[(size_t)k] / 200];
    return sum;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, btree_probes, twins.order, d_begin, d_wanted, d_nodes, d_values, out, levels,
        twins.n);
  };
});
