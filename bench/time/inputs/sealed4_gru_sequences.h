// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup gru_sequences_setup("gru_sequences", [](Twins &twins) {
  if (twins.pair.block < 64)
    fail("gru_sequences reads its weights with 64 threads");
  const auto &length = twins.lengths("steps");
  const auto &begin = twins.begins(length);
  const auto &weights = twins.floats(72, -1.0f, 1.0f);
  const int *d_begin = twins.input("begin", begin);
  const float *d_series = twins.units("series", (size_t)begin.back());
  const float *d_weights = twins.input("weights", weights);
  float *out = twins.output<float>(
      "out", (size_t)twins.n * 4,
      [&](size_t at) {
        std::vector<double> cell(4, 0);
        for (int k = begin[at / 4]; k < begin[at / 4 + 1]; ++k) {
          auto gate = [&](size_t number, const std::vector<double> &with) {
            const float *row = &weights[6 * number];
            double sum = (double)row[0] * (double)unit_at((unsigned)k) + (double)row[1];
            for (size_t j = 0; j < 4; ++j)
              sum += (double)row[2 + j] * with[j];
            return sum;
          };
          std::vector<double> reset(4), next(4);
          for (size_t i = 0; i < 4; ++i)
            reset[i] = cell[i] / (1 + exp(-gate(i, cell)));
          for (size_t i = 0; i < 4; ++i) {
            double update = 1 / (1 + exp(-gate(4 + i, cell)));
            next[i] = update * cell[i] + (1 - update) * tanh(gate(8 + i, reset));
          }
          cell = next;
        }
        return (float)cell[at % 4];
      },
      1e-3);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, gru_sequences, twins.order, d_begin, d_series, d_weights, (float4 *)out, twins.n);
  };
});
