// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE // pipe2

#include "profile/ncu_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int spawn(const char *report, bool raw, int to, pid_t *process) {
  char *const source_page[] = {"ncu",
                               "--import",
                               (char *)report,
                               "--page",
                               "source",
                               "--csv",
                               "--print-source",
                               "cuda,sass",
                               "--print-kernel-base",
                               "mangled",
                               NULL};
  char *const raw_page[] = {"ncu", "--import", (char *)report,        "--page",
                            "raw", "--csv",    "--print-kernel-base", "mangled",
                            NULL};
  posix_spawn_file_actions_t actions;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason)
    return reason;
  reason = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
  if (!reason)
    reason = posix_spawnp(process, "ncu", &actions, NULL, raw ? raw_page : source_page, environ);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

dc_status ncu_process_begin(ncu_process *out, const char *report, bool raw, dc_error *error) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return dc_fail(error, DC_ERROR_FILE, "no pipe: %s", strerror(errno));
  int reason = spawn(report, raw, ends[1], &out->process);
  close(ends[1]);
  if (reason) {
    close(ends[0]);
    return dc_fail(error, DC_ERROR_FILE,
                   "is read by ncu, which can't be started: %s; put it on the PATH, or give the "
                   "pages as CSV instead (divcost profile --help)",
                   strerror(reason));
  }
  out->stream = fdopen(ends[0], "r");
  if (out->stream)
    return DC_OK;
  close(ends[0]);
  waitpid(out->process, NULL, 0);
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
}

dc_status ncu_process_end(ncu_process *process, dc_error *error) {
  int status = 0;
  fclose(process->stream);
  while (waitpid(process->process, &status, 0) < 0)
    if (errno != EINTR)
      return dc_fail(error, DC_ERROR_FILE, "ncu is gone: %s", strerror(errno));
  bool stopped = WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE; // by who read no more
  if (stopped || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
    return DC_OK;
  return dc_fail(error, DC_ERROR_FILE, "ncu failed with %s %d",
                 WIFSIGNALED(status) ? "signal" : "status",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}
