// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Left of a run all is black.
static const Setup median_pixels_setup("median_pixels", [](Twins &twins) {
  size_t width = (size_t)twins.value("width"), bytes = (size_t)twins.pair.extents.at("image");
  size_t rows = bytes / 16 / width;
  const auto &strips = twins.lengths("strips");
  size_t longest = (size_t)*std::max_element(strips.begin(), strips.end());
  if (longest > width)
    fail("median_pixels needs a wider image");
  std::vector<uint64_t> drawn(bytes / 8);
  for (uint64_t &eight : drawn)
    eight = twins.random.bits();
  std::vector<int> from;
  for (int k = 0; k < twins.n; ++k) {
    size_t y = twins.random.below(rows - 2), x = twins.random.below(width - longest + 1);
    from.push_back((int)(y * width + x));
  }
  const auto &image = twins.keep(std::move(drawn));
  const auto &first = twins.keep(std::move(from));
  const int *d_strips = twins.input("strips", strips);
  const int *d_first = twins.input("first", first);
  const uint64_t *d_image = twins.input("image", image);
  auto found = [&, width](size_t item) {
    const unsigned char *pixels = (const unsigned char *)image.data() + 16 * (size_t)first[item];
    std::pair<int, int> sums = {0, 0};
    for (int x = 0; x < 16 * strips[item]; ++x) { // the square ends at column x
      std::vector<int> square;
      for (size_t y = 0; y < 3; ++y)
        for (int at = x - 2; at <= x; ++at)
          square.push_back(at < 0 ? 0 : pixels[16 * width * y + (size_t)at]);
      int centre = square[4];
      std::nth_element(square.begin(), square.begin() + 4, square.end());
      sums.first += square[4];
      sums.second += abs(centre - square[4]);
    }
    return sums;
  };
  size_t n = (size_t)twins.n;
  int *sums = twins.output<int>("sums", n, [=](size_t item) { return found(item).first; });
  int *noise = twins.output<int>("noise", n, [=](size_t item) { return found(item).second; });
  twins.group_by(strips);
  twins.launch = [=, &twins] {
    RUN(twins, median_pixels, twins.order, d_strips, d_first, (const uint4 *)d_image, sums, noise,
        (int)width, twins.n);
  };
});
