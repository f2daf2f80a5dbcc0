// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup face_windows_setup("face_windows", [](Twins &twins) {
  int width = (int)twins.value("width");
  const auto &stages = twins.lengths("stages");
  std::vector<int2> corners;
  for (int k = 0; k < twins.n; ++k) {
    int x = (int)twins.random.below((uint64_t)width - 24);
    corners.push_back(make_int2(x, (int)twins.random.below((uint64_t)width - 24)));
  }
  std::vector<int4> areas;
  for (int k = 0; k < 256; ++k) {
    int left = (int)twins.random.below(16), top = (int)twins.random.below(16);
    int right = left + 1 + (int)twins.random.below(8);
    areas.push_back(make_int4(left, top, right, top + 1 + (int)twins.random.below(8)));
  }
  std::vector<unsigned> image((size_t)width * (size_t)width);
  for (unsigned &pixel : image)
    pixel = (unsigned)twins.random.below(256);
  std::vector<unsigned> from_corner = image; // without the pixel's own row and column
  for (size_t y = 0; y < (size_t)width; ++y) {
    unsigned row = 0;
    for (size_t x = 0; x < (size_t)width; ++x) {
      size_t place = y * (size_t)width + x;
      from_corner[place] = y ? from_corner[place - (size_t)width] : 0;
      if (y) {
        from_corner[place] += row;
        row += image[place - (size_t)width];
      }
    }
  }
  const auto &pixels = twins.keep(std::move(image));
  const auto &corner = twins.keep(std::move(corners));
  const auto &boxes = twins.keep(std::move(areas));
  const int *d_stages = twins.input("stages", stages);
  const int2 *d_corner = twins.input("corner", corner);
  const int4 *d_boxes = twins.input("boxes", boxes);
  const unsigned *d_sums = twins.input("sums", from_corner);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&, width](size_t item) {
    unsigned score = 0;
    for (int k = 0; k < 8 * stages[item]; ++k) {
      int4 box = boxes[(size_t)k % 256];
      unsigned sum = 0;
      for (int y = corner[item].y + box.y; y < corner[item].y + box.w; ++y)
        for (int x = corner[item].x + box.x; x < corner[item].x + box.z; ++x)
          sum += pixels[(size_t)(y * width + x)];
      score += k % 2 ? sum : 0u - sum;
    }
    return score;
  });
  twins.group_by(stages);
  twins.launch = [=, &twins] {
    RUN(twins, face_windows, twins.order, d_stages, d_corner, d_boxes, d_sums, out, width, twins.n);
  };
});
