// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup range_scores_setup("range_scores", [](Twins &twins) {
  size_t size = (size_t)twins.value("size"), extra = 8192;
  const auto &hits = twins.lengths("hits");
  if (size & (size - 1) || (size_t)*std::max_element(hits.begin(), hits.end()) >= extra)
    fail("range_scores needs a size that is a power of two, and ranges that aren't longer");
  std::vector<int> place;
  for (size_t k = 0; k < size + extra; ++k)
    place.push_back((int)(k * 8 + twins.random.below(8)));
  std::vector<int2> wanted;
  std::vector<int> first;
  for (int count : hits) {
    size_t from = twins.random.below(size - 1), end = from + (size_t)count;
    first.push_back((int)from);
    wanted.push_back(make_int2(place[from], place[end] - 1));
  }
  const auto &firsts = twins.keep(std::move(first));
  const int2 *d_ranges = twins.input("ranges", wanted);
  const int *d_starts = twins.input("starts", place);
  const float *d_scores = twins.units("scores", size + extra);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double sum = 0;
        for (int k = 0; k < hits[item]; ++k)
          sum += unit_at((unsigned)(firsts[item] + k));
        return (float)sum;
      },
      1e-3);
  twins.group_by(hits);
  twins.launch = [=, &twins] {
    RUN(twins, range_scores, twins.order, d_ranges, d_starts, d_scores, out, (int)size, twins.n);
  };
});
