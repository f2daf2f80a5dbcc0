// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup lz_blocks_setup("lz_blocks", [](Twins &twins) {
  const auto &tokens = twins.lengths("tokens");
  const auto &first = twins.begins(tokens);
  const auto &letters = twins.draws("letters", (size_t)first.back());
  const auto &repeated = twins.draws("repeated", (size_t)first.back());
  std::vector<int> begins, places, sizes;
  std::vector<unsigned char> stream, whole;
  for (size_t item = 0; item < tokens.size(); ++item) {
    begins.push_back((int)stream.size());
    places.push_back((int)whole.size());
    for (size_t k = (size_t)first[item]; k < (size_t)first[item + 1]; ++k) {
      int count = letters[k], again = repeated[k];
      if (count < 1 || count > 15 || again < 3 || again > 18)
        fail("lz_blocks has 1 to 15 letters in a token, and repeats 3 to 18");
      stream.push_back((unsigned char)(count << 4 | (again - 3)));
      for (int j = 0; j < count; ++j) {
        unsigned char letter = (unsigned char)twins.random.below(250);
        stream.push_back(letter);
        whole.push_back(letter);
      }
      size_t back = 1 + twins.random.below(whole.size() - (size_t)places.back());
      stream.push_back((unsigned char)(back & 255));
      stream.push_back((unsigned char)(back >> 8));
      for (int j = 0; j < again; ++j) {
        unsigned char letter = whole[whole.size() - back];
        whole.push_back(letter);
      }
    }
    sizes.push_back((int)whole.size() - places.back());
  }
  begins.push_back((int)stream.size());
  const auto &all = twins.keep(std::move(whole));
  const int *d_begin = twins.input("begin", begins);
  const int *d_place = twins.input("place", places);
  const unsigned char *d_packed = twins.input("packed", stream);
  unsigned char *text =
      twins.output<unsigned char>("text", all.size(), [&](size_t at) { return all[at]; });
  twins.group_by(tokens, sizes, [](int token, int size) { return 8.0 * token + size; });
  twins.launch = [=, &twins] {
    RUN(twins, lz_blocks, twins.order, d_begin, d_place, d_packed, text, twins.n);
  };
});
