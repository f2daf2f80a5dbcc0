// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup segment_softmax_setup("segment_softmax", [](Twins &twins) {
  if (twins.text_of("greatest") != twins.text_of("sum") ||
      twins.text_of("greatest") != twins.text_of("shares"))
    fail("segment_softmax goes over its entries three times");
  const auto &length = twins.lengths("greatest");
  const auto &begin = twins.begins(length);
  const auto &scores = twins.floats((size_t)begin.back(), -4.0f, 4.0f);
  const int *d_begin = twins.input("begin", begin);
  const float *d_scores = twins.input("scores", scores);
  float *shares = twins.output<float>(
      "shares", scores.size(),
      [&](size_t at) {
        auto after = std::upper_bound(begin.begin(), begin.end(), (int)at);
        double sum = 0;
        for (int k = after[-1]; k < after[0]; ++k)
          sum += exp((double)scores[(size_t)k] - (double)scores[at]);
        return (float)(1 / sum);
      },
      1e-4);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, segment_softmax, twins.order, d_begin, d_scores, shares, twins.n);
  };
});
