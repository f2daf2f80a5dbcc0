/* Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a program can tell divcost of its loops and kernels, as macros:
 *
 *     DIVCOST_LAUNCH(block=256, grid=1024, rows=100000)
 *     __global__ void spmv(const int *begin, int rows, ...) {
 *       ...
 *       DIVCOST_TRIPS(poisson(30))
 *       for (int j = begin[row]; j < begin[row + 1]; ++j)
 *         ...
 *       DIVCOST_IGNORE("few rows get here")
 *       while (rest)
 *         ...
 *
 * Each stands where '#pragma divcost' would, with the same arguments (docs/annotations.md), and no
 * semicolon behind it; macros among the arguments are expanded. Under clang they become pragmas,
 * which a clang without the plugin passes over in silence, so that they are still there when a
 * preprocessed file is compiled. Under every other compiler, nvcc among them, they are nothing.
 * There is no code, with or without divcost. C99 or C++11, for the variadic macros. */
#ifndef DIVCOST_H
#define DIVCOST_H

#if defined(__clang__) && !defined(__NVCC__) /* nvcc may have clang for its host side */

#define DIVCOST_PRAGMA_TEXT(...) _Pragma(#__VA_ARGS__)
#define DIVCOST_PRAGMA(...)                                                                        \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wunknown-pragmas\"")       \
      DIVCOST_PRAGMA_TEXT(__VA_ARGS__) _Pragma("clang diagnostic pop")

/* Before a loop: how often its lanes run it. */
#define DIVCOST_TRIPS(...) DIVCOST_PRAGMA(divcost trips(__VA_ARGS__))
/* Before a loop: nothing is to be said of it, and why. */
#define DIVCOST_IGNORE(reason) DIVCOST_PRAGMA(divcost ignore(reason))
/* Before a kernel: typical launch configurations, and values of integer parameters that it is
 * launched with. */
#define DIVCOST_LAUNCH(...) DIVCOST_PRAGMA(divcost launch(__VA_ARGS__))

#else

#define DIVCOST_TRIPS(...)
#define DIVCOST_IGNORE(reason)
#define DIVCOST_LAUNCH(...)

#endif

#endif
