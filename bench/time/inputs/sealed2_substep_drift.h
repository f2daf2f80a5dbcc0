// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup substep_drift_setup("substep_drift", [](Twins &twins) {
  if (twins.n != twins.pair.block * twins.pair.grid)
    fail("substep_drift has an item for each thread");
  int steps = (int)twins.value("steps");
  const auto &substeps = twins.lengths("substeps");
  const auto &start = twins.seeds();
  std::vector<unsigned> forces((size_t)steps * 1024);
  for (unsigned &force : forces)
    force = (unsigned)twins.random.bits() & 0xffffff;
  const auto &field = twins.keep(std::move(forces));
  const int *d_substeps = twins.input("substeps", substeps);
  const unsigned *d_start = twins.input("start", start);
  const unsigned *d_field = twins.input("field", field);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&, steps](size_t item) {
    unsigned place = start[item], speed = 0;
    for (int k = 0; k < steps * substeps[item]; ++k)
      place += speed += field[(size_t)(k / substeps[item]) * 1024 + (place >> 22)];
    return place;
  });
  twins.group_by(substeps);
  twins.launch = [=, &twins] {
    RUN(twins, substep_drift, twins.order, d_substeps, d_start, d_field, out, steps, twins.n);
  };
});
