// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Numbers have a run of one to five bits, so that they are between 2^-10 and 2^10.
static const Setup posit_dots_setup("posit_dots", [](Twins &twins) {
  size_t n = (size_t)twins.n;
  const auto &length = twins.lengths("entries");
  const auto &begin = twins.begins(length);
  auto posit = [&] {
    for (;;) {
      unsigned bits = (unsigned)twins.random.below(65536);
      unsigned rest = (bits >> 15 ? 65536 - bits : bits) >> 9 & 63;
      if (rest != 0 && rest != 63)
        return bits;
    }
  };
  std::vector<unsigned> drawn((size_t)begin.back());
  for (unsigned &pair : drawn) {
    pair = posit();
    pair |= posit() << 16;
  }
  const auto &pairs = twins.keep(std::move(drawn));
  const int *d_begin = twins.input("begin", begin);
  const unsigned *d_pairs = twins.input("pairs", pairs);
  // A number as a whole multiple of 2^-22.
  auto value = [](unsigned bits) {
    unsigned rest = bits >> 15 ? 65536 - bits : bits;
    int at = 14, run = 0;
    bool high = rest >> 14 & 1;
    for (; (rest >> at & 1) == high; --at)
      ++run;
    int power = (high ? 2 * run - 2 : -2 * run) + (int)(rest >> (at - 1) & 1);
    double mantissa = 1;
    for (int bit = at - 2, place = 1; bit >= 0; --bit, ++place)
      mantissa += ldexp((double)(rest >> bit & 1), -place);
    return (bits >> 15 ? -1 : 1) * ldexp(mantissa, power);
  };
  unsigned *out = twins.output<unsigned>("out", n * 2, [&, value](size_t at) {
    uint64_t sum = 0;
    for (size_t k = (size_t)begin[at / 2]; k < (size_t)begin[at / 2 + 1]; ++k) {
      // Both are multiples of 2^-22 and less than 2^10, and so exact.
      int64_t a = (int64_t)ldexp(value(pairs[k] & 65535), 22);
      int64_t b = (int64_t)ldexp(value(pairs[k] >> 16), 22);
      sum += (uint64_t)(((__int128)a * b) * 4);
    }
    return (unsigned)(sum >> at % 2 * 32);
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, posit_dots, twins.order, d_begin, d_pairs, (unsigned long long *)out, twins.n);
  };
});
