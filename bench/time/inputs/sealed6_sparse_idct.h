// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Low frequencies are more frequent.
static const Setup sparse_idct_setup("sparse_idct", [](Twins &twins) {
  size_t n = (size_t)twins.n;
  const auto &length = twins.lengths("coefficients");
  const auto &begin = twins.begins(length);
  std::vector<int> cosines, drawn;
  for (int wave = 0; wave < 64; ++wave)
    for (int pixel = 0; pixel < 64; ++pixel)
      cosines.push_back((int)lrint(256 * cos((2 * (pixel / 8) + 1) * (wave / 8) * M_PI / 16) *
                                   cos((2 * (pixel % 8) + 1) * (wave % 8) * M_PI / 16)));
  for (int k = 0; k < begin.back(); ++k) {
    uint64_t limit = 1 + twins.random.below(64);
    int which = (int)twins.random.below(limit);
    drawn.push_back(((int)twins.random.below(201) - 100) * 64 + which);
  }
  const auto &waves = twins.keep(std::move(cosines));
  const auto &coefficients = twins.keep(std::move(drawn));
  const int *d_begin = twins.input("begin", begin);
  const int *d_coefficients = twins.input("coefficients", coefficients);
  const int *d_waves = twins.input("waves", waves);
  unsigned *out = twins.output<unsigned>("out", n * 16, [&](size_t at) {
    unsigned word = 0;
    for (size_t byte = 0; byte < 4; ++byte) {
      long sum = 131072;
      for (int k = begin[at / 16]; k < begin[at / 16 + 1]; ++k) {
        int packed = coefficients[(size_t)k], which = (packed % 64 + 64) % 64;
        sum += (packed - which) / 64 * waves[(size_t)which * 64 + at % 16 * 4 + byte];
      }
      long pixel = sum < 0 ? 0 : std::min(sum / 1024, 255L);
      word |= (unsigned)pixel << (8 * byte);
    }
    return word;
  });
  twins.group_by(length);
  twins.launch = [=, &twins] {
    RUN(twins, sparse_idct, twins.order, d_begin, d_coefficients, (const int4 *)d_waves, out,
        twins.n);
  };
});
