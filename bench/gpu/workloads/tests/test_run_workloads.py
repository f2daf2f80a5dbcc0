# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpu-workloads as a command, on a machine without a GPU (or with one)."""

import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)


def run(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


class RunWorkloads(unittest.TestCase):
    def test_description_has_a_line_for_each_loop_and_its_histogram(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("--describe", folder, "double_loop", "saxpy")
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(os.path.join(folder, "workloads.tsv"), encoding="utf-8") as file:
                lines = [line.rstrip("\n").split("\t") for line in file if line[0] != "#"]
            rows = [dict(zip(lines[0], line)) for line in lines[1:]]
            self.assertEqual([(row["workload"], row["line"]) for row in rows],
                             [("double_loop", "15"), ("double_loop", "17"), ("saxpy", "-")])
            self.assertEqual(rows[2]["parameters"], "n=1000003")
            with open(os.path.join(folder, rows[0]["histogram"]), encoding="utf-8") as file:
                points = [line.split() for line in file if line[0] != "#"]
            self.assertEqual(sum(int(count) for _, count in points), int(rows[0]["entering"]))
            self.assertEqual(sum(int(value) * int(count) for value, count in points),
                             int(rows[0]["trips"]))

    def test_a_missing_folder_is_an_error_that_names_it(self):
        done = run("--describe", "/nowhere", "saxpy")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write '/nowhere/workloads.tsv'", done.stderr)

    def test_unknown_names_and_halves_of_commands_are_wrong_usage(self):
        for arguments in (["--describe", "/tmp", "nothing"], ["--run", "x"], [],
                          ["--run", "x", "--cubins", "y", "--repeats", "0"]):
            self.assertEqual(run(*arguments).returncode, 2, arguments)

    def test_without_kernels_nothing_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run("--run", os.path.join(folder, "out.tsv"), "--cubins", folder, "saxpy")
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stderr, "gpu-workloads: (no GPU|the NVIDIA driver|cannot read)")


if __name__ == "__main__":
    unittest.main()
