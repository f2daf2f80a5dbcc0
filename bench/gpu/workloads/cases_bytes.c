// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels over bits and bytes.
#include "cases.h"

#include <stdlib.h>
#include <string.h>

void make_bitmap(workload *w) {
  enum { BLOCKS = 128, BLOCK = 256, ROUNDS = 4, WORDS = BLOCKS * BLOCK * ROUNDS };
  workload_launch(w, BLOCKS, BLOCK);
  int32_t *halves = draw_whole(w, 2 * WORDS, 0, 65535);
  uint32_t *bitmap = workload_array(w, WORDS, sizeof *bitmap);
  workload_take(w, draw_whole(w, (size_t)WORDS * 32, -9, 9), (size_t)WORDS * 32 * sizeof(int32_t));
  workload_integer(w, "words", WORDS);
  workload_array(w, 1, sizeof(int32_t));
  int32_t *trips = workload_memory(WORDS, sizeof *trips);
  for (unsigned k = 0; k < WORDS; ++k) {
    bitmap[k] = (uint32_t)halves[2 * k] << 16 | (uint32_t)halves[2 * k + 1];
    for (uint32_t bits = bitmap[k]; bits != 0; bits &= bits - 1)
      ++trips[k];
  }
  if (workload_is_balanced(w))
    workload_group(w, trips, bitmap, WORDS, sizeof *bitmap);
  // In each round the lanes of a warp have neighbouring words.
  tally_threads(workload_tally(w, 14, TALLY_EXACT), trips, WORDS);
  free(trips);
  free(halves);
}

// Balanced: a letter fits everywhere, and the next one nowhere; among random letters it is one in
// the mean, too.
void make_string_match(workload *w) {
  enum { TEXT = 4194304, PATTERN = 16 };
  workload_launch(w, 512, 256);
  int32_t *letters = draw_whole(w, TEXT, 'a', 'b');
  char *text = workload_array(w, TEXT, 1);
  for (unsigned k = 0; k < TEXT; ++k)
    text[k] = (char)(workload_is_balanced(w) ? 'a' : letters[k]);
  workload_integer(w, "n", TEXT);
  char *pattern = workload_array(w, PATTERN, 1);
  memcpy(pattern, "abbabaabbaababba", PATTERN);
  workload_integer(w, "m", PATTERN);
  workload_array(w, 1, sizeof(int32_t));
  const unsigned starts = TEXT - PATTERN + 1;
  int32_t *trips = workload_memory(starts, sizeof *trips);
  for (unsigned i = 0; i < starts; ++i)
    while (trips[i] < PATTERN && text[i + (unsigned)trips[i]] == pattern[trips[i]])
      ++trips[i];
  tally *t = workload_tally(w, 16, TALLY_EXACT);
  t->dependent = true; // neighbours compare the same letters
  tally_threads(t, trips, starts);
  free(trips);
  free(letters);
}

void make_histogram(workload *w) {
  enum { BYTES = 4000037, BINS = 100 };
  workload_launch(w, 256, 256);
  w->shared = BINS * sizeof(uint32_t);
  int32_t *letters = draw_whole(w, BYTES, 0, 255);
  unsigned char *bytes = workload_array(w, BYTES, 1);
  for (unsigned k = 0; k < BYTES; ++k)
    bytes[k] = (unsigned char)letters[k];
  workload_integer(w, "n", BYTES);
  workload_array(w, BINS, sizeof(uint32_t));
  workload_integer(w, "bin_count", BINS);
  free(letters);
}
