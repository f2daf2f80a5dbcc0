// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup wet_bulbs_setup("wet_bulbs", [](Twins &twins) {
  size_t held = (size_t)twins.pair.extents.at("readings") / 8, n = (size_t)twins.n;
  const auto &hours = twins.lengths("hours");
  size_t longest = (size_t)*std::max_element(hours.begin(), hours.end());
  if (longest > held)
    fail("wet_bulbs needs more readings");
  std::vector<float2> drawn;
  for (size_t k = 0; k < held; ++k) {
    double hot = 5 + 30 * twins.random.unit(), humid = 0.1 + 0.9 * twins.random.unit();
    drawn.push_back(
        make_float2((float)hot, (float)(humid * 6.112 * exp(17.62 * hot / (243.12 + hot)))));
  }
  const auto &readings = twins.keep(std::move(drawn));
  const auto &first = twins.wholes(n, (int)(held - longest + 1));
  const int *d_hours = twins.input("hours", hours);
  const int *d_first = twins.input("first", first);
  const float2 *d_readings = twins.input("readings", readings);
  // By halving.
  auto wet_of = [](float2 reading) {
    double low = -60, high = (double)reading.x + 1;
    for (int step = 0; step < 40; ++step) {
      double middle = (low + high) / 2;
      double over = 6.112 * exp(17.62 * middle / (243.12 + middle)) -
                    0.66 * ((double)reading.x - middle) - (double)reading.y;
      (over > 0 ? high : low) = middle;
    }
    return low;
  };
  float *means = twins.output<float>(
      "means", n,
      [&, wet_of](size_t item) {
        double sum = 0;
        for (int k = 0; k < hours[item]; ++k)
          sum += wet_of(readings[(size_t)(first[item] + k)]);
        return (float)(sum / hours[item]);
      },
      2e-3);
  float *greatest = twins.output<float>(
      "greatest", n,
      [&, wet_of](size_t item) {
        double most = -100;
        for (int k = 0; k < hours[item]; ++k)
          most = std::max(most, wet_of(readings[(size_t)(first[item] + k)]));
        return (float)most;
      },
      2e-3);
  twins.group_by(hours);
  twins.launch = [=, &twins] {
    RUN(twins, wet_bulbs, twins.order, d_hours, d_first, d_readings, means, greatest, twins.n);
  };
});
