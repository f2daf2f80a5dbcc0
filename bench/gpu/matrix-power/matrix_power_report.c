// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the matrix power: the paper's A100, the models, and what was measured.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "divcost/imbalance.h"
#include "power_model.h"

static const char help[] =
    "usage: matrix-power-report [--paper TABLE] PREFIX\n"
    "Reads PREFIX-cells.tsv, -terms.tsv and -profiles.tsv, which gpu-matrix-power wrote, and "
    "prints\n"
    "a line of tab-separated values for each cell, then the errors. TABLE: table 1 of Swatman et\n"
    "al. as tab-separated values, for the columns mu_A (modelled) and mu_M (measured, A100).\n"
    "Losses are lanes * (longest time) / (sum of times); errors are in percent.\n"
    "  mu        expected imbalance of the law\n"
    "  clock     measured by the lanes' clocks; sync: with __syncwarp() in each iteration\n"
    "  fixed     mu with what is measured by itself: entering the loop, the first iteration\n"
    "  profiled  mu with the iterations as long as they were in the cell, by number: no "
    "prediction\n"
    "  shared    by the model of warps that share a multiprocessor\n"
    "  time      the kernel's time over that of a balanced workload of the same total, measured;\n"
    "            counts: what the longest counts of warps make of it; modelled: as shared\n"
    "The columns with 1 are of blocks of one group, those with 8 of 256 threads, 8 warps.\n";

typedef struct row {
  double paper_model, paper_measured, mu;
  const power_cell *one, *one_sync, *eight, *eight_sync;
  double fixed, one_profiled, eight_profiled, one_shared, eight_shared, one_time, eight_time;
  double eight_counts; // E[max over a warp] / E[mean]
} row;

static const char columns[] =
    "law\tlanes\tmu_A\tmu_M\tmu\tclock1\terror\tsync1\tfixed1\terror\tprofiled1\terror"
    "\tshared1\terror\tclock8\tsync8\terror\tprofiled8\terror\tshared8\terror"
    "\ttime1\tcounts1\tmodelled1\ttime8\tcounts8\tmodelled8\n";

// --- the paper's table ---------------------------------------------------------------------------

typedef struct paper {
  double modelled[POWER_LAWS][POWER_SIZES], measured[POWER_LAWS][POWER_SIZES];
} paper;

static void take_line(char *line, paper *table) {
  char *fields[5], *rest = line;
  unsigned count = 0;
  for (; count < 5 && (fields[count] = strtok_r(rest, "\t\n", &rest)); ++count)
    continue;
  for (unsigned law = 0; count == 5 && law < POWER_LAWS; ++law)
    for (unsigned s = 0; s < POWER_SIZES; ++s)
      if (strcmp(power_laws[law].paper, fields[0]) == 0 &&
          strtoul(fields[1], NULL, 10) == power_sizes[s]) {
        table->modelled[law][s] = strtod(fields[2], NULL);
        table->measured[law][s] = strtod(fields[4], NULL);
      }
}

static dc_status read_paper(const char *path, paper *table, dc_error *error) {
  char line[256];
  FILE *file = fopen(path, "r");
  if (!file)
    return dc_fail(error, DC_ERROR_FILE, "cannot read '%.150s': %s", path, strerror(errno));
  while (fgets(line, sizeof line, file))
    take_line(line, table);
  fclose(file);
  return DC_OK;
}

// --- rows ----------------------------------------------------------------------------------------

// The loss by clocks, and the time over that of a balanced workload, by the model.
static dc_status share(const power_results *from, const power_law *law, const power_cell *cell,
                       double *clock, double *time, dc_error *error) {
  static sharing how;
  size_t threads = (size_t)cell->groups * cell->lanes;
  int *counts = malloc(2 * threads * sizeof *counts);
  shared_time real, even;
  if (!counts)
    return dc_fail(error, DC_ERROR_MEMORY, "out of memory");
  power_draw(law, cell->law, cell->lanes, cell->groups, counts);
  power_balance(counts, (unsigned)threads, cell->block < LANES ? cell->block : LANES,
                counts + threads);
  dc_status status = power_sharing(from, cell, &how, error);
  if (status == DC_OK)
    status = sharing_simulate(&how, counts, threads, &real, error);
  if (status == DC_OK)
    status = sharing_simulate(&how, counts + threads, threads, &even, error);
  if (status == DC_OK) {
    *clock = real.expected;
    *time = real.cycles / even.cycles;
  }
  free(counts);
  return status;
}

static dc_status find_cells(const power_results *from, unsigned law, unsigned lanes, row *into,
                            dc_error *error) {
  into->one = power_cell_find(from, law, lanes, true, false);
  into->one_sync = power_cell_find(from, law, lanes, true, true);
  into->eight = power_cell_find(from, law, lanes, false, false);
  into->eight_sync = power_cell_find(from, law, lanes, false, true);
  if (!into->one || !into->one_sync || !into->eight || !into->eight_sync)
    return dc_fail(error, DC_ERROR_ARGUMENT,
                   "%s with %u lanes wasn't measured in both kinds of blocks, with and without "
                   "__syncwarp()",
                   power_laws[law].paper, lanes);
  return DC_OK;
}

static dc_status make_row(const power_results *from, const power_law *law, unsigned number,
                          unsigned lanes, row *into, dc_error *error) {
  power_times times;
  dc_status status = find_cells(from, number, lanes, into, error);
  if (status == DC_OK)
    status = dc_expected_imbalance(&law->distribution, lanes, &into->mu, error);
  if (status == DC_OK)
    status = dc_aggregate_imbalance(&law->distribution, LANES, &into->eight_counts, error);
  if (status == DC_OK)
    status = power_times_of(from, into->one, &times, error);
  if (status == DC_OK)
    status = power_corrected(law, lanes, &times, &into->fixed, error);
  if (status == DC_OK)
    status = power_profiled(from, law, into->one, &into->one_profiled, error);
  if (status == DC_OK)
    status = power_profiled(from, law, into->eight, &into->eight_profiled, error);
  if (status == DC_OK)
    status = share(from, law, into->one, &into->one_shared, &into->one_time, error);
  if (status == DC_OK)
    status = share(from, law, into->eight, &into->eight_shared, &into->eight_time, error);
  return status;
}

// --- output --------------------------------------------------------------------------------------

static double percent(double measured, double modelled) { return 100 * (measured / modelled - 1); }

static void print_model(double measured, double modelled) {
  printf("\t%.4f\t%+.2f", modelled, percent(measured, modelled));
}

static void print_row(const row *of) {
  printf("%s\t%u\t%.3f\t%.3f\t%.4f", power_laws[of->one->law].paper, of->one->lanes,
         of->paper_model, of->paper_measured, of->mu);
  printf("\t%.4f\t%+.2f\t%.4f", of->one->expected, percent(of->one->expected, of->mu),
         of->one_sync->expected);
  print_model(of->one->expected, of->fixed);
  print_model(of->one->expected, of->one_profiled);
  print_model(of->one->expected, of->one_shared);
  printf("\t%.4f\t%.4f\t%+.2f", of->eight->expected, of->eight_sync->expected,
         percent(of->eight->expected, of->mu));
  print_model(of->eight->expected, of->eight_profiled);
  print_model(of->eight->expected, of->eight_shared);
  printf("\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\n", of->one->seconds / of->one->balanced,
         of->one->drawn_aggregate, of->one_time, of->eight->seconds / of->eight->balanced,
         of->eight_counts, of->eight_time);
}

// Sorts errors by size; the middle one and the largest.
static void print_errors(const char *what, double *errors, unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    errors[i] = fabs(errors[i]);
  sample of = sample_of(errors, count);
  printf("# %s: median error %.2f%%, worst %.2f%%\n", what, of.median, of.greatest);
}

// What is measured and modelled of a row.
typedef struct comparison {
  const char *what;
  double measured, modelled;
} comparison;

enum { CLOCKS = 9, TIMES = 6 };

static void compare_clocks(const row *of, comparison all[CLOCKS]) {
  double one = of->one->expected, eight = of->eight->expected;
  const comparison found[] = {
      {"blocks of one warp, clocks against mu", one, of->mu},
      {"blocks of one warp, clocks against mu with entry and first iteration", one, of->fixed},
      {"blocks of one warp, clocks against the iterations as sampled", one, of->one_profiled},
      {"blocks of one warp, clocks against the sharing model", one, of->one_shared},
      {"blocks of one warp, clocks with __syncwarp() against none", of->one_sync->expected, one},
      {"blocks of 256 threads, clocks against mu", eight, of->mu},
      {"blocks of 256 threads, clocks against the iterations as sampled", eight,
       of->eight_profiled},
      {"blocks of 256 threads, clocks against the sharing model", eight, of->eight_shared},
      {"blocks of 256 threads, clocks with __syncwarp() against none", of->eight_sync->expected,
       eight}};
  memcpy(all, found, sizeof found);
}

static void compare_times(const row *of, comparison all[TIMES]) {
  double one = of->one->seconds / of->one->balanced;
  double eight = of->eight->seconds / of->eight->balanced;
  const comparison found[] = {
      {"blocks of one warp, time against the counts", one, of->one->drawn_aggregate},
      {"blocks of one warp, time against the sharing model", one, of->one_time},
      {"blocks of one warp, time with __syncwarp() against none", of->one_sync->seconds,
       of->one->seconds},
      {"blocks of 256 threads, time against the counts", eight, of->eight_counts},
      {"blocks of 256 threads, time against the sharing model", eight, of->eight_time},
      {"blocks of 256 threads, time with __syncwarp() against none", of->eight_sync->seconds,
       of->eight->seconds}};
  memcpy(all, found, sizeof found);
}

static void print_summary(const row *rows, unsigned count) {
  comparison all[CLOCKS + TIMES] = {0};
  for (unsigned c = 0; c < CLOCKS + TIMES; ++c) {
    double errors[POWER_LAWS * POWER_SIZES];
    for (unsigned r = 0; r < count; ++r) {
      compare_clocks(&rows[r], all);
      compare_times(&rows[r], all + CLOCKS);
      errors[r] = percent(all[c].measured, all[c].modelled);
    }
    print_errors(all[c].what, errors, count);
  }
}

// Terms that the models have from crowds of other sizes.
static void print_note(const power_results *from, const power_cell *cell) {
  unsigned warps = power_resident_warps(cell);
  for (power_term_kind kind = TERM_SETUP; kind < TERM_TOTAL; ++kind)
    if (!power_term_find(from, "crowd", kind, warps, warps, LANES, LANES, false))
      printf("# %s: not measured for %u warps, taken from smaller and larger crowds\n",
             power_term_name(kind), warps);
}

static dc_status report(const power_results *from, const paper *table, dc_error *error) {
  row rows[POWER_LAWS * POWER_SIZES] = {0};
  unsigned count = 0;
  dc_status status = DC_OK;
  printf("# %s\n%s", from->origin, columns);
  for (unsigned number = 0; status == DC_OK && number < POWER_LAWS; ++number) {
    power_law law;
    status = power_law_open(number, &law, error);
    for (unsigned s = 0; status == DC_OK && s < POWER_SIZES; ++s) {
      row *into = &rows[count++];
      into->paper_model = table->modelled[number][s];
      into->paper_measured = table->measured[number][s];
      status = make_row(from, &law, number, power_sizes[s], into, error);
      if (status == DC_OK)
        print_row(into);
    }
    power_law_close(&law);
  }
  if (status == DC_OK) {
    print_note(from, rows[0].eight);
    print_summary(rows, count);
  }
  return status;
}

int main(int count, char **arguments) {
  const char *path = NULL;
  bool with_paper = count == 4 && strcmp(arguments[1], "--paper") == 0;
  if (with_paper)
    path = arguments[2];
  if (!with_paper && (count != 2 || arguments[1][0] == '-')) {
    bool asked = count == 2 && strcmp(arguments[1], "--help") == 0;
    fputs(help, asked ? stdout : stderr);
    return asked ? 0 : 2;
  }
  dc_error error;
  power_results results = {0};
  paper table = {0};
  dc_status status = path ? read_paper(path, &table, &error) : DC_OK;
  if (status == DC_OK)
    status = power_results_read(arguments[count - 1], &results, &error);
  if (status == DC_OK)
    status = report(&results, &table, &error);
  power_results_free(&results);
  if (status != DC_OK)
    fprintf(stderr, "matrix-power-report: %s\n", error.text);
  return status == DC_OK ? 0 : 1;
}
