// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_measure.h"

#include <stdlib.h>
#include <string.h>

#include "machine_kernels.h"

enum { LAUNCHES = 5, SMS_MOST = 1024, EMPTY_LAUNCHES = 200, EMPTY_BEHIND = 21 };

typedef struct measuring {
  machine_kernels kernels;
  machine_room room;
  machine_results *all;
  machine_show *show;
  unsigned done;
  uint64_t filled;      // bytes of memory that are walks now,
  unsigned filled_unit; // in such units; 0: all is zero
  dc_status status;
  dc_error *error;
} measuring;

static int by_value(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static double median(double *values, unsigned count) {
  qsort(values, count, sizeof *values, by_value);
  return count ? values[count / 2] : -1;
}

// The median over the SMs that ran as many warps as asked for, of the cycles from the first start
// to the last end; -1 where none did.
static double cycles_of(const machine_span *spans, unsigned count, unsigned warps) {
  static struct {
    long long start, end;
    unsigned warps;
  } at[SMS_MOST];
  static double values[SMS_MOST];
  unsigned full = 0;
  memset(at, 0, sizeof at);
  for (unsigned s = 0; s < count; ++s) {
    long long sm = spans[s].multiprocessor;
    if (sm < 0 || sm >= SMS_MOST)
      continue;
    if (at[sm].warps == 0 || spans[s].start < at[sm].start)
      at[sm].start = spans[s].start;
    if (at[sm].warps == 0 || spans[s].end > at[sm].end)
      at[sm].end = spans[s].end;
    ++at[sm].warps;
  }
  for (unsigned sm = 0; sm < SMS_MOST; ++sm)
    if (at[sm].warps == warps)
      values[full++] = (double)(at[sm].end - at[sm].start);
  return median(values, full);
}

static double clock_of(const machine_span *spans, unsigned count) {
  double cycles = 0, nanoseconds = 0;
  for (unsigned s = 0; s < count; ++s) {
    cycles += (double)(spans[s].end - spans[s].start);
    nanoseconds += (double)spans[s].nanoseconds;
  }
  return nanoseconds > 0 ? cycles / nanoseconds * 1e9 : -1;
}

// --- one case ------------------------------------------------------------------------------------

static machine_job job_of(const machine_case *item, unsigned launch) {
  return (machine_job){.steps = item->steps,
                       .n = item->n,
                       .units = (unsigned)(item->bytes >> item->unit_log2),
                       .unit_log2 = item->unit_log2,
                       .warm = strcmp(item->kernel, "gather_ca") == 0 ? (unsigned)item->bytes : 0,
                       .lane_stride = item->lane_stride,
                       .warp_stride = item->warp_stride,
                       .seed = 1 + launch * 12345};
}

// Atomics come first in the plan, while all is zero.
static dc_status prepare(measuring *m, const machine_case *item) {
  bool walks = item->bytes > 0 && strncmp(item->kernel, "atomic_", 7) != 0;
  if (!walks && m->filled_unit > 0 && item->bytes > 0)
    return dc_fail(m->error, DC_ERROR_ARGUMENT, "%s: memory isn't zero any more", item->test);
  if (!walks || (m->filled == item->bytes && m->filled_unit == item->unit_log2))
    return DC_OK;
  m->filled = item->bytes;
  m->filled_unit = item->unit_log2;
  return machine_launch(&m->kernels, "fill", (gpu_launch_dims){.grid = m->room.sms, .block = 1024},
                        job_of(item, 0), false, NULL, m->error);
}

static dc_status launch(measuring *m, const machine_case *item, unsigned number, double *value) {
  unsigned blocks = item->warps > 32 ? item->warps / 32 : 1; // on each SM
  gpu_launch_dims shape = {.grid = item->sms * blocks, .block = LANES * (item->warps / blocks)};
  dc_status status =
      machine_launch(&m->kernels, item->kernel, shape, job_of(item, number), true, NULL, m->error);
  unsigned count = item->sms * item->warps;
  if (status != DC_OK)
    return status;
  *value = item->is_clock ? clock_of(m->kernels.read, count)
                          : cycles_of(m->kernels.read, count, item->warps) / item->steps;
  return DC_OK;
}

static machine_result result_of(const machine_case *item, double *values, unsigned count) {
  machine_result result = {.sms = item->sms,
                           .warps = item->warps,
                           .n = item->n,
                           .bytes = item->bytes,
                           .steps = item->steps,
                           .unit = item->is_clock ? MACHINE_HERTZ : MACHINE_CYCLES,
                           .value = sample_of(values, count)};
  snprintf(result.test, sizeof result.test, "%s", item->test);
  return result;
}

// The first launch brings what the others find: code, memory in caches, the clock.
static bool measure_case(void *context, const machine_case *item) {
  measuring *m = context;
  double values[LAUNCHES], unused;
  if (m->show)
    m->show(item->test, m->done);
  ++m->done;
  m->status = prepare(m, item);
  if (m->status == DC_OK)
    m->status = launch(m, item, LAUNCHES, &unused);
  for (unsigned k = 0; m->status == DC_OK && k < LAUNCHES; ++k)
    m->status = launch(m, item, k, &values[k]);
  if (strstr(item->kernel, "_write"))
    m->filled = 0;
  if (m->status != DC_OK)
    return false;
  machine_result result = result_of(item, values, LAUNCHES);
  if (result.value.least > 0) // else the blocks were not spread as they should have been
    m->status = machine_results_add(m->all, &result, m->error);
  return m->status == DC_OK;
}

// --- launches ------------------------------------------------------------------------------------

static dc_status add(measuring *m, const char *test, unsigned n, machine_unit unit, double *values,
                     unsigned count) {
  machine_result result = {.sms = m->room.sms, .n = n, .unit = unit};
  snprintf(result.test, sizeof result.test, "%s", test);
  result.value = sample_of(values, count);
  return machine_results_add(m->all, &result, m->error);
}

// An empty kernel of so many blocks between two events, on a GPU that has nothing else to do.
static dc_status measure_apart(measuring *m, unsigned blocks) {
  double values[EMPTY_LAUNCHES];
  dc_status status = DC_OK;
  for (unsigned k = 0; status == DC_OK && k < EMPTY_LAUNCHES; ++k)
    status = machine_launch(&m->kernels, "empty", (gpu_launch_dims){.grid = blocks, .block = 128},
                            (machine_job){0}, false, &values[k], m->error);
  return status == DC_OK ? add(m, "empty_apart", blocks, MACHINE_SECONDS, values, EMPTY_LAUNCHES)
                         : status;
}

// `times` empty kernels while another one keeps the GPU from starting them: what the host needs to
// launch doesn't count.
static dc_status measure_behind(measuring *m, unsigned times) {
  double values[EMPTY_LAUNCHES];
  machine_job stay = {.steps = 500000}, none = {0};
  machine_kernels *k = &m->kernels;
  void *first_arguments[] = {&k->memory, &k->spans, &k->sink, &stay};
  void *arguments[] = {&k->memory, &k->spans, &k->sink, &none};
  gpu_work first = {.shape = {.grid = 1, .block = LANES}, .arguments = first_arguments};
  gpu_work work = {.shape = {.grid = m->room.sms, .block = 128}, .arguments = arguments};
  dc_status status = gpu_find(k->device, k->module, "stay", &first.kernel, m->error);
  if (status == DC_OK)
    status = gpu_find(k->device, k->module, "empty", &work.kernel, m->error);
  for (unsigned l = 0; status == DC_OK && l < EMPTY_LAUNCHES; ++l)
    status = gpu_launch_behind(k->device, &first, &work, times, &values[l], m->error);
  return status == DC_OK ? add(m, "empty_behind", times, MACHINE_SECONDS, values, EMPTY_LAUNCHES)
                         : status;
}

// ---- blocks that wait ---------------------------------------------------------------------------

// Where there is room for so many by their warps.
static unsigned blocks_on_sm(unsigned by_warps) {
  enum { MOST = 32 }; // of compute capabilities 8.0 and 9.0
  return by_warps < MOST ? by_warps : MOST;
}

static int by_time(const void *a, const void *b) {
  long long left = *(const long long *)a, right = *(const long long *)b;
  return (left > right) - (left < right);
}

// Nanoseconds on an SM from each end to the start of the block that takes its place: where r blocks
// have room, the n-th start follows the (n - r)-th end.
static void add_gaps(const machine_span *spans, unsigned blocks, unsigned warps, unsigned resident,
                     long long sm, double *sum, unsigned *count) {
  enum { MOST = 1024 };
  static long long starts[MOST], ends[MOST];
  unsigned n = 0;
  for (unsigned b = 0; b < blocks; ++b) {
    const machine_span *of = &spans[(size_t)b * warps];
    if (of->multiprocessor != sm || n == MOST)
      continue;
    starts[n] = of->start;
    ends[n] = of->end;
    for (unsigned w = 1; w < warps; ++w) {
      starts[n] = of[w].start < starts[n] ? of[w].start : starts[n];
      ends[n] = of[w].end > ends[n] ? of[w].end : ends[n];
    }
    ++n;
  }
  qsort(starts, n, sizeof *starts, by_time);
  qsort(ends, n, sizeof *ends, by_time);
  for (unsigned k = resident; k < n; ++k, ++*count)
    *sum += (double)(starts[k] - ends[k - resident]);
}

// Blocks of so many warps that stay for different times, more than there is room for.
static dc_status measure_starts(measuring *m, unsigned warps) {
  enum { WAVES = 4, STAY = 20000 }; // nanoseconds
  unsigned resident = blocks_on_sm(m->room.warps / warps);
  unsigned blocks = m->room.sms * resident * WAVES;
  gpu_launch_dims shape = {.grid = blocks, .block = LANES * warps};
  double values[LAUNCHES];
  dc_status status = DC_OK;
  for (unsigned l = 0; status == DC_OK && l < LAUNCHES; ++l) {
    machine_job job = {.steps = STAY, .seed = l + 1};
    double sum = 0;
    unsigned count = 0;
    status = machine_launch(&m->kernels, "rest", shape, job, true, NULL, m->error);
    for (unsigned sm = 0; status == DC_OK && sm < m->room.sms; ++sm)
      add_gaps(m->kernels.read, blocks, warps, resident, sm, &sum, &count);
    values[l] = count ? sum / count * 1e-9 : -1;
  }
  machine_result result = {.sms = m->room.sms,
                           .warps = warps,
                           .n = WAVES,
                           .steps = STAY,
                           .unit = MACHINE_SECONDS,
                           .value = sample_of(values, LAUNCHES)};
  snprintf(result.test, sizeof result.test, "block_start");
  bool waited = result.value.least > 0; // else some blocks ran where they weren't looked for
  return status == DC_OK && waited ? machine_results_add(m->all, &result, m->error) : status;
}

static dc_status measure_launches(measuring *m) {
  static const unsigned blocks[] = {1, 132, 1056, 8448, 67584};
  dc_status status = DC_OK;
  for (unsigned b = 0; status == DC_OK && b < sizeof blocks / sizeof *blocks; ++b)
    status = measure_apart(m, blocks[b]);
  if (status == DC_OK)
    status = measure_behind(m, 1);
  if (status == DC_OK)
    status = measure_behind(m, EMPTY_BEHIND);
  for (unsigned warps = 4; status == DC_OK && warps <= 32; warps *= 2)
    status = measure_starts(m, warps);
  double l2 = (double)gpu_what(m->kernels.device)->l2_bytes;
  if (status == DC_OK && l2 > 0)
    status = add(m, "l2_bytes", 0, MACHINE_BYTES, &l2, 1);
  return status;
}

// --- all of it -----------------------------------------------------------------------------------

// Half of the memory at most, since others may use some.
static machine_room room_of(const gpu_facts *facts) {
  uint64_t bytes = facts->memory / 2;
  return (machine_room){.sms =
                            facts->multiprocessors < SMS_MOST ? facts->multiprocessors : SMS_MOST,
                        .warps = facts->threads / LANES,
                        .bytes = bytes < MACHINE_BYTES_MAX ? bytes : MACHINE_BYTES_MAX};
}

dc_status machine_measure(gpu *device, machine_results *all, machine_show *show, dc_error *error) {
  measuring m = {.room = room_of(gpu_what(device)), .all = all, .show = show, .error = error};
  m.status = machine_kernels_load(device, m.room.bytes, 67584 * 4, &m.kernels, error);
  if (m.status != DC_OK)
    return m.status;
  machine_plan(&m.room, measure_case, &m);
  if (m.status == DC_OK)
    m.status = measure_launches(&m);
  machine_kernels_free(&m.kernels);
  return m.status;
}

// --- where blocks run ----------------------------------------------------------------------------

typedef struct placement {
  unsigned threads, waves; // of a block; blocks as if so many waves fit
  unsigned seed;           // 0: all blocks take as long
  unsigned stay;           // warps of a block that don't end at once; 0: all
} placement;

static dc_status place(machine_kernels *kernels, const placement *how, unsigned number, FILE *file,
                       dc_error *error) {
  const gpu_facts *facts = gpu_what(kernels->device);
  unsigned per_sm = facts->threads / how->threads, warps = how->threads / LANES;
  unsigned blocks =
      facts->multiprocessors * blocks_on_sm(per_sm) * how->waves + facts->multiprocessors / 2;
  machine_job job = {.steps = 50000, .n = how->stay, .seed = how->seed};
  dc_status status =
      machine_launch(kernels, "stay", (gpu_launch_dims){.grid = blocks, .block = how->threads}, job,
                     true, NULL, error);
  if (status != DC_OK)
    return status;
  long long first = kernels->read[0].start;
  for (unsigned b = 0; b < blocks; ++b)
    first = kernels->read[b * warps].start < first ? kernels->read[b * warps].start : first;
  for (unsigned b = 0; b < blocks; ++b) {
    const machine_span *span = &kernels->read[b * warps];
    fprintf(file, "%u\t%u\t%u\t%u\t%u\t%lld\t%lld\t%lld\n", number, how->threads, how->stay,
            how->seed > 0, b, span->multiprocessor, span->start - first, span->end - first);
  }
  return DC_OK;
}

dc_status machine_place_blocks(gpu *device, FILE *file, dc_error *error) {
  static const placement launches[] = {{1024, 2, 0, 0}, {1024, 2, 0, 0}, {256, 2, 0, 0},
                                       {256, 2, 7, 0},  {64, 2, 0, 0},   {1024, 4, 7, 0},
                                       {512, 4, 0, 1},  {512, 4, 7, 1},  {512, 4, 7, 0}};
  const gpu_facts *facts = gpu_what(device);
  unsigned most = facts->multiprocessors * (facts->threads / LANES) * 5;
  machine_kernels kernels;
  dc_status status = machine_kernels_load(device, 1 << 20, most, &kernels, error);
  if (status != DC_OK)
    return status;
  fprintf(file, "launch\tthreads\tstay\tvaries\tblock\tsm\tstart\tend\n");
  for (unsigned k = 0; status == DC_OK && k < sizeof launches / sizeof *launches; ++k)
    status = place(&kernels, &launches[k], k, file, error);
  machine_kernels_free(&kernels);
  return status;
}
