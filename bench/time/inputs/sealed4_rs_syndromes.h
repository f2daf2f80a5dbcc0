// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup rs_syndromes_setup("rs_syndromes", [](Twins &twins) {
  const auto &length = twins.lengths("bytes");
  const auto &begin = twins.begins(length);
  auto doubled = [](unsigned x) { return x & 128 ? (x << 1 ^ 0x11du) & 255 : x << 1; };
  std::vector<unsigned char> log_of(256, 0), power_of(512);
  unsigned power = 1;
  for (unsigned k = 0; k < 512; ++k) {
    power_of[k] = (unsigned char)power;
    if (k < 255)
      log_of[power] = (unsigned char)k;
    power = doubled(power);
  }
  std::vector<unsigned char> bytes((size_t)begin.back());
  for (unsigned char &byte : bytes)
    byte = (unsigned char)(twins.random.bits() >> 56);
  const auto &received = twins.keep(std::move(bytes));
  const int *d_begin = twins.input("begin", begin);
  const unsigned char *d_received = twins.input("received", received);
  const unsigned char *d_logs = twins.input("logs", log_of);
  const unsigned char *d_powers = twins.input("powers", power_of);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n * 2, [&, doubled](size_t at) {
    unsigned packed = 0;
    for (size_t i = 0; i < 4; ++i) {
      unsigned syndrome = 0;
      for (int k = begin[at / 2]; k < begin[at / 2 + 1]; ++k) {
        for (size_t times = 0; times < i + at % 2 * 4; ++times)
          syndrome = doubled(syndrome);
        syndrome ^= received[(size_t)k];
      }
      packed |= syndrome << 8 * i;
    }
    return packed;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, rs_syndromes, twins.order, d_begin, d_received, d_logs, d_powers, out, twins.n);
  };
});
