# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of check_verdicts.py and vary.py: run as a program, it runs all of them."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

SOURCE = """\
// A comment that says what to expect: nothing.
__global__ void kernel(int *data, int n) {
#pragma unroll 1
  for (int i = 0; i < n && data[i] != 1; ++i) { // expect: class=data-dependent warn=imbalance
    if (data[i] >= 2)
      continue;
    for (unsigned j = 0; j < 8; ++j) { // expect: class=uniform
      if (j <= 3)
        continue;
      data[j] += ')';
    }
  }
}
"""
OUTER, INNER = 4, 7


class Scripts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.source = os.path.join(folder.name, "in.cu")
        self.target = os.path.join(folder.name, "out.cu")
        self.report = os.path.join(folder.name, "report.json")
        self.write(self.source, SOURCE)

    def write(self, path, text):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def run_script(self, name, *arguments):
        command = [sys.executable, os.path.join(SCRIPTS, name)] + list(arguments)
        return subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True
        )


class CheckVerdicts(Scripts):
    def kernel(self, **changes):
        kernel = {
            "name": "kernel(int*, int)",
            "line": 2,
            "loops": [
                {"file": self.source, "line": OUTER, "class": "data-dependent"},
                {"file": self.source, "line": INNER, "class": "uniform"},
                {"file": "/some/header.h", "line": 9, "class": "strided"},
            ],
            "findings": [{"rule": "imbalance", "loop_index": 0, "message": "lanes wait"}],
        }
        kernel.update(changes)
        return kernel

    def check(self, *kernels):
        self.write(self.report, json.dumps({"divcost": 1, "kernels": kernels}))
        result = self.run_script("check_verdicts.py", self.source, self.report)
        return result.returncode, result.stdout.replace(self.source, "in.cu").splitlines()

    def test_report_as_expected(self):
        self.assertEqual(self.check(self.kernel()), (0, []))

    def test_wrong_class(self):
        kernel = self.kernel()
        kernel["loops"][1]["class"] = "strided"
        expected = ["in.cu:7: expected class uniform, got strided"]
        self.assertEqual(self.check(kernel), (1, expected))

    def test_every_instance_must_agree(self):
        other = self.kernel()
        other["loops"][1]["class"] = "unknown"
        expected = ["in.cu:7: expected class uniform, got unknown"]
        self.assertEqual(self.check(self.kernel(), other), (1, expected))

    def test_missing_loop(self):
        kernel = self.kernel()
        kernel["loops"][1]["file"] = "/another/in.cu"
        expected = ["in.cu:7: expected class uniform, no loop is reported"]
        self.assertEqual(self.check(kernel), (1, expected))

    def test_loop_that_may_vanish(self):
        self.write(self.source, SOURCE.replace("class=uniform", "class=uniform may-vanish"))
        kernel = self.kernel()
        self.assertEqual(self.check(kernel), (0, []))
        kernel["loops"][1]["class"] = "strided"
        self.assertEqual(self.check(kernel)[0], 1)
        del kernel["loops"][1]
        self.assertEqual(self.check(kernel), (0, []))

    def test_unexpected_loop(self):
        kernel = self.kernel()
        kernel["loops"][2].update(file=self.source, line=10)
        expected = ["in.cu:10: unexpected loop of class strided: the line has no expectation"]
        self.assertEqual(self.check(kernel), (1, expected))

    def test_loop_without_a_line(self):
        kernel = self.kernel()
        kernel["loops"].append({"class": "unknown"})
        self.assertEqual(self.check(kernel), (1, ["in.cu:2: a loop without a line: unknown"]))

    def test_missing_warning(self):
        expected = ["in.cu:4: expected a warning imbalance, got none"]
        self.assertEqual(self.check(self.kernel(findings=[])), (1, expected))
        self.assertEqual(self.check(self.kernel(), self.kernel(findings=[])), (0, []))

    def test_suppressed_warning_is_none(self):
        kernel = self.kernel()
        kernel["findings"][0]["suppressed"] = True
        self.assertEqual(self.check(kernel)[0], 1)

    def test_unexpected_warnings(self):
        kernel = self.kernel()
        kernel["findings"] += [
            {"rule": "imbalance", "loop_index": 1, "message": "lanes wait"},
            {"rule": "barrier", "message": "not all lanes arrive"},
            {"rule": "barrier-exited", "message": "a remark"},
            {"rule": "imbalance", "loop_index": 2, "message": "in a header"},
        ]
        expected = [
            "in.cu:2: unexpected warning barrier: not all lanes arrive",
            "in.cu:7: unexpected warning imbalance",
        ]
        self.assertEqual(self.check(kernel), (1, expected))

    def test_empty_report(self):
        self.assertEqual(len(self.check()[1]), 2)

    def test_unreadable_input(self):
        for text in ("", "[]", '{"kernels": 1}', '{"kernels": [{"loops": [{}]}]}'):
            self.write(self.report, text)
            result = self.run_script("check_verdicts.py", self.source, self.report)
            self.assertEqual((result.returncode, result.stdout), (2, ""), text)
        self.write(self.report, '{"kernels": []}')
        for expectation in ("class=unifrom", "warn=imbalance", "class=uniform warn=nothing", "class=uniform warn"):
            self.write(self.source, "x; // expect: %s\n" % expectation)
            result = self.run_script("check_verdicts.py", self.source, self.report)
            self.assertEqual((result.returncode, result.stdout), (2, ""), expectation)


class Check(Scripts):
    """./check, where no package is installed, and apt writes down that it was called."""

    def run_check(self, *arguments):
        folder = os.path.dirname(self.report)
        for name, text in (("dpkg-query", "exit 1"), ("apt-cache", "exit 0"), ("sudo", '"$@"'),
                           ("apt-get", 'echo called >> "%s"' % self.report)):
            self.write(os.path.join(folder, name), "#!/bin/sh\n%s\n" % text)
            os.chmod(os.path.join(folder, name), 0o755)
        done = subprocess.run(
            [os.path.join(os.path.dirname(SCRIPTS), "check")] + list(arguments),
            env=dict(os.environ, PATH=folder + os.pathsep + os.environ["PATH"]),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)
        self.assertFalse(os.path.exists(self.report), "apt was called")
        return done

    def test_list_installs_nothing(self):
        done = self.run_check("--list")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"(?m)^llvm22 +\S")
        self.assertNotIn("installing", done.stdout)

    def test_help_installs_nothing(self):
        done = self.run_check("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("usage: ./check [--full | STEP ...]", done.stdout)

    def test_a_wrong_step_is_refused_first(self):
        done = self.run_check("format", "nonsense")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("no step 'nonsense'; there are: ", done.stderr)


class Vary(Scripts):
    def vary(self, form):
        result = self.run_script("vary.py", form, self.source, self.target)
        self.assertEqual((result.returncode, result.stderr), (0, ""), form)
        with open(self.target, encoding="utf-8") as file:
            return file.read()

    def line_with(self, text, expectation):
        lines = [line for line in text.splitlines() if "expect: " + expectation in line]
        self.assertEqual(len(lines), 1)
        return lines[0].strip()

    def assert_heads(self, form, outer, inner):
        text = self.vary(form)
        self.assertEqual(self.line_with(text, "class=data").split(" //")[0], outer)
        self.assertEqual(self.line_with(text, "class=uniform").split(" //")[0], inner)
        return " ".join(text.split())

    def test_while(self):
        text = self.assert_heads("while", "while (i < n && data[i] != 1) {", "while (j < 8) {")
        self.assertIn("int i = 0; #pragma unroll 1 while", text)
        self.assertIn("if (data[i] >= 2) { ++i; continue; }", text)
        self.assertIn("if (j <= 3) { ++j; continue; } data[j] += ')'; ++j; }", text)

    def test_do(self):
        text = self.assert_heads("do", "do {", "do {")
        self.assertIn("int i = 0; if (i < n && data[i] != 1) { #pragma unroll 1 do {", text)
        self.assertIn("if (data[i] >= 2) { ++i; continue; }", text)
        self.assertIn("++j; } while (j < 8);", text)
        self.assertIn("++i; } while (i < n && data[i] != 1);", text)

    def test_long_counters(self):
        self.assert_heads(
            "long-counters",
            "for (long long i = 0; i < n && data[i] != 1; ++i) {",
            "for (unsigned long long j = 0; j < 8; ++j) {",
        )

    def test_swap(self):
        text = self.assert_heads(
            "swap",
            "for (int i = 0; n > i && 1 != data[i]; ++i) {",
            "for (unsigned j = 0; 8 > j; ++j) {",
        )
        self.assertIn("if (2 <= data[i])", text)
        self.assertIn("if (3 >= j)", text)

    def test_macro(self):
        text = self.assert_heads(
            "macro",
            "FOR_HEAD(int i = 0; i < n && data[i] != 1; ++i) {",
            "FOR_HEAD(unsigned j = 0; j < 8; ++j) {",
        )
        self.assertIn("#define FOR_HEAD(...) for (__VA_ARGS__)", text)

    def test_helpers(self):
        for form in ("helper", "inline-helper", "template"):
            text = " ".join(self.vary(form).split())
            self.assertIn("void kernel_body(int *data, int n) { #pragma", text)
            call = "kernel_body<0>" if form == "template" else "kernel_body"
            self.assertIn("kernel(int *data, int n) { %s(data, n); }" % call, text)

    def test_lambdas(self):
        self.assertIn("{ auto run = [&]() { #pragma", " ".join(self.vary("lambda-kernel").split()))
        text = " ".join(self.vary("lambda-loop").split())
        self.assertIn("{ [&]() { #pragma unroll 1 for (int i", text)
        self.assertEqual(text.count("[&]"), 1)
        self.write(self.source, SOURCE.replace("continue", "data[0] = 1"))
        text = " ".join(self.vary("lambda-body").split())
        self.assertIn("class=uniform auto round = [&]() { if (j <= 3) data[0] = 1;", text)
        self.assertEqual(text.count("round();"), 2)

    def test_form_that_does_not_apply(self):
        result = self.run_script("vary.py", "lambda-body", self.source, self.target)
        self.assertEqual(result.returncode, 3)
        self.assertIn("the form lambda-body doesn't apply to", result.stderr)
        self.assertFalse(os.path.exists(self.target))

    def test_unreadable_input(self):
        for text in (
            "for (;;) // expect: class=unknown\n  f();\n",
            "for (;;) { // expect: class=unknown\n",
            "x = 1; // expect: class=unknown\n",
        ):
            self.write(self.source, text)
            result = self.run_script("vary.py", "while", self.source, self.target)
            self.assertEqual(result.returncode, 2, text)
            self.assertFalse(os.path.exists(self.target))
        self.assertEqual(self.run_script("vary.py", "nothing", "a", "b").returncode, 2)

    def test_list(self):
        forms = self.run_script("vary.py", "--list").stdout.split("\n")
        self.assertEqual(len([form for form in forms if form]), 11)


if __name__ == "__main__":
    unittest.main()
