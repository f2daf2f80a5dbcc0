// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _DEFAULT_SOURCE

#include "check/run.h"

#include "check/progress.h"
#include "check/verdict.h"
#include "command.h"
#include "divcost/ptxas.h"

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
  bool asks_ptxas;  // it compiles, for what ptxas says; the analysis comes behind
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
  if (unit->note && !failed)
    fprintf(stderr, "divcost: %s: %s\n", unit->name, unit->note);
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
    if (unit->messages || unit->note || unit->state == CHECK_FAILED)
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

static dc_status start_child(work *w, slot *s, const arguments *words, dc_error *error) {
  s->deadline = progress_now() + w->run->options->timeout;
  return child_start(&s->compiler, s->unit->command.directory, words, error);
}

static dc_status start_ptxas(work *w, slot *s, dc_error *error) {
  const check_run *run = w->run;
  char *object = results_running(run->results, s->unit, ".o");
  arguments words = {0};
  dc_status status =
      object ? check_unit_ptxas_words(s->unit, run->options, run->tools, object, &words, error)
             : dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  s->asks_ptxas = true;
  if (status == DC_OK)
    status = start_child(w, s, &words, error);
  arguments_free(&words);
  free(object);
  return status;
}

// `ptxas`: there is a file with what it said.
static dc_status start_analysis(work *w, slot *s, bool ptxas, dc_error *error) {
  const check_run *run = w->run;
  check_unit *unit = s->unit;
  char *report = results_running(run->results, unit, ".json");
  char *headers = results_running(run->results, unit, ".headers");
  char *said = results_running(run->results, unit, ".ptxas");
  arguments words = {0}, unknown = {0}; // the latter are known
  dc_status status = DC_OK;
  if (!report || !headers || !said)
    status = dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  else
    status = check_unit_words(unit, run->options, run->tools, report, headers, ptxas ? said : NULL,
                              &words, &unknown, error);
  s->asks_ptxas = false;
  if (status == DC_OK)
    status = start_child(w, s, &words, error);
  arguments_free(&words);
  arguments_free(&unknown);
  free(report);
  free(headers);
  free(said);
  return status;
}

// Why a unit's registers aren't ptxas's.
static void note_estimated(check_unit *unit, const char *why) {
  arguments note = {0};
  arguments_addf(&note, "registers are estimated: %s", why);
  unit->note = note.failed ? NULL : strdup(note.words[0]);
  arguments_free(&note);
}

static void start(work *w, slot *s, check_unit *unit) {
  dc_error error;
  s->unit = unit;
  unit->state = CHECK_RUNS;
  clock_gettime(CLOCK_REALTIME, &s->started);
  bool asks = w->run->options->with_ptxas;
  dc_status status = asks ? start_ptxas(w, s, &error) : DC_OK;
  if (status != DC_OK)
    note_estimated(unit, error.text);
  if (!asks || status != DC_OK)
    status = start_analysis(w, s, false, &error);
  if (status == DC_OK) {
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

// With the first error of the compiler.
static void note_failure(check_unit *unit, const child *compiler) {
  const char *text = compiler->text ? compiler->text : "", *line = text;
  const char *error = strstr(text, "error");
  error = error ? error : strstr(text, "fatal");
  for (const char *at = text; error && at < error; ++at)
    if (*at == '\n')
      line = at + 1;
  arguments why = {0};
  arguments_addf(&why, "compiling it as its build does ended with %s %d%s%.*s",
                 compiler->status < 0 ? "signal" : "status", abs(compiler->status),
                 error ? ": " : "", error ? (int)strcspn(line, "\n") : 0, line);
  if (!why.failed)
    note_estimated(unit, why.words[0]);
  arguments_free(&why);
}

static void remove_running(const check_run *run, const check_unit *unit, const char *ending) {
  char *path = results_running(run->results, unit, ending);
  if (path)
    unlink(path);
  free(path);
}

// Keeps what ptxas said for the analysis, if it is of kernels. The unit's note says where there is
// none for a reason.
static bool keep_ptxas(const check_run *run, slot *s, bool timed_out) {
  dc_ptxas said = {0};
  dc_error error;
  char *path = results_running(run->results, s->unit, ".ptxas");
  bool good = path && s->compiler.text && !s->compiler.cut && s->compiler.status == 0 &&
              dc_ptxas_read(s->compiler.text, &said, &error) == DC_OK && said.count > 0;
  FILE *file = good ? fopen(path, "we") : NULL;
  if (file) {
    fputs(s->compiler.text, file);
    good = fclose(file) == 0;
  }
  if (s->compiler.cut && s->compiler.status == 0)
    note_estimated(s->unit, "the compiler prints too much to be read");
  if (s->compiler.status != 0 && !timed_out)
    note_failure(s->unit, &s->compiler);
  if (timed_out)
    note_estimated(s->unit, "compiling took longer than --timeout");
  remove_running(run, s->unit, ".o");
  free(path);
  dc_ptxas_free(&said);
  return good && file;
}

static void finish_ptxas(work *w, slot *s, bool timed_out) {
  dc_error error;
  bool said = keep_ptxas(w->run, s, timed_out);
  child_free(&s->compiler);
  if (start_analysis(w, s, said, &error) == DC_OK)
    return;
  verdict_fail(s->unit, "%s", error.text);
  count(w->run, s->unit);
  s->unit = NULL;
  --w->active;
}

static void finish(work *w, slot *s, bool timed_out) {
  check_unit *unit = s->unit;
  verdict_pass(w->run, unit, &s->compiler, s->started);
  if (timed_out && unit->state == CHECK_FAILED)
    verdict_fail(unit, "the compiler was stopped after %g s (--timeout)", w->run->options->timeout);
  child_free(&s->compiler);
  remove_running(w->run, unit, ".ptxas");
  s->unit = NULL;
  --w->active;
  count(w->run, unit);
}

static void stop_all(work *w) {
  for (unsigned k = 0; k < w->run->options->jobs; ++k)
    if (w->slots[k].unit) {
      child_free(&w->slots[k].compiler);
      remove_running(w->run, w->slots[k].unit, ".o");
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
    bool ended = w->polls[k].revents && child_continue(&s->compiler);
    bool late = !ended && now >= s->deadline;
    if (late)
      child_stop(&s->compiler);
    if ((ended || late) && s->asks_ptxas)
      finish_ptxas(w, s, late);
    else if (ended || late)
      finish(w, s, late);
  }
}

// How many units that were analysed have a file of annotations.
static size_t count_units_with(const void *context, const char *path, size_t length) {
  const check_units *units = context;
  size_t count = 0;
  for (size_t u = 0; u < units->count; ++u) {
    const arguments *named = &units->items[u].named;
    bool has = false;
    for (size_t k = 0; k < named->count && !has; ++k)
      has = strlen(named->words[k]) == length && !memcmp(named->words[k], path, length);
    count += has && units->items[u].state != CHECK_FAILED;
  }
  return count;
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
  if (!w->run->options->only_new) // which nobody knows yet
    messages_show_held(&w->run->messages, stdout);
  if (!w->run->units->partial && w->shown == w->run->units->count)
    messages_show_unmatched(&w->run->messages, count_units_with, w->run->units, stdout);
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
