// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup nms_boxes_setup("nms_boxes", [](Twins &twins) {
  int levels = (int)twins.value("levels");
  const auto &ranks = twins.lengths("ranks");
  auto drawn = [&](size_t count) {
    std::vector<int4> all;
    for (size_t k = 0; k < count; ++k) {
      uint64_t bits = twins.random.bits();
      int x = (int)(bits & 255), y = (int)(bits >> 16 & 255);
      int right = 32 + (int)(bits >> 32 & 127), down = 32 + (int)(bits >> 48 & 127);
      all.push_back(make_int4(x, y, x + right, y + down));
    }
    return all;
  };
  const auto &boxes = twins.keep(drawn((size_t)twins.n));
  const auto &best = twins.keep(drawn((size_t)levels * 128));
  const int *d_ranks = twins.input("ranks", ranks);
  const int4 *d_boxes = twins.input("boxes", boxes);
  const int4 *d_best = twins.input("best", best);
  int *covered = twins.output<int>("covered", (size_t)twins.n, [&, levels](size_t item) {
    int count = 0;
    for (int k = 0; k < levels * 128; ++k) {
      const int4 &a = boxes[item], &b = best[(size_t)k];
      int right = std::min(a.z, b.z), down = std::min(a.w, b.w);
      int common = 0;
      if (right > std::max(a.x, b.x) && down > std::max(a.y, b.y))
        common = (right - std::max(a.x, b.x)) * (down - std::max(a.y, b.y));
      int all = (a.z - a.x) * (a.w - a.y) + (b.z - b.x) * (b.w - b.y) - common;
      count += k % 128 < ranks[item] && 2 * common > all;
    }
    return count;
  });
  twins.group_by(ranks);
  twins.launch = [=, &twins] {
    RUN(twins, nms_boxes, twins.order, d_ranks, d_boxes, d_best, covered, levels, twins.n);
  };
});
