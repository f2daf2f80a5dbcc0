#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_check_plugin.py DIVCOST CLANG REPOSITORY: `divcost check` with clang and the plugin, on a
project of a hundred translation units."""
import glob
import json
import lzma
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True # in the source tree
import make_project

DIVCOST, CLANG, REPOSITORY = map(os.path.abspath, sys.argv[1:4])
PLUGIN = os.path.join(os.path.dirname(DIVCOST), "..", "pass", "divcost.so")
KERNELS, INCLUDE = (os.path.join(REPOSITORY, "bench", name) for name in ("kernels", "include"))


class Project(unittest.TestCase):
    def setUp(self):
        self.folder = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.project = os.path.join(self.folder, "project")
        self.build = os.path.join(self.project, "build")
        self.log = os.path.join(self.folder, "log")
        self.wrapper = os.path.join(self.folder, "clang++")
        with open(self.wrapper, "w") as file:
            file.write('#!/bin/sh\necho x >>%s\nexec %s "$@"\n' % (self.log, CLANG))
        os.chmod(self.wrapper, 0o755)

    def start(self, *arguments):
        return subprocess.Popen([DIVCOST, "check", "--clang", self.wrapper, "-p", self.build,
                                 *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                universal_newlines=True)

    def check(self, *arguments, status=0):
        process = self.start(*arguments)
        out, error = process.communicate()
        self.assertEqual(process.returncode, status, out + error)
        return out, error

    def compilations(self):
        if not os.path.exists(self.log):
            return 0
        with open(self.log) as file:
            return len(file.readlines())

    def kept(self):
        return len(glob.glob(self.build + "/divcost-check/*.record"))

    def stop_at(self, count, how):
        """Stops a run when `count` units are done; gives how many are."""
        process = self.start("-j", "2")
        while self.kept() < count and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(how)
        process.communicate()
        self.assertIn(process.returncode, (-how, 128 + how))
        return self.kept()


LOOP = """#pragma once
template <int K> __global__ void %s(const int *n, float *x) {
  float s = x[threadIdx.x];
#pragma divcost trips(geometric(0.02))
  for (int k = 0; k < n[threadIdx.x]; ++k)
    s = s * K + 1;
  x[threadIdx.x] = s;
}
"""


class OnlyNew(Project):
    def write(self, name, text):
        with open(os.path.join(self.project, name), "w") as file:
            file.write(text)

    def setUp(self):
        super().setUp()
        os.makedirs(self.build)
        self.write("old.h", LOOP % "old")
        self.write("a.cu", '#include "old.h"\ntemplate __global__ void old<1>(const int *, float *);\n')
        arguments = [CLANG, "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80", "-I" + INCLUDE,
                     "-include", "divcost_cuda.h", "-c", "../a.cu"]
        with open(self.build + "/compile_commands.json", "w") as file:
            json.dump([{"directory": self.build, "file": "../a.cu", "arguments": arguments}], file)
        self.known = os.path.join(self.folder, "known.json")
        out, _ = self.check("--write-baseline", self.known)
        self.assertEqual(out.count("[divcost-imbalance]"), 1)

    def test_what_the_baseline_has_is_counted_and_not_printed(self):
        out, error = self.check("--only-new", "--baseline", self.known)
        self.assertEqual(out, "")
        self.assertIn("divcost: 0 findings in 1 of 1 file; 1 that the baseline has; 1 unchanged since an earlier run",
                      error)
        self.write("new.h", LOOP % "fresh")
        self.write("a.cu", '#include "old.h"\n#include "new.h"\n'
                   "template __global__ void old<1>(const int *, float *);\n"
                   "template __global__ void fresh<1>(const int *, float *);\n")
        out, error = self.check("--only-new", "--baseline", self.known, "--fail-on", "any", status=1)
        self.assertEqual(out.count("[divcost-imbalance]"), 1)
        self.assertIn("new.h:5:3: warning:", out)
        self.assertNotIn("old.h:5:3: warning:", out)
        self.assertIn("1 finding in 1 of 1 file", error)
        self.assertIn("1 that the baseline has", error)

    def test_it_needs_a_baseline_that_can_be_read(self):
        self.assertIn("--only-new needs --baseline FILE", self.check("--only-new", status=2)[1])
        out, error = self.check("--only-new", "--baseline", self.folder + "/none.json", status=1)
        self.assertIn("none.json: no such file", error)
        self.assertIn("old.h:5:3: warning:", out) # nobody knows what is new, so all of them


class Instances(Project):
    """A template with instances in two units, included by two ways; a kernel of a system header."""
    def write(self, name, text):
        path = os.path.join(self.project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)

    def setUp(self):
        super().setUp()
        os.makedirs(self.build)
        self.write("k.h", LOOP % "k")
        self.write("system/s.h", LOOP % "s")
        self.write("a.cu", '#include "k.h"\n#include <s.h>\n' + "".join(
            "template __global__ void %s(const int *, float *);\n" % name for name in ("k<1>", "k<2>", "s<1>")))
        self.write("more/b.cu", '#include "../k.h"\ntemplate __global__ void k<3>(const int *, float *);\n')
        arguments = [CLANG, "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_80", "-I" + INCLUDE,
                     "-isystem", "../system", "-include", "divcost_cuda.h", "-c"]
        with open(self.build + "/compile_commands.json", "w") as file:
            json.dump([{"directory": self.build, "file": name, "arguments": arguments + [name]}
                       for name in ("../a.cu", "../more/b.cu")], file)

    def report(self, name):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            self.check("--report", path)
        with open(path) as file:
            return file.read()

    def test_a_finding_is_one_in_every_format(self):
        known = os.path.join(self.folder, "known.json")
        out, error = self.check("--write-baseline", known)
        self.assertEqual(out.count("[divcost-imbalance]"), 1)
        self.assertIn("divcost: 1 finding in 2 of 2 files, 1 more of the same in other files", error)
        self.assertIn("1 finding written, each for all instances that have it", error)
        self.assertIn("1 finding known, 0 new", self.check("--baseline", known)[1])
        self.assertIn("1 finding fails by --fail-on", self.check("--fail-on", "any", status=1)[1])
        log = json.loads(self.report("r.sarif"))["runs"][0]["results"]
        self.assertEqual([r["properties"]["instances"] for r in log], [3])
        kernels = json.loads(self.report("r.json"))["kernels"]
        self.assertEqual([len(k["instances"]) for k in kernels], [2])
        self.assertEqual([len(f["others"]) for k in kernels for f in k["findings"]], [2])
        text = self.report("r.txt")
        self.assertIn("the worst of 3; the others: <", text)
        page = self.report("r.html")
        self.assertEqual(len(re.findall('id="k[0-9]+"', page)), 1)

    def test_what_is_left_out_is_said_and_can_be_had(self):
        path = os.path.join(self.folder, "all.json")
        error = self.check("--report", path)[1]
        self.assertIn("divcost: 1 kernel of system headers left out: --system-headers has it", error)
        self.check("--report", path, "--all-instances", "--system-headers")
        with open(path) as file:
            kernels = json.load(file)["kernels"]
        self.assertEqual(len(kernels), 4)
        self.assertEqual([k["symbol"] for k in kernels if k.get("library")], ["_Z1sILi1EEvPKiPf"])
        self.assertEqual({k["file"] for k in kernels if "library" not in k}, {self.project + "/k.h"})

    def test_a_finding_is_new_if_an_instance_is(self):
        known, path = (os.path.join(self.folder, name) for name in ("known.json", "r.sarif"))
        self.check("--write-baseline", known, self.project + "/a.cu")
        error = self.check("--baseline", known, "--report", path)[1]
        self.assertIn("0 findings known, 1 new", error)
        with open(path) as file:
            log = json.load(file)["runs"][0]["results"]
        self.assertEqual([r["baselineState"] for r in log], ["new"])


class HundredUnits(Project):
    def test_killed_and_interrupted_nothing_is_lost_and_nothing_done_twice(self):
        make_project.make(KERNELS, INCLUDE, self.project, 100)
        first = self.stop_at(25, signal.SIGKILL)
        second = self.stop_at(60, signal.SIGINT)
        self.assertTrue(25 <= first < 60 <= second < 100, (first, second))
        at_work = self.compilations() - second # when they were stopped: two each
        self.assertLessEqual(at_work, 4)
        before = self.compilations()
        out, error = self.check("--report", os.path.join(self.folder, "all.json"))
        self.assertEqual(self.compilations() - before, 100 - second)
        self.assertIn("in 100 of 100 files", error)
        self.assertIn("; %d unchanged since an earlier run" % second, error)

        # The loop of the header, which all units have, is shown once.
        self.assertEqual(out.count("include/rows.h:6:3: warning:"), 1)
        self.assertIn(", 99 more of the same in other files", error)
        with open(os.path.join(self.folder, "all.json")) as file:
            names = {kernel["name"] for kernel in json.load(file)["kernels"]}
        for number in range(100):
            self.assertIn("touch_%d(int*)" % number, names)

        # Again: the same words, and nothing to do.
        again, error = self.check()
        self.assertEqual(again, out)
        self.assertEqual(self.compilations() - before, 100 - second)
        self.assertIn("; 100 unchanged since an earlier run", error)
        self.reports_are_those_of_a_compilation()

    def reports_are_those_of_a_compilation(self):
        with open(self.build + "/compile_commands.json") as file:
            entries = json.load(file)
        for entry in entries[:6]:
            report = os.path.join(self.folder, "report.json")
            subprocess.run([CLANG, *entry["arguments"][1:-2], "-S", "-o", os.devnull,
                            "--cuda-device-only", "-w", "-fplugin=" + PLUGIN,
                            "-fplugin-arg-divcost-report=" + report], cwd=entry["directory"],
                           check=True)
            name = re.sub(r"\W", "_", os.path.basename(entry["file"]))
            kept, = glob.glob("%s/divcost-check/%s-*.json" % (self.build, name))
            with open(kept) as mine, open(report) as other:
                self.compare(mine.read(), other.read())

    def compare(self, mine, other):
        """The same bytes; with LLVM 19, whose front end leaves other code, the same verdicts."""
        version = subprocess.run([CLANG, "--version"], stdout=subprocess.PIPE,
                                 universal_newlines=True).stdout
        if " version 19." not in version:
            self.assertEqual(mine, other)
        verdicts = [[(kernel["name"], [(loop["line"], loop["class"]) for loop in kernel["loops"]],
                      [(finding["rule"], finding["fingerprint"]) for finding in kernel["findings"]])
                     for kernel in json.loads(text)["kernels"]] for text in (mine, other)]
        self.assertEqual(*verdicts)


class Nvcc(Project):
    def test_commands_of_nvcc_as_cmake_writes_them_go_through(self):
        make_project.make(KERNELS, INCLUDE, self.project, 3)
        nvcc = ("/nonexistent/cuda/bin/nvcc -forward-unknown-to-host-compiler -DNDEBUG "
                "--options-file includes.rsp -O3 --generate-code=arch=compute_80,code=[compute_80,"
                "sm_80] --generate-code=arch=compute_90,code=[sm_90] -Xcompiler=-fPIC "
                "--extended-lambda -std=c++17 -MD -MT x.o -MF x.o.d -x cu -rdc=true -c %s -o x.o")
        with open(self.build + "/includes.rsp", "w") as file:
            file.write('-I"%s" -I../include' % INCLUDE)
        with open(self.build + "/compile_commands.json") as file:
            entries = json.load(file)
        for entry in entries:
            del entry["arguments"]
            entry["command"] = nvcc % entry["file"]
        with open(self.build + "/compile_commands.json", "w") as file:
            json.dump(entries, file)
        out, error = self.check("--report", self.folder + "/all.json", "--", "-nocudainc",
                                "-nocudalib", "--cuda-path=/nonexistent", "-include",
                                "divcost_cuda.h")
        self.assertIn("in 3 of 3 files", error)
        self.assertNotIn("not known", error)
        self.assertIn("include/rows.h:6:3: warning", out)
        with open(self.folder + "/all.json") as file:
            self.assertEqual(json.load(file)["archs"], ["sm_80", "sm_90"])

    def test_a_header_for_one_architecture_counts_as_read(self):
        make_project.make(KERNELS, INCLUDE, self.project, 1)
        with open(self.build + "/compile_commands.json") as file:
            entries = json.load(file)
        entries[0]["arguments"].insert(1, "--cuda-gpu-arch=sm_80")
        with open(self.build + "/compile_commands.json", "w") as file:
            json.dump(entries, file)
        header = os.path.join(self.project, "old.h")
        with open(header, "w") as file:
            file.write("// first\n")
        with open(os.path.join(self.project, "unit_000.cu"), "a") as file:
            file.write("#if __CUDA_ARCH__ == 800\n#include \"old.h\"\n#endif\n")
        self.check()
        with open(header, "w") as file:
            file.write("// second\n")
        before = self.compilations()
        self.check()
        self.assertEqual(self.compilations() - before, 1)


KERNEL = """__global__ void %s(const int *__restrict__ length, float *y) {
  for (int j = 0; j < length[blockIdx.x * blockDim.x + threadIdx.x]; ++j)
    y[j] += 1;
}
"""


class Annotations(Project):
    """One file of them for two units, each of which has one of the kernels."""

    def setUp(self):
        super().setUp()
        os.makedirs(self.build)
        units = []
        for name in ("rows", "columns"):
            with open(os.path.join(self.project, name + ".cu"), "w") as file:
                file.write(KERNEL % name)
            units.append({"directory": self.build, "file": "../%s.cu" % name, "command": " ".join(
                [CLANG, "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-I" + INCLUDE, "-include",
                 "divcost_cuda.h", "--cuda-gpu-arch=sm_90", "-O2", "-c", "../%s.cu" % name])})
        with open(os.path.join(self.build, "compile_commands.json"), "w") as file:
            json.dump(units, file)
        self.notes = os.path.join(self.folder, "notes.json")
        self.say("columns")

    def say(self, function):
        with open(self.notes, "w") as file:
            json.dump({"divcost-annotations": 1,
                       "loops": [{"file": "rows.cu", "line": 2, "trips": "geometric(0.05)"},
                                 {"file": "columns.cu", "line": 2, "trips": "geometric(0.05)"}],
                       "kernels": [{"function": "rows", "launch": "block=128, grid=8192, l2=warm"},
                                   {"function": function, "launch": "block=64, grid=64, l2=warm"}]}, file)

    def test_an_entry_is_for_the_unit_that_has_what_it_names(self):
        report = os.path.join(self.folder, "report.txt")
        out, _ = self.check("--annotations", os.path.relpath(self.notes), "--report", report)
        self.assertNotIn("notes.json'", out)
        self.assertEqual(out.count("of the kernel's time"), 2)
        with open(report) as file:
            text = file.read()
        self.assertEqual(text.count("threads, from the annotation file"), 2)
        self.assertRegex(text, r"time lost .*\n.* us .* rows\n.* columns\n")

    def test_an_entry_that_no_unit_has_is_told_once_with_the_nearest_of_all(self):
        self.say("colunms")
        for _ in range(2): # analysed, and kept
            out, _ = self.check("--annotations", self.notes)
            told = re.findall(r"^warning: divcost: '.*notes.json', (.*) \[-Wbackend-plugin\]$", out, re.M)
            self.assertEqual(told, ["kernels[1]: no kernel is named 'colunms'; the nearest is 'columns' at columns.cu:1"])
        out, _ = self.check("--annotations", self.notes, os.path.join(self.project, "rows.cu"))
        self.assertNotIn("no kernel is named", out) # others weren't asked

    def test_a_file_that_is_not_there_ends_it_at_once(self):
        out, error = self.check("--annotations", self.notes + "x", status=1)
        self.assertEqual((out, self.compilations()), ("", 0))
        self.assertIn("notes.jsonx: No such file", error)


class Configured(Project):
    """Two files in folders of their own, and what a .divcost above them says."""

    def setUp(self):
        super().setUp()
        os.makedirs(self.build)
        self.files = [os.path.join(self.project, name, name + ".cu") for name in ("rows", "columns")]
        units = []
        for path in self.files:
            os.mkdir(os.path.dirname(path))
            with open(path, "w") as file:
                file.write(KERNEL % os.path.basename(path)[:-3])
            units.append({"directory": self.build, "file": path, "command": " ".join(
                [CLANG, "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent",
                 "-I" + INCLUDE, "-include", "divcost_cuda.h", "--cuda-gpu-arch=sm_90", "-O2", "-c",
                 path])})
        with open(os.path.join(self.build, "compile_commands.json"), "w") as file:
            json.dump(units, file)

    def configure(self, folder="", **members):
        with open(os.path.join(self.project, folder, ".divcost"), "w") as file:
            json.dump({"divcost-config": 1, **{name.replace("_", "-"): value
                                               for name, value in members.items()}}, file)

    def findings(self, *arguments, status=0):
        out, _ = self.check(*arguments, status=status)
        return [line for line in out.splitlines() if " warning: " in line]

    def test_the_nearest_one_counts_for_each_file(self):
        self.assertEqual(len(self.findings()), 2)
        self.configure(rules={"data-dependent": False})
        self.assertEqual(self.findings("--fail-on", "any"), []) # nor does the gate count them
        self.configure("rows", threshold=0.2)
        found = self.findings("--fail-on", "any", status=1)
        self.assertEqual(len(found), 1)
        self.assertIn("rows/rows.cu", found[0])

    def test_results_are_kept_until_it_changes(self):
        self.configure(threshold=0.2)
        self.findings()
        done = self.compilations()
        self.findings()
        self.assertEqual(self.compilations(), done)
        self.configure(threshold=1)
        self.assertEqual(self.findings(), [])
        self.assertEqual(self.compilations(), done + 2)

    def test_entries_of_kernels_are_for_all_files(self):
        self.configure(kernels=[{"function": "rows", "launch": "block=96"},
                                {"function": "colunms", "launch": "block=64"}])
        report = os.path.join(self.folder, "report.txt")
        out, _ = self.check("--report", report)
        self.assertEqual(out.count("no kernel is named"), 1)
        self.assertIn(".divcost', kernels[1]: no kernel is named 'colunms'; the nearest is 'columns'", out)
        with open(report) as file:
            self.assertRegex(file.read(), r"96 threads, from the annotation\s+file at")
        out, _ = self.check(self.files[0])
        self.assertNotIn("no kernel is named", out)

    def test_an_entry_of_one_folders_configuration_is_missed_in_its_files_alone(self):
        self.configure("rows", kernels=[{"function": "columns", "launch": "block=96"}])
        out, _ = self.check()
        self.assertIn("kernels[0]: no kernel is named 'columns'", out)

    def test_the_command_line_comes_before_it(self):
        self.configure(arch=["sm_80"])
        report = os.path.join(self.folder, "report.json")
        for arguments, wanted in ((), ["sm_80"]), (("--arch", "sm_70"), ["sm_70"]):
            self.check("--report", report, *arguments)
            with open(report) as file:
                self.assertEqual(json.load(file)["archs"], wanted)

    def test_the_baseline_that_it_names(self):
        self.configure(baseline="known.json")
        known = os.path.join(self.project, "known.json")
        _, error = self.check(status=1)
        self.assertIn("known.json: is named in .divcost as the baseline and isn't there", error)
        self.check("--write-baseline", known)
        self.check("--fail-on", "any")
        self.assertEqual(self.findings("--only-new"), [])
        with open(self.files[0], "a") as file:
            file.write(KERNEL % "more")
        self.assertEqual(len(self.findings("--only-new", "--fail-on", "any", status=1)), 1)
        self.configure("rows", baseline="other.json")
        _, error = self.check(status=1)
        self.assertIn("names another baseline", error)
        self.check("--baseline", known)

    def test_what_counts_is_printed_with_who_says_so(self):
        self.configure("rows", threshold=0.25, rules={"branch": False}, header_filter="kernels/",
                       annotations="notes.json")
        out, _ = self.check("--print-config", "--arch", "sm_80,sm_90")
        rows, columns = out.split("\n\n")
        self.assertEqual(self.compilations(), 0)
        self.assertIn("rows/rows.cu:\n", rows)
        for row in (r"threshold +0\.25 +.*rows/\.divcost", r"branch +off +.*rows/\.divcost",
                    r"header-filter +kernels/ +.*rows/\.divcost", r"arch +sm_80,sm_90 +--arch",
                    r"annotations +.*rows/notes\.json +.*rows/\.divcost", r"baseline +none +default"):
            self.assertRegex(rows, row)
        self.assertRegex(columns, r"threshold +0\.1 +default")
        self.assertNotIn(".divcost", columns)

    def test_one_that_can_not_be_read_ends_it_before_anything_is_analysed(self):
        self.configure("rows", threshold="high")
        out, error = self.check(status=1)
        self.assertEqual((out, self.compilations()), ("", 0))
        self.assertIn("rows/.divcost: threshold: must be a share", error)

    def test_the_example_of_the_manual(self):
        with open(os.path.join(REPOSITORY, "docs", "configuration.md")) as file:
            text = re.search(r"```json\n(.*?)```", file.read(), re.S).group(1)
        with open(os.path.join(self.project, ".divcost"), "w") as file:
            file.write(text)
        out, _ = self.check("--print-config")
        self.assertRegex(out, r"annotations +1 kernel, 1 loop ")
        try:
            import jsonschema
        except ImportError:
            return
        schema, annotations = ({}, {})
        for name, into in (("config", schema), ("annotations", annotations)):
            with open(os.path.join(REPOSITORY, "docs", "divcost-%s-1.schema.json" % name)) as file:
                into.update(json.loads(file.read().replace("divcost-annotations-1.schema.json#", "#")))
        validator = jsonschema.Draft202012Validator({**schema, "$defs": annotations["$defs"]})
        validator.validate(json.loads(text))
        self.assertFalse(validator.is_valid({"divcost-config": 1, "treshold": 1}))
        help_text = subprocess.run([DIVCOST, "check", "--help"], stdout=subprocess.PIPE,
                                   universal_newlines=True).stdout
        for rule in schema["properties"]["rules"]["properties"]:
            self.assertIn(rule, help_text)


class Measured(Project):
    """With what Nsight Compute counted of programs that nvcc built (tools/tests/ncu)."""
    FILES = "loops.cu", "functions.cu"

    def setUp(self):
        super().setUp()
        os.makedirs(self.build)
        pages = os.path.join(REPOSITORY, "tools", "tests", "ncu")
        for name in os.listdir(pages):
            if name.endswith(".xz"):
                with lzma.open(os.path.join(pages, name)) as source, \
                        open(os.path.join(self.folder, name[:-3]), "wb") as file:
                    shutil.copyfileobj(source, file)
            else:
                shutil.copy(os.path.join(pages, name), self.project)
        self.list_units()

    def list_units(self):
        units = [{"directory": self.project, "file": name, "command": " ".join(
            [CLANG, "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "-I" + INCLUDE, "-include",
             "divcost_cuda.h", "--cuda-gpu-arch=sm_90", "-O2", "-c", name])} for name in self.FILES]
        with open(os.path.join(self.build, "compile_commands.json"), "w") as file:
            json.dump(units, file)

    def measure(self, *names):
        out = os.path.join(self.folder, "run.json")
        pages = [os.path.join(self.folder, name + page) for name in names for page in (".source.csv", ".raw.csv")]
        subprocess.run([DIVCOST, "profile", "import-ncu", "-o", out, *pages], check=True, stderr=subprocess.DEVNULL)
        return out

    @staticmethod
    def findings(out):
        return re.findall(r"([^/\n]*):(\d+):\d+: warning: .*\[divcost-([a-z-]+)\]", out)

    def test_worst_first_by_the_time_of_the_program(self):
        out, error = self.check("--measured", self.measure("loops", "metrics"))
        self.assertEqual(self.findings(out), [
            ("functions.cu", "11", "imbalance"), ("functions.cu", "29", "branch"), ("rows.cuh", "5", "imbalance"),
            ("rows.cuh", "14", "imbalance"), ("loops.cu", "26", "branch"), ("functions.cu", "6", "imbalance")])
        self.assertIn("6 findings in 2 of 2 files", error)
        # Without the kernels of one program, what is estimated of these comes last; files are analysed anew.
        before = self.compilations()
        out, _ = self.check("--measured", self.measure("metrics"))
        self.assertEqual(self.compilations(), before + 2)
        found = self.findings(out)
        self.assertEqual(found[:3], [("functions.cu", "11", "imbalance"), ("functions.cu", "29", "branch"),
                                     ("functions.cu", "6", "imbalance")])
        self.assertIn(("rows.cuh", "5", "data-dependent"), found[3:])

    def test_lanes_and_sectors_are_ranked_together(self):
        self.FILES = ("waits.cu",)
        self.list_units()
        out, _ = self.check("--measured", self.measure("waits"))
        found = self.findings(out)
        self.assertEqual(found[:6], [
            ("waits.cu", "11", "coalescing"), ("waits.cu", "33", "branch"), ("waits.cu", "21", "coalescing"),
            ("waits.cu", "52", "coalescing"), ("waits.cu", "71", "coalescing"), ("waits.cu", "65", "bank-conflict")])

    def test_a_wrong_file_ends_it_at_once(self):
        page = os.path.join(self.folder, "loops.source.csv")
        out, error = self.check("--measured", page, status=1)
        self.assertEqual((out, self.compilations()), ("", 0))
        self.assertEqual(error.count("\n"), 1)
        self.assertTrue(error.startswith("divcost: %s: " % page), error)
        self.assertIn("cannot read", self.check("--measured", page + "x", status=1)[1])
        self.check("--measured", status=2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
