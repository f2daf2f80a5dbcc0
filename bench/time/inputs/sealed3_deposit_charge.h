// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Particles of a cloud are in the same 8 x 8 cells.
static const Setup deposit_charge_setup("deposit_charge", [](Twins &twins) {
  int width = (int)twins.value("width");
  const auto &length = twins.lengths("particles");
  const auto &begin = twins.begins(length);
  std::vector<int2> places;
  for (int count : length) {
    int x = (int)twins.random.below((uint64_t)(width - 9)) * 256;
    int y = (int)twins.random.below((uint64_t)(width - 9)) * 256;
    for (int k = 0; k < count; ++k) {
      unsigned bits = (unsigned)(twins.random.bits() >> 32);
      places.push_back(make_int2(x + (int)(bits & 2047), y + (int)(bits >> 16 & 2047)));
    }
  }
  const auto &particles = twins.keep(std::move(places));
  const int *d_begin = twins.input("begin", begin);
  const int2 *d_particles = twins.input("particles", particles);
  size_t cells = (size_t)width * (size_t)width;
  unsigned *charge = twins.sums<unsigned>("charge", cells, [&, width, cells] {
    std::vector<unsigned> all(cells, 0);
    for (int2 place : particles)
      for (int corner = 0; corner < 4; ++corner) {
        int x = place.x / 256 + corner % 2, y = place.y / 256 + corner / 2;
        int share = (256 - abs(x * 256 - place.x)) * (256 - abs(y * 256 - place.y));
        all[(size_t)(y * width + x)] += (unsigned)share;
      }
    return all;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, deposit_charge, twins.order, d_begin, d_particles, charge, width, twins.n);
  };
});
