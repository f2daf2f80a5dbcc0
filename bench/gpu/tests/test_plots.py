#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""memory-predict and the scripts that draw, on made-up measurements: test_plots.py MEMORY_PREDICT"""
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, SCRIPTS)
import tables

tables.matplotlib_or_skip()
PREDICT = sys.argv.pop()
LAWS = ["geometric(0.05)", "uniform(0,40)", "poisson(20)", "zipf(1.5,200)",
        "0.9*const(8)+0.1*const(100)"]


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def write_memory(path, cost, law_cycles):
    """One place, an iteration costs cost(a), a loop 100 more; loops of law l law_cycles[l]."""
    line = "l2\t1\t32\t32\t8\t%d\t%s\t%d\t10\t%r\t0\t0\t3\n"
    with open(path, "w") as file:
        file.write("# made up\nlevel\tloads\n")
        for active in range(1, 33):
            for times in (16, 48):
                file.write(line % (active, "-", times, 10 * (100 + times * cost(active))))
        for law, cycles in zip(LAWS, law_cycles):
            file.write(line % (0, law, 1, 10 * cycles))


def write_herding(folder):
    with open(os.path.join(folder, "herding.tsv"), "w") as file:
        file.write("# made up\nset\twarp_width\tkernel\tshare\tchoice\tmilliseconds\tleast\tgreatest"
                   "\tlaunches\twrong\tdifference\tefficiency\tunlike_emulation\n")
        for name in ("mandelbrot", "julia", "flat"):
            for width in (8,) if name == "flat" else (8, 32):
                for kernel, share in [("plain", -1), *(("forced_%d_0" % k, k) for k in range(11))]:
                    file.write("%s\t%d\t%s\t%d\t0\t%r\t0\t0\t20\t%r\t1.0\t0.9\t0\n" % (
                        name, width, kernel, share, 0.5 + 0.05 * share, 0.01 * max(share, 0)))
    with open(os.path.join(folder, "herding-cycles.tsv"), "w") as file:
        file.write("# made up\nkernel\tshare\tchoice\titerations\tcycles\tleast\tgreatest\tseconds\n")
        for share in range(11):
            file.write("forced_%d_0\t%d\t0\t1000\t%d\t0\t0\t1\n" % (share, share, 30000 + share))
    for name in ("mandelbrot", "julia"):
        with open(os.path.join(folder, "herding-%s.pgm" % name), "wb") as file:
            file.write(b"P5\n32 16\n255\n" + bytes(k % 251 for k in range(32 * 16)))


class Plots(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def save(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def test_a_constant_cost_is_predicted_from_the_longest_lane(self):
        # Lanes of 0.9*const(8)+0.1*const(100): the longest is 100 but in 0.9^32 of the warps.
        longest = 100 - 92 * 0.9 ** 32
        write_memory(self.path("memory.tsv"), lambda active: 50, [100 + 50 * longest] * 5)
        predicted = run(PREDICT, self.path("memory.tsv"))
        origin, rows = tables.read_table(self.save("predicted.tsv", predicted))
        self.assertEqual(origin, "made up")
        self.assertEqual([row["law"] for row in rows], LAWS)
        for model in ("measured", "table", "line", "constant"):
            self.assertAlmostEqual(float(rows[4][model]), 100 + 50 * longest, delta=0.01)
        self.assertAlmostEqual(float(rows[4]["exits"]), 1 - 0.9 ** 32 - 0.1 ** 32, places=5)

    def test_costs_and_their_line(self):
        write_memory(self.path("memory.tsv"), lambda active: 200 + 4 * active, [1] * 5)
        _, rows = tables.read_table(
            self.save("costs.tsv", run(PREDICT, "--costs", self.path("memory.tsv"))))
        self.assertEqual([float(row["cycles"]) for row in rows],
                         [200 + 4 * active for active in range(1, 33)])
        self.assertEqual({(row["base"], row["per_lane"], row["entry"]) for row in rows},
                         {("200", "4", "100")})

    def test_memory_is_drawn_and_errors_are_printed(self):
        # Twice as long as without divergence and memory: a model of half of it has error -50%.
        longest = 100 - 92 * 0.9 ** 32
        write_memory(self.path("memory.tsv"), lambda active: 50, [200 + 100 * longest] * 5)
        costs = self.save("costs.tsv", run(PREDICT, "--costs", self.path("memory.tsv")))
        predicted = run(PREDICT, self.path("memory.tsv")).splitlines()
        only = self.save("predicted.tsv", "\n".join(predicted[:2] + predicted[-1:]) + "\n")
        printed = run(sys.executable, os.path.join(SCRIPTS, "plot_memory.py"), costs, only,
                      self.path("memory.png"))
        self.assertGreater(os.path.getsize(self.path("memory.png")), 1000)
        self.assertTrue(printed.splitlines()[1].startswith("l2\t1\t8\t50.00\t50.00\t"), printed)

    def test_herding_is_drawn_and_its_times_are_printed(self):
        write_herding(self.folder.name)
        printed = run(sys.executable, os.path.join(SCRIPTS, "plot_herding.py"), self.folder.name,
                      self.path("out"))
        for name in ("herding", "herding-mandelbrot", "herding-julia"):
            self.assertGreater(os.path.getsize(self.path("out/%s.png" % name)), 1000)
        self.assertIn("julia\t32x1\tforced_10_0\t1.0000\t2.222\t10.000\t90.00\t0\n", printed)


if __name__ == "__main__":
    unittest.main()
