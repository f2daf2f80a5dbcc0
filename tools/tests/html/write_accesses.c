// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// write_accesses FILE.json: a report of a kernel that accesses memory as it is taught, in blocks of
// 32x8 threads, one access or two on a line of src/sparse.cu: rows and columns of matrices in
// global and shared memory, constants, a gather, a stride that is a parameter.
#define _POSIX_C_SOURCE 200809L

#include "skeleton.h"

#include "divcost/report.h"
#include "divcost/unit.h"

// What the address goes by: threadIdx.x and .y, each times so many bytes; or what isn't known.
typedef enum further { NOTHING, A_LOAD, A_PARAMETER } further;

static const struct {
  uint32_t line;
  const char *name;
  dc_space space;
  dc_access_kind kind;
  int64_t x, y;
  further by;
} taught[] = {
    {10, "in", DC_SPACE_GLOBAL, DC_ACCESS_LOAD, 4, 4096, NOTHING},
    {11, "tile", DC_SPACE_SHARED, DC_ACCESS_STORE, 4, 128, NOTHING},
    {13, "tile", DC_SPACE_SHARED, DC_ACCESS_LOAD, 128, 4, NOTHING},
    {14, "padded", DC_SPACE_SHARED, DC_ACCESS_LOAD, 132, 4, NOTHING},
    {15, "out", DC_SPACE_GLOBAL, DC_ACCESS_STORE, 4096, 4, NOTHING},
    {16, "table", DC_SPACE_CONSTANT, DC_ACCESS_LOAD, 4, 0, NOTHING},
    {17, "index", DC_SPACE_GLOBAL, DC_ACCESS_LOAD, 4, 4096, NOTHING},
    {17, "a", DC_SPACE_GLOBAL, DC_ACCESS_LOAD, 0, 0, A_LOAD},
    {18, "b", DC_SPACE_GLOBAL, DC_ACCESS_LOAD, 0, 0, A_PARAMETER},
};

static uint32_t place(dc_kernel *kernel, uint32_t line) {
  uint32_t at = dc_kernel_add_location(kernel);
  kernel->locations[at] =
      (dc_location){dc_kernel_add_text(kernel, "src/sparse.cu"), line, 3, 0, DC_NONE, false};
  return at;
}

static dc_expr times(dc_expr_pool *pool, dc_expr value, int64_t bytes) {
  return dc_expr_binary(pool, DC_OP_MUL, value, dc_expr_constant(pool, 64, bytes));
}

static dc_expr offset_of(dc_kernel *kernel, unsigned number) {
  dc_expr_pool *pool = &kernel->pool;
  dc_expr x = dc_expr_leaf(pool, DC_OP_TID, 64, DC_DIVERGENT, 0);
  dc_expr y = dc_expr_leaf(pool, DC_OP_TID, 64, DC_DIVERGENT, 1);
  if (taught[number].by == A_LOAD) {
    dc_expr loaded = dc_expr_apply(pool, DC_OP_LOAD, 64, DC_DIVERGENT, x, DC_NO_EXPR, DC_NO_EXPR,
                                   dc_kernel_add_load_name(kernel, "index"));
    return times(pool, loaded, 4);
  }
  if (taught[number].by == A_PARAMETER) {
    dc_expr n = dc_expr_leaf(pool, DC_OP_PARAM, 64, DC_UNIFORM, 0);
    return times(pool, dc_expr_binary(pool, DC_OP_MUL, x, n), 4);
  }
  return dc_expr_binary(pool, DC_OP_ADD, times(pool, x, taught[number].x),
                        times(pool, y, taught[number].y));
}

static void add_access(builder *b, unsigned number) {
  dc_kernel *kernel = &b->kernel;
  uint32_t param = dc_kernel_add_param(kernel), access = dc_kernel_add_access(kernel);
  kernel->params[param].name = dc_kernel_add_text(kernel, taught[number].name);
  dc_expr root = dc_expr_leaf(&kernel->pool, DC_OP_PARAM, 64, DC_UNIFORM, param);
  dc_expr offset = offset_of(kernel, number);
  dc_text name = dc_kernel_add_text(kernel, taught[number].name);
  kernel->accesses[access] =
      (dc_access){.block = b->current,
                  .location = place(kernel, taught[number].line),
                  .address = dc_expr_binary(&kernel->pool, DC_OP_ADD, root, offset),
                  .root = root,
                  .name = name,
                  .space = (uint8_t)taught[number].space,
                  .kind = (uint8_t)taught[number].kind,
                  .bytes = 4,
                  .level = DC_DIVERGENT};
}

static dc_kernel make_kernel(void) {
  builder b = begin_kernel(32, 8, 1, 4);
  b.kernel.name = dc_kernel_add_text(&b.kernel, "taught(float const*, float*, int)");
  b.kernel.symbol = dc_kernel_add_text(&b.kernel, "_Z6taughtPKfPfi");
  b.kernel.location = place(&b.kernel, 8);
  uint32_t n = dc_kernel_add_param(&b.kernel);
  b.kernel.params[n].name = dc_kernel_add_text(&b.kernel, "n");
  for (unsigned k = 0; k < sizeof taught / sizeof *taught; ++k)
    add_access(&b, k);
  return b.kernel;
}

int main(int count, char **arguments) {
  if (count != 2)
    return 2;
  dc_arch arch;
  dc_error error = {0};
  dc_unit unit = {.path = strdup("src/sparse.cu"), .archs = malloc(sizeof *unit.archs)};
  unit.kernels = calloc(1, sizeof *unit.kernels);
  unit.archs[unit.n_archs++] = 90;
  unit.kernels[unit.n_kernels++].kernel = make_kernel();
  dc_status status = dc_kernel_validate(&unit.kernels[0].kernel, &error);
  if (status == DC_OK)
    status = dc_arch_find_sm(90, &arch, &error);
  if (status == DC_OK)
    status = dc_unit_estimate(&unit.kernels[0], &arch, 1, NULL, &error);
  FILE *file = fopen(arguments[1], "w");
  if (status == DC_OK && file)
    status = dc_unit_write(&unit, &dc_format_json, NULL, file, &error);
  dc_unit_free(&unit);
  if (!file || fclose(file) != 0 || status != DC_OK) {
    fprintf(stderr, "write_accesses: %s\n", error.text);
    return 1;
  }
  return 0;
}
