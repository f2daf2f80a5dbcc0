// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup voxel_march_setup("voxel_march", [](Twins &twins) {
  const auto &steps = twins.lengths("steps");
  const auto &seeds = twins.seeds();
  const auto &voxels = twins.wholes((size_t)1 << 21, 2000);
  const int *d_steps = twins.input("steps", steps);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  const int *d_voxels = twins.input("voxels", voxels);
  int *out = twins.output<int>("out", (size_t)twins.n, [&](size_t item) {
    unsigned seed = seeds[item], place[3] = {seed << 3, seed << 13, seed << 23};
    unsigned by[3] = {(seed >> 8 & 0xffff) + 1, (seed >> 16 & 0xffff) + 1, (seed & 0xffff) + 1};
    int depth = 0;
    for (int k = 0; k < steps[item]; ++k) {
      int far = voxels[(place[0] >> 25 << 14) + (place[1] >> 25 << 7) + (place[2] >> 25)];
      for (int i = 0; i < 3; ++i)
        place[i] += by[i] * (unsigned)far;
      depth += far;
    }
    return depth;
  });
  twins.group_by(steps);
  twins.launch = [=, &twins] {
    RUN(twins, voxel_march, twins.order, d_steps, d_seeds, d_voxels, out, twins.n);
  };
});
