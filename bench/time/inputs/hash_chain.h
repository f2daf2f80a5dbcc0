// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The table is full, with keys that are all different. An item's key is the one that is found after
// so many probes.
static const Setup hash_chain_setup("hash_chain", [](Twins &twins) {
  const auto &probes = twins.lengths("probes");
  unsigned mask = (unsigned)twins.value("mask");
  std::vector<unsigned> table((size_t)mask + 1), key, step;
  for (size_t k = 0; k < table.size(); ++k)
    table[k] = ((unsigned)k ^ (unsigned)k >> 9) * 0x9e3779b1u;
  const auto &hash = twins.seeds();
  for (size_t k = 0; k < probes.size(); ++k) {
    step.push_back((unsigned)twins.random.bits() | 1);
    key.push_back(table[(hash[k] + step[k] * (unsigned)probes[k]) & mask]);
  }
  const auto &steps = twins.keep(std::move(step));
  const unsigned *d_key = twins.input("key", key);
  const unsigned *d_hash = twins.input("hash", hash);
  const unsigned *d_step = twins.input("step", steps);
  const unsigned *d_table = twins.input("table", table);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&, mask](size_t item) {
    return (hash[item] + steps[item] * (unsigned)probes[item]) & mask;
  });
  twins.group_by(probes);
  twins.launch = [=, &twins] {
    RUN(twins, hash_chain, twins.order, d_key, d_hash, d_step, d_table, out, mask, twins.n);
  };
});
