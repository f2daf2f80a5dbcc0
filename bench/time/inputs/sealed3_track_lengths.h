// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup track_lengths_setup("track_lengths", [](Twins &twins) {
  const auto &length = twins.lengths("points");
  const auto &begin = twins.begins(length);
  std::vector<unsigned> packed((size_t)begin.back());
  for (unsigned &point : packed)
    point = (unsigned)twins.random.bits();
  std::vector<float2> corners;
  for (size_t k = 0; k < length.size(); ++k) {
    float south = twins.random.between(-1.0f, 0.8f);
    corners.push_back(make_float2(south, twins.random.between(-3.0f, 2.8f)));
  }
  const auto &points = twins.keep(std::move(packed));
  const auto &corner = twins.keep(std::move(corners));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_points = twins.input("points", points);
  const float2 *d_corner = twins.input("corner", corner);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        // By vectors: the angle between two places, and how the way leaves the first.
        double sum = 0, a = corner[item].x, b = corner[item].y;
        for (int k = begin[item]; k < begin[item + 1]; ++k) {
          double c = corner[item].x + 0.2 / 65536 * (points[(size_t)k] >> 16);
          double d = corner[item].y + 0.2 / 65536 * (points[(size_t)k] & 65535);
          double to[3] = {cos(c) * cos(d), cos(c) * sin(d), sin(c)};
          double north = -sin(a) * cos(b) * to[0] - sin(a) * sin(b) * to[1] + cos(a) * to[2];
          double east = -sin(b) * to[0] + cos(b) * to[1];
          double up = cos(a) * cos(b) * to[0] + cos(a) * sin(b) * to[1] + sin(a) * to[2];
          sum += atan2(hypot(north, east), up) * fabs(atan2(east, north));
          a = c;
          b = d;
        }
        return (float)sum;
      },
      2e-3);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, track_lengths, twins.order, d_begin, d_points, d_corner, out, twins.n);
  };
});
