// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup kirchhoff_points_setup("kirchhoff_points", [](Twins &twins) {
  int samples = (int)twins.value("samples");
  size_t places = (size_t)twins.pair.extents.at("traces") / 4;
  int receivers = (int)(places / (size_t)samples);
  const auto &apertures = twins.lengths("apertures");
  std::vector<int2> drawn;
  for (int one : apertures) {
    int deepest = samples - 4 * one - 16;
    if (one > receivers || deepest < 200)
      fail("kirchhoff_points needs more traces");
    drawn.push_back(make_int2((int)twins.random.below((uint64_t)(receivers - one + 1)),
                              100 + (int)twins.random.below((uint64_t)deepest - 100)));
  }
  const auto &points = twins.keep(std::move(drawn));
  const int *d_apertures = twins.input("apertures", apertures);
  const int2 *d_points = twins.input("points", points);
  const float *d_traces = twins.units("traces", places);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&, samples](size_t item) {
        double sum = 0;
        int count = apertures[item], deep = points[item].y;
        for (int k = 0; k < count; ++k) {
          double when =
              (double)sqrtf((float)(deep * deep + 64 * (k - count / 2) * (k - count / 2)));
          unsigned at = (unsigned)((points[item].x + k) * samples + (int)when);
          double low = (double)unit_at(at), high = (double)unit_at(at + 1);
          sum += (low + (when - floor(when)) * (high - low)) * deep / when;
        }
        return (float)sum;
      },
      1e-3);
  twins.group_by(apertures);
  twins.launch = [=, &twins] {
    RUN(twins, kirchhoff_points, twins.order, d_apertures, d_points, d_traces, out, samples,
        twins.n);
  };
});
