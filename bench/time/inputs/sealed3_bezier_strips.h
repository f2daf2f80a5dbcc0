// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup bezier_strips_setup("bezier_strips", [](Twins &twins) {
  const auto &cuts = twins.lengths("cuts");
  const auto &begin = twins.begins(cuts);
  std::vector<float4> corners;
  for (size_t k = 0; k < 2 * cuts.size(); ++k) {
    float at[4];
    for (float &one : at)
      one = twins.random.between(-1.0f, 1.0f);
    corners.push_back(make_float4(at[0], at[1], at[2], at[3]));
  }
  const auto &curves = twins.keep(std::move(corners));
  const int *d_begin = twins.input("begin", begin);
  const float4 *d_curves = twins.input("curves", curves);
  auto place = [&](size_t at, bool vertical) {
    // By Bernstein's polynomials.
    auto after = std::upper_bound(begin.begin(), begin.end(), (int)at);
    size_t item = (size_t)(after - begin.begin()) - 1;
    double v = ((double)at - after[-1] + 0.5) / (after[0] - after[-1]), u = 1 - v;
    float4 a = curves[2 * item], b = curves[2 * item + 1];
    double x[4] = {a.x, a.z, b.x, b.z}, y[4] = {a.y, a.w, b.y, b.w};
    auto sum = [&](const double *p) {
      return u * u * u * p[0] + 3 * u * u * v * p[1] + 3 * u * v * v * p[2] + v * v * v * p[3];
    };
    auto slope = [&](const double *p) {
      return u * u * (p[1] - p[0]) + 2 * u * v * (p[2] - p[1]) + v * v * (p[3] - p[2]);
    };
    double along = slope(x), up = slope(y), scale = 0.01 / sqrt(along * along + up * up + 1e-6);
    return (float)(vertical ? sum(y) + along * scale : sum(x) - up * scale);
  };
  size_t size = (size_t)begin.back();
  float *xs = twins.output<float>("xs", size, [=](size_t at) { return place(at, false); }, 2e-3);
  float *ys = twins.output<float>("ys", size, [=](size_t at) { return place(at, true); }, 2e-3);
  twins.group_by(cuts);
  twins.launch = [=, &twins] {
    RUN(twins, bezier_strips, twins.order, d_begin, d_curves, xs, ys, twins.n);
  };
});
