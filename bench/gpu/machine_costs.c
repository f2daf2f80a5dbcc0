// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "divcost/arch.h"

// --- looking up ----------------------------------------------------------------------------------

// What is fitted, and to what.
typedef struct fitting {
  const machine_results *all;
  machine_costs *to;
  unsigned sms;          // of the GPU
  uint64_t l2_bytes;     //
  uint64_t cached, cold; // footprints of walks that are in L2, and that are hardly there
} fitting;

// Which cases: 0 is any, but for bytes, where it is none.
typedef struct which {
  const char *test;
  unsigned sms, warps, n;
  uint64_t bytes;
} which;

static bool fits(const machine_result *item, const which *asked) {
  return strcmp(item->test, asked->test) == 0 && (!asked->sms || item->sms == asked->sms) &&
         (!asked->warps || item->warps == asked->warps) && (!asked->n || item->n == asked->n) &&
         item->bytes == asked->bytes;
}

static const machine_result *find(const fitting *f, which asked) {
  for (unsigned k = 0; k < f->all->count; ++k)
    if (fits(&f->all->items[k], &asked))
      return &f->all->items[k];
  return NULL;
}

static fit_unknown unknown(void) { return (fit_unknown){0, 0, false}; }

// A case's value, less what isn't of the number, by how often the number is in it.
static fit_unknown value_of(const fitting *f, which asked, double less, double times) {
  const machine_result *item = find(f, asked);
  if (!item)
    return unknown();
  double spread = item->value.greatest - item->value.least;
  return (fit_unknown){(item->value.median - less) / times, spread / 2 / times, true};
}

static fit_unknown least_of(fit_unknown a, fit_unknown b) {
  return !a.known || (b.known && b.value < a.value) ? b : a;
}

// The mean of two, each at most so far from it.
static fit_unknown mean_of(fit_unknown a, fit_unknown b) {
  if (!a.known || !b.known)
    return unknown();
  return (fit_unknown){(a.value + b.value) / 2, fabs(a.value - b.value) / 2, true};
}

// A line through cases over n: its slope, or where it begins.
enum { BEGINS, SLOPE };
typedef struct points {
  double rows[64][2], y[64];
  unsigned count;
} points;

// weight: of its residual.
static void add_point(points *p, double x, double y, double weight) {
  if (p->count == 64)
    return;
  p->rows[p->count][0] = weight;
  p->rows[p->count][1] = weight * x;
  p->y[p->count++] = weight * y;
}

static fit_unknown line_of(const points *p, unsigned what) {
  fit line;
  if (p->count < 2 || fit_least_squares(&p->rows[0][0], p->y, p->count, 2, &line, NULL) != DC_OK)
    return unknown();
  return line.unknowns[what];
}

// How much more a warp waits for each further place of a request, or for each doubling of them: a
// line through the case of one place.
static fit_unknown more_of(const fitting *f, which asked, bool doublings) {
  double x[32], y[32];
  unsigned count = 0;
  fit line;
  asked.n = 1;
  const machine_result *one = find(f, asked), *item;
  for (asked.n = 2; one && asked.n <= 32; ++asked.n) {
    if (!(item = find(f, asked)))
      continue;
    x[count] = doublings ? log2(asked.n) : asked.n - 1;
    y[count++] = item->value.median - one->value.median;
  }
  if (count == 0 || fit_least_squares(x, y, count, 1, &line, NULL) != DC_OK)
    return unknown();
  return line.unknowns[0];
}

// --- instructions and shared memory --------------------------------------------------------------

static fit_unknown fit_schedulers(const fitting *f) {
  dc_arch arch;
  const char *at = strstr(f->all->origin, "(sm_");
  unsigned sm = at ? (unsigned)strtoul(at + 4, NULL, 10) : 0;
  bool known = sm && dc_arch_find_sm(sm, &arch, NULL) == DC_OK && arch.machine.known;
  return known ? (fit_unknown){arch.machine.schedulers, 0, true} : unknown();
}

static fit_unknown fit_clock(const fitting *f) {
  return least_of(value_of(f, (which){"clock_fp32", f->sms, 0, 0, 0}, 0, 1),
                  value_of(f, (which){"clock_gather", f->sms, 0, 0, f->cold}, 0, 1));
}

static fit_unknown fit_alu(const fitting *f) {
  return mean_of(value_of(f, (which){"add", 0, 1, 0, 0}, 0, 1),
                 value_of(f, (which){"fp32", 0, 1, 0, 0}, 0, 1));
}

// Loops of 1 to 16 instructions: what is left for none.
static fit_unknown fit_branch(const fitting *f) {
  points p = {.count = 0};
  for (unsigned n = 1; n <= 16; n *= 2) {
    char test[24];
    snprintf(test, sizeof test, "loop_%u", n);
    const machine_result *item = find(f, (which){test, 0, 1, n, 0});
    if (item)
      add_point(&p, n, item->value.median, 1);
  }
  return line_of(&p, BEGINS);
}

// With so many warps that the most is issued.
static fit_unknown fit_issue(const fitting *f) {
  fit_unknown schedulers = fit_schedulers(f);
  fit_unknown few = value_of(f, (which){"mix", 0, 32, 0, 0}, 0, 32 * MACHINE_MIX);
  fit_unknown many = value_of(f, (which){"mix", 0, 64, 0, 0}, 0, 64 * MACHINE_MIX);
  fit_unknown issue = least_of(few, many);
  if (!schedulers.known)
    return unknown();
  issue.value *= schedulers.value;
  issue.error *= schedulers.value;
  return issue;
}

// Many warps, each with n in its way.
static fit_unknown least_for_each(const fitting *f, const char *test, uint64_t bytes,
                                  unsigned from) {
  fit_unknown least = unknown();
  for (unsigned k = 0; k < f->all->count; ++k) {
    const machine_result *item = &f->all->items[k];
    double asked = (double)item->warps * item->n;
    if (strcmp(item->test, test) == 0 && item->bytes == bytes && item->sms == f->sms &&
        item->warps >= 16 && item->n >= from)
      least = least_of(least,
                       (fit_unknown){item->value.median / asked,
                                     (item->value.greatest - item->value.least) / 2 / asked, true});
  }
  return least;
}

// --- caches and memory ---------------------------------------------------------------------------

enum { L1_BYTES = 64 * 1024 }; // of the walks that stay in L1

static fit_unknown fit_l1(const fitting *f) {
  return value_of(f, (which){"l1", 0, 1, 1, L1_BYTES}, MACHINE_ADDRESS, 1);
}

// A request, and each of its lines, where as many warps as there may be ask: by shares of what was
// measured, else the requests of many lines would decide alone.
static fit_unknown fit_l1_cost(const fitting *f, unsigned what) {
  points p = {.count = 0};
  unsigned warps = 0;
  for (unsigned k = 0; k < f->all->count; ++k)
    if (strcmp(f->all->items[k].test, "l1") == 0 && f->all->items[k].warps > warps)
      warps = f->all->items[k].warps;
  for (unsigned n = 1; n <= 32; ++n) {
    const machine_result *item = find(f, (which){"l1", f->sms, warps, n, L1_BYTES});
    if (item)
      add_point(&p, n, item->value.median / warps, warps / item->value.median);
  }
  return line_of(&p, what);
}

// The largest that takes hardly longer than the smallest.
static fit_unknown fit_l1_bytes(const fitting *f) {
  const machine_result *smallest = NULL, *next = NULL, *largest = NULL;
  for (unsigned k = 0; k < f->all->count; ++k) {
    const machine_result *item = &f->all->items[k];
    if (strcmp(item->test, "l1_size") != 0)
      continue;
    smallest = smallest ? smallest : item;
    if (item->value.median > 1.1 * smallest->value.median) {
      next = item;
      break;
    }
    largest = item;
  }
  if (!largest)
    return unknown();
  return (fit_unknown){(double)largest->bytes, next ? (double)(next->bytes - largest->bytes) : 0,
                       true};
}

static fit_unknown fit_latency(const fitting *f, uint64_t bytes) {
  return value_of(f, (which){"gather", f->sms, 1, 1, bytes}, MACHINE_ADDRESS, 1);
}

static fit_unknown fit_latency_more(const fitting *f, uint64_t bytes) {
  return more_of(f, (which){"gather", f->sms, 1, 0, bytes}, true);
}

static int by_value(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

// The next walk through more and more memory, by all SMs, of n places at a time.
static const machine_result *next_size(const fitting *f, unsigned n, unsigned *from) {
  for (; *from < f->all->count; ++*from) {
    const machine_result *item = &f->all->items[*from];
    if (strcmp(item->test, "sizes") == 0 && item->sms == f->sms && item->n == n)
      return &f->all->items[(*from)++];
  }
  return NULL;
}

// What such a walk takes in L2 but not in its near part alone: from 8 MiB to half of its size.
static fit_unknown fit_in_l2(const fitting *f, unsigned n, double less) {
  double values[64];
  unsigned count = 0, from = 0;
  for (const machine_result *item; (item = next_size(f, n, &from)) && count < 64;)
    if (item->bytes >= MACHINE_FAR && item->bytes <= f->l2_bytes / 2)
      values[count++] = item->value.median - less;
  if (count == 0)
    return unknown();
  qsort(values, count, sizeof *values, by_value);
  return (fit_unknown){values[count / 2], (values[count - 1] - values[0]) / 2, true};
}

// And of so much that nothing is in L2: walks that hardly are, as a line over 1 / bytes.
static fit_unknown fit_in_none(const fitting *f, unsigned n) {
  points p = {.count = 0};
  unsigned from = 0;
  for (const machine_result *item; (item = next_size(f, n, &from));)
    if (item->bytes >= 8 * f->l2_bytes)
      add_point(&p, (double)f->l2_bytes / (double)item->bytes, item->value.median, 1);
  return line_of(&p, BEGINS);
}

// L2 has a share of held / bytes of a walk through more than it holds; times are between the two
// above by that share. Whether a walk is through more depends on the result.
static fit_unknown fit_l2_bytes(const fitting *f) {
  const unsigned n = 32;
  fit_unknown all = fit_in_l2(f, n, 0), none = fit_in_none(f, n), held = unknown();
  double least = (double)f->l2_bytes / 2, size = (double)f->l2_bytes;
  for (unsigned turn = 0; turn < 20 && all.known && none.known; ++turn) {
    double x[64], y[64];
    unsigned count = 0, from = 0;
    fit line;
    for (const machine_result *item; (item = next_size(f, n, &from)) && count < 64;) {
      if ((double)item->bytes <= least || item->bytes >= 8 * f->l2_bytes)
        continue;
      x[count] = size / (double)item->bytes;
      y[count++] = (none.value - item->value.median) / (none.value - all.value);
    }
    if (count == 0 || fit_least_squares(x, y, count, 1, &line, NULL) != DC_OK)
      return unknown();
    held = line.unknowns[0];
    held.value = round(held.value * size);
    held.error *= size;
    if (held.value == least)
      break;
    least = held.value;
  }
  return held;
}

// The best of what was tried: 64 warps, or 32 with four requests each.
static fit_unknown fit_sector(const fitting *f, uint64_t bytes) {
  return least_of(least_for_each(f, "gather", bytes, 32),
                  value_of(f, (which){"gather4", f->sms, 32, 32, bytes}, 0, 4.0 * 32 * 32));
}

static fit_unknown fit_sector_alone(const fitting *f, uint64_t bytes) {
  return value_of(f, (which){"gather4", 1, 32, 32, bytes}, 0, 4.0 * 32 * 32);
}

// Lines of four sectors at random, or, of DRAM, one after the other.
static fit_unknown fit_line_sector(const fitting *f, const char *at_random, const char *in_order,
                                   uint64_t bytes) {
  fit_unknown lines = least_for_each(f, at_random, bytes, 1);
  lines.value /= 4;
  lines.error /= 4;
  for (unsigned warps = 32; bytes == f->cold && warps <= 64; warps += 32)
    lines =
        least_of(lines, value_of(f, (which){in_order, f->sms, warps, 0, bytes}, 0, 64.0 * warps));
  return lines;
}

// The same in L2 but not in its near part alone: the median of the sizes that fit_in_l2 takes.
static fit_unknown fit_l2_line_sector(const fitting *f) {
  double values[64];
  unsigned count = 0;
  uint64_t last = 0;
  for (unsigned k = 0; k < f->all->count && count < 64; ++k) {
    const machine_result *item = &f->all->items[k];
    if (strcmp(item->test, "lines") != 0 || item->sms != f->sms || item->bytes == last ||
        item->bytes < MACHINE_FAR || item->bytes > f->l2_bytes / 2)
      continue;
    last = item->bytes;
    values[count++] = fit_line_sector(f, "lines", "stream_read", item->bytes).value;
  }
  if (count == 0)
    return unknown();
  qsort(values, count, sizeof *values, by_value);
  return (fit_unknown){values[count / 2], (values[count - 1] - values[0]) / 2, true};
}

// --- atomics and launches ------------------------------------------------------------------------

enum { ATOMIC_BYTES = 16 << 20, WRITE_BYTES = 16 << 20 };

static fit_unknown fit_atomic(const fitting *f) {
  return value_of(f, (which){"atomic_sectors", 1, 1, 1, ATOMIC_BYTES}, MACHINE_ADDRESS, 1);
}

static fit_unknown fit_same_address(const fitting *f) {
  const unsigned warps = 32;
  return value_of(f, (which){"atomic_place", f->sms, warps, 1, ATOMIC_BYTES}, 0,
                  (double)warps * f->sms);
}

// What disturbs a launch on an idle GPU only makes it longer, so the least says more of how sure
// the median is than the greatest.
static fit_unknown fit_launch_high(const fitting *f) {
  const machine_result *item = find(f, (which){"empty_apart", 0, 0, 132, 0});
  if (!item)
    return unknown();
  return (fit_unknown){item->value.median, item->value.median - item->value.least, true};
}

// One more behind others.
static fit_unknown fit_launch_low(const fitting *f) {
  const unsigned more = 20;
  fit_unknown one = value_of(f, (which){"empty_behind", 0, 0, 1, 0}, 0, 1);
  fit_unknown all = value_of(f, (which){"empty_behind", 0, 0, more + 1, 0}, 0, 1);
  if (!one.known || !all.known)
    return unknown();
  return (fit_unknown){(all.value - one.value) / more, (all.error + one.error) / more, true};
}

// In cycles, of blocks whose warps, not whose number, fill an SM.
static fit_unknown fit_block_start(const fitting *f, unsigned what) {
  double clock = fit_clock(f).value;
  points p = {.count = 0};
  for (unsigned warps = 4; warps <= 32; warps *= 2) {
    const machine_result *item = find(f, (which){"block_start", 0, warps, 0, 0});
    if (item)
      add_point(&p, warps, item->value.median * clock, 1);
  }
  return line_of(&p, what);
}

static fit_unknown fit_block_each(const fitting *f) {
  enum { FEW = 8448, MANY = 67584 };
  double cycles = fit_clock(f).value / (MANY - FEW);
  fit_unknown few = value_of(f, (which){"empty_apart", 0, 0, FEW, 0}, 0, 1);
  fit_unknown many = value_of(f, (which){"empty_apart", 0, 0, MANY, 0}, 0, 1);
  if (!few.known || !many.known)
    return unknown();
  return (fit_unknown){fmax(many.value - few.value, 0) * cycles, (many.error + few.error) * cycles,
                       true};
}

// --- all of it -----------------------------------------------------------------------------------

static fit_unknown fit_field(const fitting *f, const char *name) {
  const struct {
    const char *name;
    fit_unknown value;
  } all[] = {
      {"clock", fit_clock(f)},
      {"sms", {f->sms, 0, f->sms > 0}},
      {"schedulers", fit_schedulers(f)},
      {"issue", fit_issue(f)},
      {"alu", fit_alu(f)},
      {"branch", fit_branch(f)},
      {"shared", value_of(f, (which){"shared", 0, 1, 1, 0}, 0, 1)},
      {"shared_more", more_of(f, (which){"shared", 0, 1, 0, 0}, false)},
      {"l1", fit_l1(f)},
      {"l1_more", more_of(f, (which){"l1", 0, 1, 0, L1_BYTES}, true)},
      {"l2", fit_latency(f, f->cached)},
      {"l2_far", fit_in_l2(f, 1, MACHINE_ADDRESS)},
      {"l2_more", fit_latency_more(f, f->cached)},
      {"dram", fit_latency(f, f->cold)},
      {"dram_more", fit_latency_more(f, f->cold)},
      {"l1_request", fit_l1_cost(f, BEGINS)},
      {"l1_line", fit_l1_cost(f, SLOPE)},
      {"shared_wavefront", least_for_each(f, "shared", 0, 2)},
      {"l2_sector", fit_sector(f, f->cached)},
      {"l2_line_sector", fit_l2_line_sector(f)},
      {"l2_sector_alone", fit_sector_alone(f, f->cached)},
      {"dram_sector", fit_sector(f, f->cold)},
      {"dram_line_sector", fit_line_sector(f, "lines", "stream_read", f->cold)},
      {"dram_sector_alone", fit_sector_alone(f, f->cold)},
      {"l2_write_sector", least_for_each(f, "write_words", WRITE_BYTES, 8)},
      {"l2_write_line_sector", fit_line_sector(f, "write_lines", "stream_write", WRITE_BYTES)},
      {"dram_write_sector", least_for_each(f, "write_sectors", f->cold, 4)},
      {"dram_write_line_sector", fit_line_sector(f, "write_lines", "stream_write", f->cold)},
      {"shuffle", value_of(f, (which){"shuffle", 0, 1, 0, 0}, 0, 1)},
      {"barrier", value_of(f, (which){"barrier", 0, 1, 0, 0}, 0, 1)},
      {"atomic", fit_atomic(f)},
      {"shared_atomic", value_of(f, (which){"shared_add", 0, 1, 1, 0}, 0, 1)},
      {"atomic_sector", least_for_each(f, "atomic_sectors", ATOMIC_BYTES, 32)},
      {"reduce_sector", least_for_each(f, "red_sectors", ATOMIC_BYTES, 32)},
      {"same_address", fit_same_address(f)},
      {"block_start", fit_block_start(f, BEGINS)},
      {"block_start_warp", fit_block_start(f, SLOPE)},
      {"block_each", fit_block_each(f)},
      {"launch_low", fit_launch_low(f)},
      {"launch_high", fit_launch_high(f)},
      {"l1_bytes", fit_l1_bytes(f)},
      {"l2_bytes", fit_l2_bytes(f)},
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
    if (strcmp(all[k].name, name) == 0)
      return all[k].value;
  return unknown();
}

// The GPU, the size of its L2, and the walks that are surely in it and that hardly are.
static void look(fitting *f) {
  const machine_result *l2 = find(f, (which){"l2_bytes", 0, 0, 0, 0});
  f->l2_bytes = l2 ? (uint64_t)l2->value.median : 0;
  for (unsigned k = 0; k < f->all->count; ++k) {
    const machine_result *item = &f->all->items[k];
    f->sms = item->sms > f->sms ? item->sms : f->sms;
    if (strcmp(item->test, "gather") != 0)
      continue;
    if (item->bytes <= MACHINE_NEAR && item->bytes <= f->l2_bytes / 8 && item->bytes > f->cached)
      f->cached = item->bytes;
    if (item->bytes >= 8 * f->l2_bytes && item->bytes > f->cold)
      f->cold = item->bytes;
  }
}

// One test: all its cases that the numbers say something of.
static void check(const machine_results *all, const char *test, machine_costs *to) {
  static double errors[1024];
  machine_check *made = &to->checks[to->n_checks];
  *made = (machine_check){.points = 0};
  snprintf(made->test, sizeof made->test, "%s", test);
  for (unsigned k = 0; k < all->count && made->points < 1024; ++k) {
    const machine_result *item = &all->items[k];
    machine_case at;
    if (strcmp(item->test, test) != 0 || item->unit != MACHINE_CYCLES ||
        !machine_plan_find(test, &at))
      continue;
    at.sms = item->sms;
    at.warps = item->warps;
    at.n = item->n;
    at.bytes = item->bytes;
    double cycles = machine_predict(&to->machine, &at);
    if (cycles < 0)
      continue;
    double error = fabs(cycles - item->value.median) / item->value.median;
    errors[made->points++] = error;
    if (error < made->worst)
      continue;
    made->worst = error;
    made->sms = item->sms;
    made->warps = item->warps;
    made->n = item->n;
    made->bytes = item->bytes;
    made->measured = item->value.median;
    made->predicted = cycles;
  }
  qsort(errors, made->points, sizeof *errors, by_value);
  made->median = made->points ? errors[made->points / 2] : 0;
  to->n_checks += made->points > 0;
}

static void check_all(const machine_results *all, machine_costs *to) {
  for (unsigned k = 0; k < all->count && to->n_checks < MACHINE_CHECKS_MAX; ++k) {
    const char *test = all->items[k].test;
    bool done = false;
    for (unsigned c = 0; c < to->n_checks; ++c)
      done |= strcmp(to->checks[c].test, test) == 0;
    if (!done)
      check(all, test, to);
  }
}

static void name_device(const char *origin, dc_machine *machine) {
  const char *end = strstr(origin, " (sm_");
  int length = end ? (int)(end - origin) : 0;
  snprintf(machine->device, sizeof machine->device, "%.*s", length, origin);
  snprintf(machine->provenance, sizeof machine->provenance, "measured on %.110s", origin);
}

dc_status machine_costs_fit(const machine_results *measured, machine_costs *result,
                            dc_error *error) {
  fitting f = {.all = measured, .to = result};
  *result = (machine_costs){.n_checks = 0};
  look(&f);
  for (unsigned k = 0; k < DC_MACHINE_FIELDS; ++k) {
    const dc_machine_field *field = &dc_machine_fields[k];
    fit_unknown figure = fit_field(&f, field->name);
    if (!figure.known)
      return dc_fail(error, DC_ERROR_ARGUMENT, "the measurements don't tell %s", field->name);
    if (!(figure.value >= field->least && figure.value <= field->most))
      return dc_fail(error, DC_ERROR_ARGUMENT, "%s is %.6g %s, which makes no sense", field->name,
                     figure.value, field->unit);
    result->figures[k] = figure;
    dc_machine_set(&result->machine, k, figure.value);
  }
  name_device(measured->origin, &result->machine);
  result->machine.known = true;
  check_all(measured, result);
  return DC_OK;
}

const char *machine_costs_how(unsigned field) {
  static const struct {
    const char *name, *how;
  } all[] = {
      {"clock", "64 warps on each SM, the lower one of additions and of walks through DRAM"},
      {"sms", "as the driver says"},
      {"schedulers", "published"},
      {"issue", "a mix of integer and fp32 instructions, 32 or 64 warps on an SM"},
      {"alu", "one warp, each instruction needing the one before: between integer and fp32"},
      {"branch", "one warp, loops of 1 to 16 such instructions that end by what they compute: what "
                 "is left for none"},
      {"shared", "one warp, each load needing the one before"},
      {"l1", "one warp, each load needing the one before, without 10 cycles for its address"},
      {"shared_more", "one warp, conflicts of degree 1 to 32"},
      {"l1_more", "one warp on each SM, 1 to 32 lines at random in L1"},
      {"l2", "one warp on each SM, as l1, past L1, 1 MiB"},
      {"l2_far", "as l2, from 8 MiB to half of L2: the median"},
      {"l2_more", "one warp on each SM, 1 to 32 lines at random, as l2"},
      {"dram", "one warp on each SM, as l1, in memory of more than 8 times L2"},
      {"dram_more", "one warp on each SM, 1 to 32 lines at random, as dram"},
      {"l1_request",
       "64 warps, 1 to 32 lines at random in L1, shares of what was measured: what is "
       "left for none"},
      {"l1_line", "the same: for each line"},
      {"shared_wavefront", "16 to 64 warps, conflicts of degree 2 to 32"},
      {"l2_sector", "all SMs, 32 sectors at random for each request"},
      {"l2_line_sector",
       "all SMs, 4 lines at random for each request, from 8 MiB to half of L2: the median"},
      {"l2_sector_alone", "one SM, 32 sectors at random for each request"},
      {"dram_sector", "as l2_sector, in memory of more than 8 times L2"},
      {"dram_line_sector", "all SMs, 4 lines at random for each request, or one after the other"},
      {"dram_sector_alone", "as l2_sector_alone, in memory of more than 8 times L2"},
      {"l2_write_sector", "all SMs, 8 or 32 words of 16 MiB at random for each request"},
      {"l2_write_line_sector", "all SMs, a line of 16 MiB at random for each request"},
      {"dram_write_sector",
       "all SMs, 4 sectors at random for each request, in memory of more than 8 times L2"},
      {"dram_write_line_sector",
       "all SMs, a line at random for each request, or one after the other, "
       "in memory of more than 8 times L2"},
      {"shuffle", "one warp, each shuffle needing the one before"},
      {"barrier", "blocks of one warp"},
      {"atomic", "one lane of the GPU, each addition needing the one before, without 10 cycles for "
                 "its address"},
      {"shared_atomic", "one warp, a word for each lane, each addition needing the one before"},
      {"atomic_sector", "all SMs, a sector for each lane, results used"},
      {"reduce_sector", "all SMs, a sector for each lane, results not used"},
      {"same_address", "all SMs, 32 warps on each, one lane of a warp, one address"},
      {"block_start",
       "blocks of 4 to 32 warps, in 4 waves: from an end to the start that follows it "
       "on the SM, mean; what is left for no warp"},
      {"block_start_warp", "the same: for each warp"},
      {"block_each", "empty kernels of 8448 and 67584 blocks between two events"},
      {"launch_low", "one more of 21 empty kernels, launched while the GPU was busy"},
      {"launch_high", "one empty kernel between two events on an idle GPU, median of 200"},
      {"l1_bytes", "the largest walk that is hardly slower than the smallest"},
      {"l2_bytes", "64 warps on each SM, 32 sectors at random: times between those in L2 and those "
                   "in far more, by the share that misses"},
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
    if (strcmp(all[k].name, dc_machine_fields[field].name) == 0)
      return all[k].how;
  return "";
}

void machine_costs_print(FILE *file, const machine_costs *costs) {
  fprintf(file, "\nThe machine\n");
  for (unsigned k = 0; k < DC_MACHINE_FIELDS; ++k)
    fprintf(file, "  %-28s %12.6g +- %-10.3g %s\n", dc_machine_fields[k].name,
            costs->figures[k].value, costs->figures[k].error, dc_machine_fields[k].unit);
  fprintf(file, "\nPredicted with these     points   median    worst   there: SMs, warps, n, KiB, "
                "measured, predicted\n");
  for (unsigned k = 0; k < costs->n_checks; ++k) {
    const machine_check *c = &costs->checks[k];
    fprintf(file, "  %-22s %6u  %6.1f%%  %6.1f%%   %u, %u, %u, %.0f, %.6g, %.6g\n", c->test,
            c->points, 100 * c->median, 100 * c->worst, c->sms, c->warps, c->n,
            (double)c->bytes / 1024, c->measured, c->predicted);
  }
}
