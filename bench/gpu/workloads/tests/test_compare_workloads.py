# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The comparison of estimates and measurements, on made-up ones."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                      "compare_workloads.py")
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(SCRIPT))))
DOCS = os.path.join(TOP, "docs", "lab", "hopper-estimates.md")
RECORDED = os.path.join(TOP, "bench", "results", "h200", "workloads")
WORKLOADS = """# made up
workload\tfile\tline\tlanes
a.law\ta\t7\tindependent
a.balanced\ta\t7\tindependent
b\tb\t9\tdependent
c\tc\t-\t-
"""
ESTIMATES = """workload\tbuild\tefficiency_low\tefficiency_high\tcycles_low\tcycles_high\timbalance_low\timbalance_high\treconvergence_low\treconvergence_high\tshare_low\tshare_high\tbranches_low\tbranches_high
a.law\tclang\t0.5\t0.5\t1000\t1000\t450\t450\t100\t100\t0.55\t0.55\t4\t4
a.balanced\tclang\t1\t1\t800\t800\t0\t0\t0\t0\t0\t0\t0\t0
b\tclang\t0.2\t0.4\t-\t-\t-\t-\t-\t-\t-\t-\t1\t2
"""
LAUNCHES = "# GPU\nworkload\tlaunches\tseconds\na.law\t1\t1\na.balanced\t1\t1\nb\t1\t1\nc\t1\t1\n"
COUNTERS = '''==PROF== Connected
"ID","Kernel Name","smsp__thread_inst_executed_per_inst_executed.ratio","smsp__thread_inst_executed_pred_on_per_inst_executed.ratio","smsp__inst_executed.sum","smsp__warps_launched.sum","smsp__sass_branch_targets_threads_divergent.sum","smsp__issue_active.sum"
"","","","","inst","warp","","cycle"
"0","a(int)","15.68","15.36","2,000","10","50","2,500"
"1","a(int)","32","31.04","1,000","10","0","1,000"
"2","b(int)","16","n/a","3,000","10","n/a","3,000"
"3","c(int)","24","24","3,000","10","0","3,000"
'''
SECONDS = "# GPU\nworkload\tlaunches\tseconds\na.law\t9\t0.002\na.balanced\t9\t0.0015\nb\t9\t1\n"


class CompareWorkloads(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.put("workloads.tsv", WORKLOADS)
        self.put("estimates.tsv", ESTIMATES)
        self.put("launches-clang.tsv", LAUNCHES)
        self.put("ncu-clang.csv", COUNTERS)
        self.put("seconds-clang.tsv", SECONDS)

    def put(self, name, text):
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)

    def compare(self):
        path = os.path.join(self.folder.name, "table.tsv")
        done = subprocess.run([sys.executable, SCRIPT, "--estimates", self.folder.name,
                               "--measured", self.folder.name, "--tsv", path, "--markdown",
                               path + ".md"], capture_output=True, text=True, check=False)
        if done.returncode:
            return done, {}
        with open(path, encoding="utf-8") as file:
            lines = [line.rstrip("\n").split("\t") for line in file]
        rows = [dict(zip(lines[0], line)) for line in lines[1:]]
        return done, {(row["workload"], row["build"]): row for row in rows}

    def test_the_error_is_relative_to_what_was_measured(self):
        _, rows = self.compare()
        row = rows["a.law", "clang"]
        self.assertEqual((row["estimated"], row["measured"], row["pred_on"]),
                         ("0.5", "0.49", "0.48"))
        self.assertAlmostEqual(float(row["error"]), 0.5 / 0.49 - 1, places=4)
        self.assertEqual((row["branches_estimated"], row["branches_measured"]), ("4", "5"))
        self.assertEqual(row["instructions"], "200")

    def test_loss_is_measured_against_the_balanced_workload(self):
        _, rows = self.compare()
        self.assertEqual(rows["a.law", "clang"]["lost_estimated"], "0.55")
        self.assertEqual(rows["a.law", "clang"]["lost_measured"], "0.25")
        self.assertEqual(rows["a.law", "clang"]["slots_estimated"], "0.5")
        self.assertEqual(rows["a.law", "clang"]["slots_measured"], "0.6")
        self.assertEqual(rows["b", "clang"]["slots_estimated"], "not estimated")
        self.assertEqual(rows["b", "clang"]["lost_measured"], "not measured")
        self.assertEqual(rows["b", "clang"]["slots_measured"], "not measured")

    def lost(self, seconds):
        self.put("workloads.tsv", "workload\tfile\tline\tlanes\n" + "".join(
            f"{name}\ta\t7\tindependent\n" for name in seconds))
        self.put("seconds-clang.tsv", "workload\tlaunches\tseconds\n" + "".join(
            f"{name}\t9\t{time}\n" for name, time in seconds.items()))
        for name in ("launches-clang.tsv", "ncu-clang.csv"):
            os.remove(os.path.join(self.folder.name, name))
        _, rows = self.compare()
        return {name: rows[name, "clang"]["lost_measured"] for name in seconds}

    def test_a_balanced_workload_of_its_own_comes_before_that_of_the_kernel(self):
        self.assertEqual(
            self.lost({"a.law": 4, "a.zipf": 10, "a.zipf.balanced": 2, "a.ends": 2,
                       "a.ends.balanced": 1, "a.balanced": 3, "b.zipf": 1, "b.balanced": 1}),
            {"a.law": "0.25", "a.zipf": "0.8", "a.zipf.balanced": "0", "a.ends": "0.5",
             "a.ends.balanced": "0", "a.balanced": "0", "b.zipf": "not measured",
             "b.balanced": "0"})

    def test_a_second_run_adds_workloads_and_replaces_times(self):
        self.put("seconds-clang-balanced.tsv", "workload\tlaunches\tseconds\na.law\t9\t0.003\n"
                 "b\t9\t2\nb.balanced\t9\t1\n")
        self.put("launches-clang-balanced.tsv", "workload\tlaunches\tseconds\nb.balanced\t1\t1\n")
        self.put("ncu-clang-balanced.csv", COUNTERS.replace("31.04", "31.36").replace(
            '"0","a(int)"', '"","a(int)"').rsplit("\n", 3)[0] + "\n")
        self.put("workloads.tsv", WORKLOADS + "b.balanced\tb\t9\tdependent\n")
        _, rows = self.compare()
        self.assertEqual(rows["a.law", "clang"]["lost_measured"], "0.5")
        self.assertEqual(rows["b", "clang"]["lost_measured"], "0.5")
        self.assertEqual(rows["b.balanced", "clang"]["pred_on"], "0.98")
        self.assertEqual(rows["a.law", "clang"]["measured"], "0.49")

    def test_a_span_errs_by_its_nearer_end(self):
        _, rows = self.compare()
        row = rows["b", "clang"]
        self.assertEqual((row["estimated"], row["measured"]), ("0.2..0.4", "0.5"))
        self.assertAlmostEqual(float(row["error"]), -0.2)

    def test_what_was_not_read_is_said_and_not_filled_in(self):
        _, rows = self.compare()
        self.assertEqual(rows["b", "clang"]["pred_on"], "not measured")
        self.assertEqual(rows["b", "clang"]["branches_measured"], "not measured")
        self.assertEqual(rows["c", "clang"]["estimated"], "not estimated")
        self.assertEqual(rows["c", "clang"]["error"], "not estimated")
        for column in ("measured", "pred_on", "error", "lost_measured", "slots_measured",
                       "instructions"):
            self.assertEqual(rows["a.law", "nvcc"][column], "not measured")

    def test_medians_are_of_each_kind_by_itself(self):
        done, _ = self.compare()
        self.assertEqual(done.stdout.splitlines(), [
            "clang, drawn: 1 workloads, median error 2.04% (2.04% of 1 single figures), worst 2.04%; "
            "0 of 0 spans hold what was measured",
            "clang, counted: 1 workloads, median error 20.00%, worst 20.00%; "
            "0 of 1 spans hold what was measured",
            "clang, balanced: 1 workloads, median error 0.00% (0.00% of 1 single figures), worst "
            "0.00%; 0 of 0 spans hold what was measured"])
        with open(os.path.join(self.folder.name, "table.tsv.md"), encoding="utf-8") as file:
            text = file.read()
        self.assertIn("| clang | drawn | 1 | 2.04% | 2.04% | 1 | 2.04% | 0 of 0 |", text)
        self.assertIn("| clang | counted | 1 | 20.00% | 20.00% | 0 | - | 0 of 1 |", text)
        self.assertIn("| clang | lost | 1 | 0.300 | 0.300 |\n| clang | slots | 1 | 0.100 | 0.100 |\n",
                      text)

    def test_counters_of_another_run_are_refused(self):
        self.put("ncu-clang.csv", COUNTERS.rsplit("\n", 2)[0] + "\n")
        done, _ = self.compare()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("4 launches in launches-clang.tsv, but 3 in ncu-clang.csv", done.stderr)


class Recorded(unittest.TestCase):
    """What was measured on the H200 (bench/results/h200/workloads), and what the plugin says."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.docs = os.path.join(self.folder.name, "docs.md")
        shutil.copy(DOCS, self.docs)
        self.table = os.path.join(self.folder.name, "comparison.tsv")
        self.done = subprocess.run(
            [sys.executable, SCRIPT, "--estimates", RECORDED, "--measured", RECORDED, "--tsv",
             self.table, "--docs", self.docs], capture_output=True, text=True, check=True)

    def assert_same(self, got, kept):
        with open(got, encoding="utf-8") as one, open(kept, encoding="utf-8") as other:
            self.assertEqual(one.read(), other.read(), f"{kept} isn't of these data: run {SCRIPT} "
                             "again, with --tsv and --docs")

    def test_the_tables_that_are_kept_are_of_the_recorded_data(self):
        self.assert_same(self.table, os.path.join(RECORDED, "comparison.tsv"))
        self.assert_same(self.docs, DOCS)

    def test_the_efficiency_is_within_2_5_percent_where_laws_are_given(self):
        for build in ("clang", "nvcc"):
            found = re.search(rf"{build}, drawn: \d+ workloads, median error ([\d.]+)% \(([\d.]+)%",
                              self.done.stdout)
            for median in found.groups():
                self.assertLess(float(median), 2.5)


if __name__ == "__main__":
    unittest.main()
