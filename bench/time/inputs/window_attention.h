// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup window_attention_setup("window_attention", [](Twins &twins) {
  if (twins.n != twins.pair.block * twins.pair.grid)
    fail("window_attention has an item for each thread");
  int tiles = (int)twins.value("tiles");
  const auto &window = twins.lengths("window");
  const auto &first = twins.wholes((size_t)twins.n, 256);
  std::vector<float4> vectors;
  for (int k = 0; k < twins.n; ++k) {
    float at[4];
    for (float &one : at)
      one = twins.random.between(-1.0f, 1.0f);
    vectors.push_back(make_float4(at[0], at[1], at[2], at[3]));
  }
  const auto &queries = twins.keep(std::move(vectors));
  const int *d_window = twins.input("window", window);
  const int *d_first = twins.input("first", first);
  const float4 *d_queries = twins.input("queries", queries);
  const float4 *d_keys = (const float4 *)twins.units("keys", (size_t)tiles * 1024);
  const float *d_values = twins.units("values", (size_t)tiles * 256);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&, tiles](size_t item) {
        double weights = 1, sum = 0;
        float4 q = queries[item];
        for (int tile = 0; tile < tiles; ++tile)
          for (int k = 0; k < window[item]; ++k) {
            unsigned at = (unsigned)(tile * 256 + (first[item] + k) % 256);
            double weight = exp(q.x * unit_at(4 * at) + q.y * unit_at(4 * at + 1) +
                                q.z * unit_at(4 * at + 2) + q.w * unit_at(4 * at + 3));
            weights += weight;
            sum += weight * unit_at(at);
          }
        return (float)(sum / weights);
      },
      1e-3);
  twins.group_by(window);
  twins.launch = [=, &twins] {
    RUN(twins, window_attention, twins.order, d_window, d_first, d_queries, d_keys, d_values, out,
        tiles, twins.n);
  };
});
