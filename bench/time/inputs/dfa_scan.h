// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Eight states accept, the others don't.
static const Setup dfa_scan_setup("dfa_scan", [](Twins &twins) {
  int accepting = (int)twins.value("accepting");
  const auto &length = twins.lengths("text");
  const auto &begin = twins.begins(length);
  std::vector<unsigned char> letters((size_t)begin.back());
  for (unsigned char &letter : letters)
    letter = (unsigned char)twins.random.bits();
  std::vector<unsigned short> table((size_t)(accepting + 8) * 64);
  for (unsigned short &state : table)
    state = (unsigned short)twins.random.below((uint64_t)(accepting + 8));
  const auto &text = twins.keep(std::move(letters));
  const auto &next = twins.keep(std::move(table));
  const int *d_begin = twins.input("begin", begin);
  const unsigned char *d_text = twins.input("text", text);
  const unsigned short *d_next = twins.input("next", next);
  int *out = twins.output<int>("out", (size_t)twins.n, [&, accepting](size_t item) {
    int state = 0, matches = 0;
    for (int j = begin[item]; j < begin[item + 1]; ++j) {
      state = next[(size_t)state * 64 + text[(size_t)j] % 64];
      matches += state >= accepting;
    }
    return matches;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, dfa_scan, twins.order, d_begin, d_text, d_next, out, accepting, twins.n);
  };
});
