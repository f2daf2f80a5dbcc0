// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Leaves lie anywhere in a pool of 65536 triangles.
static const Setup ray_leaf_setup("ray_leaf", [](Twins &twins) {
  const int pool = 65536;
  const auto &triangles = twins.lengths("triangles");
  std::vector<float4> points, ways;
  for (int k = 0; k < pool; ++k) {
    auto some = [&](float low, float high) { return twins.random.between(low, high); };
    for (int part = 0; part < 3; ++part) {
      float x = part ? some(-0.4f, 0.4f) : some(-1, 1), y = part ? some(-0.4f, 0.4f) : some(-1, 1);
      points.push_back(make_float4(x, y, part ? some(-0.4f, 0.4f) : some(1, 4), 0.0f));
    }
  }
  std::vector<int> from;
  for (int one : triangles) {
    float at[4];
    for (float &place : at)
      place = twins.random.between(-0.3f, 0.3f);
    ways.push_back(make_float4(at[0], at[1], at[2], at[3]));
    from.push_back((int)twins.random.below((uint64_t)(pool - one)));
  }
  const auto &first = twins.keep(std::move(from));
  const auto &corners = twins.keep(std::move(points));
  const auto &rays = twins.keep(std::move(ways));
  const int *d_first = twins.input("first", first);
  const int *d_triangles = twins.input("triangles", triangles);
  const float4 *d_corners = twins.input("corners", corners);
  const float4 *d_rays = twins.input("rays", rays);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double nearest = 100;
        float4 ray = rays[item];
        for (int j = first[item]; j < first[item] + triangles[item]; ++j) {
          const float4 *c = &corners[3 * (size_t)j];
          // far * way - u * edge1 - v * edge2 = corner - place, by Cramer's rule.
          double m[3][4] = {{ray.z, -(double)c[1].x, -(double)c[2].x, (double)c[0].x - ray.x},
                            {ray.w, -(double)c[1].y, -(double)c[2].y, (double)c[0].y - ray.y},
                            {1, -(double)c[1].z, -(double)c[2].z, c[0].z}};
          auto minor = [&](int a, int b, int d) {
            return m[0][a] * (m[1][b] * m[2][d] - m[1][d] * m[2][b]) -
                   m[0][b] * (m[1][a] * m[2][d] - m[1][d] * m[2][a]) +
                   m[0][d] * (m[1][a] * m[2][b] - m[1][b] * m[2][a]);
          };
          double all = minor(0, 1, 2), far = minor(3, 1, 2) / all;
          double u = minor(0, 3, 2) / all, v = minor(0, 1, 3) / all;
          if (u >= 0 && v >= 0 && u + v <= 1 && far > 0)
            nearest = std::min(nearest, far);
        }
        return (float)nearest;
      },
      1e-3);
  twins.group_by(triangles);
  twins.launch = [=, &twins] {
    RUN(twins, ray_leaf, twins.order, d_first, d_triangles, d_corners, d_rays, out, twins.n);
  };
});
