// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The end of a child is seen through a pidfd and not by the end of its output: a compiler may leave
// a server of its cache behind that holds the pipe open.
#define _GNU_SOURCE // pipe2, posix_spawn_file_actions_addchdir_np, P_PIDFD

#include "compile/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int set_signals(posix_spawnattr_t *attributes) {
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(attributes, &all);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setpgroup(attributes, 0);
  return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF |
                                                  POSIX_SPAWN_SETSIGMASK);
}

// 0, or the errno of what failed.
static int spawn(const char *directory, const arguments *words, int to, pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason)
    return reason;
  reason = posix_spawnattr_init(&attributes);
  if (reason) {
    posix_spawn_file_actions_destroy(&actions);
    return reason;
  }
  reason = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!reason)
    reason = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
  if (!reason)
    reason = posix_spawn_file_actions_adddup2(&actions, to, STDERR_FILENO);
  if (!reason)
    reason = posix_spawn_file_actions_addchdir_np(&actions, directory);
  if (!reason)
    reason = set_signals(&attributes);
  if (!reason)
    reason = posix_spawn(process, words->words[0], &actions, &attributes, words->words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

// Opens what the end and the output of the child are seen by. 0, or the errno of what failed.
static int watch(child *c) {
  c->exits = (int)syscall(SYS_pidfd_open, c->process, 0); // glibc has a name for it since 2.36
  c->ready = c->exits < 0 ? -1 : epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event event = {.events = EPOLLIN};
  if (c->ready >= 0 && epoll_ctl(c->ready, EPOLL_CTL_ADD, c->exits, &event) == 0 &&
      epoll_ctl(c->ready, EPOLL_CTL_ADD, c->pipe, &event) == 0)
    return 0;
  return errno;
}

static void close_descriptors(child *c) {
  int open[] = {c->pipe, c->exits, c->ready};
  for (size_t k = 0; k < sizeof open / sizeof *open; ++k)
    if (open[k] >= 0)
      close(open[k]);
  c->pipe = c->exits = c->ready = -1;
}

dc_status child_start(child *c, const char *directory, const arguments *words, dc_error *error) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return dc_fail(error, DC_ERROR_FILE, "cannot make a pipe: %s", strerror(errno));
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  int reason = spawn(directory, words, ends[1], &c->process);
  close(ends[1]);
  if (reason) {
    close(ends[0]);
    *c = (child){0};
    if (access(directory, X_OK) != 0)
      return dc_fail(error, DC_ERROR_FILE, "cannot run in '%.200s': %s", directory,
                     strerror(errno));
    return dc_fail(error, DC_ERROR_FILE, "cannot start '%.200s': %s", words->words[0],
                   strerror(reason));
  }
  c->pipe = ends[0];
  c->exits = c->ready = -1;
  reason = watch(c);
  if (reason) {
    child_free(c);
    return dc_fail(error, DC_ERROR_FILE, "cannot watch '%.200s': %s", words->words[0],
                   strerror(reason));
  }
  return DC_OK;
}

// Keeps some output, as far as there is room for it.
static void keep(child *c, const char *bytes, size_t count) {
  if (count > CHILD_OUTPUT_MAX - c->length) {
    count = CHILD_OUTPUT_MAX - c->length;
    c->cut = true;
  }
  if (c->length + count + 1 > c->capacity) {
    size_t capacity = 2 * (c->length + count + 1);
    char *text = realloc(c->text, capacity);
    if (!text) {
      c->cut = true;
      return;
    }
    c->text = text;
    c->capacity = capacity;
  }
  for (size_t k = 0; k < count; ++k)
    c->text[c->length++] = bytes[k] ? bytes[k] : '?';
  c->text[c->length] = 0;
}

// Reads what is there, but no more than `most` bytes: who prints without end must not keep us.
static void read_output(child *c, size_t most) {
  char bytes[1 << 14];
  for (size_t all = 0; c->pipe >= 0 && all < most;) {
    ssize_t count = read(c->pipe, bytes, sizeof bytes);
    if (count > 0) {
      keep(c, bytes, (size_t)count);
      all += (size_t)count;
    } else if (count < 0 && errno == EINTR) {
      continue;
    } else if (count < 0 && errno == EAGAIN) {
      return;
    } else {
      close(c->pipe); // which also takes it out of what `ready` watches
      c->pipe = -1;
    }
  }
}

// Reaps the child, which has ended or is about to. Until then nobody else can have its number, nor
// that of its group.
static void reap(child *c) {
  int status = 0;
  kill(-c->process, SIGKILL);
  while (waitpid(c->process, &status, 0) < 0 && errno == EINTR)
    continue;
  c->status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
  c->process = 0;
  close_descriptors(c);
}

bool child_continue(child *c) {
  if (c->process == 0)
    return true;
  siginfo_t facts = {0};
  bool ended = waitid(P_PIDFD, (id_t)c->exits, &facts, WEXITED | WNOHANG | WNOWAIT) != 0 ||
               facts.si_pid == c->process;
  read_output(c, ended ? 2 * CHILD_OUTPUT_MAX : (size_t)1 << 16);
  if (ended)
    reap(c);
  return ended;
}

void child_stop(child *c) {
  if (c->process != 0)
    reap(c);
}

void child_free(child *c) {
  child_stop(c);
  free(c->text);
  *c = (child){0};
}
