// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of the tables of pairs (README.md has their columns).
#ifndef DIVCOST_BENCH_TIME_PAIR_H
#define DIVCOST_BENCH_TIME_PAIR_H

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "distribution.h"

struct Pair {
  std::string name, kernel, expected, half;
  int block = 0, grid = 0;
  uint64_t seed = 0;
  std::map<std::string, long> parameters, extents;
  std::map<std::string, std::string> loops; // from a marker to a distribution
  std::map<std::string, std::vector<double>> branches;

  static std::vector<std::string> split(const std::string &text, char at) {
    std::vector<std::string> parts;
    std::string part;
    for (std::istringstream stream(text); std::getline(stream, part, at);) {
      size_t from = part.find_first_not_of(' ');
      if (from != std::string::npos && part != "-")
        parts.push_back(part.substr(from, part.find_last_not_of(' ') + 1 - from));
    }
    return parts;
  }
  // "name = value; name = value"
  static std::map<std::string, std::string> named(const std::string &text, char at) {
    std::map<std::string, std::string> found;
    for (const std::string &part : split(text, at)) {
      size_t equals = part.find('=');
      if (equals == std::string::npos)
        fail("no '=' in '" + part + "'");
      std::string name = part.substr(0, part.find_last_not_of(' ', equals - 1) + 1);
      size_t from = part.find_first_not_of(' ', equals + 1);
      found[name] = from == std::string::npos ? "" : part.substr(from);
    }
    return found;
  }
  static Pair of(const std::string &line, const std::vector<std::string> &columns) {
    std::map<std::string, std::string> cell;
    std::istringstream stream(line);
    for (const std::string &column : columns)
      std::getline(stream, cell[column], '\t');
    Pair pair;
    pair.name = cell["name"];
    pair.kernel = cell["kernel"];
    pair.expected = cell["expected"];
    pair.half = cell["half"];
    pair.block = atoi(cell["block"].c_str());
    pair.grid = atoi(cell["grid"].c_str());
    pair.seed = strtoull(cell["seed"].c_str(), nullptr, 10);
    for (auto &[name, value] : named(cell["parameters"], ','))
      pair.parameters[name] = atol(value.c_str());
    for (auto &[name, value] : named(cell["extents"], ','))
      pair.extents[name] = atol(value.c_str());
    for (auto &[name, value] : named(cell["loops"], ';'))
      pair.loops[name] = value.substr(0, value.find(" @"));
    for (auto &[name, value] : named(cell["branches"], ';'))
      for (const std::string &p : split(value.substr(0, value.find(" @")), '/'))
        pair.branches[name].push_back(atof(p.c_str()));
    return pair;
  }
};

#endif
