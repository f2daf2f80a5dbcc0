// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup lut_strips_setup("lut_strips", [](Twins &twins) {
  size_t held = (size_t)twins.pair.extents.at("image") / 4, n = (size_t)twins.n;
  const auto &pixels = twins.lengths("pixels");
  size_t longest = (size_t)*std::max_element(pixels.begin(), pixels.end());
  if (longest > held)
    fail("lut_strips needs more pixels");
  std::vector<unsigned> drawn(held), colours(17 * 17 * 17);
  for (unsigned &pixel : drawn)
    pixel = (unsigned)twins.random.bits() & 0xffffff;
  for (unsigned &colour : colours)
    colour = (unsigned)twins.random.bits() & 0xffffff;
  const auto &image = twins.keep(std::move(drawn));
  const auto &cube = twins.keep(std::move(colours));
  const auto &first = twins.wholes(n, (int)(held - longest + 1));
  const int *d_pixels = twins.input("pixels", pixels);
  const int *d_first = twins.input("first", first);
  const unsigned *d_image = twins.input("image", image);
  const unsigned *d_cube = twins.input("cube", cube);
  // A channel of a pixel: walks from the cell's corner to the opposite one, along the axis first on
  // which the pixel is furthest.
  auto graded = [&](unsigned pixel, int channel) {
    std::vector<std::pair<unsigned, size_t>> axes = {
        {pixel % 16, 1}, {pixel / 256 % 16, 17}, {pixel / 65536 % 16, 289}};
    std::sort(axes.rbegin(), axes.rend());
    size_t at = pixel / 16 % 16 + 17 * (pixel / 4096 % 16) + 289 * (pixel / 1048576 % 16);
    unsigned sum = 0, before = 16;
    for (auto &[way, stride] : axes) {
      sum += (cube[at] >> channel & 255) * (before - way);
      before = way;
      at += stride;
    }
    return (sum + (cube[at] >> channel & 255) * before) / 16;
  };
  auto total = [&, graded](size_t item, int channel) {
    unsigned sum = 0;
    for (size_t k = (size_t)first[item]; k < (size_t)(first[item] + pixels[item]); ++k)
      sum += graded(image[k], channel);
    return sum;
  };
  unsigned *purple = twins.output<unsigned>(
      "purple", n, [=](size_t item) { return total(item, 0) + (total(item, 16) << 16); });
  unsigned *green = twins.output<unsigned>("green", n, [=](size_t item) { return total(item, 8); });
  twins.group_by(pixels);
  twins.launch = [=, &twins] {
    RUN(twins, lut_strips, twins.order, d_pixels, d_first, d_image, d_cube, purple, green, twins.n);
  };
});
