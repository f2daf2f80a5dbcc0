// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Half of the targets' bases are those of the read, shifted by the middle of the band.
static const Setup band_align_setup("band_align", [](Twins &twins) {
  const auto &length = twins.lengths("words");
  const auto &begin = twins.begins(length);
  std::vector<unsigned> read((size_t)begin.back()), target;
  for (unsigned &word : read)
    word = (unsigned)twins.random.bits();
  for (size_t item = 0; item < length.size(); ++item)
    for (int k = 0; k <= length[item]; ++k) {
      unsigned same = k < length[item] ? read[(size_t)(begin[item] + k)] : 0;
      unsigned before = k ? read[(size_t)(begin[item] + k - 1)] : 0;
      unsigned other = (unsigned)twins.random.bits(), mask = (unsigned)twins.random.bits();
      mask = (mask & 0x55555555u) * 3;
      target.push_back(((same << 8 | before >> 24) & mask) | (other & ~mask));
    }
  const auto &reads = twins.keep(std::move(read));
  const auto &targets = twins.keep(std::move(target));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_reads = twins.input("reads", reads);
  const unsigned *d_targets = twins.input("targets", targets);
  int *out = twins.output<int>("out", (size_t)twins.n, [&](size_t item) {
    // The whole table, of which only the band is filled.
    int rows = 16 * length[item], best = 0;
    size_t width = (size_t)rows + 16;
    std::vector<int> table(((size_t)rows + 1) * width, 0);
    auto base = [](const std::vector<unsigned> &words, size_t from, int at) {
      return words[from + (size_t)at / 16] >> 2 * (at % 16) & 3;
    };
    for (int row = 1; row <= rows; ++row)
      for (int column = row; column < row + 9; ++column) { // counted from 1, as rows are
        bool same = base(reads, (size_t)begin[item], row - 1) ==
                    base(targets, (size_t)begin[item] + item, column - 1);
        const int *above = &table[(size_t)(row - 1) * width + (size_t)column];
        int *here = &table[(size_t)row * width + (size_t)column];
        int gap = std::max(above[0], here[-1]) - 1;
        *here = std::max({above[-1] + (same ? 2 : -1), gap, 0});
        best = std::max(best, *here);
      }
    return best;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, band_align, twins.order, d_begin, d_reads, d_targets, out, twins.n);
  };
});
