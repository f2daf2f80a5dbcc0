// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup lazy_adam_setup("lazy_adam", [](Twins &twins) {
  size_t n = (size_t)twins.n, samples = (size_t)twins.pair.extents.at("gradients") / 32;
  const auto &length = twins.lengths("uses");
  const auto &begin = twins.begins(length);
  const auto &uses = twins.wholes((size_t)begin.back(), (int)samples);
  const auto &stale = twins.kinds("stale");
  std::vector<int> steps;
  for (int is : stale)
    steps.push_back(is ? 1 + (int)twins.random.below(50) : 0);
  const auto &ages = twins.keep(std::move(steps));
  const int *d_begin = twins.input("begin", begin);
  const int *d_uses = twins.input("uses", uses);
  const float *d_gradients = twins.units("gradients", samples * 8);
  const int *d_ages = twins.input("ages", ages);
  const float *d_weights = twins.units("weights", n * 8);
  const float *d_means = twins.units("means", n * 8);
  const float *d_squares = twins.units("squares", n * 8);
  auto learned = [&](size_t at, int what) {
    size_t item = at / 8;
    double sum = 0, was = (double)unit_at((unsigned)at);
    for (int k = begin[item]; k < begin[item + 1]; ++k)
      sum += (double)unit_at((unsigned)uses[(size_t)k] * 8 + (unsigned)at % 8);
    double mean = was * pow(0.9, ages[item] + 1) + 0.1 * sum;
    double square = was * pow(0.99, ages[item] + 1) + 0.01 * sum * sum;
    double weight = was - 0.01 * mean / (sqrt(square) + 0.001);
    return (float)(what == 0 ? weight : what == 1 ? mean : square);
  };
  float *weights =
      twins.output<float>("new_weights", n * 8, [=](size_t at) { return learned(at, 0); }, 1e-4);
  float *means =
      twins.output<float>("new_means", n * 8, [=](size_t at) { return learned(at, 1); }, 1e-4);
  float *squares =
      twins.output<float>("new_squares", n * 8, [=](size_t at) { return learned(at, 2); }, 1e-4);
  twins.group_by(length, stale, [](int one, int is) { return one + 8 + is; });
  twins.launch = [=, &twins] {
    RUN(twins, lazy_adam, twins.order, d_begin, d_uses, (const float4 *)d_gradients, d_ages,
        (const float4 *)d_weights, (const float4 *)d_means, (const float4 *)d_squares,
        (float4 *)weights, (float4 *)means, (float4 *)squares, twins.n);
  };
});
