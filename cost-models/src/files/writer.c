// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// stdio tells that a write has failed, but by the end of a long text no longer why.
#define _GNU_SOURCE // fopencookie

#include "divcost/replace.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct writer {
  int descriptor;
  int *reason;
} writer;

static void failed(const writer *w, int reason) {
  if (!*w->reason)
    *w->reason = reason;
  errno = reason;
}

// All of the bytes. Who left the descriptor non-blocking didn't mean to lose some of them.
static ssize_t put(void *cookie, const char *bytes, size_t size) {
  const writer *w = cookie;
  struct pollfd room = {w->descriptor, POLLOUT, 0};
  for (size_t done = 0; done < size;) {
    ssize_t part = write(w->descriptor, bytes + done, size - done);
    if (part >= 0) {
      done += (size_t)part;
    } else if (errno == EAGAIN) {
      poll(&room, 1, -1);
    } else if (errno != EINTR) {
      failed(w, errno);
      return 0; // for fopencookie: an error
    }
  }
  return (ssize_t)size;
}

static int end(void *cookie) {
  writer *w = cookie;
  int result = close(w->descriptor);
  if (result)
    failed(w, errno);
  free(w);
  return result;
}

FILE *dc_writer_open(int descriptor, int *reason) {
  *reason = 0;
  writer *w = malloc(sizeof *w);
  if (!w)
    return NULL;
  *w = (writer){descriptor, reason};
  FILE *stream = fopencookie(w, "w", (cookie_io_functions_t){.write = put, .close = end});
  if (!stream)
    free(w);
  return stream;
}
