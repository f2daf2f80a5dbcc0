// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs pairs of launches over the same items in different orders, and prints a row for each pair
// and order: median, least and greatest seconds of a launch, and whether what came out is right.
//
//   run_pairs NAME... | all | HALF [--order ORDER] [--runs N] [--cold]
//   run_pairs NAME --order ORDER --once        one launch, for a profiler; with --warm two of them
//   run_pairs NAME... --list                   makes the arrays, and prints what is in them
//
// Halves are open and sealed, open2 and sealed2; sealed3 to sealed7 are sets without
// another half. Orders are mixed, alike and longest. build.py makes the table of pairs and the list
// of kernels that are included here.
#include <cstdio>

#include "twins.h"

#include "all_kernels.h"
#include "pairs_table.h"

static const std::vector<std::string> order_names = {"mixed", "alike", "longest"};

struct Options {
  std::vector<std::string> names, orders = order_names;
  int runs = 15;
#ifdef DIVCOST_EMULATE
  int blocks = 3;
#endif
  bool once = false, warm = false, cold = false, list = false;
};

static std::vector<Pair> wanted_pairs(const Options &options) {
  std::vector<std::string> columns = Pair::split(pairs_table[0], '\t');
  std::vector<Pair> wanted;
  std::map<std::string, int> found;
  for (size_t k = 1; k < sizeof pairs_table / sizeof *pairs_table; ++k) {
    Pair pair = Pair::of(pairs_table[k], columns);
    for (const std::string &name : options.names)
      if (name == "all" || name == pair.half || name == pair.name) {
        ++found[name];
        wanted.push_back(pair);
        break;
      }
  }
  for (const std::string &name : options.names)
    if (!found[name])
      fail("there is no pair " + name);
  return wanted;
}

static std::unique_ptr<Twins> made(const Pair &pair) {
  auto setup = setups().find(pair.kernel);
  if (setup == setups().end())
    fail(pair.name + ": there is no kernel " + pair.kernel);
  auto twins = std::make_unique<Twins>(pair);
  setup->second(*twins);
  return twins;
}

static void list(const Pair &pair) {
  std::unique_ptr<Twins> twins = made(pair);
  printf("%s\t%s\t%d\t%.4g\t%.3f\t%.3f\n", pair.name.c_str(), twins->extents().c_str(), twins->n,
         twins->total_work(), twins->evenness(twins->items_in("mixed")),
         twins->evenness(twins->items_in("alike")));
}

#ifdef DIVCOST_EMULATE

static bool run(const Pair &pair, const Options &options) {
  std::unique_ptr<Twins> twins = made(pair);
  twins->emulated_blocks = options.blocks;
  bool all = options.blocks >= pair.grid, right = true;
  if (!twins->has_extents_of_table()) {
    fprintf(stderr, "%s: other extents than in the table\n", pair.name.c_str());
    right = false;
  }
  uint64_t first = 0;
  for (const std::string &order : options.orders) {
    uint64_t hash = 0;
    twins->set_order(twins->items_in(order));
    twins->reset();
    twins->launch();
    right &= twins->is_right(all, hash);
    if (all && &order != &options.orders[0] && hash != first)
      right = false;
    first = hash;
  }
  printf("%s\t%s\n", pair.name.c_str(), right ? "ok" : "wrong");
  fflush(stdout);
  return right;
}

#else

static bool once(const Pair &pair, const Options &options) {
  std::unique_ptr<Twins> twins = made(pair);
  twins->set_order(twins->items_in(options.orders[0]));
  twins->reset();
  for (int k = 0; k < (options.warm ? 2 : 1); ++k)
    twins->launch();
  check(cudaGetLastError(), pair.name.c_str());
  check(cudaDeviceSynchronize(), pair.name.c_str());
  return true;
}

// A launch of each order whose results are checked; they must be the same.
static std::vector<bool> right_orders(const Twins &twins,
                                      const std::vector<std::vector<int>> &orders) {
  std::vector<bool> right;
  uint64_t first = 0;
  for (const std::vector<int> &items : orders) {
    uint64_t hash = 0;
    twins.set_order(items);
    twins.reset();
    twins.launch();
    check(cudaGetLastError(), twins.pair.name.c_str());
    check(cudaDeviceSynchronize(), twins.pair.name.c_str());
    bool is = twins.is_right(true, hash) && twins.has_extents_of_table();
    right.push_back(is && (right.empty() || hash == first));
    if (right.size() == 1)
      first = hash;
  }
  return right;
}

static bool run(const Pair &pair, const Options &options) {
  std::unique_ptr<Twins> twins = made(pair);
  std::vector<std::vector<int>> orders;
  for (const std::string &order : options.orders)
    orders.push_back(twins->items_in(order));
  std::vector<bool> right = right_orders(*twins, orders);

  size_t bytes = (size_t)twins->n * sizeof(int), cold_bytes = (size_t)256 << 20;
  std::vector<int *> ready(orders.size());
  for (size_t k = 0; k < orders.size(); ++k) {
    check(cudaMalloc(&ready[k], bytes), "an order");
    check(cudaMemcpy(ready[k], orders[k].data(), bytes, cudaMemcpyHostToDevice), "an order");
  }
  void *other = nullptr;
  if (options.cold)
    check(cudaMalloc(&other, cold_bytes), "what evicts the cache");
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "an event");
  check(cudaEventCreate(&end), "an event");

  std::vector<std::vector<float>> times(orders.size());
  for (int round = -1; round < options.runs; ++round)
    for (size_t k = 0; k < orders.size(); ++k) {
      check(cudaMemcpyAsync((void *)twins->order, ready[k], bytes, cudaMemcpyDeviceToDevice),
            "copy");
      // What is in the caches is what a launch of the same order left, and the timed launch waits
      // in the queue while this one runs.
      twins->launch();
      if (options.cold)
        check(cudaMemsetAsync(other, round, cold_bytes), "memset");
      check(cudaEventRecord(begin), "an event");
      twins->launch();
      check(cudaEventRecord(end), "an event");
      check(cudaEventSynchronize(end), pair.name.c_str());
      float milliseconds;
      check(cudaEventElapsedTime(&milliseconds, begin, end), "an event");
      if (round >= 0)
        times[k].push_back(milliseconds);
    }
  check(cudaEventDestroy(begin), "an event");
  check(cudaEventDestroy(end), "an event");
  cudaFree(other);

  bool all_right = true;
  for (size_t k = 0; k < orders.size(); ++k) {
    cudaFree(ready[k]);
    std::sort(times[k].begin(), times[k].end());
    printf("%s\t%s\t%.4e\t%.4e\t%.4e\t%s\n", pair.name.c_str(), options.orders[k].c_str(),
           times[k][times[k].size() / 2] * 1e-3, times[k].front() * 1e-3, times[k].back() * 1e-3,
           right[k] ? "ok" : "wrong");
    all_right &= right[k];
  }
  fflush(stdout);
  return all_right;
}

static void print_device() {
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "the GPU");
  printf("# %s, %d SMs\n", device.name, device.multiProcessorCount);
}

#endif

static Options read(int argc, char **argv) {
  Options options;
  for (int k = 1; k < argc; ++k) {
    std::string word = argv[k];
    auto next = [&] {
      if (++k == argc)
        fail(word + " needs a value");
      return argv[k];
    };
    if (word == "--once")
      options.once = true;
    else if (word == "--warm")
      options.warm = true;
    else if (word == "--cold")
      options.cold = true;
    else if (word == "--list")
      options.list = true;
    else if (word == "--runs")
      options.runs = std::max(1, atoi(next()));
#ifdef DIVCOST_EMULATE
    else if (word == "--blocks")
      options.blocks = std::max(1, atoi(next()));
#endif
    else if (word == "--order")
      options.orders = {next()};
    else if (word[0] == '-')
      fail("there is no option " + word);
    else
      options.names.push_back(word);
  }
  if (std::find(order_names.begin(), order_names.end(), options.orders[0]) == order_names.end())
    fail("there is no order " + options.orders[0]);
  if (options.names.empty())
    fail("names of pairs, all, or halves: open, sealed, open2, sealed2, sealed3, sealed4, "
         "sealed5, sealed6, sealed7");
  return options;
}

int main(int argc, char **argv) {
  Options options = read(argc, argv);
  std::vector<Pair> pairs = wanted_pairs(options);
  if (options.list) {
    printf("pair\textents\titems\twork\tmixed\talike\n");
    for (const Pair &pair : pairs)
      list(pair);
    return 0;
  }
#ifdef DIVCOST_EMULATE
  printf("pair\tchecked\n");
#else
  if (options.once && (pairs.size() != 1 || options.orders.size() != 1))
    fail("--once is for one pair and one --order");
  if (options.once)
    return !once(pairs[0], options);
  print_device();
  printf("pair\torder\tmedian\tleast\tgreatest\tchecked\n");
#endif
  int wrong = 0;
  for (const Pair &pair : pairs)
    wrong += !run(pair, options);
  return std::min(wrong, 100);
}
