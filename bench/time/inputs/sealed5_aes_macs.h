// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup aes_macs_setup("aes_macs", [](Twins &twins) {
  const auto &blocks = twins.lengths("blocks");
  const auto &rounds = twins.lengths("rounds");
  const auto &begin = twins.begins(blocks);
  auto times = [](unsigned x, unsigned y) { // in GF(256)
    unsigned product = 0;
    for (; y; y >>= 1) {
      product ^= y & 1 ? x : 0;
      x = x & 128 ? (x << 1 ^ 0x11bu) : x << 1;
    }
    return product;
  };
  std::vector<unsigned char> box(256);
  std::vector<unsigned> packed;
  for (unsigned x = 0; x < 256; ++x) {
    unsigned inverse = 0, s = 0;
    for (unsigned y = 1; y < 256 && x; ++y)
      if (times(x, y) == 1)
        inverse = y;
    for (unsigned turn = 0; turn < 5; ++turn)
      s ^= inverse << turn | inverse >> (8 - turn);
    s = (s ^ 0x63) & 255;
    box[x] = (unsigned char)s;
    packed.push_back(times(s, 2) << 24 | s << 16 | s << 8 | times(s, 3));
  }
  std::vector<unsigned> expanded;
  for (size_t words : {4, 8}) {
    std::vector<unsigned> key;
    auto boxed = [&](unsigned x) {
      return (unsigned)box[x >> 24] << 24 | (unsigned)box[x >> 16 & 255] << 16 |
             (unsigned)box[x >> 8 & 255] << 8 | box[x & 255];
    };
    unsigned constant = 1;
    for (size_t k = 0; k < 4 * words + 28; ++k) {
      unsigned last = k ? key.back() : 0;
      if (k < words)
        last = (unsigned)twins.random.bits();
      else if (k % words == 0) {
        last = boxed(last << 8 | last >> 24) ^ constant << 24;
        constant = times(constant, 2);
      } else if (words > 6 && k % words == 4)
        last = boxed(last);
      key.push_back(k < words ? last : key[k - words] ^ last);
    }
    expanded.insert(expanded.end(), key.begin(), key.end());
  }
  std::vector<unsigned> text(4 * (size_t)begin.back());
  for (unsigned &word : text)
    word = (unsigned)twins.random.bits();
  const auto &messages = twins.keep(std::move(text));
  const auto &schedule = twins.keep(std::move(expanded));
  const auto &sbox = twins.keep(std::move(box));
  const int *d_begin = twins.input("begin", begin);
  const int *d_rounds = twins.input("rounds", rounds);
  const unsigned *d_messages = twins.input("messages", messages);
  const unsigned *d_table = twins.input("table", packed);
  const unsigned *d_schedule = twins.input("schedule", schedule);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n * 4, [&, times](size_t at) {
    size_t item = at / 4, full = (size_t)rounds[item], base = full > 9 ? 44 : 0;
    unsigned state[16] = {}; // column by column
    auto add = [&](const unsigned *words) {
      for (size_t k = 0; k < 16; ++k)
        state[k] ^= words[k / 4] >> (24 - 8 * (k % 4)) & 255;
    };
    for (size_t block = (size_t)begin[item]; block < (size_t)begin[item + 1]; ++block) {
      add(&messages[4 * block]);
      add(&schedule[base]);
      for (size_t round = 1; round <= full + 1; ++round) {
        unsigned moved[16];
        for (size_t k = 0; k < 16; ++k)
          moved[k] = sbox[state[(k + 4 * (k % 4)) % 16]];
        for (size_t k = 0; k < 16; ++k) {
          const unsigned *column = moved + k / 4 * 4;
          state[k] = round > full ? moved[k]
                                  : times(column[k % 4], 2) ^ times(column[(k + 1) % 4], 3) ^
                                        column[(k + 2) % 4] ^ column[(k + 3) % 4];
        }
        add(&schedule[base + 4 * round]);
      }
    }
    const unsigned *word = state + at % 4 * 4;
    return word[0] << 24 | word[1] << 16 | word[2] << 8 | word[3];
  });
  twins.group_by(blocks, rounds, [](int length, int each) { return length * (each + 2.0); });
  twins.launch = [=, &twins] {
    RUN(twins, aes_macs, twins.order, d_begin, d_rounds, (const uint4 *)d_messages, d_table,
        d_schedule, (uint4 *)out, twins.n);
  };
});
