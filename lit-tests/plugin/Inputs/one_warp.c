/* Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A warp for device code that runs on the host (one_lane.c, with -DONE_WARP): each lane is a
 * thread, one of which runs at a time. At activemask, all lanes that wait at the same place go on
 * together, whichever way they came, and which place is next is random: no hardware schedules
 * worse. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { LANES = 32, SEEDS = 8 };
enum operation { ACTIVE, MATCH, SUM, MAX, BALLOT, SHUFFLE };
enum state { READY, WAITS, ENDED };

static struct lane {
  enum state state;
  enum operation operation;
  const void *place; /* in the code, of activemask; others are told by their mask */
  unsigned mask, value, from, result;
} lanes[LANES];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t goes_on[LANES];
static int current;
static unsigned seed;
static __thread int me;

/* The lanes that go on with `lane`: those at its place; with a mask, all of its lanes or none. */
static unsigned group_of(const struct lane *lane) {
  unsigned group = 0;
  for (int k = 0; k < LANES; ++k)
    if (lanes[k].state == WAITS && lanes[k].place == lane->place &&
        lanes[k].operation == lane->operation && lanes[k].mask == lane->mask)
      group |= 1u << k;
  return lane->operation == ACTIVE || group == lane->mask ? group : 0;
}

static unsigned result_for(const struct lane *lane, unsigned group) {
  unsigned result = lane->operation == ACTIVE ? group : 0;
  for (int k = 0; k < LANES; ++k) {
    if (!(group >> k & 1))
      continue;
    if (lane->operation == MATCH && lanes[k].value == lane->value)
      result |= 1u << k;
    else if (lane->operation == SUM)
      result += lanes[k].value;
    else if (lane->operation == MAX && lanes[k].value > result)
      result = lanes[k].value;
    else if (lane->operation == BALLOT && lanes[k].value)
      result |= 1u << k;
    else if (lane->operation == SHUFFLE && lane->from == (unsigned)k)
      result = lanes[k].value;
  }
  return result;
}

/* Lets some lanes go on, all others being stuck. */
static void release(void) {
  seed = seed * 1664525 + 1013904223;
  for (unsigned k = 0, start = seed >> 16; k < LANES; ++k) {
    const struct lane *lane = &lanes[(start + k) % LANES];
    unsigned group = lane->state == WAITS ? group_of(lane) : 0;
    for (int other = 0; other < LANES; ++other)
      if (group >> other & 1)
        lanes[other].result = result_for(&lanes[other], group);
    for (int other = 0; other < LANES; ++other)
      if (group >> other & 1)
        lanes[other].state = READY;
    if (group)
      return;
  }
}

static int ready(void) {
  for (int k = 0; k < LANES; ++k)
    if (lanes[k].state == READY)
      return k;
  return -1;
}

/* The lane that ran no longer does. */
static void pass_on(void) {
  current = ready();
  if (current < 0) {
    release();
    current = ready();
  }
  for (int k = 0; k < LANES && current < 0; ++k)
    if (lanes[k].state == WAITS) {
      fprintf(stderr, "one_warp: lane %d waits for ever\n", k);
      abort();
    }
  if (current >= 0)
    pthread_cond_signal(&goes_on[current]);
}

static unsigned meet(struct lane now) {
  pthread_mutex_lock(&mutex);
  lanes[me] = now;
  pass_on();
  while (current != me)
    pthread_cond_wait(&goes_on[me], &mutex);
  unsigned result = lanes[me].result;
  pthread_mutex_unlock(&mutex);
  return result;
}

unsigned nvvm_activemask(void) {
  return meet((struct lane){WAITS, ACTIVE, __builtin_return_address(0), 0, 0, 0, 0});
}
#define MEET(operation, mask, value, from)                                                         \
  meet((struct lane){WAITS, operation, NULL, mask, value, from, 0})
unsigned nvvm_match_any_sync_i32(unsigned mask, unsigned value) {
  return MEET(MATCH, mask, value, 0);
}
unsigned nvvm_redux_sync_add(unsigned value, unsigned mask) { return MEET(SUM, mask, value, 0); }
unsigned nvvm_redux_sync_umax(unsigned value, unsigned mask) { return MEET(MAX, mask, value, 0); }
void nvvm_bar_warp_sync(unsigned mask) { MEET(BALLOT, mask, 0, 0); }
unsigned nvvm_vote_ballot_sync(unsigned mask, _Bool predicate) {
  return MEET(BALLOT, mask, predicate, 0);
}
_Bool nvvm_vote_all_sync(unsigned mask, _Bool predicate) {
  return MEET(BALLOT, mask, predicate, 0) == mask;
}
unsigned nvvm_shfl_sync_idx_i32(unsigned mask, unsigned value, unsigned lane, unsigned clamp) {
  return (void)clamp, MEET(SHUFFLE, mask, value, lane);
}
unsigned nvvm_read_ptx_sreg_laneid(void) { return (unsigned)me; }
unsigned nvvm_read_ptx_sreg_lanemask_lt(void) { return (1u << me) - 1; }
unsigned nvvm_read_ptx_sreg_lanemask_ge(void) { return ~0u << me; }
unsigned nvvm_read_ptx_sreg_smid(void) { return 0; }
unsigned nvvm_read_ptx_sreg_tid_x(void) { return (unsigned)me; }

void _Z6kernelPi(int *out);

static void *run_lane(void *number) {
  static int out[LANES];
  me = (int)((struct lane *)number - lanes);
  pthread_mutex_lock(&mutex);
  while (current != me)
    pthread_cond_wait(&goes_on[me], &mutex);
  pthread_mutex_unlock(&mutex);
  _Z6kernelPi(out);
  pthread_mutex_lock(&mutex);
  lanes[me].state = ENDED;
  pass_on();
  pthread_mutex_unlock(&mutex);
  return NULL;
}

void run(void) {
  for (unsigned launch = 1; launch <= SEEDS; ++launch) {
    pthread_t threads[LANES];
    seed = launch;
    current = 0;
    for (int k = 0; k < LANES; ++k) {
      lanes[k].state = READY;
      pthread_cond_init(&goes_on[k], NULL);
    }
    for (int k = 0; k < LANES; ++k)
      if (pthread_create(&threads[k], NULL, run_lane, &lanes[k]))
        abort();
    for (int k = 0; k < LANES; ++k)
      pthread_join(threads[k], NULL);
  }
}
