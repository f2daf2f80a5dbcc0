// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parallel-for: every index once, no worker twice at once, the simulator's results the same on
// any number of threads.
#include "threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "divcost/simulate.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 10000, WORKERS = 7 };

typedef struct seen {
  atomic_uint times[COUNT];
  atomic_uint busy[WORKERS];
  atomic_uint clashes;
} seen;

static void see(void *work, size_t index, unsigned worker) {
  seen *s = work;
  if (worker >= WORKERS || atomic_fetch_add(&s->busy[worker], 1) != 0)
    atomic_fetch_add(&s->clashes, 1);
  atomic_fetch_add(&s->times[index], 1);
  if (worker < WORKERS)
    atomic_fetch_sub(&s->busy[worker], 1);
}

static void every_index_comes_once_and_no_worker_twice_at_once(void **state) {
  (void)state;
  static seen s;
  const unsigned workers = WORKERS;
  dc_parallel parallel = threads_parallel(&workers);
  assert_int_equal(parallel.workers, WORKERS);
  parallel.run(parallel.context, COUNT, see, &s);
  for (size_t i = 0; i < COUNT; ++i)
    assert_int_equal(atomic_load(&s.times[i]), 1);
  assert_int_equal(atomic_load(&s.clashes), 0);
  parallel.run(parallel.context, 0, see, &s);
  assert_int_equal(atomic_load(&s.times[0]), 1);
}

static dc_simulated simulate(const dc_simulation *simulation, unsigned workers) {
  dc_parallel parallel = threads_parallel(&workers);
  dc_simulated result;
  assert_int_equal(dc_simulate(simulation, 20000, 1, &parallel, &result, NULL), DC_OK);
  return result;
}

static void simulations_are_the_same_on_any_number_of_threads(void **state) {
  (void)state;
  const dc_point points[] = {{1, 0.5}, {2, 0.25}, {9, 0.25}};
  const dc_group_type type = {1, {points, 3, 0, NULL}};
  const double table[] = {1, 2, 2, 3, 3, 3, 3, 4};
  const dc_iteration_cost cost = {table, 8, 0, 0};
  const dc_simulation simulation = {&type, 1, {8, 1, 1, 1, 1}, 1, false, &cost};
  dc_simulated one = simulate(&simulation, 1);
  for (unsigned workers = 2; workers < 10; workers += 3) {
    dc_simulated many = simulate(&simulation, workers), same = many;
    assert_memory_equal(one.x, many.x, 20000 * sizeof *one.x);
    same.x = one.x;
    assert_memory_equal(&one, &same, sizeof one);
    dc_simulated_free(&many);
  }
  dc_simulated_free(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_index_comes_once_and_no_worker_twice_at_once),
      cmocka_unit_test(simulations_are_the_same_on_any_number_of_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
