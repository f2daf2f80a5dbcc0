// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The right side is made of the solution.
static const Setup tridiagonal_setup("tridiagonal", [](Twins &twins) {
  if (twins.text_of("layers") != twins.text_of("up"))
    fail("tridiagonal goes up as far as down");
  const auto &layers = twins.lengths("layers");
  const auto &begin = twins.begins(layers);
  const auto &heat = twins.floats((size_t)begin.back(), 0.0f, 1.0f);
  std::vector<float4> rows;
  for (size_t item = 0; item < layers.size(); ++item)
    for (int k = begin[item]; k < begin[item + 1]; ++k) {
      float above = k > begin[item] ? twins.random.between(-1.0f, -0.5f) : 0.0f;
      float below = k + 1 < begin[item + 1] ? twins.random.between(-1.0f, -0.5f) : 0.0f;
      float at = 1.0f - above - below, right = at * heat[(size_t)k];
      if (above != 0.0f)
        right += above * heat[(size_t)k - 1];
      if (below != 0.0f)
        right += below * heat[(size_t)k + 1];
      rows.push_back(make_float4(above, at, below, right));
    }
  const int *d_begin = twins.input("begin", begin);
  const float4 *d_rows = twins.input("rows", rows);
  float2 *swept = (float2 *)twins.units("swept", (size_t)begin.back() * 2);
  float *out =
      twins.output<float>("heat", (size_t)begin.back(), [&](size_t at) { return heat[at]; }, 1e-4);
  twins.group_by(layers);
  twins.launch = [=, &twins] {
    RUN(twins, tridiagonal, twins.order, d_begin, d_rows, swept, out, twins.n);
  };
});
