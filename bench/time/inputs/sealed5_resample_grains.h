// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup resample_grains_setup("resample_grains", [](Twins &twins) {
  size_t recorded = (size_t)twins.pair.extents.at("sound") / 4;
  const auto &samples = twins.lengths("samples");
  std::vector<int2> drawn;
  for (int one : samples) {
    int speed = 32768 + (int)twins.random.below(98304);
    size_t needed = ((size_t)one * (size_t)speed >> 16) + 9;
    if (needed > recorded)
      fail("resample_grains needs more sound");
    drawn.push_back(make_int2((int)twins.random.below(recorded - needed), speed));
  }
  std::vector<float> made(8 * 64);
  for (size_t phase = 0; phase < 64; ++phase)
    for (size_t j = 0; j < 8; ++j) {
      double x = (double)j - 3 - (double)phase / 64;
      double window = 0.5 + 0.5 * cos(M_PI * x / 4.5);
      made[64 * j + phase] = (float)(window * (x == 0.0 ? 1 : sin(M_PI * x) / (M_PI * x)));
    }
  const auto &grains = twins.keep(std::move(drawn));
  const auto &taps = twins.keep(std::move(made));
  const int *d_samples = twins.input("samples", samples);
  const int2 *d_grains = twins.input("grains", grains);
  const float *d_sound = twins.units("sound", recorded);
  const float *d_taps = twins.input("taps", taps);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double energy = 0;
        for (int k = 0; k < samples[item]; ++k) {
          unsigned place = (unsigned)k * (unsigned)grains[item].y;
          double value = 0;
          for (unsigned j = 0; j < 8; ++j)
            value += (double)taps[64 * j + place / 1024 % 64] *
                     (double)unit_at((unsigned)grains[item].x + place / 65536 + j);
          energy += value * value;
        }
        return (float)energy;
      },
      1e-4);
  twins.group_by(samples);
  twins.launch = [=, &twins] {
    RUN(twins, resample_grains, twins.order, d_samples, d_grains, d_sound, d_taps, out, twins.n);
  };
});
