// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// In a tile of 64 by 64, of which a Gaussian covers a small part.
static const Setup tile_splats_setup("tile_splats", [](Twins &twins) {
  size_t count = (size_t)twins.value("layers") * 128;
  const auto &splats = twins.lengths("splats");
  std::vector<float4> drawn;
  std::vector<float2> places;
  for (size_t k = 0; k < count; ++k) {
    float x = twins.random.between(0.0f, 64.0f), y = twins.random.between(0.0f, 64.0f);
    float narrow = 1.0f / twins.random.between(10.0f, 100.0f);
    drawn.push_back(make_float4(x, y, narrow, twins.random.between(0.02f, 0.3f)));
  }
  for (int k = 0; k < twins.n; ++k) {
    float x = twins.random.between(0.0f, 64.0f);
    places.push_back(make_float2(x, twins.random.between(0.0f, 64.0f)));
  }
  const auto &gaussians = twins.keep(std::move(drawn));
  const auto &pixels = twins.keep(std::move(places));
  const auto &colours = twins.floats(count, 0.0f, 1.0f);
  const int *d_splats = twins.input("splats", splats);
  const float2 *d_pixels = twins.input("pixels", pixels);
  const float4 *d_gaussians = twins.input("gaussians", gaussians);
  const float *d_colours = twins.input("colours", colours);
  int layers = (int)twins.value("layers");
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&, count](size_t item) {
        double light = 0, through = 1;
        for (size_t k = 0; k < count; ++k) {
          if ((int)(k % 128) >= splats[item])
            continue;
          double x = (double)pixels[item].x - (double)gaussians[k].x;
          double y = (double)pixels[item].y - (double)gaussians[k].y;
          double alpha = (double)gaussians[k].w * exp(-(double)gaussians[k].z * (x * x + y * y));
          if (alpha <= 1 / 255.0)
            continue;
          light += through * alpha * (double)colours[k];
          through *= 1 - alpha;
        }
        return (float)light;
      },
      1e-2);
  twins.group_by(splats);
  twins.launch = [=, &twins] {
    RUN(twins, tile_splats, twins.order, d_splats, d_pixels, d_gaussians, d_colours, out, layers,
        twins.n);
  };
});
