#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_vscode.py REPOSITORY FOLDER: the extension's own tests, and what its package has. FOLDER, in the
build, is where npm's packages go, and the extension's package."""
import filecmp
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import unittest
import zipfile

REPOSITORY, FOLDER = map(os.path.abspath, sys.argv[1:3])
SOURCE = os.path.join(REPOSITORY, "tools", "vscode")
# As in the repository, since bundling takes some files from two folders above.
COPY = os.path.join(FOLDER, "tools", "vscode")
PACKED = {"package.json", "README.md", "CHANGELOG.md", "install.md", "LICENSE.txt", "dist/extension.js",
          "dist/NOTICES.txt", "images/icon.png", "dist/editor.png"}


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                          errors="replace", stdin=subprocess.DEVNULL, **options)


def copy():
    """The extension's files, beside what npm has installed there before."""
    for name in ("src", "images", "dist"):
        shutil.rmtree(os.path.join(COPY, name), ignore_errors=True)
    os.makedirs(COPY, exist_ok=True)
    shutil.copytree(SOURCE, COPY, dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("node_modules", "dist", "*.vsix", "package-lock.json"))
    os.makedirs(os.path.join(FOLDER, "docs", "figures"), exist_ok=True)
    for name in ("LICENSE.txt", "docs/figures/vscode.png"):
        shutil.copy(os.path.join(REPOSITORY, name), os.path.join(FOLDER, name))


def install():
    """What the lock file says, unless it is there."""
    wanted, there = (os.path.join(folder, "package-lock.json") for folder in (SOURCE, COPY))
    if os.path.exists(there) and filecmp.cmp(wanted, there, shallow=False):
        return
    shutil.copy(wanted, there)
    done = run("npm", "ci", "--fetch-retries=1", cwd=COPY)
    if done.returncode == 0:
        return
    os.remove(there)
    if re.search("ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH", done.stdout):
        raise unittest.SkipTest("npm's registry can't be reached")
    raise AssertionError(done.stdout)


class Extension(unittest.TestCase):
    def setUp(self):
        for program in ("node", "npm"):
            if not shutil.which(program):
                self.skipTest(program + " isn't installed")

    def test_its_own_tests(self):
        done = run("npm", "test", cwd=SOURCE)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertGreater(int(re.search(r"(?m)^\S+ pass (\d+)", done.stdout)[1]), 10, done.stdout)

    def test_its_package(self):
        copy()
        install()
        done = run("npm", "run", "package", cwd=COPY)
        self.assertEqual(done.returncode, 0, done.stdout)
        with open(os.path.join(SOURCE, "package.json")) as file:
            manifest = json.load(file)
        package = os.path.join(COPY, "divcost-%s.vsix" % manifest["version"])
        with zipfile.ZipFile(package) as archive:
            files = {name[len("extension/"):]: archive.read(name) for name in archive.namelist()
                     if name.startswith("extension/")}
        self.assertEqual(set(files), PACKED)
        self.assertEqual(json.loads(files["package.json"]), manifest)
        self.assertEqual(struct.unpack(">II", files["images/icon.png"][16:24]), (128, 128))
        # One file that needs no other: only the editor's own module and Node's are left to require.
        required = set(re.findall(r'require\("([^"]+)"\)', files["dist/extension.js"].decode()))
        self.assertIn("vscode", required)
        shipped = run("node", "-p", "require('module').builtinModules.join()").stdout.strip().split(",")
        self.assertEqual([name for name in required - {"vscode"}
                          if name.replace("node:", "") not in shipped], [])
        notices = files["dist/NOTICES.txt"].decode()
        for name in ("vscode-languageclient", "vscode-jsonrpc", "Copyright (c) Microsoft"):
            self.assertIn(name, notices)

    def test_what_its_pages_say_is_there(self):
        with open(os.path.join(SOURCE, "package.json")) as file:
            manifest = json.load(file)
        with open(os.path.join(SOURCE, "README.md")) as file:
            readme = file.read()
        self.assertNotIn("![", readme) # of a package the editor shows none: they would have to be in the web
        for command in manifest["contributes"]["commands"]:
            self.assertIn("| *%s: %s* |" % (command["category"], command["title"]), readme)
        for setting in manifest["contributes"]["configuration"]["properties"]:
            self.assertIn("| `%s` |" % setting, readme)
        with open(os.path.join(SOURCE, "CHANGELOG.md")) as file:
            self.assertIn("\n## %s\n" % manifest["version"], file.read())
        with open(os.path.join(REPOSITORY, "cost-models", "include", "divcost", "version.h")) as file:
            self.assertIn('#define DIVCOST_VERSION "%s"\n' % manifest["version"], file.read())

    def test_the_lock_file_names_no_registry(self):
        with open(os.path.join(SOURCE, "package-lock.json")) as file:
            self.assertNotIn("resolved", file.read())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
