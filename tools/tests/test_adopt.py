#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_adopt.py DIVCOST SAMPLES PLUGIN CLANG INCLUDE: a project adopts divcost: what is there is
known, and stays known when the file is edited elsewhere; what is new fails. With the compiler."""
import os
import subprocess
import sys

from reports import Case, load, main, run

PLUGIN, CLANG, INCLUDE = map(os.path.abspath, sys.argv[3:6])

SUM = """
__global__ void sum(const int *begin, const float *values, float *out) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = begin[row]; j < begin[row + 1]; ++j)
    out[row] += values[j];
}
"""
COUNT = """
__global__ void count(const int *n, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < n[i]; ++j)
    out[i] += j;
}
"""


class Adopting(Case):
    def compiled(self, text):
        """The report of a source file."""
        source, report = self.write("src/sum.cu", text), self.path("build", "sum.json")
        os.makedirs(self.path("build"), exist_ok=True)
        done = subprocess.run(
            [CLANG, "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent",
             "--cuda-feature=+ptx78", "--cuda-gpu-arch=sm_90", "--cuda-device-only", "-S", "-O2",
             "-include", os.path.join(INCLUDE, "divcost_cuda.h"), "-o", os.devnull,
             "-fplugin=" + PLUGIN, "-fplugin-arg-divcost-report=" + report, source],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        self.assertEqual(done.returncode, 0, done.stdout)
        return self.path("build")

    def test_edits_elsewhere_leave_findings_known_and_new_ones_fail(self):
        baseline = self.path("baseline.json")
        build = self.compiled(SUM)
        self.assertEqual(run("report", "--fail-on", "any", build).returncode, 1)
        run("report", "--write-baseline", baseline, build)
        self.assertEqual([entry["file"] for entry in load(baseline)["findings"]], ["src/sum.cu"])
        gate = ("report", "--fail-on", "any", "--baseline", baseline)
        edited = "// what sums are for\n\n" + SUM.replace("int row", "\n  int row")
        done = run(*gate, self.compiled(edited))
        self.assertEqual((done.returncode, done.stderr),
                         (0, "divcost: %s: 1 finding known, 0 new\n" % baseline))
        done = run(*gate, self.compiled(edited + COUNT))
        self.assertEqual(done.returncode, 1)
        self.assertIn("src/sum.cu:13:3: new: loop may run", done.stderr)
        done = run(*gate, self.compiled(COUNT))
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 finding of %s is no longer there" % baseline, done.stderr)


if __name__ == "__main__":
    main()
