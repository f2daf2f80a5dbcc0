// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup bloom_probe_setup("bloom_probe", [](Twins &twins) {
  unsigned mask = (unsigned)twins.value("mask");
  int hashes = (int)twins.value("hashes");
  const auto &length = twins.lengths("keys");
  const auto &begin = twins.begins(length);
  std::vector<unsigned> wanted((size_t)begin.back()), words(((size_t)mask + 1) / 32);
  for (unsigned &key : wanted)
    key = (unsigned)(twins.random.bits() >> 32);
  for (size_t k = 0; k < words.size(); ++k)
    words[k] = (unsigned)(mixed_bits(twins.pair.seed ^ 0x626c6f6f6du, k) >> 32);
  const auto &keys = twins.keep(std::move(wanted));
  const auto &filter = twins.keep(std::move(words));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_keys = twins.input("keys", keys);
  const unsigned *d_filter = twins.input("filter", filter);
  int *out = twins.output<int>("out", (size_t)twins.n, [&, mask, hashes](size_t item) {
    int found = 0;
    for (int j = begin[item]; j < begin[item + 1]; ++j) {
      unsigned key = keys[(size_t)j], step = bloom_hash(key, 0x3c6ef372u) | 1;
      bool all = true;
      for (unsigned k = 0; k < (unsigned)hashes; ++k) {
        unsigned bit = (bloom_hash(key, 0x9747b28cu) + k * step) & mask;
        all &= filter[bit / 32] >> bit % 32 & 1;
      }
      found += all;
    }
    return found;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, bloom_probe, twins.order, d_begin, d_keys, d_filter, out, mask, hashes, twins.n);
  };
});
