// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates as JSON: for an architecture and a launch, the kernel's figures and those of each loop.
#include "json/json_internal.h"

#include <stdlib.h>

void dc__json_put_dims(dc_json_writer *writer, json_t *object, const char *key,
                       const uint32_t dims[3]) {
  if (!dims[0] && !dims[1] && !dims[2])
    return;
  json_t *row = json_array();
  for (unsigned axis = 0; axis < 3; ++axis)
    dc__json_append(writer, row, json_integer(dims[axis]));
  dc__json_put(writer, object, key, row);
}

void dc__json_put_location(dc_json_writer *writer, json_t *object, const dc_kernel *kernel,
                           uint32_t location) {
  if (location == DC_NONE)
    return;
  const dc_location *at = &kernel->locations[location];
  dc__json_put_text(writer, object, "file", dc_kernel_text(kernel, at->file));
  if (at->line)
    dc__json_put(writer, object, "line", json_integer(at->line));
  if (at->column)
    dc__json_put(writer, object, "column", json_integer(at->column));
  dc__json_put_text(writer, object, "function", dc_kernel_text(kernel, at->function));
}

void dc__json_put_at(dc_json_writer *writer, json_t *object, const char *key,
                     const dc_kernel *kernel, uint32_t location) {
  if (location == DC_NONE || !*dc_kernel_text(kernel, kernel->locations[location].file))
    return;
  json_t *file = dc__json_text(dc_kernel_text(kernel, kernel->locations[location].file));
  dc__json_put(writer, object, key,
               json_sprintf("%s:%u", file ? json_string_value(file) : "",
                            (unsigned)kernel->locations[location].line));
  json_decref(file);
}

// `low` and `high` repeat the aggregate imbalance where it is an interval: it is what a kernel
// loses.
static json_t *imbalance(dc_json_writer *writer, const dc_loop_estimate *figures) {
  json_t *object = json_object();
  dc__json_put_interval(writer, object, "expected", figures->expected);
  dc__json_put_interval(writer, object, "aggregate", figures->aggregate);
  dc__json_put_real(writer, object, "worst", figures->worst);
  if (json_is_object(json_object_get(object, "aggregate"))) {
    dc__json_put_real(writer, object, "low", figures->aggregate.low);
    dc__json_put_real(writer, object, "high", figures->aggregate.high);
  }
  return object;
}

void dc__json_put_figures(dc_json_writer *writer, json_t *object, const dc_loop_estimate *figures) {
  dc__json_put_interval(writer, object, "entries", figures->entries);
  dc__json_put(writer, object, "imbalance", imbalance(writer, figures));
  dc__json_put_interval(writer, object, "efficiency", figures->efficiency);
  dc__json_put_interval(writer, object, "divergent_exits", figures->divergent_exits);
  dc__json_put_interval(writer, object, "stack_depth", figures->stack_depth);
  json_t *cycles = json_object();
  dc__json_put_interval(writer, cycles, "body", figures->body);
  dc__json_put_interval(writer, cycles, "imbalance", figures->imbalance);
  dc__json_put_interval(writer, cycles, "reconvergence", figures->reconvergence);
  dc__json_put(writer, object, "cycles", cycles);
  dc__json_put_interval(writer, object, "share", figures->share);
}

static void put_machine(dc_json_writer *writer, json_t *costs, const dc_machine *machine) {
  if (!machine->known)
    return;
  json_t *object = json_object();
  dc__json_put(writer, object, "device", dc__json_text(machine->device));
  dc__json_put(writer, object, "provenance", dc__json_text(machine->provenance));
  for (unsigned k = 0; k < DC_MACHINE_FIELDS; ++k) {
    const dc_machine_field *field = &dc_machine_fields[k];
    double value = dc_machine_get(machine, k);
    if (field->kind == DC_MACHINE_REAL)
      dc__json_put_real(writer, object, field->name, value);
    else // all digits
      dc__json_put(writer, object, field->name, json_integer((json_int_t)value));
  }
  dc__json_put(writer, costs, "machine", object);
}

// The costs of an architecture file: whoever reads the report has no need of the file.
static void put_costs(dc_json_writer *writer, json_t *object, const dc_arch *arch) {
  json_t *costs = json_object(), *issue = json_object();
  if (arch->has_cycles) {
    dc__json_put_real(writer, costs, "divergent_branch", arch->divergent_branch);
    dc__json_put_real(writer, costs, "divergent_exit", arch->divergent_exit);
    dc__json_put_real(writer, costs, "displaced", arch->displaced);
    dc__json_put_real(writer, costs, "spill", arch->spill);
  }
  if (arch->rules == DC_RULES_STACK) {
    dc__json_put(writer, costs, "entries", json_integer(arch->stack_entries));
    dc__json_put(writer, costs, "chunk", json_integer(arch->spill_entries));
    dc__json_put(writer, costs, "reload", json_string(dc_reload_name(arch->reload)));
  }
  dc__json_put(writer, costs, "predicated", json_integer(arch->predicated));
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    dc__json_put_real(writer, issue, dc_mix_name((dc_mix)mix), arch->issue[mix]);
  dc__json_put(writer, costs, "issue", issue);
  put_machine(writer, costs, &arch->machine);
  dc__json_put(writer, object, "costs", costs);
}

// Where the costs come from, if the architecture is known here.
static void put_provenance(dc_json_writer *writer, json_t *object, const dc_estimate *estimate) {
  dc_arch arch;
  if (!dc_estimate_arch(estimate, &arch))
    return;
  dc__json_put(writer, object, "rules", json_string(dc_rules_name(arch.rules)));
  json_t *provenance = json_object();
  dc__json_put_text(writer, provenance, "reconvergence", arch.provenance);
  dc__json_put_text(writer, provenance, "issue", arch.issue_provenance);
  dc__json_put(writer, object, "provenance", provenance);
  if (arch.of_file)
    put_costs(writer, object, &arch);
}

// Those at which some lanes idle.
static json_t *idle_branches(dc_json_writer *writer, const dc_estimate *estimate) {
  json_t *branches = json_array();
  for (uint32_t k = 0; k < estimate->n_branches; ++k) {
    if (estimate->branches[k].idle.high <= 0)
      continue;
    json_t *figures = json_object();
    dc__json_put(writer, figures, "index", json_integer(k));
    dc__json_put(writer, figures, "from", json_string(dc_from_name(estimate->branches[k].from)));
    dc__json_put_interval(writer, figures, "idle", estimate->branches[k].idle);
    dc__json_append(writer, branches, figures);
  }
  return branches;
}

void dc__json_put_access(dc_json_writer *writer, json_t *object, const dc_access *access,
                         const dc_access_estimate *figures) {
  bool sectors = access->space != DC_SPACE_SHARED && access->space != DC_SPACE_CONSTANT;
  dc__json_put(writer, object, "class",
               json_string(dc_access_class_name((dc_access_class)figures->access_class)));
  if (figures->stride)
    dc__json_put(writer, object, "stride", dc__json_int64(figures->stride));
  dc__json_put(writer, object, "from", json_string(dc_from_name((dc_from)figures->from)));
  dc__json_put_real(writer, object, "requests", figures->requests);
  dc__json_put_real(writer, object, "lanes", figures->lanes);
  dc__json_put_interval(writer, object, sectors ? "sectors" : "conflicts", figures->taken);
  dc__json_put_interval(writer, object, "ideal", figures->ideal);
}

// Those that some lane comes to.
static json_t *accesses(dc_json_writer *writer, const dc_kernel *kernel,
                        const dc_estimate *estimate) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < estimate->n_accesses; ++k) {
    if (!(estimate->accesses[k].requests > 0))
      continue;
    json_t *figures = json_object();
    dc__json_put(writer, figures, "index", json_integer(k));
    dc__json_put_access(writer, figures, &kernel->accesses[k], &estimate->accesses[k]);
    dc__json_append(writer, list, figures);
  }
  return list;
}

static json_t *limits(dc_json_writer *writer, unsigned of) {
  json_t *list = json_array();
  for (unsigned k = 0; k < DC_OCCUPANCY_LIMITS; ++k)
    if (of >> k & 1)
      dc__json_append(writer, list,
                      json_string(dc_occupancy_limit_name((dc_occupancy_limit)(1u << k))));
  return list;
}

static json_t *bounds(dc_json_writer *writer, const dc_time_estimate *of) {
  json_t *object = json_object();
  for (unsigned k = 0; k < DC_BOUND_COUNT; ++k)
    dc__json_put_share(writer, object, dc_bound_name((dc_bound)k), of->bounds[k]);
  return object;
}

const char *dc__json_loss(dc_time_loss loss) {
  static const char *const keys[DC_LOSS_COUNT] = {"lost", "coalescing", "occupancy", "tail"};
  return keys[loss];
}

static void put_saving(dc_json_writer *writer, json_t *object, const char *key, dc_time_saving of) {
  if (of.high < -1)
    return;
  json_t *saving = json_object();
  dc__json_put_share(writer, saving, "low", of.low);
  dc__json_put_share(writer, saving, "high", of.high);
  dc__json_put(writer, object, key, saving);
}

static json_t *parts(dc_json_writer *writer, const dc_time_estimate *of) {
  json_t *list = json_array();
  for (uint32_t k = 0; k < of->n_parts; ++k) {
    const dc_time_part *part = &of->parts[k];
    bool loop = part->loop != DC_NONE;
    json_t *object = json_object();
    dc__json_put(writer, object, loop ? "loop" : "branch",
                 json_integer(loop ? part->loop : part->branch));
    put_saving(writer, object, "lost", part->lost);
    dc__json_append(writer, list, object);
  }
  return list;
}

static json_t *time_of_launch(dc_json_writer *writer, const dc_time_estimate *of) {
  json_t *object = json_object();
  if (!of->known) {
    dc__json_put(writer, object, "unknown",
                 json_string(dc_time_unknown_name((dc_time_unknown)of->unknown)));
    return object;
  }
  dc__json_put_interval(writer, object, "seconds", of->seconds);
  dc__json_put_interval(writer, object, "alike", of->alike);
  dc__json_put_interval(writer, object, "longest", of->longest);
  for (unsigned loss = 0; loss < DC_LOSS_COUNT; ++loss)
    put_saving(writer, object, dc__json_loss((dc_time_loss)loss), of->lost[loss]);
  dc__json_put(writer, object, "parts", parts(writer, of));
  dc__json_put(writer, object, "bound", json_string(dc_bound_name((dc_bound)of->bound)));
  dc__json_put(writer, object, "bounds", bounds(writer, of));
  dc__json_put(writer, object, "assumed_l2", json_boolean(of->assumed_l2));
  dc__json_put(writer, object, "assumed_extents", json_boolean(of->assumed_extents));
  return object;
}

static json_t *occupancy(dc_json_writer *writer, const dc_occupancy_estimate *of) {
  json_t *object = json_object();
  dc__json_put_interval(writer, object, "blocks", (dc_interval){of->low.blocks, of->high.blocks});
  dc__json_put_interval(writer, object, "warps", (dc_interval){of->low.warps, of->high.warps});
  dc__json_put(writer, object, "warps_most", json_integer(of->warps_most));
  dc__json_put_interval(writer, object, "share", dc_occupancy_share(of));
  dc__json_put_interval(writer, object, "registers",
                        (dc_interval){of->registers_low, of->registers_high});
  const char *from = dc_registers_from_name((dc_registers_from)of->registers_from);
  dc__json_put(writer, object, "registers_from", json_string(from));
  dc__json_put(writer, object, "limits", limits(writer, of->low.limits));
  if (of->high.blocks != of->low.blocks || of->high.limits != of->low.limits)
    dc__json_put(writer, object, "limits_high", limits(writer, of->high.limits));
  return object;
}

json_t *dc__json_estimate(dc_json_writer *writer, const dc_kernel *kernel,
                          const dc_estimate *estimate) {
  json_t *object = json_object(), *cycles = json_object(), *loops = json_array();
  char name[24];
  snprintf(name, sizeof name, "sm_%u", estimate->sm);
  dc__json_put(writer, object, "arch", json_string(name));
  put_provenance(writer, object, estimate);
  dc__json_put_dims(writer, object, "block", estimate->launch.block);
  dc__json_put_dims(writer, object, "grid", estimate->launch.grid);
  dc__json_put(writer, object, "block_from",
               json_string(dc_block_from_name(estimate->launch.from)));
  dc__json_put_at(writer, object, "block_at", kernel, estimate->launch.location);
  if (estimate->launch.location != DC_NONE)
    dc__json_put(writer, object, "location", json_integer(estimate->launch.location));
  if (estimate->launch.shared_known)
    dc__json_put(writer, object, "shared", json_integer(estimate->launch.shared));
  dc__json_put_interval(writer, cycles, "total", estimate->cycles);
  dc__json_put_interval(writer, cycles, "imbalance", estimate->imbalance);
  dc__json_put_interval(writer, cycles, "reconvergence", estimate->reconvergence);
  dc__json_put(writer, object, "cycles", cycles);
  dc__json_put_interval(writer, object, "share", estimate->share);
  dc__json_put_interval(writer, object, "instructions", estimate->instructions);
  dc__json_put_interval(writer, object, "efficiency", estimate->efficiency);
  dc__json_put_interval(writer, object, "expected_efficiency", estimate->expected_efficiency);
  dc__json_put_interval(writer, object, "certain_efficiency", estimate->certain_efficiency);
  dc__json_put_interval(writer, object, "divergent_branches", estimate->divergent_branches);
  if (estimate->occupancy.known)
    dc__json_put(writer, object, "occupancy", occupancy(writer, &estimate->occupancy));
  dc__json_put(writer, object, "time", time_of_launch(writer, &estimate->time));
  if (estimate->emulated)
    dc__json_put(writer, object, "emulated", json_true());
  if (estimate->sampled)
    dc__json_put(writer, object, "sampled", json_true());
  for (uint32_t k = 0; k < estimate->n_loops; ++k) {
    json_t *figures = json_object();
    dc__json_put(writer, figures, "from", json_string(dc_from_name(estimate->loops[k].from)));
    dc__json_put_interval(writer, figures, "mean_trips", estimate->loops[k].mean_trips);
    dc__json_put_figures(writer, figures, &estimate->loops[k]);
    dc__json_append(writer, loops, figures);
  }
  dc__json_put(writer, object, "loops", loops);
  dc__json_put(writer, object, "branches", idle_branches(writer, estimate));
  if (estimate->n_accesses)
    dc__json_put(writer, object, "accesses", accesses(writer, kernel, estimate));
  return object;
}
