// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup sparse_conv_setup("sparse_conv", [](Twins &twins) {
  size_t held = (size_t)twins.pair.extents.at("features") / 32, n = (size_t)twins.n;
  const auto &length = twins.lengths("neighbours");
  const auto &begin = twins.begins(length);
  std::vector<int> drawn;
  drawn.reserve((size_t)begin.back());
  for (int k = 0; k < begin.back(); ++k) {
    int which = (int)twins.random.below(held);
    drawn.push_back(which * 32 + (int)twins.random.below(27));
  }
  const auto &neighbours = twins.keep(std::move(drawn));
  const auto &weights = twins.floats(27 * 64, -1.0f, 1.0f);
  const int *d_begin = twins.input("begin", begin);
  const int *d_neighbours = twins.input("neighbours", neighbours);
  const float *d_features = twins.units("features", held * 8);
  const float *d_weights = twins.input("weights", weights);
  float *out = twins.output<float>(
      "out", n * 8,
      [&](size_t at) {
        double sum = 0;
        for (size_t k = (size_t)begin[at / 8]; k < (size_t)begin[at / 8 + 1]; ++k) {
          size_t place = (size_t)neighbours[k] % 32, which = (size_t)neighbours[k] / 32;
          for (size_t j = 0; j < 8; ++j)
            sum += (double)unit_at((unsigned)(8 * which + j)) *
                   (double)weights[64 * place + 8 * j + at % 8];
        }
        return (float)std::max(sum, 0.0);
      },
      1e-3);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, sparse_conv, twins.order, d_begin, d_neighbours, (const float4 *)d_features,
        (const float4 *)d_weights, (float4 *)out, twins.n);
  };
});
