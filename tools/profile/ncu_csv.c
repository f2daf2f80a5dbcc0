// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format, as ncu 2025.3 writes it. The output of the program that was profiled, and lines that
// begin with "==", may stand before it. It isn't quite CSV: quotes within a source line aren't
// doubled, so a row of the source page is its first field and its last ones, and what is between is
// the source. That page is
//
//     "File Path","/src/app.cu"
//     "Function Name","_Z4spmviPKiPKfPf"
//     "Line No","Source","Address","Source","inst_executed","thread_inst_executed"
//     "7","int row = blockIdx.x * blockDim.x + threadIdx.x;","-","-","8192","262144"
//     "","","0x7f8f137ac210","      S2R R0, SR_CTAID.X","2048","65536"
//
// for each file of each launch, and there for the kernel and each function that isn't inlined. An
// instruction stands below its own line and below those of all the
// calls that were inlined around it, in each up to twice: it is taken by its address, once. The
// columns go by the names of metrics or by their labels, whichever sections were collected.
#define _POSIX_C_SOURCE 200809L

#include "profile/ncu_csv.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

#define HOW                                                                                        \
  "ncu --import FILE --page source --csv --print-source cuda,sass --print-kernel-base mangled"

// An instruction below a line.
typedef struct listed {
  uint64_t address, warps, lanes;
  size_t text; // in reader.text
  uint32_t line;
  dc_instruction_use use;
} listed;

// A table: the instructions of a function that a file has lines of.
typedef struct block {
  char *symbol;
  uint32_t first; // instruction in reader.list
  bool is_kernel; // it loads the stack pointer, as kernels do first
} block;

typedef struct columns {
  uint32_t count;
  uint32_t address, sass, warps, lanes; // of a source page
  uint32_t samples[DC_WAIT_COUNT], all_samples, taken[DC_TRAFFIC_COUNT], ideal[DC_TRAFFIC_COUNT];
  uint32_t name, block, time; // of a raw page
} columns;

typedef enum page {
  PAGE_NONE,
  PAGE_SOURCE,
  PAGE_UNCOUNTED, // a source page without the counts
  PAGE_RAW
} page;

typedef struct reader {
  dc_counts *counts;
  ncu_export *out;
  dc_error *error;
  unsigned row;  // of the file, from 1
  char **fields; // of the row
  uint32_t n_fields, fields_capacity;
  page page;
  columns columns;
  bool any;       // a page was there
  bool uncounted; // and one without counts
  bool no_lines;  // and a kernel without lines
  bool skips;     // the launch has such a one
  // launches that haven't ended yet
  char *file;
  dc_string_set files; // that they have had
  block *blocks;
  uint32_t n_blocks, blocks_capacity;
  uint32_t line; // that the instructions stand below, or NONE
  listed *list;
  uint32_t n_list, list_capacity;
  char *text;
  size_t text_size, text_capacity;
  // of raw rows
  double time_scale; // seconds in the unit of its column; 0: the row of units is still to come
} reader;

void ncu_export_free(ncu_export *out) {
  dc_string_set_free(&out->symbols);
  dc_string_set_free(&out->without_lines);
  free(out->kernels);
  *out = (ncu_export){0};
}

static dc_status no_memory(reader *r) {
  return dc_fail(r->error, DC_ERROR_MEMORY, "out of memory");
}

static dc_status fail(reader *r, const char *what) {
  return dc_fail(r->error, DC_ERROR_SYNTAX, "line %u: %s", r->row, what);
}

// Room for one more. False: out of memory.
static bool grow(void **array, uint32_t count, uint32_t *capacity, size_t size) {
  if (count < *capacity)
    return true;
  uint32_t wanted = *capacity ? 2 * *capacity : 64;
  void *more = wanted > *capacity ? realloc(*array, wanted * size) : NULL;
  if (!more)
    return false;
  *array = more;
  *capacity = wanted;
  return true;
}

static struct ncu_kernel *kernel_of(reader *r, const char *symbol) {
  ncu_export *out = r->out;
  bool added = false;
  if (!grow((void **)&out->kernels, out->symbols.count, &out->capacity, sizeof *out->kernels))
    return NULL;
  uint32_t number = dc_string_set_add(&out->symbols, symbol, strlen(symbol), &added);
  if (number == NONE)
    return NULL;
  if (added)
    out->kernels[number] = (struct ncu_kernel){0};
  return &out->kernels[number];
}

// ---- rows ---------------------------------------------------------------------------------------

// Splits a row in place, at ","; false: it is none.
static bool split(reader *r, char *row, bool *memory) {
  size_t length = strlen(row);
  *memory = true;
  r->n_fields = 0;
  if (length < 2 || row[0] != '"' || row[length - 1] != '"')
    return false;
  row[length - 1] = 0;
  for (char *at = row + 1; at;) {
    *memory = grow((void **)&r->fields, r->n_fields, &r->fields_capacity, sizeof *r->fields);
    if (!*memory)
      return false;
    r->fields[r->n_fields++] = at;
    char *end = strstr(at, "\",\"");
    if (end)
      *end = 0;
    at = end ? end + 3 : NULL;
  }
  return true;
}

// A field of a source row by its column, counted from the end: the source in between may look like
// several fields.
static char *field(const reader *r, uint32_t column) {
  return r->fields[r->n_fields - r->columns.count + column];
}

// Puts the source's text together again; it is the second column. Where it ends in what looks like
// the end of a field, the column behind it has that at its beginning.
static char *source_text(reader *r) {
  char *text = r->fields[1], **behind = &r->fields[r->n_fields - r->columns.count + 2];
  while (strncmp(*behind, ",\"", 2) == 0) {
    memcpy(*behind - 3, "\",", 3); // with its end
    *behind += 2;
  }
  for (uint32_t k = 2; k < r->n_fields - r->columns.count + 2; ++k)
    memcpy(r->fields[k] - 3, "\",\"", 3);
  return text;
}

// A count as ncu prints it, with commas between thousands, and perhaps zeroes behind a point.
static bool read_count(const char *text, uint64_t *out) {
  *out = 0;
  if (*text < '0' || *text > '9')
    return false;
  for (; (*text >= '0' && *text <= '9') || *text == ','; ++text) {
    if (*text == ',')
      continue;
    if (*out > UINT64_MAX / 10 - 1)
      return false;
    *out = *out * 10 + (uint64_t)(*text - '0');
  }
  if (*text == '.')
    text += 1 + strspn(text + 1, "0");
  return *text == 0;
}

static bool read_real(const char *text, double *out) {
  char plain[64], *end;
  size_t length = 0;
  for (; *text && length < sizeof plain - 1; ++text)
    if (*text != ',')
      plain[length++] = *text;
  plain[length] = 0;
  *out = strtod(plain, &end);
  return length > 0 && !*text && *end == 0 && *out >= 0 && *out < 1e18;
}

static uint32_t find_column(const reader *r, const char *const names[], uint32_t from) {
  for (const char *const *name = names; *name; ++name)
    for (uint32_t k = from; k < r->n_fields; ++k)
      if (strcmp(r->fields[k], *name) == 0)
        return k;
  return NONE;
}

// ---- the source page ----------------------------------------------------------------------------

static int compare_listed(const void *x, const void *y) {
  const listed *a = x, *b = y;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  return a->line < b->line ? -1 : a->line > b->line;
}

// The instructions list[n] by address, each once and with all its lines.
static uint32_t merge_listed(const reader *r, const listed *list, uint32_t n_list,
                             dc_counted_instruction *code, uint32_t *lines) {
  uint32_t n = 0, n_lines = 0;
  for (uint32_t k = 0; k < n_list; ++k) {
    const listed *at = &list[k];
    if (k == 0 || at->address != at[-1].address)
      code[n++] = (dc_counted_instruction){.address = at->address,
                                           .warps = at->warps,
                                           .lanes = at->lanes,
                                           .text = r->text + at->text,
                                           .first_line = n_lines,
                                           .use = at->use};
    else if (at->line == at[-1].line)
      continue;
    ++code[n - 1].n_lines;
    lines[n_lines++] = at->line;
  }
  return n;
}

static dc_status add_launch(reader *r, const char *symbol, listed *list, uint32_t n_list) {
  dc_counted_instruction *code = calloc((size_t)n_list + 1, sizeof *code);
  uint32_t *lines = calloc((size_t)n_list + 1, sizeof *lines), n = 0;
  struct ncu_kernel *kernel = kernel_of(r, symbol);
  dc_error reason = {.status = DC_ERROR_MEMORY, .text = "doesn't fit into memory"};
  dc_status status = DC_ERROR_MEMORY;
  if (code && lines && kernel) {
    if (n_list)
      qsort(list, n_list, sizeof *list, compare_listed);
    n = merge_listed(r, list, n_list, code, lines);
    status = dc_counts_add_launch(r->counts, symbol, code, n, lines, &reason);
  }
  if (status != DC_OK)
    dc_fail(r->error, status, "line %u: the launch of %.60s that ends here %s", r->row, symbol,
            reason.text);
  else
    ++kernel->listed;
  for (uint32_t k = 0; status == DC_OK && k < n; ++k)
    kernel->listed_warps += (double)code[k].warps;
  free(code);
  free(lines);
  return status;
}

// The launch of blocks[first] to blocks[end - 1]; a kernel without instructions is one that didn't
// end, if that can be.
static dc_status add_blocks(reader *r, uint32_t first, uint32_t end, const char *kernel) {
  uint32_t from = r->blocks[first].first;
  uint32_t to = end < r->n_blocks ? r->blocks[end].first : r->n_list;
  if (from == to && r->skips)
    return DC_OK;
  return add_launch(r, kernel ? kernel : r->blocks[first].symbol, r->list + from, to - from);
}

// Where the launch of a kernel begins, whose load of the stack pointer is in a block: with its
// first table behind those of the kernel before it.
static uint32_t begin_of_launch(const reader *r, uint32_t block, const char *before) {
  uint32_t begin = block;
  for (uint32_t b = block; strcmp(r->blocks[b].symbol, before) != 0; --b)
    if (strcmp(r->blocks[b].symbol, r->blocks[block].symbol) == 0)
      begin = b;
  return begin;
}

// Ends launches: of several kernels whose files follow each other each has its own.
static dc_status end_launches(reader *r) {
  dc_status status = DC_OK;
  const char *kernel = NULL;
  uint32_t first = 0;
  for (uint32_t b = 0; status == DC_OK && b < r->n_blocks; ++b) {
    if (!r->blocks[b].is_kernel)
      continue;
    if (kernel && strcmp(kernel, r->blocks[b].symbol) != 0) {
      uint32_t begin = begin_of_launch(r, b, kernel);
      status = add_blocks(r, first, begin, kernel);
      first = begin;
    }
    kernel = r->blocks[b].symbol;
  }
  if (status == DC_OK && r->n_blocks)
    status = add_blocks(r, first, r->n_blocks, kernel);
  for (uint32_t b = 0; b < r->n_blocks; ++b)
    free(r->blocks[b].symbol);
  r->n_blocks = r->n_list = 0;
  dc_string_set_free(&r->files);
  r->text_size = 0;
  r->skips = false;
  r->line = NONE;
  return status;
}

static dc_status check_symbol(reader *r, const char *symbol) {
  if (!*symbol)
    return fail(r, "the kernel has no name");
  if (strpbrk(symbol, " (<:"))
    return fail(r, "the kernel's name is demangled; export with --print-kernel-base mangled");
  return DC_OK;
}

static dc_status begin_function(reader *r) {
  r->page = PAGE_NONE;
  dc_status status = check_symbol(r, r->fields[1]);
  if (status != DC_OK)
    return status;
  if (!r->file)
    return fail(r, "a function without a file");
  if (!grow((void **)&r->blocks, r->n_blocks, &r->blocks_capacity, sizeof *r->blocks))
    return no_memory(r);
  block *added = &r->blocks[r->n_blocks];
  *added = (block){.symbol = strdup(r->fields[1]), .first = r->n_list};
  r->n_blocks += added->symbol != NULL;
  return added->symbol ? DC_OK : no_memory(r);
}

// A launch has its files in order, each once.
static dc_status begin_file(reader *r) {
  const char *file = r->fields[1];
  bool behind = !r->file || !r->n_blocks || strcmp(r->file, file) < 0, added = false;
  dc_status status = behind ? DC_OK : end_launches(r);
  if (status == DC_OK && dc_string_set_add(&r->files, file, strlen(file), &added) == NONE)
    return no_memory(r);
  if (status == DC_OK && !added)
    status = end_launches(r);
  free(r->file);
  r->file = strdup(file);
  r->page = PAGE_NONE;
  return status == DC_OK && !r->file ? no_memory(r) : status;
}

// Columns that a page may have, or not, from `from` on.
static void find_uses(reader *r, uint32_t from, columns *c) {
  static const char *const taken[][3] = {
      [DC_TRAFFIC_GLOBAL] = {"memory_l2_theoretical_sectors_global",
                             "L2 Theoretical Sectors Global", NULL},
      [DC_TRAFFIC_SHARED] = {"memory_l1_wavefronts_shared", "L1 Wavefronts Shared", NULL}};
  static const char *const ideal[][3] = {
      [DC_TRAFFIC_GLOBAL] = {"memory_l2_theoretical_sectors_global_ideal",
                             "L2 Theoretical Sectors Global Ideal", NULL},
      [DC_TRAFFIC_SHARED] = {"memory_l1_wavefronts_shared_ideal", "L1 Wavefronts Shared Ideal",
                             NULL}};
  for (unsigned t = 0; t < DC_TRAFFIC_COUNT; ++t) {
    c->taken[t] = find_column(r, taken[t], from);
    c->ideal[t] = find_column(r, ideal[t], from);
  }
  for (unsigned w = 0; w < DC_WAIT_COUNT; ++w) {
    char label[64], metric[96];
    const char *const names[] = {label, metric, NULL};
    snprintf(label, sizeof label, "stall_%s", dc_wait_name((dc_wait)w));
    snprintf(metric, sizeof metric, "smsp__pcsamp_warps_issue_stalled_%s",
             dc_wait_metric((dc_wait)w));
    c->samples[w] = find_column(r, names, from);
  }
  static const char *const all[] = {"smsp__pcsamp_sample_count", "# Samples", NULL};
  c->all_samples = find_column(r, all, from);
}

static dc_status begin_source(reader *r) {
  static const char *const address[] = {"Address", NULL}, *const sass[] = {"Source", NULL};
  static const char *const warps[] = {"inst_executed", "Instructions Executed", NULL};
  static const char *const lanes[] = {"thread_inst_executed", "Thread Instructions Executed", NULL};
  if (strcmp(r->fields[0], "Line No") != 0 && strcmp(r->fields[0], "#") != 0)
    return fail(r, "no such table is known");
  columns c = {.count = r->n_fields,
               .address = find_column(r, address, 0),
               .warps = find_column(r, warps, 0),
               .lanes = find_column(r, lanes, 0)};
  c.sass = c.address == NONE ? NONE : find_column(r, sass, c.address);
  if (c.address == NONE || c.sass == NONE || c.address < 2)
    return fail(r, "the page lacks instructions or lines; export with " HOW);
  if (c.warps == NONE || c.lanes == NONE) { // those of a launch that didn't end, if not all
    r->page = PAGE_UNCOUNTED;
    r->uncounted = r->skips = true;
    return DC_OK;
  }
  if (!r->n_blocks)
    return fail(r, "a table without a function; export with " HOW);
  find_uses(r, c.address, &c);
  r->columns = c;
  r->page = PAGE_SOURCE;
  r->any = true;
  r->line = NONE;
  return DC_OK;
}

static dc_status add_text(reader *r, const char *text, size_t *offset) {
  size_t size = strlen(text) + 1;
  if (r->text_capacity - r->text_size < size) {
    size_t capacity = 2 * r->text_capacity + size + 4096;
    char *more = realloc(r->text, capacity);
    if (!more)
      return no_memory(r);
    r->text = more;
    r->text_capacity = capacity;
  }
  *offset = r->text_size;
  memcpy(r->text + r->text_size, text, size);
  r->text_size += size;
  return DC_OK;
}

// The figure of a column that the page may have. False: it hasn't, or ncu doesn't know it.
static bool read_figure(const reader *r, uint32_t column, double *out) {
  *out = 0;
  return column != NONE && read_real(field(r, column), out);
}

// Samples of reasons that aren't known here are of other reasons.
static void read_samples(const reader *r, dc_instruction_use *out) {
  double all;
  for (unsigned w = 0; w < DC_WAIT_COUNT; ++w) {
    bool known = read_figure(r, r->columns.samples[w], &out->samples[w]);
    out->sampled |= known;
    out->samples[w] = known ? out->samples[w] : 0;
  }
  double known = dc_instruction_samples(out);
  if (read_figure(r, r->columns.all_samples, &all) && all > known)
    out->samples[DC_WAIT_MISC] += all - known;
}

static dc_instruction_use read_use(const reader *r, double warps) {
  const columns *c = &r->columns;
  dc_instruction_use out = {0};
  read_samples(r, &out);
  for (unsigned t = 0; t < DC_TRAFFIC_COUNT; ++t) {
    dc_traffic *traffic = &out.traffic[t];
    traffic->known = read_figure(r, c->taken[t], &traffic->taken) &&
                     read_figure(r, c->ideal[t], &traffic->ideal);
    if (!traffic->known)
      *traffic = (dc_traffic){0};
    traffic->warps = traffic->taken > 0 ? warps : 0;
  }
  return out;
}

static dc_status add_instruction(reader *r) {
  const char *address = field(r, r->columns.address);
  listed out = {.line = r->line};
  char *end;
  if (strcmp(address, "...") == 0 || strcmp(address, "-") == 0)
    return DC_OK; // there are more that the page doesn't show, or none
  errno = 0;
  out.address = strtoull(address, &end, 0);
  if (*address < '0' || *address > '9' || *end || errno)
    return fail(r, "the address is no number");
  if (!read_count(field(r, r->columns.warps), &out.warps) ||
      !read_count(field(r, r->columns.lanes), &out.lanes))
    return fail(r, "the counts of an instruction are no whole numbers");
  out.use = read_use(r, (double)out.warps);
  if (r->line == NONE)
    return fail(r, "an instruction without a line");
  dc_status status = add_text(r, field(r, r->columns.sass), &out.text);
  if (status != DC_OK)
    return status;
  if (!grow((void **)&r->list, r->n_list, &r->list_capacity, sizeof *r->list))
    return no_memory(r);
  r->list[r->n_list++] = out;
  r->blocks[r->n_blocks - 1].is_kernel |= dc_sass_begins_kernel(r->text + out.text);
  return DC_OK;
}

static dc_status read_source_row(reader *r) {
  uint64_t number;
  if (r->n_fields < r->columns.count)
    return fail(r, "the row is cut off");
  if (!*r->fields[0])
    return add_instruction(r);
  if (!read_count(r->fields[0], &number) || number == 0 || number > UINT32_MAX)
    return fail(r, "the number of the line is none");
  const char *text = source_text(r);
  r->line = dc_counts_line(r->counts, r->file, (uint32_t)number,
                           strncmp(text, "<Unable to open", 15) == 0 ? "" : text);
  return r->line == NONE ? no_memory(r) : DC_OK;
}

// ---- the raw page -------------------------------------------------------------------------------

static dc_status begin_raw(reader *r) {
  static const char *const name[] = {"Kernel Name", NULL}, *const block[] = {"Block Size", NULL};
  static const char *const time[] = {"gpu__time_duration.sum", NULL};
  static const char *const warps[] = {"inst_executed", "smsp__inst_executed.sum", NULL};
  static const char *const lanes[] = {"thread_inst_executed", "smsp__thread_inst_executed.sum",
                                      NULL};
  r->columns = (columns){.count = r->n_fields,
                         .name = find_column(r, name, 0),
                         .block = find_column(r, block, 0),
                         .time = find_column(r, time, 0),
                         .warps = find_column(r, warps, 0),
                         .lanes = find_column(r, lanes, 0)};
  find_uses(r, 0, &r->columns);
  if (r->columns.name == NONE)
    return fail(r, "the raw page lacks names of kernels");
  if (r->columns.time == NONE)
    return fail(r, "the raw page lacks gpu__time_duration.sum; collect with ncu --metrics "
                   "inst_executed,thread_inst_executed,gpu__time_duration.sum");
  r->page = PAGE_RAW;
  r->any = true;
  r->time_scale = 0;
  return DC_OK;
}

static dc_status read_units(reader *r) {
  static const struct {
    const char *name;
    double seconds;
  } units[] = {{"ns", 1e-9}, {"nsecond", 1e-9}, {"us", 1e-6},    {"usecond", 1e-6},
               {"ms", 1e-3}, {"msecond", 1e-3}, {"second", 1.0}, {"s", 1.0}};
  for (size_t k = 0; k < sizeof units / sizeof *units; ++k)
    if (strcmp(r->fields[r->columns.time], units[k].name) == 0)
      r->time_scale = units[k].seconds;
  return r->time_scale > 0 ? DC_OK : fail(r, "the unit of gpu__time_duration.sum is not known");
}

// "(256, 1, 1)"; anything else leaves zeroes.
static void read_block(const char *text, uint32_t block[3]) {
  for (unsigned axis = 0; axis < 3; ++axis) {
    char *end;
    text += strcspn(text, "0123456789");
    unsigned long size = strtoul(text, &end, 10);
    block[axis] = end > text && size <= UINT16_MAX ? (uint32_t)size : 0;
    text = end;
  }
}

// What ncu prints where a launch didn't end: "-nan", "n/a", nothing.
static bool is_unknown(const char *text) {
  return !*text || strstr(text, "nan") || strcmp(text, "n/a") == 0;
}

static dc_status read_raw_row(reader *r) {
  const columns *c = &r->columns;
  dc_launch_totals totals = {0};
  if (r->n_fields != c->count)
    return fail(r, "the row is cut off");
  if (r->time_scale == 0)
    return read_units(r);
  const char *symbol = r->fields[c->name];
  dc_status status = check_symbol(r, symbol);
  if (status != DC_OK)
    return status;
  bool is_timed = read_real(r->fields[c->time], &totals.seconds);
  if (!is_timed && !is_unknown(r->fields[c->time]))
    return fail(r, "gpu__time_duration.sum is no number");
  if (c->block != NONE)
    read_block(r->fields[c->block], totals.block);
  totals.seconds *= r->time_scale;
  if (c->warps == NONE || c->lanes == NONE || !read_real(r->fields[c->warps], &totals.warps) ||
      !read_real(r->fields[c->lanes], &totals.lanes))
    totals.warps = totals.lanes = 0;
  totals.use = read_use(r, 0);
  struct ncu_kernel *kernel = kernel_of(r, symbol);
  if (!kernel)
    return no_memory(r);
  ++kernel->timed;
  kernel->counted_warps += totals.warps;
  kernel->untimed += !is_timed;
  return is_timed ? dc_counts_add_totals(r->counts, symbol, &totals, r->error) : DC_OK;
}

// ---- files --------------------------------------------------------------------------------------

// Lines of ncu itself.
static dc_status read_message(reader *r, const char *row) {
  static const char none[] = "==WARNING== No lineinfo available";
  bool added;
  if (strncmp(row, "==ERROR==", 9) == 0)
    return dc_fail(r->error, DC_ERROR_SYNTAX, "line %u: Nsight Compute failed: %.150s", r->row,
                   row + 9 + strspn(row + 9, " "));
  const char *name = strncmp(row, none, sizeof none - 1) == 0 ? strchr(row, '\'') : NULL;
  r->no_lines |= name != NULL;
  if (name &&
      dc_string_set_add(&r->out->without_lines, name + 1, strcspn(name + 1, "'"), &added) == NONE)
    return no_memory(r);
  return DC_OK;
}

static bool is_header(const reader *r) {
  if (!*r->fields[0] || (*r->fields[0] >= '0' && *r->fields[0] <= '9'))
    return false;
  static const char *const address[] = {"Address", NULL}, *const source[] = {"Source", NULL};
  return r->n_fields > 2 && find_column(r, source, 0) != NONE &&
         (strcmp(r->fields[0], "Line No") == 0 || find_column(r, address, 0) != NONE);
}

static dc_status read_row(reader *r, char *row) {
  bool memory;
  if (strncmp(row, "==", 2) == 0)
    return read_message(r, row);
  if (!split(r, row, &memory)) {
    if (!memory)
      return no_memory(r);
    return r->page == PAGE_NONE || !*row ? DC_OK : fail(r, "the row is cut off");
  }
  if (r->n_fields == 2 && strcmp(r->fields[0], "File Path") == 0)
    return begin_file(r);
  if (r->n_fields == 2 && strcmp(r->fields[0], "Function Name") == 0)
    return begin_function(r);
  if (r->n_fields == 2 && strcmp(r->fields[0], "Kernel Name") == 0)
    return fail(r, "the page has no lines of the source; export with " HOW);
  if (is_header(r))
    return begin_source(r);
  if (strcmp(r->fields[0], "ID") == 0 && r->n_fields > 2)
    return begin_raw(r);
  return r->page == PAGE_SOURCE ? read_source_row(r)
         : r->page == PAGE_RAW  ? read_raw_row(r)
                                : DC_OK;
}

static dc_status end_file(reader *r, bool complete) {
  if (!complete)
    return fail(r, "the file is cut off");
  if (!r->any && r->uncounted)
    return fail(r, "the page lacks inst_executed and thread_inst_executed: no launch ended while "
                   "it was profiled, or collect with ncu --metrics "
                   "inst_executed,thread_inst_executed,gpu__time_duration.sum");
  if (!r->any && !r->no_lines)
    return dc_fail(r->error, DC_ERROR_SYNTAX, "is no page of Nsight Compute; export with " HOW);
  return end_launches(r);
}

static void free_reader(reader *r) {
  free(r->fields);
  free(r->file);
  for (uint32_t b = 0; b < r->n_blocks; ++b)
    free(r->blocks[b].symbol);
  free(r->blocks);
  dc_string_set_free(&r->files);
  free(r->list);
  free(r->text);
}

dc_status ncu_csv_read(FILE *stream, dc_counts *counts, ncu_export *out, dc_error *error) {
  reader r = {.counts = counts, .out = out, .error = error, .line = NONE};
  char *row = NULL;
  size_t capacity = 0;
  bool complete = true;
  dc_status status = DC_OK;
  errno = 0;
  for (ssize_t length; status == DC_OK && (length = getline(&row, &capacity, stream)) > 0;) {
    ++r.row;
    complete = row[length - 1] == '\n';
    while (length && (row[length - 1] == '\n' || row[length - 1] == '\r'))
      row[--length] = 0;
    status = strlen(row) != (size_t)length ? fail(&r, "has a zero byte") : read_row(&r, row);
  }
  if (status == DC_OK && ferror(stream))
    status = dc_fail(error, DC_ERROR_FILE, "%s", strerror(errno));
  if (status == DC_OK)
    status = end_file(&r, complete);
  free(row);
  free_reader(&r);
  return status;
}
