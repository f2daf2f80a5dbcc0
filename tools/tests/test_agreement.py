#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_agreement.py DIVCOST PLUGIN CLANG REPOSITORY: the kernels of bench/kernels, estimated by the
plugin and by what-if, and emulated: one answer, to the last digit. (That the page has it, too, is
in html/test_html.py.)"""
import glob
import json
import os
import subprocess
import sys
import tempfile
import unittest

DIVCOST, PLUGIN, CLANG, REPOSITORY = map(os.path.abspath, sys.argv[1:5])

# Nothing is assumed of these but values of parameters, which are the same everywhere, and they
# aren't unrolled: all of them are emulated, in the plugin too.
EMULATED = {"bitonic_sort", "reduce_interleaved", "reduce_sequential", "invert_tiles"}
# Where the estimate got them from.
OF_LAUNCH = {"block_from", "block_at", "location"}


def compiled(folder):
    """The reports of all files."""
    for path in sorted(glob.glob(os.path.join(REPOSITORY, "bench", "kernels", "*.cu"))):
        report = os.path.join(folder, os.path.basename(path) + ".json")
        subprocess.run([CLANG, "-fplugin=" + PLUGIN, "-fplugin-arg-divcost-report=" + report, "-x",
                        "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent",
                        "--cuda-feature=+ptx78", "-I" + REPOSITORY + "/bench/include", "-include",
                        "divcost_cuda.h", "--cuda-gpu-arch=sm_90", "--cuda-device-only",
                        "-fsyntax-only", path], check=True, stderr=subprocess.DEVNULL, timeout=300)
        yield report


def answer(*arguments):
    done = subprocess.run([DIVCOST, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=300, encoding="utf-8")
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class Agreement(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.kernels = [(report, kernel) for report in compiled(cls.folder.name)
                       for kernel in answer("report", "--json", report)["kernels"]]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_what_if_nothing_changes_nothing_does(self):
        self.assertGreater(len(self.kernels), 30)
        for report, kernel in self.kernels:
            block = ",".join(map(str, kernel["estimates"][0]["block"]))
            changed = answer("what-if", "--json", "--block", block, report)["kernels"]
            same = next(other for other in changed if other["symbol"] == kernel["symbol"])
            for key, value in kernel["estimates"][0].items():
                if key not in OF_LAUNCH:
                    self.assertEqual(same["estimates"][0][key], value, (kernel["name"], key))
            for loop, other in zip(kernel["loops"], same["loops"]):
                self.assertEqual(loop, other)

    def test_emulated_kernels_are_estimated_so(self):
        found = set()
        for report, kernel in self.kernels:
            name = kernel["name"].split("(")[0]
            if name not in EMULATED:
                continue
            found.add(name)
            estimate = kernel["estimates"][0]
            emulation = answer("emulate", report, "--kernel", kernel["symbol"], "--json")
            warps = emulation["warps"]
            self.assertEqual(estimate["efficiency"], emulation["efficiency"])
            self.assertEqual(estimate["instructions"], emulation["instructions"] / warps)
            self.assertEqual(estimate["cycles"]["total"], emulation["cycles"] / warps)
            self.assertEqual(estimate["divergent_branches"],
                             emulation["divergent_branches"] / warps)
        self.assertEqual(found, EMULATED)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
