// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup heap_topk_setup("heap_topk", [](Twins &twins) {
  if (twins.pair.block > 128)
    fail("heap_topk has columns for 128 threads");
  const auto &length = twins.lengths("scores");
  const auto &begin = twins.begins(length);
  const int *d_begin = twins.input("begin", begin);
  const float *d_scores = twins.units("scores", (size_t)begin.back());
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        std::vector<float> all;
        for (int k = begin[item]; k < begin[item + 1]; ++k)
          all.push_back(unit_at((unsigned)k));
        std::sort(all.begin(), all.end(), std::greater<float>());
        double sum = 0;
        for (size_t k = 0; k < std::min<size_t>(16, all.size()); ++k)
          sum += (double)all[k];
        return (float)sum;
      },
      1e-5);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, heap_topk, twins.order, d_begin, d_scores, out, twins.n);
  };
});
