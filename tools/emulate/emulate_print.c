// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The figures of an emulation, for people and as JSON (docs/emulator.md names the members).
#include "emulate/emulate.h"

#include <inttypes.h>
#include <jansson.h>

static double efficiency(const emulation *run, const dc_emulated *at) {
  double full = run->options.lanes > 32 ? 64 : 32;
  return at->executions ? (double)at->lane_executions / ((double)at->executions * full) : 0;
}

static void write_figures(const emulation *run, FILE *stream) {
  const dc_emulation *t = &run->total;
  fprintf(stream, "%s, sm_%u (%s), ", run->kernel ? run->kernel : run->path, run->arch.sm,
          dc_rules_name(run->arch.rules));
  if (run->n_warps == 1)
    fprintf(stream, "warp %u\n", (unsigned)run->first_warp);
  else
    fprintf(stream, "warps %u to %u, added up\n", (unsigned)run->first_warp,
            (unsigned)(run->first_warp + run->n_warps - 1));
  if (run->arch.rules == DC_RULES_STACK)
    fprintf(stream,
            "  stack         %" PRIu64 " pushes, %" PRIu64 " pops, greatest depth %u, %" PRIu64
            " spills, %" PRIu64 " reloads (%s)\n",
            t->pushes, t->pops, (unsigned)t->max_depth, t->spills, t->reloads,
            dc_reload_name(run->arch.reload));
  if (run->arch.rules == DC_RULES_BARRIERS)
    fprintf(stream,
            "  barriers      %" PRIu64 " made, %" PRIu64
            " completed, at most %u around a lane, %" PRIu64 " waits\n",
            t->pushes, t->pops, (unsigned)t->max_depth, t->waits);
  fprintf(stream,
          "  divergence    %" PRIu64 " divergent branches, %" PRIu64 " of them exits of loops\n"
          "  instructions  %" PRIu64 ", by lanes %" PRIu64 ": SIMT efficiency %.4f\n",
          t->divergent_branches, t->divergent_exits, t->instructions, t->lane_instructions,
          t->efficiency);
  if (run->arch.has_cycles)
    fprintf(stream, "  cycles        %g: %g of instructions, %g of managing divergence; %s\n",
            t->cycles, t->issue, t->reconvergence, run->arch.provenance);
  else
    fprintf(stream, "  cycles        not known: %s\n", run->arch.provenance);
  if (t->uses_assumed)
    fprintf(stream, "  from assumed values, see divcost emulate --help\n");
}

static void write_table(const emulation *run, FILE *stream) {
  char text[60];
  fprintf(stream, "\n%6s %12s %14s %10s %10s\n", "pc", "executed", "by lanes", "efficiency",
          "divergent");
  for (uint32_t pc = 0; pc < run->program.length; ++pc) {
    const dc_emulated *at = &run->at[pc];
    dc_program_print(&run->program, pc, text, sizeof text);
    if (at->executions)
      fprintf(stream, "%6u %12" PRIu64 " %14" PRIu64 " %10.4f %10" PRIu64 "  %s\n", (unsigned)pc,
              at->executions, at->lane_executions, efficiency(run, at), at->divergent, text);
  }
}

static void write_arrays(const emulation *run, FILE *stream) {
  for (uint32_t k = 0; k < run->program.n_arrays; ++k) {
    const dc_program_array *array = &run->program.arrays[k];
    fprintf(stream, "\n%s =", array->name);
    for (uint32_t j = 0; j < array->count; ++j)
      fprintf(stream, " %d", (int)run->words[array->first + j]);
    fprintf(stream, "\n");
  }
}

void emulate_write_text(const emulation *run, const dc_depth_history *history, FILE *stream) {
  write_figures(run, stream);
  write_table(run, stream);
  if (run->n_warps == 1)
    depth_write_text(history, &run->arch, stream);
  write_arrays(run, stream);
}

// ---- JSON ---------------------------------------------------------------------------------------

static json_t *integer(uint64_t value) { return json_integer((json_int_t)value); }

static json_t *places(const emulation *run) {
  json_t *list = json_array();
  char text[200];
  for (uint32_t pc = 0; pc < run->program.length; ++pc) {
    const dc_emulated *at = &run->at[pc];
    if (!at->executions)
      continue;
    dc_program_print(&run->program, pc, text, sizeof text);
    json_t *place = json_object();
    json_object_set_new(place, "pc", integer(pc));
    json_object_set_new(place, "text", json_string(text));
    json_object_set_new(place, "executions", integer(at->executions));
    json_object_set_new(place, "lane_executions", integer(at->lane_executions));
    json_object_set_new(place, "divergent", integer(at->divergent));
    json_object_set_new(place, "efficiency", json_real(efficiency(run, at)));
    json_array_append_new(list, place);
  }
  return list;
}

static json_t *arrays(const emulation *run) {
  json_t *all = json_object();
  for (uint32_t k = 0; k < run->program.n_arrays; ++k) {
    const dc_program_array *array = &run->program.arrays[k];
    json_t *list = json_array();
    for (uint32_t j = 0; j < array->count; ++j)
      json_array_append_new(list, json_integer(run->words[array->first + j]));
    json_object_set_new(all, array->name, list);
  }
  return all;
}

static void set_stack(json_t *root, const emulation *run) {
  const dc_emulation *t = &run->total;
  json_object_set_new(root, "pushes", integer(t->pushes));
  json_object_set_new(root, "pops", integer(t->pops));
  json_object_set_new(root, "max_depth", integer(t->max_depth));
  json_object_set_new(root, "spills", integer(t->spills));
  json_object_set_new(root, "reloads", integer(t->reloads));
  json_object_set_new(root, "waits", integer(t->waits));
}

bool emulate_write_json(const emulation *run, FILE *stream) {
  const dc_emulation *t = &run->total;
  char name[16];
  snprintf(name, sizeof name, "sm_%u", run->arch.sm);
  json_t *root = json_object();
  json_object_set_new(root, "file", json_string(run->path));
  if (run->kernel)
    json_object_set_new(root, "kernel", json_string(run->kernel));
  json_object_set_new(root, "arch", json_string(name));
  json_object_set_new(root, "rules", json_string(dc_rules_name(run->arch.rules)));
  json_object_set_new(root, "provenance", json_string(run->arch.provenance));
  json_object_set_new(root, "warps", integer(run->n_warps));
  set_stack(root, run);
  json_object_set_new(root, "divergent_branches", integer(t->divergent_branches));
  json_object_set_new(root, "divergent_exits", integer(t->divergent_exits));
  json_object_set_new(root, "instructions", integer(t->instructions));
  json_object_set_new(root, "lane_instructions", integer(t->lane_instructions));
  json_object_set_new(root, "efficiency", json_real(t->efficiency));
  if (run->arch.has_cycles) {
    json_object_set_new(root, "cycles", json_real(t->cycles));
    json_object_set_new(root, "issue", json_real(t->issue));
    json_object_set_new(root, "reconvergence", json_real(t->reconvergence));
  }
  json_object_set_new(root, "rests_on_assumed", json_boolean(t->uses_assumed));
  json_object_set_new(root, "places", places(run));
  if (run->program.n_arrays)
    json_object_set_new(root, "arrays", arrays(run));
  bool done = json_dumpf(root, stream, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0 &&
              fputc('\n', stream) != EOF;
  json_decref(root);
  return done;
}
