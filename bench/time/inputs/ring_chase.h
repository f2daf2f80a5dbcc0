// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// One ring through all places: a generator of random numbers with a full period. It is as long as
// its extent says.
static const Setup ring_chase_setup("ring_chase", [](Twins &twins) {
  auto extent = twins.pair.extents.find("next");
  if (extent == twins.pair.extents.end())
    fail("ring_chase needs the extent of next");
  unsigned mask = (unsigned)(extent->second / 4) - 1;
  const auto &steps = twins.lengths("steps");
  const auto &start = twins.wholes((size_t)twins.n, (int)mask + 1);
  const int *d_steps = twins.input("steps", steps);
  const int *d_start = twins.input("start", start);
  std::vector<int> next((size_t)mask + 1);
  for (size_t k = 0; k < next.size(); ++k)
    next[k] = (int)(((unsigned)k * 1664525u + 1013904223u) & mask);
  const int *d_next = twins.input("next", next);
  int *out = twins.output<int>("out", (size_t)twins.n, [&, mask](size_t item) {
    unsigned place = (unsigned)start[item];
    for (int k = 0; k < steps[item]; ++k)
      place = (place * 1664525u + 1013904223u) & mask;
    return (int)place;
  });
  twins.group_by(steps);
  twins.launch = [=, &twins] {
    RUN(twins, ring_chase, twins.order, d_steps, d_start, d_next, out, twins.n);
  };
});
