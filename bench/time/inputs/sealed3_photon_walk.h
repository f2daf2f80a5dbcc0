// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A photon lives on with a chance of survive / 2^31, so scatters are geometric.
static const Setup photon_walk_setup("photon_walk", [](Twins &twins) {
  unsigned survive = (unsigned)twins.value("survive");
  const auto &seeds = twins.seeds();
  std::vector<int> counts;
  for (unsigned state : seeds) {
    int count = 0;
    do {
      for (int k = 0; k < 3; ++k)
        photon_draw(state);
      ++count;
    } while (photon_draw(state) >> 1 < survive);
    counts.push_back(count);
  }
  const auto &scatters = twins.keep(std::move(counts));
  const unsigned *d_seeds = twins.input("seeds", seeds);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        unsigned state = seeds[item];
        auto unit = [&] { return ((photon_draw(state) >> 8) + 1) / 16777216.0; };
        double at[3] = {0, 0, 0}, way[3] = {0, 0, 1}, g = 0.8;
        for (int k = 0; k < scatters[item]; ++k) {
          double step = -log(unit());
          for (int axis = 0; axis < 3; ++axis)
            at[axis] += step * way[axis];
          double share = (1 - g * g) / (1 - g + 2 * g * unit());
          double cosine = (1 + g * g - share * share) / (2 * g);
          double sine = sqrt(std::max(0.0, 1 - cosine * cosine));
          double angle = 2 * M_PI * unit() - M_PI;
          double sign = way[2] >= 0 ? 1 : -1, a = -1 / (sign + way[2]);
          double one[3] = {1 + sign * way[0] * way[0] * a, sign * way[0] * way[1] * a,
                           -sign * way[0]};
          double two[3] = {way[0] * way[1] * a, sign + way[1] * way[1] * a, -way[1]};
          for (int axis = 0; axis < 3; ++axis)
            way[axis] =
                sine * cos(angle) * one[axis] + sine * sin(angle) * two[axis] + cosine * way[axis];
          photon_draw(state);
        }
        return (float)sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
      },
      2e-2);
  twins.group_by(scatters);
  twins.launch = [=, &twins] {
    RUN(twins, photon_walk, twins.order, d_seeds, out, survive, twins.n);
  };
});
