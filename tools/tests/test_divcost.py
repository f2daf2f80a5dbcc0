#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_divcost.py DIVCOST SAMPLES: the command `divcost`, with reports from the folder SAMPLES."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from pseudo_terminal import on_terminal

DIVCOST, SAMPLES = map(os.path.abspath, sys.argv[1:3])


def sample(name):
    return os.path.join(SAMPLES, name + ".json")


def run(*arguments, **options):
    return subprocess.run([DIVCOST, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, timeout=120, **options)


class Usage(unittest.TestCase):
    def refused(self, arguments, words):
        done = run(*arguments)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stdout, "")
        self.assertEqual(done.stderr, "divcost: " + words + "\n")

    def test_wrong_usage_is_status_2_and_says_what_is_wrong(self):
        self.refused([], "a command is missing; see divcost --help")
        self.refused(["frobnicate"], "unknown command 'frobnicate'; see divcost --help")
        self.refused(["report"], "report needs a file; see divcost report --help")
        self.refused(["report", "--json"], "report needs a file; see divcost report --help")
        self.refused(["report", "--frobnicate", sample("sample")],
                     "unknown option '--frobnicate'; see divcost report --help")

    def test_what_may_have_been_meant(self):
        for typed, meant in (("repport", "report"), ("chekc", "check"), ("wat-if", "what-if")):
            self.refused([typed], "unknown command '%s', did you mean '%s'? See divcost --help" % (typed, meant))
        for command, typed, meant in (("report", "--jsn", "--json"), ("check", "--reprot", "--report"),
                                      ("what-if", "--prams", "--param"), ("diff", "--josn", "--json"),
                                      ("emulate", "--trcae", "--trace"), ("model", "--lane", "--lanes"),
                                      ("calibrate", "--four-ncu", "--for-ncu")):
            self.refused([command, typed], "unknown option '%s', did you mean '%s'? See divcost %s --help" % (
                typed, meant, command))
        self.refused(["report", "--" + 40 * "x"], "unknown option '--%s'; see divcost report --help" % (40 * "x"))

    def test_help_and_version(self):
        done = run("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("usage: divcost COMMAND", done.stdout)
        commands = re.findall(r"^  ([a-z-]+)  ", done.stdout, re.M)
        self.assertLessEqual({"report", "diff", "what-if"}, set(commands))
        self.assertEqual(run("-h").stdout, done.stdout)
        for command in commands:
            words = run(command, "--help")
            self.assertEqual(words.returncode, 0, command)
            self.assertEqual(run(command, "-h").stdout, words.stdout)
        self.assertRegex(run("--version").stdout, r"^divcost \d+\.\d+\.\d+\n$")


class Report(unittest.TestCase):
    def failed(self, path, words):
        done = run("report", path)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, "")
        self.assertTrue(done.stderr.startswith("divcost: %s: %s" % (path, words)), done.stderr)

    def changed(self, change):
        """The path of a copy of the sample, changed by a function."""
        with open(sample("sample")) as file:
            report = json.load(file)
        change(report)
        file = tempfile.NamedTemporaryFile("w", suffix=".json", delete=False)
        self.addCleanup(os.unlink, file.name)
        with file:
            json.dump(report, file)
        return file.name

    def test_text(self):
        done = run("report", sample("sample"))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith("divcost  src/sparse.cu, for sm_80, sm_90\n"))
        self.assertIn("poisson(30), annotated at sparse.cu:7", done.stdout)
        self.assertNotIn("\033", done.stdout) # no terminal, no colour

    def test_figures_are_computed_again(self):
        def forge(report):
            for estimate in report["kernels"][0]["estimates"]:
                estimate["cycles"]["total"] = 987654
        self.assertNotIn("987,654", run("report", self.changed(forge)).stdout)

        def annotate(report):
            strings = report["kernels"][0]["skeleton"]["strings"]
            strings[strings.index("poisson(30)")] = "const(30)"
        text = run("report", self.changed(annotate)).stdout
        self.assertIn("const(30), annotated", text)
        row = next(line for line in text.splitlines() if line.endswith(" spmv_csr"))
        self.assertEqual(row.split()[0], "0%") # all lanes alike: nothing is lost

    def test_parts_of_two_compilations_are_one_report(self):
        together = run("report", sample("sample_80"), sample("sample_90"))
        self.assertEqual(together.returncode, 0)
        self.assertEqual(together.stdout, run("report", sample("sample")).stdout)

    def test_json_is_a_fixed_point(self):
        first = run("report", "--json", sample("sample"))
        self.assertEqual(first.returncode, 0)
        report = json.loads(first.stdout)
        self.assertEqual(report["divcost"], 1)
        self.assertEqual(report["archs"], ["sm_80", "sm_90"])
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(first.stdout)
            file.flush()
            self.assertEqual(run("report", "--json", file.name).stdout, first.stdout)

    def sarif(self, path):
        done = run("report", "--sarif", path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        log = json.loads(done.stdout)
        self.assertEqual((log["version"], len(log["runs"])), ("2.1.0", 1))
        return log["runs"][0]

    def test_sarif_has_the_findings_with_their_reasons(self):
        with open(sample("sample")) as file:
            kernels = json.load(file)["kernels"]
        findings = [(finding, kernel) for kernel in kernels for finding in kernel["findings"]]
        log = self.sarif(sample("sample"))
        rules = log["tool"]["driver"]["rules"]
        self.assertEqual(len(log["results"]), len(findings))
        for result, (finding, kernel) in zip(log["results"], findings):
            self.assertEqual(result["message"]["text"].split("; why: [")[0], finding["message"])
            self.assertEqual(rules[result["ruleIndex"]]["id"], finding["rule"])
            self.assertEqual(result["ruleId"], finding["rule"])
            self.assertEqual(result["partialFingerprints"], {"divcost/v1": finding["fingerprint"]})
            place = result["locations"][0]
            self.assertEqual(place["logicalLocations"][0]["fullyQualifiedName"], kernel["name"])
            self.assertEqual(place["physicalLocation"], {
                "artifactLocation": {"uri": finding["file"]},
                "region": {"startLine": finding["line"], "startColumn": finding["column"], "endLine": finding["line"]}})
            self.assertNotIn("suppressions", result)
            if "loop_index" in finding:
                steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
                self.assertEqual([step["location"]["message"]["text"] for step in steps],
                                 [r["text"] for r in kernel["loops"][finding["loop_index"]]["reasons"]
                                  if "file" in r])

    def test_sarif_says_what_is_suppressed_and_escapes_paths(self):
        def change(report):
            kernel = report["kernels"][0]
            kernel["findings"][0]["suppressed"] = True
            strings, loops = kernel["skeleton"]["strings"], kernel["skeleton"]["loops"]
            strings.append("rows are short")
            loops[kernel["findings"][0]["loop_index"]]["ignored"] = len(strings) - 1
            strings[strings.index("src/sparse.cu")] = "/a b/\u00e9%.cu"
        result = self.sarif(self.changed(change))["results"][0]
        self.assertEqual(result["suppressions"], [{"kind": "inSource",
                                                   "justification": "rows are short"}])
        self.assertEqual(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
                         "file:///a%20b/%C3%A9%25.cu")

    def test_source_lines_come_from_the_files(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "src"))
            with open(os.path.join(folder, "src", "sparse.cu"), "w") as file:
                file.write("x" * 5000 + "\n" + "\n" * 6 + "  for (int j = 0;;) // line 8\n")
            done = run("report", os.path.abspath(sample("sample")), cwd=folder)
        self.assertIn("\n      for (int j = 0;;) // line 8\n", done.stdout)

    def test_colour_on_a_terminal(self):
        for extra, coloured in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
            environment = {**os.environ, "TERM": "xterm", **extra}
            for name in {"NO_COLOR", "FORCE_COLOR"} - set(extra):
                environment.pop(name, None)
            status, text = on_terminal([DIVCOST, "report", sample("sample_90")], env=environment)
            self.assertEqual(status, 0)
            self.assertEqual("\033[" in text, coloured)

    def test_colour_that_is_wanted_elsewhere(self):
        for force, coloured in (("1", True), ("0", False), ("", False)):
            done = run("report", sample("sample_90"), env={**os.environ, "FORCE_COLOR": force})
            self.assertEqual("\033[" in done.stdout, coloured)

    def test_failures_are_status_1_and_name_file_and_place(self):
        self.failed("/nonexistent/report.json", "No such file or directory")
        self.failed(os.devnull, "line 1, column 0: '[' or '{' expected near end of file")
        self.failed(self.changed(lambda report: report.update(divcost=2)),
                    "divcost: version 2 is not known here")
        self.failed(self.changed(lambda report: report["kernels"][1]["skeleton"]["loops"][0].update(
            {"header": 77})), "kernels[1].skeleton.loops[0].header: is 77, but there are 6 blocks")

        def forge(report):
            strings = report["kernels"][0]["skeleton"]["strings"]
            strings[strings.index("poisson(30)")] = "poisson(-1)"
        self.failed(self.changed(forge), "kernel spmv_csr(int, ")

        def forge_arch(report):
            report["kernels"][0]["estimates"][0]["arch"] = "sm_1"
        self.failed(self.changed(forge_arch), "kernel spmv_csr(int, ")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_full_disk_is_a_failure(self):
        for arguments in (["report", sample("sample")], ["report", "--json", sample("sample")],
                          ["report", "--sarif", sample("sample")], ["--help"],
                          ["report", "--jsonl", sample("sample")],
                          ["diff", sample("sample_80"), sample("sample_90")],
                          ["diff", "--json", sample("sample"), sample("sample_90")],
                          ["what-if", "--block=64", sample("sample")],
                          ["what-if", "--json", "--block=64", sample("sample")]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([DIVCOST, *arguments], stdout=full, stderr=subprocess.PIPE,
                                      universal_newlines=True)
            self.assertEqual(done.returncode, 1)
            self.assertIn("No space left on device", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
