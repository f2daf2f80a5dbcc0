// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup varint_sum_setup("varint_sum", [](Twins &twins) {
  const auto &postings = twins.lengths("postings");
  const auto &first = twins.begins(postings);
  const auto &size = twins.draws("bytes", (size_t)first.back());
  std::vector<unsigned> values;
  std::vector<unsigned char> text;
  std::vector<int> from;
  std::vector<int> bytes_of;
  for (size_t item = 0; item < postings.size(); ++item) {
    from.push_back((int)text.size());
    for (int k = first[item]; k < first[item + 1]; ++k) {
      // The highest seven bits aren't 0, or a byte less would do.
      unsigned value = 0;
      for (int b = 0; b < size[(size_t)k]; ++b) {
        unsigned last = b == size[(size_t)k] - 1;
        unsigned part =
            last ? 1 + (unsigned)twins.random.below(15) : (unsigned)twins.random.below(128);
        text.push_back((unsigned char)(part | (last ? 0 : 128)));
        value |= part << 7 * b;
      }
      values.push_back(value);
    }
    bytes_of.push_back((int)text.size() - from.back());
  }
  const auto &gaps = twins.keep(std::move(values));
  const int *d_postings = twins.input("postings", postings);
  const int *d_begin = twins.input("begin", from);
  const unsigned char *d_bytes = twins.input("bytes", text);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    unsigned document = 0, sum = 0;
    for (int k = first[item]; k < first[item + 1]; ++k) {
      document += gaps[(size_t)k];
      sum = sum * 31 + document;
    }
    return sum;
  });
  twins.group_by(postings, bytes_of, [](int, int bytes) { return (double)bytes; });
  twins.launch = [=, &twins] {
    RUN(twins, varint_sum, twins.order, d_postings, d_begin, d_bytes, out, twins.n);
  };
});
