#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command `divcost calibrate`: on results of an H200, and on a made-up GPU.

  test_calibrate.py DIVCOST RESULTS FAKE_DRIVER_FOLDER SCHEMA LISTINGS
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

DIVCOST, RESULTS, DRIVER, SCHEMA, LISTINGS = sys.argv[1:6]


def run(*arguments, **environment):
    return subprocess.run([DIVCOST, *arguments], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=300)


def run_on_made_up_gpu(*arguments, **environment):
    return run("calibrate", *arguments, LD_LIBRARY_PATH=DRIVER, **environment)


class FromRecordedResults(unittest.TestCase):
    def test_costs_and_what_they_predict_are_printed(self):
        done = run("calibrate", "--from", RESULTS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("NVIDIA H200 (sm_90", done.stdout)
        self.assertRegex(done.stdout, r"divergent branch +16\.000 \+- 0\.000")
        self.assertRegex(done.stdout, r"divergent exit of a loop +13\.000")
        self.assertRegex(done.stdout, r"double_loop +random +64 +0\.00% +0\.00% +0")

    def test_the_file_is_valid_and_can_be_used(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.json")
            self.assertEqual(run("calibrate", "--from", RESULTS, "--out", path).returncode, 0)
            self.assertEqual(os.listdir(folder), ["mine.json"])
            with open(path) as file:
                made = json.load(file)
            try:
                import jsonschema
                with open(SCHEMA) as file:
                    jsonschema.validate(made, json.load(file))
            except ImportError:
                pass
            self.assertEqual(made["divergent_exit"]["value"], 13)
            self.assertIn("NVIDIA H200", made["divergent_exit"]["provenance"])
            listing = os.path.join(LISTINGS, "single_loop.sass")
            ours = json.loads(run("emulate", listing, "--arch", path, "--json").stdout)
            shipped = json.loads(run("emulate", listing, "--arch", "hopper", "--json").stdout)
            self.assertEqual(ours["reconvergence"], shipped["reconvergence"])
            self.assertIn("H200", ours["provenance"])

    def test_what_is_no_file_is_written_to(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "pipe")
            os.mkfifo(path)
            reader = subprocess.Popen(["cat", path], stdout=subprocess.PIPE, text=True)
            self.assertEqual(run("calibrate", "--from", RESULTS, "--out", path).returncode, 0)
            self.assertEqual(json.loads(reader.communicate()[0])["divcost_arch"], 1)

    def test_what_is_wrong_is_said(self):
        done = run("calibrate", "--from", "/nonexistent")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot read '/nonexistent/loops.tsv'", done.stderr)
        for arguments, what in ((["--form", "x"], "unknown option '--form'"),
                                (["--out"], "a value is missing after '--out'"),
                                (["--build", "nvcc"], "--build goes with --from"),
                                (["--from", RESULTS, "--build", "icc"], "must be clang or nvcc")):
            done = run("calibrate", *arguments)
            self.assertEqual(done.returncode, 2)
            self.assertIn(what, done.stderr)
        done = run("calibrate", "--from", RESULTS, "--out", "/nonexistent/x.json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/nonexistent/x.json", done.stderr)


class OnAGpu(unittest.TestCase):
    def test_a_made_up_gpu_is_measured(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mine.json")
            done = run_on_made_up_gpu("--out", path)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("made-up GPU (sm_90, 2 multiprocessors), driver for CUDA 13.0", done.stdout)
            with open(path) as file:
                self.assertEqual(json.load(file)["displaced"]["value"], 35)

    def test_no_file_comes_from_noise(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run_on_made_up_gpu("--out", os.path.join(folder, "x"), DIVCOST_FAKE_NOISE="1")
            self.assertEqual(done.returncode, 1)
            self.assertIn("the GPU was disturbed", done.stderr)
            self.assertEqual(os.listdir(folder), [])

    def test_without_a_gpu_there_is_a_clear_error(self):
        done = run_on_made_up_gpu(DIVCOST_FAKE_NO_GPU="1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no GPU that it can use", done.stderr)
        self.assertIn("kepler, maxwell or hopper", done.stderr)
        done = run_on_made_up_gpu(DIVCOST_FAKE_REFUSES="1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("launching a kernel: unspecified launch failure", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
