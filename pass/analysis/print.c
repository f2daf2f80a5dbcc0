// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The printed form of verdicts; see print.h.
#include "analysis/print.h"

#include <inttypes.h>

#define EXPRESSION_SIZE 1024

static void print_place(const dc_kernel *kernel, uint32_t location, FILE *stream) {
  if (location == DC_NONE || !kernel->locations[location].line)
    fputs(" -", stream);
  else
    fprintf(stream, " %" PRIu32 ":%" PRIu32, kernel->locations[location].line,
            kernel->locations[location].column);
}

static void print_expression(const dc_kernel *kernel, dc_expr e, FILE *stream) {
  char text[EXPRESSION_SIZE] = "-";
  if (e != DC_NO_EXPR)
    dc_kernel_print_expr(kernel, e, text, sizeof text);
  fprintf(stream, " %s", text);
}

static void print_loop(const dc_kernel *kernel, const dc_loop *loop, FILE *stream) {
  fputs("  loop", stream);
  print_place(kernel, loop->location, stream);
  fprintf(stream, " depth %" PRIu32 " class %s trips", loop->depth,
          dc_class_name((dc_class)loop->loop_class));
  print_expression(kernel, loop->trips, stream);
  if (loop->distribution)
    fprintf(stream, " %s %s", dc_from_name((dc_from)loop->trips_from),
            dc_kernel_text(kernel, loop->distribution));
  if (loop->correlation > 0)
    fprintf(stream, ", per_warp_correlated(%.9g)", loop->correlation);
  if (loop->ignored)
    fprintf(stream, " ignored (%s)", dc_kernel_text(kernel, loop->ignored));
  for (uint32_t e = 0; e < loop->n_exits; ++e)
    fprintf(stream, " exit %s",
            dc_uniformity_name((dc_uniformity)kernel->exits[loop->first_exit + e].level));
  if (loop->irreducible)
    fputs(" irreducible", stream);
  if (loop->condition)
    fprintf(stream, " condition (%s)", dc_kernel_text(kernel, loop->condition));
  if (loop->unknown)
    fprintf(stream, " unknown (%s)", dc_kernel_text(kernel, loop->unknown));
  fputc('\n', stream);
  for (uint32_t r = 0; r < loop->n_reasons; ++r) {
    const dc_reason *reason = &kernel->reasons[loop->first_reason + r];
    fputs("    reason", stream);
    print_place(kernel, reason->location, stream);
    fprintf(stream, " %s\n", dc_kernel_text(kernel, reason->text));
  }
}

static void print_kernel(const dc_unit_kernel *unit_kernel, FILE *stream) {
  const dc_kernel *kernel = &unit_kernel->kernel;
  fprintf(stream, "kernel %s", dc_kernel_text(kernel, kernel->name));
  for (uint32_t l = 0; l < kernel->n_launches; ++l) {
    const dc_launch *launch = &kernel->launches[l];
    fprintf(stream, " block %" PRIu32 "x%" PRIu32 "x%" PRIu32 " (%s)", launch->block[0],
            launch->block[1], launch->block[2], dc_block_from_name((dc_block_from)launch->from));
  }
  fputc('\n', stream);
  for (uint32_t l = 0; l < kernel->n_loops; ++l)
    print_loop(kernel, &kernel->loops[l], stream);
  for (uint32_t b = 0; b < kernel->n_branches; ++b) {
    const dc_branch *branch = &kernel->branches[b];
    if (branch->exits != DC_NONE)
      continue;
    fputs("  branch", stream);
    print_place(kernel, branch->location, stream);
    fprintf(stream, " %s", dc_uniformity_name((dc_uniformity)branch->level));
    print_expression(kernel, branch->condition, stream);
    fputc('\n', stream);
  }
  for (uint32_t b = 0; b < kernel->n_barriers; ++b) {
    const dc_barrier *barrier = &kernel->barriers[b];
    fprintf(stream, "  %s", barrier->warp ? "warp barrier" : "barrier");
    print_place(kernel, barrier->location, stream);
    fprintf(stream, " %s", dc_uniformity_name((dc_uniformity)barrier->level));
    if (barrier->left > DC_UNIFORM)
      fprintf(stream, " left %s", dc_uniformity_name((dc_uniformity)barrier->left));
    fputc('\n', stream);
  }
  for (uint32_t f = 0; f < unit_kernel->n_findings; ++f) {
    const dc_finding *finding = &unit_kernel->findings[f];
    fprintf(stream, "  %s", dc_rule_name(finding->rule));
    print_place(kernel, finding->location, stream);
    fprintf(stream, " %s\n", finding->message);
  }
}

void dcp_print_unit(const dc_unit *unit, FILE *stream) {
  for (uint32_t k = 0; k < unit->n_kernels; ++k)
    print_kernel(&unit->kernels[k], stream);
}
