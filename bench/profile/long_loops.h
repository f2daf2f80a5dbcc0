// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workloads in which nearly all instructions are one loop's, so that a profiler's figure for the
// whole kernel is the loop's: long chains, a table that is nearly full, a text of long runs. What
// the host makes, so that every run has the same trip counts.
#ifndef DIVCOST_BENCH_LONG_LOOPS_H
#define DIVCOST_BENCH_LONG_LOOPS_H

#include "workload.h"

static void long_chains() {
  if (!start_group({"long_linked_list"}))
    return;
  const int n = 1 << 20, buckets = 2048, queries = 1 << 16;
  std::vector<unsigned> keys(n), sought(queries);
  std::vector<int> heads(buckets, -1), next(n), trips(queries);
  for (int i = 0; i < n; ++i) {
    keys[i] = i * 2654435761u;
    next[i] = heads[keys[i] % buckets];
    heads[keys[i] % buckets] = i;
  }
  for (int q = 0; q < queries; ++q) {
    sought[q] = (unsigned)whole(0, 2 * n - 1) * 2654435761u;
    for (int at = heads[sought[q] % buckets]; at >= 0; at = next[at]) {
      ++trips[q];
      if (keys[at] == sought[q])
        break;
    }
  }
  Device<int> d_heads(heads), d_next(next), found(queries, 0);
  Device<unsigned> d_keys(keys), d_sought(sought);
  time("long_linked_list", [&] {
    return k_linked_list::run_find_in_chains(d_heads, d_next, d_keys, buckets, d_sought, found,
                                             queries);
  });
  know("long_linked_list", trips);
}

static unsigned hash_of(unsigned key) { // as k_hash_probe::hash, which is the device's
  key = (key ^ key >> 16) * 0x85ebca6bu;
  key = (key ^ key >> 13) * 0xc2b2ae35u;
  return key ^ key >> 16;
}

static void long_probes() {
  if (!start_group({"long_hash_lookup"}))
    return;
  const unsigned mask = (1 << 18) - 1, empty = k_hash_probe::EMPTY;
  const int n = (int)(0.98 * mask), queries = 1 << 16;
  std::vector<unsigned> table(mask + 1, empty), sought(queries);
  std::vector<int> trips(queries);
  for (int i = 0; i < n; ++i) {
    unsigned slot = hash_of(i * 2654435761u) & mask;
    while (table[slot] != empty)
      slot = (slot + 1) & mask;
    table[slot] = i * 2654435761u;
  }
  for (int q = 0; q < queries; ++q) {
    sought[q] = (unsigned)whole(0, 2 * n - 1) * 2654435761u;
    for (unsigned slot = hash_of(sought[q]) & mask; table[slot] != empty;
         slot = (slot + 1) & mask) {
      ++trips[q];
      if (table[slot] == sought[q])
        break;
    }
  }
  Device<unsigned> d_table(table), values((size_t)mask + 1, 3u), d_sought(sought),
      found(queries, 0u);
  time("long_hash_lookup", [&] {
    return k_hash_probe::run_hash_lookup(d_table, values, mask, d_sought, found, queries);
  });
  know("long_hash_lookup", trips);
}

static void long_tables() {
  long_chains();
  long_probes();
}

// Runs of one letter, of 1000 on average, and a pattern that few of them hold.
static void long_texts() {
  if (!start_group({"long_string_match"}))
    return;
  const int n = 1 << 18, m = 1500;
  std::vector<char> text(n, 'a');
  for (char &letter : text)
    letter = whole(0, 999) ? 'a' : 'b';
  Device<char> d_text(text), pattern(std::vector<char>(m, 'a'));
  Device<int> matches(1, 0);
  time("long_string_match",
       [&] { return k_string_match::run_string_match(d_text, n, pattern, m, matches); });
}

#endif
