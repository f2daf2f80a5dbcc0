// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device side of the recorder. The plugin puts this text before each unit that is compiled with
// -fplugin-arg-divcost-profile-generate, on both sides; it needs clang's builtins alone. clang's
// pass then counts in registers, of each lane and entry of a loop, its trips and how many of these
// it led: was the lowest active lane in. What follows is called once for each lane that leaves a
// loop, by all that leave it together; in a loop around, lanes keep a tally of that in registers.
//
// Of blocks it counts how often warps and lanes execute them: at once where that is outside of
// loops, else in registers until the outermost loop is left.
//
// Nothing here waits for a lane that isn't there already: lanes of one warp may well wait for each
// other in a loop (a lock), so those that left can't wait for those that stay. And no function here
// asks which lanes are active: the hardware may join lanes that call it from different loops, so
// the caller asks.

// Written by the compiler: divcost's number, where the counters are, loops, copies of the counters,
// where loops and blocks are described, in how many bytes, words of a loop, blocks. See
// runtime/src/recorder.c.
static __attribute__((device)) unsigned long long __divcost_unit[8];

extern "C" void dc_profile_register(const void *unit, const char *path);
static __attribute__((constructor)) void __divcost_register() {
  dc_profile_register(&__divcost_unit, __DIVCOST_PROFILE);
}

// Marks where a loop's body begins, until the pass has seen it. A constant expression may meet it.
static constexpr __attribute__((device, host, noinline)) int __divcost_iteration() { return 0; }

#ifdef __CUDA_ARCH__
#define __DIVCOST_HELPER static __attribute__((device, always_inline)) inline

__DIVCOST_HELPER void __divcost_add(unsigned long long address, unsigned long long value) {
  asm volatile("red.global.add.u64 [%0], %1;" ::"l"(address), "l"(value));
}

// The same under a condition, and without a branch: lanes that part in front of what asks which are
// active may not be together again.
__DIVCOST_HELPER void __divcost_add_if(bool condition, unsigned long long address,
                                       unsigned long long value) {
  asm volatile(
      "{.reg .pred p; setp.ne.u32 p, %2, 0; @p red.global.add.u64 [%0], %1;}" ::"l"(address),
      "l"(value), "r"((unsigned)condition));
}

// The lanes of `here` that have the same value.
__DIVCOST_HELPER unsigned __divcost_match(unsigned here, unsigned value) {
#if __CUDA_ARCH__ >= 700
  return __nvvm_match_any_sync_i32(here, value);
#else
  unsigned alike = 0;
  for (unsigned left = here; left; left &= left - 1) {
    unsigned other = __nvvm_shfl_sync_idx_i32(here, value, __builtin_ctz(left), 0x1f);
    alike |= other == value ? left & -left : 0;
  }
  return alike;
#endif
}

__DIVCOST_HELPER unsigned __divcost_sum(unsigned here, unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __nvvm_redux_sync_add(value, here);
#else
  unsigned sum = 0;
  for (unsigned left = here; left; left &= left - 1)
    sum += __nvvm_shfl_sync_idx_i32(here, value, __builtin_ctz(left), 0x1f);
  return sum;
#endif
}

// As dc_profile_bin in divcost/profile.h.
__DIVCOST_HELPER unsigned __divcost_bin(unsigned trips) {
  if (trips < 1024)
    return trips;
  unsigned octave = 31 - __builtin_clz(trips);
  return 1024 + (octave - 10) * 4 + (trips >> (octave - 2) & 3);
}

__DIVCOST_HELPER unsigned __divcost_max(unsigned here, unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __nvvm_redux_sync_umax(value, here);
#else
  unsigned max = 0;
  for (unsigned left = here; left; left &= left - 1) {
    unsigned other = __nvvm_shfl_sync_idx_i32(here, value, __builtin_ctz(left), 0x1f);
    max = other > max ? other : max;
  }
  return max;
#endif
}

// Where a loop's counters have its bins, and how many words they are, as dc_profile_counts.
enum { __DIVCOST_LANES = 8, __DIVCOST_WORDS = 1208 };

// Lanes `here` hand over what they counted in a loop: `trips` of each, `most` of these, and sums of
// all of them. Words are those of dc_profile_counts; there are `copies` + 1 of them, a power of
// two, so that the multiprocessors don't all wait for the same word. The first four words are one
// sector of memory, and as many lanes add to them at once: the first lanes there are, each to its
// own.
__DIVCOST_HELPER void __divcost_hand_over(unsigned long long counters, unsigned copies,
                                          unsigned here, unsigned trips, unsigned most,
                                          unsigned entries, unsigned iterations, bool complete) {
  enum { SUMS = 4, BINS = 1112, EXACT = 1024, END = 4096 };
  unsigned before = __nvvm_read_ptx_sreg_lanemask_lt(), n = __builtin_popcount(here),
           rank = __builtin_popcount(here & before);
  counters += (__nvvm_read_ptx_sreg_smid() & copies) * (8ull * __DIVCOST_WORDS);
  complete = complete && most < END;
  unsigned pairs = complete ? n * (n - 1) / 2 : 0;
  bool same = __nvvm_vote_all_sync(here, trips == most);
  if (same && most < EXACT && n >= SUMS) { // no spread: its lane adds to the bin
    unsigned word = rank < 3 ? rank : __DIVCOST_LANES + most;
    unsigned sum = rank == 0 ? entries : rank == 1 ? iterations : rank == 2 ? pairs : n;
    __divcost_add_if(rank < SUMS, counters + 8ull * word, sum);
    return;
  }
  unsigned bin = trips;
  if (most >= EXACT) {
    bin = __divcost_bin(trips);
    if (trips >= EXACT)
      __divcost_add(counters + 8ull * (__DIVCOST_LANES + BINS + bin - EXACT), trips);
  }
  unsigned alike = same ? here : __divcost_match(here, bin);
  if (!(alike & before))
    __divcost_add(counters + 8ull * (__DIVCOST_LANES + bin), __builtin_popcount(alike));
  unsigned long long spread = 0;
  if (complete && !same) {
    unsigned long long sum = __divcost_sum(here, trips);
    spread = n * (unsigned long long)__divcost_sum(here, trips * trips) - sum * sum;
  }
  for (unsigned k = rank; k < SUMS; k += n) {
    unsigned long long first = k & 1 ? iterations : entries, second = k & 1 ? spread : pairs;
    __divcost_add(counters + 8ull * k, k & 2 ? second : first);
  }
}

// ---- lanes that leave a loop ------------------------------------------------------------------

// Lanes `here` that leave a loop: `trips` and `led` of each, and which lanes `entered` with it.
static __attribute__((device, noinline, used)) void __divcost_leave(unsigned long long counters,
                                                                    unsigned copies, unsigned trips,
                                                                    unsigned led, unsigned entered,
                                                                    unsigned here) {
  bool leads = !(entered & __nvvm_read_ptx_sreg_lanemask_lt()); // its entry
  unsigned entries = __builtin_popcount(__nvvm_vote_ballot_sync(here, leads));
  __divcost_hand_over(counters, copies, here, trips, __divcost_max(here, trips), entries,
                      __divcost_sum(here, led), __nvvm_vote_all_sync(here, entered == here));
}

#if __CUDA_ARCH__ >= 700
// The same where those that `entered` together meet.
static __attribute__((device, noinline, used)) void __divcost_meet(unsigned long long counters,
                                                                   unsigned copies, unsigned trips,
                                                                   unsigned led, unsigned entered) {
  __nvvm_bar_warp_sync(entered);
  __divcost_hand_over(counters, copies, entered, trips, __divcost_max(entered, trips), 1,
                      __divcost_sum(entered, led), true);
}

// The same for a loop in which lanes can't diverge: they were in as often as the last of them.
static __attribute__((device, noinline, used)) void
__divcost_rejoin(unsigned long long counters, unsigned copies, unsigned trips, unsigned entered) {
  __nvvm_bar_warp_sync(entered);
  unsigned most = __divcost_max(entered, trips);
  __divcost_hand_over(counters, copies, entered, trips, most, 1, most, true);
}
#endif

// ---- tallies ----------------------------------------------------------------------------------

// In a loop around, lanes leave a loop again and again, mostly after about as many trips as before.
// Each keeps a tally of that in registers, which is added when it is full, doesn't fit any more, or
// the function is left:
// - bins: eight bits for each of eight trip counts, from a start on;
// - state: times, entries it led, how often in a row it didn't fit, start;
// - sums: iterations it led, and pairs with the lanes before it;
// - spread: of the entries it led.
// A trip count of 260 or more never fits. So 127 times the bins and sums have room: 127 * 259
// iterations, 127 * 31 pairs, and 127 spreads of at most 16 * 16 * 259 * 259.
enum {
  __DIVCOST_TIMES = 127,
  __DIVCOST_ENTRY = 1 << 7,
  __DIVCOST_MISS = 1 << 14,
  __DIVCOST_MISSES = 3 << 14,
  __DIVCOST_START = 16, // its first bit
  __DIVCOST_PAIR = 1 << 16,
};

// Lanes `here` add their tallies: bins that start alike together, each word by a lane.
static __attribute__((device, noinline, used)) void
__divcost_add_tallies(unsigned long long counters, unsigned copies, unsigned here,
                      unsigned long long bins, unsigned state, unsigned sums, unsigned spread) {
  enum { BINS = 8, ENTRIES = BINS, ITERATIONS, PAIRS, WORDS, TWO = 0x00ff00ff };
  unsigned n = __builtin_popcount(here),
           rank = __builtin_popcount(here & __nvvm_read_ptx_sreg_lanemask_lt()),
           start = state >> __DIVCOST_START;
  counters += (__nvvm_read_ptx_sreg_smid() & copies) * (8ull * __DIVCOST_WORDS);
  unsigned long long at = counters + 8ull * (__DIVCOST_LANES + start);
  bool alike = __nvvm_vote_all_sync(
      here, start == (unsigned)__nvvm_shfl_sync_idx_i32(here, start, __builtin_ctz(here), 0x1f));
  if (!alike)
    for (unsigned k = 0; k < BINS; ++k)
      __divcost_add_if(bins >> 8 * k & 255, at + 8 * k, bins >> 8 * k & 255);
  unsigned low = alike ? (unsigned)bins : 0, high = alike ? (unsigned)(bins >> 32) : 0;
  // Of four bins two are added at a time, each in 16 bits.
  unsigned low_even = __divcost_sum(here, low & TWO), low_odd = __divcost_sum(here, low >> 8 & TWO),
           high_even = __divcost_sum(here, high & TWO),
           high_odd = __divcost_sum(here, high >> 8 & TWO);
  unsigned iterations = __divcost_sum(here, sums & 0xffff),
           others = __divcost_sum(here, sums >> 16 | state / __DIVCOST_ENTRY % 128 << 16);
  for (unsigned k = rank; k < WORDS; k += n) {
    unsigned even = k & 4 ? high_even : low_even, odd = k & 4 ? high_odd : low_odd,
             bin = (k & 1 ? odd : even) >> 8 * (k & 2) & 0xffff;
    unsigned value = k == ENTRIES      ? others >> 16
                     : k == ITERATIONS ? iterations
                     : k == PAIRS      ? others & 0xffff
                                       : bin;
    __divcost_add_if(value, k < BINS ? at + 8 * k : counters + 8 * (k - ENTRIES), value);
  }
  __divcost_add_if(spread, counters + 24, spread);
}

// What of an entry goes to a lane's tally, where all lanes `here` have room: the spread, if it
// leads, in 25 bits; how many lanes are before it; whether it leads; and above, the iterations it
// led.
enum { __DIVCOST_BEFORE = 25, __DIVCOST_LEADS = 30, __DIVCOST_NO_ROOM = 31, __DIVCOST_LED = 32 };

__DIVCOST_HELPER unsigned long long __divcost_share(unsigned here, unsigned trips, unsigned led,
                                                    bool leads, bool complete, bool fits) {
  if (!__nvvm_vote_all_sync(here, fits))
    return 1ull << __DIVCOST_NO_ROOM;
  unsigned long long share = (unsigned long long)led << __DIVCOST_LED | (unsigned)leads
                                                                            << __DIVCOST_LEADS;
  if (complete) {
    unsigned n = __builtin_popcount(here), sum = __divcost_sum(here, trips),
             rank = __builtin_popcount(here & __nvvm_read_ptx_sreg_lanemask_lt()),
             spread = n * __divcost_sum(here, trips * trips) - sum * sum;
    share |= rank << __DIVCOST_BEFORE | (leads ? spread : 0);
  }
  return share;
}

// The share in what lanes hand over in __divcost_leave, __divcost_meet and __divcost_rejoin. All
// that asks lanes by a mask is in functions that aren't inlined: ptxas takes a mask that it sees
// asked for as the same in all lanes that come together.
static __attribute__((device, noinline, used)) unsigned long long
__divcost_share_leave(unsigned trips, unsigned led, unsigned entered, unsigned here, bool fits) {
  bool leads = !(entered & __nvvm_read_ptx_sreg_lanemask_lt());
  return __divcost_share(here, trips, led, leads, __nvvm_vote_all_sync(here, entered == here),
                         fits);
}

#if __CUDA_ARCH__ >= 700
static __attribute__((device, noinline, used)) unsigned long long
__divcost_share_meet(unsigned trips, unsigned led, unsigned entered, bool fits) {
  __nvvm_bar_warp_sync(entered);
  bool leads = !(entered & __nvvm_read_ptx_sreg_lanemask_lt());
  return __divcost_share(entered, trips, led, leads, true, fits);
}

static __attribute__((device, noinline, used)) unsigned long long
__divcost_share_rejoin(unsigned trips, unsigned entered, bool fits) {
  __nvvm_bar_warp_sync(entered);
  bool leads = !(entered & __nvvm_read_ptx_sreg_lanemask_lt());
  unsigned most = __divcost_max(entered, trips);
  return __divcost_share(entered, trips, leads ? most : 0, leads, true, fits);
}
#endif

// Lanes `here` handed over at once, for the tally of one of them had no room: the fourth time in a
// row, or if one is full, their tallies are added. Returns the state; 0: the tally is empty.
static __attribute__((device, noinline, used)) unsigned
__divcost_missed(unsigned long long counters, unsigned copies, unsigned here,
                 unsigned long long bins, unsigned state, unsigned sums, unsigned spread) {
  unsigned times = state & __DIVCOST_TIMES;
  bool isFourth = (state & __DIVCOST_MISSES) == (unsigned)__DIVCOST_MISSES;
  if (__nvvm_vote_all_sync(here, times < __DIVCOST_TIMES && !isFourth))
    return times ? state + __DIVCOST_MISS : 0;
  __divcost_add_tallies(counters, copies, here, bins, state, sums, spread);
  return 0;
}

// An empty tally begins around the trip count.
__DIVCOST_HELPER unsigned __divcost_start(unsigned trips, unsigned state) {
  return state & __DIVCOST_TIMES ? state >> __DIVCOST_START : trips > 4 ? (trips - 4) & 0xfc : 0;
}

__DIVCOST_HELPER bool __divcost_fits(unsigned trips, unsigned state) {
  return trips - __divcost_start(trips, state) < 8 && (state & __DIVCOST_TIMES) < __DIVCOST_TIMES;
}

__DIVCOST_HELPER void __divcost_keep(unsigned trips, unsigned long long share,
                                     unsigned long long *bins, unsigned *state, unsigned *sums,
                                     unsigned *spread) {
  unsigned start = __divcost_start(trips, *state), rank = share >> __DIVCOST_BEFORE & 31;
  *bins += 1ull << 8 * (trips - start);
  *state = start << __DIVCOST_START |
           (*state % __DIVCOST_MISS + 1 + (share >> __DIVCOST_LEADS & 1) * __DIVCOST_ENTRY);
  *sums += (unsigned)(share >> __DIVCOST_LED) + rank * __DIVCOST_PAIR;
  *spread += share & ((1u << __DIVCOST_BEFORE) - 1);
}

__DIVCOST_HELPER void __divcost_miss(unsigned long long counters, unsigned copies, unsigned here,
                                     unsigned long long *bins, unsigned *state, unsigned *sums,
                                     unsigned *spread) {
  *state = __divcost_missed(counters, copies, here, *bins, *state, *sums, *spread);
  *bins = *state ? *bins : 0;
  *sums = *state ? *sums : 0;
  *spread = *state ? *spread : 0;
}

// As __divcost_leave, __divcost_meet and __divcost_rejoin, but with a tally; the pass inlines them.
static __attribute__((device, noinline, used)) void
__divcost_tally_leave(unsigned long long counters, unsigned copies, unsigned trips, unsigned led,
                      unsigned entered, unsigned here, unsigned long long *bins, unsigned *state,
                      unsigned *sums, unsigned *spread) {
  unsigned long long share =
      __divcost_share_leave(trips, led, entered, here, __divcost_fits(trips, *state));
  if (!(share >> __DIVCOST_NO_ROOM & 1))
    return __divcost_keep(trips, share, bins, state, sums, spread);
  __divcost_leave(counters, copies, trips, led, entered, here);
  __divcost_miss(counters, copies, here, bins, state, sums, spread);
}

#if __CUDA_ARCH__ >= 700
static __attribute__((device, noinline, used)) void
__divcost_tally_meet(unsigned long long counters, unsigned copies, unsigned trips, unsigned led,
                     unsigned entered, unsigned long long *bins, unsigned *state, unsigned *sums,
                     unsigned *spread) {
  unsigned long long share =
      __divcost_share_meet(trips, led, entered, __divcost_fits(trips, *state));
  if (!(share >> __DIVCOST_NO_ROOM & 1))
    return __divcost_keep(trips, share, bins, state, sums, spread);
  __divcost_meet(counters, copies, trips, led, entered);
  __divcost_miss(counters, copies, entered, bins, state, sums, spread);
}

static __attribute__((device, noinline, used)) void
__divcost_tally_rejoin(unsigned long long counters, unsigned copies, unsigned trips,
                       unsigned entered, unsigned long long *bins, unsigned *state, unsigned *sums,
                       unsigned *spread) {
  unsigned long long share = __divcost_share_rejoin(trips, entered, __divcost_fits(trips, *state));
  if (!(share >> __DIVCOST_NO_ROOM & 1))
    return __divcost_keep(trips, share, bins, state, sums, spread);
  __divcost_rejoin(counters, copies, trips, entered);
  __divcost_miss(counters, copies, entered, bins, state, sums, spread);
}
#endif

// ---- blocks -----------------------------------------------------------------------------------

// Lanes `here` come by a block, so many times: the first adds the warp, the second the lanes.
static __attribute__((device, noinline, used)) void
__divcost_come_by(unsigned long long counters, unsigned copies, unsigned here, unsigned times) {
  unsigned n = __builtin_popcount(here),
           rank = __builtin_popcount(here & __nvvm_read_ptx_sreg_lanemask_lt());
  counters += (__nvvm_read_ptx_sreg_smid() & copies) * 32ull;
  __divcost_add_if(rank < 2, counters + 8ull * rank, rank ? (unsigned long long)times * n : times);
  __divcost_add_if(n == 1, counters + 8, times);
}

#if __CUDA_ARCH__ >= 700
// Those that `entered` a loop together meet, and learn how often the last of them executed a block.
static __attribute__((device, noinline, used)) unsigned __divcost_last(unsigned visits,
                                                                       unsigned entered) {
  __nvvm_bar_warp_sync(entered);
  return __divcost_max(entered, visits);
}
#endif

// Lanes `here` hand over how often each executed a block, and was the one that counts its warp.
static __attribute__((device, noinline, used)) void __divcost_visits(unsigned long long counters,
                                                                     unsigned copies,
                                                                     unsigned visits, unsigned led,
                                                                     unsigned here) {
  enum { NO_OVERFLOW = 1 << 27 };
  unsigned most = __divcost_max(here, visits);
  if (most >= NO_OVERFLOW) {
    __divcost_add(counters, led);
    __divcost_add(counters + 8, visits);
  } else if (most > 0) {
    unsigned warps = __divcost_sum(here, led), lanes = __divcost_sum(here, visits),
             n = __builtin_popcount(here),
             rank = __builtin_popcount(here & __nvvm_read_ptx_sreg_lanemask_lt());
    counters += (__nvvm_read_ptx_sreg_smid() & copies) * 32ull;
    if (rank < 2)
      __divcost_add(counters + 8ull * rank, rank ? lanes : warps);
    if (n == 1)
      __divcost_add(counters + 8, lanes);
  }
}

#ifdef __DIVCOST_CHECK
// A number for each entry of a loop, from 1, and for each the trip count that a lane left it with:
// whoever comes next under the number compares. 65536 entries at a time; older ones are forgotten.
static __attribute__((device)) unsigned __divcost_entries;
static __attribute__((device)) unsigned long long __divcost_trips[65536];

// Lanes that come `here` together may be at different `iterations` of the loops around.
static __attribute__((device, noinline, used)) unsigned __divcost_enter(unsigned here,
                                                                        unsigned iterations) {
  unsigned first = __builtin_ctz(__divcost_match(here, iterations)), entry = 0;
  if (__nvvm_read_ptx_sreg_laneid() == first)
    entry = __nvvm_atom_add_gen_i((int *)&__divcost_entries, 1) + 1;
  return __nvvm_shfl_sync_idx_i32(here, entry, first, 0x1f);
}

static __attribute__((device, noinline, used)) void
__divcost_compare(unsigned long long counters, unsigned copies, unsigned trips, unsigned entry) {
  enum { PARTED = 4 };
  unsigned long long mine = (unsigned long long)entry << 32 | trips;
  unsigned long long other =
      __nvvm_atom_xchg_gen_ll((long long *)&__divcost_trips[entry & 65535], (long long)mine);
  if (other >> 32 == entry && other != mine && entry != 0)
    __divcost_add(counters + 8 * PARTED, 1);
  (void)copies;
}

// The same for threads of one block (level 1) or grid (level 0) and loops that stand in a kernel:
// `iterations` is a hash of where the loops around are. A launch has a number of its own.
static __attribute__((device)) unsigned long long __divcost_agreed[65536];

static __attribute__((device, noinline, used)) void
__divcost_agree(unsigned long long counters, unsigned level, unsigned trips, unsigned iterations) {
  const unsigned long long factor = 0x9e3779b97f4a7c15;
  unsigned long long grid, name = counters;
  asm volatile("mov.u64 %0, %%gridid;" : "=l"(grid));
  name = (name ^ grid) * factor;
  if (level == 1) {
    unsigned row = __nvvm_read_ptx_sreg_ctaid_y() +
                   __nvvm_read_ptx_sreg_nctaid_y() * __nvvm_read_ptx_sreg_ctaid_z();
    name = (name ^ name >> 29 ^
            (__nvvm_read_ptx_sreg_ctaid_x() +
             (unsigned long long)__nvvm_read_ptx_sreg_nctaid_x() * row)) *
           factor;
  }
  name = (name ^ name >> 31 ^ iterations) * factor;
  name ^= name >> 30;
  unsigned long long mine = (name | 1ull << 32) >> 32 << 32 | trips;
  unsigned long long other =
      __nvvm_atom_xchg_gen_ll((long long *)&__divcost_agreed[name & 65535], (long long)mine);
  if (other >> 32 == mine >> 32 && other != mine)
    __divcost_add(counters + 8 * 4, 1);
}
#endif
#undef __DIVCOST_HELPER
#endif
