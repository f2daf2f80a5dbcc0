// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _DEFAULT_SOURCE

#include "check/run.h"

#include "check/progress.h"
#include "check/verdict.h"
#include "command.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

// A compiler at work.
typedef struct slot {
  child compiler;
  check_unit *unit; // NULL: free
  double deadline;
  struct timespec started;
} slot;

typedef struct work {
  check_run *run;
  slot *slots; // options->jobs
  size_t active;
  size_t next;  // unit to start
  size_t shown; // units whose messages were shown
  int signals;  // readable when a signal came
  struct pollfd *polls;
  const char **names;
  progress progress;
} work;

static bool goes_on(const check_run *run) {
  return run->signal == 0 && !run->hopeless && !run->unheard;
}

static bool is_done(const check_unit *unit) {
  return unit->state != CHECK_WAITS && unit->state != CHECK_RUNS;
}

static void count(check_run *run, const check_unit *unit) {
  run->kept += unit->state == CHECK_KEPT;
  run->analysed += unit->state == CHECK_ANALYSED;
  run->failed += unit->state == CHECK_FAILED;
}

// --- what people see -----------------------------------------------------------------------------

static void show_unit(check_run *run, check_unit *unit) {
  bool failed = unit->state == CHECK_FAILED;
  run->messages.colour = !failed && command_colour();
  if (unit->messages)
    messages_show(&run->messages, unit->messages, unit->command.directory,
                  failed ? stderr : stdout);
  if (failed && !run->hopeless)
    fprintf(stderr, "divcost: %s: %s\n", unit->name, unit->failure ? unit->failure : "failed");
  free(unit->messages);
  unit->messages = NULL;
}

// Shows what is done, in the order of the units.
static void show(work *w) {
  check_run *run = w->run;
  const check_units *units = run->units;
  for (; w->shown < units->count && is_done(&units->items[w->shown]); ++w->shown) {
    check_unit *unit = &units->items[w->shown];
    if (unit->messages || unit->state == CHECK_FAILED)
      progress_clear(&w->progress);
    show_unit(run, unit);
  }
  run->unheard = command_output_failed();
  size_t running = 0;
  for (unsigned k = 0; k < run->options->jobs; ++k)
    if (w->slots[k].unit)
      w->names[running++] = w->slots[k].unit->name;
  progress_draw(&w->progress, run->kept + run->analysed + run->failed, units->count, run->analysed,
                w->names, running);
}

// --- compilers -----------------------------------------------------------------------------------

static dc_status start_compiler(work *w, slot *s, dc_error *error) {
  const check_run *run = w->run;
  check_unit *unit = s->unit;
  char *report = results_running(run->results, unit, ".json");
  char *headers = results_running(run->results, unit, ".headers");
  arguments words = {0}, unknown = {0}; // the latter are known
  dc_status status = DC_OK;
  if (!report || !headers)
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  else
    status =
        check_unit_words(unit, run->options, run->tools, report, headers, &words, &unknown, error);
  clock_gettime(CLOCK_REALTIME, &s->started);
  s->deadline = progress_now() + run->options->timeout;
  if (status == DC_OK)
    status = child_start(&s->compiler, unit->command.directory, &words, error);
  arguments_free(&words);
  arguments_free(&unknown);
  free(report);
  free(headers);
  return status;
}

static void start(work *w, slot *s, check_unit *unit) {
  dc_error error;
  s->unit = unit;
  unit->state = CHECK_RUNS;
  if (start_compiler(w, s, &error) == DC_OK) {
    ++w->active;
    return;
  }
  s->unit = NULL;
  verdict_fail(unit, "%s", error.text);
  count(w->run, unit);
}

// Starts compilers while there are units and free slots.
static void fill(work *w) {
  check_run *run = w->run;
  while (goes_on(run) && w->active < run->options->jobs && w->next < run->units->count) {
    check_unit *unit = &run->units->items[w->next++];
    if (is_done(unit) || results_hold(run->results, unit)) {
      count(run, unit);
      continue;
    }
    slot *s = w->slots;
    while (s->unit)
      ++s;
    start(w, s, unit);
  }
}

static void finish(work *w, slot *s, bool timed_out) {
  check_unit *unit = s->unit;
  verdict_pass(w->run, unit, &s->compiler, s->started);
  if (timed_out && unit->state == CHECK_FAILED)
    verdict_fail(unit, "the compiler was stopped after %g s (--timeout)", w->run->options->timeout);
  child_free(&s->compiler);
  s->unit = NULL;
  --w->active;
  count(w->run, unit);
}

static void stop_all(work *w) {
  for (unsigned k = 0; k < w->run->options->jobs; ++k)
    if (w->slots[k].unit) {
      child_free(&w->slots[k].compiler);
      w->slots[k].unit->state = CHECK_WAITS;
      w->slots[k].unit = NULL;
      --w->active;
    }
}

// Waits until a compiler or a signal has something to say, a deadline passes, or it is time to
// draw.
static void wait_for_any(work *w) {
  unsigned jobs = w->run->options->jobs;
  double wait = 3600, now = progress_now();
  for (unsigned k = 0; k < jobs; ++k) {
    const slot *s = &w->slots[k];
    w->polls[k] = (struct pollfd){s->unit ? s->compiler.ready : -1, POLLIN, 0};
    if (s->unit && s->deadline - now < wait)
      wait = s->deadline - now;
  }
  w->polls[jobs] = (struct pollfd){w->signals, POLLIN, 0};
  if (w->progress.enabled && wait > 0.5)
    wait = 0.5;
  poll(w->polls, jobs + 1, wait < 0 ? 0 : (int)(1000 * wait) + 1);
}

static void serve(work *w) {
  unsigned jobs = w->run->options->jobs;
  struct signalfd_siginfo came;
  if (w->polls[jobs].revents && read(w->signals, &came, sizeof came) == sizeof came)
    w->run->signal = (int)came.ssi_signo;
  double now = progress_now();
  for (unsigned k = 0; k < jobs && goes_on(w->run); ++k) {
    slot *s = &w->slots[k];
    if (!s->unit)
      continue;
    if (w->polls[k].revents && child_continue(&s->compiler)) {
      finish(w, s, false);
    } else if (now >= s->deadline) {
      child_stop(&s->compiler);
      finish(w, s, true);
    }
  }
}

static void loop(work *w) {
  if (!w->run->options->quiet)
    progress_begin(&w->progress);
  for (fill(w); goes_on(w->run) && w->active > 0; fill(w)) {
    show(w);
    wait_for_any(w);
    serve(w);
  }
  show(w);
  stop_all(w);
  progress_clear(&w->progress);
  messages_show_held(&w->run->messages, stdout);
}

void check_run_signals(sigset_t *set) {
  static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  sigemptyset(set);
  for (size_t k = 0; k < sizeof ending / sizeof *ending; ++k)
    sigaddset(set, ending[k]);
}

void check_run_all(check_run *run) {
  unsigned jobs = run->options->jobs;
  sigset_t caught, before;
  check_run_signals(&caught);
  work w = {.run = run,
            .slots = calloc(jobs, sizeof *w.slots),
            .polls = calloc(jobs + 1, sizeof *w.polls),
            .names = calloc(jobs, sizeof *w.names),
            .signals = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK)};
  sigprocmask(SIG_BLOCK, &caught, &before);
  if (w.slots && w.polls && w.names && w.signals >= 0)
    loop(&w);
  else
    run->hopeless = strdup("out of memory or file descriptors");
  if (w.signals >= 0)
    close(w.signals);
  free(w.slots);
  free(w.polls);
  free(w.names);
  sigprocmask(SIG_SETMASK, &before, NULL);
}

void check_run_free(check_run *run) {
  messages_free(&run->messages);
  free(run->hopeless);
}
