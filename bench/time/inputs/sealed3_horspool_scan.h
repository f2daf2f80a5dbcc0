// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Texts of eight letters, that end with the last of so many windows.
static const Setup horspool_scan_setup("horspool_scan", [](Twins &twins) {
  size_t length = (size_t)twins.value("length");
  const auto &windows = twins.lengths("windows");
  std::vector<unsigned char> letters(length);
  for (size_t k = 0; k < length; ++k)
    letters[k] = (unsigned char)('a' + (k + 1 < length ? twins.random.below(7) : 7));
  letters[length / 2] = 'h'; // is the last letter, too
  std::vector<int> skips(256, (int)length);
  for (size_t k = 0; k + 1 < length; ++k)
    skips[letters[k]] = (int)(length - 1 - k);
  std::vector<unsigned char> all;
  std::vector<int> begins;
  for (int count : windows) {
    begins.push_back((int)all.size());
    size_t at = all.size(), end = at;
    for (int k = 0; k < count; ++k) {
      end = at + length;
      while (all.size() < end) {
        uint64_t bits = twins.random.bits();
        for (int letter = 0; letter < 21 && all.size() < end; ++letter, bits >>= 3)
          all.push_back((unsigned char)('a' + (bits & 7)));
      }
      at += (size_t)skips[all[end - 1]];
    }
  }
  begins.push_back((int)all.size());
  const auto &begin = twins.keep(std::move(begins));
  const auto &text = twins.keep(std::move(all));
  const auto &word = twins.keep(std::move(letters));
  const int *d_begin = twins.input("begin", begin);
  const unsigned char *d_text = twins.input("text", text);
  const unsigned char *d_word = twins.input("word", word);
  const int *d_skips = twins.input("skips", skips);
  int *out = twins.output<int>("out", (size_t)twins.n, [&, length](size_t item) {
    int found = 0;
    for (int at = begin[item]; at + (int)length <= begin[item + 1]; ++at)
      found += !memcmp(&text[(size_t)at], word.data(), length);
    return found;
  });
  twins.group_by(windows);
  twins.launch = [=, &twins] {
    RUN(twins, horspool_scan, twins.order, d_begin, d_text, d_word, d_skips, out, (int)length,
        twins.n);
  };
});
