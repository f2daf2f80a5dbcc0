// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup shade_materials_setup("shade_materials", [](Twins &twins) {
  const auto &material = twins.kinds("material");
  int count = (int)twins.value("count");
  auto some = [&](int how_many) {
    std::vector<float4> ways;
    for (int k = 0; k < how_many; ++k) {
      float x = twins.random.between(-1.0f, 1.0f), y = twins.random.between(-1.0f, 1.0f);
      float z = twins.random.between(0.1f, 1.0f), size = sqrtf(x * x + y * y + z * z);
      ways.push_back(make_float4(x / size, y / size, z / size, twins.random.between(0.5f, 1.0f)));
    }
    return ways;
  };
  const auto &normals = twins.keep(some(twins.n));
  const auto &lights = twins.keep(some(count));
  const int *d_material = twins.input("material", material);
  const float4 *d_normals = twins.input("normals", normals);
  const float4 *d_lights = twins.input("lights", lights);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        double sum = 0;
        for (const float4 &light : lights) {
          const float4 &normal = normals[item];
          double c =
              (double)normal.x * light.x + (double)normal.y * light.y + (double)normal.z * light.z;
          if (material[item] == 0) {
            sum += light.w * std::max(c, 0.0);
          } else if (material[item] == 1) {
            c = std::max(c, 0.01);
            sum += light.w * (c + pow(c, 20));
          } else if (material[item] == 2) {
            double in = sqrt(2.25 + c * c);
            c = fabs(c);
            double a = (c - in) / (c + in), b = (c * in - 1) / (c * in + 1);
            sum += light.w * 0.5 * (a * a + b * b);
          } else {
            sum += light.w * exp(-4 * c * c) * (1 + sin(3 * c));
          }
        }
        return (float)sum;
      },
      1e-3);
  const double cost[4] = {1, 1.5, 3, 2};
  std::vector<double> work;
  for (int one : material)
    work.push_back(count * cost[one]);
  twins.group({material.begin(), material.end()}, work);
  twins.launch = [=, &twins] {
    RUN(twins, shade_materials, twins.order, d_material, d_normals, d_lights, out, count, twins.n);
  };
});
