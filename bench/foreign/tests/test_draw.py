#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""draw.py on made-up tables: its limits hold, and what is wrong with a table is said."""
import collections
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "draw.py")
sys.path.insert(0, os.path.dirname(SCRIPT))
import draw

FAMILIES = list(draw.FAMILIES)


def row(number, repository, file, kernel, **other):
    cells = {"family": FAMILIES[number], "group": "%s %d %s" % (repository, number, file),
             "repository": "someone/" + repository, "commit": "0123456789" * 4, "file": file,
             "line": "7", "kernel": kernel, "program": file, "arguments": "-", "inputs": "none",
             "shape": "branches", "dropped": "-", "note": "-"}
    cells.update(other)
    return [cells[column] for column in draw.COLUMNS]


def many():
    return [row(family, "r%d" % repository, "f%d_%d.cu" % (family, file), "k%d" % kernel,
                group="%d %d %d" % (family, repository, file // 2),
                shape="straight" if kernel % 2 else "branches")
            for family in range(len(FAMILIES)) for repository in range(9) for file in range(5)
            for kernel in range(6)]


class Draw(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.write("more-candidates.tsv", [draw.COLUMNS])
        for name in draw.LATER:
            self.write(name + "-candidates.tsv", [draw.COLUMNS])

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, rows, end="\n"):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write("\n".join("\t".join(cells) for cells in rows) + end)

    def run_draw(self, *options):
        done = subprocess.run([sys.executable, SCRIPT, "--folder", self.folder.name, *options],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              universal_newlines=True)
        return done.returncode, done.stdout, done.stderr

    def kernels(self):
        with open(self.path("kernels.tsv"), encoding="utf-8") as file:
            lines = [line.split("\t") for line in file.read().splitlines()]
        return [dict(zip(lines[0], cells)) for cells in lines[1:]]

    def refused(self, rows, words, end="\n"):
        self.write("candidates.tsv", [draw.COLUMNS] + rows, end)
        status, _, error = self.run_draw()
        self.assertEqual(status, 1)
        self.assertIn(words, error)
        self.assertNotIn("Traceback", error)

    def test_limits_hold(self):
        self.write("candidates.tsv", [draw.COLUMNS] + many())
        self.assertEqual(self.run_draw()[0], 0)
        kernels = [kernel for kernel in self.kernels() if kernel["half"] != "second"]
        self.assertEqual(len(kernels), sum(draw.FAMILIES.values()))
        halves, straight = {}, collections.Counter()
        for kernel in kernels:
            self.assertEqual(halves.setdefault(kernel["group"], kernel["half"]), kernel["half"])
            straight[kernel["family"]] += kernel["shape"] == "straight"
        for what, limit in (("file", draw.FILE), ("group", draw.GROUP),
                            ("repository", draw.REPOSITORY)):
            counts = collections.Counter(
                (kernel["repository"] if what != "group" else "", kernel[what])
                for kernel in kernels)
            self.assertLessEqual(max(counts.values()), limit)
        for family, number in draw.FAMILIES.items():
            self.assertLessEqual(straight[family], number // draw.STRAIGHT)
            counts = collections.Counter(k["half"] for k in kernels if k["family"] == family)
            self.assertLessEqual(abs(counts["open"] - counts["sealed"]), 1)

    def test_the_second_set_has_nothing_of_the_open_half(self):
        self.write("candidates.tsv", [draw.COLUMNS] + many())
        added = [row(0, "new", "g%d.cu" % file, "k") for file in range(3)]
        self.write("more-candidates.tsv", [draw.COLUMNS] + added)
        self.assertEqual(self.run_draw()[0], 0)
        kernels = self.kernels()
        second = [kernel for kernel in kernels if kernel["half"] == "second"]
        opened = {kernel["group"] for kernel in kernels if kernel["half"] == "open"}
        self.assertFalse(opened & {kernel["group"] for kernel in second})
        self.assertEqual(3, sum(kernel["repository"] == "someone/new" for kernel in second))
        self.assertEqual(len(kernels), len({draw.name_of(kernel) for kernel in kernels}))

    def test_a_later_set_is_of_its_own_candidates(self):
        self.write("candidates.tsv", [draw.COLUMNS] + many())
        for name in draw.LATER:
            self.write(name + "-candidates.tsv",
                       [draw.COLUMNS] + [row(0, name, "h.cu", "k%d" % k) for k in range(draw.FILE + 1)])
        self.assertEqual(self.run_draw()[0], 0)
        for name in draw.LATER:
            own = [kernel for kernel in self.kernels() if kernel["half"] == name]
            self.assertEqual({"someone/" + name}, {kernel["repository"] for kernel in own})
            self.assertEqual(draw.FILE, len(own))

    def test_the_order_of_the_candidates_does_not_matter(self):
        tables = []
        for rows in (many(), many()[::-1]):
            self.write("candidates.tsv", [draw.COLUMNS] + rows)
            self.assertEqual(self.run_draw()[0], 0)
            with open(self.path("kernels.tsv"), encoding="utf-8") as file:
                tables.append(file.read())
        self.assertEqual(*tables)

    def test_check_finds_a_kernel_in_the_other_half(self):
        self.write("candidates.tsv", [draw.COLUMNS] + many())
        self.assertEqual(self.run_draw()[0], 0)
        self.assertEqual(self.run_draw("--check")[0], 0)
        with open(self.path("kernels.tsv"), encoding="utf-8") as file:
            text = file.read()
        with open(self.path("kernels.tsv"), "w", encoding="utf-8") as file:
            file.write(text.replace("\nsealed\t", "\nopen\t", 1))
        status, _, error = self.run_draw("--check")
        self.assertEqual(status, 1)
        self.assertIn("isn't what the draw gives: line ", error)
        with open(self.path("kernels.tsv"), "w", encoding="utf-8") as file:
            file.write("\n".join(text.split("\n")[:-2]) + "\n")
        self.assertIn("lines and should have", self.run_draw("--check")[2])
        os.remove(self.path("kernels.tsv"))
        self.assertIn("kernels.tsv can't be read: No such file", self.run_draw("--check")[2])

    def test_a_broken_table_is_refused(self):
        self.assertIn("candidates.tsv can't be read: No such file", self.run_draw()[2])
        good = row(0, "r", "f.cu", "k")
        self.refused([good], "cut off?", end="")
        self.refused([good[:-1]], "candidates.tsv:2: 12 columns instead of 13")
        self.refused([good, good], "candidates.tsv:3: k of f.cu is there twice")
        self.refused([row(0, "r", "f.cu", "k", commit="main")], "'main' is no commit")
        self.refused([row(0, "r", "f.cu", "k", line="0")], "'0' is no line number")
        self.refused([row(0, "r", "f.cu", "k", family="trees")], "'trees' is none of the families")
        self.refused([row(0, "r", "f.cu", "k", shape="round")], "'round' is no shape")
        self.refused([row(0, "r", "f.cu", "k", program="-")], "no program")
        self.refused([row(0, "r", "f.cu", "k", group="g"), row(1, "r", "g.cu", "k", group="g")],
                     "group 'g' is of two families")
        self.write("candidates.tsv", [draw.COLUMNS[::-1], good])
        self.assertIn("candidates.tsv:1: the columns must be", self.run_draw()[2])


if __name__ == "__main__":
    unittest.main()
