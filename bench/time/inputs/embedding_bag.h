// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup embedding_bag_setup("embedding_bag", [](Twins &twins) {
  int shift = (int)twins.value("shift");
  const auto &length = twins.lengths("words");
  const auto &begin = twins.begins(length);
  std::vector<unsigned> text((size_t)begin.back());
  for (unsigned &word : text)
    word = (unsigned)twins.random.bits();
  const auto &words = twins.keep(std::move(text));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_words = twins.input("words", words);
  const float4 *d_table = (const float4 *)twins.units("table", (size_t)16 << (32 - shift));
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&, shift](size_t item) {
        double norm = 0;
        for (unsigned k = 0; k < 16; ++k) {
          double sum = 0;
          for (int j = begin[item]; j < begin[item + 1]; ++j)
            sum += unit_at((words[(size_t)j] * 0x9e3779b1u >> shift) * 16 + k);
          norm += sum * sum;
        }
        return (float)sqrt(norm);
      },
      1e-4);
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, embedding_bag, twins.order, d_begin, d_words, d_table, out, shift, twins.n);
  };
});
