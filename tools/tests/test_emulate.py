#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_emulate.py DIVCOST SAMPLES LISTINGS: the command `divcost emulate`, with reports from the
folder SAMPLES and assembly from the folder LISTINGS."""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

DIVCOST, SAMPLES, LISTINGS = map(os.path.abspath, sys.argv[1:4])
SINGLE = os.path.join(LISTINGS, "single_loop.sass")
DOUBLE = os.path.join(LISTINGS, "double_loop.sass")


def run(*arguments):
    return subprocess.run([DIVCOST, "emulate", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True, timeout=120)


def figures(*arguments):
    done = run(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class Assembly(unittest.TestCase):
    def test_json_has_the_figures(self):
        for n in (0, 5, 31):
            r = figures(SINGLE, "--arch", "kepler", "--param", "n=%d" % n)
            self.assertEqual((r["pushes"], r["pops"], r["max_depth"]), (n + 1, n + 1, n + 1))
            self.assertEqual(r["divergent_branches"], n)
            self.assertEqual(r["spills"], max(0, (n - 12) // 4) if n >= 16 else 0)
            self.assertAlmostEqual(r["cycles"], r["issue"] + r["reconvergence"], places=4)
        self.assertNotIn("cycles", figures(SINGLE, "--arch", "fermi"))
        self.assertEqual(figures(SINGLE, "--arch", "sm_61")["provenance"],
                         "assumed (from Maxwell: Bialas and Strzelecki)")

    def test_rules_and_policy_can_be_chosen(self):
        lazy = figures(DOUBLE, "--arch", "sm_35", "--param", "n=20")
        eager = figures(DOUBLE, "--arch", "sm_35", "--param", "n=20", "--reload", "eager")
        self.assertGreater(eager["spills"], lazy["spills"])
        barriers = figures(DOUBLE, "--arch", "sm_35", "--param", "n=20", "--rules", "barriers")
        self.assertEqual(barriers["waits"], lazy["divergent_branches"])
        done = run(DOUBLE, "--rules", "none")
        self.assertEqual(done.returncode, 1)
        self.assertIn("a pop bit is not for these rules", done.stderr)

    def test_trace_has_a_line_for_each_step(self):
        lines = run(SINGLE, "--arch", "maxwell", "--lanes", "4", "--param", "most=3",
                    "--trace").stdout.splitlines()
        self.assertEqual(len(lines), 21)
        self.assertEqual(lines[13].split(), "13 5 ...1 FFMA R3, R3, 0.5, 1.0 SYNC(1111, 10) "
                                            "DIV(11.., 9) DIV(..1., 9)".split())

    def test_csv_and_svg_have_the_history_of_the_depth(self):
        rows = list(csv.DictReader(io.StringIO(
            run(SINGLE, "--arch", "kepler", "--param", "n=20", "--csv").stdout)))
        depths = [int(row["depth"]) for row in rows]
        self.assertEqual(max(depths), 21)
        self.assertEqual([int(row["step"]) for row in rows], list(range(len(rows))))
        self.assertTrue(all(int(row["on_chip"]) <= 16 for row in rows))
        clocks = [float(row["cycles"]) for row in rows]
        self.assertEqual(clocks, sorted(clocks))
        picture = run(SINGLE, "--arch", "kepler", "--param", "n=20", "--svg").stdout
        root = xml.etree.ElementTree.fromstring(picture)
        self.assertTrue(root.tag.endswith("svg"))
        self.assertIn("on chip: 16", picture)

    def test_a_long_run_is_drawn_with_its_peak_and_all_its_steps(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "long.sass")
            with open(path, "w") as file:  # 3 tokens in one step, then a long loop with one
                file.write("SSY end\nSSY b\nSSY a\nNOP.S\na: NOP.S\n"
                           "b: IADD R1, R1, 1\nISETP.LT P0, R1, 100000\n@P0 BRA b\nNOP.S\n"
                           "end: EXIT\n")
            text = run(path, "--arch", "kepler").stdout
            self.assertIn("\ndepth over 300007 steps", text)
            self.assertEqual(text.splitlines()[-3:],
                             ["    3 #", "    2 #", "    1 " + 72 * "#"])
            picture = run(path, "--arch", "kepler", "--svg").stdout
            self.assertIn(">300007</text>", picture)
            self.assertLess(len(picture), 3000)
            rows = run(path, "--arch", "kepler", "--csv").stdout.splitlines()
            self.assertEqual(len(rows), 1 + 300007)

    def test_precise_clocks_are_in_the_arrays(self):
        r = figures(os.path.join(LISTINGS, "single_loop_precise.sass"), "--param", "n=2")
        clocks = r["arrays"]["clocks"][:33]
        steps = [b - a for a, b in zip(clocks, clocks[1:])]
        # 30 lanes leave after 30 iterations, and wait until the other two are done; one of these
        # leaves after 31.
        self.assertEqual([step - steps[0] for step in steps[:31]], 30 * [0] + [13])
        self.assertEqual(steps[31] - steps[0], 16 + 35)

    def test_errors_say_what_and_where(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "wrong.sass")
            for text, words in (("EXIT\nFLY\n", "line 2: unknown instruction 'FLY'"),
                                ("here: BRA here\n", "line 1, lanes 0xffffffff: more than 50 steps"),
                                ("", "there are no instructions")):
                with open(path, "w") as file:
                    file.write(text)
                done = run(path, "--steps", "50")
                self.assertEqual((done.returncode, done.stdout), (1, ""))
                self.assertIn(words, done.stderr)
        self.assertIn("No such file", run("nowhere.sass").stderr)
        self.assertIn("no such parameter", run(SINGLE, "--param", "m=2").stderr)
        self.assertIn("directory", run(LISTINGS).stderr)


class Reports(unittest.TestCase):
    def test_a_report_with_one_kernel_is_emulated(self):
        found = 0
        for name in sorted(os.listdir(SAMPLES)):
            if not name.endswith(".json"):
                continue
            path = os.path.join(SAMPLES, name)
            with open(path) as file:
                kernels = json.load(file).get("kernels", [])
            for kernel in kernels[:2]:
                done = run(path, "--kernel", kernel["symbol"], "--json", "--warp", "0",
                           "--steps", "20000")
                # Samples are random: some never end, which is an error, never a hang.
                self.assertIn(done.returncode, (0, 1))
                if done.returncode == 0:
                    found += 1
                    r = json.loads(done.stdout)
                    self.assertLessEqual(r["efficiency"], 1)
                    self.assertEqual(r["warps"], 1)
        self.assertGreater(found, 5)

    def test_which_kernel_must_be_said(self):
        done = run(os.path.join(SAMPLES, "sample.json"), "--kernel", "no such name")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no such kernel; its kernels are\n", done.stderr)


class Usage(unittest.TestCase):
    def test_wrong_usage_is_status_2(self):
        for arguments, words in (
                ([], "emulate needs a file"),
                ([SINGLE, "--fast"], "unknown option '--fast'"),
                ([SINGLE, "--lanes", "65"], "can't make sense of '--lanes 65'"),
                ([SINGLE, "--block", "2000"], "can't make sense of '--block 2000'"),
                ([SINGLE, "--arch"], "a value is missing after '--arch'"),
                ([SINGLE, "--rules", "heap"], "--rules must be stack, barriers or none, not 'heap'"),
                ([SINGLE, "--block", "32"], "are for reports (*.json), not"),
                ([SINGLE, "--warp", "0"], "are for reports (*.json), not"),
                ([os.path.join(SAMPLES, "sample.json"), "--lanes", "4"], "is for an assembly, not"),
                ([SINGLE, "--json", "--csv"], "--json and --csv are given, only one of them can be"),
                ([SINGLE, "--svg", "--trace"], "--svg and --trace are given, only one of them"),
                ([SINGLE, "--reload", "lazy"], "--reload is for the rules stack, but these are "
                 "'barriers'"),
                ([SINGLE, "--arch", "sm_35", "--rules", "none", "--reload", "lazy"],
                 "--reload is for the rules stack, but these are 'none'"),
                ([SINGLE, DOUBLE], "one file at a time")):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(words, done.stderr)
        self.assertIn("unknown architecture 'sm_1'", run(SINGLE, "--arch", "sm_1").stderr)
        self.assertIn("usage: divcost emulate FILE", run("--help").stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
