// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup signal_entropy_setup("signal_entropy", [](Twins &twins) {
  if (twins.pair.block > 128)
    fail("signal_entropy has columns for 128 threads");
  size_t size = (size_t)4 << 20;
  const auto &width = twins.lengths("window");
  std::vector<int> places;
  for (int one : width)
    places.push_back((int)twins.random.below(size - (size_t)one));
  std::vector<unsigned char> values(size);
  for (size_t k = 0; k < size; ++k) // a slow wave, with noise
    values[k] = (unsigned char)(80 + 60 * sin((double)k * 0.002) + 110 * twins.random.unit());
  const auto &first = twins.keep(std::move(places));
  const auto &signal = twins.keep(std::move(values));
  const int *d_width = twins.input("width", width);
  const int *d_first = twins.input("first", first);
  const unsigned char *d_signal = twins.input("signal", signal);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        std::map<int, int> counts;
        double entropy = 0;
        for (int k = 0; k < width[item]; ++k)
          ++counts[signal[(size_t)(first[item] + k)] / 8];
        for (auto [bin, count] : counts)
          entropy -= (double)count / width[item] * log((double)count / width[item]);
        return (float)entropy;
      },
      1e-3);
  twins.group_by(width);
  twins.launch = [=, &twins] {
    RUN(twins, signal_entropy, twins.order, d_width, d_first, d_signal, out, twins.n);
  };
});
