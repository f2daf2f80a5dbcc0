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

// One product of each: the whitepaper of its architecture or the product's data sheet, and for the
// sizes of L1 the tuning guide. Bandwidth is what the memory's clock and width give.
typedef struct product {
  unsigned sm;
  const char *device, *source;
  unsigned sms;
  double clock;     // Hz, boost
  double bandwidth; // bytes a second
  unsigned l1_bytes, l2_bytes;
} product;

static const product products[] = {
    {70, "NVIDIA V100 SXM2", "Volta whitepaper", 80, 1.53e9, 900e9, 128 * KIB, 6 * MIB},
    {75, "NVIDIA T4", "Turing whitepaper", 40, 1.59e9, 320e9, 64 * KIB, 4 * MIB},
    {80, "NVIDIA A100 SXM4 40 GB", "A100 whitepaper", 108, 1.41e9, 1555e9, 192 * KIB, 40 * MIB},
    {86, "NVIDIA RTX 3090", "GA102 whitepaper", 82, 1.695e9, 936e9, 128 * KIB, 6 * MIB},
    {89, "NVIDIA RTX 4090", "Ada whitepaper", 128, 2.52e9, 1008e9, 128 * KIB, 72 * MIB},
    {100, "NVIDIA B200", "Blackwell data sheet", 148, 1.965e9, 8e12, 256 * KIB, 126 * MIB},
    {120, "NVIDIA RTX 5090", "RTX Blackwell whitepaper", 170, 2.407e9, 1792e9, 128 * KIB, 96 * MIB},
};

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
  machine->dram_sector *= line / machine->dram_line_sector;
  machine->dram_line_sector = line;
}

void dc__machine_of(unsigned sm, dc_machine *machine) {
  unsigned theirs = 0;
  const dc_machine *near = measured_near(sm, &theirs);
  memset(machine, 0, sizeof *machine);
  if (near && theirs == sm) {
    *machine = *near;
    return;
  }
  for (size_t k = 0; near && k < sizeof products / sizeof *products; ++k) {
    const product *p = &products[k];
    if (p->sm != sm)
      continue;
    *machine = *near;
    snprintf(machine->device, sizeof machine->device, "%s", p->device);
    snprintf(machine->provenance, sizeof machine->provenance,
             "published (NVIDIA's %s), latencies assumed from sm_%u", p->source, theirs);
    machine->sms = p->sms;
    machine->clock = p->clock;
    machine->l1_bytes = p->l1_bytes;
    machine->l2_bytes = p->l2_bytes;
    put_bandwidth(machine, p->bandwidth);
  }
}
