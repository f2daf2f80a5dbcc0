// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every program has the same number of items, whole warps of them.
static const Setup interpreter_setup("interpreter", [](Twins &twins) {
  const int programs = 4096;
  if (twins.n % (programs * 32))
    fail("interpreter needs the same number of warps for each program");
  const auto &length = twins.draws("instructions", programs);
  const auto &begin = twins.begins(length);
  const auto &kinds = twins.kinds("operation", (size_t)begin.back());
  const auto &code = twins.keep(std::vector<unsigned char>(kinds.begin(), kinds.end()));
  std::vector<int> which;
  for (int k = 0; k < twins.n; ++k)
    which.push_back(k % programs);
  twins.random.shuffle(which);
  const auto &program = twins.keep(std::move(which));
  const auto &seeds = twins.seeds();
  const int *d_program = twins.input("program", program);
  const int *d_begin = twins.input("begin", begin);
  const unsigned char *d_code = twins.input("code", code);
  const unsigned *d_seeds = twins.input("seeds", seeds);
  unsigned *out = twins.output<unsigned>("out", (size_t)twins.n, [&](size_t item) {
    unsigned x = seeds[item], y = 1;
    size_t which = (size_t)program[item];
    for (int at = begin[which]; at < begin[which + 1]; ++at) {
      int operation = code[(size_t)at];
      if (operation == 0) {
        x = x * 0x2c1b3c6du + y;
      } else if (operation == 1) {
        x ^= x >> 15 ^ y << 3;
        y += 0x9e3779b9u;
      } else if (operation == 2) {
        y = x % 1021u + y;
      } else {
        x = y - x;
        y = (y << 9 | y >> 23) + (unsigned)at;
      }
    }
    return x ^ y;
  });
  std::vector<double> work;
  for (int one : program)
    work.push_back(length[(size_t)one]);
  twins.group({program.begin(), program.end()}, work);
  twins.launch = [=, &twins] {
    RUN(twins, interpreter, twins.order, d_program, d_begin, d_code, d_seeds, out, twins.n);
  };
});
