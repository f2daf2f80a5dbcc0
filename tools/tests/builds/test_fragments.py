#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_fragments.py CLANG PLUGIN DIVCOST: what docs/builds.md says for Make and Ninja is run, and what
docs/check.md says for GitHub and pre-commit, as far as that goes without them."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
CLANG, PLUGIN, DIVCOST = map(os.path.abspath, sys.argv[1:4])
CUDA = ("-O1 -nocudainc -nocudalib --cuda-path=/nonexistent --cuda-feature=+ptx78 --cuda-gpu-arch=sm_80"
        " --cuda-gpu-arch=sm_90 -w -I%s/bench/include -include divcost_cuda.h" % REPOSITORY)
ENVIRONMENT = {**os.environ, "PATH": os.pathsep.join([
    os.path.join(HERE, "toolkit"), os.path.dirname(DIVCOST), os.environ["PATH"]])}
MANY = 12


def fragment(name, page="builds.md"):
    """The indented block that begins with '# name'."""
    with open(os.path.join(REPOSITORY, "docs", page)) as file:
        block = re.search(r"^    # %s\n((?:(?:    .*)?\n)*)" % re.escape(name), file.read(), re.M)
    return re.sub(r"^    ", "", block[1], flags=re.M)


class Fragments(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def add_source(self, name):
        with open(os.path.join(HERE, "consumer", "rows.cu")) as file:
            self.write(name + ".cu", file.read().replace("rows", name))

    def run_in_folder(self, *command):
        done = subprocess.run(command, cwd=self.folder, env=ENVIRONMENT, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def report(self):
        with open(os.path.join(self.folder, "report.txt")) as file:
            return file.read()

    def test_make_with_many_jobs_tears_no_report(self):
        self.write("Makefile", fragment("Makefile"))
        names = ["kernel%d" % k for k in range(MANY)]
        for name in names:
            self.add_source(name)
        self.run_in_folder("make", "-j8", "CXX=" + CLANG, "CUDAFLAGS=" + CUDA, "DIVCOST=" + PLUGIN)
        reports = os.path.join(self.folder, "build", "reports")
        self.assertEqual(sorted(os.listdir(reports)), sorted(name + ".json" for name in names))
        for name in names:
            with open(os.path.join(reports, name + ".json")) as file:
                unit = json.load(file)
            self.assertEqual((unit["archs"], [kernel["name"] for kernel in unit["kernels"]]),
                             (["sm_80", "sm_90"], [name + "(int const*, float*)"]))
            self.assertIn(name + "(int const*, float*)", self.report())
        self.assertIn("up to date", self.run_in_folder("make", "DIVCOST=" + PLUGIN))

    # ---- CI ------------------------------------------------------------------------------------------

    def begin_project(self):
        self.add_source("rows")
        self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(rows CXX)\n"
                   "file(GLOB sources *.cu)\nadd_library(rows ${sources})\n"
                   "set_source_files_properties(${sources} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "
                   "\"-x;cuda;%s\")\n" % CUDA.replace(" ", ";"))
        self.run_in_folder("cmake", "-S", ".", "-B", "build", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
                           "-DCMAKE_CXX_COMPILER=" + CLANG)
        self.run_in_folder(DIVCOST, "check", "-p", "build", "--plugin", PLUGIN, "--write-baseline",
                           "divcost-baseline.json")

    def status(self, command):
        done = subprocess.run(command + " --plugin " + PLUGIN if command.startswith("divcost") else command,
                              shell=True, cwd=self.folder, env={**ENVIRONMENT, "CXX": CLANG},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True,
                              timeout=300)
        return done.returncode, done.stdout

    def test_workflow(self):
        self.begin_project()
        text = fragment(".github/workflows/divergence.yml", "check.md")
        steps = [" ".join(step.split()) for step in
                 re.findall(r"^ +- run: (?:>\n)?((?:.*\n)(?: {10,}\S.*\n)*)", text, re.M)]
        self.assertEqual(len(steps), 2)
        for step in steps:
            status, printed = self.status(step)
            self.assertEqual(status, 0, printed)
        with open(os.path.join(self.folder, "divergence.sarif")) as file:
            states = {result["baselineState"] for result in json.load(file)["runs"][0]["results"]}
        self.assertEqual(states, {"unchanged"})
        self.add_source("columns")
        self.assertEqual([self.status(step)[0] for step in steps], [0, 1])

    def test_hook(self):
        self.begin_project()
        text = fragment(".pre-commit-config.yaml", "check.md")
        entry, files = (re.search(r"^ +%s: (.*)$" % key, text, re.M)[1] for key in ("entry", "files"))
        self.assertTrue(re.search(files, "rows.cu") and re.search(files, "a/rows.cuh"))
        self.assertFalse(re.search(files, "rows.cue"))
        self.assertEqual(self.status(entry + " rows.cu")[0], 0)
        with open(os.path.join(self.folder, "rows.cu"), "a") as file:
            file.write("__global__ void more(const int *n, float *x) {\n"
                       "  for (int k = 0; k < n[threadIdx.x]; ++k) x[k] += 1;\n}\n")
        status, printed = self.status(entry + " rows.cu")
        self.assertEqual(status, 1, printed)
        self.assertIn("more(", printed)

    @unittest.skipUnless(shutil.which("ninja"), "no ninja")
    def test_ninja(self):
        text = fragment("build.ninja")
        for name, value in (("cxx", CLANG), ("cudaflags", CUDA), ("divcost", PLUGIN)):
            text, count = re.subn(r"^%s = .*" % name, "%s = %s" % (name, value), text, flags=re.M)
            self.assertEqual(count, 1)
        self.write("build.ninja", text)
        for name in ("rows", "columns"):
            self.add_source(name)
        self.run_in_folder("ninja", "-j2")
        self.assertIn("rows(int const*, float*)", self.report())
        self.assertIn("columns(int const*, float*)", self.report())
        self.assertIn("no work to do", self.run_in_folder("ninja"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
