// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup slerp_chains_setup("slerp_chains", [](Twins &twins) {
  size_t pairs = (size_t)twins.pair.extents.at("keys") / 32;
  const auto &bones = twins.lengths("bones");
  size_t longest = (size_t)*std::max_element(bones.begin(), bones.end());
  if (longest > pairs)
    fail("slerp_chains needs more keys");
  std::vector<int> from;
  for (int k = 0; k < twins.n; ++k)
    from.push_back(2 * (int)twins.random.below(pairs - longest + 1));
  const auto &far = twins.kinds("far", pairs);
  struct Turn {
    double x, y, z, w;
    Turn unit() const {
      double scale = 1 / sqrt(x * x + y * y + z * z + w * w);
      return {x * scale, y * scale, z * scale, w * scale};
    }
    Turn plus(double by, const Turn &b) const {
      return {x + by * b.x, y + by * b.y, z + by * b.z, w + by * b.w};
    }
    double dot(const Turn &b) const { return x * b.x + y * b.y + z * b.z + w * b.w; }
  };
  std::vector<float4> drawn;
  auto any = [&] {
    Turn turn;
    do {
      turn = {twins.random.unit() * 2 - 1, twins.random.unit() * 2 - 1, twins.random.unit() * 2 - 1,
              twins.random.unit() * 2 - 1};
    } while (turn.dot(turn) < 0.1 || turn.dot(turn) > 1);
    return turn.unit();
  };
  for (int is_far : far) {
    Turn a = any(), b = any();
    while (is_far && fabs(a.dot(b)) > 0.99)
      b = any();
    if (!is_far)
      b = a.plus(0.02, b).unit();
    for (const Turn &one : {a, b})
      drawn.push_back(make_float4((float)one.x, (float)one.y, (float)one.z, (float)one.w));
  }
  const auto &first = twins.keep(std::move(from));
  const auto &keys = twins.keep(std::move(drawn));
  const auto &when = twins.floats((size_t)twins.n, 0.0f, 1.0f);
  const int *d_bones = twins.input("bones", bones);
  const int *d_first = twins.input("first", first);
  const float *d_when = twins.input("when", when);
  const float4 *d_keys = twins.input("keys", keys);
  float *out = twins.output<float>(
      "out", (size_t)twins.n * 4,
      [&](size_t at) {
        Turn all = {0, 0, 0, 1};
        double part = (double)when[at / 4];
        for (int k = 0; k < bones[at / 4]; ++k) {
          auto key = [&](int side) {
            const float4 &one = keys[(size_t)(first[at / 4] + 2 * k + side)];
            return Turn{(double)one.x, (double)one.y, (double)one.z, (double)one.w};
          };
          Turn a = key(0), b = key(1);
          double dot = a.dot(b), side = dot < 0 ? -1 : 1, angle = acos(std::min(1.0, dot * side));
          Turn zero = {0, 0, 0, 0}, turn = a;
          if (angle > 1e-6)
            turn = zero.plus(sin((1 - part) * angle), a).plus(side * sin(part * angle), b).unit();
          all = {all.w * turn.x + all.x * turn.w + all.y * turn.z - all.z * turn.y,
                 all.w * turn.y - all.x * turn.z + all.y * turn.w + all.z * turn.x,
                 all.w * turn.z + all.x * turn.y - all.y * turn.x + all.z * turn.w,
                 all.w * turn.w - all.x * turn.x - all.y * turn.y - all.z * turn.z};
        }
        double of_axis[] = {all.x, all.y, all.z, all.w};
        return (float)of_axis[at % 4];
      },
      2e-3);
  twins.group_by(bones);
  twins.launch = [=, &twins] {
    RUN(twins, slerp_chains, twins.order, d_bones, d_first, d_when, d_keys, (float4 *)out, twins.n);
  };
});
