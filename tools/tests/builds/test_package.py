#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_package.py BUILD CLANG MAJOR: the Debian package that cpack makes of BUILD, as lintian sees it and
as it works from where it is unpacked."""
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
BUILD, CLANG, MAJOR = os.path.abspath(sys.argv[1]), *sys.argv[2:4]


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                          universal_newlines=True, **options)


@unittest.skipUnless(shutil.which("dpkg-deb"), "no dpkg")
class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.root = os.path.join(cls.folder.name, "root")
        done = run("cpack", "--config", os.path.join(BUILD, "CPackConfig.cmake"), "-G", "DEB",
                   "-B", cls.folder.name, cwd=BUILD)
        assert done.returncode == 0, done.stdout
        cls.package, = glob.glob(os.path.join(cls.folder.name, "divcost_*.deb"))
        done = run("dpkg-deb", "-x", cls.package, cls.root)
        assert done.returncode == 0, done.stdout

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @unittest.skipUnless(shutil.which("lintian"), "no lintian")
    def test_lintian_finds_no_errors(self):
        done = run("lintian", "--no-cfg", "--fail-on", "error", self.package)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_it_depends_on_the_clang_that_the_plugin_is_for_and_on_what_is_linked(self):
        depends = run("dpkg-deb", "-f", self.package, "Depends").stdout
        names = [re.split(r"[ (]", entry.strip())[0] for entry in depends.split(",")]
        self.assertIn("clang-" + MAJOR, names)
        for library in ("libc6", "libjansson4", "zlib1g"):
            self.assertIn(library, names)

    def test_command_and_plugin_work_where_they_are_unpacked(self):
        plugin, = glob.glob(self.root + "/usr/lib/**/divcost/divcost.so", recursive=True)
        divcost = os.path.join(self.root, "usr", "bin", "divcost")
        report = os.path.join(self.folder.name, "rows.json")
        done = run(CLANG, "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent",
                   "--cuda-feature=+ptx78", "--cuda-gpu-arch=sm_90", "--cuda-device-only", "-fsyntax-only",
                   "-I%s/bench/include" % REPOSITORY, "-include", "divcost_cuda.h", "-fplugin=" + plugin,
                   "-fplugin-arg-divcost-report=" + report, os.path.join(HERE, "consumer", "rows.cu"))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("[divcost-data-dependent]", done.stdout)
        self.assertIn("rows(int const*, float*)", run(divcost, "report", report).stdout)
        self.assertRegex(run(divcost, "--version").stdout, r"^divcost \d")

    def test_nothing_names_the_machine_it_was_built_on(self):
        for folder, _, names in os.walk(self.root):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    self.assertNotIn(os.path.abspath(BUILD).encode(), file.read(), name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
