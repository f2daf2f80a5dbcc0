// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is said of loops and estimates, in clang's manner: one sentence, lower case, every figure
// with where it comes from. All functions write at most `size` bytes with the terminating 0.
#ifndef DIVCOST_PASS_FINDINGS_MESSAGES_H
#define DIVCOST_PASS_FINDINGS_MESSAGES_H

#include "divcost/unit.h"

#ifdef __cplusplus
extern "C" {
#endif

// "loop runs a different number of iterations in each lane: about 34% of ... (annotated:
// poisson(30))". `instances`: how many loops of the unit come from this statement.
void dcp_word_imbalance(const dc_kernel *kernel, uint32_t loop, const dc_estimate *estimate,
                        unsigned instances, char *text, size_t size);

// What a loop costs under assumptions, and which annotation would tell. Arguments as above.
void dcp_word_data_dependent(const dc_kernel *kernel, uint32_t loop, const dc_estimate *estimate,
                             unsigned instances, char *text, size_t size);

// What idles in a kernel for certain: "at least 75% of the lanes of kernel 'k' idle, whatever its
// data are: blocks of 8x1x1 threads are ...", and the three loops that lose most.
void dcp_word_efficiency(const dc_kernel *kernel, const dc_estimate *estimate, char *text,
                         size_t size);

// What may idle in a kernel in several places: "lanes of kernel 'k' may part in several places, by
// data: up to 95% of them idle if each decides for itself ...", and the three that lose most.
void dcp_word_spread(const dc_kernel *kernel, const dc_estimate *estimate, unsigned instances,
                     char *text, size_t size);

// What idles in a kernel under all assumptions: "21% to 38% of the lanes of kernel 'k' idle
// under all that is assumed of its launch and data", and the three lines that lose most.
void dcp_word_always_idle(const dc_kernel *kernel, const dc_estimate *estimate, unsigned instances,
                          char *text, size_t size);

// What idles behind a branch: "lanes of a warp may part here, by data: ... if each lane decides for
// itself". `instances`: as of a loop.
void dcp_word_idle_branch(const dc_kernel *kernel, uint32_t branch, const dc_estimate *estimate,
                          unsigned instances, char *text, size_t size);

// What a request of an access takes: "each store of a warp to 'out' touches 32 sectors of memory
// where 4 would do: neighbouring threads are 4096 bytes apart". `others`: how many accesses of the
// array are alike; `instances`: as of a loop.
void dcp_word_access(const dc_kernel *kernel, uint32_t access, const dc_estimate *estimate,
                     unsigned others, unsigned instances, char *text, size_t size);

// What was measured of a part of a kernel: "loop runs a different number of iterations in each
// lane: 44% of the kernel's lane-slots idle (measured: ...)". `instances`: how many parts of
// kernels that were measured are at this place. Where the part is less than threshold, several make
// it up; NULL is what nobody knows the place of.
void dcp_word_measured(const dc_unit_kernel *kernel, const dc_measured_part *part,
                       unsigned instances, double threshold, char *text, size_t size);

// What was counted of the accesses on a line: "accesses of a warp touch 8.7 sectors of 32 bytes
// where 4 would do: 54% of the kernel's sectors of global memory aren't needed (measured; ...)".
// `instances`: as of a part.
void dcp_word_measured_access(const dc_unit_kernel *kernel, const dc_measured_access *access,
                              unsigned instances, char *text, size_t size);

// One loop, for a remark: class, trip count, efficiency.
void dcp_word_loop(const dc_kernel *kernel, uint32_t loop, const dc_estimate *estimate, char *text,
                   size_t size);

// A divergent branch, for a remark.
void dcp_word_branch(const dc_kernel *kernel, uint32_t branch, char *text, size_t size);

// The kernel's name in quotes, "'spmv(int const*, int)'"; long parameters are "(...)".
void dcp_word_name(const dc_kernel *kernel, char *text, size_t size);

// That n > 0 other kernels have it, too: "; kernels 'a(int)', 'b(int)' and 3 more have it, too".
void dcp_word_others(const dc_kernel *const *kernels, uint32_t n, char *text, size_t size);

// What figures are for: "kernel 'k' is estimated for sm_80 and blocks of 16x16x1 threads (as
// launched here)".
void dcp_word_launch(const dc_kernel *kernel, const dc_estimate *estimate, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
