// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup pq_lists_setup("pq_lists", [](Twins &twins) {
  size_t count = (size_t)twins.pair.extents.at("codes") / 16;
  const auto &vectors = twins.lengths("vectors");
  size_t longest = (size_t)*std::max_element(vectors.begin(), vectors.end());
  if (longest > count)
    fail("pq_lists needs more vectors");
  std::vector<uint64_t> drawn(2 * count);
  for (uint64_t &eight : drawn)
    eight = twins.random.bits();
  const auto &codes = twins.keep(std::move(drawn));
  const auto &first = twins.wholes((size_t)twins.n, (int)(count - longest + 1));
  const auto &parts = twins.wholes(16 * 256, 100000);
  const int *d_vectors = twins.input("vectors", vectors);
  const int *d_first = twins.input("first", first);
  const uint64_t *d_codes = twins.input("codes", codes);
  const int *d_parts = twins.input("parts", parts);
  auto found = [&](size_t item) {
    std::pair<int, int> best = {0x7fffffff, -1};
    for (int k = first[item]; k < first[item] + vectors[item]; ++k) {
      const unsigned char *code = (const unsigned char *)(codes.data() + 2 * (size_t)k);
      int sum = 0;
      for (size_t part = 0; part < 16; ++part)
        sum += parts[part * 256 + code[part]];
      best = std::min(best, {sum, k});
    }
    return best;
  };
  size_t n = (size_t)twins.n;
  int *least = twins.output<int>("least", n, [=](size_t item) { return found(item).first; });
  int *which = twins.output<int>("which", n, [=](size_t item) { return found(item).second; });
  twins.group_by(vectors);
  twins.launch = [=, &twins] {
    RUN(twins, pq_lists, twins.order, d_vectors, d_first, (const uint4 *)d_codes, d_parts, least,
        which, twins.n);
  };
});
