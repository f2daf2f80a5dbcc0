// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `divcost lsp`: one loop around poll() over the client, the compilers and the clock. Reads and
// writes are of what is there and what has room, so nothing here waits.
#define _GNU_SOURCE // ppoll

#include "command.h"
#include "lsp/server.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: divcost lsp\n"
    "\n"
    "A language server: editors start it and talk to it over standard input and output, in the\n"
    "Language Server Protocol 3.17. It analyses open CUDA files as they are in the editor, with "
    "the\n"
    "command of the nearest compile_commands.json, and shows\n"
    "  diagnostics   the plugin's warnings, with the chain of reasons\n"
    "  hover         on a loop or a kernel's name: what the report says of it\n"
    "  code lenses   what each kernel and loop loses\n"
    "  inlay hints   class and trips behind the head of each loop in which lanes may part\n"
    "  code actions  annotations: trip counts, launches, that a loop is ignored; the chain; the "
    "page\n"
    "\n"
    "Settings, as initializationOptions or through workspace/didChangeConfiguration:\n"
    "  buildFolder   folder of the compile_commands.json; else it is looked for near each file\n"
    "  flags         flags to add, a list: [\"-DN=1\", \"--cuda-path=/opt/cuda\"]\n"
    "  clang, plugin the compiler and divcost.so, where others than the usual ones are wanted\n"
    "  timeLimit     seconds after which a compilation is stopped (300)\n"
    "  uniformHints  true: inlay hints of uniform loops, too (false)\n"
    "docs/editors.md shows how to set up editors.\n"
    "Exit status: 0 shut down by the client, 1 the client went away without, 2 wrong usage.\n";

// ---- the client ---------------------------------------------------------------------------------

enum {
  PART = 4096,            // bytes that are written at once: where there is room, there is for these
  UNREAD_MOST = 64 << 20, // bytes that may wait for the client; until it reads, it isn't heard
};

static void read_client(lsp_server *server) {
  char bytes[1 << 16];
  ssize_t size = read(STDIN_FILENO, bytes, sizeof bytes);
  if (size > 0) {
    lsp_receive(server, bytes, (size_t)size);
  } else if (size == 0 || (errno != EINTR && errno != EAGAIN)) {
    if (size < 0)
      server->said = command_fail("standard input", strerror(errno)) != 0;
    else if (server->state == LSP_NEW)
      server->said =
          command_fail("lsp", "the input ended before 'initialize'; editors start this command and "
                              "talk to it over standard input and output (docs/editors.md)") != 0;
    lsp_hang_up(server);
  }
}

static void write_client(lsp_server *server) {
  byte_queue *output = &server->output;
  size_t here = output->end - output->begin;
  ssize_t size = write(STDOUT_FILENO, output->bytes + output->begin, here < PART ? here : PART);
  if (size > 0) {
    queue_drop(output, (size_t)size);
  } else if (size < 0 && errno != EINTR && errno != EAGAIN) {
    server->said = command_fail("standard output", strerror(errno)) != 0;
    server->state = LSP_ABANDONED;
    server->deaf = true;
  }
}

// ---- the loop -----------------------------------------------------------------------------------

static volatile sig_atomic_t told_to_end;

static void end_on(int signal) {
  (void)signal;
  told_to_end = 1;
}

// Signals that end the program do so between two steps, so that compilers and files are cleared
// away; they arrive only while poll waits. A client that is gone is seen by writing to it.
static void catch_signals(sigset_t *waiting) {
  static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = end_on}, ignore = {.sa_handler = SIG_IGN};
  sigset_t blocked;
  sigemptyset(&blocked);
  for (size_t k = 0; k < sizeof ending / sizeof *ending; ++k) {
    sigaction(ending[k], &action, NULL);
    sigaddset(&blocked, ending[k]);
  }
  sigaction(SIGPIPE, &ignore, NULL);
  sigprocmask(SIG_BLOCK, &blocked, waiting);
  for (size_t k = 0; k < sizeof ending / sizeof *ending; ++k)
    sigdelset(waiting, ending[k]);
}

enum { CLIENT_IN, CLIENT_OUT, COMPILERS }; // what is polled, in this order
enum { POLLED_MOST = COMPILERS + 8 };

static nfds_t list_polled(const lsp_server *server, struct pollfd *polled) {
  size_t unread = server->output.end - server->output.begin;
  nfds_t count = COMPILERS;
  polled[CLIENT_IN] =
      (struct pollfd){.fd = unread < UNREAD_MOST ? STDIN_FILENO : -1, .events = POLLIN};
  polled[CLIENT_OUT] = (struct pollfd){.fd = unread ? STDOUT_FILENO : -1, .events = POLLOUT};
  for (const lsp_document *d = server->documents; d; d = d->next) {
    if (d->job.running && count < POLLED_MOST)
      polled[count++] = (struct pollfd){.fd = d->job.compiler.ready, .events = POLLIN};
    if (d->precompiled.state == LSP_PRECOMPILING && count < POLLED_MOST)
      polled[count++] = (struct pollfd){.fd = d->precompiled.compiler.ready, .events = POLLIN};
  }
  return count;
}

static void step(lsp_server *server, const sigset_t *waiting) {
  struct pollfd polled[POLLED_MOST];
  int64_t next = lsp_documents_begin(server), wait = next == LSP_NEVER ? 0 : next - lsp_now();
  wait = wait < 0 ? 0 : wait;
  const struct timespec time = {wait / 1000, wait % 1000 * 1000000};
  nfds_t count = list_polled(server, polled);
  if (ppoll(polled, count, next == LSP_NEVER ? NULL : &time, waiting) < 0)
    return;
  if (polled[CLIENT_OUT].revents)
    write_client(server);
  if (polled[CLIENT_IN].revents)
    read_client(server);
  for (lsp_document *d = server->documents; d; d = d->next) {
    lsp_job_continue(server, d);
    lsp_precompiled_continue(server, d);
  }
}

// What was said last still has to arrive; a client that doesn't read it has had its chance.
static void say_the_rest(lsp_server *server) {
  struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
  while (!server->deaf && server->output.end > server->output.begin && poll(&out, 1, 1000) > 0)
    write_client(server);
}

int command_lsp(int count, char **arguments) {
  if (count == 1 && strcmp(arguments[0], "--help") == 0)
    return command_print(help);
  if (count > 0 && strcmp(arguments[0], "--stdio") != 0) // what many clients add
    return command_misuse("lsp takes no argument, but got", arguments[0]);
  lsp_server server = {0};
  sigset_t waiting;
  catch_signals(&waiting);
  lsp_settings_read(&server, NULL);
  while (!lsp_is_over(&server) && !told_to_end && !server.input.input.failed &&
         !server.output.failed)
    step(&server, &waiting);
  say_the_rest(&server);
  bool good = server.state == LSP_ENDED;
  if (server.input.input.failed || server.output.failed)
    command_fail("lsp", "out of memory for messages");
  else if (server.state == LSP_ABANDONED && !server.said)
    command_fail("standard input", server.cut ? "it ended within a message"
                                              : "the client went away without shutting down");
  lsp_free(&server);
  return good ? 0 : FAILURE;
}
