# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the command share: running it, and reports made from the samples that
cost-models/tests writes. Scripts are called with DIVCOST SAMPLES first."""
import copy
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

DIVCOST, SAMPLES = map(os.path.abspath, sys.argv[1:3])


def sample(name="sample"):
    return os.path.join(SAMPLES, name + ".json")


def load(path):
    with open(path) as file:
        return json.load(file)


def run(*arguments, **options):
    return subprocess.run([DIVCOST, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          universal_newlines=True, timeout=300, **options)


class Case(unittest.TestCase):
    """With a folder of its own."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="divcost-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, content):
        """A file in the folder: text, or a tree to be written as JSON."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            if isinstance(content, str):
                file.write(content)
            else:
                json.dump(content, file)
        return path

    def changed(self, name, change, of="sample"):
        """A copy of a sample in the folder, changed by a function."""
        report = load(sample(of))
        change(report)
        return self.write(name, report)

    def done(self, *arguments, **options):
        """What the command printed; it must have succeeded."""
        done = run(*arguments, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
        return done.stdout

    def refused(self, status, words, *arguments, **options):
        done = run(*arguments, **options)
        self.assertEqual(done.returncode, status, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertEqual(done.stdout, "")


def strings_of(kernel):
    return kernel["skeleton"]["strings"]


def replace_text(report, old, new):
    """In the skeletons, from which everything follows."""
    for kernel in report["kernels"]:
        strings = strings_of(kernel)
        for k, text in enumerate(strings):
            strings[k] = text.replace(old, new)


def only(report, *symbols):
    """Keeps these kernels."""
    report["kernels"] = [kernel for kernel in report["kernels"]
                         if any(symbol in kernel["symbol"] for symbol in symbols)]


def numbered(report, number):
    """A copy for a file of its own."""
    report = copy.deepcopy(report)
    report["unit"] = "src/sparse_%05d.cu" % number
    replace_text(report, "sparse.cu", "sparse_%05d.cu" % number)
    return report


def main():
    unittest.main(argv=sys.argv[:1])
