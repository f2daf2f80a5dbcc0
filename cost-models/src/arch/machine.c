// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The machines of compute capabilities that nobody measured here: what a maker publishes of one GPU
// of each, and otherwise what was measured on the nearest one. Cycles of latencies have changed
// little from one generation to the next; multiprocessors, clocks, caches and bandwidth differ from
// product to product, and are published.
#include "arch/arch_internal.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#define KIB 1024u
#define MIB (1024u * KIB)

// One product of each, by the whitepaper of its architecture or the product's data sheet. The sizes
// of L1 are those that the CUDA tuning guides have for L1 and shared memory together, but for
// Turing, of whose 96 KiB L1 gets 64 at most. Bandwidth is what the memory's clock and width give.
typedef struct product {
  unsigned sm;
  const char *device, *source;
  unsigned sms;
  double clock;                // Hz, boost
  double bandwidth;            // bytes a second
  unsigned l1_bytes, l2_bytes; // l2_bytes: all of L2
} product;

static const product products[] = {
    // NVIDIA Tesla V100 GPU Architecture: SMs, boost clock, 6144 KB of L2, 128 KB, 900 GB/s.
    {70, "NVIDIA V100 SXM2", "Volta whitepaper", 80, 1.53e9, 900e9, 128 * KIB, 6 * MIB},
    // NVIDIA Turing GPU Architecture, its table of the T4; the driver says the same of SMs, clock,
    // L2 and memory (256 bits at 5001 MHz).
    {75, "NVIDIA T4", "Turing whitepaper", 40, 1.59e9, 320e9, 64 * KIB, 4 * MIB},
    // NVIDIA A100 Tensor Core GPU Architecture. The 80 GB product has 2039 GB/s.
    {80, "NVIDIA A100 SXM4 40 GB", "A100 whitepaper", 108, 1.41e9, 1555e9, 192 * KIB, 40 * MIB},
    // NVIDIA Ampere GA102 GPU Architecture.
    {86, "NVIDIA RTX 3090", "GA102 whitepaper", 82, 1.695e9, 936e9, 128 * KIB, 6 * MIB},
    // NVIDIA Ada GPU Architecture; the driver says the same of SMs, clock, L2 and memory.
    {89, "NVIDIA RTX 4090", "Ada whitepaper", 128, 2.52e9, 1008e9, 128 * KIB, 72 * MIB},
    // What was measured is its share of L2. The size is what its driver says: 12 memory controllers
    // of 5 MB (bench/results/h200/machine.tsv, l2_bytes). The 50 MB that the whitepaper has are
    // the H100's, which has 10; no page of NVIDIA's was found that has the H200's.
    {90, "NVIDIA H200", "H200 data sheet", 132, 1.98e9, 4800e9, 256 * KIB, 60 * MIB},
    // NVIDIA Blackwell data sheet (8 TB/s; 7.67 by the driver's 7680 bits at 3996 MHz), Blackwell
    // Tuning Guide (L1, L2); SMs as drivers say, and the clock is not from a page of NVIDIA's.
    {100, "NVIDIA B200", "Blackwell data sheet", 148, 1.965e9, 8e12, 256 * KIB, 126 * MIB},
    // NVIDIA RTX Blackwell GPU Architecture; the driver says the same of SMs, L2 and memory.
    {120, "NVIDIA RTX 5090", "RTX Blackwell whitepaper", 170, 2.407e9, 1792e9, 128 * KIB, 96 * MIB},
};

static const product *product_of(unsigned sm) {
  for (size_t k = 0; k < sizeof products / sizeof *products; ++k)
    if (products[k].sm == sm)
      return &products[k];
  return NULL;
}

// The nearest measured machine, or NULL; sm: whose it is.
static const dc_machine *measured_near(unsigned asked, unsigned *sm) {
  const dc_machine *nearest = NULL;
  unsigned best = UINT_MAX;
  for (unsigned k = 0; k < dc__arch_table_count; ++k)
    for (unsigned j = 0; dc__arch_table[k].machine.known && j < dc__arch_table[k].n_sm; ++j) {
      unsigned theirs = dc__arch_table[k].sm[j];
      unsigned distance = asked > theirs ? asked - theirs : theirs - asked;
      if (distance >= best)
        continue;
      nearest = &dc__arch_table[k].machine;
      best = distance;
      *sm = theirs;
    }
  return nearest;
}

// Single sectors take as much more than whole lines as they do where both were measured.
static void put_bandwidth(dc_machine *machine, double bandwidth) {
  double line = 32 * machine->sms * machine->clock / bandwidth;
  double scale = line / machine->dram_line_sector;
  machine->dram_sector *= scale;
  machine->dram_write_sector *= scale;
  machine->dram_write_line_sector *= scale;
  machine->dram_line_sector = line;
}

// What L2 holds of scattered reads, as a share of its size, is as it was measured.
static void put_l2(dc_machine *machine, unsigned bytes, const product *measured) {
  double share = measured ? (double)machine->l2_bytes / measured->l2_bytes : 1;
  machine->l2_bytes = (uint64_t)(share * bytes);
}

void dc__machine_of(unsigned sm, dc_machine *machine) {
  unsigned theirs = 0;
  const dc_machine *near = measured_near(sm, &theirs);
  memset(machine, 0, sizeof *machine);
  if (near && theirs == sm) {
    *machine = *near;
    return;
  }
  const product *p = product_of(sm);
  if (!near || !p)
    return;
  *machine = *near;
  snprintf(machine->device, sizeof machine->device, "%s", p->device);
  snprintf(machine->provenance, sizeof machine->provenance,
           "published (NVIDIA's %s), latencies and what L2 holds of its size assumed from sm_%u",
           p->source, theirs);
  machine->sms = p->sms;
  machine->clock = p->clock;
  machine->l1_bytes = p->l1_bytes;
  put_l2(machine, p->l2_bytes, product_of(theirs));
  put_bandwidth(machine, p->bandwidth);
}
