// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers, and draws by inverse CDF from distributions in divcost's textual form
// (docs/distributions.md): const, uniform, binomial, geometric, poisson, negbin, zipf, list, scale,
// shift and mixtures.
#ifndef DIVCOST_BENCH_TIME_DISTRIBUTION_H
#define DIVCOST_BENCH_TIME_DISTRIBUTION_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

[[noreturn]] inline void fail(const std::string &what) {
  fprintf(stderr, "run_pairs: %s\n", what.c_str());
  exit(2);
}

// splitmix64: the number at place `at` of the sequence that begins with `seed`.
inline uint64_t mixed_bits(uint64_t seed, uint64_t at) {
  uint64_t x = seed + (at + 1) * 0x9e3779b97f4a7c15u;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

class Random {
  uint64_t seed, at = 0;

public:
  explicit Random(uint64_t seed) : seed(seed) {}
  uint64_t bits() { return mixed_bits(seed, at++); }
  double unit() { return (double)(bits() >> 11) * 0x1p-53; } // in [0, 1)
  uint64_t below(uint64_t n) { return (uint64_t)((unsigned __int128)bits() * n >> 64); } // n > 0
  float between(float low, float high) { return low + (high - low) * (float)unit(); }
  template <typename T> void shuffle(std::vector<T> &values) {
    for (size_t k = values.size(); k > 1; --k)
      std::swap(values[k - 1], values[below(k)]);
  }
};

class Distribution {
  std::vector<int> values;
  std::vector<double> until; // P(W <= values[k])

  using Points = std::map<long, double>;

  struct Parser {
    const std::string &text;
    size_t at = 0;

    void blanks() {
      while (at < text.size() && text[at] == ' ')
        ++at;
    }
    bool has(char c) {
      blanks();
      return at < text.size() && text[at] == c ? ++at, true : false;
    }
    void need(char c) {
      if (!has(c))
        fail("no '" + std::string(1, c) + "' at " + std::to_string(at) + " of '" + text + "'");
    }
    double number() {
      blanks();
      const char *from = text.c_str() + at;
      char *to;
      double value = strtod(from, &to);
      if (to == from)
        fail("no number at " + std::to_string(at) + " of '" + text + "'");
      at += (size_t)(to - from);
      return value;
    }
    std::vector<double> numbers(size_t count) {
      std::vector<double> found;
      need('(');
      for (size_t k = 0; k < count; ++k) {
        if (k)
          need(',');
        found.push_back(number());
      }
      need(')');
      return found;
    }
    std::string word() {
      blanks();
      size_t from = at;
      while (at < text.size() && isalpha((unsigned char)text[at]))
        ++at;
      return text.substr(from, at - from);
    }
    Points sum() {
      Points all;
      do {
        double weight = 1;
        blanks();
        if (at < text.size() && (isdigit((unsigned char)text[at]) || text[at] == '.')) {
          weight = number();
          need('*');
        }
        for (auto [value, p] : atom())
          all[value] += weight * p;
      } while (has('+'));
      return all;
    }
    Points moved(bool scaled) {
      need('(');
      Points inner = sum(), out;
      need(',');
      long k = (long)number();
      need(')');
      for (auto [value, p] : inner)
        out[scaled ? value * k : value + k] = p;
      return out;
    }
    // Probabilities by their logarithms, until the rest is negligible.
    template <typename Log> static Points tail(long from, Log log_p) {
      Points out;
      double sum = 0;
      for (long v = from; sum < 1 - 1e-12 && v < from + 1000000; ++v)
        sum += out[v] = exp(log_p((double)v));
      return out;
    }
    Points atom() {
      if (has('(')) {
        Points inner = sum();
        need(')');
        return inner;
      }
      std::string name = word();
      Points out;
      if (name == "scale" || name == "shift")
        return moved(name == "scale");
      if (name == "const")
        return {{(long)numbers(1)[0], 1}};
      if (name == "uniform") {
        auto ends = numbers(2);
        for (long v = (long)ends[0]; v <= (long)ends[1]; ++v)
          out[v] = 1 / (ends[1] - ends[0] + 1);
        return out;
      }
      if (name == "binomial") {
        auto np = numbers(2);
        double n = np[0], p = np[1];
        for (long v = 0; v <= (long)n; ++v)
          out[v] = exp(lgamma(n + 1) - lgamma((double)v + 1) - lgamma(n - (double)v + 1) +
                       (double)v * log(p) + (n - (double)v) * log1p(-p));
        return out;
      }
      if (name == "geometric") {
        double p = numbers(1)[0];
        return tail(1, [p](double v) { return log(p) + (v - 1) * log1p(-p); });
      }
      if (name == "poisson") {
        double mean = numbers(1)[0];
        return tail(0, [mean](double v) { return v * log(mean) - mean - lgamma(v + 1); });
      }
      if (name == "negbin") {
        auto rp = numbers(2);
        double r = rp[0], p = rp[1];
        return tail(0, [r, p](double v) {
          return lgamma(v + r) - lgamma(r) - lgamma(v + 1) + r * log(p) + v * log1p(-p);
        });
      }
      if (name == "zipf") {
        auto ends = numbers(2);
        double sum = 0;
        for (long v = 1; v <= (long)ends[1]; ++v)
          sum += out[v] = pow((double)v, -ends[0]);
        for (auto &point : out)
          point.second /= sum;
        return out;
      }
      if (name == "list") {
        double sum = 0;
        need('(');
        do {
          long value = (long)number();
          need(':');
          double p = number();
          out[value] += p;
          sum += p;
        } while (has(','));
        need(')');
        for (auto &point : out)
          point.second /= sum;
        return out;
      }
      fail("'" + name + "' in '" + text + "' is no distribution");
    }
  };

public:
  explicit Distribution(const std::string &text) {
    Parser parser{text};
    Points points = parser.sum();
    parser.blanks();
    if (parser.at != text.size())
      fail("what follows the distribution in '" + text + "'?");
    double sum = 0, rising = 0;
    for (auto [value, p] : points)
      sum += p;
    for (auto [value, p] : points) {
      values.push_back((int)value);
      until.push_back(rising += p / sum);
    }
  }
  int draw(Random &random) const {
    size_t k =
        (size_t)(std::upper_bound(until.begin(), until.end(), random.unit()) - until.begin());
    return values[std::min(k, values.size() - 1)];
  }
  int greatest() const { return values.back(); }
};

#endif
