// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Sequences that begin alike have pages in common, so there are fewer than all of them name.
static const Setup paged_decode_setup("paged_decode", [](Twins &twins) {
  size_t places = (size_t)twins.pair.extents.at("keys") / 32;
  const auto &length = twins.lengths("tokens");
  std::vector<int> needed;
  for (int one : length)
    needed.push_back((one + 15) / 16);
  const auto &first = twins.begins(needed);
  const auto &pages = twins.wholes((size_t)first.back(), (int)(places / 16));
  const int *d_tokens = twins.input("tokens", length);
  const int *d_first = twins.input("first", first);
  const int *d_pages = twins.input("pages", pages);
  const float4 *d_queries = (const float4 *)twins.units("queries", (size_t)twins.n * 8);
  const float4 *d_keys = (const float4 *)twins.units("keys", places * 8);
  const float4 *d_values = (const float4 *)twins.units("values", places * 8);
  float *out = twins.output<float>(
      "out", (size_t)twins.n * 8,
      [&](size_t at) {
        double sum = 0, weighted = 0;
        for (int k = 0; k < length[at / 8]; ++k) {
          int page = pages[(size_t)(first[at / 8] + k / 16)];
          unsigned token = (unsigned)(page * 16 + k % 16);
          double score = 0;
          for (unsigned axis = 0; axis < 8; ++axis)
            score +=
                (double)unit_at((unsigned)(at / 8) * 8 + axis) * (double)unit_at(token * 8 + axis);
          sum += exp(score);
          weighted += exp(score) * (double)unit_at(token * 8 + (unsigned)at % 8);
        }
        return (float)(weighted / sum);
      },
      1e-4);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, paged_decode, twins.order, d_tokens, d_first, d_pages, d_queries, d_keys, d_values,
        (float4 *)out, twins.n);
  };
});
