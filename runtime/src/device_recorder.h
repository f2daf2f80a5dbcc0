// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device side of the recorder. The plugin puts this text before each unit that is compiled with
// -fplugin-arg-divcost-profile-generate, on both sides; it needs clang's builtins alone. clang's
// pass then counts in registers, of each lane and entry of a loop, its trips and how many of these
// it led: was the lowest active lane in. What follows is called once for each lane that leaves a
// loop, by all that leave it together; in a loop around, only if they don't leave as the last time.
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

// Where a loop's counters have its bins, and how many words they are, as dc_profile_counts; and
// what
// __divcost_hand_over returns where nothing can be repeated.
enum { __DIVCOST_LANES = 8, __DIVCOST_WORDS = 1208 };
enum : unsigned { __DIVCOST_NO_REPEAT = 0xffffffff };

// Lanes `here` hand over what they counted in a loop, so many `times`: `trips` of each, `most` of
// these, and sums of all of them. Words are those of dc_profile_counts; there are `copies` + 1 of
// them, a power of two, so that the multiprocessors don't all wait for the same word. The first
// four words are one sector of memory, and as many lanes add to them at once: the first lanes there
// are, each to its own. Returns the spread, if what was handed over can be repeated
// (__divcost_repeat): of a complete entry, with bins of one trip count.
__DIVCOST_HELPER unsigned __divcost_hand_over(unsigned long long counters, unsigned copies,
                                              unsigned here, unsigned trips, unsigned most,
                                              unsigned entries, unsigned iterations, bool complete,
                                              unsigned long long times) {
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
    __divcost_add_if(rank < SUMS, counters + 8ull * word, sum * times);
    return complete ? 0 : __DIVCOST_NO_REPEAT;
  }
  unsigned bin = trips;
  if (most >= EXACT) {
    bin = __divcost_bin(trips);
    if (trips >= EXACT)
      __divcost_add(counters + 8ull * (__DIVCOST_LANES + BINS + bin - EXACT), trips * times);
  }
  unsigned alike = same ? here : __divcost_match(here, bin);
  if (!(alike & before))
    __divcost_add(counters + 8ull * (__DIVCOST_LANES + bin), __builtin_popcount(alike) * times);
  unsigned long long spread = 0;
  if (complete && !same) {
    unsigned long long sum = __divcost_sum(here, trips);
    spread = n * (unsigned long long)__divcost_sum(here, trips * trips) - sum * sum;
  }
  for (unsigned k = rank; k < SUMS; k += n) {
    unsigned long long first = k & 1 ? iterations : entries, second = k & 1 ? spread : pairs;
    __divcost_add(counters + 8ull * k, (k & 2 ? second : first) * times);
  }
  return complete && most < EXACT && spread < __DIVCOST_NO_REPEAT ? (unsigned)spread
                                                                  : __DIVCOST_NO_REPEAT;
}

// Lanes `here` that leave a loop: `trips` and `led` of each, and which lanes `entered` with it.
static __attribute__((device, noinline, used)) unsigned
__divcost_leave(unsigned long long counters, unsigned copies, unsigned trips, unsigned led,
                unsigned entered, unsigned here) {
  bool leads = !(entered & __nvvm_read_ptx_sreg_lanemask_lt()); // its entry
  unsigned entries = __builtin_popcount(__nvvm_vote_ballot_sync(here, leads));
  return __divcost_hand_over(counters, copies, here, trips, __divcost_max(here, trips), entries,
                             __divcost_sum(here, led), __nvvm_vote_all_sync(here, entered == here),
                             1);
}

#if __CUDA_ARCH__ >= 700
// The same where those that `entered` together meet.
static __attribute__((device, noinline, used)) unsigned __divcost_meet(unsigned long long counters,
                                                                       unsigned copies,
                                                                       unsigned trips, unsigned led,
                                                                       unsigned entered) {
  __nvvm_bar_warp_sync(entered);
  return __divcost_hand_over(counters, copies, entered, trips, __divcost_max(entered, trips), 1,
                             __divcost_sum(entered, led), true, 1);
}

// The same for a loop in which lanes can't diverge: they were in as often as the last of them.
static __attribute__((device, noinline, used)) unsigned
__divcost_rejoin(unsigned long long counters, unsigned copies, unsigned trips, unsigned entered) {
  __nvvm_bar_warp_sync(entered);
  unsigned most = __divcost_max(entered, trips);
  // The first lane has led as many iterations as it made only if no other made more.
  return __divcost_hand_over(counters, copies, entered, trips, most, 1, most, true, 1)
             ? __DIVCOST_NO_REPEAT
             : 0;
}
#endif

// What a lane has a part in of what `here` handed over together, so many more times. Lanes `now`
// are at it; where these aren't all, each lane adds its own.
static __attribute__((device, noinline, used)) void
__divcost_repeat(unsigned long long counters, unsigned copies, unsigned trips, unsigned led,
                 unsigned here, unsigned spread, unsigned times, unsigned now) {
  unsigned most = __divcost_max(now, times);
  if (__nvvm_vote_all_sync(now, here == now && times == most)) {
    __divcost_hand_over(counters, copies, now, trips, __divcost_max(now, trips), 1,
                        __divcost_sum(now, led), true, times);
    return;
  }
  unsigned rank = __builtin_popcount(here & __nvvm_read_ptx_sreg_lanemask_lt());
  counters += (__nvvm_read_ptx_sreg_smid() & copies) * (8ull * __DIVCOST_WORDS);
  __divcost_add(counters + 8ull * (__DIVCOST_LANES + trips), times);
  __divcost_add_if(led, counters + 8, (unsigned long long)times * led);
  if (rank) { // pairs with those before
    __divcost_add(counters + 16, (unsigned long long)times * rank);
  } else {
    __divcost_add(counters, times);
    __divcost_add_if(spread, counters + 24, (unsigned long long)times * spread);
  }
}

// Where a multiprocessor counts a block: two words, warps and other lanes. A copy has those of all
// blocks of the unit, so that what is added at once is near. Copies: how many there are but one,
// and from the ninth bit how many blocks are in each.
__DIVCOST_HELPER unsigned long long __divcost_of_block(unsigned long long counters,
                                                       unsigned copies) {
  return counters + (__nvvm_read_ptx_sreg_smid() & copies & 0xff) * (copies >> 8) * 16ull;
}

// Lanes `here` come by a block, so many times: the first adds the warps, the second the others.
static __attribute__((device, noinline, used)) void
__divcost_come_by(unsigned long long counters, unsigned copies, unsigned here, unsigned times) {
  unsigned others = __builtin_popcount(here) - 1,
           rank = __builtin_popcount(here & __nvvm_read_ptx_sreg_lanemask_lt());
  counters = __divcost_of_block(counters, copies);
  __divcost_add_if(rank < 2, counters + 8ull * rank,
                   (rank ? others : 1) * (unsigned long long)times);
}

// The same of lanes that came by equally often, and needn't be here together: the `share` of each.
static __attribute__((device, noinline, used)) void
__divcost_alike(unsigned long long counters, unsigned copies, int share, unsigned times) {
  unsigned lanes = share < 0 ? -share : share;
  counters = __divcost_of_block(counters, copies);
  __divcost_add_if(lanes && times, counters + (share < 0 ? 8 : 0),
                   lanes * (unsigned long long)times);
}

// How many lanes `here` before this one have the same address in shared memory, of other memory
// none; and how many the one has with the most.
static __attribute__((device, noinline, used)) unsigned __divcost_turn(unsigned here,
                                                                       const void *address) {
  unsigned alike = __divcost_match(here, (unsigned)(unsigned long long)address);
  unsigned before = __builtin_popcount(alike & __nvvm_read_ptx_sreg_lanemask_lt());
  return __nvvm_isspacep_shared(address) ? before : 0;
}
static __attribute__((device, noinline, used)) unsigned __divcost_most(unsigned turn,
                                                                       unsigned here) {
  return __divcost_max(here, turn);
}

#if __CUDA_ARCH__ >= 700
// Those that `entered` a loop together meet, and learn how often the last of them executed a block.
static __attribute__((device, noinline, used)) unsigned __divcost_last(unsigned visits,
                                                                       unsigned entered) {
  __nvvm_bar_warp_sync(entered);
  return __divcost_max(entered, visits);
}
#endif

// Lanes `here` hand over how often each executed a block, and was the one that counts its warp: in
// a word of each lane, which is the sum over all of them, the warps above, where __divcost_fits.
static __attribute__((device, noinline, used)) unsigned __divcost_fits(unsigned here, unsigned any,
                                                                       unsigned blocks) {
  enum { TOGETHER = 1 << 11 };
  bool fits = any < TOGETHER && __builtin_popcount(here) >= 2 * blocks;
  return __nvvm_vote_all_sync(here, fits);
}
static __attribute__((device, noinline, used)) unsigned
__divcost_pack(unsigned here, unsigned visits, unsigned led) {
  return __divcost_sum(here, led << 16 | visits);
}
static __attribute__((device, noinline, used)) unsigned long long
__divcost_place(unsigned long long counters, unsigned copies) {
  return __divcost_of_block(counters, copies);
}
// Two lanes for each block: the first adds the warps, the second the others.
static __attribute__((device, noinline, used)) void __divcost_unpack(unsigned long long counters,
                                                                     unsigned both, unsigned rank) {
  unsigned long long warps = both >> 16, sum = rank & 1 ? (both & 0xffff) - warps : warps;
  __divcost_add_if(sum != 0, counters + (rank & 1) * 8ull, sum);
}

// The same of one block, in any case.
static __attribute__((device, noinline, used)) void __divcost_visits(unsigned long long counters,
                                                                     unsigned copies,
                                                                     unsigned visits, unsigned led,
                                                                     unsigned here) {
  enum { NO_OVERFLOW = 1 << 27, TOGETHER = 1 << 11 };
  unsigned most = __divcost_max(here, visits | led);
  if (most >= NO_OVERFLOW) {
    __divcost_add(counters, led);
    __divcost_add(counters + 8, (unsigned long long)visits - led);
  } else if (most > 0) {
    unsigned both = most < TOGETHER ? __divcost_sum(here, led << 16 | visits) : 0,
             warps = most < TOGETHER ? both >> 16 : __divcost_sum(here, led),
             lanes = most < TOGETHER ? both & 0xffff : __divcost_sum(here, visits),
             n = __builtin_popcount(here),
             rank = __builtin_popcount(here & __nvvm_read_ptx_sreg_lanemask_lt());
    unsigned long long others = (unsigned long long)lanes - warps;
    counters = __divcost_of_block(counters, copies);
    if (rank < 2)
      __divcost_add(counters + 8ull * rank, rank ? others : warps);
    if (n == 1)
      __divcost_add(counters + 8, others);
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
