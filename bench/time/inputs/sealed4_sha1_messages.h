// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup sha1_messages_setup("sha1_messages", [](Twins &twins) {
  const auto &length = twins.lengths("blocks");
  const auto &begin = twins.begins(length);
  const int *d_begin = twins.input("begin", begin);
  const uint4 *d_words = (const uint4 *)twins.units("words", (size_t)begin.back() * 16);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n * 5, [&](size_t at) {
    std::vector<unsigned> digest = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u,
                                    0xc3d2e1f0u};
    const unsigned constants[4] = {0x5a827999u, 0x6ed9eba1u, 0x8f1bbcdcu, 0xca62c1d6u};
    for (int k = begin[at / 5]; k < begin[at / 5 + 1]; ++k) {
      std::vector<unsigned> w(80), v = digest;
      for (size_t i = 0; i < 80; ++i)
        if (i < 16) {
          float unit = unit_at((unsigned)k * 16 + (unsigned)i);
          memcpy(&w[i], &unit, 4);
        } else
          w[i] = sha1_turned(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
      for (size_t i = 0; i < 80; ++i) {
        unsigned mixed = i < 20   ? v[3] ^ (v[1] & (v[2] ^ v[3]))
                         : i < 40 ? v[1] ^ v[2] ^ v[3]
                         : i < 60 ? (v[1] & v[2]) ^ (v[1] & v[3]) ^ (v[2] & v[3])
                                  : v[1] ^ v[2] ^ v[3];
        v = {sha1_turned(v[0], 5) + mixed + v[4] + w[i] + constants[i / 20], v[0],
             sha1_turned(v[1], 30), v[2], v[3]};
      }
      for (size_t i = 0; i < 5; ++i)
        digest[i] += v[i];
    }
    return digest[at % 5];
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, sha1_messages, twins.order, d_begin, d_words, out, twins.n);
  };
});
