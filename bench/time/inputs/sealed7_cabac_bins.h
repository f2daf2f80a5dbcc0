// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Any bits are a stream, but that the first nine are less than the range. Ranges and states are by
// the formulas that those of the standard are from.
static const Setup cabac_bins_setup("cabac_bins", [](Twins &twins) {
  size_t held = (size_t)twins.pair.extents.at("stream") / 4, n = (size_t)twins.n;
  const auto &bins = twins.lengths("bins");
  size_t longest = (size_t)*std::max_element(bins.begin(), bins.end()) / 4 + 64;
  if (longest > held)
    fail("cabac_bins needs a longer stream");
  std::vector<int> parts, back;
  const double alpha = pow(0.01875 / 0.5, 1.0 / 63);
  for (int state = 0; state < 64; ++state) {
    double p = 0.5 * pow(alpha, state), after = alpha * p + 1 - alpha;
    for (int quarter = 0; quarter < 4; ++quarter)
      parts.push_back(std::max(6, (int)lrint(p * (288 + 64 * quarter))));
    back.push_back(state == 0 ? 0 : std::max(0, (int)lrint(log(after / 0.5) / log(alpha))));
  }
  std::vector<unsigned> drawn(held);
  for (unsigned &word : drawn)
    word = (unsigned)twins.random.bits();
  const auto &stream = twins.keep(std::move(drawn));
  const auto &ranges = twins.keep(std::move(parts));
  const auto &falls = twins.keep(std::move(back));
  const auto &first = twins.wholes(n, (int)(held - longest + 1));
  const int *d_bins = twins.input("bins", bins);
  const int *d_first = twins.input("first", first);
  const unsigned *d_stream = twins.input("stream", stream);
  const int *d_ranges = twins.input("ranges", ranges);
  const int *d_falls = twins.input("falls", falls);
  unsigned *out = twins.output<unsigned>("out", n, [&](size_t item) {
    size_t at = (size_t)first[item] * 32;
    auto bit = [&] {
      int one = (int)(stream[at / 32] >> (31 - at % 32) & 1);
      ++at;
      return one;
    };
    int sure[16], expected[16], value = 0, range = 510;
    for (int k = 0; k < 16; ++k) {
      sure[k] = 2 * k;
      expected[k] = 0;
    }
    for (int k = 0; k < 9; ++k)
      value = 2 * value + bit();
    value = std::min(value, 509);
    unsigned history = 0, sum = 0;
    for (unsigned k = 0; k < (unsigned)bins[item]; ++k) {
      size_t which = (k ^ history) % 16;
      int least = ranges[(size_t)(4 * sure[which] + range / 64 % 4)], bin = expected[which];
      if (value < range - least) {
        range -= least;
        sure[which] = std::min(sure[which] + 1, 62);
      } else {
        value -= range - least;
        range = least;
        bin = 1 - bin;
        if (sure[which] == 0)
          expected[which] = bin;
        sure[which] = falls[(size_t)sure[which]];
      }
      while (range < 256) {
        range *= 2;
        value = 2 * value + bit();
      }
      history = 2 * history + (unsigned)bin;
      sum = 3 * sum + (unsigned)bin;
    }
    return sum;
  });
  twins.group_by(bins);
  twins.launch = [=, &twins] {
    RUN(twins, cabac_bins, twins.order, d_bins, d_first, d_stream, d_ranges, d_falls, out, twins.n);
  };
});
