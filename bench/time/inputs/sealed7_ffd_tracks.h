// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup ffd_tracks_setup("ffd_tracks", [](Twins &twins) {
  size_t n = (size_t)twins.n;
  const auto &samples = twins.lengths("samples");
  std::vector<uint4> drawn;
  std::vector<float2> moved;
  std::vector<float4> spline;
  for (size_t item = 0; item < n; ++item) {
    uint64_t place = twins.random.bits(), way = twins.random.bits();
    drawn.push_back(make_uint4((unsigned)place, (unsigned)(place >> 32), (unsigned)way % 50000,
                               (unsigned)(way >> 32) % 50000));
  }
  for (int k = 0; k < 32 * 32; ++k) {
    float x = twins.random.between(-1.0f, 1.0f);
    moved.push_back(make_float2(x, twins.random.between(-1.0f, 1.0f)));
  }
  for (int k = 0; k < 64; ++k) {
    double u = k / 64.0, v = 1 - u;
    spline.push_back(
        make_float4((float)(v * v * v / 6), (float)((3 * u * u * u - 6 * u * u + 4) / 6),
                    (float)((3 * v * v * v - 6 * v * v + 4) / 6), (float)(u * u * u / 6)));
  }
  const auto &fibres = twins.keep(std::move(drawn));
  const auto &lattice = twins.keep(std::move(moved));
  const auto &splines = twins.keep(std::move(spline));
  const int *d_samples = twins.input("samples", samples);
  const uint4 *d_fibres = twins.input("fibres", fibres);
  const float2 *d_lattice = twins.input("lattice", lattice);
  const float4 *d_splines = twins.input("splines", splines);
  float *out = twins.output<float>(
      "out", n,
      [&](size_t item) {
        double sum = 0;
        for (unsigned k = 0; k < (unsigned)samples[item]; ++k) {
          unsigned x = fibres[item].x + k * fibres[item].z, y = fibres[item].y + k * fibres[item].w;
          const float *across = &splines[x / 1024 % 64].x, *down = &splines[y / 1024 % 64].x;
          double right = 0, up = 0;
          for (unsigned j = 0; j < 4; ++j)
            for (unsigned i = 0; i < 4; ++i) {
              const float2 &point = lattice[(y / 65536 + j) % 32 * 32 + (x / 65536 + i) % 32];
              right += (double)down[j] * (double)across[i] * (double)point.x;
              up += (double)down[j] * (double)across[i] * (double)point.y;
            }
          sum += right * right + up * up;
        }
        return (float)sum;
      },
      1e-3);
  twins.group_by(samples);
  twins.launch = [=, &twins] {
    RUN(twins, ffd_tracks, twins.order, d_samples, d_fibres, d_lattice, d_splines, out, twins.n);
  };
});
