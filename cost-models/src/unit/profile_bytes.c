// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of a .divprof file (docs/profile.md): a header, and one record for each loop, body and
// kernel, all with checksums. Numbers in records are LEB128: seven bits a byte, the least first.
// Bins are sparse. Version 1 had loops alone, in records without a kind; version 2 no parameters.
#include "divcost/profile.h"

#include "divcost/expr.h"
#include "divcost/hash.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "divprof\n"
#define VERSION 3
#define HEADER 40
#define RECORD_HEADER 8
#define TEXT_MAX (1 << 20) // no symbol is longer
#define LANES 32

typedef enum record_kind { RECORD_LOOP, RECORD_BODY, RECORD_KERNEL, RECORD_KINDS } record_kind;

// ---- writing ------------------------------------------------------------------------------------

typedef struct writer {
  unsigned char *bytes;
  size_t capacity, length;
} writer;

static void put_byte(writer *w, unsigned byte) {
  if (w->length < w->capacity)
    w->bytes[w->length] = (unsigned char)byte;
  ++w->length;
}

static void put_fixed(writer *w, uint64_t value, unsigned size) {
  for (unsigned k = 0; k < size; ++k)
    put_byte(w, value >> (8 * k) & 0xff);
}

static void put_number(writer *w, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    put_byte(w, (value & 0x7f) | 0x80);
  put_byte(w, (unsigned)value);
}

static void put_text(writer *w, const char *text) {
  size_t length = strlen(text);
  put_number(w, length);
  for (size_t k = 0; k < length; ++k)
    put_byte(w, (unsigned char)text[k]);
}

static void put_counts(writer *w, const dc_profile_counts *counts) {
  unsigned used = 0, last = 0;
  put_number(w, counts->entries);
  put_number(w, counts->warp_iterations);
  put_number(w, counts->pairs);
  put_number(w, counts->spread);
  put_number(w, counts->parted);
  for (unsigned bin = 0; bin < DC_PROFILE_BINS; ++bin)
    used += counts->lanes[bin] > 0;
  put_number(w, used);
  for (unsigned bin = 0; bin < DC_PROFILE_BINS; ++bin) {
    if (!counts->lanes[bin])
      continue;
    put_number(w, bin - last);
    put_number(w, counts->lanes[bin]);
    if (bin >= DC_PROFILE_EXACT)
      put_number(w, counts->sums[bin - DC_PROFILE_EXACT]);
    last = bin;
  }
}

static void put_loop(writer *w, const dc_profile_loop *loop) {
  put_number(w, RECORD_LOOP);
  put_text(w, loop->kernel);
  put_text(w, loop->path);
  put_text(w, loop->function);
  put_number(w, loop->number);
  put_fixed(w, loop->hash, 8);
  put_text(w, loop->file);
  put_number(w, loop->line);
  put_number(w, loop->column);
  put_number(w, loop->level);
  put_counts(w, &loop->counts);
}

static void put_body(writer *w, const dc_profile_body *body) {
  put_number(w, RECORD_BODY);
  put_text(w, body->kernel);
  put_text(w, body->path);
  put_text(w, body->function);
  put_fixed(w, body->hash, 8);
  put_number(w, body->n_blocks);
  for (uint32_t k = 0; k < body->n_blocks; ++k) {
    put_number(w, body->blocks[k].number - (k ? body->blocks[k - 1].number : 0));
    put_number(w, body->blocks[k].warps);
    put_number(w, body->blocks[k].lanes);
  }
}

// Signed numbers with the sign in the lowest bit, so that small ones are short.
static void put_signed(writer *w, int64_t value) {
  put_number(w, value < 0 ? ~((uint64_t)value << 1) : (uint64_t)value << 1);
}

static void put_param(writer *w, const dc_profile_param *param) {
  put_number(w, param->number);
  put_number(w, param->kind);
  put_number(w, param->more);
  put_number(w, param->n_values);
  for (unsigned k = 0; k < param->n_values; ++k) {
    put_signed(w, param->values[k].value);
    put_number(w, param->values[k].count);
  }
}

static void put_kernel(writer *w, const dc_profile_kernel *kernel) {
  put_number(w, RECORD_KERNEL);
  put_text(w, kernel->symbol);
  put_number(w, kernel->more);
  put_number(w, kernel->n_launches);
  for (uint32_t k = 0; k < kernel->n_launches; ++k) {
    const dc_profile_launch *launch = &kernel->launches[k];
    for (unsigned d = 0; d < 3; ++d)
      put_number(w, launch->grid[d]);
    for (unsigned d = 0; d < 3; ++d)
      put_number(w, launch->block[d]);
    put_number(w, launch->shared);
    put_number(w, launch->count);
  }
  put_number(w, kernel->n_params);
  for (uint32_t k = 0; k < kernel->n_params; ++k)
    put_param(w, &kernel->params[k]);
}

// Length and checksum of what was written from `from` on; 0 where it didn't fit.
static uint32_t sum_of(const writer *w, size_t from) {
  return w->length <= w->capacity ? dc_hash_bytes_32(w->bytes + from, w->length - from) : 0;
}

static void put_at(writer *w, size_t at, uint64_t value, unsigned size) {
  writer there = {w->bytes, w->capacity, at};
  put_fixed(&there, value, size);
}

static size_t begin_record(writer *w) {
  size_t at = w->length;
  put_fixed(w, 0, RECORD_HEADER);
  return at;
}

static void end_record(writer *w, size_t at) {
  uint32_t sum = sum_of(w, at + RECORD_HEADER);
  put_at(w, at, w->length - at - RECORD_HEADER, 4);
  put_at(w, at + 4, sum, 4);
}

size_t dc_profile_print(const dc_profile *profile, void *bytes, size_t capacity) {
  writer w = {bytes, capacity, 0};
  for (unsigned k = 0; k < HEADER; ++k)
    put_byte(&w, 0);
  for (uint32_t k = 0; k < profile->n_loops; ++k) {
    size_t at = begin_record(&w);
    put_loop(&w, profile->loops[k]);
    end_record(&w, at);
  }
  for (uint32_t k = 0; k < profile->n_bodies; ++k) {
    size_t at = begin_record(&w);
    put_body(&w, &profile->bodies[k]);
    end_record(&w, at);
  }
  for (uint32_t k = 0; k < profile->n_kernels; ++k) {
    size_t at = begin_record(&w);
    put_kernel(&w, &profile->kernels[k]);
    end_record(&w, at);
  }
  for (unsigned k = 0; k < sizeof MAGIC - 1; ++k)
    put_at(&w, k, (unsigned char)MAGIC[k], 1);
  put_at(&w, 8, VERSION, 4);
  put_at(&w, 12, (uint64_t)profile->n_loops + profile->n_bodies + profile->n_kernels, 4);
  put_at(&w, 16, profile->runs, 8);
  put_at(&w, 24, w.length, 8);
  put_at(&w, 32, capacity >= HEADER ? dc_hash_bytes_32(bytes, 32) : 0, 4);
  return w.length;
}

// ---- reading ------------------------------------------------------------------------------------

typedef struct reader {
  const unsigned char *bytes;
  size_t at, end; // of the record, or the file
  uint32_t version;
  dc_error *error;
  dc_status status; // of the first that is wrong
} reader;

#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
static void complain(reader *r, size_t at, dc_status status, const char *format, ...) {
  if (r->status != DC_OK)
    return;
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  r->status = dc_fail(r->error, status, "byte %zu: %s", at, text);
  if (r->error)
    r->error->offset = (unsigned)at;
}

static uint64_t get_fixed(reader *r, unsigned size) {
  uint64_t value = 0;
  for (unsigned k = 0; k < size; ++k)
    value |= (uint64_t)r->bytes[r->at++] << (8 * k);
  return value;
}

// A number up to `most`; 0 once something was wrong.
static uint64_t get_number(reader *r, const char *what, uint64_t most) {
  uint64_t value = 0;
  size_t start = r->at;
  for (unsigned shift = 0;; shift += 7) {
    if (r->status != DC_OK)
      return 0;
    if (r->at == r->end) {
      complain(r, r->at, DC_ERROR_SYNTAX, "the record ends within %s", what);
      return 0;
    }
    unsigned byte = r->bytes[r->at++];
    if (shift == 63 && byte > 1) {
      complain(r, start, DC_ERROR_SYNTAX, "%s has more than 64 bits", what);
      return 0;
    }
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      break;
  }
  if (value <= most)
    return value;
  complain(r, start, DC_ERROR_SYNTAX, "%s is %llu, must be at most %llu", what,
           (unsigned long long)value, (unsigned long long)most);
  return 0;
}

// A copy of a text, or NULL.
static char *get_text(reader *r, const char *what) {
  size_t length = (size_t)get_number(r, what, TEXT_MAX), start = r->at;
  if (r->status != DC_OK)
    return NULL;
  if (length > r->end - r->at || memchr(r->bytes + r->at, 0, length)) {
    complain(r, start, DC_ERROR_SYNTAX,
             length > r->end - r->at ? "the record ends within %s" : "%s has a zero in it", what);
    return NULL;
  }
  char *text = malloc(length + 1);
  if (!text) {
    complain(r, start, DC_ERROR_MEMORY, "out of memory for %s", what);
    return NULL;
  }
  memcpy(text, r->bytes + r->at, length);
  text[length] = 0;
  r->at += length;
  return text;
}

static void get_counts(reader *r, dc_profile_counts *counts) {
  counts->entries = get_number(r, "the number of entries", UINT64_MAX);
  counts->warp_iterations = get_number(r, "the number of warp-iterations", UINT64_MAX);
  counts->pairs = get_number(r, "the number of pairs", UINT64_MAX);
  counts->spread = get_number(r, "the spread", UINT64_MAX);
  counts->parted = get_number(r, "the number of diverged lanes", UINT64_MAX);
  uint64_t used = get_number(r, "the number of bins", DC_PROFILE_BINS), bin = 0;
  for (uint64_t k = 0; k < used && r->status == DC_OK; ++k) {
    size_t start = r->at;
    uint64_t step = get_number(r, "a bin", DC_PROFILE_BINS - 1 - bin);
    if (k > 0 && step == 0)
      complain(r, start, DC_ERROR_SYNTAX, "a bin occurs twice");
    bin += step;
    start = r->at;
    counts->lanes[bin] = get_number(r, "a count", UINT64_MAX);
    if (counts->lanes[bin] == 0)
      complain(r, start, DC_ERROR_SYNTAX, "a bin that is named is empty");
    if (bin >= DC_PROFILE_EXACT)
      counts->sums[bin - DC_PROFILE_EXACT] = get_number(r, "a sum", UINT64_MAX);
  }
}

// Counts that no program makes would become figures that no loop has.
static void add_loop(reader *r, size_t start, dc_profile *profile, const dc_profile_loop *loop) {
  dc_error reason;
  if (r->status != DC_OK)
    return;
  if (dc_profile_check_counts(&loop->counts, &reason) != DC_OK) {
    complain(r, start, DC_ERROR_SYNTAX, "the loop at %.50s:%lu in '%.40s': %.120s; record it anew",
             loop->file, (unsigned long)loop->line, loop->function, reason.text);
    return;
  }
  dc_profile_loop *added = dc_profile_add(profile, loop);
  if (!added)
    complain(r, start, DC_ERROR_MEMORY, "out of memory for a loop");
  else if (!dc_profile_add_counts(&added->counts, &loop->counts))
    complain(r, start, DC_ERROR_SYNTAX,
             "the loop at %.50s:%lu is there twice, with too many counts", loop->file,
             (unsigned long)loop->line);
}

static uint64_t get_hash(reader *r) {
  if (r->status == DC_OK && r->end - r->at < 8)
    complain(r, r->at, DC_ERROR_SYNTAX, "the record ends within the hash");
  return r->status == DC_OK ? get_fixed(r, 8) : 0;
}

static void get_loop(reader *r, dc_profile *profile) {
  dc_profile_loop loop;
  size_t start = r->at;
  memset(&loop, 0, sizeof loop);
  loop.kernel = get_text(r, "the kernel");
  loop.path = get_text(r, "the call path");
  loop.function = get_text(r, "the function");
  loop.number = (uint32_t)get_number(r, "the loop's number", UINT32_MAX);
  loop.hash = get_hash(r);
  loop.file = get_text(r, "the file");
  loop.line = (uint32_t)get_number(r, "the line", UINT32_MAX);
  loop.column = (uint32_t)get_number(r, "the column", UINT32_MAX);
  loop.level = (uint8_t)get_number(r, "the uniformity", DC_DIVERGENT);
  get_counts(r, &loop.counts);
  add_loop(r, start, profile, &loop);
  free(loop.kernel);
  free(loop.path);
  free(loop.function);
  free(loop.file);
}

// The blocks of a body, which is there once.
static void get_blocks(reader *r, dc_profile_body *body) {
  uint64_t n = get_number(r, "the number of blocks", UINT32_MAX), number = 0;
  for (uint64_t k = 0; k < n && r->status == DC_OK; ++k) {
    size_t start = r->at;
    uint64_t step = get_number(r, "a block", UINT32_MAX - number);
    if (k > 0 && step == 0)
      complain(r, start, DC_ERROR_SYNTAX, "a block occurs twice");
    number += step;
    uint64_t warps = get_number(r, "the executions by warps", UINT64_MAX / LANES),
             lanes = get_number(r, "the executions by lanes", UINT64_MAX);
    if (lanes < warps || lanes > LANES * warps)
      complain(r, start, DC_ERROR_SYNTAX,
               "block %llu of '%.60s': %llu executions by warps can't be %llu by lanes; record it "
               "anew",
               (unsigned long long)number, body->function, (unsigned long long)warps,
               (unsigned long long)lanes);
    dc_profile_block *block =
        r->status == DC_OK ? dc_profile_add_block(body, (uint32_t)number) : NULL;
    if (block)
      *block = (dc_profile_block){(uint32_t)number, warps, lanes};
    else
      complain(r, start, DC_ERROR_MEMORY, "out of memory for a block");
  }
}

static void get_body(reader *r, dc_profile *profile) {
  size_t start = r->at;
  dc_profile_body like = {.kernel = get_text(r, "the kernel"),
                          .path = get_text(r, "the call path"),
                          .function = get_text(r, "the function"),
                          .hash = get_hash(r)};
  dc_profile_body *body = r->status == DC_OK ? dc_profile_add_body(profile, &like) : NULL;
  if (!body)
    complain(r, start, DC_ERROR_MEMORY, "out of memory for a function");
  else if (body->n_blocks)
    complain(r, start, DC_ERROR_SYNTAX, "the function '%.100s' is there twice", like.function);
  else
    get_blocks(r, body);
  free(like.kernel);
  free(like.path);
  free(like.function);
}

static dc_profile_launch get_launch(reader *r) {
  dc_profile_launch launch = {.count = 0};
  for (unsigned d = 0; d < 3; ++d)
    launch.grid[d] = (uint32_t)get_number(r, "a dimension of the grid", UINT32_MAX);
  for (unsigned d = 0; d < 3; ++d)
    launch.block[d] = (uint32_t)get_number(r, "a dimension of the block", UINT32_MAX);
  launch.shared = get_number(r, "the dynamic shared memory", UINT64_MAX);
  launch.count = get_number(r, "the number of launches", UINT64_MAX);
  return launch;
}

static int64_t get_signed(reader *r, const char *what) {
  uint64_t number = get_number(r, what, UINT64_MAX);
  return (int64_t)(number & 1 ? ~(number >> 1) : number >> 1);
}

// A parameter: its values come in order, each once, and no launch has two of them.
static bool get_param(reader *r, uint64_t launches, dc_profile_param *param) {
  param->number = (uint32_t)get_number(r, "a parameter", UINT16_MAX);
  param->kind = (uint8_t)get_number(r, "the kind of a parameter", DC_PROFILE_PARAM_KINDS - 1);
  param->more = get_number(r, "the number of other values", UINT64_MAX);
  param->n_values = (uint8_t)get_number(r, "the number of values", DC_PROFILE_VALUES);
  bool good = param->n_values > 0 && param->more <= launches &&
              (param->more == 0 || param->n_values == DC_PROFILE_VALUES);
  uint64_t left = good ? launches - param->more : 0;
  for (unsigned v = 0; v < param->n_values && r->status == DC_OK; ++v) {
    dc_profile_value *value = &param->values[v];
    value->value = get_signed(r, "a value");
    value->count = get_number(r, "how often a value was there", UINT64_MAX);
    good &= value->count > 0 && value->count <= left &&
            (v == 0 || value[-1].value < value->value) &&
            (param->kind != DC_PROFILE_EXTENT || value->value > 0);
    left -= good ? value->count : 0;
  }
  return good;
}

static void get_params(reader *r, dc_profile *one, const char *symbol) {
  uint64_t n = r->version < 3 ? 0 : get_number(r, "the number of parameters", UINT16_MAX);
  for (uint64_t k = 0; k < n && r->status == DC_OK; ++k) {
    size_t start = r->at;
    dc_profile_param param = {0};
    bool good = get_param(r, dc_profile_launch_count(&one->kernels[0]), &param);
    if (r->status == DC_OK && !good)
      complain(r, start, DC_ERROR_SYNTAX,
               "the values of parameter %lu of '%.100s' can't be; record it anew",
               (unsigned long)param.number, symbol);
    for (unsigned v = 0; v < param.n_values && r->status == DC_OK; ++v)
      if (!dc_profile_add_value(one, symbol, param.number, (dc_profile_param_kind)param.kind,
                                param.values[v]))
        complain(r, start, DC_ERROR_MEMORY, "out of memory for a parameter");
    if (r->status != DC_OK)
      return;
    dc_profile_kernel *kernel = &one->kernels[0];
    if (kernel->n_params == k + 1 && kernel->params[k].number == param.number &&
        kernel->params[k].kind == param.kind)
      kernel->params[k].more = param.more;
    else
      complain(r, start, DC_ERROR_SYNTAX, "parameter %lu of '%.100s' is there twice",
               (unsigned long)param.number, symbol);
  }
}

static void get_kernel(reader *r, dc_profile *profile) {
  size_t start = r->at;
  char *symbol = get_text(r, "the kernel");
  uint64_t more = get_number(r, "the number of other launches", UINT64_MAX);
  uint64_t n = get_number(r, "the number of configurations", DC_PROFILE_LAUNCHES);
  dc_profile one = {0}; // so that sums are checked as when profiles are added up
  for (uint64_t k = 0; k < n && r->status == DC_OK; ++k) {
    dc_profile_launch launch = get_launch(r);
    if (!dc_profile_can_launch(&launch))
      complain(r, start, DC_ERROR_SYNTAX, "CUDA can't launch '%.100s' as is said; record it anew",
               symbol);
    if (r->status == DC_OK && !dc_profile_add_launches(&one, symbol, &launch))
      complain(r, start, DC_ERROR_SYNTAX, "the launches of '%.150s' add up to too many", symbol);
  }
  if (r->status == DC_OK && n == 0)
    complain(r, start, DC_ERROR_SYNTAX, "the kernel '%.150s' has no launches", symbol);
  if (r->status == DC_OK && more > UINT64_MAX - dc_profile_launch_count(&one.kernels[0]))
    complain(r, start, DC_ERROR_SYNTAX, "the launches of '%.150s' add up to too many", symbol);
  if (r->status == DC_OK && one.n_kernels) {
    one.kernels[0].more = more;
    get_params(r, &one, symbol);
  }
  if (r->status == DC_OK) {
    dc_error reason;
    dc_status status = dc_profile_merge(profile, &one, &reason);
    if (status != DC_OK)
      complain(r, start, status == DC_ERROR_LIMIT ? DC_ERROR_SYNTAX : status, "%s", reason.text);
  }
  dc_profile_free(&one);
  free(symbol);
}

static void get_contents(reader *r, dc_profile *profile) {
  uint64_t kind =
      r->version == 1 ? RECORD_LOOP : get_number(r, "the kind of a record", RECORD_KINDS - 1);
  if (kind == RECORD_BODY)
    get_body(r, profile);
  else if (kind == RECORD_KERNEL)
    get_kernel(r, profile);
  else
    get_loop(r, profile);
  if (r->status == DC_OK && r->at != r->end)
    complain(r, r->at, DC_ERROR_SYNTAX, "the record goes on after its end");
}

static void get_record(reader *r, size_t file_end, dc_profile *profile) {
  size_t start = r->at;
  if (file_end - r->at < RECORD_HEADER) {
    complain(r, start, DC_ERROR_SYNTAX, "a record is missing");
    return;
  }
  size_t length = (size_t)get_fixed(r, 4);
  uint32_t sum = (uint32_t)get_fixed(r, 4);
  if (length > file_end - r->at) {
    complain(r, start, DC_ERROR_SYNTAX, "a record of %zu bytes doesn't fit", length);
    return;
  }
  r->end = r->at + length;
  if (dc_hash_bytes_32(r->bytes + r->at, length) != sum)
    complain(r, start, DC_ERROR_SYNTAX, "the checksum of a record is wrong");
  else
    get_contents(r, profile);
}

// The number of records.
static uint32_t get_header(reader *r, size_t length, dc_profile *profile) {
  size_t start = length < sizeof MAGIC - 1 ? length : sizeof MAGIC - 1;
  if (memcmp(r->bytes, MAGIC, start) != 0 || length == 0) {
    complain(r, 0, DC_ERROR_SYNTAX, "this is no profile: it doesn't begin with \"divprof\"");
    return 0;
  }
  if (length < HEADER) {
    complain(r, length, DC_ERROR_SYNTAX, "cut off within the header of %d bytes", HEADER);
    return 0;
  }
  r->at = sizeof MAGIC - 1;
  r->version = (uint32_t)get_fixed(r, 4);
  uint32_t records = (uint32_t)get_fixed(r, 4);
  profile->runs = get_fixed(r, 8);
  uint64_t whole = get_fixed(r, 8), sum = get_fixed(r, 8);
  if (r->version < 1 || r->version > VERSION)
    complain(r, 8, DC_ERROR_LIMIT, "version %lu; this divcost reads versions 1 to %d",
             (unsigned long)r->version, VERSION);
  if (sum != dc_hash_bytes_32(r->bytes, 32))
    complain(r, 32, DC_ERROR_SYNTAX, "the checksum of the header is wrong");
  if (whole > length)
    complain(r, length, DC_ERROR_SYNTAX, "cut off: the file should have %llu bytes",
             (unsigned long long)whole);
  if (whole < length)
    complain(r, (size_t)whole, DC_ERROR_SYNTAX, "the file should end here");
  return records;
}

dc_status dc_profile_parse(const void *bytes, size_t length, dc_profile *profile, dc_error *error) {
  memset(profile, 0, sizeof *profile);
  reader r = {.bytes = bytes, .end = length, .error = error, .status = DC_OK};
  uint32_t records = get_header(&r, length, profile);
  for (uint32_t k = 0; k < records && r.status == DC_OK; ++k)
    get_record(&r, length, profile);
  if (r.status == DC_OK && r.at != length)
    complain(&r, r.at, DC_ERROR_SYNTAX, "the file goes on after its last record");
  if (r.status != DC_OK)
    dc_profile_free(profile);
  return r.status;
}
