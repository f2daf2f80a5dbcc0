// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that look something up: how long that takes depends on the data.
#include "cases.h"

#include <stdlib.h>
#include <string.h>

// ---- open addressing ----------------------------------------------------------------------------

#define EMPTY 0xffffffffu
enum { SLOTS = 262144, KEYS = 183500 }; // 70% of the slots

static uint32_t hash(uint32_t key) {
  key ^= key >> 16;
  key *= 0x85ebca6bu;
  key ^= key >> 13;
  key *= 0xc2b2ae35u;
  return key ^ key >> 16;
}

static uint32_t key_number(uint32_t i) { return i * 2654435761u; }

// Inserts the keys one after the other.
static void fill_table(uint32_t *keys, uint32_t *values) {
  memset(keys, 0xff, SLOTS * sizeof *keys);
  for (uint32_t i = 0; i < KEYS; ++i) {
    uint32_t slot = hash(key_number(i)) & (SLOTS - 1);
    while (keys[slot] != EMPTY)
      slot = (slot + 1) & (SLOTS - 1);
    keys[slot] = key_number(i);
    values[slot] = i;
  }
}

// The slots that each thread looks at. The GPU has room for all of them, so they are taken to go
// step by step together.
static void count_slots(int32_t *trips) {
  bool *taken = workload_memory(SLOTS, sizeof *taken);
  memset(taken, 0, SLOTS * sizeof *taken);
  memset(trips, 0, KEYS * sizeof *trips);
  bool *done = workload_memory(KEYS, sizeof *done);
  memset(done, 0, KEYS * sizeof *done);
  for (uint32_t left = KEYS; left > 0;)
    for (uint32_t i = 0; i < KEYS; ++i) {
      if (done[i])
        continue;
      uint32_t slot = (hash(key_number(i)) + (uint32_t)trips[i]++) & (SLOTS - 1);
      done[i] = !taken[slot];
      taken[slot] = true;
      left -= done[i];
    }
  free(taken);
  free(done);
}

void make_hash_insert(workload *w) {
  workload_launch(w, (KEYS + 255) / 256, 256);
  uint32_t *table = workload_array(w, SLOTS, sizeof *table);
  workload_array(w, SLOTS, sizeof(uint32_t)); // the values
  workload_integer(w, "mask", SLOTS - 1);
  uint32_t *keys = workload_array(w, KEYS, sizeof *keys);
  uint32_t *numbers = workload_array(w, KEYS, sizeof *numbers);
  workload_integer(w, "n", KEYS);
  int32_t *trips = workload_memory(KEYS, sizeof *trips);
  count_slots(trips);
  memset(table, 0xff, SLOTS * sizeof *table);
  for (uint32_t i = 0; i < KEYS; ++i) {
    keys[i] = key_number(i);
    numbers[i] = i;
  }
  tally *t = workload_tally(w, 26, TALLY_ORDER);
  tally_threads(t, trips, KEYS);
  free(trips);
}

void make_hash_lookup(workload *w) {
  enum { QUERIES = 131072 };
  workload_launch(w, QUERIES / 256, 256);
  uint32_t *table = workload_array(w, SLOTS, sizeof *table);
  uint32_t *values = workload_array(w, SLOTS, sizeof *values);
  workload_integer(w, "mask", SLOTS - 1);
  int32_t *drawn = draw_whole(w, QUERIES, 0, 2 * KEYS - 1); // half of them are there
  uint32_t *keys = workload_array(w, QUERIES, sizeof *keys);
  workload_array(w, QUERIES, sizeof(uint32_t));
  workload_integer(w, "n", QUERIES);
  fill_table(table, values);
  int32_t *trips = workload_memory(QUERIES, sizeof *trips);
  for (unsigned q = 0; q < QUERIES; ++q) {
    keys[q] = key_number((uint32_t)drawn[q]);
    uint32_t slot = hash(keys[q]) & (SLOTS - 1);
    for (; table[slot] != EMPTY; slot = (slot + 1) & (SLOTS - 1)) {
      ++trips[q]; // that of the hit counts
      if (table[slot] == keys[q])
        break;
    }
  }
  if (workload_is_balanced(w))
    workload_group(w, trips, keys, QUERIES, sizeof *keys);
  tally_threads(workload_tally(w, 45, TALLY_EXACT), trips, QUERIES);
  free(trips);
  free(drawn);
}

// ---- chains -------------------------------------------------------------------------------------

void make_linked_list(workload *w) {
  enum { BUCKETS = 16411, NODES = 65536, QUERIES = 131072 };
  workload_launch(w, QUERIES / 128, 128);
  int32_t *heads = workload_array(w, BUCKETS, sizeof *heads);
  int32_t *next = workload_array(w, NODES, sizeof *next);
  uint32_t *keys = workload_array(w, NODES, sizeof *keys);
  workload_integer(w, "buckets", BUCKETS);
  uint32_t *queries = workload_array(w, QUERIES, sizeof *queries);
  workload_array(w, QUERIES, sizeof(int32_t));
  workload_integer(w, "n", QUERIES);
  memset(heads, 0xff, BUCKETS * sizeof *heads);
  for (int32_t i = 0; i < NODES; ++i) {
    keys[i] = hash((uint32_t)i);
    next[i] = heads[keys[i] % BUCKETS];
    heads[keys[i] % BUCKETS] = i;
  }
  int32_t *drawn = draw_whole(w, QUERIES, 0, 2 * NODES - 1);
  int32_t *trips = workload_memory(QUERIES, sizeof *trips);
  for (unsigned q = 0; q < QUERIES; ++q) {
    queries[q] = hash((uint32_t)drawn[q]);
    for (int32_t at = heads[queries[q] % BUCKETS]; at >= 0; at = next[at]) {
      ++trips[q];
      if (keys[at] == queries[q])
        break;
    }
  }
  if (workload_is_balanced(w))
    workload_group(w, trips, queries, QUERIES, sizeof *queries);
  tally_threads(workload_tally(w, 18, TALLY_EXACT), trips, QUERIES);
  free(trips);
  free(drawn);
}

// ---- searches -----------------------------------------------------------------------------------

enum { SORTED = 1000000, WANTED = 131072 };

static int compare(const void *a, const void *b) {
  const int32_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

// The arguments, with the sorted numbers first; gives the keys that are wanted.
static int32_t *add_search(workload *w, const int32_t **sorted) {
  workload_launch(w, WANTED / 256, 256);
  int32_t *numbers = draw_whole(w, SORTED, 0, 1 << 30);
  qsort(numbers, SORTED, sizeof *numbers, compare);
  workload_take(w, numbers, SORTED * sizeof *numbers);
  workload_integer(w, "n", SORTED);
  int32_t *keys = workload_take(w, draw_whole(w, WANTED, 0, 1 << 30), WANTED * sizeof *keys);
  workload_array(w, WANTED, sizeof(int32_t));
  workload_integer(w, "queries", WANTED);
  *sorted = numbers;
  return keys;
}

void make_search_by_ends(workload *w) {
  const int32_t *sorted;
  int32_t *keys = add_search(w, &sorted);
  int32_t *trips = workload_memory(WANTED, sizeof *trips);
  for (int i = 0; i < WANTED; ++i)
    for (int32_t low = 0, high = SORTED; low < high; ++trips[i]) {
      int32_t middle = low + (high - low) / 2;
      if (sorted[middle] < keys[i])
        low = middle + 1;
      else
        high = middle;
    }
  if (workload_is_balanced(w))
    workload_group(w, trips, keys, WANTED, sizeof *keys);
  tally_threads(workload_tally(w, 17, TALLY_EXACT), trips, WANTED);
  free(trips);
}

void make_search_by_length(workload *w) {
  const int32_t *sorted;
  add_search(w, &sorted);
}

// ---- trees --------------------------------------------------------------------------------------

static int compare_x(const void *a, const void *b) {
  const float *p = a, *q = b;
  return (p[0] > q[0]) - (p[0] < q[0]);
}

static int compare_y(const void *a, const void *b) {
  const float *p = a, *q = b;
  return (p[1] > q[1]) - (p[1] < q[1]);
}

// A full k-d tree in heap order: the median is the root, the halves are its subtrees.
static void build_tree(float (*points)[2], unsigned count, float (*tree)[2], unsigned node,
                       bool by_x) {
  if (count == 0)
    return;
  qsort(points, count, sizeof *points, by_x ? compare_x : compare_y);
  memcpy(tree[node], points[count / 2], sizeof *points);
  build_tree(points, count / 2, tree, 2 * node + 1, !by_x);
  build_tree(points + count / 2 + 1, count / 2, tree, 2 * node + 2, !by_x);
}

// Nodes that the descent meets.
static int32_t count_nodes(float (*tree)[2], unsigned count, const float *r) {
  unsigned stack[64], top = 0, level_x;
  int32_t met = 0;
  stack[top++] = 0;
  while (top > 0) {
    unsigned node = stack[--top], left = 2 * node + 1;
    const float *p = tree[node];
    ++met;
    for (level_x = 0; (node + 1) >> (level_x + 1); ++level_x)
      ;
    bool by_x = level_x % 2 == 0;
    if (left < count && (by_x ? r[0] <= p[0] : r[1] <= p[1]))
      stack[top++] = left;
    if (left + 1 < count && (by_x ? r[2] >= p[0] : r[3] >= p[1]))
      stack[top++] = left + 1;
  }
  return met;
}

void make_tree_descent(workload *w) {
  enum { POINTS = 65535, QUERIES = 65536 };
  workload_launch(w, QUERIES / 128, 128);
  float (*points)[2] = (float (*)[2])draw_reals(w, 2 * POINTS);
  float (*tree)[2] = workload_array(w, POINTS, sizeof *tree);
  build_tree(points, POINTS, tree, 0, true);
  free(points);
  workload_integer(w, "n", POINTS);
  float (*corners)[2] = (float (*)[2])draw_reals(w, 2 * QUERIES);
  float (*rectangles)[4] = workload_array(w, QUERIES, sizeof *rectangles);
  workload_array(w, QUERIES, sizeof(int32_t));
  workload_integer(w, "queries", QUERIES);
  int32_t *trips = workload_memory(QUERIES, sizeof *trips);
  for (unsigned q = 0; q < QUERIES; ++q) {
    const float r[4] = {corners[q][0], corners[q][1], corners[q][0] + 0.05f,
                        corners[q][1] + 0.025f};
    memcpy(rectangles[q], r, sizeof r);
    trips[q] = count_nodes(tree, POINTS, r);
  }
  if (workload_is_balanced(w))
    workload_group(w, trips, rectangles, QUERIES, sizeof *rectangles);
  tally_threads(workload_tally(w, 21, TALLY_EXACT), trips, QUERIES);
  free(trips);
  free(corners);
}
