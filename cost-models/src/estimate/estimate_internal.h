// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the parts of the estimate share. It runs in this order:
//   plan.c      what is found once for a kernel and a launch
//   facts.c     what the trip expressions need, what they cost to evaluate
//   conditions.c what is known of a branch's condition, part by part
//   branches.c  what is known of each branch
//   flow.c      how often blocks run and loops are entered, per iteration of the loop around
//   bodies.c    what an iteration costs, by the number of lanes in it
//   guards.c    which lanes come to a loop at all
//   distributions.c  figures of distributions, each computed once per estimate
//   neighbours.c     what they say of strided loops
//   scenarios.c the combinations of assumptions
//   samples.c   which warps of a launch stand for all
//   plan_walk.c walks them, under one combination of assumptions
//   walk.c      one warp through the loop forest, lane by lane
//   active.c    the measures of lanes that it carries
//   sides.c     which lanes take which side of a branch, where that is known
//   account.c   what was executed, block by block
//   accesses.c  what requests of the warps to memory take; planned in access_plan.c, added up in
//               access_sums.c
//   contention.c  what lanes of one address take that wait for each other
//   attribute.c which branches the lanes have left by that idle there
//   certain.c   what holds without assumptions
//   trips.c     where a loop's trips come from, for the walk
//   emulate.c   what the emulator says instead, where it can
//   figures.c   the intervals over all combinations
//   timing.c    what time the launch takes; its parts are in timing.h
//   estimate.c  all of it: which combinations matter
#ifndef DIVCOST_ESTIMATE_INTERNAL_H
#define DIVCOST_ESTIMATE_INTERNAL_H

#include "divcost/distribution.h"
#include "divcost/emulator.h"
#include "divcost/estimate.h"

#include "base/lanes.h"
#include "expr/expr_lanes.h"
#include "kernel/passes.h"

// Loops nested deeper than this are not walked; nothing is known of them.
#define DC_WALK_DEPTH 16

// ---- facts.c ------------------------------------------------------------------------------------

// Assumed of the trip counts of a loop's lanes, if nobody knows them: independent draws from a
// distribution that is narrow, broad, or heavy-tailed; or one draw for all of them.
typedef enum dc_spread {
  DC_SPREAD_NARROW,
  DC_SPREAD_BROAD,
  DC_SPREAD_HEAVY,
  DC_SPREAD_ALIKE,
  DC_SPREAD_COUNT
} dc_spread;

// Assumed of how often a loop runs in which all lanes do alike, or almost: once; as often as one of
// which nothing is known does on average; very often.
typedef enum dc_length {
  DC_LENGTH_SHORT,
  DC_LENGTH_MEAN,
  DC_LENGTH_LONG,
  DC_LENGTH_COUNT
} dc_length;

typedef struct dc_loop_facts {
  bool evaluable;      // no leaf of the trips is divergent and unknown
  bool per_lane;       // must be evaluated in each lane
  bool on_lane;        // mentions threadIdx or the lane
  bool on_block;       // mentions blockIdx
  bool on_grid;        // mentions blockIdx or gridDim
  bool real;           // is computed in floating point
  uint32_t unknown;    // different leaves that need an assumed value
  uint32_t around;     // bit d: mentions the induction value of the enclosing loop of depth d + 1
  double cost;         // operations to evaluate the trips once
  double subtree_cost; // the least cost of walking this loop and all inside, for one entry
  bool inner_depend;   // a loop inside mentions this one's induction value
  unsigned ways;       // exits that a lane may leave by, each as likely where nothing is known
  bool in_front;       // lanes may leave at the header, and not just return, so compilers put a
                       // guard before the loop
  uint32_t first_child, next_sibling; // loops, or DC_NONE
  uint32_t draws_by; // bit d: for the time, trips may differ between iterations of the loop around
                     // of depth d + 1
  int distribution;  // index into dc_distributions, or -1
  int64_t most;      // trips: proven bound, or -1
  dc_assumed_distributions assumed; // within that bound
  bool drawn;                       // for the time: lanes of each warp draw the trips
  bool of_item;      // they are the item's: anew at most in each iteration of strided loops
  bool draws_inside; // loops inside do
  int assumed_distribution[DC_SPREAD_COUNT]; // these, as indices into dc_distributions, or -1: not
                                             // needed so far
} dc_loop_facts;

// facts[n_loops]. *first_loop becomes the first loop that has no parent.
dc_status dc__facts_build(const dc_kernel *kernel, dc_loop_facts *facts, uint32_t *first_loop,
                          dc_error *error);

// ---- conditions.c -------------------------------------------------------------------------------

#define DC_TOLD_MAX 4 // parts of a condition

// What else a condition asks, besides what the launch and the iterations tell.
typedef enum dc_rest {
  DC_REST_NONE,
  DC_REST_ALIKE, // what isn't known, but alike for all lanes of most warps
  DC_REST_DATA   // anything
} dc_rest;

typedef struct dc_condition {
  dc_expr told[DC_TOLD_MAX]; // parts that the launch and the iterations tell of each lane
  uint8_t n_told;
  uint8_t degree; // the greatest of these parts, of values that aren't known; 1 at least
  bool any;       // a lane takes the first target where one part holds; else where all do
  dc_rest rest;   // of the other parts
  double chance;  // DC_REST_ALIKE: that these hold (any: one of them)
  bool iterates;  // the condition mentions some loop's iteration
} dc_condition;

// O(the condition as a tree), 12 levels of it at most.
dc_condition dc__condition_of(const dc_kernel *kernel, const dc_loop_facts *facts, uint32_t branch);

// Whether that tells all of it.
static inline bool dc__is_told(const dc_condition *condition) {
  return condition->n_told > 0 && condition->rest == DC_REST_NONE;
}

// ---- flow.c -------------------------------------------------------------------------------------

// Assumed of the choice between the targets of a divergent branch, if nobody knows how: a lane
// takes each as likely as the others, whatever its neighbours do; or as all lanes of the warp do;
// or one lane in a warp takes the target, on average.
typedef enum dc_choice {
  DC_CHOICE_EVEN,
  DC_CHOICE_ALIKE,
  DC_CHOICE_RARE,
  DC_CHOICE_COUNT
} dc_choice;

// What a number of active lanes costs; [0] is nothing.
typedef struct dc_body {
  bool used;                        // not all zeroes
  double cycles[DC_WARP + 1];       // issue cycles
  double instructions[DC_WARP + 1]; // issued by the warp
  double branches[DC_WARP + 1];     // executions of divergent branches that are no exits
  double lane_instructions;         // for each lane
} dc_body;

// Parts of an entry of a loop, each with the lanes that take part.
typedef enum dc_part {
  DC_PART_ITERATION, // of one iteration without inner loops; also what is outside of loops
  DC_PART_TEST,      // for lanes that enter: tests after the last iteration
  DC_PART_END,       // what isn't run of the last one; for lanes that iterate
  DC_PART_COUNT
} dc_part;

typedef struct dc_block_cost {
  double cycles;       // issue cycles
  double instructions; // of the machine
} dc_block_cost;

typedef struct dc_flow {
  double *frequency; // of each block: how often the warp is there, per iteration of its innermost
                     // loop (or per kernel)
  double *lanes;     // of each block: a lane's chance to be there when the warp is
  double *entries; // of each loop: how often the warp comes to it, per iteration of its parent (or
                   // per kernel)
  double *loop_lanes;        // of each loop: a lane's chance to come to it when the warp does
  bool *detached;            // for each loop: no path from the kernel's entry reaches it
  uint32_t *order;           // the blocks, what leads to a block before it but for back edges
  uint32_t *position;        // of each block, in the order
  uint32_t *last;            // of each loop: the greatest position of its blocks
  uint32_t *own, *first_own; // the blocks of each loop that are in no inner one, in order: own[k],
                             // k from first_own[loop]; and of n_loops, those outside of loops
  bool *attached;            // for each block: the kernel's entry reaches it
  bool *predicated;          // for each branch: no branch when it runs
  uint32_t *open_side;       // for each block: the one whose branch leads to it and may as well be
                             // predicated as not, or DC_NONE
  dc_condition *conditions;  // of each branch
  bool draws;                // sides that lanes take by data outside of loops are drawn, too:
  bool *drawn;               // for each branch: these are, and it is masked
  bool *masked;              // for each branch: the walk knows who takes it
  bool *partly;      // for each branch: it knows some that don't take one target, and of the others
                     // the chance
  bool *sided;       // for each loop: it has such branches (an inner one of its own aside)
  bool *iterates;    // for each loop: and these go by its own iteration
  bool *outside;     // for each loop: and these go by the iteration of a loop around
  bool *guards;      // for each branch: it tells which lanes have iterations in a loop
  bool *parts;       // for each branch: managing lanes that diverge there costs
  uint16_t *regions; // of each block: instructions for lanes that diverge there to meet again
  dc_block_cost *costs;           // of each block
  bool assumed;                   // targets of some divergent branch are assumed
  bool sides_assumed;             // or of one that all lanes of a warp take alike
  dc_body *bodies[DC_PART_COUNT]; // of each loop; the last iteration: outside of loops
  double *times[DC_PART_COUNT];   // of each block: how often it is in that part of its loop
} dc_flow;

// What lanes do by data: inside of loops and outside; and whether the sides that they take outside
// are drawn, where a branch has two.
typedef struct dc_ways {
  dc_choice inside, outside;
  bool draws;
} dc_ways;

dc_status dc__flow_build(const dc_kernel *kernel, dc_loop_facts *facts, const dc_arch *arch,
                         dc_ways ways, dc_flow *flow, dc_error *error);
void dc__flow_free(dc_flow *flow);

// The share of the lanes that take the k-th of `targets` successors.
double dc__target_share(const dc_kernel *kernel, const dc_flow *flow, const dc_block *data,
                        uint32_t k, uint32_t targets, dc_choice choice);
// Whether lanes may part at a branch by what nobody knows.
bool dc__parts_by_data(const dc_kernel *kernel, const dc_flow *flow, uint32_t branch);

// ---- branches.c ---------------------------------------------------------------------------------

// Before the frequencies are found: which branches are predicated, perhaps, or masked.
void dc__branches_describe(const dc_kernel *kernel, dc_loop_facts *facts, dc_flow *flow);
// Whether the walk knows the iterations that a condition in this loop goes by: those of loops
// around, which it goes through one by one then, and of the loop itself where its trips are
// evaluated.
bool dc__iterations_known(const dc_kernel *kernel, const dc_loop_facts *facts, uint32_t loop,
                          dc_expr condition);

// ---- bodies.c -----------------------------------------------------------------------------------

// When the frequencies are found: costs by numbers of lanes. False: out of memory.
bool dc__bodies_build(const dc_kernel *kernel, const dc_arch *arch, dc_ways ways, dc_flow *flow);

// chances[n], n from 0 to most: that one of n lanes at least has what each has with the chance p.
void dc__some_chances(double p, unsigned most, double *chances);

// ---- guards.c -----------------------------------------------------------------------------------

// Lanes in which `condition` isn't as `holds` says don't come to the loop.
typedef struct dc_guard {
  uint32_t loop;
  dc_expr condition; // or a part of one
  bool holds;
  uint8_t degree; // what isn't known may be assumed, as a product of so many factors; 0: it may not
  bool iterates;  // the condition mentions some loop's iteration
} dc_guard;

// In which of these lanes of the warp at walk->walked a condition is known, and holds.
typedef struct dc_told_condition {
  dc_expr condition;
  unsigned degree;
  uint32_t walked, lanes, known, holds;
  bool used_assumed;
} dc_told_condition;

#define DC_TOLD_KEPT 16 // by the condition's number

typedef struct dc_guards {
  dc_guard *list; // by loop
  uint32_t count;
  dc_told_condition told[DC_TOLD_KEPT];
} dc_guards;

// Whether a loop is another one, or around it. `inner` may be DC_NONE, which no loop holds; `outer`
// too: it is around all.
bool dc__loop_holds(const dc_kernel *kernel, uint32_t outer, uint32_t inner);
// The loop directly inside of another one (or of none: DC_NONE) that holds a block of it; DC_NONE:
// the block is in no loop there.
uint32_t dc__loop_inside(const dc_kernel *kernel, uint32_t outer, uint32_t block);
dc_status dc__guards_find(const dc_kernel *kernel, const dc_flow *flow, dc_guards *guards,
                          dc_error *error);
void dc__guards_free(dc_guards *guards);
// Whether some of them rest on the iteration of this loop.
bool dc__guards_mention(const dc_guards *guards, const dc_kernel *kernel, uint32_t loop);

// ---- distributions.c ----------------------------------------------------------------------------

// A run of iterations that equally many lanes are expected to take part in.
typedef struct dc_distribution_step {
  double first, length; // iterations first .. first + length - 1, from 0
  double share;         // P(W > k) in these, their mean
} dc_distribution_step;

// Figures for a number of lanes.
typedef struct dc_distribution_figures {
  double maximum, divergent_exits, divergent_guard, depth;
  bool imbalance_known, depths_known;
  double expected_imbalance;
  double depths[DC_WARP + 1]; // P(depth = d)
} dc_distribution_figures;

// Loops of a distribution may have different numbers of exits: it keeps what it has for some of
// them.
enum { DC_APART_KEPT = 8 };

typedef struct dc_apart {
  unsigned ways;             // 0: nothing yet
  double exits[DC_WARP + 1]; // see dc__distribution_exits_apart
} dc_apart;

// What a loop of a distribution takes when it is unrolled by a power of two. See unrolled.c.
typedef struct dc_distribution_passes {
  double whole;                          // share of the lanes that have a whole pass
  double exits[DC_WARP + 1];             // by lanes: divergent exits from whole passes
  uint64_t known;                        // bit j: rows[j] is found
  double rows[DC_WARP + 1][DC_WARP + 1]; // rows[j][n]: whole passes that n of j lanes take part in
} dc_distribution_passes;

// Entries of a strided loop that are as long: `lanes` of a full warp do `longest` iterations, the
// others one fewer. See neighbours.c.
typedef struct dc_neighbours_piece {
  double weight; // a share of the entries
  int64_t longest;
  unsigned lanes;
} dc_neighbours_piece;

enum { DC_NEIGHBOURS_MAX = 24 };

typedef struct dc_neighbours {
  unsigned n;
  dc_neighbours_piece of[4 * (DC_NEIGHBOURS_MAX + 1)];
} dc_neighbours;

typedef struct dc_distribution_entry {
  char *text;
  double alike; // share of the warps whose lanes all have one draw: dc_loop's correlation
  dc_distribution distribution;
  double mean;
  dc_distribution_step *steps;
  uint32_t n_steps;
  dc_distribution_figures figures[DC_WARP + 1]; // by lanes
  bool row_known[DC_WARP + 1];
  double (*rows)[DC_WARP + 1]; // rows[n][j]: iterations in which j of n lanes take part
  dc_apart apart[DC_APART_KEPT];
  dc_distribution_passes *passes[32]; // by the logarithm of the factor; NULL: not needed so far
  dc_neighbours *neighbours;          // likewise
  double *at_most;                    // likewise: of each point, P(W <= its value)
} dc_distribution_entry;

struct dc_estimate_cache {
  dc_distribution_entry **entries;
  uint32_t count;
};
typedef struct dc_estimate_cache dc_distributions;

// The number of a distribution, built on first use; -1 with *error on failure.
int dc__distributions_find(dc_distributions *distributions, const char *text, double alike,
                           dc_error *error);
// Adds length * P(j of n lanes take part), j = 1 ... n, each with probability share, to row: of
// independent lanes, and of those of a distribution.
void dc__binomial_lanes(double *row, unsigned n, double share, double length);
void dc__distribution_lanes(const dc_distribution_entry *distribution, double *row, unsigned n,
                            double share, double length);
// P(a lane has iterations).
double dc__distribution_enter(const dc_distribution_entry *distribution);
// P(some of n lanes take part), each with probability share.
double dc__distribution_some(const dc_distribution_entry *distribution, unsigned n, double share);
// Element n: divergent exits of n lanes beyond those of different trip counts, where lanes with the
// same number leave by one of several ways, each as likely. O(points) when it is new;
// valid until the next call.
const double *dc__distribution_exits_apart(dc_distribution_entry *distribution, unsigned ways);
double dc__distribution_imbalance(dc_distribution_entry *distribution, unsigned lanes);
const double *dc__distribution_row(dc_distribution_entry *distribution, unsigned lanes);
// Of a strided loop with this distribution: the entries; NULL: memory is out. And the counts of a
// set's lanes in some of these.
const dc_neighbours *dc__distribution_neighbours(dc_distribution_entry *distribution);
void dc__neighbours_counts(const dc_neighbours_piece *piece, uint32_t set, double *counts);
// The largest imbalance that so many lanes can have; negative: there is no bound.
double dc__distribution_worst(const dc_distribution_entry *distribution, unsigned lanes);

// Expected spills and reloads of a single loop's entry under these stack rules.
double dc__distribution_spills(dc_distribution_entry *distribution, unsigned lanes,
                               const dc_arch *arch);
double dc__spills_at_depth(unsigned depth, const dc_arch *arch);
void dc__distributions_free(dc_distributions *distributions);

// ---- walk.c -------------------------------------------------------------------------------------

// Sums over all entries of a loop, per warp of the launch.
typedef struct dc_loop_sums {
  double entries;
  double lanes;                 // that enter
  double iterations;            // of the warp
  double lane_iterations;       // of its lanes
  double slots;                 // lanes that enter * iterations of the warp
  double imbalance;             // of each entry's imbalance, but for those in by_lanes
  double by_lanes[DC_WARP + 1]; // entries by number of lanes, where a distribution gives the trips
  double exits, depth, spills;
  double parted; // executions of divergent branches at its exits and guards, in machine code
  double cycles; // issue cycles of its iterations, without inner loops
  double lost_to[DC_WALK_DEPTH]; // of these, of lanes that left the loop around of depth d + 1
  double lost;                   // of its issue cycles, inner loops included, of lanes that left it
  double worst;                  // over the entries
  bool bounded;                  // worst holds for every warp of the launch
  bool visited;                  // entered at all
  dc_from from;                  // the weakest source
} dc_loop_sums;

// What an entry of a loop that is unrolled, and has a distribution, takes; by the number of lanes
// that enter.
typedef struct dc_unrolled_entry {
  double instructions, lane_instructions, parted;
} dc_unrolled_entry;

typedef struct dc_unrolled {
  uint64_t known; // bit j: of[j] is found
  dc_unrolled_entry of[DC_WARP + 1];
  double shares[DC_PASSES_MAX]; // of lanes, in each pass that isn't whole, kind by kind
} dc_unrolled;

// What the warps execute, all in all, per warp of the launch.
typedef struct dc_executed {
  double cycles;            // issue cycles
  double instructions;      // of the warp
  double lane_instructions; // of its lanes
  double branches;          // divergent, but for loops' exits
} dc_executed;

// Machine instructions that warps issue, and how many of them lanes take part in: 32 at most for
// each.
typedef struct dc_issued {
  double instructions, lane_instructions;
} dc_issued;

typedef struct dc_account_row {
  dc_issued issued;
  bool perhaps; // or not at all: a slow path, one way to execute a branch
} dc_account_row;

// How often a block is executed, per warp of the launch, and by how many lanes, all in all.
typedef struct dc_visits {
  double executions, lanes;
} dc_visits;

typedef struct dc_walk {
  const dc_kernel *kernel;
  const dc_arch *arch;
  const dc_flow *flow;
  const bool *alike;           // of each node, as dc__alike_in_lanes
  uint32_t *block_lanes;       // of each block: those that come there, under the masked branches
  uint32_t (*branch_lanes)[2]; // of each masked branch: those of either target
  uint32_t *sides_of;          // of each loop: the lanes that this holds for; 0: none so far
  uint32_t *come;              // of each loop: likewise those that come to it, guards aside
  const dc_loop_facts *facts;
  dc_distributions *distributions;
  dc_guards *guards;
  dc_choice choice;      // of what lanes do by data
  dc_spread spread;      // of trips of which nothing is known
  dc_length length;      // of loops of which that isn't known
  int64_t assumed;       // for a uniform value that is not known
  uint64_t operations;   // of expressions, over all lanes, that may still be done
  uint32_t walked;       // warps, this one included
  double offset;         // where in a run of iterations the one is that stands for it, 0 to 1
  bool grid_assumed;     // the blocks of the grid are not known
  bool some_warps;       // not every warp of a block is walked
  bool some_blocks;      // not every block
  dc_loop_sums *sums;    // for each loop
  dc_unrolled *unrolled; // likewise
  dc_issued *passes;     // of iterations that aren't done one by one, likewise
  dc_issued *written;    // of the same, if they were
  double (*entries)[DC_PART_COUNT][DC_WARP + 1]; // likewise: of parts, by lanes
  dc_visits *visits;                             // of each block
  dc_issued *retries;                            // of each block: see contention.c
  bool assumed_addresses;                        // how many lanes have the same mattered
  bool used_assumed;                             // the assumed value or grid mattered
  bool used_distribution;                        // the assumed distribution mattered
  bool used_length;                              // the assumed length mattered
  bool unknown_sides;                            // a masked branch wasn't known in some lane
  bool some_points;                              // not every iteration was walked
  bool drawn;                                    // some loop's trips weren't evaluated
  dc_executed executed;                          // detached loops not included
  double spills;                                 // outside of loops
  double choose[DC_WARP + 1][DC_WARP + 1];       // binomial coefficients
  struct dc_reader *reader;                      // of accesses, or NULL
  struct dc_clock *clock;                        // of the kernel's time, or NULL
  struct dc__draws *draws; // of trip counts of outermost loops, or NULL: as expected

  // The warp that is walked, and where the walk is.
  unsigned lanes;
  dc_expr_environment environments[DC_WARP];
  int64_t *iv;                    // of each loop, shared by the lanes
  dc_from iv_from[DC_WALK_DEPTH]; // of the loops around: where their trips come from
  uint32_t path[DC_WALK_DEPTH];   // the loops around, outermost first
  bool thinned;                   // not every iteration around is walked
  bool overdrawn;                 // a loop around has spent more than its budget
} dc_walk;

typedef struct dc_reader dc_reader; // in accesses.c
typedef struct dc_clock dc_clock;   // in timing_costs.c

// Iterations of a loop that are accounted together; length 0: it isn't said which.
typedef struct dc_run {
  double from, length;
} dc_run;

// Lanes of a warp at some point of the walk.
typedef struct dc_active {
  uint32_t set;                              // bit per lane: those that may be active
  unsigned size;                             // lanes in it
  bool exact;                                // all of them are: at[i][size] only
  unsigned n;                                // measures
  double at[DC_WALK_DEPTH + 1][DC_WARP + 1]; // see walk.c
} dc_active;

// In active.c. How often there are such lanes (measure: of at), and the lanes of all
// these.
double dc__active_total(const dc_active *lanes, unsigned measure);
double dc__active_lanes(const dc_active *lanes);
// `length` iterations of a loop in which only `members` of the set take part: with one measure
// more, of what is lost to those that don't.
void dc__active_restrict(const dc_walk *walk, const dc_active *in, uint32_t members, double length,
                         dc_active *out);
// Only `members` of the set go on; the others are no loss of a loop.
void dc__active_keep(const dc_walk *walk, const dc_active *in, uint32_t members, dc_active *out);
// Each lane goes on with this chance, by itself or (the share `alike`) with all of the warp: with
// one measure more, of what is lost to the others.
void dc__active_thin(const dc_walk *walk, const dc_active *in, double chance, double alike,
                     dc_active *out);
// The same set without lanes, and one measure more; adds the iterations that row (as
// dc__distribution_row) tells of, where j lanes enter.
void dc__active_clear(const dc_active *in, dc_active *out);
void dc__active_add(const dc_walk *walk, const dc_active *in, unsigned j, const double *row,
                    dc_active *out);

// Trip counts of one entry.
typedef struct dc_trips {
  dc_distribution_entry *distribution; // or NULL, and:
  double count[DC_WARP];               // of each lane that may be active
  dc_from from;
} dc_trips;

// In trips.c: an expression in some lanes, as dc__evaluate_lanes; `several`: it depends on
// several values that aren't known. And the first source that gives a loop's trips; takes about
// `budget` operations at most.
dc_lanes_value dc__walk_evaluate(dc_walk *walk, dc_expr expr, uint32_t lanes, uint64_t budget,
                                 int64_t assumed, bool several, int64_t *values);
// What is assumed for each factor of a product of so many that covers the launch; 0 for degree 0.
int64_t dc__assumed_factor(const dc_walk *walk, unsigned degree);
void dc__trips_find(dc_walk *walk, uint32_t loop, const dc_active *in, double budget,
                    dc_trips *out);

// Distinct positive counts of the set's lanes, ascending; members[k] are the lanes with more than
// the k-th smallest (members[0]: with any).
typedef struct dc_segments {
  unsigned n;
  double end[DC_WARP];
  uint32_t members[DC_WARP + 1];
  double sum;
  bool some_zero;
} dc_segments;

// In walk.c. And divergent exits of one entry with j of the set of s active, where `a` of
// the set leave and `b` stay.
void dc__segments_find(const dc_active *in, const dc_trips *source, dc_segments *out);
double dc__chance_to_part(const dc_walk *walk, unsigned s, unsigned j, unsigned a, unsigned b);

// In unrolled.c: whether the blocks' machine instructions are known; whether a pass of the
// loop is expected to do several iterations in machine code; and the instructions and divergent
// branches of an entry with these trips.
bool dc__is_counted(const dc_kernel *kernel);
bool dc__is_unrolled(const dc_walk *walk, uint32_t loop);
bool dc__is_gone(const dc_walk *walk, uint32_t loop); // unrolled as a whole
void dc__account_unrolled(dc_walk *walk, uint32_t loop, const dc_active *in,
                          const dc_trips *source);

// In guards.c: those of `lanes` that come to the loop.
uint32_t dc__guards_pass(dc_walk *walk, uint32_t loop, uint32_t lanes);

void dc__walk_begin(dc_walk *walk);

// In sides.c: finds block_lanes and branch_lanes of the blocks in a loop (DC_NONE: of all) that
// these lanes have entered. And what a part of the loop, without inner ones, costs with those that
// are active of them; adds to visits, and to lost[d] the cycles that measure 1 + d counts.
// O(blocks of the loop * 32).
void dc__sides_find(dc_walk *walk, uint32_t context, uint32_t lanes);
dc_executed dc__sides_account(dc_walk *walk, uint32_t context, const dc_active *here, dc_part part,
                              double *lost);
// How often a block is executed in this part of its loop, if these lanes of the set come to it, and
// by how many lanes in total.
dc_visits dc__sides_visits(const dc_walk *walk, const dc_active *here, uint32_t block,
                           uint32_t lanes, dc_part part);

// Walks one warp, whose lanes, environments and iv (all -1) are set, as a share `weight` of all
// warps, with about `budget` operations.
void dc__walk_warp(dc_walk *walk, uint32_t first_loop, double weight, double budget);

// ---- account.c ----------------------------------------------------------------------------------

// After the walk: the visits of blocks in loops.
void dc__account_visits(dc_walk *walk);
// Lanes that take part in an instruction / 32, over all of them and these more, which every lane
// takes part in that is there; if each block's instructions are as many as expected, or up to
// `factor` times more or fewer. `open`: slow paths are taken or not, and what may as well be
// predicated as not is either. O(blocks log blocks + loops); `rows` has room for DC_ROWS_MOST.
#define DC_ROWS_MOST(kernel) (6u * (kernel)->n_blocks + 4u * (kernel)->n_loops + 1u)
dc_interval dc__account_efficiency(const dc_walk *walk, double more, double factor, bool open,
                                   dc_account_row *rows);

// ---- accesses.c ---------------------------------------------------------------------------------

// Sums over what is walked. Begin gives NULL where the kernel has no accesses; restart forgets what
// was walked. Errors: DC_ERROR_MEMORY.
dc_status dc__reader_begin(const dc_kernel *kernel, const dc_launch *launch, dc_reader **out,
                           dc_error *error);
void dc__reader_restart(dc_reader *reader);
void dc__reader_free(dc_reader *reader);
// A warp is walked next; and these lanes come to a part of a loop, or to what is outside of loops.
void dc__reader_warp(dc_reader *reader, const dc_walk *walk);
void dc__reader_add(dc_reader *reader, dc_walk *walk, uint32_t context, const dc_active *here,
                    dc_part part, dc_run run);
// For each access of the kernel. False: no memory.
bool dc__reader_finish(const dc_reader *reader, dc_access_estimate *out);

// ---- contention.c -------------------------------------------------------------------------------

// After the visits are accounted: what is executed more, in retries and in executed.
void dc__contention_add(dc_walk *walk);

// How often each of the lanes goes round a loop in which they compare and swap.
void dc__contention_turns(dc_walk *walk, dc_swaps swaps, uint32_t lanes, double *passes);

// ---- attribute.c --------------------------------------------------------------------------------

// The innermost divergent branch, in the loop around alone, that decides who comes there; or
// DC_NONE.
typedef struct dc_control {
  uint32_t *of_block, *of_loop; // of each block and loop
} dc_control;

// O(blocks) for each branch, but bounded over all of them. Errors: DC_ERROR_MEMORY.
dc_status dc__control_find(const dc_kernel *kernel, const dc_flow *flow, dc_control *out,
                           dc_error *error);
void dc__control_free(dc_control *control);

// After the visits are accounted: idle[n_branches], of each branch the share of all lane-slots of
// the kernel (32 for each instruction) in which lanes idle that have gone another way there. Their
// sum is at most 1. O(blocks * depth of what controls them).
void dc__attribute_branches(const dc_walk *walk, const dc_control *control, double *idle);

// ---- scenarios.c --------------------------------------------------------------------------------

enum {
  DC_SCENARIOS_VALUES = 3, // assumed of a value that isn't known
  DC_SCENARIOS_WAYS = 6,   // what lanes do by data
  DC_SCENARIOS_ENDS = 7,
  DC_SCENARIOS_MAX = DC_SCENARIOS_VALUES * DC_SCENARIOS_WAYS + DC_SCENARIOS_ENDS
};

// One combination of what is assumed. Some are only there for the expected efficiency.
typedef struct dc_scenario {
  int64_t value;    // of a uniform value that isn't known
  dc_length length; // of loops
  dc_spread spread;
  dc_choice choice;
  bool of_figures;
  bool odd_block; // one that isn't whole warps, where nobody knows what the program computes
} dc_scenario;

// Whether the result depends on them.
typedef struct dc_varied {
  bool values, distributions, choice, lengths, blocks;
} dc_varied;

// Those that differ in what matters: first those of the figures, and how many these are; then the
// others. list has room for DC_SCENARIOS_MAX.
unsigned dc__scenarios_list(dc_varied varied, dc_scenario *list, unsigned *figures);

// Where in a run of iterations the one is that stands for it, for this sample: 0 to 1.
double dc__scenario_offset(dc_scenario of, unsigned sample);

// ---- samples.c ----------------------------------------------------------------------------------

typedef struct dc_sampling {
  uint64_t n_blocks, columns; // of the grid, in rows of so many blocks
  uint32_t threads;           // of a block
  bool on_lane, on_block;     // what warps do depends on the thread, on the block
  unsigned most;              // warps that are wanted
  bool scattered;             // not at even distances, which may be those of a grid's rows
} dc_sampling;

// One warp that stands for a share of all.
typedef struct dc_warp_sample {
  uint64_t block;
  uint32_t warp;
  double weight;
  dc_executed walked; // times the weight
} dc_warp_sample;

// How many samples there are now: as many as wanted at most, but one, and two where a block's first
// warp must stand for itself. Their weights add up to 1. *some_blocks, *some_warps: not all that
// may differ are among them. O(blocks that are chosen * warps of a block).
unsigned dc__samples_choose(const dc_sampling *of, dc_warp_sample *samples, bool *some_blocks,
                            bool *some_warps);

// ---- certain.c ----------------------------------------------------------------------------------

// As dc__account_efficiency, but over everything that the facts allow; `assumed`: the walk took
// something for granted that isn't known.
dc_interval dc__certain_efficiency(const dc_walk *walk, const dc_launch *launch, bool assumed,
                                   double more, dc_account_row *rows);

// ---- timing_costs.c -----------------------------------------------------------------------------

// These lanes execute a part of a loop, or what is outside of loops.
void dc__clock_add(dc_clock *clock, const dc_walk *walk, uint32_t context, const dc_active *here,
                   dc_part part);

// ---- timing_draws.c -----------------------------------------------------------------------------

// Where all lanes of a warp do as one of them.
typedef struct dc__alike {
  bool any;      // else nowhere
  uint32_t only; // dc__draw_of a loop, or dc__draw_of_branch; DC_NONE: everywhere
  dc_expr expr;  // what trips or sides there are evaluated from, or DC_NO_EXPR
} dc__alike;

static inline bool dc__is_alike(const dc__alike *alike, uint32_t draw) {
  return alike->any && (alike->only == DC_NONE || alike->only == draw);
}

// Trip counts in one warp, of loops that are entered a few times.
typedef struct dc__draws {
  dc__alike alike;
  unsigned lane;     // as which all do
  uint32_t warp;     // number of the draw
  uint32_t main;     // dc__draw_of the loop whose longest lane is given, or DC_NONE
  double entries;    // of that loop by a warp, 1 at least
  double longest;    // the share of warps whose longest lane in all of these does no more
  double warp_share; // a warp's share of all
  uint32_t among;    // of this warp's lanes, those that came to that loop first; 0: none did yet
} dc__draws;

// What a loop's trips are drawn by: loops that run by the same number draw it once.
static inline uint32_t dc__draw_of(const dc_kernel *kernel, uint32_t loop) {
  dc_expr trips = kernel->loops[loop].trips;
  return trips != DC_NO_EXPR ? kernel->n_loops + trips : loop;
}
// A branch is drawn by a number of its own.
static inline uint32_t dc__draw_of_branch(uint32_t branch) { return UINT32_C(1) << 31 | branch; }
// Fills the counts of the set's lanes in an entry of a loop that is entered several times, each
// with a number of its own; what: dc__draw_of it; correlation: of lanes, as dc_loop has it. O(log
// points) for each lane, and O(points) once.
void dc__draw_trips(dc__draws *draws, uint32_t what, uint32_t entry, double correlation,
                    dc_distribution_entry *distribution, uint32_t set, double *counts);
// The same of items that are alike.
void dc__draw_sorted(const dc__draws *draws, uint32_t what, uint32_t entry,
                     dc_distribution_entry *distribution, uint32_t set, double *counts);
// Those of the set that take the first side of a branch, which this share of the lanes does.
uint32_t dc__draw_side(const dc__draws *draws, uint32_t branch, double share, uint32_t set);

// ---- occupancy.c --------------------------------------------------------------------------------

// Of an SM of that number. O(1).
void dc__estimate_occupancy(const dc_kernel *kernel, unsigned sm, const dc_launch *launch,
                            dc_occupancy_estimate *out);

// ---- emulate.c ----------------------------------------------------------------------------------

typedef struct dc_emulated_loop {
  double exits, spills;  // these are per warp of the launch, times the weight of the emulated ones
  double cycles;         // issue cycles, without inner loops
  double depth, entries; // the sum of the greatest depths of its entries, and how many these are
} dc_emulated_loop;

// Sums over the emulated warps.
typedef struct dc_emulated_sums {
  const dc_arch *arch;
  dc_program program; // empty: the kernel is too large
  dc_emulator_options options;
  dc_emulator *emulator;
  dc_emulated_loop *loops;
  dc_visits *visits;    // of each block
  double weight;        // of all warps, the share that was emulated or is stood for
  double branches;      // divergent, no exits
  double spills;        // outside of loops
  dc_executed executed; // but for branches
  uint64_t steps, operations;
  bool valid; // everything could be evaluated, of one warp at least in few steps
} dc_emulated_sums;

dc_status dc__emulated_prepare(const dc_kernel *kernel, const dc_arch *arch, dc_emulated_sums *sums,
                               dc_error *error);
void dc__emulated_free(dc_emulated_sums *sums);

// For one combination of assumptions: nothing yet; one warp, as it is set in the walk; and the sums
// put in the place of the walk's own.
void dc__emulated_begin(dc_emulated_sums *sums);
bool dc__emulated_has_room(const dc_emulated_sums *sums, unsigned done); // for a warp like these
void dc__emulated_add_warp(dc_emulated_sums *sums, const dc_walk *walk, double weight);
void dc__emulated_apply(const dc_emulated_sums *sums, dc_walk *walk);

#endif
