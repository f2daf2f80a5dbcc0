#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_check.py DIVCOST SAMPLES: `divcost check`, with a script in place of clang and the plugin."""
import collections
import fcntl
import glob
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

DIVCOST, SAMPLES = map(os.path.abspath, sys.argv[1:3])
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "tests"))
from pseudo_terminal import on_terminal # noqa: E402
FAKE = os.path.join(HERE, "fake_clang.sh")


class Project(unittest.TestCase):
    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.build = os.path.join(self.folder, "build")
        self.log = os.path.join(self.folder, "log")
        os.mkdir(self.build)
        os.mkdir(os.path.join(self.folder, "include"))
        self.write("include/rows.h", "// first\n")
        self.write("plugin.so", "a plugin")
        self.entries = []
        self.environment = {**os.environ, "FAKE_LOG": self.log,
                            "FAKE_REPORT": os.path.join(SAMPLES, "sample.json")}

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(text)

    def add(self, name, text="", command="nvcc -arch=sm_90 -c ../%s -o x.o"):
        self.write(name, text)
        self.entries.append({"directory": self.build, "file": "../" + name,
                             "command": command % name if "%s" in command else command})
        self.write("build/compile_commands.json", json.dumps(self.entries))

    def words(self, arguments):
        return [DIVCOST, "check", "--clang", FAKE, "--plugin",
                os.path.join(self.folder, "plugin.so"), *arguments]

    def let_files_age(self):
        """What is written less than 10 ms before a run may have been written during it."""
        time.sleep(0.03)

    def check(self, *arguments, status=0):
        self.let_files_age()
        done = subprocess.run(self.words(["-p", "build", *arguments]), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, universal_newlines=True, timeout=120,
                              cwd=self.folder, env=self.environment)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def compiled(self):
        """How often each file was compiled; forgotten afterwards."""
        if not os.path.exists(self.log):
            return {}
        with open(self.log) as file:
            counts = collections.Counter(line.strip().replace("../", "") for line in file)
        os.remove(self.log)
        return dict(counts)

    def records(self):
        return len(glob.glob(self.build + "/divcost-check/*.record"))


class Ptxas(Project):
    NVCC = """#!/bin/sh
for word; do
  echo "$word" >>"$FAKE_LOG.nvcc"
  [ "$before" = -o ] && echo an object >"$word"
  before=$word
done
%s
"""
    SAYS = ("echo \"ptxas info    : Compiling entry function '_Z1aPf' for 'sm_90'\"\n"
            "echo 'ptxas info    : Used 42 registers'")

    def report_has_registers(self):
        with open(os.path.join(SAMPLES, "sample.json")) as file:
            report = json.load(file)
        for kernel in report["kernels"]:
            kernel["skeleton"]["resources"] = {"shared": 0, "registers": {"sm_90": 42}}
        self.write("report.json", json.dumps(report))
        self.environment["FAKE_REPORT"] = os.path.join(self.folder, "report.json")

    def make_nvcc(self, does):
        self.write("nvcc", self.NVCC % does)
        os.chmod(os.path.join(self.folder, "nvcc"), 0o755)

    def add_unit(self, options=""):
        self.add("a.cu", command="../nvcc -arch=sm_90 -MD -MF x.d %s -c ../%%s -o x.o" % options)

    def read(self, ending):
        with open(self.log + ending) as file:
            return file.read()

    def test_the_build_compiles_and_the_plugin_gets_what_ptxas_said(self):
        self.make_nvcc(self.SAYS)
        self.report_has_registers()
        self.add_unit("-O3 -DX=1 -Xcompiler -MMD,-MF,y.d -Xcompiler -Wall")
        done = self.check("--with-ptxas")
        self.assertNotIn("estimated", done.stderr)
        words = self.read(".nvcc").split()
        self.assertEqual(words[:-1], ["-arch=sm_90", "-O3", "-DX=1", "-Xcompiler", "-Wall", "../a.cu", "-Xptxas=-v", "-c", "-o"])
        self.assertFalse(os.path.exists(words[-1]), "the object is left")
        self.assertEqual(os.listdir(self.build + "/divcost-check/running"), [])
        self.assertFalse(os.path.exists(os.path.join(self.build, "x.d")))
        self.assertIn("Used 42 registers", self.read(".ptxas"))
        os.remove(self.log + ".nvcc")
        self.check("--with-ptxas") # what is kept holds
        self.assertFalse(os.path.exists(self.log + ".nvcc"))
        self.check() # and isn't that of a run without
        self.assertEqual(self.compiled(), {"a.cu": 2})

    def test_architectures_and_separate_compilation(self):
        self.make_nvcc(self.SAYS)
        self.add("a.cu", command="../nvcc -gencode arch=compute_70,code=sm_70 -dc ../%s -o x.o")
        self.check("--with-ptxas", "--arch", "sm_80,sm_90a")
        self.assertEqual(self.read(".nvcc").split()[:-1],
                         ["../a.cu", "-gencode=arch=compute_80,code=sm_80",
                          "-gencode=arch=compute_90a,code=sm_90a", "-Xptxas=-v", "-dc", "-o"])

    def test_a_build_that_fails_leaves_an_estimate(self):
        self.make_nvcc("echo 'a.cu(3): error: no such thing'; exit 2")
        self.add_unit()
        done = self.check("--with-ptxas")
        self.assertIn("divcost: a.cu: registers are estimated: compiling it as its build does ended with "
                      "status 2: a.cu(3): error: no such thing\n", done.stderr)
        self.assertFalse(os.path.exists(self.log + ".ptxas"))
        self.assertIn("in 1 of 1 file", done.stderr)
        self.make_nvcc(self.SAYS) # mended: an estimate isn't kept
        self.report_has_registers()
        self.assertNotIn("estimated", self.check("--with-ptxas").stderr)

    def test_what_nvcc_calls_fatal_and_options_in_a_file(self):
        self.make_nvcc("echo 'nvcc fatal   : Unsupported gpu architecture'; exit 1")
        self.add_unit()
        self.assertIn("ended with status 1: nvcc fatal   : Unsupported gpu architecture\n",
                      self.check("--with-ptxas").stderr)
        self.write("build/more.txt", "-MD -MF z.d")
        self.entries.clear()
        self.add_unit("-optf more.txt")
        self.assertIn("registers are estimated: nvcc's options are in a file",
                      self.check("--with-ptxas").stderr)

    def test_no_kernels_and_no_nvcc(self):
        self.make_nvcc("true")
        self.add_unit()
        self.assertIn("divcost: a.cu: registers of 3 of 3 kernels are estimated: ptxas says nothing of them\n",
                      self.check("--with-ptxas").stderr)
        self.assertFalse(os.path.exists(self.log + ".ptxas"))
        os.remove(os.path.join(self.folder, "nvcc"))
        self.write("a.cu", "changed")
        self.assertIn("divcost: a.cu: registers are estimated: cannot start '../nvcc'",
                      self.check("--with-ptxas").stderr)


class Units(Project):
    def test_findings_are_in_the_order_of_the_build_and_those_of_a_header_are_shown_once(self):
        for number in range(8):
            self.add("u%d.cu" % number, "HEADER OWN" + " SLOW" * (number == 0))
        done = self.check("-j", "4")
        self.assertEqual(re.findall(r"^(\S+):2:3: warning", done.stdout, re.M),
                         ["u%d.cu" % number for number in range(8)])
        self.assertEqual(done.stdout.count("include/rows.h:6:3: warning"), 1)
        self.assertEqual(done.stdout.count("note: because"), 1)
        self.assertTrue(done.stdout.startswith("In file included from u0.cu:1:\n"
                                               "include/rows.h:6:3: warning: loop runs"))
        self.assertNotIn("generated", done.stdout)
        self.assertEqual(done.stderr, "divcost: 9 findings in 8 of 8 files, 7 more of the same in "
                                      "other files\n")

    def test_a_header_is_the_same_by_whatever_path(self):
        self.add("a.cu", "HEADER")
        self.add("b.cu", "HEADER")
        self.entries[1]["directory"] += "/../build/" # ../include/rows.h is from there
        self.write("build/compile_commands.json", json.dumps(self.entries))
        self.assertEqual(self.check().stdout.count("rows.h:6:3: warning"), 1)

    def test_what_is_not_cuda_is_left_out_and_equal_entries_are_one(self):
        self.add("a.cu")
        self.entries.append(dict(self.entries[0]))
        self.add("b.cpp", command="g++ -c ../%s")
        self.add("c.cpp", command="nvcc -x cu -c ../%s")
        done = self.check()
        self.assertEqual(self.compiled(), {"a.cu": 1, "c.cpp": 1})
        self.assertIn("in 2 of 2 files; 1 that is not CUDA left out\n", done.stderr)

    def test_named_files_only_and_headers_as_the_file_nearest_to_them(self):
        self.add("a.cu")
        self.add("b.cu", command="nvcc -DB -arch=sm_90 -c ../%s")
        self.write("b.cuh", "")
        self.check("b.cu", "b.cuh")
        self.assertEqual(sorted(self.compiled()), [self.folder + "/b.cuh", "b.cu"])
        self.add("host.cpp", command="g++ -c ../%s")
        self.assertIn("host.cpp: is not compiled as CUDA code",
                      self.check("host.cpp", status=1).stderr)
        self.assertIn("gone.cu: No such file", self.check("gone.cu", status=1).stderr)

    def test_options_of_nvcc_that_are_not_known_are_said_once(self):
        for number in range(3):
            self.add("u%d.cu" % number, command="nvcc --shiny=%d -c ../%%s" % number)
        done = self.check()
        self.assertIn("divcost: left out, since these options of nvcc are not known: --shiny "
                      "(3 files)\n", done.stderr)

    def test_each_way_to_fail_has_its_message_and_the_others_go_on(self):
        kinds = ["CRASH", "BROKEN", "GARBAGE", "SILENT", "STUCK", "OK", "FLOOD"]
        for kind in kinds:
            self.add(kind.lower() + ".cu", kind + " OWN")
        os.remove(os.path.join(self.folder, "ok.cu"))
        self.add("last.cu", "OWN")
        self.add("nowhere.cu", command="ccache")
        done = self.check("--timeout", "2", "--fail-on", "imbalance=32", status=1)
        said = dict(re.findall(r"^  (\w+)\.cu: (.*)$", done.stderr, re.M))
        self.assertEqual(said["crash"], "the compiler was ended by signal 11 (Segmentation fault)")
        self.assertEqual(said["broken"], "doesn't compile")
        self.assertIn("the compiler left a report that cannot be read: line 1", said["garbage"])
        self.assertEqual(said["silent"], "the compiler left no report: No such file or directory")
        self.assertEqual(said["stuck"], "the compiler was stopped after 2 s (--timeout)")
        self.assertEqual(said["ok"], "doesn't compile")
        self.assertIn("names no compiler", said["nowhere"])
        self.assertEqual(len(said), 7)
        self.assertIn("broken.cu:1:1: error: this is broken\n", done.stderr)
        self.assertIn("last.cu:2:3: warning", done.stdout)
        self.assertLess(len(done.stdout), 3000) # of the flood's 20 MB
        self.assertIn("1 finding in 2 of 9 files", done.stderr)

    def test_a_plugin_for_another_compiler_is_said_once_and_ends_the_run(self):
        for number in range(30):
            self.add("u%d.cu" % number, "OTHER")
        done = self.check("-j", "1", status=1)
        self.assertEqual(done.stderr.count("\n"), 1)
        self.assertIn("the plugin and the compiler are of different versions of LLVM", done.stderr)
        self.assertEqual(len(self.compiled()), 1)

    def test_more_flags_go_to_every_compiler(self):
        self.add("a.cu")
        self.check()
        self.assertEqual(self.compiled(), {"a.cu": 1})
        self.check("--", "-DMORE")
        self.assertEqual(len(self.compiled()), 1) # another command

    def test_progress_is_for_terminals(self):
        for number in range(4):
            self.add("u%d.cu" % number, "SLOW OWN")

        def check(*options):
            return on_terminal(self.words(["-p", "build", "-j", "2", *options]), 50, ("stderr",),
                               stdout=subprocess.DEVNULL, cwd=self.folder,
                               env={**self.environment, "TERM": "xterm"})
        self.assertEqual(check("--quiet", "--results", "elsewhere"), (0, ""))
        status, text = check()
        self.assertEqual(status, 0)
        self.assertIn("\r\033[K[0/4] u0.cu u1.cu", text)
        self.assertTrue(text.endswith("\r\033[Kdivcost: 4 findings in 4 of 4 files\r\n"), text)


class Kept(Project):
    def test_what_has_not_changed_is_not_analysed_again_but_shown(self):
        for number in range(5):
            self.add("u%d.cu" % number, "OWN" + " HEADER" * (number < 3))
        first = self.check()
        self.assertEqual(len(self.compiled()), 5)
        second = self.check()
        self.assertEqual(self.compiled(), {})
        self.assertEqual(second.stdout, first.stdout)
        self.assertIn("; 5 unchanged since an earlier run\n", second.stderr)

        self.write("u4.cu", "OWN CHANGED")
        self.check()
        self.assertEqual(self.compiled(), {"u4.cu": 1})
        self.write("include/rows.h", "// second\n")
        self.check()
        self.assertEqual(self.compiled(), {"u0.cu": 1, "u1.cu": 1, "u2.cu": 1})
        os.utime(os.path.join(self.folder, "include", "rows.h")) # the same bytes
        self.check()
        self.assertEqual(self.compiled(), {})
        self.entries[1]["command"] = "nvcc -DNEW -arch=sm_90 -c ../u1.cu"
        self.write("build/compile_commands.json", json.dumps(self.entries))
        self.check()
        self.assertEqual(self.compiled(), {"u1.cu": 1})
        self.write("plugin.so", "another plugin")
        self.check()
        self.assertEqual(len(self.compiled()), 5)

    def test_damaged_results_are_made_again(self):
        self.add("a.cu")
        self.check()
        self.compiled()
        for ending, damage in ((".json", "{}"), (".record", "{"), (".record", "[]"), (".json", None)):
            path, = glob.glob(self.build + "/divcost-check/*" + ending)
            if damage is None:
                os.remove(path)
            else:
                self.write(os.path.relpath(path, self.folder), damage)
            self.check()
            self.assertEqual(self.compiled(), {"a.cu": 1}, ending)

    def test_results_of_files_that_left_the_build_go(self):
        self.add("a.cu")
        self.add("b.cu")
        self.check()
        self.entries.pop()
        self.write("build/compile_commands.json", json.dumps(self.entries))
        self.check("a.cu") # a part of the build says nothing about the rest
        self.assertEqual(self.records(), 2)
        self.check()
        self.assertEqual(self.records(), 1)

    def test_files_of_others_in_the_folder_for_results_stay(self):
        self.add("a.cu")
        self.add("b.cu")
        os.mkdir(os.path.join(self.build, "running"))
        others = ["package.json", "a.record", "notes-1.json", "-0123456789abcdef",
                  "lock", "running/daemon.json"]
        for name in others:
            self.write("build/" + name, "mine")
        self.check("--results", "build")
        self.entries.pop()
        self.write("build/compile_commands.json", json.dumps(self.entries))
        self.check("--results", "build")
        self.assertEqual(len(glob.glob(self.build + "/*.record")), 2) # a.cu's and the other one
        for name in others:
            with open(os.path.join(self.build, name)) as file:
                self.assertEqual(file.read(), "mine", name)
        self.check("--results", "build") # compile_commands.json is there, too

    def test_a_file_that_fails_is_tried_again(self):
        self.add("a.cu", "BROKEN")
        self.check(status=1)
        self.check(status=1)
        self.assertEqual(self.compiled(), {"a.cu": 2})

    def test_two_runs_in_one_folder_do_not_meet(self):
        self.add("a.cu", "SLOW SLOW")
        with open(os.path.join(self.folder, "held"), "w"):
            self.check()
            with open(self.build + "/divcost-check/lock") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                done = self.check(status=1)
        self.assertIn("another run of divcost check uses", done.stderr)

    def stopped(self, how):
        """Starts a run of 40 files, stops it half-way; its exit status, and how many are kept."""
        for number in range(40):
            self.add("u%02d.cu" % number, "OWN")
        process = subprocess.Popen(self.words(["-p", "build", "-j", "2"]), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, cwd=self.folder, env=self.environment,
                                   universal_newlines=True)
        while self.records() < 15 and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(how)
        text = process.communicate()[1]
        if how == signal.SIGKILL: # nobody ends the compilers then but they themselves
            self.all_end(60)
        return process.returncode, self.records(), text

    def running(self):
        """Whether any compiler is, or is about to: a child has the folder before it has a name."""
        for path in glob.glob("/proc/[0-9]*"):
            try:
                with open(path + "/cmdline", errors="replace") as file:
                    if self.folder in file.read():
                        return True
                if os.readlink(path + "/cwd").startswith(self.folder):
                    return True
            except OSError: # it has ended
                pass
        return False

    def all_end(self, seconds):
        """Waits for compilers to end: one that was killed takes a moment, too."""
        until = time.monotonic() + seconds
        while self.running() and time.monotonic() < until:
            time.sleep(0.01)
        return not self.running()

    def resumed(self, kept):
        """Nothing is lost, nothing done twice."""
        self.assertGreaterEqual(kept, 15)
        self.assertLess(kept, 40)
        before = self.compiled()
        self.assertLessEqual(sum(before.values()), kept + 2) # two were at work
        done = self.check()
        self.assertEqual(sum(self.compiled().values()), 40 - kept)
        self.assertIn("40 findings in 40 of 40 files; %d unchanged" % kept, done.stderr)
        self.assertEqual(os.listdir(self.build + "/divcost-check/running"), [])

    def test_a_killed_run_goes_on(self):
        status, kept, _ = self.stopped(signal.SIGKILL)
        self.assertEqual(status, -signal.SIGKILL)
        self.resumed(kept)

    def test_an_interrupted_run_kills_its_compilers_and_goes_on(self):
        self.add("slow.cu", "STUCK")
        status, kept, text = self.stopped(signal.SIGINT)
        self.assertEqual(status, 130)
        self.assertIn("divcost: stopped (Interrupt) with %d of 41 files done; the same command goes "
                      "on from here\n" % kept, text)
        self.assertTrue(self.all_end(10))
        self.entries.pop(0)
        self.write("build/compile_commands.json", json.dumps(self.entries))
        self.compiled()
        self.resumed(kept)


class Gate(Project):
    def test_findings_and_failures_decide_about_the_status(self):
        self.add("a.cu", "OWN")
        self.check()
        done = self.check("--fail-on", "any", status=1)
        self.assertIn("fail by --fail-on", done.stderr)
        self.check("--write-baseline", "known.json")
        self.check("--fail-on", "any", "--baseline", "known.json")
        self.add("b.cu", "BROKEN")
        self.check("--fail-on", "any", "--baseline", "known.json", status=1)

    def test_a_baseline_keeps_what_it_has_of_files_that_fail(self):
        self.keeps_what_it_has_of_a_failed_file("of_b()")

    def test_a_failed_file_may_have_a_kernel_with_the_name_of_another_files(self):
        with open(os.path.join(SAMPLES, "sample.json")) as file:
            self.keeps_what_it_has_of_a_failed_file(json.load(file)["kernels"][0]["name"])

    def keeps_what_it_has_of_a_failed_file(self, kernel):
        entry = {"file": "b.cu", "rule": "imbalance", "fingerprint": "00000000000000b1",
                 "kernel": kernel, "message": "known"}
        def rewritten(status):
            self.write("known.json", json.dumps({"divcost-baseline": 1, "findings": [entry]}))
            self.check("--write-baseline", "known.json", status=status)
            with open(os.path.join(self.folder, "known.json")) as file:
                return json.load(file)["findings"]
        self.add("a.cu")
        self.add("b.cu", "BROKEN")
        self.assertIn(entry, rewritten(1))
        self.write("b.cu", "")
        self.assertNotIn(entry, rewritten(0))

    def test_reports_go_by_the_names_of_their_files(self):
        self.add("a.cu")
        self.add("b.cu")
        self.check("--report", "all.json", "--report", "all.txt", "--report", "all.sarif")
        with open(os.path.join(self.folder, "all.json")) as file:
            self.assertEqual(json.load(file)["divcost"], 1)
        with open(os.path.join(self.folder, "all.sarif")) as file:
            self.assertEqual(json.load(file)["version"], "2.1.0")
        with open(os.path.join(self.folder, "all.txt")) as file:
            text = file.read()
        self.assertIn("sparse.cu", text)
        self.assertEqual(self.check("--report", "-").stdout, text)

    def test_a_report_that_has_no_place_is_refused_before_the_analysis(self):
        self.add("a.cu")
        self.write("kept.json", "kept")
        self.assertIn("divcost: none/all.json: No such file",
                      self.check("--report", "kept.json", "--report", "none/all.json",
                                 status=1).stderr)
        self.assertIn("divcost: none/known.json: No such file",
                      self.check("--write-baseline", "none/known.json", status=1).stderr)
        os.mkdir(os.path.join(self.folder, "folder.json"))
        self.assertIn("divcost: folder.json: Is a directory",
                      self.check("--report", "folder.json", status=1).stderr)
        self.assertEqual(self.compiled(), {})
        with open(os.path.join(self.folder, "kept.json")) as file:
            self.assertEqual(file.read(), "kept")


class Usage(Project):
    def test_wrong_usage_is_status_2(self):
        self.add("a.cu")
        for arguments, words in ((["-j", "0"], "-j takes a number from 1 to 256, not '0'"),
                                 (["--timeout", "x"], "--timeout takes seconds"),
                                 (["--arch", "90"], "--arch takes architectures"),
                                 (["--report", "x.pdf"], "no format of reports goes by the name"),
                                 (["--jobs", "2"], "unknown option '--jobs'"),
                                 (["--reprot", "x.txt"], "did you mean '--report'? See divcost check --help"),
                                 (["--results"], "a value is missing after '--results'"),
                                 (["--fail-on", "nothing"], "nothing")):
            self.assertIn(words, self.check(*arguments, status=2).stderr)
        done = subprocess.run([DIVCOST, "check"], stderr=subprocess.PIPE, universal_newlines=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("check needs a file, or -p", done.stderr)

    def test_builds_that_are_none(self):
        for text, words in (("[]", "has no entry"), ("[{]", "line 1, column 3"),
                            ("{}", "is not a compilation database")):
            self.write("build/compile_commands.json", text)
            self.assertIn(words, self.check(status=1).stderr)
        self.add("a.cpp", command="g++ -c ../%s")
        self.assertIn("none of its files is CUDA code", self.check(status=1).stderr)
        os.remove(self.build + "/compile_commands.json")
        self.assertIn("CMAKE_EXPORT_COMPILE_COMMANDS", self.check(status=1).stderr)

    def test_files_without_a_build_leave_nothing_behind(self):
        self.write("alone.cu", "OWN")
        temporary = os.path.join(self.folder, "temporary")
        os.mkdir(temporary)
        done = subprocess.run(self.words(["alone.cu", "--", "-DX"]), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, cwd=self.folder,
                              env={**self.environment, "TMPDIR": temporary})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(b"alone.cu:2:3: warning: own loop ?", done.stdout) # no UTF-8 in it
        self.assertEqual(os.listdir(temporary), [])

    def test_a_report_that_nobody_takes_can_be_interrupted(self):
        self.write("alone.cu", "OWN")
        temporary = os.path.join(self.folder, "temporary")
        os.mkdir(temporary)
        os.mkfifo(self.folder + "/nobody.json")
        for how in (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT):
            process = subprocess.Popen(self.words(["--report", "nobody.json", "alone.cu", "--", "-DX"]),
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                       cwd=self.folder, env={**self.environment, "TMPDIR": temporary})
            self.assertIn(b"1 finding in 1 of 1 file", process.stderr.readline())
            process.send_signal(how)
            process.communicate(timeout=20)
            self.assertEqual(process.returncode, -how)
            self.assertEqual(os.listdir(temporary), [])

    def test_a_file_that_is_checked_alone_leaves_the_results_of_others(self):
        for name in ("a.cu", "b.cu"):
            self.write(name, "")
        self.let_files_age()
        for names in (["a.cu", "b.cu"], ["a.cu"], ["a.cu", "b.cu"]):
            done = subprocess.run(self.words(["--results", "kept", *names, "--", "-DX"]),
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder,
                                  env=self.environment)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.compiled(), {"a.cu": 1, "b.cu": 1})

    def test_commands_are_printed_for_a_shell(self):
        self.add("a b.cu", command="nvcc -arch=sm_90 -use_fast_math '-DNAME=x y' -c '../%s' -o x.o")
        done = self.check("--print-command", "--", "-DLAST")
        self.assertEqual(self.compiled(), {})
        words = shlex.split(done.stdout)
        self.assertEqual(words[:4], ["cd", self.build, "&&", FAKE])
        self.assertLessEqual({"-fgpu-approx-transcendentals", "-DNAME=x y", "--cuda-gpu-arch=sm_90", "-DLAST",
                              "../a b.cu"}, set(words))

    def test_quiet_leaves_findings_and_failures(self):
        self.add("a.cu", "OWN")
        self.add("broken.cu", "BROKEN")
        loud = self.check(status=1)
        for option in ("-q", "--quiet"):
            quiet = self.check(option, status=1)
            self.assertEqual(quiet.stdout, loud.stdout)
            self.assertRegex(quiet.stdout, r"a\.cu:2:3: warning")
            self.assertIn("broken.cu", quiet.stderr)
            self.assertNotIn("finding", quiet.stderr)
        self.assertIn("divcost: 1 finding in 1 of 2 files; 1 unchanged since an earlier run\n",
                      self.check(status=1).stderr)

    def test_help_has_all_options(self):
        done = subprocess.run([DIVCOST, "check", "--help"], stdout=subprocess.PIPE,
                              universal_newlines=True)
        self.assertEqual(done.returncode, 0)
        for option in ("-p", "-j", "--arch", "--report", "--results", "--timeout", "--clang",
                       "--plugin", "--print-command", "-q", "--only-new", "--fail-on", "--baseline", "--write-baseline",
                       "--all-instances", "--system-headers", "--help"):
            self.assertRegex(done.stdout, r"(?m)^  %s\b" % option)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 95)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
