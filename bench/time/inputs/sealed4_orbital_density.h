// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Points lie in boxes, whose shells follow each other; a point is reached by some of its box.
static const Setup orbital_density_setup("orbital_density", [](Twins &twins) {
  size_t shells = (size_t)twins.pair.extents.at("shells") / 16;
  const auto &count = twins.lengths("shells");
  const auto &lengths = twins.draws("gaussians", shells);
  const auto &basis = twins.begins(lengths);
  std::vector<int> places;
  for (int one : count)
    places.push_back((int)twins.random.below(shells - (size_t)one));
  std::vector<float2> values;
  for (int k = 0; k < basis.back(); ++k) {
    float steep = twins.random.between(0.2f, 6.0f);
    values.push_back(make_float2(steep, twins.random.between(0.1f, 0.6f)));
  }
  const auto &first = twins.keep(std::move(places));
  const auto &gaussians = twins.keep(std::move(values));
  const int *d_count = twins.input("count", count);
  const int *d_first = twins.input("first", first);
  const float4 *d_points = (const float4 *)twins.units("points", (size_t)twins.n * 4);
  const float4 *d_shells = (const float4 *)twins.units("shells", shells * 4);
  const int *d_basis = twins.input("basis", basis);
  const float2 *d_gaussians = twins.input("gaussians", gaussians);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double density = 0;
        for (size_t k = (size_t)first[item]; k < (size_t)(first[item] + count[item]); ++k) {
          double square = 0, value = 0;
          for (unsigned axis = 0; axis < 3; ++axis)
            square += pow((double)unit_at((unsigned)item * 4 + axis) -
                              (double)unit_at((unsigned)k * 4 + axis),
                          2);
          for (size_t g = (size_t)basis[k]; g < (size_t)basis[k + 1]; ++g)
            value += gaussians[g].y * exp(-(double)gaussians[g].x * square);
          density += value * value * unit_at((unsigned)k * 4 + 3);
        }
        return (float)density;
      },
      1e-3);
  twins.group_by(count);
  twins.launch = [=, &twins] {
    RUN(twins, orbital_density, twins.order, d_count, d_first, d_points, d_shells, d_basis,
        d_gaussians, out, twins.n);
  };
});
