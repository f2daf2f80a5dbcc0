// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel skeleton: what is built reads back, and the check finds every field that is broken,
// one at a time, in a skeleton that has everything.
#include "divcost/kernel.h"

#include "skeleton.h"

// Two nested loops, a barrier, names, reasons, inlined locations.
static dc_kernel whole(void) {
  builder b = begin_kernel(32, 4, 1, 3);
  dc_expr n = parameter(&b, false, 0);
  uint32_t outer = begin_loop(&b, n, DC_UNIFORM, DC_CLASS_UNIFORM, 5);
  dc_expr trips =
      dc_expr_binary(&b.kernel.pool, DC_OP_STEPS,
                     apply(&b, DC_OP_ADD, thread(&b), induction(&b, outer)), number(&b, 2));
  uint32_t inner = begin_loop(&b, trips, DC_DIVERGENT, DC_CLASS_LANE_AFFINE, 7);
  end_loop(&b, 1);
  end_loop(&b, 1);
  dc_kernel k = b.kernel;
  k.name = dc_kernel_add_text(&k, "f(int)");
  k.symbol = dc_kernel_add_text(&k, "_Z1fi");
  uint32_t call = dc_kernel_add_location(&k), at = dc_kernel_add_location(&k);
  k.locations[call] = (dc_location){dc_kernel_add_text(&k, "f.cu"), 3, 4, k.name, DC_NONE, false};
  k.locations[at] = (dc_location){k.locations[call].file, 9, 2, k.name, call, false};
  k.location = call;
  k.loops[inner].location = at;
  k.loops[inner].first_reason = dc_kernel_add_reason(&k, at, "threadIdx.x is different");
  k.loops[inner].n_reasons = 1;
  uint32_t barrier = dc_kernel_add_barrier(&k);
  k.barriers[barrier] = (dc_barrier){.block = 1, .location = at};
  uint32_t row = dc_kernel_add_row_level(&k);
  k.row_levels[row] = (dc_row_level){DC_ROWS_LOOP, DC_DIVERGENT, DC_CLASS_STRIDED, inner};
  uint32_t access = dc_kernel_add_access(&k);
  k.accesses[access] = (dc_access){.block = 1,
                                   .location = at,
                                   .address = DC_NO_EXPR,
                                   .root = DC_NO_EXPR,
                                   .space = DC_SPACE_SHARED,
                                   .bytes = 4};
  k.branches[0].condition =
      dc_expr_apply(&k.pool, DC_OP_SLT, 1, DC_UNIFORM, trips, n, DC_NO_EXPR, 0);
  dc_kernel_add_load_name(&k, "row[r]");
  dc_kernel_add_opaque_name(&k, "a call");
  dc_kernel_add_call(&k, DC_CALL_POINTER, "g(int)");
  return k;
}

static void what_is_built_reads_back(void **state) {
  (void)state;
  dc_kernel k = whole();
  dc_error error = {0};
  if (dc_kernel_validate(&k, &error) != DC_OK)
    fail_msg("%s", error.text);
  assert_string_equal(dc_kernel_text(&k, k.symbol), "_Z1fi");
  assert_string_equal(dc_kernel_text(&k, 0), "");
  assert_string_equal(dc_kernel_text(&k, 1u << 30), "");
  assert_int_equal(dc_kernel_add_text(&k, "_Z1fi"), k.symbol);
  assert_int_equal(dc_kernel_add_text(&k, ""), 0);
  k.params[0].name = dc_kernel_add_text(&k, "n");
  char text[64];
  dc_kernel_print_expr(&k, k.loops[0].trips, text, sizeof text);
  assert_string_equal(text, "n");
  dc_kernel_free(&k);
  dc_kernel_free(&k);
}

// thread - 2 * radius, 2 * reach + 1 and n, a size that is subtracted, too, thread % 2 == color,
// start + thread + 1 < end, thread == row, thread < (thread ^ distance), and thread * items < end
// with a loop of `items` iterations.
static void what_is_subtracted_or_counts_a_window_is_small(void **state) {
  (void)state;
  enum { RADIUS, REACH, N, SIZE, KNOWN, COLOR, START, END, ROW, DISTANCE, ITEMS };
  const uint32_t block[3] = {64, 1, 1};
  builder b = begin_kernel(64, 1, 1, 3);
  dc_expr radius = parameter(&b, false, 0), reach = parameter(&b, false, 0),
          n = parameter(&b, false, 0), size = parameter(&b, false, 0),
          known = parameter(&b, true, 7), color = parameter(&b, false, 0),
          start = parameter(&b, false, 0), end = parameter(&b, false, 0),
          row = parameter(&b, false, 0), distance = parameter(&b, false, 0),
          items = parameter(&b, false, 0);
  dc_expr twice = apply(&b, DC_OP_MUL, radius, number(&b, 2)),
          window = apply(&b, DC_OP_MUL, reach, number(&b, 2)),
          below = dc_expr_cast(&b.kernel.pool, DC_OP_ZEXT, 32,
                               apply(&b, DC_OP_ULT, block_index(&b), size)),
          even = dc_expr_cast(
              &b.kernel.pool, DC_OP_ZEXT, 32,
              apply(&b, DC_OP_EQ, color, apply(&b, DC_OP_AND, thread(&b), number(&b, 1))));
  dc_expr first = apply(&b, DC_OP_ADD, apply(&b, DC_OP_ADD, thread(&b), start), number(&b, 1)),
          before = dc_expr_cast(&b.kernel.pool, DC_OP_ZEXT, 32, apply(&b, DC_OP_SLT, first, end)),
          partner = apply(&b, DC_OP_XOR, thread(&b), distance),
          pairs = dc_expr_cast(&b.kernel.pool, DC_OP_ZEXT, 32,
                               apply(&b, DC_OP_SLT, thread(&b), partner)),
          some = dc_expr_cast(&b.kernel.pool, DC_OP_ZEXT, 32,
                              apply(&b, DC_OP_SLT, apply(&b, DC_OP_MUL, thread(&b), items), end)),
          own = dc_expr_cast(&b.kernel.pool, DC_OP_ZEXT, 32, apply(&b, DC_OP_EQ, thread(&b), row));
  const dc_expr trips[] = {before,
                           own,
                           pairs,
                           some,
                           items,
                           apply(&b, DC_OP_SUB, thread(&b), twice),
                           apply(&b, DC_OP_ADD, window, number(&b, 1)),
                           n,
                           below,
                           even,
                           apply(&b, DC_OP_SUB, n, apply(&b, DC_OP_ADD, size, known))};
  for (unsigned k = 0; k < sizeof trips / sizeof *trips; ++k) {
    begin_loop(&b, trips[k], DC_DIVERGENT, DC_CLASS_LANE_AFFINE, 5);
    end_loop(&b, 1);
  }
  dc_kernel view;
  assert_int_equal(dc_kernel_in_block(&b.kernel, block, &view, NULL), DC_OK);
  assert_int_equal(view.params[RADIUS].small, DC_PARAM_SMALL);
  assert_int_equal(view.params[REACH].small, DC_PARAM_SMALL);
  assert_int_equal(view.params[N].small, DC_PARAM_ANY);
  assert_int_equal(view.params[SIZE].small, DC_PARAM_ANY);
  assert_int_equal(view.params[KNOWN].small, DC_PARAM_ANY);
  assert_int_equal(view.params[COLOR].small, DC_PARAM_REMAINDER);
  assert_int_equal(view.params[START].small, DC_PARAM_SMALL);
  assert_int_equal(view.params[END].small, DC_PARAM_ANY);
  assert_int_equal(view.params[ROW].small, DC_PARAM_SMALL);
  assert_int_equal(view.params[DISTANCE].small, DC_PARAM_DISTANCE);
  assert_int_equal(view.params[ITEMS].small, DC_PARAM_SMALL);
  assert_int_equal(b.kernel.params[RADIUS].small, DC_PARAM_ANY);
  dc_kernel_leave_block(&b.kernel, &view);
  dc_kernel_free(&b.kernel);
}

// for (i = row[t / 32] + t % 32; i < row[t / 32 + 1]; i += 32), of which the reads are the same in
// a warp where rows are whole warps; and one that differs whatever the block is.
static void rows_of_whole_warps_have_levels_of_their_own(void **state) {
  (void)state;
  const uint32_t whole_rows[] = {64, 4, 1}, cut_rows[] = {48, 1, 1};
  builder b = begin_kernel(32, 4, 1, 3);
  dc_expr_pool *pool = &b.kernel.pool;
  dc_expr read = dc_expr_apply(pool, DC_OP_LOAD, 32, DC_DIVERGENT, thread(&b), DC_NO_EXPR,
                               DC_NO_EXPR, 0),
          other = dc_expr_apply(pool, DC_OP_LOAD, 32, DC_DIVERGENT, thread(&b), DC_NO_EXPR,
                                DC_NO_EXPR, 1),
          same = apply(&b, DC_OP_ADD, read, number(&b, 3)),
          differs = apply(&b, DC_OP_ADD, read, other);
  uint32_t loop = begin_loop(&b, same, DC_DIVERGENT, DC_CLASS_DATA_DEPENDENT, 5);
  end_loop(&b, 1);
  dc_kernel *k = &b.kernel;
  const dc_row_level levels[] = {{DC_ROWS_NODE, DC_WARP_UNIFORM, 0, read},
                                 {DC_ROWS_BRANCH, DC_WARP_UNIFORM, 0, 0},
                                 {DC_ROWS_EXIT, DC_BLOCK_UNIFORM, 0, 0},
                                 {DC_ROWS_LOOP, DC_WARP_UNIFORM, DC_CLASS_WARP_UNIFORM, loop}};
  for (unsigned n = 0; n < sizeof levels / sizeof *levels; ++n) {
    uint32_t row = dc_kernel_add_row_level(k);
    k->row_levels[row] = levels[n];
  }
  uint8_t branch = k->branches[0].level, way = k->exits[0].level;
  dc_kernel view;
  assert_int_equal(dc_kernel_in_block(k, cut_rows, &view, NULL), DC_OK);
  assert_ptr_equal(view.loops, k->loops);
  assert_int_equal(dc_expr_uniformity(&view.pool, same), DC_DIVERGENT);
  dc_kernel_leave_block(k, &view);
  assert_int_equal(dc_kernel_in_block(k, whole_rows, &view, NULL), DC_OK);
  assert_int_equal(dc_expr_uniformity(&view.pool, read), DC_WARP_UNIFORM);
  assert_int_equal(dc_expr_uniformity(&view.pool, same), DC_WARP_UNIFORM);
  assert_int_equal(dc_expr_uniformity(&view.pool, other), DC_DIVERGENT);
  assert_int_equal(dc_expr_uniformity(&view.pool, differs), DC_DIVERGENT);
  assert_int_equal(view.branches[0].level, DC_WARP_UNIFORM);
  assert_int_equal(view.exits[0].level, DC_BLOCK_UNIFORM);
  assert_int_equal(view.loops[loop].level, DC_WARP_UNIFORM);
  assert_int_equal(view.loops[loop].loop_class, DC_CLASS_WARP_UNIFORM);
  dc_kernel_leave_block(k, &view);
  assert_int_equal(k->branches[0].level, branch); // the kernel stays as it is
  assert_int_equal(k->exits[0].level, way);
  assert_int_equal(k->loops[loop].loop_class, DC_CLASS_DATA_DEPENDENT);
  assert_int_equal(dc_expr_uniformity(pool, same), DC_DIVERGENT);
  dc_kernel_free(k);
}

static void arrays_and_texts_grow(void **state) {
  (void)state;
  dc_kernel k = {0};
  char text[32];
  for (unsigned round = 0; round < 3000; ++round) {
    assert_int_equal(dc_kernel_add_exit(&k), round);
    assert_int_equal(k.exits[round].block, 0);
    k.exits[round].block = round;
    snprintf(text, sizeof text, "text %u", round);
    dc_text offset = dc_kernel_add_text(&k, text);
    assert_string_equal(dc_kernel_text(&k, offset), text);
    assert_int_equal(dc_kernel_add_text(&k, text), offset);
  }
  for (unsigned round = 0; round < 3000; ++round)
    assert_int_equal(k.exits[round].block, round);
  assert_string_equal(dc_kernel_text(&k, 1), "text 0");
  dc_kernel_free(&k);
}

static void successors_stay_together(void **state) {
  (void)state;
  dc_kernel k = {0};
  dc_kernel_add_block(&k);
  dc_kernel_add_block(&k);
  for (uint32_t round = 0; round < 20; ++round) // in turns: the worst order
    for (uint32_t block = 0; block < 2; ++block)
      add_edge(&k, block, block * 100 + round);
  for (uint32_t block = 0; block < 2; ++block) {
    assert_int_equal(k.blocks[block].n_successors, 20);
    for (uint32_t round = 0; round < 20; ++round)
      assert_int_equal(k.successors[k.blocks[block].first_successor + round], block * 100 + round);
  }
  dc_kernel_free(&k);
}

// Breaks one field by the statement, and expects the check to name it.
#define BREAK(statement, wanted)                                                                   \
  do {                                                                                             \
    dc_kernel k = whole();                                                                         \
    dc_error error = {0};                                                                          \
    statement;                                                                                     \
    dc_status status = dc_kernel_validate(&k, &error);                                             \
    if (status != DC_ERROR_ARGUMENT || !strstr(error.text, wanted))                                \
      fail_msg("%s: \"%s\"", #statement, error.text);                                              \
    assert_int_equal(dc_kernel_validate(&k, NULL), DC_ERROR_ARGUMENT);                             \
    dc_kernel_free(&k);                                                                            \
  } while (0)

static void the_check_finds_broken_control_flow(void **state) {
  (void)state;
  BREAK(k.n_blocks = 0, "blocks is empty");
  BREAK(k.n_launches = 0, "launches is empty");
  BREAK(k.blocks[2].first_successor = k.n_successors, "blocks[2].first_successor");
  BREAK(k.blocks[2].n_successors = UINT32_MAX, "blocks[2].first_successor");
  BREAK(k.blocks[1].loop = 2, "blocks[1].loop is 2, but there are 2 loops");
  BREAK(k.blocks[1].branch = 2, "blocks[1].branch");
  BREAK(k.blocks[1].branch = 0, "blocks[1].branch is 0, which is the branch of block 2");
  BREAK(k.blocks[1].post_dominator = 5, "blocks[1].post_dominator");
  BREAK(k.blocks[4].post_dominator = 1, "post_dominator leads back");
  BREAK(k.blocks[1].control = 4, "blocks[1].control");
  BREAK(k.successors[3] = 5, "successors[3].block is 5");
  BREAK(k.branches[1].block = 5, "branches[1].block");
  BREAK(k.branches[1].condition = k.pool.count, "branches[1].condition");
  BREAK(k.branches[0].condition = 0, "branches[0].condition has 32 bits");
  BREAK(k.branches[1].level = 4, "branches[1].level");
  BREAK(k.branches[1].predication = 3, "branches[1].predication");
  BREAK(k.branches[1].exits = 2, "branches[1].exits");
  BREAK(k.branches[1].location = 2, "branches[1].location");
  BREAK(k.barriers[0].block = 5, "barriers[0].block");
  BREAK(k.barriers[0].location = 2, "barriers[0].location");
  BREAK(k.barriers[0].level = 9, "barriers[0].level");
  BREAK(k.barriers[0].left = 4, "barriers[0].left");
  BREAK(k.barriers[0].n_reasons = 2, "barriers[0].first_reason");
  BREAK(k.accesses[0].block = 5, "accesses[0].block");
  BREAK(k.accesses[0].location = 2, "accesses[0].location");
  BREAK(k.accesses[0].address = k.pool.count, "accesses[0].address");
  BREAK(k.accesses[0].root = k.pool.count, "accesses[0].root");
  BREAK(k.accesses[0].name = 1u << 30, "accesses[0].name");
  BREAK(k.accesses[0].space = 5, "accesses[0].space");
  BREAK(k.accesses[0].kind = 3, "accesses[0].kind");
  BREAK(k.accesses[0].level = 4, "accesses[0].level");
  BREAK(k.accesses[0].alignment = 12, "accesses[0].alignment is 12, must be a power of two");
  BREAK(k.accesses[0].bytes = 12, "accesses[0].bytes is 12, must be 1, 2, 4, 8 or 16");
  BREAK(k.row_levels[0].of = 4, "row_levels[0].of");
  BREAK(k.row_levels[0].level = 4, "row_levels[0].level");
  BREAK(k.row_levels[0].loop_class = 7, "row_levels[0].loop_class");
  BREAK(k.row_levels[0].index = 2, "row_levels[0].index is 2, but there are 2 loops");
  BREAK(k.row_levels[0].of = DC_ROWS_EXIT; k.row_levels[0].index = 9, "there are 2 exits");
}

// A kernel at which the analysis has stopped has no blocks, and nothing that would be in them.
static void a_kernel_that_was_not_analysed_has_no_blocks(void **state) {
  (void)state;
  dc_error error;
  dc_kernel k = {.location = DC_NONE};
  uint32_t launch = dc_kernel_add_launch(&k);
  k.launches[launch] = (dc_launch){.block = {256, 1, 1}, .location = DC_NONE};
  assert_int_equal(dc_kernel_validate(&k, NULL), DC_ERROR_ARGUMENT);
  k.not_analysed = dc_kernel_add_text(&k, "it is too large");
  if (dc_kernel_validate(&k, &error) != DC_OK)
    fail_msg("%s", error.text);
  dc_kernel_add_loop(&k);
  k.loops[0] = (dc_loop){.parent = DC_NONE, .depth = 1, .location = DC_NONE, .trips = DC_NO_EXPR};
  assert_int_equal(dc_kernel_validate(&k, &error), DC_ERROR_ARGUMENT);
  assert_non_null(strstr(error.text, "loops[0].header"));
  dc_kernel_free(&k);
}

static void the_check_finds_broken_loops(void **state) {
  (void)state;
  BREAK(k.loops[1].header = 5, "loops[1].header");
  BREAK(k.loops[0].parent = 0, "loops[0].parent is 0, outer loops must stand before");
  BREAK(k.loops[0].parent = 1, "loops[0].parent");
  BREAK(k.loops[1].depth = 1, "loops[1].depth is 1, its parents make it 2");
  BREAK(k.loops[1].location = 2, "loops[1].location");
  BREAK(k.loops[1].n_exits = 3, "loops[1].first_exit");
  BREAK(k.loops[1].n_reasons = 2, "loops[1].first_reason");
  BREAK(k.loops[1].first_reason = UINT32_MAX, "loops[1].first_reason");
  BREAK(k.loops[1].loop_class = 7, "loops[1].loop_class");
  BREAK(k.loops[1].level = 4, "loops[1].level");
  BREAK(k.loops[1].irreducible = 2, "loops[1].irreducible");
  BREAK(k.loops[1].trips_from = 5, "loops[1].trips_from");
  BREAK(k.loops[1].trips = 1000, "loops[1].trips");
  BREAK(k.loops[1].distribution = k.text_size, "loops[1].distribution");
  BREAK(k.loops[1].distribution_at = k.text_size, "loops[1].distribution_at");
  BREAK(k.loops[1].correlation = 2, "loops[1].correlation");
  BREAK(k.loops[1].ignored = k.text_size, "loops[1].ignored");
  BREAK(k.loops[1].ignored_at = k.text_size, "loops[1].ignored_at");
  BREAK(k.loops[1].condition = k.text_size, "loops[1].condition");
  BREAK(k.loops[1].unknown = k.text_size, "loops[1].unknown");
  BREAK(k.exits[1].block = 5, "exits[1].block");
  BREAK(k.exits[1].location = 2, "exits[1].location");
  BREAK(k.exits[1].level = 4, "exits[1].level");
  BREAK(k.exits[1].trips = 1000, "exits[1].trips");
  BREAK(k.reasons[0].location = 2, "reasons[0].location");
  BREAK(k.reasons[0].text = k.text_size, "reasons[0].text");
}

static void the_check_finds_broken_texts_and_launches(void **state) {
  (void)state;
  BREAK(k.not_analysed = k.text_size, "not_analysed is at offset");
  BREAK(k.name = k.text_size, "name is at offset");
  BREAK(k.symbol = k.text_size, "symbol is at offset");
  BREAK(k.not_analysed = k.text_size, "not_analysed is at offset");
  BREAK(k.machine_code = 1000, "machine_code is 1000, which is no sm number");
  BREAK(k.location = 2, "location is 2");
  BREAK(k.text[0] = 'x', "text doesn't begin");
  BREAK(k.text[k.text_size - 1] = 'x', "text doesn't begin");
  BREAK(k.locations[1].file = k.text_size, "locations[1].file");
  BREAK(k.locations[1].function = k.text_size, "locations[1].function");
  BREAK(k.locations[1].inlined_at = 2, "locations[1].inlined_at");
  BREAK(k.locations[0].inlined_at = 1, "inlined_at leads back");
  BREAK(k.params[0].name = k.text_size, "params[0].name");
  BREAK(k.load_names[0] = k.text_size, "load_names[0]");
  BREAK(k.opaque_names[0] = k.text_size, "opaque_names[0]");
  BREAK(k.calls[0].function = k.text_size, "calls[0].function");
  BREAK(k.calls[0].kind = 3, "calls[0].kind");
  BREAK(k.launches[0].block[1] = 0, "a block has 1 to 1024 threads");
  BREAK(k.launches[0].block[2] = 9, "launches[0].block is 32 x 4 x 9");
  BREAK(k.launches[0].block[0] = UINT32_MAX, "launches[0].block");
  BREAK(k.launches[0].from = DC_BLOCK_COMPUTED + 1, "launches[0].from");
  BREAK(k.launches[0].location = 2, "launches[0].location");
}

static dc_expr_node *node_with(dc_kernel *k, dc_expr_op op) {
  for (uint32_t e = 0; e < k->pool.count; ++e)
    if (k->pool.nodes[e].op == op)
      return &k->pool.nodes[e];
  fail();
  return NULL;
}

static void the_check_finds_broken_expressions(void **state) {
  (void)state;
  BREAK(node_with(&k, DC_OP_TID)->op = DC_OP_COUNT, "].op");
  BREAK(node_with(&k, DC_OP_TID)->op = 255, "].op");
  BREAK(node_with(&k, DC_OP_TID)->bits = 0, "].bits");
  BREAK(node_with(&k, DC_OP_TID)->bits = 65, "].bits");
  BREAK(node_with(&k, DC_OP_TID)->bits = 16, "].bits is 32, which doesn't fit the operands");
  BREAK(node_with(&k, DC_OP_TID)->level = 4, "].level");
  BREAK(node_with(&k, DC_OP_TID)->spare = 1, "].spare");
  BREAK(node_with(&k, DC_OP_TID)->i = 3, "].i is 3, it must be in 0 .. 2");
  BREAK(node_with(&k, DC_OP_TID)->a = 0, "].a is given");
  BREAK(node_with(&k, DC_OP_PARAM)->i = 1, "].i is 1");
  BREAK(node_with(&k, DC_OP_PARAM)->i = -1, "].i is -1");
  BREAK(node_with(&k, DC_OP_IV)->i = 2, "].i is 2");
  BREAK(node_with(&k, DC_OP_CONST)->i = INT64_C(1) << 40, "].i doesn't fit into 32 bits");
  BREAK(node_with(&k, DC_OP_ADD)->a = k.pool.count - 1, "].a is");
  BREAK(node_with(&k, DC_OP_ADD)->b = DC_NO_EXPR, "].b is");
  BREAK(node_with(&k, DC_OP_ADD)->c = 0, "].c is given");
  BREAK(node_with(&k, DC_OP_SLT)->bits = 32, "].bits");
  BREAK(k.pool.count = k.pool.capacity + 1, "pool.count");
}

static void names_go_both_ways(void **state) {
  (void)state;
  for (int k = 0; k <= DC_CLASS_UNKNOWN; ++k)
    assert_int_equal(dc_class_parse(dc_class_name((dc_class)k)), k);
  for (int k = 0; k <= DC_FROM_ASSUMED; ++k)
    assert_int_equal(dc_from_parse(dc_from_name((dc_from)k)), k);
  for (int k = 0; k <= DC_BLOCK_COMPUTED; ++k)
    assert_int_equal(dc_block_from_parse(dc_block_from_name((dc_block_from)k)), k);
  for (int k = 0; k <= DC_DIVERGENT; ++k)
    assert_int_equal(dc_uniformity_parse(dc_uniformity_name((dc_uniformity)k)), k);
  for (int k = 0; k < DC_MIX_COUNT; ++k)
    assert_int_equal(dc_mix_parse(dc_mix_name((dc_mix)k)), k);
  for (int k = 0; k <= DC_PREDICATION_UNLIKELY; ++k)
    assert_int_equal(dc_predication_parse(dc_predication_name((dc_predication)k)), k);
  assert_string_equal(dc_class_name(DC_CLASS_LANE_AFFINE), "lane-affine");
  assert_string_equal(dc_block_from_name(DC_BLOCK_LAUNCH_BOUNDS), "launch_bounds");
  assert_string_equal(dc_mix_name(DC_MIX_SPECIAL), "sfu");
  assert_string_equal(dc_class_name((dc_class)99), "?");
  assert_int_equal(dc_class_parse("Uniform"), -1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_built_reads_back),
      cmocka_unit_test(rows_of_whole_warps_have_levels_of_their_own),
      cmocka_unit_test(what_is_subtracted_or_counts_a_window_is_small),
      cmocka_unit_test(arrays_and_texts_grow),
      cmocka_unit_test(successors_stay_together),
      cmocka_unit_test(the_check_finds_broken_control_flow),
      cmocka_unit_test(a_kernel_that_was_not_analysed_has_no_blocks),
      cmocka_unit_test(the_check_finds_broken_loops),
      cmocka_unit_test(the_check_finds_broken_texts_and_launches),
      cmocka_unit_test(the_check_finds_broken_expressions),
      cmocka_unit_test(names_go_both_ways),
  };
  return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
