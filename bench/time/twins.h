// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pair at work: its arrays, the orders of its items, its launch, and what must come out. A file
// in inputs/ makes one for each kernel. Without a GPU (DIVCOST_EMULATE) arrays stay on the host.
#ifndef DIVCOST_BENCH_TIME_TWINS_H
#define DIVCOST_BENCH_TIME_TWINS_H

#include <cstring>
#include <functional>
#include <memory>
#include <numeric>

#include "pair.h"

#ifdef DIVCOST_EMULATE
#include "emulate.h"
#define DIVCOST_BOTH inline
#else
#define DIVCOST_BOTH inline __host__ __device__
inline void check(cudaError_t error, const char *what) {
  if (error != cudaSuccess)
    fail(std::string(what) + ": " + cudaGetErrorString(error));
}
#endif

// Contents of large tables: any place's value without the others, in [0, 1).
DIVCOST_BOTH float unit_at(unsigned at) {
  at = (at ^ at >> 16) * 0x7feb352du;
  at = (at ^ at >> 15) * 0x846ca68bu;
  at ^= at >> 16;
  return (float)(at >> 8) * (1.0f / 16777216.0f);
}

#ifndef DIVCOST_EMULATE
static __global__ void fill_units(float *units, size_t count) {
  size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < count; k += stride)
    units[k] = unit_at((unsigned)k);
}
#endif

class Twins {
  struct Array {
    std::string name;
    void *data;
    size_t bytes;
    int initial; // a byte that it is filled with before each run that is checked; -1: an input
    std::function<bool(const void *found, bool all, Random &)> right;
  };
  std::vector<Array> arrays;
  std::vector<std::shared_ptr<void>> kept;
  std::vector<uint64_t> keys;
  std::vector<double> work;

  void *allocate(const std::string &name, size_t bytes, int initial) {
    void *data = nullptr;
#ifdef DIVCOST_EMULATE
    data = malloc(bytes);
    if (!data)
      fail("no memory for " + name);
#else
    check(cudaMalloc(&data, bytes), name.c_str());
#endif
    arrays.push_back({name, data, bytes, initial, nullptr});
    return data;
  }
  static void copy_in(void *to, const void *from, size_t bytes) {
#ifdef DIVCOST_EMULATE
    memcpy(to, from, bytes);
#else
    check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copy");
#endif
  }
  template <typename T> static bool is_untouched(const T &value) {
    for (size_t k = 0; k < sizeof(T); ++k)
      if (((const unsigned char *)&value)[k] != 0xff)
        return false;
    return true;
  }

public:
  const Pair &pair;
  Random random;
  const int n; // items
  const int *order = nullptr;
  std::function<void()> launch;
  int emulated_blocks = 0;

  explicit Twins(const Pair &pair) : pair(pair), random(pair.seed), n((int)value("n")) {
    if (n % 32)
      fail(pair.name + ": items that aren't whole warps");
    order = (const int *)allocate("order", (size_t)n * sizeof(int), -1);
  }
  Twins(const Twins &) = delete;
  ~Twins() {
    for (Array &array : arrays)
#ifdef DIVCOST_EMULATE
      free(array.data);
#else
      cudaFree(array.data);
#endif
  }

  long value(const char *parameter) const {
    auto found = pair.parameters.find(parameter);
    if (found == pair.parameters.end())
      fail(pair.name + " has no parameter " + parameter);
    return found->second;
  }
  // Stays as long as the twins.
  template <typename T> const std::vector<T> &keep(std::vector<T> values) {
    auto owner = std::make_shared<std::vector<T>>(std::move(values));
    kept.push_back(owner);
    return *owner;
  }

  // What items draw from the distribution of a loop.
  const std::vector<int> &lengths(const char *marker) { return draws(marker, (size_t)n); }
  const std::vector<int> &draws(const char *marker, size_t count) {
    Distribution distribution(text_of(marker));
    std::vector<int> drawn(count);
    for (int &length : drawn)
      length = distribution.draw(random);
    return keep(std::move(drawn));
  }
  const std::string &text_of(const char *marker) const {
    auto found = pair.loops.find(marker);
    if (found == pair.loops.end())
      fail(pair.name + " has no loop " + marker);
    return found->second;
  }
  // Of an `if`: 1 for lanes that take its first side. Of a switch: the number of the case.
  const std::vector<int> &kinds(const char *marker) { return kinds(marker, (size_t)n); }
  const std::vector<int> &kinds(const char *marker, size_t count) {
    auto found = pair.branches.find(marker);
    if (found == pair.branches.end())
      fail(pair.name + " has no branch " + marker);
    const std::vector<double> &p = found->second;
    std::vector<int> drawn(count);
    for (int &kind : drawn) {
      double unit = random.unit();
      if (p.size() == 1)
        kind = unit < p[0];
      else
        for (kind = 0; kind + 1 < (int)p.size() && unit >= p[(size_t)kind]; ++kind)
          unit -= p[(size_t)kind];
    }
    return keep(std::move(drawn));
  }
  // From lengths to the places where rows of these lengths begin, and the end.
  const std::vector<int> &begins(const std::vector<int> &length) {
    std::vector<int> begin(length.size() + 1, 0);
    for (size_t k = 0; k < length.size(); ++k)
      begin[k + 1] = begin[k] + length[k];
    return keep(std::move(begin));
  }
  const std::vector<unsigned> &seeds() {
    std::vector<unsigned> values((size_t)n);
    for (unsigned &seed : values)
      seed = (unsigned)random.bits();
    return keep(std::move(values));
  }
  const std::vector<float> &floats(size_t count, float low, float high) {
    std::vector<float> values(count);
    for (float &one : values)
      one = random.between(low, high);
    return keep(std::move(values));
  }
  const std::vector<int> &wholes(size_t count, int below) {
    std::vector<int> values(count);
    for (int &one : values)
      one = (int)random.below((uint64_t)below);
    return keep(std::move(values));
  }

  template <typename T> const T *input(const char *name, const std::vector<T> &contents) {
    void *data = allocate(name, std::max(contents.size(), (size_t)1) * sizeof(T), -1);
    copy_in(data, contents.data(), contents.size() * sizeof(T));
    return (const T *)data;
  }
  // unit_at of each place.
  const float *units(const char *name, size_t count) {
    float *data = (float *)allocate(name, count * sizeof(float), -1);
#ifdef DIVCOST_EMULATE
    for (size_t k = 0; k < count; ++k)
      data[k] = unit_at((unsigned)k);
#else
    fill_units<<<1024, 256>>>(data, count);
    check(cudaGetLastError(), "fill_units");
#endif
    return data;
  }
  // A value for each place; `expected` is what must be there, but for a relative error.
  template <typename T>
  T *output(const char *name, size_t count, std::function<T(size_t)> expected,
            double tolerance = 0) {
    void *data = allocate(name, count * sizeof(T), 0xff);
    std::string label = pair.name + ": " + name;
    arrays.back().right = [=](const void *found, bool all, Random &lots) {
      size_t samples = all ? std::min<size_t>(count, 2000) : count, wrong = 0, seen = 0;
      for (size_t k = 0; k < samples; ++k) {
        size_t at = samples == count ? k : (size_t)lots.below(count);
        T is = ((const T *)found)[at];
        if (!all && (is_untouched(is) || ++seen > 2000))
          continue;
        T must = expected(at);
        if (fabs((double)is - (double)must) <= tolerance * std::max(1.0, fabs((double)must)))
          continue;
        if (!wrong++)
          fprintf(stderr, "%s[%zu] is %.9g, not %.9g\n", label.c_str(), at, (double)is,
                  (double)must);
      }
      return !wrong && (all || seen);
    };
    return (T *)data;
  }
  // Sums that atomics add to, or other figures that they change, and that are all `initial` bytes
  // before.
  template <typename T>
  T *sums(const char *name, size_t count, std::function<std::vector<T>()> expected,
          int initial = 0) {
    void *data = allocate(name, count * sizeof(T), initial);
    std::string label = pair.name + ": " + name;
    arrays.back().right = [=](const void *found, bool all, Random &) {
      if (!all)
        return true;
      std::vector<T> must = expected();
      for (size_t k = 0; k < count; ++k)
        if (((const T *)found)[k] != must[k]) {
          fprintf(stderr, "%s[%zu] is %.9g, not %.9g\n", label.c_str(), k,
                  (double)((const T *)found)[k], (double)must[k]);
          return false;
        }
      return true;
    };
    return (T *)data;
  }

  // Items with equal keys are alike; work is about how long they take.
  void group(std::vector<uint64_t> keys_, std::vector<double> work_) {
    keys = std::move(keys_);
    work = std::move(work_);
  }
  void group_by(const std::vector<int> &length) {
    group({length.begin(), length.end()}, {length.begin(), length.end()});
  }
  // By one, then by the other.
  void group_by(const std::vector<int> &first, const std::vector<int> &second,
                const std::function<double(int, int)> &cost) {
    for (size_t k = 0; k < first.size(); ++k) {
      keys.push_back((uint64_t)first[k] << 32 | (unsigned)second[k]);
      work.push_back(cost(first[k], second[k]));
    }
  }

  std::vector<int> mixed() const {
    Random lots(pair.seed ^ 0x6d69786564u);
    std::vector<int> items((size_t)n);
    std::iota(items.begin(), items.end(), 0);
    lots.shuffle(items);
    return items;
  }
  std::vector<int> grouped(bool longest_first) const {
    Random lots(pair.seed ^ 0x616c696b65u);
    std::vector<int> items((size_t)n), groups((size_t)n / 32), out;
    std::iota(items.begin(), items.end(), 0);
    lots.shuffle(items);
    std::stable_sort(items.begin(), items.end(),
                     [&](int a, int b) { return keys[(size_t)a] < keys[(size_t)b]; });
    std::iota(groups.begin(), groups.end(), 0);
    lots.shuffle(groups);
    if (longest_first) {
      std::vector<double> most(groups.size(), 0);
      for (size_t k = 0; k < items.size(); ++k)
        most[k / 32] = std::max(most[k / 32], work[(size_t)items[k]]);
      std::stable_sort(groups.begin(), groups.end(),
                       [&](int a, int b) { return most[(size_t)a] > most[(size_t)b]; });
    }
    for (int group : groups)
      out.insert(out.end(), items.begin() + group * 32L, items.begin() + (group + 1) * 32L);
    return out;
  }
  std::vector<int> items_in(const std::string &name) const {
    if (keys.size() != (size_t)n || work.size() != (size_t)n)
      fail(pair.name + ": not every item has a key");
    return name == "mixed" ? mixed() : grouped(name == "longest");
  }
  // How many lanes of these warps would run, if time were the work of the longest lane.
  double evenness(const std::vector<int> &items) const {
    double sum = 0, longest = 0;
    for (size_t k = 0; k < items.size(); k += 32) {
      double most = 0;
      for (size_t lane = 0; lane < 32; ++lane) {
        sum += work[(size_t)items[k + lane]];
        most = std::max(most, work[(size_t)items[k + lane]]);
      }
      longest += 32 * most;
    }
    return longest > 0 ? sum / longest : 1;
  }
  double total_work() const { return std::accumulate(work.begin(), work.end(), 0.0); }

  void set_order(const std::vector<int> &items) const {
    copy_in((void *)order, items.data(), items.size() * sizeof(int));
  }
  void reset() const {
    for (const Array &array : arrays)
      if (array.initial >= 0)
#ifdef DIVCOST_EMULATE
        memset(array.data, array.initial, array.bytes);
#else
        check(cudaMemset(array.data, array.initial, array.bytes), "memset");
#endif
  }
  // Whether what a launch left is right; adds all of it to `hash`.
  bool is_right(bool all, uint64_t &hash) const {
    bool right = true;
    Random lots(pair.seed ^ 0x636865636bu);
    for (const Array &array : arrays) {
      if (!array.right)
        continue;
      const unsigned char *found = (const unsigned char *)array.data;
#ifndef DIVCOST_EMULATE
      std::vector<unsigned char> copied(array.bytes);
      check(cudaMemcpy(copied.data(), array.data, array.bytes, cudaMemcpyDeviceToHost), "copy");
      found = copied.data();
#endif
      right &= array.right(found, all, lots);
      for (size_t k = 0; k + 4 <= array.bytes; k += 4) {
        uint32_t word;
        memcpy(&word, found + k, 4);
        hash = (hash ^ word) * 0x100000001b3u;
      }
    }
    return right;
  }
  // "order=4096,begin=..."; the table must say the same.
  std::string extents() const {
    std::string text;
    for (const Array &array : arrays)
      text += (text.empty() ? "" : ",") + array.name + "=" + std::to_string(array.bytes);
    return text;
  }
  bool has_extents_of_table() const {
    std::map<std::string, long> mine;
    for (const Array &array : arrays)
      mine[array.name] = (long)array.bytes;
    return mine == pair.extents;
  }
};

// How the pairs of a kernel are made, by the kernel's name.
inline std::map<std::string, std::function<void(Twins &)>> &setups() {
  static std::map<std::string, std::function<void(Twins &)>> all;
  return all;
}
struct Setup {
  Setup(const char *kernel, std::function<void(Twins &)> make) {
    setups()[kernel] = std::move(make);
  }
};

#ifdef DIVCOST_EMULATE
#define RUN(twins, kernel, ...)                                                                    \
  Emulator::the().run((twins).pair.grid, (twins).pair.block, (twins).emulated_blocks,              \
                      [&] { kernel(__VA_ARGS__); })
#else
#define RUN(twins, kernel, ...) kernel<<<(twins).pair.grid, (twins).pair.block>>>(__VA_ARGS__)
#endif

#endif
