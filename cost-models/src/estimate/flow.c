// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often blocks run, relative to one iteration of the loop around them: by the warp, and by each
// lane of it. Seen from a loop, each loop inside it is one node; back edges are left out, so flow
// goes once through the nodes in reverse postorder:
// - at a branch that makes the lanes diverge, the warp runs both targets: for the warp, each target
//   gets all, and where they meet again (the post-dominator) what was doubled is taken off; for a
//   lane, the targets exclude each other: each gets its share (assumed, see dc_choice), and where
//   they meet shares add. Before a loop inside of a target that is the chance of a lane to come
//   there (loop_lanes), but for branches of which dc__guards_pass tells who comes;
// - at a branch that all lanes take alike, each target gets an equal share (assumed), for both;
// - at a branch of which some lanes are known not to take one target, each target gets its share of
//   what is left to data, or for warps whose lanes do alike;
// - the targets of a predicated branch are issued with all lanes; and where somebody else tells who
//   comes to a target, all flow is on both: each gets all, for both, and what was doubled is taken
//   off;
// - a branch that leaves the loop gives the target that stays all: iterations are counted as begun.
// Blocks that the entry doesn't reach (functions that are called, not inlined) are roots of their
// own, count nothing for the kernel, and their loops are marked.
#include "estimate/estimate_internal.h"

#include <stdlib.h>
#include <string.h>

// Loops that one block may be the first to enter; beyond, the outer ones wait for the next block.
#define NEST_MAX 96

typedef struct edge {
  uint32_t from, to; // nodes: blocks, or n_blocks + loop
} edge;

// What is made in one sweep.
typedef struct sweep {
  bool of_lanes; // flow of a lane, not of the warp
  bool loops; // for entries of loops: dc__guards_pass tells which lanes some conditions keep away
  double *frequency, *entries;
} sweep;

typedef struct state {
  const dc_kernel *kernel;
  dc_flow *flow;
  dc_ways ways;
  sweep sweep;
  uint32_t *order, *position;          // blocks in reverse postorder, and its inverse
  bool *attached;                      // per block: the entry reaches it
  bool *root;                          // per block: nothing before it leads to it
  double *inflow, *strongest, *excess; // per node
  bool *opened;                        // per loop: its entries are settled
  double *unused;                      // per block: of sweeps for loops
  uint32_t *first_exit;                // per loop: where its edges begin in exits
  edge *exits;                         // edges that leave a loop, by loop
} state;

static uint32_t parent_of(const dc_kernel *kernel, uint32_t loop) {
  return loop == DC_NONE ? DC_NONE : kernel->loops[loop].parent;
}

static uint32_t depth_of(const dc_kernel *kernel, uint32_t loop) {
  return loop == DC_NONE ? 0 : kernel->loops[loop].depth;
}

// The node that stands for block inside `context` (a loop, or DC_NONE): the block itself, or the
// loop in it that is directly inside the context; DC_NONE if the block is not in the context.
static uint32_t node_in(const dc_kernel *kernel, uint32_t block, uint32_t context) {
  if (!dc__loop_holds(kernel, context, kernel->blocks[block].loop))
    return DC_NONE;
  uint32_t child = dc__loop_inside(kernel, context, block);
  return child == DC_NONE ? block : kernel->n_blocks + child;
}

// The innermost loop around both, or DC_NONE.
static uint32_t common_loop(const dc_kernel *kernel, uint32_t a, uint32_t b) {
  while (a != b) {
    if (depth_of(kernel, a) >= depth_of(kernel, b))
      a = parent_of(kernel, a);
    else
      b = parent_of(kernel, b);
  }
  return a;
}

// ---- order --------------------------------------------------------------------------------------

// Depth-first from the entry, then from every block that is still unmet; iterative, with the
// successor that each open block is at.
static bool find_order(state *s) {
  const dc_kernel *kernel = s->kernel;
  uint32_t n = kernel->n_blocks, placed = n, height = 0;
  uint32_t *stack = malloc(n * sizeof *stack), *at = calloc(n, sizeof *at);
  bool *met = calloc(n, sizeof *met);
  bool done = stack && at && met;
  for (uint32_t root = 0; done && root < n; ++root) {
    if (met[root])
      continue;
    met[root] = s->root[root] = true;
    stack[height++] = root;
    while (height) {
      uint32_t block = stack[height - 1];
      const dc_block *data = &kernel->blocks[block];
      s->attached[block] = root == 0;
      if (at[block] == data->n_successors) {
        s->order[--placed] = block;
        --height;
        continue;
      }
      uint32_t next = kernel->successors[data->first_successor + at[block]++];
      if (!met[next]) {
        met[next] = true;
        stack[height++] = next;
      }
    }
  }
  for (uint32_t k = 0; done && k < n; ++k)
    s->position[s->order[k]] = k;
  free(stack);
  free(at);
  free(met);
  return done;
}

// Where loops end, and which blocks are theirs alone.
static void list_own(const dc_kernel *kernel, dc_flow *flow) {
  uint32_t *begin = flow->first_own;
  for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
    uint32_t loop = kernel->blocks[flow->order[k]].loop;
    ++begin[loop == DC_NONE ? kernel->n_loops : loop];
    for (; loop != DC_NONE; loop = kernel->loops[loop].parent)
      flow->last[loop] = k;
  }
  for (uint32_t room = 1; room <= kernel->n_loops + 1; ++room)
    begin[room] += begin[room - 1];
  for (uint32_t k = kernel->n_blocks; k-- > 0;) {
    uint32_t loop = kernel->blocks[flow->order[k]].loop;
    flow->own[--begin[loop == DC_NONE ? kernel->n_loops : loop]] = flow->order[k];
  }
}

// ---- edges that leave loops ---------------------------------------------------------------------

static int compare_edges(const void *x, const void *y) {
  const edge *a = x, *b = y;
  if (a->from != b->from)
    return a->from < b->from ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

// Each edge out of a loop belongs to the outermost loop that it leaves, and leads to a node beside
// that loop. Sorted by loop, each target once.
static bool find_exits(state *s) {
  const dc_kernel *kernel = s->kernel;
  s->exits = malloc((kernel->n_successors + 1) * sizeof *s->exits);
  s->first_exit = malloc((kernel->n_loops + 1) * sizeof *s->first_exit);
  if (!s->exits || !s->first_exit)
    return false;
  uint32_t count = 0;
  for (uint32_t block = 0; block < kernel->n_blocks; ++block) {
    const dc_block *data = &kernel->blocks[block];
    for (uint32_t k = 0; k < data->n_successors && count < kernel->n_successors; ++k) {
      uint32_t to = kernel->successors[data->first_successor + k];
      uint32_t context = common_loop(kernel, data->loop, kernel->blocks[to].loop);
      if (context == data->loop)
        continue;
      s->exits[count++] =
          (edge){node_in(kernel, block, context) - kernel->n_blocks, node_in(kernel, to, context)};
    }
  }
  qsort(s->exits, count, sizeof *s->exits, compare_edges);
  uint32_t kept = 0;
  for (uint32_t k = 0; k < count; ++k)
    if (kept == 0 || compare_edges(&s->exits[k], &s->exits[kept - 1]) != 0)
      s->exits[kept++] = s->exits[k];
  uint32_t at = 0;
  for (uint32_t loop = 0; loop <= kernel->n_loops; ++loop) {
    while (at < kept && s->exits[at].from < loop)
      ++at;
    s->first_exit[loop] = at;
  }
  return true;
}

// ---- flow ---------------------------------------------------------------------------------------

static void give(state *s, uint32_t node, double flow) {
  s->inflow[node] += flow;
  if (flow > s->strongest[node])
    s->strongest[node] = flow;
}

static double settle(const state *s, uint32_t node) {
  double flow = s->inflow[node] - s->excess[node];
  flow = flow < s->strongest[node] ? s->strongest[node] : flow;
  return flow > 1 ? 1 : flow;
}

static bool exits_diverge(const dc_kernel *kernel, const dc_loop *loop) {
  for (uint32_t k = 0; k < loop->n_exits; ++k)
    if (kernel->exits[loop->first_exit + k].level >= DC_DIVERGENT)
      return true;
  return false;
}

static dc_choice choice_in(const state *s, uint32_t loop) {
  return loop == DC_NONE ? s->ways.outside : s->ways.inside;
}

// Settles how often a loop is entered, and passes that on to where it is left for. A loop that
// holds a root is entered once.
static void open_loop(state *s, uint32_t loop, uint32_t block) {
  const dc_kernel *kernel = s->kernel;
  s->opened[loop] = true;
  s->flow->detached[loop] = !s->attached[block];
  double flow = s->root[block] ? 1 : settle(s, kernel->n_blocks + loop);
  s->sweep.entries[loop] = flow;
  uint32_t first = s->first_exit[loop], last = s->first_exit[loop + 1];
  bool apart = exits_diverge(kernel, &kernel->loops[loop]) && !s->sweep.of_lanes;
  bool both = apart && choice_in(s, kernel->loops[loop].parent) != DC_CHOICE_ALIKE;
  s->flow->assumed |= apart && last - first > 1;
  for (uint32_t k = first; k < last; ++k)
    give(s, s->exits[k].to, both ? flow : flow / (last - first));
  if (!both || last - first < 2)
    return;
  uint32_t join = kernel->loops[loop].header;
  while (join != DC_NONE &&
         node_in(kernel, join, kernel->loops[loop].parent) == kernel->n_blocks + loop)
    join = kernel->blocks[join].post_dominator;
  uint32_t node = join == DC_NONE ? DC_NONE : node_in(kernel, join, kernel->loops[loop].parent);
  if (node != DC_NONE)
    s->excess[node] += (last - first - 1) * flow;
}

static bool earlier_target(const dc_kernel *kernel, const dc_block *data, uint32_t k) {
  for (uint32_t j = 0; j < k && k < 64; ++j)
    if (kernel->successors[data->first_successor + j] ==
        kernel->successors[data->first_successor + k])
      return true;
  return false;
}

static bool by_data(const state *s, const dc_block *data) {
  return data->branch != DC_NONE && dc__parts_by_data(s->kernel, s->flow, data->branch);
}

// Whether the warp runs both targets, or each with all that is there; see above.
static bool runs_both(const state *s, const dc_block *data) {
  if (data->branch == DC_NONE)
    return false;
  if (s->flow->predicated[data->branch] || s->flow->masked[data->branch] ||
      (s->sweep.loops &&
       (dc__is_told(&s->flow->conditions[data->branch]) || s->flow->guards[data->branch])))
    return true;
  return by_data(s, data) && !s->sweep.of_lanes && choice_in(s, data->loop) != DC_CHOICE_ALIKE;
}

double dc__target_share(const dc_kernel *kernel, const dc_flow *flow, const dc_block *data,
                        uint32_t k, uint32_t targets, dc_choice choice) {
  uint32_t taken = data->branch == DC_NONE ? 0 : kernel->branches[data->branch].taken;
  bool two = targets == 2 && data->n_successors == 2;
  if (taken && two)
    return (k == 0 ? taken : DC_CHANCE - taken) / (double)DC_CHANCE;
  if (two && data->branch != DC_NONE && flow->conditions[data->branch].rest == DC_REST_ALIKE) {
    double first = flow->conditions[data->branch].chance;
    return k == 0 ? first : 1 - first;
  }
  if (choice != DC_CHOICE_RARE || targets < 2)
    return 1.0 / targets;
  // Around or past the target there are most lanes; of two targets, in the first.
  uint32_t often = 0;
  for (uint32_t j = 0; j < data->n_successors; ++j)
    if (kernel->successors[data->first_successor + j] == data->post_dominator)
      often = j;
  return k == often ? 1 - (targets - 1.0) / DC_WARP : 1.0 / DC_WARP;
}

// The node that a block's k-th edge leads to in the same loop; DC_NONE: it leaves the loop, goes
// round, or an edge before it leads there as well, where each target counts once.
static uint32_t next_node(const state *s, uint32_t block, uint32_t k, bool once) {
  const dc_kernel *kernel = s->kernel;
  const dc_block *data = &kernel->blocks[block];
  uint32_t to = kernel->successors[data->first_successor + k];
  if ((data->loop != DC_NONE && to == kernel->loops[data->loop].header) ||
      (once && earlier_target(kernel, data, k)))
    return DC_NONE;
  return node_in(kernel, to, data->loop);
}

// The share of a block's flow that its k-th edge takes, of `targets`.
static double share_of(const state *s, const dc_block *data, uint32_t k, uint32_t targets) {
  const dc_kernel *kernel = s->kernel;
  if (runs_both(s, data))
    return 1;
  return dc__target_share(kernel, s->flow, data, k, targets,
                          by_data(s, data) ? choice_in(s, data->loop) : DC_CHOICE_ALIKE);
}

// Passes a block's flow on to its successors in the same loop.
static void pass_on(state *s, uint32_t block) {
  const dc_kernel *kernel = s->kernel;
  const dc_block *data = &kernel->blocks[block];
  double flow = s->sweep.frequency[block], given = 0;
  bool both = runs_both(s, data);
  uint32_t targets = 0;
  for (uint32_t k = 0; k < data->n_successors; ++k)
    targets += next_node(s, block, k, both) != DC_NONE;
  for (uint32_t k = 0; k < data->n_successors; ++k) {
    uint32_t node = next_node(s, block, k, both);
    uint32_t to = kernel->successors[data->first_successor + k];
    if (node == DC_NONE)
      continue;
    double share = share_of(s, data, k, targets);
    given += share;
    if (s->position[to] > s->position[block])
      give(s, node, flow * share);
  }
  if (given < 1 + 1e-9 || targets < 2 || data->post_dominator == DC_NONE)
    return;
  uint32_t join = node_in(kernel, data->post_dominator, data->loop);
  if (join != DC_NONE)
    s->excess[join] += (given - 1) * flow;
}

static void find_frequencies(state *s, sweep sweep) {
  const dc_kernel *kernel = s->kernel;
  size_t nodes = (size_t)kernel->n_blocks + kernel->n_loops + 1;
  uint32_t path[NEST_MAX];
  s->sweep = sweep;
  memset(s->inflow, 0, nodes * sizeof *s->inflow);
  memset(s->strongest, 0, nodes * sizeof *s->strongest);
  memset(s->excess, 0, nodes * sizeof *s->excess);
  memset(s->opened, 0, (kernel->n_loops + 1u) * sizeof *s->opened);
  for (uint32_t k = 0; k < kernel->n_blocks; ++k) {
    uint32_t block = s->order[k], loop = kernel->blocks[block].loop, n = 0;
    bool first = s->root[block] ||
                 (loop != DC_NONE && (!s->opened[loop] || kernel->loops[loop].header == block));
    for (; loop != DC_NONE && !s->opened[loop] && n < NEST_MAX; loop = kernel->loops[loop].parent)
      path[n++] = loop;
    for (; n > 0; --n)
      open_loop(s, path[n - 1], block);
    sweep.frequency[block] = first ? 1 : settle(s, block);
    pass_on(s, block);
  }
}

// A lane's share, of what the warp runs.
static void divide(double *lanes, const double *warp, size_t n) {
  for (size_t k = 0; k < n; ++k)
    lanes[k] = warp[k] > 0 && lanes[k] < warp[k] ? lanes[k] / warp[k] : warp[k] > 0 ? 1 : 0;
}

static void find_all(state *s) {
  dc_flow *flow = s->flow;
  find_frequencies(s, (sweep){.frequency = flow->frequency, .entries = flow->entries});
  find_frequencies(s,
                   (sweep){.of_lanes = true, .frequency = flow->lanes, .entries = flow->entries});
  divide(flow->lanes, flow->frequency, s->kernel->n_blocks);
  find_frequencies(s, (sweep){.loops = true, .frequency = s->unused, .entries = flow->entries});
  find_frequencies(
      s, (sweep){
             .of_lanes = true, .loops = true, .frequency = s->unused, .entries = flow->loop_lanes});
  divide(flow->loop_lanes, flow->entries, s->kernel->n_loops);
}

// ---- all of it ----------------------------------------------------------------------------------

void dc__flow_free(dc_flow *flow) {
  free(flow->frequency);
  free(flow->lanes);
  free(flow->entries);
  free(flow->loop_lanes);
  free(flow->detached);
  free(flow->order);
  free(flow->position);
  free(flow->last);
  free(flow->own);
  free(flow->first_own);
  free(flow->sided);
  free(flow->iterates);
  free(flow->outside);
  free(flow->attached);
  free(flow->predicated);
  free(flow->open_side);
  free(flow->masked);
  free(flow->drawn);
  free(flow->conditions);
  free(flow->partly);
  free(flow->guards);
  free(flow->parts);
  free(flow->regions);
  free(flow->costs);
  for (unsigned part = 0; part < DC_PART_COUNT; ++part) {
    free(flow->bodies[part]);
    free(flow->times[part]);
  }
  memset(flow, 0, sizeof *flow);
}

static void free_state(state *s) {
  free(s->unused);
  free(s->root);
  free(s->inflow);
  free(s->strongest);
  free(s->excess);
  free(s->opened);
  free(s->first_exit);
  free(s->exits);
}

dc_status dc__flow_build(const dc_kernel *kernel, dc_loop_facts *facts, const dc_arch *arch,
                         dc_ways ways, dc_flow *flow, dc_error *error) {
  size_t blocks = kernel->n_blocks, loops = (size_t)kernel->n_loops + 1;
  size_t nodes = blocks + loops;
  *flow = (dc_flow){.draws = ways.draws,
                    .drawn = calloc(kernel->n_branches + 1u, sizeof(bool)),
                    .frequency = calloc(blocks, sizeof(double)),
                    .lanes = calloc(blocks, sizeof(double)),
                    .entries = calloc(loops, sizeof(double)),
                    .loop_lanes = calloc(loops, sizeof(double)),
                    .detached = calloc(loops, sizeof(bool)),
                    .order = calloc(blocks, sizeof(uint32_t)),
                    .position = calloc(blocks, sizeof(uint32_t)),
                    .last = calloc(loops, sizeof(uint32_t)),
                    .own = calloc(blocks, sizeof(uint32_t)),
                    .first_own = calloc(loops + 1, sizeof(uint32_t)),
                    .attached = calloc(blocks, sizeof(bool)),
                    .sided = calloc(loops, sizeof(bool)),
                    .iterates = calloc(loops, sizeof(bool)),
                    .outside = calloc(loops, sizeof(bool)),
                    .predicated = calloc(kernel->n_branches + 1u, sizeof(bool)),
                    .open_side = calloc(blocks, sizeof(uint32_t)),
                    .masked = calloc(kernel->n_branches + 1u, sizeof(bool)),
                    .partly = calloc(kernel->n_branches + 1u, sizeof(bool)),
                    .conditions = calloc(kernel->n_branches + 1u, sizeof(dc_condition)),
                    .guards = calloc(kernel->n_branches + 1u, sizeof(bool)),
                    .parts = calloc(kernel->n_branches + 1u, sizeof(bool)),
                    .regions = calloc(blocks, sizeof(uint16_t)),
                    .costs = calloc(blocks, sizeof(dc_block_cost))};
  bool parts = true;
  for (unsigned part = 0; part < DC_PART_COUNT; ++part) {
    flow->bodies[part] = calloc(loops, sizeof(dc_body));
    flow->times[part] = calloc(blocks, sizeof(double));
    parts &= flow->bodies[part] && flow->times[part];
  }
  state s = {.kernel = kernel,
             .flow = flow,
             .ways = ways,
             .order = flow->order,
             .position = flow->position,
             .attached = flow->attached,
             .root = calloc(blocks, sizeof(bool)),
             .inflow = calloc(nodes, sizeof(double)),
             .strongest = calloc(nodes, sizeof(double)),
             .excess = calloc(nodes, sizeof(double)),
             .opened = calloc(loops, sizeof(bool)),
             .unused = calloc(blocks, sizeof(double))};
  bool done = flow->drawn && flow->frequency && flow->lanes && flow->entries && flow->detached &&
              flow->order && flow->attached && flow->predicated && flow->masked && flow->partly &&
              flow->open_side && flow->conditions && flow->guards && flow->loop_lanes &&
              flow->parts && flow->regions && flow->costs && flow->position && flow->last &&
              flow->own && flow->first_own && flow->sided && flow->iterates && flow->outside &&
              parts && s.root && s.inflow && s.strongest && s.excess && s.opened && s.unused &&
              find_order(&s) && find_exits(&s);
  if (done) {
    list_own(kernel, flow);
    dc__branches_describe(kernel, facts, flow);
    find_all(&s);
    for (uint32_t loop = 0; loop < kernel->n_loops; ++loop) // inner loops share their outer's fate
      if (kernel->loops[loop].parent != DC_NONE)
        flow->detached[loop] = flow->detached[kernel->loops[loop].parent];
    done = dc__bodies_build(kernel, arch, ways, flow);
  }
  free_state(&s);
  if (done)
    return DC_OK;
  dc__flow_free(flow);
  return dc_fail(error, DC_ERROR_MEMORY, "out of memory for a kernel of %zu blocks", blocks);
}
