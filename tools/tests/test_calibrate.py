#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command `divcost calibrate`: on results of an H200, and on a made-up GPU.

  test_calibrate.py DIVCOST RESULTS FAKE_DRIVER_FOLDER SCHEMA LISTINGS [TEST ...]
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

DIVCOST, RESULTS, DRIVER, SCHEMA, LISTINGS = sys.argv[1:6]


def run(*arguments, **environment):
    return subprocess.run([DIVCOST, *arguments], capture_output=True, text=True,
                          env={**os.environ, **environment}, timeout=300)


FAKE_NCU = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fake_ncu.py")


def made_up_gpu(**environment):
    """The environment for it; without an ncu that this machine may have."""
    return {"LD_LIBRARY_PATH": DRIVER, "CUDA_HOME": "/nonexistent", "PATH": "/usr/bin:/bin",
            **environment}


def run_on_made_up_gpu(*arguments, **environment):
    return run("calibrate", *arguments, **made_up_gpu(**environment))


class FromRecordedResults(unittest.TestCase):
    def test_costs_and_what_they_predict_are_printed(self):
        done = run("calibrate", "--from", RESULTS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("NVIDIA H200 (sm_90", done.stdout)
        self.assertRegex(done.stdout, r"divergent branch +16\.000 \+- 0\.000")
        self.assertRegex(done.stdout, r"divergent exit of a loop +13\.000")
        self.assertRegex(done.stdout, r"double_loop +random +64 +0\.00% +0\.00% +0")

    def test_counters_of_the_h200_agree(self):
        done = run("calibrate", "--from", RESULTS)
        self.assertRegex(done.stdout, r"double_loop +paper +3 +279 +279 +26\.25 +26\.23\n")
        self.assertIn("0 of 31 launches differ in divergent branches, 0 by more than 2% in active "
                      "threads (worst: 0.08%)", done.stdout)

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
            self.assertEqual(made["predicated"]["value"], 7)
            self.assertIn("over 8 it doesn't", made["predicated"]["provenance"])
            self.assertIn("NVIDIA H200", made["divergent_exit"]["provenance"])
            listing = os.path.join(LISTINGS, "single_loop.sass")
            ours = json.loads(run("emulate", listing, "--arch", path, "--json").stdout)
            shipped = json.loads(run("emulate", listing, "--arch", "hopper", "--json").stdout)
            self.assertEqual(ours["reconvergence"], shipped["reconvergence"])
            self.assertIn("H200", ours["provenance"])

    def test_a_machine_that_the_measurements_do_not_tell_is_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("loops.tsv", "branches.tsv", "instructions.tsv"):
                os.symlink(os.path.join(RESULTS, name), os.path.join(folder, name))
            path = os.path.join(folder, "machine.tsv")
            line = "add\t132\t1\t0\t0\t1024\tcycles\t4.5\t4.5\t4.6\t5\n"
            with open(path, "w") as file:
                file.write("# NVIDIA H200 (sm_90, 132 multiprocessors)\n" + line)
            out = os.path.join(folder, "mine.json")
            done = run("calibrate", "--from", folder, "--out", out)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("The machine: not known, the measurements don't tell clock", done.stdout)
            with open(out) as file:
                self.assertNotIn("machine", json.load(file))
            with open(path, "a") as file:
                file.write(line.replace("4.6", "4.4"))
            done = run("calibrate", "--from", folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn("machine.tsv, line 3: not a measurement: add", done.stderr)

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
                made = json.load(file)
            self.assertEqual(made["displaced"]["value"], 35)
            self.assertNotIn("predicated", made)  # all its branches part
            machine = made["machine"]
            self.assertEqual(machine["device"], "made-up GPU")
            self.assertIn("made-up GPU", machine["label"])
            for name, value in (("sms", 2), ("schedulers", 4), ("l1", 30.9), ("l1_more", 2.46),
                                ("shared_more", 2), ("l2_far", 345), ("l2_more", 10.25),
                                ("dram", 671), ("dram_more", 82.1), ("l1_request", 0.908),
                                ("l2_sector", 1.571), ("dram_line_sector", 1.795), ("branch", 23.5), ("l2_write_sector", 3.41), ("dram_write_sector", 8.307),
                                ("atomic", 268), ("block_start", 527), ("l1_bytes", 216 * 1024), ("l2_bytes", 39.56e6)):
                self.assertAlmostEqual(machine[name]["value"], value, delta=0.01 * value, msg=name)
            self.assertIn("past L1", machine["l2"]["provenance"])
            self.assertRegex(done.stdout, r"dram_sector +6\.4[67]")
            # What was written is read, and is its own architecture's.
            listing = os.path.join(LISTINGS, "single_loop.sass")
            self.assertEqual(run("emulate", listing, "--arch", path).returncode, 0)

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


class WithCounters(unittest.TestCase):
    """On the made-up GPU, with a made-up ncu in the PATH, or in the toolkit."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.scratch = self.make("scratch")
        self.path = os.path.join(self.folder, "mine.json")
        os.symlink(FAKE_NCU, os.path.join(self.make("bin"), "ncu"))

    def make(self, name):
        made = os.path.join(self.folder, name)
        os.mkdir(made)
        return made

    def environment(self, asked, **more):
        return made_up_gpu(**{"PATH": os.path.join(self.folder, "bin") + ":/usr/bin:/bin",
                              "TMPDIR": self.scratch, "DIVCOST_FAKE_NCU": asked, **more})

    def calibrate(self, asked="", **more):
        done = run("calibrate", "--out", self.path, **self.environment(asked, **more))
        self.assertEqual(os.listdir(self.scratch), [], "left behind")
        return done

    def counters(self):
        with open(self.path, encoding="utf-8") as file:
            made = json.load(file)
        try:
            import jsonschema
            with open(SCHEMA, encoding="utf-8") as file:
                jsonschema.validate(made, json.load(file))
        except ImportError:
            pass
        used = run("emulate", os.path.join(LISTINGS, "single_loop.sass"), "--arch", self.path)
        self.assertEqual(used.returncode, 0, used.stderr)
        return made["counters"]

    def test_counters_that_agree_are_printed_and_kept(self):
        done = self.calibrate()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"single_loop +paper +3 +9 +9 +28\.99 +28\.99\n")
        self.assertRegex(done.stdout, r"double_loop +shares +8 +279 +279 ")
        self.assertIn("0 of 31 launches differ in divergent branches", done.stdout)
        launches = self.counters()["launches"]
        self.assertEqual(len(launches), 31)
        self.assertIn({"kernel": "if_128", "lanes": "skip", "parameter": 16,
                       "divergent_branches": 3, "predicted_branches": 3, "active_threads": 18.09,
                       "predicted_threads": 18.088}, launches)

    def test_ncu_profiles_this_program_with_a_home_of_its_own(self):
        words = os.path.join(self.folder, "words")
        self.assertEqual(self.calibrate(DIVCOST_FAKE_NCU_ARGUMENTS=words).returncode, 0)
        with open(words, encoding="utf-8") as file:
            words = file.read().split("\n")
        self.assertEqual(words[-4:-1], [os.path.realpath(DIVCOST), "calibrate", "--for-ncu"])
        self.assertIn("smsp__sass_branch_targets_threads_divergent.sum",
                      words[words.index("--metrics") + 1].split(","))
        self.assertTrue(words[-1].startswith(self.scratch + "/"), words[-1])

    def test_ncu_is_found_in_the_toolkit_too(self):
        for name in ("CUDA_HOME", "CUDA_PATH"):
            environment = self.environment("", PATH="/usr/bin:/bin")
            del environment["CUDA_HOME"]
            plain = {k: v for k, v in os.environ.items() if not k.startswith("CUDA_")}
            done = subprocess.run([DIVCOST, "calibrate"], env={
                **plain, **environment, name: self.folder}, capture_output=True, text=True,
                timeout=300, check=True)
            self.assertIn("0 of 31 launches differ", done.stdout)

    def test_no_file_comes_from_a_gpu_that_counts_other_branches(self):
        done = self.calibrate("branches")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"single_loop +paper +2 +7 +6 .* branches differ\n")
        self.assertIn("in 1 of 31 launches this GPU's counters have other divergent branches",
                      done.stderr)
        self.assertFalse(os.path.exists(self.path))

    def test_other_active_threads_are_marked_and_kept(self):
        done = self.calibrate("threads")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"single_loop +paper +2 .* threads differ\n")
        self.assertIn("1 by more than 2% in active threads (worst: 33.20%)", done.stdout)
        self.assertEqual([item["active_threads"] for item in self.counters()["launches"]][5], 22.49)

    def test_what_can_not_be_counted_is_not_measured(self):
        for asked, why in (("permission", "(ERR_NVGPUCTRPERM): run as root"),
                           ("error", "ncu: Failed to prepare kernel for profiling"),
                           ("fails", "ncu ended with status 3"),
                           ("garbage", "ncu printed no table"),
                           ("endless", "ncu: it prints more than 4 MiB")):
            done = self.calibrate(asked)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("Hardware counters: not measured: ", done.stdout)
            self.assertIn(why, done.stdout)
            self.assertIn(why, self.counters()["not_measured"])

    def test_without_ncu_nothing_is_measured(self):
        done = self.calibrate(PATH="/usr/bin:/bin")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("not measured: NVIDIA's profiler ncu is neither in the PATH", done.stdout)
        self.assertIn("ncu", self.counters()["not_measured"])

    def test_who_interrupts_it_ends_ncu_too_and_nothing_is_left(self):
        process = subprocess.Popen([DIVCOST, "calibrate", "--out", self.path],
                                   env={**os.environ, **self.environment("hangs")},
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not os.listdir(self.scratch):
            time.sleep(0.01)
        time.sleep(0.5)
        process.terminate()
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertEqual(os.listdir(self.scratch), [])
        self.assertFalse(os.path.exists(self.path))

    def test_recorded_counters_are_compared_as_fresh_ones(self):
        with tempfile.TemporaryDirectory() as results:
            for name in ("loops", "branches", "instructions"):
                os.symlink(os.path.abspath(os.path.join(RESULTS, name + ".tsv")),
                           os.path.join(results, name + ".tsv"))
            done = run("calibrate", "--from", results)
            self.assertIn("not measured: no '" + results + "/counters.csv'", done.stdout)
            ratio = "smsp__thread_inst_executed_per_inst_executed.ratio"
            for asked, status, said in (
                    ("", 0, "0 of 31 launches differ in divergent"),
                    ("branches", 1, "1 of 31 launches differ in divergent"),
                    ("short", 0, "not measured: ncu's table has 30 launches, not 31"),
                    ("n/a", 0, f"not measured: ncu's table has 'n/a' as {ratio} of launch 6"),
                    ("other", 0, "table has 'saxpy(float)' as launch 6, not single_loop"),
                    ("column", 0, f"not measured: ncu's table has no column '{ratio}'")):
                table = subprocess.run([FAKE_NCU, DIVCOST, "calibrate", "--for-ncu"], text=True,
                                       capture_output=True, check=True, env={
                                           **os.environ, **self.environment(asked),
                                           "HOME": self.folder})
                with open(os.path.join(results, "counters.csv"), "w", encoding="utf-8") as file:
                    file.write(table.stdout)
                done = run("calibrate", "--from", results)
                self.assertEqual(done.returncode, status)
                self.assertIn(said, done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[6:])
