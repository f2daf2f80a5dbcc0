// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_plan.h"

#include <string.h>

typedef struct list {
  const unsigned *values;
  unsigned count;
} list;
#define LIST(...)                                                                                  \
  {(const unsigned[]){__VA_ARGS__}, sizeof((unsigned[]){__VA_ARGS__}) / sizeof(unsigned)}

// All SMs that there are; memory is in KiB.
enum { ALL = 0, KIB = 1024, MIB = 1024 * KIB };
#define SOME_SMS LIST(1, 2, 4, 8, 16, 33, 66, ALL)
#define WARPS LIST(1, 2, 4, 8, 16, 32, 64)
#define MANY LIST(4, 8, 16, 32, 64)
#define POWERS LIST(1, 2, 4, 8, 16, 32)
#define EACH                                                                                       \
  LIST(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,  \
       26, 27, 28, 29, 30, 31, 32)
#define L1_SIZES                                                                                   \
  LIST(16, 32, 64, 96, 128, 160, 176, 192, 200, 208, 216, 224, 232, 240, 248, 256, 288, 320, 384)
// Some in L2, some not.
#define SIZES                                                                                      \
  LIST(64, 256, KIB, 4 * KIB, 8 * KIB, 16 * KIB, 20 * KIB, 24 * KIB, 28 * KIB, 32 * KIB, 40 * KIB, \
       48 * KIB, 56 * KIB, 64 * KIB, 96 * KIB, 128 * KIB, 256 * KIB, 512 * KIB, MIB, 2 * MIB)
#define BOTH LIST(KIB, MIB) // L2, DRAM
#define WRITES LIST(4 * KIB, 8 * KIB, 16 * KIB, 24 * KIB, MIB)

typedef struct sweep {
  const char *test, *kernel;
  list sms, warps, n, kib;
  unsigned steps;
  unsigned unit_log2, lane_stride, warp_stride;
  bool is_clock;
} sweep;

#define ONE LIST(1)
#define NONE LIST(0)
#define CHAIN(test) {#test, "chain_" #test, LIST(ALL), WARPS, NONE, NONE, 1024, 0, 0, 0, false}
#define LOOP(n) {"loop_" #n, "loop_" #n, LIST(ALL), LIST(1, 16, 64), LIST(n), NONE, 512, 0, 0, 0, 0}
// A warp's atomics are in 1024 bytes of its own: a word or a sector for each lane; or in one place.
#define WORDS 5, 4, 1024
#define SECTORS 5, 32, 1024
#define PLACE 5, 0, 0
#define ATOMIC(test, kernel, where)                                                                \
  {test, kernel, LIST(1, ALL), LIST(1, 8, 32, 64), LIST(1, 8, 32), LIST(16 * KIB), 16, where, false}

static const sweep sweeps[] = {
    CHAIN(add),
    CHAIN(multiply),
    CHAIN(fp32),
    CHAIN(fp64),
    CHAIN(special),
    CHAIN(divide),
    CHAIN(to_int),
    CHAIN(shuffle),
    {"barrier", "chain_barrier", LIST(ALL), POWERS, NONE, NONE, 1024, 0, 0, 0, false},
    {"mix", "mix", LIST(ALL), WARPS, NONE, NONE, 2048, 0, 0, 0, false},
    LOOP(1),
    LOOP(2),
    LOOP(4),
    LOOP(8),
    LOOP(16),
    {"shared", "shared_load", LIST(ALL), WARPS, POWERS, NONE, 512, 0, 0, 0, false},
    {"shared_add", "shared_add", LIST(ALL), LIST(1, 8, 32), POWERS, NONE, 256, 0, 0, 0, false},
    {"shared_cas", "shared_cas", LIST(ALL), LIST(1, 8, 32), POWERS, NONE, 256, 0, 0, 0, false},
    {"clock_fp32", "chain_fp32", LIST(ALL), LIST(64), NONE, NONE, 1 << 20, 0, 0, 0, true},
    ATOMIC("atomic_words", "atomic_add", WORDS),
    ATOMIC("atomic_sectors", "atomic_add", SECTORS),
    ATOMIC("atomic_place", "atomic_add", PLACE),
    ATOMIC("cas_sectors", "atomic_cas", SECTORS),
    ATOMIC("cas_place", "atomic_cas", PLACE),
    ATOMIC("red_words", "atomic_red", WORDS),
    ATOMIC("red_sectors", "atomic_red", SECTORS),
    ATOMIC("red_place", "atomic_red", PLACE),
    // Walks: first those in lines, then those in sectors.
    {"l1", "gather_ca", LIST(ALL), ONE, EACH, LIST(64), 512, 7, 0, 0, false},
    {"l1", "gather_ca", LIST(ALL), LIST(2, 4, 8, 16, 32, 64), POWERS, LIST(64), 512, 7, 0, 0, 0},
    {"l1_size", "gather_ca", LIST(ALL), ONE, LIST(32), L1_SIZES, 512, 7, 0, 0, false},
    {"lines", "lines_cg", SOME_SMS, LIST(32), LIST(4), BOTH, 128, 7, 0, 0, false},
    {"lines", "lines_cg", LIST(ALL), LIST(64), LIST(4), SIZES, 128, 7, 0, 0, false},
    {"stream_read", "stream_read", LIST(1, ALL), LIST(32, 64), NONE, LIST(MIB), 48, 7, 0, 0, 0},
    {"stream_write", "stream_write", LIST(1, ALL), LIST(32, 64), NONE, LIST(MIB), 48, 7, 0, 0, 0},
    {"write_lines", "scatter_write", LIST(1, ALL), LIST(32, 64), ONE, WRITES, 1024, 7, 0, 0, false},
    {"write_sectors", "scatter_write", LIST(1, ALL), LIST(32, 64), LIST(4), WRITES, 1024, 5, 0, 0,
     0},
    {"write_words", "scatter_write", LIST(1, ALL), LIST(32, 64), LIST(8, 32), WRITES, 128, 5, 0, 0,
     0},
    {"gather", "gather_cg", LIST(1, ALL), ONE, POWERS, BOTH, 256, 5, 0, 0, false},
    {"gather", "gather_cg", LIST(ALL), MANY, LIST(8, 32), BOTH, 64, 5, 0, 0, false},
    {"gather4", "gather4_cg", SOME_SMS, LIST(32), LIST(32), BOTH, 32, 5, 0, 0, false},
    {"sizes", "gather_cg", LIST(ALL), ONE, LIST(1), SIZES, 256, 5, 0, 0, false},
    {"sizes", "gather_cg", LIST(ALL), LIST(64), LIST(32), SIZES, 64, 5, 0, 0, false},
    {"clock_gather", "gather_cg", LIST(ALL), LIST(64), LIST(32), LIST(MIB), 2048, 5, 0, 0, true},
};
enum { SWEEPS = sizeof sweeps / sizeof *sweeps };

static machine_case case_of(const sweep *from) {
  return (machine_case){.test = from->test,
                        .kernel = from->kernel,
                        .steps = from->steps,
                        .unit_log2 = from->unit_log2,
                        .lane_stride = from->lane_stride,
                        .warp_stride = from->warp_stride,
                        .is_clock = from->is_clock};
}

// Blocks have 32 warps at most, and only all SMs together get more than one.
static bool is_room(const machine_room *room, const machine_case *item) {
  return item->sms <= room->sms && item->warps <= room->warps && item->bytes <= room->bytes &&
         (item->warps <= 32 || item->sms == room->sms) &&
         (uint64_t)item->sms * item->warps * item->warp_stride <= item->bytes;
}

// Numbers the cases of a sweep: memory changes last.
static machine_case nth(const sweep *from, const machine_room *room, unsigned number) {
  machine_case item = case_of(from);
  item.n = from->n.values[number % from->n.count];
  number /= from->n.count;
  item.warps = from->warps.values[number % from->warps.count];
  number /= from->warps.count;
  unsigned sms = from->sms.values[number % from->sms.count];
  item.sms = sms == ALL ? room->sms : sms;
  item.bytes = (uint64_t)from->kib.values[number / from->sms.count] * 1024;
  return item;
}

void machine_plan(const machine_room *room, bool (*take)(void *context, const machine_case *item),
                  void *context) {
  for (unsigned s = 0; s < SWEEPS; ++s) {
    const sweep *from = &sweeps[s];
    unsigned count = from->n.count * from->warps.count * from->sms.count * from->kib.count;
    for (unsigned k = 0; k < count; ++k) {
      machine_case item = nth(from, room, k);
      if (is_room(room, &item) && !take(context, &item))
        return;
    }
  }
}

bool machine_plan_find(const char *test, machine_case *item) {
  for (unsigned s = 0; s < SWEEPS; ++s)
    if (strcmp(sweeps[s].test, test) == 0) {
      *item = case_of(&sweeps[s]);
      return true;
    }
  return false;
}

bool machine_plan_launches(const char *kernel) {
  for (unsigned s = 0; s < SWEEPS; ++s)
    if (strcmp(sweeps[s].kernel, kernel) == 0)
      return true;
  return false;
}
