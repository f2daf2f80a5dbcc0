// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as bytes and back (flat.h has the format). One walk over the fields serves both ways, so
// that they can't come apart: each field is passed by address, and is put or got.
#include "divcost/flat.h"

#include "divcost/hash.h"
#include "kernel/kernel_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC "dcflat\r\n"
enum { VERSION = 15, HEADER = 20, LENGTH_AT = 12, SUM_AT = 16 };

typedef struct walk {
  unsigned char *out;      // writing: as much as fits
  const unsigned char *in; // reading; NULL: writing
  size_t at, end;          // end: of `in`, or what `out` has room for
  dc_error *error;
  dc_status status; // of the first that is wrong; then nothing more is read
} walk;

static void cut_off(walk *w) {
  if (w->status != DC_OK)
    return;
  w->status = dc_fail(w->error, DC_ERROR_SYNTAX, "byte %zu: the flat kernel ends here", w->at);
  if (w->error)
    w->error->offset = (unsigned)w->at;
}

// ---- numbers -----------------------------------------------------------------------------------

static void bytes_of(walk *w, uint64_t *value, unsigned size) {
  if (!w->in) {
    for (unsigned k = 0; k < size; ++k, ++w->at)
      if (w->at < w->end)
        w->out[w->at] = (unsigned char)(*value >> (8 * k));
    return;
  }
  *value = 0;
  if (w->end - w->at < size) {
    cut_off(w);
    w->at = w->end;
    return;
  }
  for (unsigned k = 0; k < size; ++k)
    *value |= (uint64_t)w->in[w->at++] << (8 * k);
}

static void u8(walk *w, uint8_t *value) {
  uint64_t bits = *value;
  bytes_of(w, &bits, 1);
  *value = (uint8_t)bits;
}

static void u16(walk *w, uint16_t *value) {
  uint64_t bits = *value;
  bytes_of(w, &bits, 2);
  *value = (uint16_t)bits;
}

static void u32(walk *w, uint32_t *value) {
  uint64_t bits = *value;
  bytes_of(w, &bits, 4);
  *value = (uint32_t)bits;
}

static void u64(walk *w, uint64_t *value) { bytes_of(w, value, 8); }

static void i64(walk *w, int64_t *value) {
  uint64_t bits;
  memcpy(&bits, value, sizeof bits);
  bytes_of(w, &bits, 8);
  memcpy(value, &bits, sizeof bits);
}

static void real(walk *w, double *value) {
  uint64_t bits;
  memcpy(&bits, value, sizeof bits);
  bytes_of(w, &bits, 8);
  memcpy(value, &bits, sizeof bits);
}

// A bool is nothing else in memory: what a file has is looked at before it becomes one.
static void truth(walk *w, bool *value) {
  uint8_t byte = *value;
  u8(w, &byte);
  if (byte > 1 && w->status == DC_OK)
    w->status = dc_fail(w->error, DC_ERROR_ARGUMENT, "byte %zu: is %u, a truth value is 0 or 1",
                        w->at - 1, (unsigned)byte);
  *value = byte == 1;
}

static void dims(walk *w, uint32_t axes[3]) {
  for (unsigned axis = 0; axis < 3; ++axis)
    u32(w, &axes[axis]);
}

// ---- elements ----------------------------------------------------------------------------------

static void node(walk *w, void *element) {
  dc_expr_node *n = element;
  u8(w, &n->op);
  u8(w, &n->bits);
  u8(w, &n->level);
  u8(w, &n->spare);
  u32(w, &n->a);
  u32(w, &n->b);
  u32(w, &n->c);
  i64(w, &n->i);
}

static void block(walk *w, void *element) {
  dc_block *b = element;
  u32(w, &b->first_successor);
  u32(w, &b->n_successors);
  u32(w, &b->loop);
  u32(w, &b->branch);
  u32(w, &b->post_dominator);
  u8(w, &b->control);
  truth(w, &b->counted);
  u32(w, &b->machine);
  u32(w, &b->slow);
  u32(w, &b->slow_alike);
  u16(w, &b->contended_one);
  u16(w, &b->contended);
  u16(w, &b->stages);
  u16(w, &b->chain);
  for (unsigned k = 0; k < DC_MIX_COUNT; ++k)
    u32(w, &b->mix[k]);
}

static void index_of(walk *w, void *element) { u32(w, element); } // successors, names

static void branch(walk *w, void *element) {
  dc_branch *b = element;
  u32(w, &b->block);
  u32(w, &b->condition);
  u8(w, &b->level);
  u8(w, &b->predication);
  u32(w, &b->exits);
  u32(w, &b->location);
  u32(w, &b->taken);
  truth(w, &b->alike);
  truth(w, &b->close);
}

static void loop(walk *w, void *element) {
  dc_loop *l = element;
  u32(w, &l->header);
  u32(w, &l->parent);
  u32(w, &l->depth);
  u32(w, &l->location);
  u32(w, &l->first_exit);
  u32(w, &l->n_exits);
  u32(w, &l->first_reason);
  u32(w, &l->n_reasons);
  u8(w, &l->loop_class);
  u8(w, &l->level);
  u8(w, &l->irreducible);
  u8(w, &l->trips_from);
  u8(w, &l->swaps);
  u32(w, &l->unroll);
  u32(w, &l->unroll_expected);
  u32(w, &l->unroll_llvm);
  u32(w, &l->unroll_shared);
  real(w, &l->unroll_once);
  u32(w, &l->unroll_setup);
  u32(w, &l->carried);
  u32(w, &l->trips);
  u32(w, &l->distribution);
  u32(w, &l->distribution_at);
  real(w, &l->correlation);
  u32(w, &l->condition);
  u32(w, &l->unknown);
  u32(w, &l->ignored);
  u32(w, &l->ignored_at);
  u64(w, &l->id);
}

static void way_out(walk *w, void *element) {
  dc_exit *e = element;
  u32(w, &e->block);
  u32(w, &e->location);
  u8(w, &e->level);
  u32(w, &e->trips);
}

static void reason(walk *w, void *element) {
  dc_reason *r = element;
  u32(w, &r->location);
  u32(w, &r->text);
}

static void barrier(walk *w, void *element) {
  dc_barrier *b = element;
  u32(w, &b->block);
  u32(w, &b->location);
  u8(w, &b->level);
  u8(w, &b->left);
  truth(w, &b->warp);
  u32(w, &b->first_reason);
  u32(w, &b->n_reasons);
}

static void row_level(walk *w, void *element) {
  dc_row_level *r = element;
  u8(w, &r->of);
  u8(w, &r->level);
  u8(w, &r->loop_class);
  u32(w, &r->index);
}

static void access(walk *w, void *element) {
  dc_access *a = element;
  u32(w, &a->block);
  u32(w, &a->location);
  u32(w, &a->address);
  u32(w, &a->root);
  u32(w, &a->name);
  u32(w, &a->alignment);
  u8(w, &a->space);
  u8(w, &a->kind);
  u8(w, &a->bytes);
  u8(w, &a->stage);
  u8(w, &a->level);
  truth(w, &a->carried);
  u16(w, &a->advance);
  truth(w, &a->descends);
}

static void location(walk *w, void *element) {
  dc_location *l = element;
  u32(w, &l->file);
  u32(w, &l->line);
  u32(w, &l->column);
  u32(w, &l->function);
  u32(w, &l->inlined_at);
}

static void param(walk *w, void *element) {
  dc_param *p = element;
  u32(w, &p->name);
  truth(w, &p->known);
  i64(w, &p->value);
  u64(w, &p->extent);
}

static void launch(walk *w, void *element) {
  dc_launch *l = element;
  dims(w, l->block);
  dims(w, l->grid);
  u8(w, &l->from);
  u32(w, &l->location);
  u32(w, &l->shared);
  truth(w, &l->shared_known);
}

static void resources(walk *w, dc_resources *r) {
  truth(w, &r->known);
  u32(w, &r->n_ptxas);
  for (uint32_t k = 0; k < r->n_ptxas && k < DC_PTXAS_ARCHS; ++k) {
    u32(w, &r->ptxas[k].sm);
    u32(w, &r->ptxas[k].count);
  }
  truth(w, &r->live_known);
  u32(w, &r->live);
  u32(w, &r->arrays);
  u32(w, &r->max_threads);
  u32(w, &r->min_blocks);
  u32(w, &r->max_registers);
  u32(w, &r->shared);
  truth(w, &r->dynamic_shared);
}

static void call(walk *w, void *element) {
  dc_call *c = element;
  u32(w, &c->function);
  u8(w, &c->kind);
}

static void character(walk *w, void *element) { u8(w, element); }

// Reading: an enumerator that isn't one becomes the first, and the walk fails.
static uint8_t enumerator(walk *w, const char *field, unsigned value, unsigned last) {
  uint8_t byte = (uint8_t)value;
  u8(w, &byte);
  if (byte <= last)
    return byte;
  if (w->status == DC_OK)
    w->status = dc_fail(w->error, DC_ERROR_ARGUMENT, "archs: %s is %u, the largest value is %u",
                        field, (unsigned)byte, last);
  return 0;
}

static void cost(walk *w, const char *field, double *cycles) {
  real(w, cycles);
  if (w->status == DC_OK && !(*cycles >= 0 && *cycles <= 1e6))
    w->status = dc_fail(w->error, DC_ERROR_ARGUMENT,
                        "archs: %s is %g cycles, must be from 0 to 1e6", field, *cycles);
}

static void words(walk *w, const char *field, char *text, unsigned size) {
  for (unsigned k = 0; k < size; ++k)
    u8(w, (uint8_t *)&text[k]);
  if (text[size - 1] && w->status == DC_OK)
    w->status = dc_fail(w->error, DC_ERROR_ARGUMENT, "archs: a %s has no end", field);
}

// Nothing more of a machine that isn't known.
static void machine(walk *w, dc_machine *m) {
  truth(w, &m->known);
  if (!m->known)
    return;
  words(w, "device", m->device, sizeof m->device);
  words(w, "provenance", m->provenance, sizeof m->provenance);
  for (unsigned k = 0; k < DC_MACHINE_FIELDS; ++k) {
    const dc_machine_field *field = &dc_machine_fields[k];
    double value = dc_machine_get(m, k);
    real(w, &value);
    bool good = value >= field->least && value <= field->most;
    if (good)
      dc_machine_set(m, k, value);
    if ((!good || dc_machine_get(m, k) != value) && w->status == DC_OK)
      w->status = dc_fail(w->error, DC_ERROR_ARGUMENT, "archs: %s is %g, must be from %g to %g%s",
                          field->name, value, field->least, field->most,
                          field->kind == DC_MACHINE_REAL ? "" : " and whole");
  }
}

static void arch(walk *w, void *element) {
  dc_arch *a = element;
  u32(w, &a->sm);
  a->rules = (dc_rules)enumerator(w, "rules", a->rules, DC_RULES_NONE);
  truth(w, &a->has_cycles);
  cost(w, "divergent_branch", &a->divergent_branch);
  cost(w, "divergent_exit", &a->divergent_exit);
  cost(w, "displaced", &a->displaced);
  u32(w, &a->stack_entries);
  u32(w, &a->spill_entries);
  a->reload = (dc_reload)enumerator(w, "reload", a->reload, DC_RELOAD_EAGER);
  cost(w, "spill", &a->spill);
  u32(w, &a->predicated);
  for (unsigned k = 0; k < DC_MIX_COUNT; ++k)
    cost(w, "issue", &a->issue[k]);
  words(w, "provenance", a->provenance, sizeof a->provenance);
  words(w, "provenance", a->issue_provenance, sizeof a->issue_provenance);
  machine(w, &a->machine);
  truth(w, &a->of_file);
  bool stacks =
      a->rules != DC_RULES_STACK || (a->stack_entries >= 1 && a->stack_entries <= 1024 &&
                                     a->spill_entries >= 1 && a->spill_entries <= a->stack_entries);
  if (!stacks && w->status == DC_OK)
    w->status = dc_fail(w->error, DC_ERROR_ARGUMENT,
                        "archs: %u entries are spilled of a stack of %u, must be 1 to all of 1 to "
                        "1024",
                        a->spill_entries, a->stack_entries);
}

// ---- arrays ------------------------------------------------------------------------------------

// An element that the walk puts is a copy: what is written stays as it is.
typedef union element {
  dc_expr_node node;
  dc_block block;
  dc_branch branch;
  dc_loop loop;
  dc_location location;
  dc_launch launch;
  dc_arch arch;
} element;

static void write_elements(walk *w, const void *elements, uint32_t count, size_t size,
                           void (*field)(walk *w, void *element)) {
  element copy;
  u32(w, &count);
  for (uint32_t k = 0; elements && k < count; ++k) {
    memcpy(&copy, (const char *)elements + k * size, size);
    field(w, &copy);
  }
}

// Each element takes a byte at least, so that a count can't ask for more memory than a small
// multiple of what the file has; room is made as for arrays that grow.
static void *read_elements(walk *w, uint32_t *count, size_t size,
                           void (*field)(walk *w, void *element)) {
  uint32_t announced = 0;
  u32(w, &announced);
  if (announced > w->end - w->at)
    cut_off(w);
  if (w->status != DC_OK || announced == 0)
    return NULL;
  char *elements = calloc((size_t)dc__kernel_capacity(announced), size);
  if (!elements) {
    w->status = dc_fail(w->error, DC_ERROR_MEMORY, "out of memory for %" PRIu32 " elements of %zu",
                        announced, size);
    return NULL;
  }
  *count = announced;
  for (uint32_t k = 0; k < announced && w->status == DC_OK; ++k)
    field(w, elements + k * size);
  return elements;
}

// Puts an array, or makes it.
#define ARRAY(w, array, count, field)                                                              \
  do {                                                                                             \
    if ((w)->in)                                                                                   \
      (array) = read_elements(w, &(count), sizeof *(array), field);                                \
    else                                                                                           \
      write_elements(w, array, count, sizeof *(array), field);                                     \
  } while (0)

static void whole(walk *w, dc_flat *flat) {
  dc_kernel *k = &flat->kernel;
  u32(w, &k->name);
  u32(w, &k->symbol);
  u32(w, &k->location);
  u32(w, &k->not_analysed);
  u32(w, &k->machine_code);
  u8(w, &k->l2);
  resources(w, &k->resources);
  ARRAY(w, k->pool.nodes, k->pool.count, node);
  ARRAY(w, k->blocks, k->n_blocks, block);
  ARRAY(w, k->successors, k->n_successors, index_of);
  ARRAY(w, k->branches, k->n_branches, branch);
  ARRAY(w, k->loops, k->n_loops, loop);
  ARRAY(w, k->exits, k->n_exits, way_out);
  ARRAY(w, k->reasons, k->n_reasons, reason);
  ARRAY(w, k->barriers, k->n_barriers, barrier);
  ARRAY(w, k->row_levels, k->n_row_levels, row_level);
  ARRAY(w, k->accesses, k->n_accesses, access);
  ARRAY(w, k->locations, k->n_locations, location);
  ARRAY(w, k->params, k->n_params, param);
  ARRAY(w, k->launches, k->n_launches, launch);
  ARRAY(w, k->calls, k->n_calls, call);
  ARRAY(w, k->load_names, k->n_load_names, index_of);
  ARRAY(w, k->opaque_names, k->n_opaque_names, index_of);
  ARRAY(w, k->text, k->text_size, character);
  ARRAY(w, flat->archs, flat->n_archs, arch);
}

// ---- the whole ---------------------------------------------------------------------------------

void dc_flat_free(dc_flat *flat) {
  dc_kernel_free(&flat->kernel);
  free(flat->archs);
  *flat = (dc_flat){0};
}

static void put_at(unsigned char *bytes, size_t at, uint32_t value) {
  for (unsigned k = 0; k < 4; ++k)
    bytes[at + k] = (unsigned char)(value >> (8 * k));
}

size_t dc_flat_write(const dc_flat *flat, void *bytes, size_t capacity) {
  walk w = {.out = bytes, .at = HEADER, .end = capacity};
  dc_flat copy = *flat; // of what the walk writes through: counts and pointers
  whole(&w, &copy);
  if (w.at > UINT32_MAX)
    return 0;
  if (bytes && capacity >= w.at) {
    memcpy(bytes, MAGIC, 8);
    put_at(bytes, 8, VERSION);
    put_at(bytes, LENGTH_AT, (uint32_t)w.at);
    put_at(bytes, SUM_AT, dc_hash_bytes_32((unsigned char *)bytes + HEADER, w.at - HEADER));
  }
  return w.at;
}

static dc_status check_header(const unsigned char *bytes, size_t length, dc_error *error) {
  uint32_t version = 0, announced = 0, sum = 0;
  walk w = {.in = bytes, .at = 8, .end = length, .error = error, .status = DC_OK};
  if (length < 8 || memcmp(bytes, MAGIC, 8) != 0)
    return dc_fail(error, DC_ERROR_SYNTAX, "byte 0: this is no flat kernel");
  u32(&w, &version);
  u32(&w, &announced);
  u32(&w, &sum);
  if (w.status != DC_OK)
    return w.status;
  if (version != VERSION)
    return dc_fail(error, DC_ERROR_LIMIT,
                   "byte 8: the flat kernel has version %" PRIu32 ", this is for version %d",
                   version, VERSION);
  if (announced != length)
    return dc_fail(error, DC_ERROR_SYNTAX,
                   "byte %d: the flat kernel has %" PRIu32 " bytes, and there are %zu", LENGTH_AT,
                   announced, length);
  if (sum != dc_hash_bytes_32(bytes + HEADER, length - HEADER))
    return dc_fail(error, DC_ERROR_SYNTAX, "byte %d: the flat kernel was changed", SUM_AT);
  return DC_OK;
}

dc_status dc_flat_read(const void *bytes, size_t length, dc_flat *flat, dc_error *error) {
  *flat = (dc_flat){0};
  dc_status status = check_header(bytes, length, error);
  if (status != DC_OK)
    return status;
  walk w = {.in = bytes, .at = HEADER, .end = length, .error = error, .status = DC_OK};
  whole(&w, flat);
  flat->kernel.pool.capacity = flat->kernel.pool.count;
  if (w.status == DC_OK && w.at != length)
    w.status = dc_fail(error, DC_ERROR_SYNTAX, "byte %zu: there is more than a flat kernel", w.at);
  if (w.status == DC_OK)
    w.status = dc_kernel_validate(&flat->kernel, error);
  if (w.status != DC_OK)
    dc_flat_free(flat);
  return w.status;
}
