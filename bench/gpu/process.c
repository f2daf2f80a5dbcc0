// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _XOPEN_SOURCE 700
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUT_MAX = 4 << 20, TICK_MILLISECONDS = 50 };

typedef struct running {
  pid_t process;
  int from; // the end of the pipe that is read; -1 when its other end is closed
  char *output;
  size_t length, capacity;
} running;

// --- files ---------------------------------------------------------------------------------------

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *where) {
  (void)facts, (void)kind, (void)where;
  return remove(path);
}

static void remove_folder(const char *path) { nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

static dc_status make_folder(char *path, size_t bytes, dc_error *error) {
  const char *parent = getenv("TMPDIR");
  int length = snprintf(path, bytes, "%s/divcost-XXXXXX", parent && *parent ? parent : "/tmp");
  if (length < 0 || (size_t)length >= bytes || !mkdtemp(path))
    return dc_fail(error, DC_ERROR_FILE, "cannot make a folder '%.200s': %s", path,
                   strerror(errno));
  return DC_OK;
}

bool process_find(const char *name, char *path, size_t bytes) {
  const char *folders = getenv("PATH");
  for (const char *at = folders; at && *at; at += strspn(at, ":")) {
    int length = (int)strcspn(at, ":");
    struct stat facts;
    int needed = snprintf(path, bytes, "%.*s/%s", length, at, name);
    if (needed > 0 && (size_t)needed < bytes && access(path, X_OK) == 0 &&
        stat(path, &facts) == 0 && S_ISREG(facts.st_mode))
      return true;
    at += length;
  }
  return false;
}

// --- the other program ---------------------------------------------------------------------------

static void become(char *const arguments[], const char *folder, int to, const sigset_t *signals) {
  int nothing = open("/dev/null", O_RDONLY);
  setpgid(0, 0);
  sigprocmask(SIG_SETMASK, signals, NULL);
  if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(to, STDOUT_FILENO) >= 0 &&
      dup2(to, STDERR_FILENO) >= 0 && setenv("HOME", folder, 1) == 0 &&
      setenv("TMPDIR", folder, 1) == 0)
    execv(arguments[0], arguments);
  _exit(127);
}

static dc_status start(char *const arguments[], const char *folder, const sigset_t *signals,
                       running *it, dc_error *error) {
  int ends[2];
  if (pipe(ends) != 0)
    return dc_fail(error, DC_ERROR_FILE, "cannot make a pipe: %s", strerror(errno));
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC); // the copies that the program gets stay open
  it->process = fork();
  if (it->process == 0)
    become(arguments, folder, ends[1], signals);
  close(ends[1]);
  it->from = ends[0];
  if (it->process < 0) {
    close(ends[0]);
    return dc_fail(error, DC_ERROR_FILE, "cannot start '%.200s': %s", arguments[0],
                   strerror(errno));
  }
  setpgid(it->process, it->process); // whoever of the two is first
  return DC_OK;
}

static dc_status reserve(running *it, dc_error *error) {
  size_t capacity = it->capacity ? 2 * it->capacity : 1 << 16;
  if (it->length + 1 < it->capacity)
    return DC_OK;
  if (capacity > OUTPUT_MAX)
    return dc_fail(error, DC_ERROR_LIMIT, "it prints more than %d MiB", OUTPUT_MAX >> 20);
  char *output = realloc(it->output, capacity);
  if (!output)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  it->output = output;
  it->capacity = capacity;
  return DC_OK;
}

// Waits a tick for output; *quiet where there was none.
static dc_status read_some(running *it, bool *quiet, dc_error *error) {
  struct pollfd wait = {it->from, POLLIN, 0};
  dc_status status = reserve(it, error);
  *quiet = poll(&wait, 1, TICK_MILLISECONDS) <= 0;
  if (status != DC_OK || *quiet)
    return status;
  ssize_t got = read(it->from, it->output + it->length, it->capacity - it->length - 1);
  if (got > 0) {
    it->length += (size_t)got;
  } else {
    close(it->from);
    it->from = -1;
  }
  return DC_OK;
}

static bool has_ended(pid_t process) {
  siginfo_t facts = {0};
  return waitid(P_PID, (id_t)process, &facts, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         facts.si_pid == process;
}

static bool asked_to_end(void) {
  sigset_t waiting;
  sigpending(&waiting);
  return sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1 ||
         sigismember(&waiting, SIGHUP) == 1;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Until it has ended and nothing of its output is left.
static dc_status attend(running *it, double limit, dc_error *error) {
  double end = now() + limit;
  dc_status status = DC_OK;
  for (bool quiet = false; status == DC_OK && !(quiet && has_ended(it->process));) {
    status = read_some(it, &quiet, error);
    if (status == DC_OK && now() > end)
      status = dc_fail(error, DC_ERROR_LIMIT, "it hasn't ended after %g seconds", limit);
    if (status == DC_OK && asked_to_end())
      status = dc_fail(error, DC_ERROR_LIMIT, "interrupted");
  }
  return status;
}

// Of what is left of it, too.
static int end(running *it) {
  int how = 0;
  kill(-it->process, SIGKILL);
  kill(it->process, SIGKILL);
  while (waitpid(it->process, &how, 0) < 0 && errno == EINTR)
    continue;
  if (it->from >= 0)
    close(it->from);
  return WIFSIGNALED(how) ? 128 + WTERMSIG(how) : WEXITSTATUS(how);
}

dc_status process_run(char *const arguments[], double limit, process_result *result,
                      dc_error *error) {
  char folder[1024];
  running it = {.from = -1};
  sigset_t later, before;
  sigemptyset(&later);
  sigaddset(&later, SIGINT);
  sigaddset(&later, SIGTERM);
  sigaddset(&later, SIGHUP);
  sigprocmask(SIG_BLOCK, &later, &before);
  *result = (process_result){NULL, 0};
  dc_status status = make_folder(folder, sizeof folder, error);
  if (status == DC_OK) {
    status = start(arguments, folder, &before, &it, error);
    if (status == DC_OK) {
      status = attend(&it, limit, error);
      result->status = end(&it);
    }
    remove_folder(folder);
  }
  sigprocmask(SIG_SETMASK, &before, NULL); // what came meanwhile comes now
  if (status == DC_OK) {
    it.output[it.length] = '\0';
    result->output = it.output;
  } else {
    free(it.output);
  }
  return status;
}
