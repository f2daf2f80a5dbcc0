// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Three in ten cells have something in them.
static const Setup hashgrid_rays_setup("hashgrid_rays", [](Twins &twins) {
  size_t n = (size_t)twins.n;
  const auto &samples = twins.lengths("samples");
  const auto &full = twins.kinds("occupied", 32 * 32 * 32);
  unsigned mask = (unsigned)twins.value("mask");
  std::vector<unsigned> bits(32 * 32, 0);
  for (size_t k = 0; k < full.size(); ++k)
    bits[k / 32] |= (unsigned)full[k] << k % 32;
  std::vector<uint4> from, to;
  for (size_t item = 0; item < n; ++item) {
    unsigned x = (unsigned)twins.random.below(1 << 22), y = (unsigned)twins.random.below(1 << 22);
    from.push_back(make_uint4(x, y, (unsigned)twins.random.below(1 << 22), 0));
    x = 500 + (unsigned)twins.random.below(3000);
    y = 500 + (unsigned)twins.random.below(3000);
    to.push_back(make_uint4(x, y, 500 + (unsigned)twins.random.below(3000), 0));
  }
  const auto &starts = twins.keep(std::move(from));
  const auto &ways = twins.keep(std::move(to));
  const auto &occupied = twins.keep(std::move(bits));
  const int *d_samples = twins.input("samples", samples);
  const uint4 *d_starts = twins.input("starts", starts);
  const uint4 *d_ways = twins.input("ways", ways);
  const unsigned *d_occupied = twins.input("occupied", occupied);
  const float *d_features = twins.units("features", 2 * ((size_t)mask + 1));
  float *out = twins.output<float>(
      "out", n,
      [&, mask](size_t item) {
        double light = 0, through = 1;
        for (unsigned k = 0; k < (unsigned)samples[item]; ++k) {
          unsigned at[3] = {starts[item].x + k * ways[item].x, starts[item].y + k * ways[item].y,
                            starts[item].z + k * ways[item].z};
          unsigned cell = at[1] / 4096 % 32 * 32 + at[2] / 4096 % 32;
          if (!(occupied[cell] >> at[0] / 4096 % 32 & 1))
            continue;
          double density = 0, colour = 0;
          for (unsigned level = 1; level <= 3; level += 2)
            for (unsigned corner = 0; corner < 8; ++corner) {
              unsigned place[3];
              double weight = 1;
              for (unsigned axis = 0; axis < 3; ++axis) {
                unsigned scaled = at[axis] * level, on = corner >> axis & 1;
                double part = scaled % 4096 / 4096.0;
                place[axis] = scaled / 4096 + on;
                weight *= on ? part : 1 - part;
              }
              unsigned hash = (place[0] ^ place[1] * 2654435761u ^ place[2] * 805459861u) & mask;
              density += weight * (double)unit_at(2 * hash);
              colour += weight * (double)unit_at(2 * hash + 1);
            }
          double alpha = density / (density + 8);
          light += through * alpha * colour;
          through *= 1 - alpha;
        }
        return (float)light;
      },
      1e-3);
  twins.group_by(samples);
  twins.launch = [=, &twins] {
    RUN(twins, hashgrid_rays, twins.order, d_samples, d_starts, d_ways, d_occupied,
        (const float2 *)d_features, out, mask, twins.n);
  };
});
