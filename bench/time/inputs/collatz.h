// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup collatz_setup("collatz", [](Twins &twins) {
  const auto &steps = twins.lengths("steps");
  const auto &start = twins.seeds();
  const int *d_steps = twins.input("steps", steps);
  const unsigned *d_start = twins.input("start", start);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    unsigned x = start[item], highest = x;
    for (int k = 0; k < steps[item]; ++k) {
      x = x & 1 ? 3 * x + 1 : x >> 1;
      highest = std::max(highest, x);
    }
    return highest;
  });
  twins.group_by(steps);
  twins.launch = [=, &twins] { RUN(twins, collatz, twins.order, d_steps, d_start, out, twins.n); };
});
