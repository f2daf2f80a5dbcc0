// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup terrain_octaves_setup("terrain_octaves", [](Twins &twins) {
  const auto &octaves = twins.lengths("octaves");
  std::vector<float4> points;
  for (size_t k = 0; k < octaves.size(); ++k) {
    float x = twins.random.between(-8.0f, 8.0f), y = twins.random.between(-8.0f, 8.0f);
    float z = twins.random.between(0.0f, 2.0f);
    points.push_back(make_float4(x, y, z, twins.random.between(0.5f, 1.0f)));
  }
  const auto &places = twins.keep(std::move(points));
  const int *d_octaves = twins.input("octaves", octaves);
  const float4 *d_places = twins.input("places", places);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double at[3] = {places[item].x, places[item].y, places[item].z};
        double scale = places[item].w, height = 0;
        for (int octave = 0; octave < octaves[item]; ++octave) {
          double sum = 0; // of the eight corners
          for (int corner = 0; corner < 8; ++corner) {
            unsigned hash = 0;
            double share = 1;
            const unsigned factors[3] = {0x8da6b343u, 0xd8163841u, 0xcb1ab31fu};
            for (int k = 0; k < 3; ++k) {
              double low = floor(at[k]), part = at[k] - low;
              part = part * part * (3 - 2 * part);
              int far = corner >> k & 1;
              share *= far ? part : 1 - part;
              hash ^= (unsigned)((int)low + far) * factors[k];
            }
            hash = (hash ^ hash >> 15) * 0x2c1b3c6du;
            sum += share * (hash >> 16) / 65536.0;
          }
          height += scale * sum;
          scale *= (double)0.55f;
          for (double &one : at)
            one *= 2;
        }
        return (float)height;
      },
      1e-3);
  twins.group_by(octaves);
  twins.launch = [=, &twins] {
    RUN(twins, terrain_octaves, twins.order, d_octaves, d_places, out, twins.n);
  };
});
