#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What docs/lab/hopper.md says of the matrix power, from the measurements of an H200, and the figure:
test_report.py REPORT TABLE PREFIX"""
import os
import statistics
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, SCRIPTS)
import tables

REPORT, TABLE, PREFIX = sys.argv[1:]
del sys.argv[1:]


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.path = os.path.join(cls.folder.name, "report.tsv")
        with open(cls.path, "w", encoding="utf-8") as file:
            subprocess.run([REPORT, "--paper", TABLE, PREFIX], check=True, stdout=file)
        _, cls.rows = tables.read_table(cls.path)

    def errors(self, measured, modelled):
        return [abs(100 * (float(row[measured]) / float(row[modelled]) - 1)) for row in self.rows]

    def assert_errors(self, measured, modelled, median, worst):
        errors = self.errors(measured, modelled)
        self.assertLessEqual(statistics.median(errors), median)
        self.assertLessEqual(max(errors), worst)

    def test_all_cells_stand_beside_those_of_the_paper(self):
        _, table = tables.read_table(TABLE)
        self.assertEqual(len(self.rows), 25)
        self.assertEqual([(row["law"], row["lanes"], row["mu_A"], row["mu_M"]) for row in self.rows],
                         [(row["dist"], row["n"], row["mu_A"], row["mu_M"]) for row in table])

    def test_clocks_in_blocks_of_one_warp_are_those_of_the_law(self):
        self.assert_errors("clock1", "mu", 0.3, 0.9)

    def test_iterations_that_are_not_equally_long_explain_the_rest(self):
        self.assert_errors("clock1", "profiled1", 0.12, 0.3)
        self.assert_errors("clock8", "profiled8", 0.15, 0.45)

    def test_blocks_of_eight_warps_follow_the_sharing_model(self):
        self.assert_errors("clock8", "shared8", 0.3, 1.3)
        self.assertLess(statistics.median(self.errors("clock8", "shared8")),
                        statistics.median(self.errors("clock8", "mu")) / 2)

    def test_kernel_times_follow_the_longest_lanes_of_warps(self):
        self.assert_errors("time1", "counts1", 0.8, 6)
        self.assert_errors("time8", "counts8", 1.3, 6)
        self.assert_errors("time1", "modelled1", 0.7, 6)
        self.assert_errors("time8", "modelled8", 2, 12)

    def test_syncwarp_does_not_change_the_clocks(self):
        self.assert_errors("sync1", "clock1", 0.12, 0.7)
        self.assert_errors("sync8", "clock8", 0.12, 0.4)

    def test_the_figure_is_drawn(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("needs matplotlib")
        target = os.path.join(self.folder.name, "figure.png")
        subprocess.run([sys.executable, os.path.join(SCRIPTS, "plot_matrix_power.py"), self.path, PREFIX,
                        target], check=True)
        self.assertGreater(os.path.getsize(target), 10000)


if __name__ == "__main__":
    unittest.main()
