// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup pulse_search_setup("pulse_search", [](Twins &twins) {
  const auto &length = twins.lengths("photons");
  const auto &begin = twins.begins(length);
  const auto &frequency = twins.floats((size_t)twins.n, 1.0f, 4.0f);
  const int *d_begin = twins.input("begin", begin);
  const float *d_times = twins.units("times", (size_t)begin.back());
  const float *d_frequency = twins.input("frequency", frequency);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double sum = 0;
        for (int m = 1; m <= 8; ++m) {
          double sine = 0, cosine = 0;
          for (int k = begin[item]; k < begin[item + 1]; ++k) {
            double turns = (double)unit_at((unsigned)k) * frequency[item];
            sine += sin(2 * M_PI * m * turns - m * M_PI);
            cosine += cos(2 * M_PI * m * turns - m * M_PI);
          }
          sum += sine * sine + cosine * cosine;
        }
        return (float)(2 * sum / (begin[item + 1] - begin[item]));
      },
      2e-3);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, pulse_search, twins.order, d_begin, d_times, d_frequency, out, twins.n);
  };
});
