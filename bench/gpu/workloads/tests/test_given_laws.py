# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The laws that estimates of the workloads are given."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import estimate_workloads  # noqa: E402  pylint: disable=wrong-import-position


class GivenLaws(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        with open(os.path.join(self.folder.name, "h"), "w", encoding="utf-8") as file:
            file.write("# made up\n1 500\n3 500\n")

    def law(self, **changed):
        """Of 10 warps with 1 or 3 trips a lane, 640 in all, in 25 iterations: efficiency 0.8."""
        row = {"histogram": "h", "lanes": "dependent", "trips": "640", "iterations": "25",
               "entering": "320", "entries": "10", **changed}
        return estimate_workloads.law(self.folder.name, row)

    def test_lanes_are_as_alike_as_the_counted_efficiency_says(self):
        # Independent lanes: A = 3 / 2. (A - 1 / 0.8) / (A - 1) = 0.5.
        self.assertTrue(self.law().endswith(", per_warp_correlated(0.500000)"), self.law())

    def test_edges_of_the_grid_are_no_loss(self):
        self.assertTrue(self.law(entering="160", trips="320").endswith("(0.500000)"))

    def test_independent_lanes_and_worse_ones_have_no_correlation(self):
        self.assertTrue(self.law(lanes="independent").endswith('")'))
        self.assertTrue(self.law(iterations="40").endswith('")'))


if __name__ == "__main__":
    unittest.main()
