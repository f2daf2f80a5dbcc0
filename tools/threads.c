// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _DEFAULT_SOURCE // _SC_NPROCESSORS_ONLN

#include "threads.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

typedef struct job {
  dc_task task;
  void *work;
  size_t count;
  atomic_size_t next;
} job;

typedef struct helper {
  pthread_t thread;
  job *job;
  unsigned worker;
} helper;

static void *help(void *argument) {
  const helper *h = argument;
  for (size_t i; (i = atomic_fetch_add(&h->job->next, 1)) < h->job->count;)
    h->job->task(h->job->work, i, h->worker);
  return NULL;
}

static void run(void *context, size_t count, dc_task task, void *work) {
  const unsigned workers = *(const unsigned *)context;
  job j = {.task = task, .work = work, .count = count};
  atomic_init(&j.next, 0);
  helper helpers[THREADS_MAX];
  unsigned started = 1;
  for (; started < workers; ++started) {
    helpers[started] = (helper){.job = &j, .worker = started};
    if (pthread_create(&helpers[started].thread, NULL, help, &helpers[started]) != 0)
      break;
  }
  helpers[0] = (helper){.job = &j, .worker = 0};
  help(&helpers[0]);
  for (unsigned i = 1; i < started; ++i)
    pthread_join(helpers[i].thread, NULL);
}

dc_parallel threads_parallel(const unsigned *workers) {
  return (dc_parallel){*workers, run, (void *)workers}; // run only reads it
}

unsigned threads_processors(void) {
  long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count<1 ? 1 : count>(long) THREADS_MAX ? THREADS_MAX : (unsigned)count;
}
