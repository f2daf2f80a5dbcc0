#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""keep.py and evaluate.py on made-up output of ncu."""
import contextlib
import io
import os
import sys
import tempfile
import types
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import evaluate
import keep
import machine_loops
import workloads

BASE = 0x7fc48541d900
HEADER = '"#","Address","Source","Instructions Executed","Avg. Threads Executed",' \
         '"Thread Instructions Executed","Divergent Branches"'
METRICS = '"ID","A","B","C","Kernel Name","D","E","F","G","H","I","J","Metric Name","Metric Unit",' \
          '"Metric Value"'


def page(kernel, code):
    """As ncu prints it; code: (text, warps, threads, divergent); `@N` in a text is instruction N."""
    lines = ['"Kernel Name","%s"' % kernel, HEADER]
    for k, (text, warps, threads, divergent) in enumerate(code):
        for target in range(len(code)):
            text = text.replace("@%d;" % target, hex(BASE + 16 * target))
        lines.append('"%d","0x%x","      %s ","%d","1","%d","%d"' % (
            k, BASE + 16 * k, text, warps, threads, divergent))
    return "\n".join(lines) + "\n"


# Two loops, one behind the other, as of an unrolled one: 300 of 400 warps' instructions, and 4000 of
# 7200 lanes'.
UNROLLED = [("S2R R0, SR_TID.X", 10, 320, 0),
            ("@!P0 BRA @5;", 10, 320, 0),
            ("FADD R1, R1, R2", 100, 1000, 0),
            ("@P1 BRA @2;", 100, 1000, 9),
            ("MOV R1, R1", 0, 0, 0),
            ("FADD R1, R1, R2", 50, 1000, 0),
            ("@!P2 BRA P1, @5;", 50, 1000, 9),
            ("CALL.REL.NOINC @8;", 35, 1120, 0),
            ("MUFU.RCP R0, R1", 35, 1120, 0),
            ("@P0 EXIT", 5, 160, 0),
            ("EXIT", 5, 160, 0),
            ("BRA @11;", 0, 0, 0)]
# In the loop from 1 to 6 stands that from 2 to 3, and a branch round 5.
NESTED = [("MOV R0, R1", 1, 32, 0),
          ("IADD3 R0, R0, R1", 10, 320, 0),
          ("FADD R1, R1, R2", 40, 320, 0),
          ("@P0 BRA @2;", 40, 320, 8),
          ("@P1 BRA @6;", 10, 320, 0),
          ("FADD R1, R1, R1", 10, 160, 0),
          ("@P2 BRA @1;", 10, 320, 0),
          ("EXIT", 1, 32, 0)]


def only_launch(code):
    return [machine_loops.read(page("kernel(int)", code).splitlines())[0][1]]


class MachineLoops(unittest.TestCase):
    def test_all_loops_of_a_depth_count_together(self):
        figures = machine_loops.figures(only_launch(UNROLLED))
        self.assertEqual(figures.share, 0.75)
        self.assertEqual(figures.loop, 4000 / (32 * 300))
        self.assertEqual(figures.kernel, 7200 / (32 * 400))
        self.assertFalse(figures.parted)

    def test_launches_are_added_up(self):
        once, twice = only_launch(UNROLLED), only_launch(UNROLLED) + only_launch(NESTED)
        self.assertEqual(machine_loops.figures(once * 2), machine_loops.figures(once))
        self.assertEqual(machine_loops.figures(twice).share, (300 + 120) / (400 + 122))

    def test_an_inner_loop_is_told_from_the_one_around(self):
        self.assertEqual(machine_loops.figures(only_launch(NESTED)).share, 120 / 122)
        inner = machine_loops.figures(only_launch(NESTED), 2)
        self.assertEqual(inner.share, 80 / 122)
        self.assertEqual(inner.loop, 0.25)
        self.assertIsNone(machine_loops.figures(only_launch(NESTED), 3))

    def test_lanes_that_part_in_the_loop_are_seen(self):
        self.assertTrue(machine_loops.figures(only_launch(NESTED)).parted)  # leaving the inner one
        self.assertFalse(machine_loops.figures(only_launch(NESTED), 2).parted)
        branch = [row if row[0] != "@P1 BRA @6;" else row[:3] + (5,) for row in NESTED]
        branch[3] = branch[3][:3] + (0,)
        self.assertTrue(machine_loops.figures(only_launch(branch)).parted)

    def test_code_moves_to_zero_with_its_branches(self):
        code = only_launch(NESTED)[0]
        moved = machine_loops.from_zero(code)
        self.assertEqual(moved[-2].text, "@P2 BRA 0x10")
        self.assertEqual(machine_loops.figures([moved]), machine_loops.figures([code]))

    def test_a_branch_to_nowhere_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "to nowhere: BRA 0x5"):
            machine_loops.figures(only_launch([("BRA 0x5", 1, 32, 0)]))


def metrics(launches):
    """launches: (kernel, instructions, threads per instruction)."""
    lines = [METRICS]
    for launch, (kernel, count, threads) in enumerate(launches):
        for name, value in (("smsp__inst_executed.sum", "{:,}".format(count)),
                            ("smsp__thread_inst_executed_per_inst_executed.ratio", str(threads))):
            lines.append('"%d","","","","%s","","","","","","","","%s","","%s"' % (
                launch, kernel, name, value))
    return "==PROF== Connected\n" + "\n".join(lines) + "\n"


class Kept(unittest.TestCase):
    KERNELS = ["spmv_csr_scalar(const int *, int)", "spmv_csr_scalar(const int *, int)",
               "bfs_expand(int)", "bfs_expand(int)", "void k::hash_insert(unsigned int *)",
               "hash_lookup(int)"]
    NAMES = ["spmv_poisson", "long_spmv_poisson", "bfs_frontier", "missing", "hash_lookup"]

    def test_launches_go_to_the_workloads_in_their_order(self):
        self.assertEqual(workloads.by_workload(self.NAMES, self.KERNELS),
                         {"spmv_poisson": range(0, 1), "long_spmv_poisson": range(1, 2),
                          "bfs_frontier": range(2, 4), "hash_lookup": range(5, 6)})

    def write(self, folder, times=1):
        with open(folder + "/ncu.csv", "w") as file:
            file.write(metrics([(kernel, 1000 * (k + 1), 32 - k)
                                for k, kernel in enumerate(self.KERNELS)]))
        with open(folder + "/source.csv", "w") as file:
            file.write("".join(times * page(kernel, NESTED if k == 1 else UNROLLED)
                               for k, kernel in enumerate(self.KERNELS)))
        for name in ("ncu.tsv", "source.tsv"):
            with open("%s/%s" % (folder, name), "w") as file:
                file.write("noise\n" + "".join("%s\t1\t1\n" % name for name in self.NAMES))

    def test_a_file_of_each_workload_is_kept_and_read(self):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as kept:
            self.write(folder)
            self.keep(folder, kept)
            self.assertEqual(len(os.listdir(kept)), 8)
            self.assertEqual(evaluate.active_threads(kept + "/ncu_hash_lookup.csv", "hash_lookup"),
                             27 / 32)
            self.assertEqual(evaluate.active_threads(kept + "/ncu_bfs_frontier.csv", "bfs_expand"),
                             (3 * 30 + 4 * 29) / 7 / 32)
            figures = evaluate.instruction_figures(kept + "/source_long_spmv_poisson.csv",
                                                   "long_spmv_poisson")
            self.assertEqual(figures.share, 120 / 122)

    def test_launches_that_are_printed_twice_are_kept_once(self):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as kept:
            self.write(folder, times=2)
            self.keep(folder, kept)
            own = {name: evaluate.instruction_figures("%s/source_%s.csv" % (kept, name), name)
                   for name in ("spmv_poisson", "long_spmv_poisson")}
            self.assertEqual(own["spmv_poisson"].share, 300 / 400)
            self.assertEqual(own["long_spmv_poisson"].share, 120 / 122)

    def keep(self, folder, kept):
        before, sys.argv = sys.argv, ["keep.py", folder, kept]
        try:
            keep.main()
        finally:
            sys.argv = before


class Compared(unittest.TestCase):
    """A recorder that saw an efficiency, and a profiler that saw 25 % in a loop of 99.9 %."""
    LOOP = [("MOV R0, R1", 1, 32, 0), ("FADD R1, R1, R2", 1000, 8000, 0),
            ("@P0 BRA @1;", 1000, 8000, 1), ("EXIT", 1, 32, 0)]

    def failures(self, efficiency, code):
        loops = [{"kernel": "_Z5juliaPh", "warp_iterations": 10, "efficiency": efficiency},
                 {"kernel": "_Z5juliaPh", "warp_iterations": 5, "efficiency": 1.0},
                 {"kernel": "_Z6juliasPh", "warp_iterations": 50, "efficiency": 1.0}]
        evaluate.failures.clear()
        shown, evaluate.shown = evaluate.shown, lambda arguments, path: loops
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(folder + "/one_julia")
            with open(folder + "/ncu_julia.csv", "w") as file:
                file.write("".join(metrics([("julia(int)", 2002, 8)]).splitlines(True)[1:]))
            with open(folder + "/source_julia.csv", "w") as file:
                file.write(page("julia(int)", code))
            with contextlib.redirect_stdout(io.StringIO()) as out:
                evaluate.profiler(types.SimpleNamespace(), folder)
        evaluate.shown = shown
        return evaluate.failures[:], out.getvalue()

    def test_a_loop_that_dominates_must_have_the_profilers_efficiency(self):
        self.assertEqual(self.failures(0.252, self.LOOP)[0], [])
        self.assertEqual(self.failures(0.255, self.LOOP)[0],
                         ["julia: not the profiler's efficiency"])

    def test_others_are_shown_but_not_compared(self):
        # 5 rows in front: 0.5% of the warps' instructions, and 2% of the threads'.
        for rest, remark in ((30, ""), (5, ""), (1, "parts lanes")):
            code = [("MOV R0, R1", rest, 32 * rest, 0)] + self.LOOP[1:]
            if remark:  # round the loop's first instruction
                code[1:2] = [("@P1 BRA @3;", 1000, 8000, 4), ("FADD R1, R1, R2", 1000, 4000, 0)]
            failures, text = self.failures(0.5, code)
            self.assertEqual(failures, ["no loop could be compared with the profiler"])
            self.assertIn(remark, text)


if __name__ == "__main__":
    unittest.main()
