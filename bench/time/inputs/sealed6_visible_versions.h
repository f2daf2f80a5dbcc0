// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Versions lie in the order in which they were written, which says nothing of rows. The version of
// a row that is `k` before the newest was written at 1000000 - 100 k.
static const Setup visible_versions_setup("visible_versions", [](Twins &twins) {
  size_t n = (size_t)twins.n, held = (size_t)twins.pair.extents.at("contents") / 4;
  const auto &older = twins.lengths("older");
  const auto &alive = twins.kinds("alive");
  std::vector<int> length, stuff(held), when, head, answers;
  for (int steps : older)
    length.push_back(steps + 1);
  const auto &begin = twins.begins(length);
  std::vector<int> places((size_t)begin.back());
  std::iota(places.begin(), places.end(), 0);
  twins.random.shuffle(places);
  for (int &one : stuff)
    one = (int)twins.random.below(1 << 30);
  std::vector<int4> all(places.size());
  for (size_t item = 0; item < n; ++item) {
    const int *at = places.data() + begin[item];
    for (int k = 0; k <= older[item]; ++k) {
      bool is_last = k == older[item];
      int what = !is_last || alive[item] ? (int)twins.random.below(held) : -1;
      all[(size_t)at[k]] = make_int4(1000000 - 100 * k, is_last ? -1 : at[k + 1], what, k);
      if (is_last)
        answers.push_back(what < 0 ? -1 : stuff[(size_t)what] + k);
    }
    head.push_back(at[0]);
    when.push_back(1000000 - 100 * older[item] + (int)twins.random.below(100));
  }
  const auto &expected = twins.keep(std::move(answers));
  const int *d_heads = twins.input("heads", head);
  const int *d_snapshots = twins.input("snapshots", when);
  const int4 *d_versions = twins.input("versions", all);
  const int *d_contents = twins.input("contents", stuff);
  int *out = twins.output<int>("out", n, [&](size_t item) { return expected[item]; });
  twins.group_by(older, alive, [](int steps, int is) { return steps + 1.0 + is; });
  twins.launch = [=, &twins] {
    RUN(twins, visible_versions, twins.order, d_heads, d_snapshots, d_versions, d_contents, out,
        twins.n);
  };
});
