// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Neighbours' numbers are near a vertex's own, as meshes have them that were put in order.
static const Setup smooth_vertices_setup("smooth_vertices", [](Twins &twins) {
  const auto &length = twins.lengths("neighbours");
  const auto &begin = twins.begins(length);
  std::vector<int> others;
  for (int item = 0; item < twins.n; ++item)
    for (int k = 0; k < length[(size_t)item]; ++k) {
      int other = item + (int)twins.random.below(4096) - 2048;
      others.push_back(std::min(std::max(other, 0), twins.n - 1));
    }
  const auto &neighbours = twins.keep(std::move(others));
  const int *d_begin = twins.input("begin", begin);
  const int *d_neighbours = twins.input("neighbours", neighbours);
  const float4 *d_places = (const float4 *)twins.units("places", (size_t)twins.n * 4);
  float *moved = twins.output<float>(
      "moved", (size_t)twins.n * 4,
      [&](size_t at) {
        auto place = [](size_t vertex, size_t axis) {
          return (double)unit_at((unsigned)(vertex * 4 + axis));
        };
        size_t item = at / 4;
        double sum = 0, weights = 1e-6;
        for (int k = begin[item]; k < begin[item + 1]; ++k) {
          size_t other = (size_t)neighbours[(size_t)k];
          double square = 0.01;
          for (size_t axis = 0; axis < 3; ++axis)
            square += pow(place(other, axis) - place(item, axis), 2);
          weights += 1 / sqrt(square);
          sum += (place(other, at % 4) - place(item, at % 4)) / sqrt(square);
        }
        return (float)(place(item, at % 4) + (at % 4 < 3 ? 0.5 * sum / weights : 0));
      },
      1e-4);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, smooth_vertices, twins.order, d_begin, d_neighbours, d_places, (float4 *)moved,
        twins.n);
  };
});
