// Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts of machine code and where its lanes leave: random structured programs, whose lanes a
// simulation follows one by one, against the charges, which only see the counts; and code that no
// compiler makes.
#define _POSIX_C_SOURCE 200809L // mkstemp

#include "support.h"

#include "divcost/files.h"
#include "divcost/measured.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MOST 4000
#define BASE 0x7f0000000200u

static uint64_t state = 1;
static uint32_t draw(uint32_t below) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)((state >> 33) % below);
}

// ---- listings -----------------------------------------------------------------------------------

typedef struct listing {
  char text[MOST][48];
  dc_counted_instruction code[MOST];
  double truth[MOST]; // lane-slots that idle by the jump at this instruction; [n] by the start
  uint32_t n;
} listing;

static uint32_t emit(listing *l, const char *text) {
  uint32_t k = l->n++;
  assert_true(k < MOST);
  snprintf(l->text[k], sizeof l->text[k], "%s", text);
  l->code[k] = (dc_counted_instruction){
      .address = BASE + 16 * (uint64_t)k, .text = l->text[k], .first_line = k, .n_lines = 1};
  l->truth[k] = 0;
  return k;
}

static void aim(listing *l, uint32_t jump, const char *text, uint32_t target) {
  snprintf(l->text[jump], sizeof l->text[jump], "%s 0x%llx", text,
           (unsigned long long)(BASE + 16 * (uint64_t)target));
}

static dc_measured charge(const listing *l) {
  dc_counts *counts = dc_counts_new();
  uint32_t lines[MOST];
  dc_measured measured;
  dc_error error;
  assert_non_null(counts);
  for (uint32_t k = 0; k < l->n; ++k) {
    lines[k] = dc_counts_line(counts, "/a.cu", k + 1, "  x = 1;\t");
    assert_int_equal(lines[k], k);
  }
  if (dc_counts_add_launch(counts, "_Z1kv", l->code, l->n, lines, &error) != DC_OK)
    fail_msg("%s", error.text);
  assert_int_equal(dc_counts_charge(counts, &measured, &error), DC_OK);
  dc_counts_free(counts);
  if (dc_measured_check(&measured, &error) != DC_OK)
    fail_msg("%s", error.text);
  return measured;
}

// What is charged to the sites that a jump makes; of the loop of several, the sum is asked for
// each.
static double charged_at(const dc_measured *measured, uint32_t jump) {
  const dc_measured_kernel *kernel = &measured->kernels[0];
  double idle = 0;
  for (uint32_t s = 1; s < kernel->n_sites; ++s)
    for (uint32_t k = 0; k < kernel->sites[s].n_lines; ++k)
      if (measured->lines[kernel->site_lines[kernel->sites[s].first_line + k]].line == jump + 1)
        idle += kernel->sites[s].idle;
  return idle;
}

static void assert_sum(const dc_measured *measured) {
  const dc_measured_kernel *kernel = &measured->kernels[0];
  double idle = kernel->untold;
  for (uint32_t s = 0; s < kernel->n_sites; ++s)
    idle += kernel->sites[s].idle;
  if (fabs(idle - (32 * kernel->warps - kernel->lanes)) > 1e-9 * 32 * kernel->warps)
    fail_msg("%g of %g idle lane-slots are charged", idle, 32 * kernel->warps - kernel->lanes);
}

// ---- structured programs ------------------------------------------------------------------------

#define START UINT32_MAX

// A warp, and the jump at which each lane that isn't there left.
typedef struct warp {
  listing *l;
  uint32_t mask, owner[32];
} warp;

static void run_as(const warp *w, uint32_t k, uint32_t mask, uint32_t left_at) {
  if (!mask)
    return;
  ++w->l->code[k].warps;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (mask >> lane & 1)
      ++w->l->code[k].lanes;
    else if (w->mask >> lane & 1)
      w->l->truth[left_at] += 1;
    else
      w->l->truth[w->owner[lane] == START ? MOST - 1 : w->owner[lane]] += 1;
  }
}

static void straight(warp *w) {
  for (uint32_t n = 1 + draw(4); n-- > 0;)
    run_as(w, emit(w->l, "      IMAD R0, R1, R2, R3"), w->mask, 0);
}

// Some of the lanes: at least one stays, and one goes.
static uint32_t some(uint32_t mask) {
  uint32_t taken = 0;
  for (unsigned tries = 0; tries < 100 && (taken == 0 || taken == mask); ++tries) {
    uint32_t half = draw(UINT32_MAX), quarter = half & draw(UINT32_MAX);
    taken = mask & (draw(2) ? half : quarter);
  }
  return taken == mask ? 0 : taken;
}

static void body(warp *w, unsigned depth);

static warp part_of(const warp *w, uint32_t mask, uint32_t jump) {
  warp part = *w;
  part.mask = mask;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (w->mask >> lane & 1 && !(mask >> lane & 1))
      part.owner[lane] = jump;
  return part;
}

static void branch(warp *w, unsigned depth) {
  uint32_t away = some(w->mask), jump = emit(w->l, ""), over = START;
  run_as(w, jump, w->mask, 0);
  warp stay = part_of(w, w->mask & ~away, jump), go = part_of(w, away, jump);
  body(&stay, depth - 1);
  bool has_else = draw(2) && away;
  if (has_else) {
    over = emit(w->l, "");
    run_as(&stay, over, stay.mask, 0);
    aim(w->l, jump, "@P0   BRA", w->l->n);
    body(&go, depth - 1);
  }
  uint32_t join = emit(w->l, "      BSYNC B0");
  if (has_else)
    aim(w->l, over, "      BRA", join);
  else
    aim(w->l, jump, "@P0   BRA", join);
  run_as(w, join, stay.mask, jump);
  run_as(w, join, away, jump);
}

static void loop(warp *w) {
  uint32_t header = w->l->n, n = 1 + draw(3), now = w->mask, trips[32], join;
  for (uint32_t k = 0; k < n; ++k)
    emit(w->l, "      FADD R0, R0, R1");
  uint32_t latch = emit(w->l, "");
  aim(w->l, latch, "@!P0  BRA", header);
  join = emit(w->l, "      BSYNC B1");
  for (unsigned lane = 0; lane < 32; ++lane)
    trips[lane] = 1 + draw(6);
  for (uint32_t trip = 1; now; ++trip) {
    for (uint32_t k = header; k <= latch; ++k)
      run_as(w, k, now, latch);
    uint32_t leaving = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      leaving |= now >> lane & 1 && trips[lane] == trip ? UINT32_C(1) << lane : 0;
    run_as(w, join, leaving, latch);
    now &= ~leaving;
  }
}

static void body(warp *w, unsigned depth) {
  straight(w);
  for (uint32_t n = draw(4); n-- > 0;) {
    if (depth && draw(2))
      branch(w, depth);
    else
      loop(w);
    straight(w);
  }
}

static void guard(warp *w) {
  uint32_t away = some(w->mask), jump = emit(w->l, "@P1   EXIT");
  run_as(w, jump, w->mask, 0);
  *w = part_of(w, w->mask & ~away, jump);
}

static void make_program(listing *l) {
  warp w = {.l = l};
  memset(l, 0, sizeof *l);
  w.mask = draw(2) ? UINT32_MAX : UINT32_MAX >> draw(31);
  for (unsigned lane = 0; lane < 32; ++lane)
    w.owner[lane] = START;
  straight(&w);
  if (draw(2))
    guard(&w);
  body(&w, 3);
  run_as(&w, emit(l, "      EXIT"), w.mask, 0);
  // Behind a kernel's end, where it jumps to itself.
  uint32_t last = emit(l, "");
  aim(l, last, "      BRA", last);
}

static void test_structured(void **unused) {
  (void)unused;
  static listing l;
  for (unsigned round = 0; round < 400; ++round) {
    make_program(&l);
    dc_measured measured = charge(&l);
    assert_sum(&measured);
    assert_true(fabs(measured.kernels[0].sites[0].idle - l.truth[MOST - 1]) < 1e-6);
    assert_true(fabs(measured.kernels[0].untold) < 1e-6);
    for (uint32_t k = 0; k < l.n; ++k) {
      double here = charged_at(&measured, k);
      if (fabs(here - l.truth[k]) > 1e-6)
        fail_msg("round %u: %g lane-slots at instruction %u (%s), charged are %g", round,
                 l.truth[k], k, l.text[k], here);
    }
    dc_measured_free(&measured);
  }
}

// ---- what isn't structured ----------------------------------------------------------------------

// Adds an instruction with counts. Targets are instructions, by number, or -1.
static uint32_t add(listing *l, const char *text, int target, uint64_t warps, uint64_t lanes) {
  uint32_t k = emit(l, text);
  if (target >= 0)
    aim(l, k, text, (uint32_t)target);
  l->code[k].warps = warps;
  l->code[k].lanes = lanes;
  return k;
}

static void test_call(void **unused) {
  (void)unused;
  static listing l;
  memset(&l, 0, sizeof l);
  uint32_t jump = add(&l, "@P0   BRA", 3, 10, 320);
  add(&l, "      CALL.REL.NOINC", 4, 10, 80); // a quarter of the lanes
  add(&l, "      NOP", -1, 10, 80);
  add(&l, "      EXIT", -1, 10, 320);
  add(&l, "      FADD R0, R0, R1", -1, 10, 80);
  uint32_t latch = add(&l, "@P0   BRA", 4, 40, 160); // 4 lanes
  add(&l, "      RET.REL.NODEC R2 0x0", -1, 10, 80);
  l.code[4].warps = 40;
  l.code[4].lanes = 160;
  dc_measured measured = charge(&l);
  assert_sum(&measured);
  assert_close(charged_at(&measured, latch), 2 * 40 * 4.0, 1e-12);
  assert_close(charged_at(&measured, jump), (10 + 10 + 10) * 24.0 + 2 * 40 * 24.0, 1e-12);
  dc_measured_free(&measured);
}

// A function that both sides of a branch call, each with its lanes.
static void test_two_callers(void **unused) {
  (void)unused;
  static listing l;
  memset(&l, 0, sizeof l);
  uint32_t outer = add(&l, "@P0   EXIT", -1, 10, 320);
  uint32_t jump = add(&l, "@P1   BRA", 4, 10, 280);
  add(&l, "      CALL.REL.NOINC", 6, 10, 200);
  add(&l, "      BRA", 5, 10, 200);
  add(&l, "      CALL.REL.NOINC", 6, 10, 80);
  add(&l, "      EXIT", -1, 10, 280);
  add(&l, "      FADD R0, R0, R1", -1, 20, 280);
  add(&l, "      RET.REL.NODEC R2 0x0", -1, 20, 280);
  dc_measured measured = charge(&l);
  assert_sum(&measured);
  // Of 28 lanes 8 are missing in 10 warps of each instruction, and 20 in 10; 4 in all.
  assert_close(charged_at(&measured, jump), (8 + 8 + 20) * 10.0 + 2 * (8 + 20) * 10.0, 1e-12);
  assert_close(charged_at(&measured, outer), (1 + 3 + 1) * 4 * 10.0 + 2 * 20 * 4.0, 1e-12);
  dc_measured_free(&measured);
}

static void test_recursion(void **unused) {
  (void)unused;
  static listing l;
  memset(&l, 0, sizeof l);
  add(&l, "      CALL.REL.NOINC", 2, 1, 32);
  add(&l, "      EXIT", -1, 1, 32);
  uint32_t jump = add(&l, "@P0   BRA", 4, 10, 100);
  add(&l, "      CALL.REL.NOINC", 2, 9, 68);
  add(&l, "      RET.REL.NODEC R2 0x0", -1, 10, 100);
  dc_measured measured = charge(&l);
  assert_sum(&measured);
  assert_close(charged_at(&measured, jump), 32.0 * 29 - 268, 1e-12);
  dc_measured_free(&measured);
}

static void test_switch(void **unused) {
  (void)unused;
  static listing l;
  memset(&l, 0, sizeof l);
  uint32_t jump = add(&l, "      BRX R2 -0x50", -1, 10, 320);
  add(&l, "      FADD R0, R0, R1", -1, 10, 80);
  add(&l, "      BRA", 5, 10, 80);
  add(&l, "      FMUL R0, R0, R1", -1, 10, 240);
  add(&l, "      BRA", 5, 10, 240);
  add(&l, "      EXIT", -1, 10, 320);
  dc_measured measured = charge(&l);
  assert_sum(&measured);
  assert_close(charged_at(&measured, jump), 2 * 10 * (24 + 8.0), 1e-12);
  dc_measured_free(&measured);
}

// Any jumps, any counts: everything is charged, once.
static void test_wild(void **unused) {
  (void)unused;
  static const char *const texts[] = {
      "      NOP",
      "@P0   BRA",
      "      BRA",
      "      CALL.REL.NOINC",
      "      RET.REL R2",
      "@!P1  EXIT",
      "      EXIT",
      "      BRX R2",
      "      BSYNC B0",
      "@P0   BRA P1,",
      "      JMP",
      "      ???",
      "@",
      "",
  };
  static listing l;
  for (unsigned round = 0; round < 3000; ++round) {
    memset(&l, 0, sizeof l);
    uint32_t n = 1 + draw(40);
    for (uint32_t k = 0; k < n; ++k) {
      const char *text = texts[draw(sizeof texts / sizeof *texts)];
      uint64_t warps = draw(4) ? draw(100) : 0;
      bool jumps = strstr(text, "BRA") || strstr(text, "CALL") || strstr(text, "JMP");
      add(&l, text, jumps ? (int)draw(n + 2) : -1, warps,
          warps ? draw(32 * (uint32_t)warps + 1) : 0);
    }
    dc_measured measured = charge(&l);
    assert_sum(&measured);
    dc_measured_free(&measured);
  }
}

// ---- launches -----------------------------------------------------------------------------------

static dc_counted_instruction counted(uint64_t address, uint64_t warps, uint64_t lanes,
                                      const char *text) {
  return (dc_counted_instruction){.address = address, .warps = warps, .lanes = lanes, .text = text};
}

// The jump is of the line that it shares with fewer instructions; the EXIT has none.
static void assert_uses(const dc_measured *measured) {
  const dc_measured_kernel *kernel = &measured->kernels[0];
  dc_instruction_use all = dc_measured_use(kernel);
  assert_true(kernel->traffic_known[DC_TRAFFIC_GLOBAL] && all.traffic[DC_TRAFFIC_GLOBAL].known);
  assert_false(kernel->traffic_known[DC_TRAFFIC_SHARED]);
  assert_int_equal(kernel->n_uses, 3);
  assert_int_equal(dc_measured_own_line(kernel, &kernel->uses[0]), DC_SITE_NONE);
  assert_close(kernel->uses[0].use.samples[DC_WAIT_DRAIN], 10, 0); // the launches' own sum
  assert_string_equal(measured->lines[dc_measured_own_line(kernel, &kernel->uses[1])].text, "f();");
  assert_close(kernel->uses[1].use.samples[DC_WAIT_LONG_SCOREBOARD], 9, 0);
  assert_close(kernel->uses[1].use.traffic[DC_TRAFFIC_GLOBAL].taken, 160, 0);
  assert_int_equal(kernel->uses[2].n_lines, 2);
  assert_string_equal(measured->lines[dc_measured_own_line(kernel, &kernel->uses[2])].text,
                      "if (x)");
  assert_close(kernel->uses[2].use.samples[DC_WAIT_BRANCH_RESOLVING], 3, 0);
  assert_close(dc_instruction_samples(&all), 3 + 9 + 10, 0);
}

static void test_launches_add_up(void **unused) {
  (void)unused;
  dc_counts *counts = dc_counts_new();
  dc_measured measured;
  const dc_launch_totals totals[] = {
      {.seconds = 2e-6, .block = {64, 2, 1}},
      {.seconds = 1e-6, .block = {8, 1, 1}},
      {.block = {8, 1, 1}, .warps = 47, .lanes = 1210, .use.samples[DC_WAIT_DRAIN] = 10}};
  for (unsigned launch = 0; launch < 3; ++launch) {
    // The same code at another address; a third launch has another one.
    char jump[40];
    uint64_t base = 0x1000 * (launch + 1);
    snprintf(jump, sizeof jump, "@P0 BRA 0x%llx", (unsigned long long)base + 32);
    uint32_t lines[] = {dc_counts_line(counts, "/a.cu", 7, "if (x)"),
                        dc_counts_line(counts, "/a.h", 9, " f();")};
    dc_counted_instruction code[] = {counted(base, 5, 160, launch == 2 ? "NOP" : jump),
                                     counted(base + 16, 5, 80, "NOP"),
                                     counted(base + 32, 5, 160, "EXIT")};
    code[0].n_lines = 2;
    code[1].first_line = code[1].n_lines = 1;
    code[0].use.samples[DC_WAIT_BRANCH_RESOLVING] = 1;
    code[1].use = (dc_instruction_use){
        .samples[DC_WAIT_LONG_SCOREBOARD] = 3,
        .sampled = true,
        .traffic[DC_TRAFFIC_GLOBAL] = {launch, launch ? 5 : 0, launch ? 80 : 0, launch ? 20 : 0}};
    code[2].use.samples[DC_WAIT_DRAIN] = 2;
    assert_int_equal(dc_counts_add_launch(counts, "_Z1kv", code, 3, lines, NULL), DC_OK);
  }
  for (unsigned launch = 0; launch < 3; ++launch)
    assert_int_equal(dc_counts_add_totals(counts, "_Z1kv", &totals[launch], NULL), DC_OK);
  assert_int_equal(dc_counts_add_totals(counts, "_Z5timedv", &totals[0], NULL), DC_OK);
  assert_int_equal(dc_counts_charge(counts, &measured, NULL), DC_OK);
  assert_int_equal(measured.n_kernels, 1);
  const dc_measured_kernel *kernel = &measured.kernels[0];
  assert_int_equal(kernel->launches, 3);
  assert_close(kernel->seconds, 3e-6, 1e-12);
  assert_close(measured.seconds, 5e-6, 1e-12); // with those of a kernel without code
  assert_int_equal(kernel->block[0], 64);
  assert_close(kernel->warps, 47, 0);
  // 80 lanes that the third launch lost at no jump, and what the totals have more than the code.
  assert_close(kernel->untold, 80 + 32 * 2 - 10, 0);
  assert_close(dc_measured_efficiency(kernel), 1210 / (32.0 * 47), 1e-12);
  assert_close(dc_measured_share(kernel, 47 * 8), 0.25, 1e-12);
  assert_int_equal(kernel->n_sites, 2); // the other code has no jump
  assert_close(kernel->sites[1].idle, 2 * 80, 1e-12);
  assert_close(kernel->sites[1].warps, 10, 0);
  // The call comes first: it stands alone elsewhere... here /a.h:9 does.
  assert_int_equal(kernel->sites[1].n_main_lines, 2);
  assert_string_equal(measured.lines[kernel->site_lines[kernel->sites[1].first_line]].text, "f();");
  assert_uses(&measured);
  dc_measured_free(&measured);
  dc_counts_free(counts);
}

static void refuse(const dc_counted_instruction *code, uint32_t n, const char *words) {
  dc_counts *counts = dc_counts_new();
  dc_error error = {0};
  assert_int_equal(dc_counts_add_launch(counts, "k", code, n, NULL, &error), DC_ERROR_ARGUMENT);
  if (!strstr(error.text, words))
    fail_msg("'%s' should say '%s'", error.text, words);
  dc_counts_free(counts);
}

static void test_refused(void **unused) {
  (void)unused;
  dc_counted_instruction code[] = {counted(16, 1, 32, "NOP"), counted(32, 1, 32, "EXIT")};
  dc_counted_instruction lanes[] = {counted(16, 1, 33, "EXIT")};
  dc_counted_instruction twice[] = {counted(16, 1, 32, "NOP"), counted(16, 1, 32, "EXIT")};
  dc_counted_instruction many[] = {counted(16, UINT64_C(1) << 60, 32, "EXIT")};
  refuse(code, 0, "no instructions");
  refuse(lanes, 1, "33 lanes in 1 warps");
  refuse(twice, 2, "twice");
  refuse(many, 1, "beyond 2^53");
}

// Functions that are called by a pointer stand elsewhere: what is behind a hole doesn't follow.
static void test_hole(void **unused) {
  (void)unused;
  static listing l;
  memset(&l, 0, sizeof l);
  uint32_t jump = add(&l, "@P0   EXIT", -1, 10, 320);
  add(&l, "      CALL.ABS.NOINC R2", -1, 10, 160);
  add(&l, "      EXIT", -1, 10, 160);
  add(&l, "      FADD R0, R0, R1", -1, 10, 160);
  add(&l, "      RET.ABS.NODEC R20 0x0", -1, 10, 160);
  l.code[3].address += 0x700;
  l.code[4].address += 0x700;
  dc_measured measured = charge(&l);
  assert_sum(&measured);
  assert_close(charged_at(&measured, jump), 4 * 10 * 16.0, 1e-12);
  assert_close(measured.kernels[0].untold, 0, 0);
  dc_measured_free(&measured);
}

// Two functions are called by a pointer, from one place: that is where their lanes part. The kernel
// isn't the first in memory.
static void test_virtual(void **unused) {
  (void)unused;
  static listing l;
  memset(&l, 0, sizeof l);
  add(&l, "      FADD R0, R0, R1", -1, 10, 80);
  add(&l, "      RET.ABS.NODEC R20 0x0", -1, 10, 80);
  add(&l, "      LDC R1, c[0x0][0x28]", -1, 0, 0);
  add(&l, "      EXIT", -1, 0, 0);
  add(&l, "      IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]", -1, 10, 320);
  uint32_t call = add(&l, "      CALL.REL.NOINC R2, 0x7f0000000200", -1, 10, 320);
  add(&l, "      EXIT", -1, 10, 320);
  add(&l, "      FMUL R0, R0, R1", -1, 10, 240);
  add(&l, "      RET.ABS.NODEC R20 0x0", -1, 10, 240);
  for (uint32_t k = 2; k < l.n; ++k)
    l.code[k].address += 0x100;
  for (uint32_t k = 7; k < l.n; ++k)
    l.code[k].address += 0x700;
  dc_measured measured = charge(&l);
  assert_sum(&measured);
  assert_close(charged_at(&measured, call), 2 * 10 * (24.0 + 8), 1e-12);
  assert_close(measured.kernels[0].sites[0].warps, 10, 0);
  dc_measured_free(&measured);
}

static void test_symbols(void **unused) {
  (void)unused;
  static const struct {
    const char *nvcc, *clang;
    bool same;
  } cases[] = {{"_Z1kPi", "_Z1kPi", true},
               {"_Z9recursivePi", "_ZL9recursivePi", true},
               {"_ZN2ns4nameEi", "_ZN2nsL4nameEi", true},
               {"_ZN56_GLOBAL__N__0a1b2c3d_4_a_cu_kernel_0123456789abcdef_12346kernelEv",
                "_ZN12_GLOBAL__N_16kernelEv", true},
               {"_Z1kILi100EEvv", "_Z1kILi10EEvv", false},
               {"_Z1kPi", "_Z1kPf", false},
               {"kernel", "kernels", false},
               {"_ZN2ns1kEv", "_ZN3ns21kEv", false}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    dc_measured_kernel kernel = {.symbol = (char *)cases[k].nvcc};
    dc_measured measured = {.kernels = &kernel, .n_kernels = 1};
    const dc_measured_kernel *found = dc_measured_find(&measured, cases[k].clang);
    if ((found != NULL) != cases[k].same)
      fail_msg("%s and %s", cases[k].nvcc, cases[k].clang);
  }
}

// ---- files --------------------------------------------------------------------------------------

static void test_file(void **unused) {
  (void)unused;
  static listing l;
  make_program(&l);
  dc_measured measured = charge(&l), again;
  char path[] = "/tmp/divcost-measured-XXXXXX";
  int descriptor = mkstemp(path);
  dc_error error;
  assert_true(descriptor >= 0);
  close(descriptor);
  measured.kernels[0].seconds = 1.5e-6;
  dc_line_use uses[] = {{.use.traffic[DC_TRAFFIC_SHARED] = {true, 2, 64, 2}},
                        {.n_lines = 1, .use.samples[DC_WAIT_BARRIER] = 7}};
  uint32_t lines[] = {0};
  free(measured.kernels[0].uses);
  free(measured.kernels[0].use_lines);
  measured.kernels[0].uses = uses;
  measured.kernels[0].use_lines = lines;
  measured.kernels[0].n_use_lines = 1;
  measured.kernels[0].n_uses = 2;
  measured.kernels[0].traffic_known[DC_TRAFFIC_SHARED] = true;
  assert_int_equal(dc_measured_save(path, &measured, &error), DC_OK);
  assert_int_equal(dc_measured_load(path, &again, &error), DC_OK);
  const dc_measured_kernel *x = &measured.kernels[0], *y = &again.kernels[0];
  assert_string_equal(x->symbol, y->symbol);
  assert_int_equal(x->n_sites, y->n_sites);
  assert_close(y->seconds, x->seconds, 1e-14);
  for (uint32_t s = 0; s < x->n_sites; ++s) {
    assert_int_equal(x->sites[s].kind, y->sites[s].kind);
    assert_int_equal(x->sites[s].parent, y->sites[s].parent);
    assert_close(y->sites[s].idle, x->sites[s].idle, 1e-12);
    assert_int_equal(x->sites[s].n_lines, y->sites[s].n_lines);
  }
  assert_int_equal(y->n_uses, 2);
  assert_true(y->traffic_known[DC_TRAFFIC_SHARED] && !y->traffic_known[DC_TRAFFIC_GLOBAL]);
  assert_int_equal(dc_measured_own_line(y, &y->uses[0]), DC_SITE_NONE);
  assert_close(y->uses[0].use.traffic[DC_TRAFFIC_SHARED].taken, 64, 0);
  assert_int_equal(dc_measured_own_line(y, &y->uses[1]), 0);
  assert_close(y->uses[1].use.samples[DC_WAIT_BARRIER], 7, 0);
  measured.kernels[0].uses = NULL;
  measured.kernels[0].use_lines = NULL;
  assert_int_equal(again.n_lines, measured.n_lines);
  if (again.n_lines)
    assert_string_equal(again.lines[0].text, "x = 1;");
  dc_measured_free(&again);
  dc_measured_free(&measured);
  unlink(path);
}

static void refuse_file(const char *text, const char *words) {
  FILE *stream = fmemopen((char *)text, strlen(text), "r");
  dc_measured measured;
  dc_error error = {0};
  assert_true(dc_measured_read_json(stream, &measured, &error) != DC_OK);
  assert_int_equal(measured.n_kernels, 0);
  fclose(stream);
  if (!strstr(error.text, words))
    fail_msg("'%s' should say '%s'", error.text, words);
}

#define KERNEL(site)                                                                               \
  "{\"divcost-measured\": 1, \"lines\": [[\"a.cu\", 1, \"x\"]], \"kernels\": [{\"symbol\": "       \
  "\"k\", \"launches\": 1, \"warps\": 10, \"lanes\": 100, \"untold\": 0, \"sites\": [" site "]}]}"
#define USE(known, use)                                                                            \
  "{\"divcost-measured\": 1, \"lines\": [[\"a.cu\", 1, \"x\"]], \"kernels\": [{\"symbol\": "       \
  "\"k\", \"launches\": 1, \"warps\": 10, \"lanes\": 100, \"untold\": 0, \"sites\": [" SITE(       \
      "start", "", "1", "") "], \"counted\": [" known "], \"uses\": [" use "]}]}"
#define TRAFFIC(warps, taken)                                                                      \
  "{\"lines\": [], \"samples\": {}, \"global\": {\"warps\": " warps ", \"taken\": " taken          \
  ", \"ideal\": 1}}"
#define SITE(kind, parent, idle, lines)                                                            \
  "{\"kind\": \"" kind "\"" parent ", \"idle\": " idle                                             \
  ", \"warps\": 1, \"lanes\": 1, \"lines\": [" lines "], \"main_lines\": 0}"

static void test_wrong_files(void **unused) {
  (void)unused;
  refuse_file("", "");
  refuse_file("{}", "divcost profile import-ncu");
  refuse_file("[1]", "divcost profile import-ncu");
  refuse_file("{\"divcost-measured\": 2}", "divcost-measured: is 2");
  refuse_file("{\"divcost-measured\": 1}", "lines: is missing");
  refuse_file("{\"divcost-measured\": 1, \"lines\": [[1]], \"kernels\": []}", "lines[0]");
  refuse_file(KERNEL(""), "kernel 'k': has no site");
  refuse_file(KERNEL(SITE("tree", "", "1", "")), "kernels[0].sites[0].kind: 'tree'");
  refuse_file(KERNEL(SITE("loop", "", "1", "")), "iterations");
  refuse_file(KERNEL(SITE("branch", "", "1", "")), "must be the start");
  refuse_file(KERNEL(SITE("start", "", "-1", "")), "must not be negative");
  refuse_file(KERNEL(SITE("start", "", "1", "1")), "there are 1 lines");
  refuse_file(KERNEL(SITE("start", "", "321", "")), "more lane-slots idle than there are");
  refuse_file(KERNEL(SITE("start", "", "1", "") "," SITE("branch", ", \"parent\": 1", "1", "0")),
              "must be a tree");
  refuse_file(USE("1", ""), "counted");
  refuse_file(USE("\"global\"", "{\"lines\": [1], \"samples\": {}}"), "there are 1 lines");
  refuse_file(USE("", "{\"lines\": [0]}"), "samples: is missing");
  refuse_file(USE("", "{\"lines\": [], \"samples\": {\"wait\": -1}}"), "must not be negative");
  refuse_file(USE("", "{\"lines\": [0], \"samples\": {}}, {\"lines\": [0], \"samples\": {}}"),
              "out of order");
  refuse_file(USE("\"shared\"", TRAFFIC("1", "1")), "traffic that isn't known");
  refuse_file(USE("\"global\"", TRAFFIC("1e-300", "1")), "a part of a warp executes nothing");
  refuse_file(USE("\"global\"", TRAFFIC("1", "1e300")), "counts must be finite");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_structured),
                                     cmocka_unit_test(test_call),
                                     cmocka_unit_test(test_recursion),
                                     cmocka_unit_test(test_two_callers),
                                     cmocka_unit_test(test_switch),
                                     cmocka_unit_test(test_wild),
                                     cmocka_unit_test(test_launches_add_up),
                                     cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_hole),
                                     cmocka_unit_test(test_virtual),
                                     cmocka_unit_test(test_symbols),
                                     cmocka_unit_test(test_file),
                                     cmocka_unit_test(test_wrong_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
