// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Places are whole numbers, so that which side of a line they are on is known.
static const Setup outline_texels_setup("outline_texels", [](Twins &twins) {
  size_t lines = (size_t)twins.pair.extents.at("outline") / 16;
  const auto &segments = twins.lengths("segments");
  if ((size_t)*std::max_element(segments.begin(), segments.end()) > lines)
    fail("outline_texels needs a longer outline");
  std::vector<float4> drawn;
  while (drawn.size() < lines) {
    int x = 128 + (int)twins.random.below(768), y = 128 + (int)twins.random.below(768);
    int dx = (int)twins.random.below(257) - 128, dy = (int)twins.random.below(257) - 128;
    if (dx || dy)
      drawn.push_back(make_float4((float)x, (float)y, (float)(x + dx), (float)(y + dy)));
  }
  std::vector<float2> places;
  for (int k = 0; k < twins.n; ++k) {
    uint64_t bits = twins.random.bits();
    places.push_back(make_float2((float)(bits & 1023), (float)(bits >> 32 & 1023)));
  }
  const auto &outline = twins.keep(std::move(drawn));
  const auto &texels = twins.keep(std::move(places));
  const int *d_segments = twins.input("segments", segments);
  const float2 *d_texels = twins.input("texels", texels);
  const float4 *d_outline = twins.input("outline", outline);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double px = texels[item].x, py = texels[item].y, least = 1e12;
        bool inside = false;
        for (size_t k = 0; k < (size_t)segments[item]; ++k) {
          double ax = outline[k].x, ay = outline[k].y, bx = outline[k].z, by = outline[k].w;
          double along = ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) /
                         ((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
          along = std::min(std::max(along, 0.0), 1.0);
          least = std::min(least, pow(px - ax - along * (bx - ax), 2) +
                                      pow(py - ay - along * (by - ay), 2));
          if ((ay <= py) == (by <= py))
            continue;
          double side = (bx - ax) * (py - ay) - (px - ax) * (by - ay);
          if ((side < 0) == (by > ay))
            inside = !inside;
        }
        return (float)(inside ? -sqrt(least) : sqrt(least));
      },
      2e-3);
  twins.group_by(segments);
  twins.launch = [=, &twins] {
    RUN(twins, outline_texels, twins.order, d_segments, d_texels, d_outline, out, twins.n);
  };
});
