// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup neutron_events_setup("neutron_events", [](Twins &twins) {
  int bounces = (int)twins.value("bounces"), nuclides = (int)twins.value("nuclides");
  int points = (int)twins.value("points");
  const auto &event = twins.kinds("event");
  const auto &secondaries = twins.lengths("secondaries");
  const auto &seeds = twins.seeds();
  const int *d_event = twins.input("event", event);
  const int *d_secondaries = twins.input("secondaries", secondaries);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  const float *d_sections = twins.units("sections", (size_t)nuclides * (size_t)points);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&, bounces, nuclides, points](size_t item) {
        unsigned state = seeds[item];
        auto unit = [&] {
          state = (state ^ state >> 16) * 0x21f0aaadu + 0x6d2b79f5u;
          return ((state >> 8) + 1) / 16777216.0;
        };
        double energy = 1, result = 0;
        if (event[item] == 0)
          for (int k = 0; k < bounces; ++k) {
            energy *= 0.716 + 0.284 * unit();
            result += sqrt(energy) * unit();
          }
        else if (event[item] == 1) {
          float place = (float)unit() * (float)(points - 2);
          unsigned at = (unsigned)place;
          for (unsigned k = 0; k < (unsigned)nuclides; ++k) {
            double low = unit_at(k * (unsigned)points + at);
            double high = unit_at(k * (unsigned)points + at + 1);
            result += low + ((double)place - at) * (high - low);
          }
        } else if (event[item] == 2)
          for (int k = 0; k < secondaries[item]; ++k) {
            double c = cos(M_PI_2 * unit()), first = -log(unit());
            result += sqrt(first - log(unit()) * c * c);
          }
        else
          result = unit();
        return (float)result;
      },
      2e-3);
  std::vector<int> count;
  for (size_t item = 0; item < event.size(); ++item) {
    const int counts[4] = {bounces, 4 * nuclides, 2 * secondaries[item], 1};
    count.push_back(counts[event[item]]);
  }
  twins.group_by(event, count, [](int, int times) { return times; });
  twins.launch = [=, &twins] {
    RUN(twins, neutron_events, twins.order, d_event, d_secondaries, d_seeds, d_sections, out,
        bounces, nuclides, points, twins.n);
  };
});
