// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup epidemic_setup("epidemic", [](Twins &twins) {
  unsigned mask = (unsigned)twins.value("mask");
  int weeks = (int)twins.value("weeks");
  const auto &ill = twins.kinds("ill");
  const auto &days = twins.lengths("days");
  const auto &seeds = twins.seeds();
  const int *d_ill = twins.input("ill", ill);
  const int *d_days = twins.input("days", days);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  const float *d_crowd = twins.units("crowd", (size_t)mask + 1);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&, mask, weeks](size_t item) {
        unsigned state = seeds[item];
        double met = 0, strength = 1, immune = (state >> 8) / 16777216.0;
        for (int day = 0; ill[item] && day < days[item]; ++day) {
          state = (state ^ state >> 15) * 0x2c1b3c6du + 1;
          met += strength * unit_at(state & mask);
          strength *= (double)0.97f;
        }
        for (int week = 0; !ill[item] && week < weeks; ++week)
          immune = immune * (1 - 0.1 * immune) + 0.001;
        return (float)(ill[item] ? met : immune);
      },
      1e-3);
  std::vector<int> count;
  for (size_t item = 0; item < days.size(); ++item)
    count.push_back(ill[item] ? days[item] : weeks);
  twins.group_by(ill, count, [](int is, int times) { return times * (is ? 10.0 : 1.0); });
  twins.launch = [=, &twins] {
    RUN(twins, epidemic, twins.order, d_ill, d_days, d_seeds, d_crowd, out, mask, weeks, twins.n);
  };
});
