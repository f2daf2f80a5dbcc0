/* Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The programs of a file, as on_gpu/replay.cu launches them: on_gpu.py writes the table. */
#ifndef DIVCOST_ORACLE_REPLAY_H
#define DIVCOST_ORACLE_REPLAY_H

struct replay_program {
  const char *kernel;
  const void *function; /* what cudaLaunchKernel takes */
};

/* Up to one without a name. */
extern const struct replay_program replay_programs[];

#endif
