// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a machine should take for a test, by its numbers: one warp waits for latencies, many wait
// for what all of them ask for together. The larger of the two.
#include "machine_plan.h"

#include <math.h>
#include <string.h>

// Of an SM, for a sector: where some SMs ask, what they have together is shared, and none gets more
// than alone.
static double shared_rate(const dc_machine *machine, unsigned sms, double alone, double all) {
  return fmax(alone, all * sms / machine->sms);
}

// The share of such a walk that L2 doesn't have: all, of more than 8 times of what it holds.
static double missed(const dc_machine *m, uint64_t bytes) {
  return bytes >= 8 * m->l2_bytes ? 1 : fmax(1 - (double)m->l2_bytes / (double)bytes, 0);
}

// Between near and far, it is both.
static double l2_latency(const dc_machine *m, uint64_t bytes) {
  double far =
      log2((double)bytes / (double)MACHINE_NEAR) / log2((double)MACHINE_FAR / (double)MACHINE_NEAR);
  return m->l2 + (m->l2_far - m->l2) * fmin(fmax(far, 0), 1);
}

// A walk of `chains` at a time for n places, of `sectors` each.
static double walk(const dc_machine *m, const machine_case *item, double chains, double sectors) {
  double miss = missed(m, item->bytes), asked = chains * item->n, doublings = log2(asked);
  double l2 = sectors > 1 ? m->l2_line_sector : m->l2_sector;
  double dram = sectors > 1 ? m->dram_line_sector : m->dram_sector;
  double latency = (1 - miss) * (l2_latency(m, item->bytes) + m->l2_more * doublings) +
                   miss * (m->dram + m->dram_more * doublings);
  double rate = (1 - miss) * shared_rate(m, item->sms, fmin(m->l2_sector_alone, l2), l2) +
                miss * shared_rate(m, item->sms, fmin(m->dram_sector_alone, dram), dram);
  return fmax(latency + MACHINE_ADDRESS, item->warps * asked * sectors * rate);
}

// n groups of lanes write words side by side, each group in a unit of its own. What of a sector
// isn't written is read before the sector goes to DRAM.
static double writes(const dc_machine *m, const machine_case *item) {
  bool lines = item->n == 1, parts = item->n > 4;
  double sectors = lines ? 4 : item->n, miss = missed(m, item->bytes);
  double dram = lines ? m->dram_write_line_sector : m->dram_write_sector;
  double rate = fmax(lines ? m->l2_write_line_sector : m->l2_write_sector,
                     miss * (dram + (parts ? m->dram_sector : 0)));
  return item->sms == m->sms ? item->warps * sectors * rate : -1;
}

static double atomics(const dc_machine *m, const machine_case *item, bool waits) {
  double requests = item->warps * item->n, latency = waits ? m->atomic + MACHINE_ADDRESS : 0;
  if (item->lane_stride == 0)
    return fmax(latency, requests * item->sms * m->same_address);
  if (item->lane_stride < 32) // words side by side: not a number of the machine
    return -1;
  if (item->sms < m->sms)
    return waits && item->warps == 1 && item->n == 1 ? latency : -1;
  return fmax(latency, requests * (waits ? m->atomic_sector : m->reduce_sector));
}

// Where warps only wait for themselves.
static double alone(const machine_case *item, double cycles) {
  return item->warps == 1 ? cycles : -1;
}

static bool is(const machine_case *item, const char *kernel) {
  return strcmp(item->kernel, kernel) == 0;
}

static double predict_memory(const dc_machine *m, const machine_case *item) {
  if (is(item, "gather_ca"))
    return item->bytes > m->l1_bytes ? -1
                                     : fmax(m->l1 + MACHINE_ADDRESS + m->l1_more * log2(item->n),
                                            item->warps * (m->l1_request + item->n * m->l1_line));
  if (is(item, "gather_cg"))
    return walk(m, item, 1, 1);
  if (is(item, "gather4_cg"))
    return walk(m, item, 4, 1);
  if (is(item, "lines_cg"))
    return walk(m, item, 1, 4);
  if (is(item, "stream_read"))
    return item->sms == m->sms ? item->warps * 64 * m->dram_line_sector : -1;
  if (is(item, "stream_write"))
    return item->sms == m->sms ? item->warps * 64 * m->dram_write_line_sector : -1;
  if (is(item, "scatter_write"))
    return writes(m, item);
  if (is(item, "shared_load"))
    return fmax(m->shared + (item->n - 1) * m->shared_more,
                item->warps * item->n * m->shared_wavefront);
  if (is(item, "shared_add"))
    return item->n == 1 ? alone(item, m->shared_atomic) : -1;
  if (is(item, "atomic_add") || is(item, "atomic_cas"))
    return atomics(m, item, true);
  return is(item, "atomic_red") ? atomics(m, item, false) : -1;
}

double machine_predict(const dc_machine *machine, const machine_case *item) {
  double slots = item->warps * machine->issue / machine->schedulers;
  if (is(item, "chain_add") || is(item, "chain_fp32") || is(item, "chain_multiply"))
    return alone(item, machine->alu);
  if (is(item, "mix"))
    return item->warps >= 8 * machine->schedulers ? slots * MACHINE_MIX : -1;
  if (is(item, "chain_shuffle"))
    return alone(item, machine->shuffle);
  if (is(item, "chain_barrier"))
    return alone(item, machine->barrier);
  if (strncmp(item->kernel, "loop_", 5) == 0)
    return alone(item, item->n * machine->alu + machine->branch);
  return predict_memory(machine, item);
}
