// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a kernel skeleton to figures: imbalance, SIMT efficiency, reconvergence and cycles, per loop
// and per kernel, for one architecture and one launch configuration.
//
// Trip counts come, for each loop and entry, from the first of these that there is:
// - derived: the expression, evaluated in every lane of the warps of the launch, for each outer
//   iteration;
// - annotated, profile, range: the loop's distribution, independent and identical over the lanes
//   (one value for all of them, where the loop's level is below divergent: its mean). With a
//   correlation r of the lanes: in a share r of the warps all lanes run one draw of it, in the
//   others as many as each draws for itself. Every lane's distribution stays what it is, two lanes
//   of a warp are correlated with r (Pearson's, r var / var), and every figure is r times that of
//   lanes that are alike plus 1 - r times that of independent ones, so the aggregate imbalance is
//   r + (1 - r) E[max] / E[W];
// - assumed: the expression with one value assumed in it: 1024, 65536 and 1048576 for a parameter,
//   or a uniform value from memory, that isn't known, but at least one for each thread of a known
//   grid, and 1/1024 of that for a floating-point number; a grid that isn't known covers the value,
//   up to 1024 blocks in x. (Two such values aren't assumed, their difference means nothing; but in
//   a lane-affine loop they are, a factor of 8 apart, since there the lanes differ whatever they
//   are. Lanes of such a loop whose count is computed in floating point, and isn't known since that
//   comes too near to an integer, have the count of the lane before them, if most lanes have one.);
// - assumed: 64 trips where the loop's level is below divergent, whatever its expression; 64 for
//   one half of the lanes and 63 for the other in a strided loop;
// - assumed: distributions with a mean of 64, from a narrow one to a wide one: Poisson, geometric.
//   In a lane-affine loop of floating-point bounds: from 64 in all lanes to the wide one.
// - range: the same within a proven bound. Where dc_most_trips shows that no lane runs more than m
//   iterations, the mean is 64 or m / 2, the smaller one, and the distributions are those on 0 ...
//   m with that mean: from the binomial one with m trials, which tends to Poisson's as m grows, to
//   the one of greatest entropy, which is uniform for m up to 128, else geometric on 1 ... m, and
//   tends to that without a bound. Where a single lane enters: once and 64 (m / 2) times, since a
//   distribution of one lane loses nothing, but how long it takes isn't known.
// Lanes that a branch before the loop is known to keep away don't enter it (`if (i >= n) return;`).
// One combination of assumptions holds for the whole kernel; the intervals are over all
// combinations.
//
// Inside a loop whose lanes leave one by one, inner loops are entered by those that remain, exactly
// so (for a distribution: in distribution). Cycles are issue cycles: no latency, no memory system.
// - A block runs once per iteration, if some lane comes to it; the targets of a branch that the
//   warp takes alike run half the time each (assumed). Lanes of a branch outside of loops whose
//   condition follows from the launch go where it says, and where a part of a && b or a || b does,
//   those that it keeps away stay away. One unknown value, or one product of them, is as large as
//   the launch; which of several is larger nobody knows, but a sum or multiple of the lane's index
//   turns larger or smaller at one lane of the launch, so that all lanes of a warp take a target
//   alike: as likely as not, equal ones once in 32. Of other divergent branches it is assumed that
//   each lane takes each target as likely, by itself; or all lanes of the warp do; or one lane in a
//   warp, on average, takes the target that doesn't go on after the branch (of two such, the
//   second): with a active lanes, a target of chance p is run with the chance 1 - (1 - p)^a, and
//   the branch diverges as often as several targets are. To a loop behind such a branch lanes come
//   with that chance.
// - A predicated branch issues both targets with all lanes. Lanes whose target only returns exit
//   there: no branch.
// - Trips count how often the body begins: tests in front of it (at the header, and at exits that
//   stand where the loop does) run once more, what follows another exit runs once less; of several
//   exits of which nothing is known, each is as likely.
// - The efficiency counts instructions, each as one, as a profiler does: active lanes of the
//   instructions issued, predicated ones included, / 32. Where the blocks' machine instructions are
//   counted, it is these; with two more where lanes that diverge are reconverged (BSSY and
//   BSYNC), and one each time that they diverge: the group that left comes to the second by itself.
//   Iterations of loops that are expected to be unrolled are done several at once there, and the
//   rest in passes of half as many each; of several exits of which nothing is known lanes take each
//   as likely. That goes into instructions, efficiency and divergent branches, but not into cycles,
//   imbalance and divergent exits, which are of the loops as written.
// - Imbalance is lost where a lane has left a loop and others go on, inner loops included; targets
//   of branches that are not full don't count, and last warps that aren't only for the efficiency.
// - Reconvergence is what divergent exits, guards (of lanes without iterations) and branches cost,
//   and on the stack what loops spill.
//   Where everything that decides the lanes' ways can be evaluated, and no distribution is taken
//   for any loop, the warps are emulated (divcost/emulator.h), with all that nests and branches do
//   to each other, or as many, evenly chosen, as 20000 steps (blocks, of all warps) and 300000
//   operations of expressions do for; there cycles and efficiency too are the emulator's. Elsewhere
//   the closed forms of divcost/reconvergence.h hold, each loop as if it were alone.
// - A cycle in which a lane idles is charged once: to the loop around that this lane left. So what
//   the loops lose adds up to what the kernel loses, and no part exceeds the whole
//   (dc_estimate_check).
//
// The work is bounded, for each kernel by itself: about 100000 operations of the walk, 2 million of
// expressions (over all lanes and assumptions; what is left when they are spent counts as not
// known, and its trips are assumed), and evenly sampled warps, blocks (the first, the last, 6
// between) and iterations where that doesn't do. Loops nested deeper than 16 are not known.
//
// A figure that depends on an assumption is an interval low..high (of no width where the assumption
// has one value, or doesn't matter); everything else has low == high. The efficiency is given twice
// more:
// - expected_efficiency: under the assumptions above, and at the ends of what is to be expected:
//   all lanes of a warp do alike in every loop and at every branch; trip counts follow a power law,
//   zipf(2, 4096), and lanes take a target each as likely, or one in a warp; loops that all lanes
//   run alike, and strided ones, are run once, or 4096 times, with 100 items (no multiple of a
//   warp, and fewer than threads, where the grid is known to have more) or 1048576; with those 100
//   items a block whose dimensions the program computes has 100 threads, 10 * 10, or 5 * 5 * 4;
//   where not every iteration is walked, others than for the figures are. In each case the machine
//   instructions of every block may be 1.5 times more or fewer than expected; of these, the least
//   and greatest ratio (a linear-fractional function on a box: its extremes are at corners where
//   blocks fuller than some lanes are at one end, the others at the other). Where the kernel calls
//   functions that are no part of it, as low as is certain;
// - certain_efficiency: whatever isn't known turns out to be. Where lanes of a warp may part and
//   something is assumed, or only some of the warps are walked, that is one lane to as many as a
//   warp has; where nothing can part them, the lanes that the launch's warps have; where nothing is
//   assumed, what is walked, if instructions of each block are up to 4 times more or fewer. In both
//   cases lanes may take slow paths of divisions and functions, all of them, none, or one alone
//   (dc_block.slow), and in the latter branches are predicated or not where that is a close
//   decision (dc_branch.close). Of the launch of the estimate alone.
#ifndef DIVCOST_ESTIMATE_H
#define DIVCOST_ESTIMATE_H

#include "divcost/arch.h"
#include "divcost/assumed.h"
#include "divcost/kernel.h"
#include "divcost/memory.h"
#include "divcost/occupancy.h"
#include "divcost/time.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dc_interval {
  double low, high; // low <= high; both negative: not known
} dc_interval;

typedef struct dc_loop_estimate {
  dc_from from;           // where the trip count comes from
  dc_interval entries;    // times a warp enters the loop, over the whole kernel
  dc_interval mean_trips; // mean over lanes and entries
  dc_interval expected;   // expected imbalance E[n max / sum]
  dc_interval aggregate;  // aggregate imbalance E[max] / E[mean]
  double worst;           // largest imbalance that any warp can meet; negative: no bound is known
  dc_interval efficiency; // SIMT efficiency of the loop's own iterations: lanes that iterate /
                          // lanes issued (32 each)
  dc_interval divergent_exits; // per entry
  dc_interval stack_depth;     // per entry; stack rules only, else not known
  dc_interval body; // cycles per warp: all iterations that the warp issues, inner loops included
  dc_interval imbalance; // of these, cycles lost because lanes have left; inner loops' own loss not
                         // included
  dc_interval reconvergence; // cycles per warp that managing the loop's divergent exits costs
  dc_interval share;         // of the kernel's issue cycles: (imbalance + reconvergence) / cycles
  double least_share;        // of these, also if loops whose length isn't known are short or long
                             // (as for the expected efficiency); in no report
} dc_loop_estimate;

// Of a branch that parts the lanes of a warp and leaves no loop.
typedef struct dc_branch_estimate {
  // Share of the kernel's lane-slots (32 for each instruction that a warp issues) in which lanes
  // idle that have gone the branch's other way, or have returned there; where each lane decides for
  // itself. A slot is charged to one branch or loop alone. 0: none, or predicated.
  dc_interval idle;
  dc_from from; // DC_FROM_DERIVED: who takes which way follows from the launch, else assumed
} dc_branch_estimate;

// Of an access to memory, by the lanes that are there. What is taken are distinct sectors (global,
// generic and local memory), wavefronts (shared) or distinct addresses (constant), of a request on
// average: exact where the lanes' addresses to each other follow from the launch, for all that
// arrays may be aligned to; an array that the launch passes is taken to begin at a multiple of 256
// bytes, as cudaMalloc has it, indices not to wrap, and what is divided not to be negative.
typedef struct dc_access_estimate {
  double requests;      // that a warp makes with some lane, in the whole kernel
  double lanes;         // in each, on average
  dc_interval taken;    // by each; no requests: not known
  dc_interval ideal;    // if the lanes' bytes stood side by side
  int64_t stride;       // bytes from a lane to the next where it is always the same, else 0
  uint8_t access_class; // dc_access_class
  uint8_t from;       // DC_FROM_DERIVED: the lanes' addresses to each other are known, else assumed
  dc_request_of most; // the first request of those that take most; in no report
} dc_access_estimate;

// Where a number of registers comes from.
typedef enum dc_registers_from {
  DC_REGISTERS_ANY,       // nothing is known: what the architecture and launch bounds allow
  DC_REGISTERS_ESTIMATED, // from the code (docs/lab/occupancy.md has how well)
  DC_REGISTERS_PTXAS,     // ptxas said so
} dc_registers_from;

// Of an SM by blocks of a launch, as far as it follows from what is known of registers and shared
// memory: with the most of each, and with the least.
typedef struct dc_occupancy_estimate {
  bool known;          // the architecture's limits are
  unsigned warps_most; // that an SM holds
  unsigned registers_low, registers_high;
  uint8_t registers_from; // dc_registers_from
  dc_occupancy low, high;
} dc_occupancy_estimate;

// Why nothing is said of a launch's time.
typedef enum dc_time_unknown {
  DC_TIME_CODE,    // the kernel was not analysed
  DC_TIME_MACHINE, // nobody measured a GPU of this compute capability, or its occupancy isn't known
  DC_TIME_GRID,    // how many blocks are launched isn't known
  DC_TIME_TRIPS,   // how often loops run, or what values they go by, is assumed
} dc_time_unknown;

// What a part of a launch's time goes to that isn't the work itself: by what the same launch would
// take without it, by the same model.
typedef enum dc_time_loss {
  DC_LOSS_DIVERGENCE, // without: the lanes of each warp do alike; the same items, addresses and
                      // instructions, 32 items of one kind in each warp
  DC_LOSS_COALESCING, // each request touches the fewest lines and sectors that the bytes of its
                      // lanes need; as many lanes, and of what misses the caches no more than that
  DC_LOSS_OCCUPANCY,  // registers and shared memory limit no blocks; caches miss as they do now
  DC_LOSS_TAIL,       // the launch's end is as full as what was before (dc_time's full)
  DC_LOSS_COUNT
} dc_time_loss;

// The share of the time T that is saved where a launch takes T': (T - T') / max(T, T'), -1 to 1;
// below 0, it would take longer. Exactly 0 where nothing would change.
typedef struct dc_time_saving {
  double low, high; // low <= high; both below -1: not known, as in reports of before
} dc_time_saving;

// Of the divergence, what is lost at one loop or branch: by the same items, of which each warp has
// the same trips, or goes the same way, there alone. Loops that run by the same number are alike
// together, as the first of them here.
typedef struct dc_time_part {
  uint32_t loop, branch; // index of one of them, the other DC_NONE
  dc_time_saving lost;
} dc_time_part;

enum { DC_TIME_PARTS = 4 };

// What a launch takes in time (divcost/time.h), and what it would take without what it loses. Over
// what nobody told: whether L2 holds what is read, how large arrays are, which lanes take a branch.
typedef struct dc_time_estimate {
  bool known;           // else all but unknown is zeroes
  uint8_t unknown;      // dc_time_unknown
  bool assumed_l2;      // that L2 is warm or cold matters and wasn't told
  bool assumed_extents; // likewise the size of arrays
  uint8_t bound;        // dc_bound that most of the time goes to
  dc_interval seconds;  // of the launch: about
  dc_interval alike;    // with lanes alike: about
  dc_interval longest;  // with items alike, and those that take longest first: about
  dc_time_saving lost[DC_LOSS_COUNT];
  uint32_t n_parts;                  // DC_TIME_PARTS at most
  dc_time_part parts[DC_TIME_PARTS]; // the loops and branches whose lanes idle most, these first;
                                     // not those that an order of the items changes nothing of
  double bounds[DC_BOUND_COUNT]; // shares of the time, by what they go to; where several cases are
                                 // looked at, of a warm L2, small arrays and the most blocks
} dc_time_estimate;

typedef struct dc_estimate {
  unsigned sm;
  dc_arch arch;          // with costs of an architecture file; else arch.of_file is false, see
                         // dc_estimate_arch
  dc_launch launch;      // what this is for
  dc_interval cycles;    // issue cycles per warp, reconvergence included
  dc_interval imbalance; // of these, lost to imbalance
  dc_interval
      reconvergence; // of these, spent on managing divergence, branches that are no exits included
  dc_interval share; // of the cycles, lost: (imbalance + reconvergence) / cycles, from
                     // the least to the most over what is assumed: the ends of the
                     // three may be of different assumptions. Negative: not known
  dc_interval instructions;        // that a warp issues, as expected in machine code
  dc_interval efficiency;          // active lanes per issued instruction / 32, kernel as a whole
  dc_interval expected_efficiency; // where that is expected to be: under more assumptions, and
                                   // if blocks become 1.5 times more or fewer instructions
  dc_interval certain_efficiency;  // where it must be, whatever isn't known
  dc_interval divergent_branches;  // executions of divergent branches per warp, exits included
  dc_occupancy_estimate occupancy;
  dc_time_estimate time;
  bool emulated; // what managing divergence takes, and the efficiency, are the emulator's; else
                 // from closed forms
  bool sampled;  // not all warps, blocks or iterations that may differ were walked
  dc_loop_estimate *loops; // one for each of kernel->loops
  uint32_t n_loops;
  dc_branch_estimate *branches; // one for each of kernel->branches
  uint32_t n_branches;
  dc_access_estimate *accesses; // one for each of kernel->accesses
  uint32_t n_accesses;
} dc_estimate;

// The costs that an estimate depends on: its file's, or those that divcost has for its sm; false
// where it has none of that number.
bool dc_estimate_arch(const dc_estimate *estimate, dc_arch *arch);

// What estimates of several kernels have in common, the figures of distributions: each is found
// once then, and comes out the same. Not for two threads at a time.
typedef struct dc_estimate_cache dc_estimate_cache;

// NULL: out of memory.
dc_estimate_cache *dc_estimate_cache_create(void);
void dc_estimate_cache_free(dc_estimate_cache *cache); // or NULL

// Estimates kernel (valid, see dc_kernel_validate) for arch and launch. On success the caller owns
// out's arrays and releases them with dc_estimate_free; on error *out is all zeroes. Of a kernel
// that was not analysed (without blocks) every figure is "not known". Errors: a distribution text
// that doesn't parse, memory. The work is bounded by a documented budget of expression operations.
// cache: or NULL.
dc_status dc_estimate_kernel(const dc_kernel *kernel, const dc_arch *arch, const dc_launch *launch,
                             dc_estimate_cache *cache, dc_estimate *out, dc_error *error);
void dc_estimate_free(dc_estimate *estimate);

// What requests to memory take: sectors of 32 bytes of global (and generic, local) memory, passes
// over the banks of shared memory, distinct addresses of constants, one after the other.
typedef enum dc_memory_unit { DC_SECTORS, DC_WAVEFRONTS, DC_ADDRESSES } dc_memory_unit;

// Which of these an access to a space takes.
dc_memory_unit dc_memory_unit_of(dc_space space);

// What a warp takes of one of them in all, and in *ideal what it would if its lanes' bytes stood
// side by side; both {-1, -1} where the estimate has no accesses. O(accesses).
dc_interval dc_memory_taken(const dc_kernel *kernel, const dc_estimate *estimate,
                            dc_memory_unit unit, dc_interval *ideal);

// The share of an SM's warps that are resident, of an occupancy that is known. O(1).
dc_interval dc_occupancy_share(const dc_occupancy_estimate *occupancy);

// The names: "code", "machine", "grid", "trips"; and back: the enumerator, or -1.
const char *dc_time_unknown_name(dc_time_unknown unknown);
int dc_time_unknown_parse(const char *name);

// The names: "any", "estimated", "ptxas"; and back: the enumerator, or -1.
const char *dc_registers_from_name(dc_registers_from from);
int dc_registers_from_parse(const char *name);

// Whether the figures fit together: each in its range (shares and efficiencies 0 to 1, imbalances 1
// to 32), no part more than its whole (cycles of a loop and of the kernel, those lost and those
// taken), and the loops' least shares and losses together no more than the kernel's. What
// dc_estimate_kernel gives always passes, but for a fault of its own; figures that were read from a
// file may not. Errors: DC_ERROR_LIMIT, the text names the loop and both figures. O(loops).
dc_status dc_estimate_check(const dc_estimate *estimate, dc_error *error);

// Share of the kernel's issue cycles that is lost to imbalance and reconvergence in one loop: the
// least over all assumptions (what decides about a warning), and the most. 0 where nothing is
// known. It is loops[loop].share, which can't be had from the other intervals: their ends may be of
// different assumptions.
dc_interval dc_loop_share(const dc_estimate *estimate, uint32_t loop);

#ifdef __cplusplus
}
#endif

#endif
