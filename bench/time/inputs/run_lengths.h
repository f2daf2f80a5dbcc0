// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

static const Setup run_lengths_setup("run_lengths", [](Twins &twins) {
  const auto &runs = twins.lengths("runs");
  const auto &begin = twins.begins(runs);
  const auto &length = twins.draws("pixels", (size_t)begin.back());
  std::vector<unsigned char> lengths(length.begin(), length.end()), values(length.size()), image;
  std::vector<int> place, size;
  for (unsigned char &value : values)
    value = (unsigned char)twins.random.below(255);
  for (size_t item = 0; item < runs.size(); ++item) {
    place.push_back((int)image.size());
    for (int run = begin[item]; run < begin[item + 1]; ++run)
      image.insert(image.end(), (size_t)length[(size_t)run], values[(size_t)run]);
    size.push_back((int)image.size() - place.back());
  }
  const auto &all = twins.keep(std::move(image));
  const int *d_begin = twins.input("begin", begin);
  const int *d_place = twins.input("place", place);
  const unsigned char *d_lengths = twins.input("lengths", lengths);
  const unsigned char *d_values = twins.input("values", values);
  unsigned char *pixels =
      twins.output<unsigned char>("pixels", all.size(), [&](size_t at) { return all[at]; });
  twins.group_by(runs, size, [](int run, int count) { return run + (double)count; });
  twins.launch = [=, &twins] {
    RUN(twins, run_lengths, twins.order, d_begin, d_place, d_lengths, d_values, pixels, twins.n);
  };
});
