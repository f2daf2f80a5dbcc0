// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// By integrating around the circle, which converges fast.
static const Setup coil_filaments64_setup("coil_filaments64", [](Twins &twins) {
  size_t held = (size_t)twins.pair.extents.at("radii") / 8, n = (size_t)twins.n;
  const auto &filaments = twins.lengths("filaments");
  size_t longest = (size_t)*std::max_element(filaments.begin(), filaments.end());
  if (longest > held)
    fail("coil_filaments64 needs more filaments");
  std::vector<double> wide, high, own;
  for (size_t k = 0; k < held; ++k) {
    wide.push_back(0.5 + 0.5 * twins.random.unit());
    high.push_back(0.2 + 2.4 * twins.random.unit());
  }
  for (size_t item = 0; item < n; ++item)
    own.push_back(0.5 + 0.5 * twins.random.unit());
  const auto &radii = twins.keep(std::move(wide));
  const auto &heights = twins.keep(std::move(high));
  const auto &own_radii = twins.keep(std::move(own));
  const auto &first = twins.wholes(n, (int)(held - longest + 1));
  const int *d_filaments = twins.input("filaments", filaments);
  const int *d_first = twins.input("first", first);
  const double *d_radii = twins.input("radii", radii);
  const double *d_heights = twins.input("heights", heights);
  const double *d_own_radii = twins.input("own_radii", own_radii);
  double *out = twins.output<double>(
      "out", n,
      [&](size_t item) {
        double sum = 0, a = own_radii[item];
        for (size_t k = (size_t)first[item]; k < (size_t)(first[item] + filaments[item]); ++k) {
          double b = radii[k], z = heights[k], one = 0;
          if (z * z > 6 * a * b)
            one = M_PI / 2 * pow(a * b, 2) / pow(b * b + z * z, 1.5);
          else
            for (int step = 0; step < 64; ++step) {
              double angle = (step + 0.5) * M_PI / 64;
              one += a * b * cos(angle) * (M_PI / 64) /
                     sqrt(a * a + b * b + z * z - 2 * a * b * cos(angle));
            }
          sum += one;
        }
        return sum;
      },
      1e-4);
  twins.group_by(filaments);
  twins.launch = [=, &twins] {
    RUN(twins, coil_filaments64, twins.order, d_filaments, d_first, d_radii, d_heights, d_own_radii,
        out, twins.n);
  };
});
