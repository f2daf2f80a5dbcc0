// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup skin_vertices_setup("skin_vertices", [](Twins &twins) {
  size_t count = (size_t)twins.pair.extents.at("bones") / 48, n = (size_t)twins.n;
  const auto &length = twins.lengths("bones");
  const auto &begin = twins.begins(length);
  const auto &links = twins.wholes((size_t)begin.back(), (int)count);
  const int *d_begin = twins.input("begin", begin);
  const int *d_links = twins.input("links", links);
  const float *d_weights = twins.units("weights", links.size());
  const float *d_bones = twins.units("bones", count * 12);
  const float *d_vertices = twins.units("vertices", n * 4);
  float *out = twins.output<float>(
      "out", n * 4,
      [&](size_t at) {
        unsigned row = (unsigned)at % 4, vertex = (unsigned)at - row;
        if (row == 3)
          return unit_at((unsigned)at);
        double sum = 0;
        for (int k = begin[at / 4]; k < begin[at / 4 + 1]; ++k)
          for (unsigned j = 0; j < 4; ++j)
            sum += (double)unit_at((unsigned)k) *
                   (double)unit_at((unsigned)links[(size_t)k] * 12 + 4 * row + j) *
                   (j < 3 ? (double)unit_at(vertex + j) : 1.0);
        return (float)sum;
      },
      1e-4);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, skin_vertices, twins.order, d_begin, d_links, d_weights, (const float4 *)d_bones,
        (const float4 *)d_vertices, (float4 *)out, twins.n);
  };
});
