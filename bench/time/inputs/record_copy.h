// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup record_copy_setup("record_copy", [](Twins &twins) {
  const auto &length = twins.lengths("records");
  const auto &begin = twins.begins(length);
  size_t floats = (size_t)begin.back() * 4;
  const int *d_begin = twins.input("begin", begin);
  const float4 *d_from = (const float4 *)twins.units("from", floats);
  float4 *d_to = (float4 *)twins.output<float>(
      "to", floats, [](size_t k) { return 2.0f * unit_at((unsigned)k); });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, record_copy, twins.order, d_begin, d_from, d_to, twins.n);
  };
});
