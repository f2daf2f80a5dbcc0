// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Occupancy: cases by hand; where the CUDA Toolkit is there, against its calculator; and what an
// H200 answered, every row of the table.
#include "divcost/occupancy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dc_occupancy of(unsigned sm, unsigned threads, unsigned registers, uint64_t shared) {
  dc_sm_limits limits;
  assert_true(dc_sm_limits_find(sm, &limits));
  return dc_occupancy_of(&limits, threads, registers, shared);
}

static void check(dc_occupancy found, unsigned blocks, unsigned warps, unsigned limits) {
  assert_int_equal(found.blocks, blocks);
  assert_int_equal(found.warps, warps);
  assert_int_equal(found.limits, limits);
}

static void each_limit_binds(void **state) {
  (void)state;
  check(of(90, 256, 32, 0), 8, 64, DC_LIMIT_WARPS | DC_LIMIT_REGISTERS);
  check(of(90, 256, 16, 0), 8, 64, DC_LIMIT_WARPS);
  check(of(90, 32, 32, 0), 32, 32, DC_LIMIT_BLOCKS);
  // 33 registers are 1280 a warp instead of 1056: 12 warps a partition, 48 in all.
  check(of(90, 256, 33, 0), 6, 48, DC_LIMIT_REGISTERS);
  // 48 KiB, and 1 KiB of the system: four in 228.
  check(of(90, 256, 32, 48 * 1024), 4, 32, DC_LIMIT_SHARED);
  check(of(86, 256, 32, 0), 6, 48, DC_LIMIT_WARPS);
  check(of(60, 96, 80, 0), 8, 24, DC_LIMIT_REGISTERS);
}

static void what_does_not_fit_is_not_launched(void **state) {
  (void)state;
  check(of(90, 1024, 65, 0), 0, 0, DC_LIMIT_REGISTERS);
  check(of(90, 32, 256, 0), 0, 0, DC_LIMIT_REGISTERS);
  check(of(90, 32, 16, 227 * 1024 + 1), 0, 0, DC_LIMIT_SHARED);
  check(of(90, 32, 16, UINT64_MAX), 0, 0, DC_LIMIT_SHARED);
  check(of(90, 1025, 16, 0), 0, 0, DC_LIMIT_WARPS);
  check(of(90, 0, 16, 0), 0, 0, DC_LIMIT_WARPS);
  dc_sm_limits limits;
  assert_false(dc_sm_limits_find(20, &limits));
}

static void launch_bounds_are_registers(void **state) {
  (void)state;
  dc_sm_limits limits;
  assert_true(dc_sm_limits_find(90, &limits));
  assert_int_equal(dc_registers_for(&limits, 1024, 1), 64);
  assert_int_equal(dc_registers_for(&limits, 256, 8), 32);
  assert_int_equal(dc_registers_for(&limits, 256, 4), 64);
  assert_int_equal(dc_registers_for(&limits, 128, 1), 255);
  assert_int_equal(dc_registers_for(&limits, 1024, 100), 0);
  assert_int_equal(dc_registers_for(&limits, 0, 1), 0);
}

static void limits_have_names(void **state) {
  (void)state;
  for (unsigned k = 0; k < DC_OCCUPANCY_LIMITS; ++k)
    assert_int_equal(
        dc_occupancy_limit_parse(dc_occupancy_limit_name((dc_occupancy_limit)(1u << k))), 1 << k);
  assert_int_equal(dc_occupancy_limit_parse("patience"), -1);
}

// Rows of bench/occupancy/occupancy.cu; its first line has what the GPU says of itself.
static void what_a_gpu_answered_follows(void **state) {
  (void)state;
  char line[1024], kernel[512];
  unsigned threads, registers, shared, dynamic, blocks, rows = 0;
  dc_sm_limits limits;
  assert_true(dc_sm_limits_find(90, &limits));
  FILE *file = fopen(DIVCOST_RESULTS "/sm_90/occupancy.tsv", "r");
  assert_non_null(file);
  assert_non_null(fgets(line, sizeof line, file));
  unsigned warps, most_blocks, all, most, bytes, of_block, reserved;
  assert_int_equal(sscanf(line,
                          "# NVIDIA H200, sm_90: %u warps, %u blocks, %u registers and %u bytes of "
                          "shared memory an SM; of a block at most %u and %u, beside %u",
                          &warps, &most_blocks, &all, &bytes, &most, &of_block, &reserved),
                   7);
  const dc_sm_limits told = {
      .sm = 90,
      .warps = warps,
      .blocks = most_blocks,
      .registers = all,
      .registers_per_block = most,
      .registers_per_thread = limits.registers_per_thread,
      .partitions = limits.partitions,
      .register_unit = limits.register_unit,
      .shared = bytes,
      .shared_per_block = of_block,
      .shared_reserved = reserved,
      .shared_unit = limits.shared_unit,
  };
  assert_memory_equal(&told, &limits, sizeof limits);
  while (fgets(line, sizeof line, file)) {
    if (*line == '#')
      continue;
    assert_int_equal(sscanf(line, "%511s %u %u %u %u %u", kernel, &threads, &registers, &shared,
                            &dynamic, &blocks),
                     6);
    if (of(90, threads, registers, (uint64_t)shared + dynamic).blocks != blocks)
      fail_msg("%s: %u blocks, but the GPU says %u", line,
               of(90, threads, registers, (uint64_t)shared + dynamic).blocks, blocks);
    ++rows;
  }
  fclose(file);
  assert_true(rows > 1000);
}

#ifdef DIVCOST_CUDA_OCCUPANCY
#include <cuda_occupancy.h>

static void check_against_calculator(const dc_sm_limits *limits, unsigned threads,
                                     unsigned registers, uint64_t shared) {
  cudaOccDeviceProp device = {
      .computeMajor = (int)limits->sm / 10,
      .computeMinor = (int)limits->sm % 10,
      .maxThreadsPerBlock = 1024,
      .maxThreadsPerMultiprocessor = (int)limits->warps * 32,
      .regsPerBlock = (int)limits->registers_per_block,
      .regsPerMultiprocessor = (int)limits->registers,
      .warpSize = 32,
      .sharedMemPerBlock = 48 * 1024,
      .sharedMemPerMultiprocessor = limits->shared,
      .numSms = 1,
      .sharedMemPerBlockOptin = limits->shared_per_block,
      .reservedSharedMemPerBlock = limits->shared_reserved,
  };
  cudaOccFuncAttributes function = {
      .maxThreadsPerBlock = 1024,
      .numRegs = (int)registers,
      .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
      .maxDynamicSharedSizeBytes = shared,
      .numBlockBarriers = 1,
  };
  cudaOccDeviceState state = {CACHE_PREFER_NONE, SHAREDMEM_CARVEOUT_DEFAULT};
  cudaOccResult result;
  assert_int_equal(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state,
                                                           (int)threads, shared),
                   CUDA_OCC_SUCCESS);
  dc_occupancy found = dc_occupancy_of(limits, threads, registers, shared);
  if ((int)found.blocks != result.activeBlocksPerMultiprocessor)
    fail_msg("sm_%u, %u threads, %u registers, %u bytes: %u blocks, CUDA says %d", limits->sm,
             threads, registers, (unsigned)shared, found.blocks,
             result.activeBlocksPerMultiprocessor);
}

static void the_calculator_agrees(void **state) {
  (void)state;
  static const unsigned blocks[] = {1, 32, 33, 64, 96, 128, 192, 256, 320, 512, 768, 1000, 1024};
  static const unsigned shared[] = {0,     1,     127,   1024,  4096,  10000,  16384,
                                    32768, 33000, 49152, 65536, 90000, 101376, 163840};
  dc_sm_limits limits;
  for (unsigned sm = 30; sm < 130; ++sm) {
    if (!dc_sm_limits_find(sm, &limits))
      continue;
    for (unsigned b = 0; b < sizeof blocks / sizeof *blocks; ++b)
      for (unsigned registers = 1; registers <= limits.registers_per_thread; ++registers)
        for (unsigned s = 0; s < sizeof shared / sizeof *shared; ++s)
          if (shared[s] <= limits.shared_per_block)
            check_against_calculator(&limits, blocks[b], registers, shared[s]);
  }
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_limit_binds),
      cmocka_unit_test(what_does_not_fit_is_not_launched),
      cmocka_unit_test(launch_bounds_are_registers),
      cmocka_unit_test(limits_have_names),
      cmocka_unit_test(what_a_gpu_answered_follows),
#ifdef DIVCOST_CUDA_OCCUPANCY
      cmocka_unit_test(the_calculator_agrees),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
