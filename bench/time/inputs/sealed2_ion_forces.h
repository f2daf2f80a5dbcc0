// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Neighbours are near in memory, too.
static const Setup ion_forces_setup("ion_forces", [](Twins &twins) {
  const auto &length = twins.lengths("neighbours");
  const auto &begin = twins.begins(length);
  const auto &charged = twins.kinds("charged");
  std::vector<float4> places;
  for (int k = 0; k < twins.n; ++k) {
    float at[3];
    for (float &one : at)
      one = twins.random.between(0.0f, 4.0f);
    places.push_back(
        make_float4(at[0], at[1], at[2], charged[(size_t)k] ? (k % 2 ? 1.0f : -1.0f) : 0.0f));
  }
  std::vector<int> near;
  for (int item = 0; item < twins.n; ++item)
    for (int k = 0; k < length[(size_t)item]; ++k)
      near.push_back((item + twins.n - 4096 + (int)twins.random.below(8192)) % twins.n);
  const auto &atoms = twins.keep(std::move(places));
  const auto &neighbours = twins.keep(std::move(near));
  const int *d_begin = twins.input("begin", begin);
  const int *d_neighbours = twins.input("neighbours", neighbours);
  const float4 *d_atoms = twins.input("atoms", atoms);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double energy = 0;
        float4 a = atoms[item];
        for (int j = begin[item]; j < begin[item + 1]; ++j) {
          float4 b = atoms[(size_t)neighbours[(size_t)j]];
          double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
          double square = x * x + y * y + z * z + 0.9, sixth = pow(square, -3);
          energy += 4 * sixth * (sixth - 1) + a.w * b.w * exp(-sqrt(square)) / sqrt(square);
        }
        return (float)energy;
      },
      1e-3);
  twins.group_by(charged, length, [](int c, int count) { return count * (c ? 1.5 : 1.0); });
  twins.launch = [=, &twins] {
    RUN(twins, ion_forces, twins.order, d_begin, d_neighbours, d_atoms, out, twins.n);
  };
});
