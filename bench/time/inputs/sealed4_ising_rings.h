// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup ising_rings_setup("ising_rings", [](Twins &twins) {
  int chance = (int)twins.value("chance");
  const auto &sweeps = twins.lengths("sweeps");
  const auto &seeds = twins.keep([&] {
    std::vector<unsigned> odd = twins.seeds();
    for (unsigned &seed : odd)
      seed |= 1;
    return odd;
  }());
  const int *d_sweeps = twins.input("sweeps", sweeps);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n * 2, [&, chance](size_t at) {
    unsigned state = seeds[at / 2], first = state * 2654435761u, up = 0, word = 0;
    bool ring[32];
    for (int i = 0; i < 32; ++i)
      ring[i] = first >> i & 1;
    for (int k = 0; k < sweeps[at / 2]; ++k)
      for (int i = 0; i < 32; ++i) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        bool left = ring[(i + 31) % 32], right = ring[(i + 1) % 32];
        if (left == right)
          ring[i] = (int)(state / 2) < chance ? left : !left;
        else
          ring[i] = state / 2 % 2;
        if (i == 31)
          for (bool one : ring)
            up += one;
      }
    for (int i = 0; i < 32; ++i)
      word |= (unsigned)ring[i] << i;
    return at % 2 ? up : word;
  });
  twins.group_by(sweeps);
  twins.launch = [=, &twins] {
    RUN(twins, ising_rings, twins.order, d_sweeps, d_seeds, out, chance, twins.n);
  };
});
