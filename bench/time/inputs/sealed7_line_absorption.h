// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A frequency is in one of eight bands.
static const Setup line_absorption_setup("line_absorption", [](Twins &twins) {
  size_t held = (size_t)twins.pair.extents.at("table") / 16, n = (size_t)twins.n;
  const auto &lines = twins.lengths("lines");
  size_t longest = (size_t)*std::max_element(lines.begin(), lines.end());
  if (longest > held)
    fail("line_absorption needs more lines");
  std::vector<float4> drawn;
  std::vector<float2> at;
  for (size_t k = 0; k < held; ++k) {
    float where = twins.random.between(0.0f, 100.0f), strength = twins.random.between(0.01f, 0.1f);
    float width = twins.random.between(0.5f, 3.0f);
    drawn.push_back(make_float4(where, strength, width, twins.random.between(0.0f, 900.0f)));
  }
  for (size_t item = 0; item < n; ++item) {
    float where = twins.random.between(0.0f, 100.0f);
    at.push_back(make_float2(where, 1.0f / twins.random.between(200.0f, 320.0f)));
  }
  const auto &table = twins.keep(std::move(drawn));
  const auto &places = twins.keep(std::move(at));
  std::vector<int> from;
  for (size_t item = 0; item < n; ++item)
    from.push_back((int)(twins.random.below(8) * ((held - longest) / 8)));
  const auto &first = twins.keep(std::move(from));
  const int *d_lines = twins.input("lines", lines);
  const int *d_first = twins.input("first", first);
  const float2 *d_places = twins.input("places", places);
  const float4 *d_table = twins.input("table", table);
  float *out = twins.output<float>(
      "out", n,
      [&](size_t item) {
        double sum = 0;
        for (size_t k = (size_t)first[item]; k < (size_t)(first[item] + lines[item]); ++k) {
          double off = ((double)places[item].x - (double)table[k].x) / (double)table[k].z;
          double shape = 1 / (off * off + 1);
          if (off * off < 16)
            shape += 0.7 * exp(-off * off);
          sum += (double)table[k].y * exp(-(double)table[k].w * (double)places[item].y) * shape /
                 (double)table[k].z;
        }
        return (float)sum;
      },
      2e-3);
  twins.group_by(lines);
  twins.launch = [=, &twins] {
    RUN(twins, line_absorption, twins.order, d_lines, d_first, d_places, d_table, out, twins.n);
  };
});
