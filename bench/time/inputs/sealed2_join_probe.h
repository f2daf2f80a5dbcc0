// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Each item has a bucket of its own, and looks for the last entry of its list.
static const Setup join_probe_setup("join_probe", [](Twins &twins) {
  const auto &links = twins.lengths("links");
  size_t count = links.size();
  for (int one : links)
    count += (size_t)one;
  std::vector<int> place(count), first;
  std::iota(place.begin(), place.end(), 0);
  twins.random.shuffle(place);
  std::vector<uint2> list(count);
  std::vector<unsigned> keys, ends;
  size_t at = 0;
  for (int one : links) {
    first.push_back(place[at]);
    for (int k = 0; k <= one; ++k, ++at) {
      unsigned next = k < one ? (unsigned)place[at + 1] : 0;
      list[(size_t)place[at]] = make_uint2((unsigned)at * 0x9e3779b1u, next);
    }
    keys.push_back((unsigned)(at - 1) * 0x9e3779b1u);
    ends.push_back((unsigned)place[at - 1]);
  }
  const auto &found = twins.keep(std::move(ends));
  const int *d_heads = twins.input("heads", first);
  const unsigned *d_keys = twins.input("keys", keys);
  const uint2 *d_entries = twins.input("entries", list);
  unsigned *out =
      twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) { return found[item]; });
  twins.group_by(links);
  twins.launch = [=, &twins] {
    RUN(twins, join_probe, twins.order, d_heads, d_keys, d_entries, out, twins.n);
  };
});
