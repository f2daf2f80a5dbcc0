# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plugin's figures for loops whose lanes are independent, against a count of every warp on the
host. Needs no CUDA Toolkit."""

import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM, PLUGIN, CLANG = sys.argv[1:4]
del sys.argv[1:4]
SCRIPT = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                      "estimate_workloads.py")
INCLUDE = os.path.join(os.path.dirname(SCRIPT), "..", "..", "include")
STAND_IN = ["-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "--cuda-feature=+ptx78",
            "-I" + INCLUDE, "-include", "divcost_cuda.h"]
NAMES = ["spmv_csr_scalar.poisson", "spmv_csr_scalar.geometric", "hash_lookup", "bitmap", "saxpy"]


class EstimateWorkloads(unittest.TestCase):
    def test_independent_lanes_are_estimated_as_they_were_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "--describe", folder, *NAMES], check=True)
            subprocess.run([sys.executable, SCRIPT, folder, "--plugin", PLUGIN, "--clang", CLANG,
                            *("--flag=" + flag for flag in STAND_IN)], check=True)
            with open(os.path.join(folder, "estimates-loops.tsv"), encoding="utf-8") as file:
                lines = [line.rstrip("\n").split("\t") for line in file]
            rows = [dict(zip(lines[0], line)) for line in lines[1:]]
            self.assertEqual(len(rows), 8)
            for row in rows:
                for name, tolerance in (("efficiency", 0.01), ("exits", 0.01), ("entries", 1e-6)):
                    ratio = float(row[name]) / float(row[name + "_host"])
                    self.assertAlmostEqual(ratio, 1, delta=tolerance, msg=f"{row}: {name}")
            with open(os.path.join(folder, "estimates.tsv"), encoding="utf-8") as file:
                kernels = [tuple(line.split("\t")[:2]) for line in file]
            self.assertEqual(kernels[1:], [(name, build) for build in ("clang", "nvcc")
                                           for name in NAMES])


if __name__ == "__main__":
    unittest.main()
