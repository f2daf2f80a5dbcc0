// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup fourier_setup("fourier", [](Twins &twins) {
  const auto &terms = twins.lengths("terms");
  const auto &place = twins.floats((size_t)twins.n, 0.0f, 0.01f);
  const int *d_terms = twins.input("terms", terms);
  const float *d_place = twins.input("place", place);
  float *out = twins.output<float>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        float sum = 0.0f;
        for (int k = 0; k < terms[item]; ++k)
          sum += sinf((float)k * place[item]) * expf(-0.01f * (float)k);
        return sum;
      },
      2e-3);
  twins.group_by(terms);
  twins.launch = [=, &twins] { RUN(twins, fourier, twins.order, d_terms, d_place, out, twins.n); };
});
