// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See sample_unit.h. The source that the sample pretends to come from is `source` below.
#include "sample_unit.h"

#include "divcost/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const source[] = {
    "__global__ void spmv_csr(int rows, const int *row, const int *column,",
    "                         const float *value, const float *x, float *y) {",
    "  int r = blockIdx.x * blockDim.x + threadIdx.x;",
    "  if (r >= rows)",
    "    return;",
    "  float sum = 0;",
    "#pragma divcost trips(poisson(30))",
    "  for (int j = row[r]; j < row[r + 1]; ++j)",
    "    sum += value[j] * x[column[j]];",
    "  y[r] = sum;",
    "}",
    "__device__ int visit(const graph &g, int node) {",
    "  int found = 0;",
    "\tfor (int e = g.first[node]; e < g.first[node + 1]; ++e)",
    "    while (!claim(g, g.to[e], &found))",
    "      ;",
    "  return found;",
    "}",
    "__global__ void bfs(const graph g, int *next) {",
    "  int n = visit(g, blockIdx.x * blockDim.x + threadIdx.x);",
    "  if (n)",
    "    __syncthreads();",
    "  for (int i = threadIdx.x; i < g.nodes; i += blockDim.x)",
    "    next[i] += n;",
    "}",
    "__global__ void saxpy(int n, float a, const float *x, float *y) {",
    "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)",
    "    y[i] += a * x[i];",
    "}",
};

static bool read_sample_line(void *context, const char *file, uint32_t line, char *text,
                             size_t size) {
  (void)context;
  if (strcmp(file, "src/sparse.cu") != 0 || line < 1 || line > sizeof source / sizeof *source)
    return false;
  snprintf(text, size, "%s", source[line - 1]);
  return true;
}

static void *must(void *memory) {
  if (!memory)
    abort();
  return memory;
}

static uint32_t at(dc_kernel *kernel, uint32_t line, uint32_t column, const char *function,
                   uint32_t inlined_at) {
  uint32_t index = dc_kernel_add_location(kernel);
  kernel->locations[index] =
      (dc_location){dc_kernel_add_text(kernel, "src/sparse.cu"), line,       column,
                    dc_kernel_add_text(kernel, function),        inlined_at, false};
  return index;
}

static uint32_t add_block(dc_kernel *kernel, uint32_t loop, uint32_t post_dominator, uint8_t level,
                          uint32_t integers, uint32_t loads) {
  uint32_t index = dc_kernel_add_block(kernel);
  dc_block *block = &kernel->blocks[index];
  *block = (dc_block){
      .loop = loop, .branch = DC_NONE, .post_dominator = post_dominator, .control = level};
  block->counted = loads > 0;
  block->machine = block->counted ? integers + loads : 0;
  block->slow = block->counted ? 7 * loads : 0;
  block->slow_alike = block->slow / 2;
  block->mix[DC_MIX_INTEGER] = integers;
  block->mix[DC_MIX_GLOBAL] = loads;
  block->mix[DC_MIX_CONTROL] = 1;
  return index;
}

static void add_edge(dc_kernel *kernel, uint32_t from, uint32_t to) {
  uint32_t edge = dc_kernel_add_successor(kernel, from);
  kernel->successors[edge] = to;
}

static uint32_t add_branch(dc_kernel *kernel, uint32_t block, dc_expr condition, uint32_t exits,
                           uint32_t location) {
  uint32_t index = dc_kernel_add_branch(kernel);
  kernel->branches[index] = (dc_branch){.block = block,
                                        .condition = condition,
                                        .level = DC_DIVERGENT,
                                        .predication = DC_PREDICATION_UNLIKELY,
                                        .exits = exits,
                                        .location = location,
                                        .alike = exits == DC_NONE,
                                        .close = exits == DC_NONE};
  kernel->blocks[block].branch = index;
  return index;
}

static uint32_t add_loop(dc_kernel *kernel, uint32_t header, uint32_t parent, uint32_t location,
                         dc_class loop_class, dc_expr trips, uint64_t id) {
  uint32_t index = dc_kernel_add_loop(kernel);
  kernel->loops[index] = (dc_loop){.header = header,
                                   .parent = parent,
                                   .depth = parent == DC_NONE ? 1 : kernel->loops[parent].depth + 1,
                                   .location = location,
                                   .first_exit = kernel->n_exits,
                                   .n_exits = 1,
                                   .first_reason = kernel->n_reasons,
                                   .loop_class = (uint8_t)loop_class,
                                   .level = DC_DIVERGENT,
                                   .trips = trips,
                                   .id = id};
  uint32_t way = dc_kernel_add_exit(kernel);
  kernel->exits[way] = (dc_exit){header, location, DC_DIVERGENT, trips};
  return index;
}

static void add_reason(dc_kernel *kernel, uint32_t loop, uint32_t location, const char *text) {
  dc_kernel_add_reason(kernel, location, text);
  ++kernel->loops[loop].n_reasons;
}

static void add_launch(dc_kernel *kernel, uint32_t threads, uint32_t grid, dc_block_from from,
                       uint32_t location) {
  uint32_t index = dc_kernel_add_launch(kernel);
  kernel->launches[index] = (dc_launch){
      {threads, 1, 1}, {grid, grid ? 1 : 0, grid ? 1 : 0}, (uint8_t)from, location, 0, false};
}

static void add_param(dc_kernel *kernel, const char *name, bool known, int64_t value) {
  uint32_t index = dc_kernel_add_param(kernel);
  kernel->params[index] =
      (dc_param){.name = dc_kernel_add_text(kernel, name), .known = known, .value = value};
}

// blockIdx.x * blockDim.x + threadIdx.x
static dc_expr global_index(dc_expr_pool *pool) {
  dc_expr tid = dc_expr_leaf(pool, DC_OP_TID, 32, DC_DIVERGENT, 0);
  dc_expr ctaid = dc_expr_leaf(pool, DC_OP_CTAID, 32, DC_BLOCK_UNIFORM, 0);
  dc_expr ntid = dc_expr_leaf(pool, DC_OP_NTID, 32, DC_UNIFORM, 0);
  return dc_expr_binary(pool, DC_OP_ADD, dc_expr_binary(pool, DC_OP_MUL, ctaid, ntid), tid);
}

// entry -> header <-> body, header -> end: blocks 0 to 3.
static void one_loop_blocks(dc_kernel *kernel) {
  add_block(kernel, DC_NONE, 1, DC_UNIFORM, 4, 1);
  add_block(kernel, 0, 3, DC_DIVERGENT, 2, 0);
  add_block(kernel, 0, 1, DC_DIVERGENT, 3, 3);
  add_block(kernel, DC_NONE, DC_NONE, DC_UNIFORM, 1, 1);
  add_edge(kernel, 0, 1);
  add_edge(kernel, 1, 2);
  add_edge(kernel, 1, 3);
  add_edge(kernel, 2, 1);
}

static void spmv(dc_kernel *kernel) {
  kernel->name = dc_kernel_add_text(
      kernel, "spmv_csr(int, int const*, int const*, float const*, float const*, float*)");
  kernel->symbol = dc_kernel_add_text(kernel, "_Z8spmv_csriPKiS0_PKfS2_Pf");
  kernel->location = at(kernel, 1, 17, "spmv_csr", DC_NONE);
  add_param(kernel, "rows", true, 4096);
  add_param(kernel, "row", false, 0);
  one_loop_blocks(kernel);
  dc_expr_pool *pool = &kernel->pool;
  dc_expr r = global_index(pool);
  dc_expr begin = dc_expr_apply(pool, DC_OP_LOAD, 32, DC_DIVERGENT, DC_NO_EXPR, DC_NO_EXPR,
                                DC_NO_EXPR, dc_kernel_add_load_name(kernel, "row[r]"));
  dc_expr end = dc_expr_apply(pool, DC_OP_LOAD, 32, DC_DIVERGENT, r, DC_NO_EXPR, DC_NO_EXPR,
                              dc_kernel_add_load_name(kernel, "row[r + 1]"));
  dc_expr trips = dc_expr_binary(pool, DC_OP_SMAX, dc_expr_binary(pool, DC_OP_SUB, end, begin),
                                 dc_expr_constant(pool, 32, 0));
  uint32_t where = at(kernel, 8, 3, "spmv_csr", DC_NONE);
  add_loop(kernel, 1, DC_NONE, where, DC_CLASS_DATA_DEPENDENT, trips, 0x0123456789abcdefu);
  kernel->loops[0].distribution = dc_kernel_add_text(kernel, "poisson(30)");
  kernel->loops[0].distribution_at = dc_kernel_add_text(kernel, "src/sparse.cu:7");
  kernel->loops[0].trips_from = DC_FROM_ANNOTATED;
  kernel->loops[0].unroll_expected = 4;
  kernel->loops[0].unroll_shared = 5;
  kernel->loops[0].unroll_once = 2.5;
  kernel->loops[0].unroll_llvm = 2;
  kernel->loops[0].unroll_setup = 6;
  kernel->loops[0].swaps = DC_SWAPS_OWN;
  add_branch(kernel, 1, dc_expr_binary(pool, DC_OP_SLT, begin, end), 0, where);
  add_reason(kernel, 0, at(kernel, 8, 28, "spmv_csr", DC_NONE),
             "the loop ends at a value that is read from memory");
  add_reason(kernel, 0, at(kernel, 3, 37, "spmv_csr", DC_NONE),
             "the address of the read depends on threadIdx.x, so each lane reads another element");
  uint32_t call = at(kernel, 70, 3, "main", DC_NONE);
  add_launch(kernel, 256, 16, DC_BLOCK_LAUNCH, call);
  add_launch(kernel, 128, 32, DC_BLOCK_LAUNCH, at(kernel, 90, 3, "main", DC_NONE));
}

static void bfs(dc_kernel *kernel) {
  kernel->name = dc_kernel_add_text(kernel, "bfs(graph, int*)");
  kernel->symbol = dc_kernel_add_text(kernel, "_Z3bfs5graphPi");
  kernel->location = at(kernel, 19, 17, "bfs", DC_NONE);
  add_param(kernel, "g", false, 0);
  add_block(kernel, DC_NONE, 1, DC_UNIFORM, 6, 1);
  add_block(kernel, 0, 4, DC_DIVERGENT, 2, 1);
  add_block(kernel, 1, 3, DC_DIVERGENT, 4, 1);
  add_block(kernel, 0, 1, DC_DIVERGENT, 1, 0);
  add_block(kernel, 2, 5, DC_UNIFORM, 3, 2);
  add_block(kernel, DC_NONE, DC_NONE, DC_UNIFORM, 1, 1);
  const uint32_t edges[][2] = {{0, 1}, {1, 2}, {1, 4}, {2, 2}, {2, 3}, {3, 1}, {4, 4}, {4, 5}};
  for (unsigned k = 0; k < sizeof edges / sizeof *edges; ++k)
    add_edge(kernel, edges[k][0], edges[k][1]);
  dc_expr_pool *pool = &kernel->pool;
  dc_expr degree = dc_expr_apply(pool, DC_OP_LOAD, 32, DC_DIVERGENT, global_index(pool), DC_NO_EXPR,
                                 DC_NO_EXPR, dc_kernel_add_load_name(kernel, "g.first[node + 1]"));
  dc_expr nodes = dc_expr_leaf(pool, DC_OP_PARAM, 32, DC_UNIFORM, 0);
  dc_expr stride = dc_expr_leaf(pool, DC_OP_NTID, 32, DC_UNIFORM, 0);
  dc_expr left =
      dc_expr_binary(pool, DC_OP_SUB, nodes, dc_expr_leaf(pool, DC_OP_TID, 32, DC_DIVERGENT, 0));
  dc_expr steps = dc_expr_binary(pool, DC_OP_STEPS, left, stride);
  uint32_t call = at(kernel, 20, 11, "bfs", DC_NONE);
  uint32_t outer = at(kernel, 14, 2, "visit", call), inner = at(kernel, 15, 5, "visit", call);
  add_loop(kernel, 1, DC_NONE, outer, DC_CLASS_DATA_DEPENDENT, degree, 0xfedcba9876543210u);
  add_reason(kernel, 0, at(kernel, 14, 34, "visit", call),
             "the loop ends at a value that is read from memory");
  add_loop(kernel, 2, 0, inner, DC_CLASS_UNKNOWN, DC_NO_EXPR, 0x00000000000000ffu);
  kernel->loops[1].unknown =
      dc_kernel_add_text(kernel, "the exit rests on an atomic operation, whose result depends on "
                                 "the order in which lanes run");
  add_loop(kernel, 4, DC_NONE, at(kernel, 23, 3, "bfs", DC_NONE), DC_CLASS_STRIDED, steps,
           0x1111111111111111u);
  kernel->loops[2].condition =
      dc_kernel_add_text(kernel, "warp-uniform if blockDim.x is a multiple of 32");
  add_branch(kernel, 1, DC_NO_EXPR, 0, outer);
  add_branch(kernel, 2, DC_NO_EXPR, 1, inner);
  add_launch(kernel, 256, 0, DC_BLOCK_ASSUMED, DC_NONE);
  uint32_t barrier = dc_kernel_add_barrier(kernel);
  kernel->barriers[barrier] = (dc_barrier){
      3, at(kernel, 22, 5, "bfs", DC_NONE), DC_DIVERGENT, DC_UNIFORM, false, kernel->n_reasons, 1};
  dc_kernel_add_reason(kernel, at(kernel, 21, 9, "bfs", DC_NONE),
                       "threads may take this branch differently");
}

static void saxpy(dc_kernel *kernel) {
  kernel->name = dc_kernel_add_text(kernel, "saxpy(int, float, float const*, float*)");
  kernel->symbol = dc_kernel_add_text(kernel, "_Z5saxpyifPKfPf");
  kernel->location = at(kernel, 26, 17, "saxpy", DC_NONE);
  add_param(kernel, "n", true, INT64_MAX); // more than a double holds
  one_loop_blocks(kernel);
  dc_expr_pool *pool = &kernel->pool;
  dc_expr n = dc_expr_leaf(pool, DC_OP_PARAM, 32, DC_UNIFORM, 0);
  dc_expr stride =
      dc_expr_binary(pool, DC_OP_MUL, dc_expr_leaf(pool, DC_OP_NCTAID, 32, DC_UNIFORM, 0),
                     dc_expr_leaf(pool, DC_OP_NTID, 32, DC_UNIFORM, 0));
  dc_expr steps = dc_expr_binary(pool, DC_OP_STEPS,
                                 dc_expr_binary(pool, DC_OP_SUB, n, global_index(pool)), stride);
  add_loop(kernel, 1, DC_NONE, at(kernel, 27, 3, "saxpy", DC_NONE), DC_CLASS_STRIDED, steps,
           0x2222222222222222u);
  add_launch(kernel, 256, 0, DC_BLOCK_LAUNCH_BOUNDS, DC_NONE);
}

static dc_interval exactly(double value) { return (dc_interval){value, value}; }

// Figures of a loop: exact at spread 1, else intervals up to that many times the low end.
static dc_loop_estimate figures(dc_from from, double body, double lost, double cycles,
                                double spread) {
  double share = lost / cycles, most = share * spread < 0.97 ? share * spread : 0.97;
  return (dc_loop_estimate){.from = from,
                            .entries = exactly(1),
                            .mean_trips = {30, 30},
                            .expected = {1.4375, 1.4375 * spread},
                            .aggregate = {1.42, 1.42 * spread},
                            .worst = from == DC_FROM_ANNOTATED ? 32 : -1,
                            .efficiency = {0.704225352112676 / spread, 0.704225352112676},
                            .divergent_exits = {12.0625, 12.0625 * (spread < 2 ? spread : 2)},
                            .stack_depth = {-1, -1},
                            .body = {body, body * spread},
                            .imbalance = {lost - 157, (lost - 157) * spread},
                            .reconvergence = {157, 157 * spread},
                            .share = {share, most}};
}

static void add_estimate(dc_unit_kernel *kernel, unsigned sm, uint32_t launch, double cycles,
                         double lost, double spread) {
  kernel->estimates =
      must(realloc(kernel->estimates, (kernel->n_estimates + 1) * sizeof *kernel->estimates));
  dc_estimate *estimate = &kernel->estimates[kernel->n_estimates++];
  uint32_t n = kernel->kernel.n_loops;
  double share = 1.05 * lost / cycles;
  *estimate = (dc_estimate){.sm = sm,
                            .launch = kernel->kernel.launches[launch],
                            .cycles = {cycles, cycles * spread},
                            .imbalance = {lost, lost * spread},
                            .reconvergence = {lost / 20, lost * spread / 20},
                            .share = {share, share * spread < 0.97 ? share * spread : 0.97},
                            .efficiency = {1 - lost / cycles, 1 - lost / cycles / spread},
                            .divergent_branches = {13, 13 * spread},
                            .expected_efficiency = {0.3 / spread, 0.9},
                            .certain_efficiency = {0.03125, 1},
                            .emulated = spread == 1,
                            .loops = must(calloc(n, sizeof *estimate->loops)),
                            .n_loops = n};
}

static void finding(dc_unit_kernel *kernel, dc_rule rule, uint32_t loop, uint32_t barrier,
                    uint32_t location, const char *message) {
  kernel->findings =
      must(realloc(kernel->findings, (kernel->n_findings + 1) * sizeof *kernel->findings));
  char *copy = must(malloc(strlen(message) + 1));
  strcpy(copy, message);
  kernel->findings[kernel->n_findings++] = (dc_finding){.rule = rule,
                                                        .loop = loop,
                                                        .barrier = barrier,
                                                        .location = location,
                                                        .message = copy,
                                                        .fingerprint = 0xabcdef0000000000u + rule};
}

static void estimate_sample(dc_unit *unit, unsigned sm) {
  dc_unit_kernel *kernel = unit->kernels;
  double slower = sm == 80 ? 1.25 : 1;
  for (uint32_t launch = 0; launch < 2; ++launch) {
    double cycles = slower * (12480 + 20 * launch);
    add_estimate(kernel, sm, launch, cycles, 0.43 * cycles, 1);
    kernel->estimates[kernel->n_estimates - 1].loops[0] =
        figures(DC_FROM_ANNOTATED, 0.9 * cycles, 0.4 * cycles, cycles, 1);
  }
  ++kernel;
  add_estimate(kernel, sm, 0, slower * 3120.5, slower * 400, 6);
  dc_loop_estimate *loops = kernel->estimates[kernel->n_estimates - 1].loops;
  loops[0] = figures(DC_FROM_ASSUMED, slower * 1400, slower * 300, slower * 3120.5, 6);
  loops[1] = figures(DC_FROM_ASSUMED, slower * 900.25, slower * 200, slower * 3120.5, 9);
  loops[2] = figures(DC_FROM_DERIVED, slower * 1234, 0, slower * 3120.5, 1);
  loops[2].imbalance = loops[2].reconvergence = loops[2].share = exactly(0);
  loops[2].expected = loops[2].aggregate = loops[2].efficiency = exactly(1);
  ++kernel;
  add_estimate(kernel, sm, 0, slower * 98765.4321, 0, 1);
  loops = kernel->estimates[kernel->n_estimates - 1].loops;
  loops[0] = figures(DC_FROM_ASSUMED, slower * 98000, 157, slower * 98765.4321, 1.5);
  loops[0].share = exactly(0);
}

static void make(dc_unit *unit, unsigned first, unsigned second) {
  static void (*const kernels[])(dc_kernel *kernel) = {spmv, bfs, saxpy};
  *unit = (dc_unit){.n_archs = second ? 2 : 1, .n_kernels = 3};
  unit->path = strcpy(must(malloc(14)), "src/sparse.cu");
  unit->archs = must(calloc(2, sizeof *unit->archs));
  unit->archs[0] = first;
  unit->archs[1] = second;
  unit->kernels = must(calloc(3, sizeof *unit->kernels));
  for (unsigned k = 0; k < 3; ++k) {
    unit->kernels[k].kernel.location = DC_NONE;
    unit->kernels[k].kernel.machine_code = 90;
    kernels[k](&unit->kernels[k].kernel);
    if (dc_kernel_validate(&unit->kernels[k].kernel, NULL) != DC_OK)
      abort();
  }
  estimate_sample(unit, first);
  if (second)
    estimate_sample(unit, second);
  finding(&unit->kernels[0], DC_RULE_IMBALANCE, 0, DC_NONE,
          unit->kernels[0].kernel.loops[0].location, "loop loses 40% of the kernel's issue cycles");
  finding(&unit->kernels[1], DC_RULE_BARRIER, DC_NONE, 0,
          unit->kernels[1].kernel.barriers[0].location,
          "__syncthreads() is reached by some threads of a block only, which is undefined");
}

void sample_unit(dc_unit *unit) { make(unit, 80, 90); }

void sample_part(dc_unit *unit, unsigned sm) { make(unit, sm, 0); }

// What is left of a kernel at which the analysis has stopped.
static void state_machine(dc_kernel *kernel) {
  kernel->name = dc_kernel_add_text(kernel, "state_machine(int const*, int*, int)");
  kernel->symbol = dc_kernel_add_text(kernel, "_Z13state_machinePKiPii");
  kernel->location = at(kernel, 40, 17, "state_machine", DC_NONE);
  kernel->not_analysed = dc_kernel_add_text(
      kernel, "its divergence analysis stops after 40,000,000 steps, the limit (basic blocks: "
              "6,505, values: 39,020)");
  add_param(kernel, "in", false, 0);
  add_launch(kernel, 256, 0, DC_BLOCK_ASSUMED, DC_NONE);
}

void sample_not_analysed(dc_unit *unit) {
  sample_unit(unit);
  unit->kernels = must(realloc(unit->kernels, 4 * sizeof *unit->kernels));
  dc_unit_kernel *kernel = &unit->kernels[unit->n_kernels++];
  *kernel = (dc_unit_kernel){.kernel = {.location = DC_NONE, .machine_code = 90}};
  state_machine(&kernel->kernel);
  dc_arch archs[2];
  dc_error error;
  if (dc_kernel_validate(&kernel->kernel, &error) != DC_OK ||
      dc_arch_find_sm(80, &archs[0], &error) != DC_OK ||
      dc_arch_find_sm(90, &archs[1], &error) != DC_OK ||
      dc_unit_estimate(kernel, archs, 2, NULL, &error) != DC_OK)
    abort();
  finding(kernel, DC_RULE_GAVE_UP, DC_NONE, DC_NONE, kernel->kernel.location,
          "kernel 'state_machine(int const*, int*, int)' is not analysed");
}

// ---- random units ------------------------------------------------------------------------------

// splitmix64.
static uint64_t draw(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static uint32_t below(uint64_t *state, uint32_t end) { return (uint32_t)(draw(state) % end); }

static uint32_t maybe(uint64_t *state, uint32_t count) {
  return count && below(state, 4) ? below(state, count) : DC_NONE;
}

// Texts with everything that JSON has to escape, and some that isn't UTF-8.
static dc_text random_text(uint64_t *state, dc_kernel *kernel) {
  static const char *const pieces[] = {
      "a", "\"", "\\", "\n", "\t", "loop ", "\x01", "\xc3\xa9", "\x7f", "/", "\xf0\x9f\x98\x80",
      "%s"};
  char text[64] = "";
  for (uint32_t k = below(state, 8); k > 0; --k)
    strcat(text, pieces[below(state, sizeof pieces / sizeof *pieces)]);
  return dc_kernel_add_text(kernel, text);
}

static void random_pool(uint64_t *state, dc_kernel *kernel) {
  dc_expr_pool *pool = &kernel->pool;
  for (uint32_t k = below(state, 60); k > 0; --k) {
    dc_expr a = pool->count ? below(state, pool->count) : DC_NO_EXPR;
    dc_expr b = pool->count ? below(state, pool->count) : DC_NO_EXPR;
    dc_uniformity level = (dc_uniformity)below(state, 4);
    switch (below(state, 6)) {
    case 0:
      dc_expr_constant(pool, 64,
                       (int64_t)(draw(state) >> below(state, 60)) * (below(state, 2) ? 1 : -1));
      break;
    case 1:
      dc_expr_leaf(pool, DC_OP_TID, 32, DC_DIVERGENT, below(state, 3));
      break;
    case 2:
      dc_expr_leaf(pool, DC_OP_OPAQUE, 64, level, (int64_t)(draw(state) >> 1));
      break;
    case 3:
      dc_expr_apply(pool, DC_OP_LOAD, 32, level, a, DC_NO_EXPR, DC_NO_EXPR, below(state, 9));
      break;
    default:
      if (a != DC_NO_EXPR) // dc_expr_apply refuses what doesn't fit
        dc_expr_binary(pool, (dc_expr_op)(DC_OP_ADD + below(state, DC_OP_SLE - DC_OP_ADD + 1)), a,
                       b);
    }
  }
}

static void random_reasons(uint64_t *state, dc_kernel *kernel, uint32_t count) {
  for (uint32_t k = 0; k < count; ++k) {
    dc_text text = random_text(state, kernel);
    uint32_t reason = dc_kernel_add_reason(kernel, maybe(state, kernel->n_locations), "");
    kernel->reasons[reason].text = text;
  }
}

static void random_loops(uint64_t *state, dc_kernel *kernel) {
  for (uint32_t k = below(state, 8); k > 0; --k) {
    uint32_t parent = maybe(state, kernel->n_loops), index = dc_kernel_add_loop(kernel);
    dc_loop loop = {.header = below(state, kernel->n_blocks),
                    .parent = parent,
                    .depth = parent == DC_NONE ? 1 : kernel->loops[parent].depth + 1,
                    .location = maybe(state, kernel->n_locations),
                    .first_exit = kernel->n_exits,
                    .n_exits = below(state, 3),
                    .first_reason = kernel->n_reasons,
                    .n_reasons = below(state, 4),
                    .loop_class = (uint8_t)below(state, 7),
                    .level = (uint8_t)below(state, 4),
                    .irreducible = (uint8_t)below(state, 2),
                    .unroll = below(state, 3),
                    .unroll_expected = below(state, 3),
                    .carried = below(state, 9),
                    .trips = maybe(state, kernel->pool.count),
                    .distribution = random_text(state, kernel),
                    .distribution_at = random_text(state, kernel),
                    .condition = random_text(state, kernel),
                    .unknown = random_text(state, kernel),
                    .id = draw(state)};
    if (loop.distribution)
      loop.trips_from = (uint8_t)below(state, 5);
    loop.unroll_shared = loop.unroll_expected > 1 ? below(state, 9) : 0;
    loop.swaps = (uint8_t)below(state, 3);
    loop.unroll_setup = loop.unroll_expected > 1 ? below(state, 9) : 0;
    loop.unroll_once = loop.unroll_shared ? below(state, 64 * loop.unroll_shared) / 64.0 : 0;
    loop.unroll_llvm = loop.unroll_expected > 1 ? 2 * below(state, 3) : 0;
    loop.correlation = below(state, 3) / 4.0;
    loop.ignored = random_text(state, kernel);
    loop.ignored_at = random_text(state, kernel);
    for (uint32_t e = 0; e < loop.n_exits; ++e) {
      uint32_t way = dc_kernel_add_exit(kernel);
      kernel->exits[way] =
          (dc_exit){below(state, kernel->n_blocks), maybe(state, kernel->n_locations),
                    (uint8_t)below(state, 4), maybe(state, kernel->pool.count)};
    }
    random_reasons(state, kernel, loop.n_reasons);
    kernel->loops[index] = loop;
  }
}

static void random_blocks(uint64_t *state, dc_kernel *kernel) {
  uint32_t n = 1 + below(state, 12);
  for (uint32_t k = 0; k < n; ++k) {
    dc_kernel_add_block(kernel);
    uint32_t later = k + 1 < n ? k + 1 + below(state, n - k - 1) : DC_NONE;
    kernel->blocks[k] = (dc_block){.loop = DC_NONE,
                                   .branch = DC_NONE,
                                   .post_dominator = later,
                                   .control = (uint8_t)below(state, 4)};
    for (unsigned m = 0; m < DC_MIX_COUNT; ++m)
      kernel->blocks[k].mix[m] = (uint32_t)(below(state, 2) ? draw(state) >> below(state, 33) : 0);
    kernel->blocks[k].counted = below(state, 2);
    kernel->blocks[k].machine = (uint32_t)(kernel->blocks[k].counted ? draw(state) : 0);
    for (uint32_t s = below(state, 4); s > 0; --s)
      add_edge(kernel, k, below(state, n));
  }
}

static dc_interval random_interval(uint64_t *state) {
  double low = (double)draw(state) / (double)(1 + draw(state) % 1000000007);
  switch (below(state, 4)) {
  case 0:
    return (dc_interval){-1, -1};
  case 1:
    return exactly((double)below(state, 1000));
  case 2:
    return exactly(low);
  default:
    return (dc_interval){low, low * (1 + below(state, 9))};
  }
}

static double random_share(uint64_t *state) { return below(state, 1001) / 1000.0; }

static dc_time_saving random_saving(uint64_t *state) {
  double low = random_share(state) - 1;
  return (dc_time_saving){low, random_share(state)};
}

static void random_parts(uint64_t *state, const dc_kernel *kernel, dc_time_estimate *time) {
  uint32_t most = kernel->n_loops < DC_TIME_PARTS ? kernel->n_loops : DC_TIME_PARTS;
  time->n_parts = below(state, most + 1);
  for (uint32_t k = 0; k < time->n_parts; ++k) {
    bool branch = kernel->n_branches > 0 && below(state, 2);
    time->parts[k] =
        (dc_time_part){branch ? DC_NONE : below(state, kernel->n_loops),
                       branch ? below(state, kernel->n_branches) : DC_NONE, random_saving(state)};
  }
}

static void random_time(uint64_t *state, const dc_kernel *kernel, dc_time_estimate *time) {
  *time = (dc_time_estimate){.known = below(state, 2)};
  if (!time->known) {
    time->unknown = (uint8_t)below(state, DC_TIME_TRIPS + 1);
    return;
  }
  time->assumed_l2 = below(state, 2);
  time->assumed_extents = below(state, 2);
  time->bound = (uint8_t)below(state, DC_BOUND_COUNT);
  time->seconds = time->alike = time->longest = exactly(1e-6 * below(state, 1000));
  time->seconds.high *= 1 + below(state, 9);
  for (unsigned k = 0; k < DC_LOSS_COUNT; ++k)
    time->lost[k] = k == DC_LOSS_DIVERGENCE || below(state, 4) ? random_saving(state)
                                                               : (dc_time_saving){-2, -2};
  random_parts(state, kernel, time);
  for (unsigned k = 0; k < DC_BOUND_COUNT; ++k)
    time->bounds[k] = random_share(state);
}

static void random_estimate(uint64_t *state, dc_unit_kernel *kernel, unsigned sm) {
  add_estimate(kernel, sm, below(state, kernel->kernel.n_launches), 1000, 10, 2);
  dc_estimate *estimate = &kernel->estimates[kernel->n_estimates - 1];
  estimate->cycles = random_interval(state);
  estimate->imbalance = random_interval(state);
  estimate->reconvergence = random_interval(state);
  estimate->share = random_interval(state);
  estimate->instructions = random_interval(state);
  estimate->efficiency = random_interval(state);
  for (uint32_t k = 0; k < estimate->n_loops; ++k) {
    dc_loop_estimate *loop = &estimate->loops[k];
    dc_interval *const intervals[] = {&loop->entries,         &loop->mean_trips,  &loop->expected,
                                      &loop->aggregate,       &loop->efficiency,  &loop->body,
                                      &loop->divergent_exits, &loop->stack_depth, &loop->imbalance,
                                      &loop->reconvergence,   &loop->share};
    for (unsigned s = 0; s < sizeof intervals / sizeof *intervals; ++s)
      *intervals[s] = random_interval(state);
    loop->from = (dc_from)below(state, 5);
    loop->worst = random_interval(state).low;
  }
  random_time(state, &kernel->kernel, &estimate->time);
  uint32_t n = kernel->kernel.n_accesses;
  estimate->accesses = must(calloc(n + 1, sizeof *estimate->accesses));
  estimate->n_accesses = n;
  for (uint32_t k = 0; k < n; ++k)
    if (below(state, 3))
      estimate->accesses[k] =
          (dc_access_estimate){.requests = 1 + below(state, 1000),
                               .lanes = below(state, 33),
                               .taken = random_interval(state),
                               .ideal = random_interval(state),
                               .stride = below(state, 2) ? (int64_t)draw(state) : 0,
                               .access_class = (uint8_t)below(state, DC_ACCESS_GATHER + 1),
                               .from = (uint8_t)below(state, 5)};
}

static void random_kernel(uint64_t *state, dc_unit_kernel *of) {
  dc_kernel *kernel = &of->kernel;
  for (uint32_t k = below(state, 10); k > 0; --k) {
    dc_location location = {random_text(state, kernel),
                            below(state, 99),
                            below(state, 99),
                            random_text(state, kernel),
                            maybe(state, kernel->n_locations),
                            false};
    uint32_t index = dc_kernel_add_location(kernel); // first: it may move the array
    kernel->locations[index] = location;
  }
  kernel->name = random_text(state, kernel);
  kernel->symbol = random_text(state, kernel);
  kernel->location = maybe(state, kernel->n_locations);
  kernel->machine_code = 1 + (uint32_t)(*state % 999);
  for (uint32_t k = below(state, 4); k > 0; --k) {
    dc_text name = random_text(state, kernel);
    bool known = below(state, 2);
    uint32_t index = dc_kernel_add_param(kernel);
    kernel->params[index] = (dc_param){.name = name, .known = known};
    kernel->params[index].value = known ? (int64_t)draw(state) : 0;
    kernel->params[index].extent = below(state, 2) ? 1 + draw(state) % (1ull << 50) : 0;
  }
  kernel->l2 = (uint8_t)below(state, DC_L2_COLD + 1);
  for (uint32_t k = below(state, 4); k > 0; --k)
    dc_kernel_add_load_name(kernel, k % 2 ? "x[i]" : "");
  for (uint32_t k = below(state, 4); k > 0; --k)
    dc_kernel_add_opaque_name(kernel, "clock64()");
  for (uint32_t k = 1 + below(state, 3); k > 0; --k)
    add_launch(kernel, 1 + below(state, 1024), below(state, 9), (dc_block_from)below(state, 6),
               maybe(state, kernel->n_locations));
  for (uint32_t k = below(state, 3); k > 0; --k)
    dc_kernel_add_call(kernel, (dc_call_kind)below(state, 3), k % 2 ? "f(int)" : "");
  random_blocks(state, kernel);
  random_pool(state, kernel);
  random_loops(state, kernel);
  for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
    kernel->blocks[k].loop = maybe(state, kernel->n_loops);
    if (below(state, 2))
      add_branch(kernel, k, DC_NO_EXPR, maybe(state, kernel->n_loops),
                 maybe(state, kernel->n_locations));
    if (below(state, 3) == 0) {
      uint32_t barrier = dc_kernel_add_barrier(kernel);
      kernel->barriers[barrier] = (dc_barrier){k,
                                               maybe(state, kernel->n_locations),
                                               (uint8_t)below(state, 4),
                                               (uint8_t)below(state, 4),
                                               below(state, 2),
                                               kernel->n_reasons,
                                               below(state, 3)};
      random_reasons(state, kernel, kernel->barriers[barrier].n_reasons);
    }
  }
  const uint32_t parts[] = {[DC_ROWS_NODE] = kernel->pool.count,
                            [DC_ROWS_BRANCH] = kernel->n_branches,
                            [DC_ROWS_EXIT] = kernel->n_exits,
                            [DC_ROWS_LOOP] = kernel->n_loops};
  for (unsigned of = 0; of < 4; ++of)
    if (parts[of] && below(state, 3) == 0) {
      uint32_t row = dc_kernel_add_row_level(kernel);
      kernel->row_levels[row] =
          (dc_row_level){(uint8_t)of, (uint8_t)below(state, 4),
                         (uint8_t)(of == DC_ROWS_LOOP ? below(state, DC_CLASS_UNKNOWN + 1) : 0),
                         below(state, parts[of])};
    }
  for (uint32_t k = kernel->n_blocks ? below(state, 4) : 0; k > 0; --k) {
    dc_text name = random_text(state, kernel);
    uint32_t access = dc_kernel_add_access(kernel);
    kernel->accesses[access] = (dc_access){.block = below(state, kernel->n_blocks),
                                           .location = maybe(state, kernel->n_locations),
                                           .address = maybe(state, kernel->pool.count),
                                           .root = maybe(state, kernel->pool.count),
                                           .name = name,
                                           .alignment = below(state, 2) << below(state, 9),
                                           .space = (uint8_t)below(state, DC_SPACE_CONSTANT + 1),
                                           .kind = (uint8_t)below(state, DC_ACCESS_ATOMIC + 1),
                                           .bytes = (uint8_t)(1 << below(state, 5)),
                                           .stage = (uint8_t)below(state, 256),
                                           .carried = below(state, 2),
                                           .advance = (uint16_t)below(state, 65536),
                                           .descends = below(state, 2),
                                           .level = (uint8_t)below(state, 4)};
  }
  dc_error error;
  if (dc_kernel_validate(kernel, &error) != DC_OK) {
    fprintf(stderr, "random kernel: %s\n", error.text);
    abort();
  }
  random_estimate(state, of, 70);
  random_estimate(state, of, 90);
  if (below(state, 2))
    finding(of, (dc_rule)below(state, DC_RULE_COUNT), maybe(state, kernel->n_loops),
            maybe(state, kernel->n_barriers), maybe(state, kernel->n_locations),
            "something about \"it\"");
}

void random_unit(dc_unit *unit, uint64_t seed) {
  uint64_t state = seed;
  *unit = (dc_unit){.n_archs = 2, .n_kernels = 1 + below(&state, 3)};
  unit->path = strcpy(must(malloc(9)), "random\xff.");
  unit->archs = must(calloc(2, sizeof *unit->archs));
  unit->archs[0] = 70;
  unit->archs[1] = 90;
  unit->kernels = must(calloc(unit->n_kernels, sizeof *unit->kernels));
  for (uint32_t k = 0; k < unit->n_kernels; ++k)
    random_kernel(&state, &unit->kernels[k]);
}

// ---- as text -----------------------------------------------------------------------------------

static char *contents(FILE *stream) {
  long size = ftell(stream);
  char *text = must(calloc((size_t)size + 1, 1));
  rewind(stream);
  if (fread(text, 1, (size_t)size, stream) != (size_t)size)
    abort();
  fclose(stream);
  return text;
}

char *json_of(const dc_unit *unit) {
  FILE *stream = must(tmpfile());
  dc_error error;
  if (dc_unit_write(unit, &dc_format_json, NULL, stream, &error) != DC_OK) {
    fprintf(stderr, "%s\n", error.text);
    abort();
  }
  return contents(stream);
}

char *text_of_unit(const dc_unit *unit, bool colour) {
  FILE *stream = must(tmpfile());
  const dc_report_options options = {
      .colour = colour, .read_line = read_sample_line, .context = NULL};
  if (dc_unit_write(unit, &dc_format_text, &options, stream, NULL) != DC_OK)
    abort();
  return contents(stream);
}
