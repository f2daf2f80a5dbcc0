// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// By long division. A base is kept as what it is times 2^32.
static const Setup mod_power_setup("mod_power", [](Twins &twins) {
  const uint64_t modulus = 2147483629;
  const auto &length = twins.lengths("words");
  const auto &begin = twins.begins(length);
  std::vector<unsigned> words((size_t)begin.back()), bases;
  for (unsigned &word : words)
    word = (unsigned)twins.random.bits();
  for (int k = 0; k < twins.n; ++k)
    bases.push_back((unsigned)twins.random.below(modulus));
  const auto &exponent = twins.keep(std::move(words));
  const auto &base = twins.keep(std::move(bases));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_exponent = twins.input("exponent", exponent);
  const unsigned *d_base = twins.input("base", base);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    uint64_t power = 1, x = base[item]; // what is kept, without its 2^32
    for (int k = 0; k < 32; ++k)
      x = x % 2 ? (x + modulus) / 2 : x / 2;
    for (int w = begin[item]; w < begin[item + 1]; ++w)
      for (int b = 31; b >= 0; --b) {
        power = power * power % modulus;
        if (exponent[(size_t)w] >> b & 1)
          power = power * x % modulus;
      }
    return (unsigned)power;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, mod_power, twins.order, d_begin, d_exponent, d_base, out, twins.n);
  };
});
