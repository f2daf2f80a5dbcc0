// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup spike_delivery_setup("spike_delivery", [](Twins &twins) {
  size_t held = (size_t)twins.pair.extents.at("slots") / 4, n = (size_t)twins.n;
  const auto &length = twins.lengths("synapses");
  const auto &begin = twins.begins(length);
  const auto &alive = twins.kinds("alive", (size_t)begin.back());
  std::vector<int2> drawn;
  drawn.reserve(alive.size());
  for (int is : alive) {
    int slot = (int)twins.random.below(held);
    drawn.push_back(make_int2(slot, is ? 1 + (int)twins.random.below(100) : 0));
  }
  const auto &synapses = twins.keep(std::move(drawn));
  const int *d_begin = twins.input("begin", begin);
  const int2 *d_synapses = twins.input("synapses", synapses);
  int *slots = twins.sums<int>("slots", held, [&, held] {
    std::vector<int> sums(held, 0);
    for (const int2 &synapse : synapses)
      sums[(size_t)synapse.x] += synapse.y;
    return sums;
  });
  int *sent = twins.output<int>("sent", n, [&](size_t item) {
    int count = 0;
    for (size_t k = (size_t)begin[item]; k < (size_t)begin[item + 1]; ++k)
      count += alive[k];
    return count;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, spike_delivery, twins.order, d_begin, d_synapses, slots, sent, twins.n);
  };
});
