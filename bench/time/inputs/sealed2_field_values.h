// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup field_values_setup("field_values", [](Twins &twins) {
  const auto &number = twins.kinds("number");
  const auto &digits = twins.lengths("digits");
  const auto &letters = twins.lengths("letters");
  std::vector<char> bytes;
  std::vector<int> from, size;
  for (size_t item = 0; item < number.size(); ++item) {
    from.push_back((int)bytes.size());
    size.push_back(number[item] ? digits[item] : letters[item]);
    for (int k = 0; k < size.back(); ++k) {
      int some = (int)twins.random.below(number[item] ? 10 : 26);
      bytes.push_back((char)((number[item] ? '0' : k % 3 ? 'a' : 'A') + some));
    }
    bytes.push_back(',');
  }
  const auto &text = twins.keep(std::move(bytes));
  const auto &begin = twins.keep(std::move(from));
  const int *d_number = twins.input("number", number);
  const int *d_begin = twins.input("begin", begin);
  const char *d_text = twins.input("text", text);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    unsigned sum = 0, hash = 2166136261u;
    for (size_t at = (size_t)begin[item]; text[at] != ','; ++at) {
      sum = sum * 10 + (unsigned)text[at] - '0';
      hash = (hash ^ (unsigned)tolower(text[at])) * 16777619u;
      hash ^= hash >> 15;
    }
    return number[item] ? sum : hash;
  });
  twins.group_by(number, size, [](int is, int count) { return count * (is ? 1.0 : 2.0); });
  twins.launch = [=, &twins] {
    RUN(twins, field_values, twins.order, d_number, d_begin, d_text, out, twins.n);
  };
});
