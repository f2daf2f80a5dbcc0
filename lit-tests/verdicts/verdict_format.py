# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A lit test format: each kernel of bench/kernels, as it stands under several options and in each
form of vary.py that applies to it, must get the verdicts that its comments expect.

Names are KERNEL.cu/VARIANT; `lit --filter 'mandelbrot.cu/while'` picks one. The compilation is for
the device, without a CUDA Toolkit; the varied source and the report stay in the build folder.
"""
import contextlib
import io
import os
import subprocess
import sys

import lit.formats
import lit.Test

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import check_verdicts  # noqa: E402
import vary  # noqa: E402

# The kernel as it stands, under options that must not matter.
OPTIONS = {
    "O0": ["-O0", "-S"],
    "O1": ["-O1", "-S"],
    "O2": ["-O2", "-S"],
    "O3": ["-O3", "-S"],
    "O2-g": ["-O2", "-g", "-S"],
    "syntax-only": ["-fsyntax-only"],
}


def called(script, *arguments):
    """A script of ours, in this process: 500 tests don't start Python twice more each."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = script.main(list(arguments))
    return status, "$ %s %s\n%s" % (script.__name__, " ".join(arguments), printed.getvalue())


def run(command, environment):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          errors="replace", env=environment)
    return done.returncode, "$ %s\n%s" % (" ".join(command), done.stdout)


class VerdictFormat(lit.formats.base.TestFormat):
    """every=N, first=K: each kernel as it stands, and of the other variants every Nth from the Kth
    on, another Nth for the next kernel, so that each variant meets some kernels."""

    def __init__(self, clang, plugin, cuda, kernels, every, first):
        self.clang, self.plugin, self.cuda, self.kernels = clang, plugin, cuda, kernels
        self.every, self.first = every, first

    def is_wanted(self, kernel, variant, name):
        return name == "O2" or (kernel + variant) % self.every == self.first

    def getTestsInDirectory(self, suite, path_in_suite, lit_config, local_config):
        for number, name in enumerate(sorted(os.listdir(self.kernels))):
            if not name.endswith(".cu"):
                continue
            with open(os.path.join(self.kernels, name), encoding="utf-8") as file:
                text = file.read()
            forms = []
            for form, function in vary.FORMS.items():
                try:
                    applies = function(text) != text
                except vary.CantRead:
                    applies = True  # execute() says why
                if applies:
                    forms.append(form)
            for at, variant in enumerate([*OPTIONS, *vary.FORMS]):
                if variant in [*OPTIONS, *forms] and self.is_wanted(number, at, variant):
                    yield lit.Test.Test(suite, path_in_suite + (name, variant), local_config)

    def execute(self, test, lit_config):
        kernel, variant = test.path_in_suite[-2:]
        folder = test.getExecPath()
        os.makedirs(folder, exist_ok=True)
        given = os.path.join(self.kernels, kernel)
        source = given if variant in OPTIONS else os.path.join(folder, kernel)
        report = os.path.join(folder, "report.json")
        if os.path.exists(report):
            os.remove(report)
        compiles = [self.clang, "-fplugin=" + self.plugin, *self.cuda,
                    *OPTIONS.get(variant, ["-O2", "-S"]), source, "-o",
                    os.path.join(folder, "out"), "-fplugin-arg-divcost-report=" + report]
        steps = [lambda: called(vary, variant, given, source)] if source != given else []
        steps += [lambda: run(compiles, test.config.environment),
                  lambda: called(check_verdicts, source, report)]
        text = ""
        for step in steps:
            status, printed = step()
            text += printed
            if status != 0:
                return lit.Test.FAIL, text
        return lit.Test.PASS, text
