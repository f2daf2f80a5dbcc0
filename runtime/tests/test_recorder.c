// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host side of the recorder, with a CUDA runtime that is a few arrays: two units on two
// devices. Each program is a process of its own that exits, crashes, or is killed.
#define _DEFAULT_SOURCE // mkdtemp, setenv

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "divcost/expr.h"
#include "divcost/files.h"
#include "divcost/profile.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  UNITS = 2,
  DEVICES = 2,
  COPIES = 4,
  LOOPS = 2,
  BLOCKS = 2,
  WORDS = sizeof(dc_profile_counts) / 8
};

// ---- the CUDA runtime ---------------------------------------------------------------------------

static char symbols[UNITS], stubs[UNITS];
static uint64_t heads[UNITS][DEVICES][8];
static struct memory {
  dc_profile_counts loops[LOOPS][COPIES];
  uint64_t blocks[COPIES][BLOCKS][2];
} counters[UNITS][DEVICES];
static unsigned char descriptions[UNITS][1000];
static int current, failing_copies, exited;

int cudaGetDevice(int *device);
int cudaSetDevice(int device);
int cudaDeviceSynchronize(void);
int cudaGetSymbolAddress(void **address, const void *symbol);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemset(void *address, int value, size_t bytes);
const char *cudaGetErrorString(int error);

int cudaGetDevice(int *device) {
  *device = current;
  return exited ? 4 : 0;
}
int cudaSetDevice(int device) {
  current = device;
  return 0;
}
int cudaDeviceSynchronize(void) { return 0; }
int cudaGetSymbolAddress(void **address, const void *symbol) {
  *address = heads[(const char *)symbol - symbols][current];
  return 0;
}
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind) {
  if (failing_copies || kind != 2)
    return 700;
  memcpy(to, from, bytes);
  return 0;
}
int cudaMemset(void *address, int value, size_t bytes) {
  memset(address, value, bytes);
  return 0;
}
const char *cudaGetErrorString(int error) { return error == 700 ? "an illegal access" : "?"; }

// What CUDA's own handler, older than the recorder's, makes of the runtime.
static void unload(void) { exited = 1; }

// ---- programs -----------------------------------------------------------------------------------

void dc_profile_register(const void *symbol, const char *path);
void dc_profile_register_stub(const void *symbol, const void *stub, const char *name,
                              const char *parameters);
void dc_profile_launched(void);
void dc_profile_launched_stub(const void *stub, uint64_t grid_xy, uint32_t grid_z,
                              uint64_t block_xy, uint32_t block_z, void **arguments,
                              uint64_t shared);
void dc_profile_launched_stub_by(const void *config, const void *stub, void **arguments);
void dc_profile_collect(void);

static dc_profile_loop loop_of(int unit, uint32_t number) {
  dc_profile_loop loop;
  memset(&loop, 0, sizeof loop);
  loop.kernel = unit ? (char *)"second" : (char *)"first";
  loop.path = (char *)"";
  loop.function = loop.kernel;
  loop.file = (char *)"/a.cu";
  loop.number = number;
  loop.line = 7 + number;
  loop.level = number ? DC_WARP_UNIFORM : DC_DIVERGENT;
  return loop;
}

static dc_profile_body body_of(int unit) {
  dc_profile_loop loop = loop_of(unit, 0);
  return (dc_profile_body){
      .kernel = loop.kernel, .path = loop.path, .function = loop.kernel, .hash = 77};
}

static void load_module(int unit) {
  dc_profile table = {0};
  for (uint32_t number = 0; number < LOOPS; ++number) {
    dc_profile_loop loop = loop_of(unit, number);
    assert_non_null(dc_profile_add(&table, &loop));
  }
  dc_profile_body like = body_of(unit), *body = dc_profile_add_body(&table, &like);
  for (uint32_t number = 0; number < BLOCKS; ++number)
    assert_non_null(dc_profile_add_block(body, 5 * number));
  size_t size = dc_profile_print(&table, descriptions[unit], sizeof descriptions[unit]);
  dc_profile_free(&table);
  for (int device = 0; device < DEVICES; ++device) {
    const uint64_t head[8] = {UINT64_C(0x34666f7270766964),
                              (uintptr_t)&counters[unit][device],
                              LOOPS,
                              COPIES,
                              (uintptr_t)descriptions[unit],
                              size,
                              WORDS,
                              BLOCKS};
    memcpy(heads[unit][device], head, sizeof head);
  }
}

// What a kernel of a unit counts: one entry of `trips` trips in each loop, in one of the copies;
// its first block is executed by a warp of 20 lanes, the second one never.
static void launch(int unit, unsigned trips) {
  int8_t small = -1;
  int n = (int)trips;
  uint64_t large = UINT64_C(1) << 40;
  void *pointer = &current, *arguments[] = {&small, &pointer, NULL, &n, &large};
  dc_profile_launched_stub(&stubs[unit], 3 | UINT64_C(2) << 32, 1, 64 | UINT64_C(1) << 32, 1,
                           arguments, 100);
  ++counters[unit][current].blocks[trips % COPIES][0][0];
  counters[unit][current].blocks[trips % COPIES][0][1] += 20; // the other 19 lanes, modulo 2^64
  --counters[unit][current].blocks[(trips + 1) % COPIES][0][1];
  for (int loop = 0; loop < LOOPS; ++loop) {
    dc_profile_counts *counts = &counters[unit][current].loops[loop][trips % COPIES];
    ++counts->entries;
    ++counts->lanes[trips];
    counts->warp_iterations += trips;
  }
}

static void start(const char *path) {
  for (int unit = 0; unit < UNITS; ++unit)
    dc_profile_register(&symbols[unit], path);
  for (int unit = UNITS - 1; unit >= 0; --unit)
    dc_profile_register_stub(&symbols[unit], &stubs[unit], unit ? "second" : "first", "1p-48");
  load_module(0);
  load_module(1);
  atexit(unload);
}

static char folder[] = "/tmp/divcost-recorder-XXXXXX";

// Runs a program in the test's folder; its standard error goes to the file `said`.
static int run(void (*program)(void)) {
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    if (chdir(folder) || !freopen("said", "w", stderr))
      _exit(99);
    program();
    exit(0);
  }
  int status;
  assert_true(waitpid(child, &status, 0) == child);
  return status;
}

static dc_profile load(const char *name) {
  char path[200];
  dc_profile profile;
  dc_error error;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (dc_profile_load(path, &profile, &error) != DC_OK)
    fail_msg("%s: %s", path, error.text);
  return profile;
}

static const dc_profile_counts *counts_of(const dc_profile *profile, int unit, uint32_t number) {
  dc_profile_loop like = loop_of(unit, number);
  for (uint32_t k = 0; k < profile->n_loops; ++k)
    if (!strcmp(profile->loops[k]->kernel, like.kernel) && profile->loops[k]->number == number)
      return &profile->loops[k]->counts;
  fail_msg("no loop %u of %s", (unsigned)number, like.kernel);
  return NULL;
}

static bool exists(const char *name) {
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return access(path, F_OK) == 0;
}

static void assert_said(const char *text) {
  char path[200], said[2000] = "";
  snprintf(path, sizeof path, "%s/said", folder);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  size_t length = fread(said, 1, sizeof said - 1, file);
  fclose(file);
  said[length] = 0;
  if (*text ? !strstr(said, text) : length > 0)
    fail_msg("'%s' was said, not '%s'", said, text);
}

static void plain_program(void) {
  start("out.divprof");
  launch(0, 5);
  launch(0, 6);
  launch(1, 9);
  current = 1;
  launch(0, 5);
}

static void odd_program(void) {
  struct {
    unsigned grid[3], block[3];
    size_t shared;
  } config = {{7, 1, 1}, {32, 2, 1}, 9}, empty = {{0, 1, 1}, {32, 1, 1}, 0},
    large = {{1, 1, 1}, {2048, 1, 1}, 0};
  start("odd.divprof");
  launch(1, 3);
  dc_profile_launched_stub_by(&config, &stubs[0], NULL);
  dc_profile_launched_stub_by(&empty, &stubs[0], NULL);
  dc_profile_launched_stub_by(&large, &stubs[0], NULL);
  dc_profile_launched_stub_by(&config, &current, NULL); // no kernel
  counters[1][current].blocks[0][1][1] = 100;           // more lanes than of its warps
}

static void launches_that_run_nothing_are_not_counted(void **state) {
  (void)state;
  assert_int_equal(run(odd_program), 0);
  assert_said("the executions of blocks of 'second' in 'second' don't fit each other");
  dc_profile profile = load("odd.divprof");
  const dc_profile_kernel *kernel = dc_profile_find_kernel(&profile, "first");
  assert_non_null(kernel);
  assert_int_equal(kernel->n_launches, 1);
  assert_true(kernel->launches[0].grid[0] == 7 && kernel->launches[0].block[1] == 2);
  assert_true(kernel->launches[0].count == 1 && kernel->launches[0].shared == 9);
  dc_profile_body like = body_of(1);
  const dc_profile_body *body = dc_profile_find_body(&profile, &like);
  assert_true(body && body->blocks[1].warps == 4 && body->blocks[1].lanes == 100);
  dc_profile_free(&profile);
}

static void units_copies_and_devices_are_added_up(void **state) {
  (void)state;
  assert_int_equal(run(plain_program), 0);
  assert_said("");
  dc_profile profile = load("out.divprof");
  assert_true(profile.runs == 1 && profile.n_loops == 4);
  assert_true(counts_of(&profile, 0, 0)->lanes[5] == 2 && counts_of(&profile, 0, 1)->lanes[6] == 1);
  assert_true(counts_of(&profile, 0, 0)->warp_iterations == 16);
  assert_true(counts_of(&profile, 1, 1)->lanes[9] == 1 && counts_of(&profile, 1, 0)->entries == 1);
  dc_profile_free(&profile);
}

static void blocks_and_launches_are_added_up(void **state) {
  (void)state;
  dc_profile profile = load("out.divprof");
  dc_profile_body like = body_of(0);
  const dc_profile_body *body = dc_profile_find_body(&profile, &like);
  assert_non_null(body);
  assert_int_equal(body->n_blocks, BLOCKS);
  assert_true(body->blocks[0].warps == 3 && body->blocks[0].lanes == 60);
  assert_true(body->blocks[1].number == 5 && body->blocks[1].warps == 0);
  const dc_profile_kernel *kernel = dc_profile_find_kernel(&profile, "first");
  assert_non_null(kernel);
  assert_int_equal(kernel->n_launches, 1);
  const dc_profile_launch *launch = &kernel->launches[0];
  assert_true(launch->grid[0] == 3 && launch->grid[1] == 2 && launch->grid[2] == 1);
  assert_true(launch->block[0] == 64 && launch->shared == 100 && launch->count == 3);
  // Of two integers one value, of another two; of the pointer the driver isn't there to tell.
  int64_t value;
  assert_int_equal(kernel->n_params, 3);
  assert_true(dc_profile_only_value(kernel, 0, DC_PROFILE_INTEGER, &value) && value == -1);
  assert_true(dc_profile_only_value(kernel, 4, DC_PROFILE_INTEGER, &value) && value == 1LL << 40);
  assert_true(kernel->params[1].number == 3 && kernel->params[1].n_values == 2);
  assert_true(kernel->params[1].values[0].value == 5 && kernel->params[1].values[0].count == 2);
  dc_profile_free(&profile);
}

static void runs_are_added_to_the_file(void **state) {
  (void)state;
  assert_int_equal(run(plain_program), 0);
  dc_profile profile = load("out.divprof");
  assert_true(profile.runs == 2 && counts_of(&profile, 0, 0)->lanes[5] == 4);
  dc_profile_free(&profile);
}

static void crashing_program(void) {
  plain_program();
  signal(SIGABRT, SIG_DFL);
  raise(SIGKILL);
}

static void a_crash_loses_its_own_run_alone(void **state) {
  (void)state;
  assert_true(WIFSIGNALED(run(crashing_program)));
  dc_profile profile = load("out.divprof");
  assert_true(profile.runs == 2);
  dc_profile_free(&profile);
}

static void idle_program(void) { start("idle.divprof"); }

static void without_launches_there_is_no_file(void **state) {
  (void)state;
  assert_int_equal(run(idle_program), 0);
  assert_said("");
  assert_false(exists("idle.divprof"));
}

static void empty_program(void) {
  start("empty.divprof");
  memset(heads, 0, sizeof heads);
  dc_profile_launched();
}

static void units_without_loops_do_no_harm(void **state) {
  (void)state;
  assert_int_equal(run(empty_program), 0);
  assert_said("");
  dc_profile profile = load("empty.divprof");
  assert_true(profile.runs == 1 && profile.n_loops == 0);
  dc_profile_free(&profile);
}

static void failing_program(void) {
  start("failing.divprof");
  launch(0, 3);
  failing_copies = 1;
  exit(7);
}

static void a_device_that_fails_is_named(void **state) {
  (void)state;
  int status = run(failing_program);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7); // the program's own
  assert_said("failing.divprof': cannot read the counters of device 0: an illegal access");
}

static void resetting_program(void) {
  start("reset.divprof");
  launch(0, 3);
  dc_profile_collect(); // the compiler puts this before cudaDeviceReset
  memset(counters, 0, sizeof counters);
  launch(0, 3);
}

static void a_reset_of_the_device_loses_nothing(void **state) {
  (void)state;
  assert_int_equal(run(resetting_program), 0);
  dc_profile profile = load("reset.divprof");
  assert_true(profile.runs == 1 && counts_of(&profile, 0, 0)->lanes[3] == 2);
  dc_profile_free(&profile);
}

static void moving_program(void) {
  char name[64];
  start("moved-%p.divprof");
  launch(1, 2);
  snprintf(name, sizeof name, "moved-%ld.divprof", (long)getpid());
  if (symlink(name, "moved.divprof") || mkdir("elsewhere", 0700) || chdir("elsewhere"))
    _exit(98);
}

static void the_file_is_where_the_program_began(void **state) {
  (void)state;
  assert_int_equal(run(moving_program), 0);
  dc_profile profile = load("moved.divprof");
  assert_true(counts_of(&profile, 1, 0)->lanes[2] == 1);
  dc_profile_free(&profile);
}

static void noting_program(void) {
  char name[64];
  FILE *file = fopen("notes", "w");
  fputs("my notes", file);
  fclose(file);
  start("notes");
  launch(0, 4);
  snprintf(name, sizeof name, "notes.%ld", (long)getpid());
  if (symlink(name, "beside"))
    _exit(98);
}

static void what_cannot_be_added_goes_beside(void **state) {
  (void)state;
  assert_int_equal(run(noting_program), 0);
  assert_said(
      "byte 0: this is no profile: it doesn't begin with \"divprof\"; this run's counts go");
  dc_profile profile = load("beside");
  assert_true(counts_of(&profile, 0, 0)->lanes[4] == 1);
  dc_profile_free(&profile);
}

static void ending_program(void) {
  start("ending.divprof");
  launch(0, 4);
  counters[0][0].loops[0][0].lanes[40] =
      9; // their leader ended within the loop, and was never counted
  counters[0][0].loops[0][0].entries = 0;
}

static void counts_that_do_not_fit_are_mended_and_said(void **state) {
  (void)state;
  assert_int_equal(run(ending_program), 0);
  assert_said("don't fit each other, and were made to: lanes ended within it");
  dc_profile profile = load("ending.divprof");
  const dc_profile_counts *counts = counts_of(&profile, 0, 0);
  assert_true(counts->lanes[40] == 9 && counts->entries == 1 && counts->warp_iterations == 12);
  dc_profile_free(&profile);
}

static void parting_program(void) {
  start("parting.divprof");
  launch(0, 4);
  counters[0][0].loops[0][0].parted = 3; // divergent, as was said
  counters[0][0].loops[1][0].parted = 2; // called warp-uniform
}

static void claims_that_are_wrong_are_reported_by_loop(void **state) {
  (void)state;
  assert_int_equal(run(parting_program), 0);
  assert_said("/a.cu:8:0: a loop of first that was called warp-uniform is left with different trip "
              "counts (in first)");
}

static void forking_program(void) {
  start("forked.divprof");
  launch(0, 4);
  pid_t child = fork();
  if (child == 0)
    exit(0);
  waitpid(child, NULL, 0);
}

static void a_child_writes_nothing(void **state) {
  (void)state;
  assert_int_equal(run(forking_program), 0);
  dc_profile profile = load("forked.divprof");
  assert_true(profile.runs == 1);
  dc_profile_free(&profile);
}

static pthread_barrier_t loading;

// Called by the module's constructor, which the loader's lock is held for.
__attribute__((visibility("default"))) void launch_while_loading(void);
void launch_while_loading(void) {
  pthread_barrier_wait(&loading);
  usleep(200000); // until the other thread's launch waits for the loader, if it does
  launch(0, 7);
}

static void *load_module_that_launches(void *unused) {
  return (void)unused, dlopen(LAUNCHING_MODULE, RTLD_NOW);
}

static void loading_program(void) {
  pthread_t thread;
  void *module;
  alarm(60);
  start("loading.divprof");
  pthread_barrier_init(&loading, NULL, 2);
  pthread_create(&thread, NULL, load_module_that_launches, NULL);
  pthread_barrier_wait(&loading);
  launch(0, 5);
  pthread_join(thread, &module);
  if (!module)
    abort();
}

static void who_loads_a_library_may_launch(void **state) {
  (void)state;
  assert_int_equal(run(loading_program), 0);
  dc_profile profile = load("loading.divprof");
  assert_true(dc_profile_launch_count(dc_profile_find_kernel(&profile, "first")) == 2);
  dc_profile_free(&profile);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units_copies_and_devices_are_added_up),
      cmocka_unit_test(blocks_and_launches_are_added_up),
      cmocka_unit_test(launches_that_run_nothing_are_not_counted),
      cmocka_unit_test(runs_are_added_to_the_file),
      cmocka_unit_test(a_crash_loses_its_own_run_alone),
      cmocka_unit_test(without_launches_there_is_no_file),
      cmocka_unit_test(units_without_loops_do_no_harm),
      cmocka_unit_test(a_device_that_fails_is_named),
      cmocka_unit_test(a_reset_of_the_device_loses_nothing),
      cmocka_unit_test(the_file_is_where_the_program_began),
      cmocka_unit_test(what_cannot_be_added_goes_beside),
      cmocka_unit_test(claims_that_are_wrong_are_reported_by_loop),
      cmocka_unit_test(counts_that_do_not_fit_are_mended_and_said),
      cmocka_unit_test(a_child_writes_nothing),
      cmocka_unit_test(who_loads_a_library_may_launch),
  };
  if (!mkdtemp(folder))
    return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  char command[200];
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command) || failed;
}
