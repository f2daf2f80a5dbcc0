// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup lens_blur_setup("lens_blur", [](Twins &twins) {
  if (twins.text_of("rows") != twins.text_of("columns"))
    fail("lens_blur has squares");
  int width = (int)twins.value("width");
  const auto &across = twins.lengths("rows"); // odd
  std::vector<unsigned char> radii;
  std::vector<double> work;
  for (int one : across) {
    radii.push_back((unsigned char)(one / 2));
    work.push_back(one * (3.0 + one));
  }
  const unsigned char *d_radius = twins.input("radius", radii);
  const float *d_image = twins.units("image", (size_t)twins.n);
  float *out = twins.output<float>(
      "blurred", (size_t)twins.n,
      [&, width](size_t item) {
        int r = across[item] / 2, x = (int)item % width, y = (int)item / width;
        double sum = 0;
        for (int row = y - r; row <= y + r; ++row)
          for (int column = x - r; column <= x + r; ++column) {
            int to_row = std::min(std::max(row, 0), twins.n / width - 1);
            int to_column = std::min(std::max(column, 0), width - 1);
            sum += unit_at((unsigned)(to_row * width + to_column));
          }
        return (float)(sum / (across[item] * across[item]));
      },
      1e-4);
  twins.group({across.begin(), across.end()}, work);
  twins.launch = [=, &twins] {
    RUN(twins, lens_blur, twins.order, d_radius, d_image, out, width, twins.n);
  };
});
