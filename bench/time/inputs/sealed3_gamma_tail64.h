// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static double gamma_series(double x, int &terms) {
  double a = 2.5, term = 1 / a, sum = term;
  for (terms = 0; term > 1e-13 * sum; ++terms) {
    a += 1;
    term *= x / a;
    sum += term;
  }
  return sum;
}

// Arguments are in the middle of those that take so many terms.
static const Setup gamma_tail64_setup("gamma_tail64", [](Twins &twins) {
  const auto &terms = twins.lengths("terms");
  int most = *std::max_element(terms.begin(), terms.end());
  std::vector<double> from; // the least argument that takes so many terms or more
  for (int count = 0; count <= most + 1; ++count) {
    double low = 0, high = 600;
    for (int k = 0; k < 60; ++k) {
      int found;
      gamma_series((low + high) / 2, found);
      (found < count ? low : high) = (low + high) / 2;
    }
    from.push_back(high);
  }
  std::vector<double> places;
  for (int count : terms) {
    int found;
    places.push_back((from[(size_t)count] + from[(size_t)count + 1]) / 2);
    gamma_series(places.back(), found);
    if (found != count)
      fail("gamma_tail64 has no argument that takes so many terms");
  }
  const auto &arguments = twins.keep(std::move(places));
  const double *d_arguments = twins.input("arguments", arguments);
  double *out = twins.output<double>(
      "out", (size_t)twins.n,
      [&](size_t item) {
        int ignored;
        double x = arguments[item];
        return gamma_series(x, ignored) * exp(-x) * pow(x, 2.5);
      },
      1e-9);
  twins.group_by(terms);
  twins.launch = [=, &twins] { RUN(twins, gamma_tail64, twins.order, d_arguments, out, twins.n); };
});
