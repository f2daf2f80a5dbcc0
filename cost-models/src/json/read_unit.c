// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit out of JSON. Read are version, path, architectures, and for each kernel its skeleton,
// estimates, findings and measurements; all else in a file follows from these and isn't looked at.
#include "json/json_internal.h"

#include "divcost/files.h"
#include "divcost/input.h"

#include <stdlib.h>
#include <string.h>

static void *zeroed(dc_json_reader *reader, size_t count, size_t size) {
  void *array = calloc(count + 1, size);
  if (!array && reader->status == DC_OK)
    reader->status =
        dc_fail(reader->error, DC_ERROR_MEMORY, "out of memory for %zu elements", count);
  return array;
}

static char *read_copy(dc_json_reader *reader, const dc_json_place *place) {
  const char *text = dc__json_string(reader, place, DC_JSON_REQUIRED);
  char *copy = zeroed(reader, strlen(text), 1);
  return copy ? strcpy(copy, text) : NULL;
}

static dc_interval interval_of(dc_json_reader *reader, const dc_json_place *object,
                               const char *name) {
  dc_json_place place = dc__json_member(object, name);
  return dc__json_read_interval(reader, &place);
}

// An object, for its members; may be absent, as all its members may.
static dc_json_place group_of(dc_json_reader *reader, const dc_json_place *object,
                              const char *name) {
  dc_json_place place = dc__json_member(object, name);
  if (place.value)
    dc__json_is_object(reader, &place);
  return place;
}

static void read_figures(dc_json_reader *reader, const dc_json_place *object,
                         dc_loop_estimate *loop) {
  if (!dc__json_is_object(reader, object))
    return;
  dc_json_place from = dc__json_member(object, "from");
  dc_json_place imbalance = group_of(reader, object, "imbalance");
  dc_json_place cycles = group_of(reader, object, "cycles");
  dc_json_place worst = dc__json_member(&imbalance, "worst");
  *loop = (dc_loop_estimate){.from = dc__json_enum(reader, &from, dc_from_parse),
                             .entries = interval_of(reader, object, "entries"),
                             .mean_trips = interval_of(reader, object, "mean_trips"),
                             .expected = interval_of(reader, &imbalance, "expected"),
                             .aggregate = interval_of(reader, &imbalance, "aggregate"),
                             .worst = dc__json_read_real(reader, &worst),
                             .efficiency = interval_of(reader, object, "efficiency"),
                             .divergent_exits = interval_of(reader, object, "divergent_exits"),
                             .stack_depth = interval_of(reader, object, "stack_depth"),
                             .body = interval_of(reader, &cycles, "body"),
                             .imbalance = interval_of(reader, &cycles, "imbalance"),
                             .reconvergence = interval_of(reader, &cycles, "reconvergence"),
                             .share = interval_of(reader, object, "share")};
}

static double read_cycles(dc_json_reader *reader, const dc_json_place *object, const char *name) {
  dc_json_place place = dc__json_member(object, name);
  return dc__json_read_cycles(reader, &place);
}

static unsigned read_number(dc_json_reader *reader, const dc_json_place *object, const char *name,
                            unsigned least, unsigned most) {
  dc_json_place place = dc__json_member(object, name);
  return (unsigned)dc__json_integer(reader, &place, least, most, DC_JSON_REQUIRED);
}

static void read_text(dc_json_reader *reader, const dc_json_place *object, const char *name,
                      char text[128]) {
  dc_json_place place = dc__json_member(object, name);
  snprintf(text, 128, "%s", dc__json_string(reader, &place, DC_JSON_REQUIRED));
}

// Reports of before have no machine with the costs of a file.
static void read_machine(dc_json_reader *reader, const dc_json_place *object, dc_machine *machine) {
  if (!object->value || !dc__json_is_object(reader, object))
    return;
  dc_json_place device = dc__json_member(object, "device"),
                words = dc__json_member(object, "provenance");
  snprintf(machine->device, sizeof machine->device, "%s",
           dc__json_string(reader, &device, DC_JSON_REQUIRED));
  snprintf(machine->provenance, sizeof machine->provenance, "%s",
           dc__json_string(reader, &words, DC_JSON_REQUIRED));
  for (unsigned k = 0; k < DC_MACHINE_FIELDS; ++k) {
    dc_json_place place = dc__json_member(object, dc_machine_fields[k].name);
    dc_machine_set(machine, k, dc__json_read_machine(reader, &place, &dc_machine_fields[k]));
  }
  machine->known = true;
}

// The costs of an architecture file, where the estimate depends on one.
static void read_costs(dc_json_reader *reader, const dc_json_place *estimate, unsigned sm,
                       dc_arch *arch) {
  dc_json_place costs = dc__json_member(estimate, "costs"),
                rules = dc__json_member(estimate, "rules"),
                words = group_of(reader, estimate, "provenance"),
                issue = group_of(reader, &costs, "issue"),
                reload = dc__json_member(&costs, "reload"),
                machine = dc__json_member(&costs, "machine");
  if (!costs.value || !dc__json_is_object(reader, &costs))
    return;
  *arch = (dc_arch){.sm = sm, .of_file = true};
  arch->rules = (dc_rules)dc__json_enum(reader, &rules, dc_rules_parse);
  arch->has_cycles = dc__json_member(&costs, "divergent_branch").value != NULL;
  if (arch->has_cycles) {
    arch->divergent_branch = read_cycles(reader, &costs, "divergent_branch");
    arch->divergent_exit = read_cycles(reader, &costs, "divergent_exit");
    arch->displaced = read_cycles(reader, &costs, "displaced");
    arch->spill = read_cycles(reader, &costs, "spill");
  }
  if (arch->rules == DC_RULES_STACK) {
    arch->stack_entries = read_number(reader, &costs, "entries", 1, 1024);
    arch->spill_entries = read_number(reader, &costs, "chunk", 1, arch->stack_entries);
    arch->reload = (dc_reload)dc__json_enum(reader, &reload, dc_reload_parse);
  }
  arch->predicated = read_number(reader, &costs, "predicated", 0, 1000);
  for (unsigned mix = 0; mix < DC_MIX_COUNT; ++mix)
    arch->issue[mix] = read_cycles(reader, &issue, dc_mix_name((dc_mix)mix));
  read_text(reader, &words, "reconvergence", arch->provenance);
  read_text(reader, &words, "issue", arch->issue_provenance);
  read_machine(reader, &machine, &arch->machine);
}

// Reports of before have none.
static void read_branches(dc_json_reader *reader, const dc_json_place *place,
                          const dc_kernel *kernel, dc_estimate *estimate) {
  size_t count = dc__json_count(reader, place, DC_JSON_OPTIONAL);
  if (reader->status != DC_OK ||
      !(estimate->branches = zeroed(reader, kernel->n_branches, sizeof *estimate->branches)))
    return;
  estimate->n_branches = kernel->n_branches;
  for (size_t k = 0; k < count && reader->status == DC_OK; ++k) {
    dc_json_place figures = dc__json_element(place, k), index = dc__json_member(&figures, "index"),
                  from = dc__json_member(&figures, "from");
    uint32_t branch =
        dc__json_index(reader, &index, kernel->n_branches, "branches", DC_JSON_REQUIRED);
    if (reader->status != DC_OK)
      return;
    estimate->branches[branch] = (dc_branch_estimate){
        .idle = interval_of(reader, &figures, "idle"),
        .from = (dc_from)dc__json_enum(reader, &from, dc_from_parse),
    };
  }
}

// Likewise.
static void read_accesses(dc_json_reader *reader, const dc_json_place *place,
                          const dc_kernel *kernel, dc_estimate *estimate) {
  size_t count = dc__json_count(reader, place, DC_JSON_OPTIONAL);
  if (reader->status != DC_OK ||
      !(estimate->accesses = zeroed(reader, kernel->n_accesses, sizeof *estimate->accesses)))
    return;
  estimate->n_accesses = kernel->n_accesses;
  for (size_t k = 0; k < count && reader->status == DC_OK; ++k) {
    dc_json_place figures = dc__json_element(place, k), index = dc__json_member(&figures, "index"),
                  from = dc__json_member(&figures, "from"),
                  access_class = dc__json_member(&figures, "class"),
                  stride = dc__json_member(&figures, "stride"),
                  requests = dc__json_member(&figures, "requests"),
                  lanes = dc__json_member(&figures, "lanes");
    uint32_t access =
        dc__json_index(reader, &index, kernel->n_accesses, "accesses", DC_JSON_REQUIRED);
    if (reader->status != DC_OK)
      return;
    bool conflicts = dc__json_member(&figures, "conflicts").value != NULL;
    estimate->accesses[access] = (dc_access_estimate){
        .requests = dc__json_read_real(reader, &requests),
        .lanes = dc__json_read_real(reader, &lanes),
        .taken = interval_of(reader, &figures, conflicts ? "conflicts" : "sectors"),
        .ideal = interval_of(reader, &figures, "ideal"),
        .stride = stride.value ? dc__json_read_int64(reader, &stride) : 0,
        .access_class = dc__json_enum(reader, &access_class, dc_access_class_parse),
        .from = dc__json_enum(reader, &from, dc_from_parse),
    };
  }
}

static unsigned read_limits(dc_json_reader *reader, const dc_json_place *list) {
  unsigned limits = 0;
  size_t count = dc__json_count(reader, list, DC_JSON_REQUIRED);
  for (size_t k = 0; k < count && reader->status == DC_OK; ++k) {
    dc_json_place name = dc__json_element(list, k);
    limits |= (unsigned)dc__json_enum(reader, &name, dc_occupancy_limit_parse);
  }
  return limits;
}

static unsigned whole_figure(double figure) {
  enum { MOST = 100000 }; // registers, warps and blocks are fewer
  return figure > 0 && figure <= MOST ? (unsigned)figure : 0;
}

// Reports of before occupancy have none.
static void read_occupancy(dc_json_reader *reader, const dc_json_place *estimate,
                           dc_occupancy_estimate *out) {
  dc_json_place object = dc__json_member(estimate, "occupancy");
  if (!object.value || !dc__json_is_object(reader, &object))
    return;
  dc_json_place most = dc__json_member(&object, "warps_most"),
                limits = dc__json_member(&object, "limits"),
                limits_high = dc__json_member(&object, "limits_high"),
                from = dc__json_member(&object, "registers_from");
  dc_interval registers = interval_of(reader, &object, "registers"),
              blocks = interval_of(reader, &object, "blocks"),
              warps = interval_of(reader, &object, "warps");
  out->known = true;
  out->warps_most = (unsigned)dc__json_integer(reader, &most, 1, 1024, DC_JSON_REQUIRED);
  out->registers_low = whole_figure(registers.low);
  out->registers_high = whole_figure(registers.high);
  out->registers_from = dc__json_enum(reader, &from, dc_registers_from_parse);
  out->low = (dc_occupancy){whole_figure(blocks.low), whole_figure(warps.low),
                            read_limits(reader, &limits)};
  out->high =
      (dc_occupancy){whole_figure(blocks.high), whole_figure(warps.high),
                     limits_high.value ? read_limits(reader, &limits_high) : out->low.limits};
}

static double share_of(dc_json_reader *reader, const dc_json_place *object, const char *key) {
  dc_json_place place = dc__json_member(object, key);
  return dc__json_read_share(reader, &place);
}

static dc_time_saving saving_of(dc_json_reader *reader, const dc_json_place *object,
                                const char *key) {
  dc_json_place saving = dc__json_member(object, key);
  return (dc_time_saving){share_of(reader, &saving, "low"), share_of(reader, &saving, "high")};
}

// Reports of before have that of divergence alone.
static void read_losses(dc_json_reader *reader, const dc_json_place *time, dc_time_estimate *out) {
  for (dc_time_loss loss = DC_LOSS_DIVERGENCE; loss < DC_LOSS_COUNT; ++loss) {
    const char *key = dc__json_loss(loss);
    bool told = loss == DC_LOSS_DIVERGENCE || dc__json_member(time, key).value;
    out->lost[loss] = told ? saving_of(reader, time, key) : (dc_time_saving){-2, -2};
  }
}

static void read_parts(dc_json_reader *reader, const dc_json_place *time, const dc_kernel *kernel,
                       dc_time_estimate *out) {
  dc_json_place parts = dc__json_member(time, "parts");
  size_t count = dc__json_count(reader, &parts, DC_JSON_OPTIONAL);
  if (count > DC_TIME_PARTS) {
    dc__json_fail(reader, &parts, "has %zu parts, more than %d", count, DC_TIME_PARTS);
    return;
  }
  out->n_parts = (uint32_t)count;
  for (size_t k = 0; k < count; ++k) {
    dc_json_place part = dc__json_element(&parts, k), loop = dc__json_member(&part, "loop"),
                  branch = dc__json_member(&part, "branch");
    out->parts[k] = (dc_time_part){
        dc__json_index(reader, &loop, kernel->n_loops, "loops", DC_JSON_OPTIONAL),
        dc__json_index(reader, &branch, kernel->n_branches, "branches", DC_JSON_OPTIONAL),
        saving_of(reader, &part, "lost")};
    if ((out->parts[k].loop == DC_NONE) == (out->parts[k].branch == DC_NONE))
      dc__json_fail(reader, &part, "must have either a loop or a branch");
  }
}

static void read_bounds(dc_json_reader *reader, const dc_json_place *time, dc_time_estimate *out) {
  dc_json_place bound = dc__json_member(time, "bound"), bounds = dc__json_member(time, "bounds");
  out->bound = dc__json_enum(reader, &bound, dc_bound_parse);
  for (unsigned k = 0; k < DC_BOUND_COUNT && dc__json_is_object(reader, &bounds); ++k)
    out->bounds[k] = share_of(reader, &bounds, dc_bound_name((dc_bound)k));
}

// Reports of before have none.
static void read_time(dc_json_reader *reader, const dc_json_place *estimate,
                      const dc_kernel *kernel, dc_time_estimate *out) {
  dc_json_place object = dc__json_member(estimate, "time");
  if (!object.value || !dc__json_is_object(reader, &object))
    return;
  dc_json_place unknown = dc__json_member(&object, "unknown"),
                l2 = dc__json_member(&object, "assumed_l2"),
                extents = dc__json_member(&object, "assumed_extents");
  out->known = unknown.value == NULL;
  if (!out->known) {
    out->unknown = dc__json_enum(reader, &unknown, dc_time_unknown_parse);
    return;
  }
  out->seconds = interval_of(reader, &object, "seconds");
  out->alike = interval_of(reader, &object, "alike");
  out->longest = interval_of(reader, &object, "longest");
  read_losses(reader, &object, out);
  read_parts(reader, &object, kernel, out);
  out->assumed_l2 = dc__json_boolean(reader, &l2, DC_JSON_REQUIRED);
  out->assumed_extents = dc__json_boolean(reader, &extents, DC_JSON_REQUIRED);
  read_bounds(reader, &object, out);
}

static void read_estimate(dc_json_reader *reader, const dc_json_place *object,
                          const dc_kernel *kernel, dc_estimate *estimate) {
  if (!dc__json_is_object(reader, object))
    return;
  dc_json_place arch = dc__json_member(object, "arch"), block = dc__json_member(object, "block"),
                grid = dc__json_member(object, "grid"),
                from = dc__json_member(object, "block_from"),
                location = dc__json_member(object, "location"),
                cycles = group_of(reader, object, "cycles"),
                emulated = dc__json_member(object, "emulated"),
                sampled = dc__json_member(object, "sampled"),
                loops = dc__json_member(object, "loops"),
                branches = dc__json_member(object, "branches"),
                accesses = dc__json_member(object, "accesses");
  estimate->sm = dc__json_read_sm(reader, &arch);
  read_costs(reader, object, estimate->sm, &estimate->arch);
  dc__json_read_dims(reader, &block, estimate->launch.block, DC_JSON_REQUIRED);
  dc__json_read_dims(reader, &grid, estimate->launch.grid, DC_JSON_OPTIONAL);
  estimate->launch.from = dc__json_enum(reader, &from, dc_block_from_parse);
  estimate->launch.location =
      dc__json_index(reader, &location, kernel->n_locations, "locations", DC_JSON_OPTIONAL);
  dc__json_read_shared(reader, object, &estimate->launch);
  read_occupancy(reader, object, &estimate->occupancy);
  read_time(reader, object, kernel, &estimate->time);
  estimate->cycles = interval_of(reader, &cycles, "total");
  estimate->imbalance = interval_of(reader, &cycles, "imbalance");
  estimate->reconvergence = interval_of(reader, &cycles, "reconvergence");
  estimate->share = interval_of(reader, object, "share");
  estimate->instructions = interval_of(reader, object, "instructions");
  estimate->efficiency = interval_of(reader, object, "efficiency");
  estimate->expected_efficiency = interval_of(reader, object, "expected_efficiency");
  estimate->certain_efficiency = interval_of(reader, object, "certain_efficiency");
  estimate->divergent_branches = interval_of(reader, object, "divergent_branches");
  estimate->emulated = dc__json_boolean(reader, &emulated, DC_JSON_OPTIONAL);
  estimate->sampled = dc__json_boolean(reader, &sampled, DC_JSON_OPTIONAL);
  size_t count = dc__json_count(reader, &loops, DC_JSON_REQUIRED);
  if (count != kernel->n_loops)
    dc__json_fail(reader, &loops, "has figures for %zu loops, the skeleton has %u", count,
                  kernel->n_loops);
  if (reader->status != DC_OK ||
      !(estimate->loops = zeroed(reader, count, sizeof *estimate->loops)))
    return;
  estimate->n_loops = kernel->n_loops;
  for (size_t k = 0; k < count; ++k) {
    dc_json_place loop = dc__json_element(&loops, k);
    read_figures(reader, &loop, &estimate->loops[k]);
  }
  read_branches(reader, &branches, kernel, estimate);
  read_accesses(reader, &accesses, kernel, estimate);
}

static void read_names(dc_json_reader *reader, const dc_json_place *list, dc_name_list *names) {
  size_t count = dc__json_count(reader, list, DC_JSON_OPTIONAL);
  for (size_t k = 0; k < count && reader->status == DC_OK; ++k) {
    dc_json_place element = dc__json_element(list, k);
    char *name = read_copy(reader, &element);
    if (name && !dc_name_list_add(names, name) && reader->status == DC_OK)
      reader->status =
          dc_fail(reader->error, DC_ERROR_MEMORY, "out of memory for %zu names", count);
    free(name);
  }
}

static void read_finding(dc_json_reader *reader, const dc_json_place *object,
                         const dc_kernel *kernel, dc_finding *finding) {
  if (!dc__json_is_object(reader, object))
    return;
  dc_json_place rule = dc__json_member(object, "rule"),
                fingerprint = dc__json_member(object, "fingerprint"),
                loop = dc__json_member(object, "loop_index"),
                barrier = dc__json_member(object, "barrier_index"),
                location = dc__json_member(object, "location"),
                message = dc__json_member(object, "message"),
                suppressed = dc__json_member(object, "suppressed"),
                by = dc__json_member(object, "suppressed_by"),
                switched_on = dc__json_member(object, "switched_on"),
                others = dc__json_member(object, "others");
  finding->rule = (dc_rule)dc__json_enum(reader, &rule, dc_rule_parse);
  finding->fingerprint = dc__json_read_hex(reader, &fingerprint);
  finding->loop = dc__json_index(reader, &loop, kernel->n_loops, "loops", DC_JSON_OPTIONAL);
  finding->barrier =
      dc__json_index(reader, &barrier, kernel->n_barriers, "barriers", DC_JSON_OPTIONAL);
  finding->location =
      dc__json_index(reader, &location, kernel->n_locations, "locations", DC_JSON_OPTIONAL);
  finding->message = read_copy(reader, &message);
  finding->suppressed = dc__json_boolean(reader, &suppressed, DC_JSON_REQUIRED);
  if (by.value)
    finding->by = (dc_suppressor)dc__json_enum(reader, &by, dc_suppressor_parse);
  finding->switched_on = dc__json_boolean(reader, &switched_on, DC_JSON_OPTIONAL);
  read_names(reader, &others, &finding->others);
}

static double read_share(dc_json_reader *reader, const dc_json_place *object, const char *name) {
  dc_json_place place = dc__json_member(object, name);
  double share = dc__json_read_real(reader, &place);
  if (place.value && share > 1)
    dc__json_fail(reader, &place, "is %g, must be from 0 to 1", share);
  return share;
}

static void read_waits(dc_json_reader *reader, const dc_json_place *object, dc_unit_measured *out) {
  dc_json_place samples = dc__json_member(object, "samples"),
                waits = dc__json_member(object, "waits");
  if (!samples.value)
    return;
  out->samples = dc__json_read_real(reader, &samples);
  out->unlisted = read_share(reader, object, "unlisted");
  for (unsigned w = 0; dc__json_is_object(reader, &waits) && w < DC_WAIT_COUNT; ++w) {
    const char *name = dc_wait_name((dc_wait)w);
    if (dc__json_member(&waits, name).value)
      out->waits[w] = read_share(reader, &waits, name);
  }
}

static void read_measured_accesses(dc_json_reader *reader, const dc_json_place *object,
                                   const dc_kernel *kernel, dc_unit_measured *out) {
  dc_json_place list = dc__json_member(object, "accesses");
  size_t count = dc__json_count(reader, &list, DC_JSON_OPTIONAL);
  if (reader->status != DC_OK || !(out->accesses = zeroed(reader, count, sizeof *out->accesses)))
    return;
  for (size_t k = 0; k < count && reader->status == DC_OK; ++k) {
    dc_json_place one = dc__json_element(&list, k), kind = dc__json_member(&one, "kind"),
                  taken = dc__json_member(&one, "taken"), ideal = dc__json_member(&one, "ideal"),
                  access = dc__json_member(&one, "access"),
                  location = dc__json_member(&one, "location");
    out->accesses[out->n_accesses++] = (dc_measured_access){
        .kind = dc__json_enum(reader, &kind, dc_traffic_kind_parse),
        .share = read_share(reader, &one, "share"),
        .taken = dc__json_read_real(reader, &taken),
        .ideal = dc__json_read_real(reader, &ideal),
        .access = dc__json_index(reader, &access, kernel->n_accesses, "accesses", DC_JSON_OPTIONAL),
        .location =
            dc__json_index(reader, &location, kernel->n_locations, "locations", DC_JSON_OPTIONAL)};
  }
}

static void read_measured(dc_json_reader *reader, const dc_json_place *object,
                          const dc_kernel *kernel, dc_unit_measured *out) {
  if (!object->value || !dc__json_is_object(reader, object))
    return;
  dc_json_place by = dc__json_member(object, "by"), launches = dc__json_member(object, "launches"),
                seconds = dc__json_member(object, "seconds"),
                parts = dc__json_member(object, "parts");
  out->by = dc__json_enum(reader, &by, dc_measured_by_parse);
  out->launches = (uint64_t)dc__json_integer(reader, &launches, 1, INT64_MAX, DC_JSON_REQUIRED);
  out->seconds = dc__json_read_real(reader, &seconds);
  out->time_share = read_share(reader, object, "time_share");
  out->efficiency = read_share(reader, object, "efficiency");
  out->of_blocks = read_share(reader, object, "blocks_efficiency");
  out->untold = read_share(reader, object, "untold");
  size_t count = dc__json_count(reader, &parts, DC_JSON_REQUIRED);
  if (reader->status != DC_OK || !(out->parts = zeroed(reader, count, sizeof *out->parts)))
    return;
  for (size_t k = 0; k < count && reader->status == DC_OK; ++k) {
    dc_json_place part = dc__json_element(&parts, k), loop = dc__json_member(&part, "loop"),
                  branch = dc__json_member(&part, "branch"),
                  location = dc__json_member(&part, "location");
    out->parts[out->n_parts++] = (dc_measured_part){
        .share = read_share(reader, &part, "share"),
        .loop = dc__json_index(reader, &loop, kernel->n_loops, "loops", DC_JSON_OPTIONAL),
        .branch = dc__json_index(reader, &branch, kernel->n_branches, "branches", DC_JSON_OPTIONAL),
        .location =
            dc__json_index(reader, &location, kernel->n_locations, "locations", DC_JSON_OPTIONAL)};
  }
  read_waits(reader, object, out);
  dc__json_read_counted(reader, object, DC_JSON_OPTIONAL, out->traffic_known);
  read_measured_accesses(reader, object, kernel, out);
}

static void read_kernel(dc_json_reader *reader, const dc_json_place *object,
                        dc_unit_kernel *kernel) {
  if (!dc__json_is_object(reader, object))
    return;
  dc_json_place skeleton = dc__json_member(object, "skeleton"),
                estimates = dc__json_member(object, "estimates"),
                findings = dc__json_member(object, "findings"),
                measured = dc__json_member(object, "measured"),
                instances = dc__json_member(object, "instances"),
                library = dc__json_member(object, "library");
  dc__json_read_skeleton(reader, &skeleton, &kernel->kernel);
  size_t n_estimates = dc__json_count(reader, &estimates, DC_JSON_REQUIRED);
  size_t n_findings = dc__json_count(reader, &findings, DC_JSON_REQUIRED);
  if (reader->status != DC_OK)
    return;
  read_measured(reader, &measured, &kernel->kernel, &kernel->measured);
  read_names(reader, &instances, &kernel->instances);
  kernel->library = dc__json_boolean(reader, &library, DC_JSON_OPTIONAL);
  kernel->estimates = zeroed(reader, n_estimates, sizeof *kernel->estimates);
  kernel->findings = zeroed(reader, n_findings, sizeof *kernel->findings);
  for (size_t k = 0; k < n_estimates && reader->status == DC_OK; ++k) {
    dc_json_place estimate = dc__json_element(&estimates, k);
    read_estimate(reader, &estimate, &kernel->kernel, &kernel->estimates[kernel->n_estimates++]);
  }
  for (size_t k = 0; k < n_findings && reader->status == DC_OK; ++k) {
    dc_json_place finding = dc__json_element(&findings, k);
    read_finding(reader, &finding, &kernel->kernel, &kernel->findings[kernel->n_findings++]);
  }
}

static void read_unit(dc_json_reader *reader, const dc_json_place *root, dc_unit *unit) {
  dc_json_place version = dc__json_member(root, "divcost"), path = dc__json_member(root, "unit"),
                archs = dc__json_member(root, "archs"), kernels = dc__json_member(root, "kernels");
  if (!dc__json_is_object(reader, root))
    return;
  int64_t number = dc__json_integer(reader, &version, 0, INT64_MAX, DC_JSON_REQUIRED);
  if (number != 1)
    dc__json_fail(reader, &version, "version %lld is not known here, only version 1",
                  (long long)number);
  size_t n_archs = dc__json_count(reader, &archs, DC_JSON_REQUIRED);
  size_t n_kernels = dc__json_count(reader, &kernels, DC_JSON_REQUIRED);
  unit->path = read_copy(reader, &path);
  unit->archs = zeroed(reader, n_archs, sizeof *unit->archs);
  unit->kernels = zeroed(reader, n_kernels, sizeof *unit->kernels);
  for (size_t k = 0; k < n_archs && reader->status == DC_OK; ++k) {
    dc_json_place arch = dc__json_element(&archs, k);
    unit->archs[unit->n_archs++] = dc__json_read_sm(reader, &arch);
    if (k && unit->archs[k] <= unit->archs[k - 1])
      dc__json_fail(reader, &arch, "must be above the one before it");
  }
  for (size_t k = 0; k < n_kernels && reader->status == DC_OK; ++k) {
    dc_json_place kernel = dc__json_element(&kernels, k);
    read_kernel(reader, &kernel, &unit->kernels[unit->n_kernels++]);
  }
}

dc_status dc_unit_read_json(FILE *stream, dc_unit *unit, dc_error *error) {
  *unit = (dc_unit){0};
  json_t *root;
  dc_status status =
      dc_input_json(stream, DC_INPUT_DATA_MOST, JSON_REJECT_DUPLICATES, &root, error);
  if (status != DC_OK)
    return status;
  dc_json_reader reader = {error, DC_OK};
  dc_json_place place = {NULL, NULL, 0, root};
  read_unit(&reader, &place, unit);
  json_decref(root);
  if (reader.status != DC_OK)
    dc_unit_free(unit);
  return reader.status;
}
