#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_clients.py DIVCOST PLUGIN CLANG REPOSITORY FOLDER: the language server with real clients,
Neovim and the library of Visual Studio Code's, and beside `divcost check`. FOLDER, in the build, is
where npm's packages go."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

DIVCOST, PLUGIN, CLANG, REPOSITORY, FOLDER = map(os.path.abspath, sys.argv[1:6])
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from client import Client, uri_of # noqa: E402

PROTOCOL = {"dependencies": {"vscode-languageserver-protocol": "3.18.5"}}
FLAGS = ["-nocudainc", "-nocudalib", "--cuda-path=/nonexistent", "--cuda-feature=+ptx78",
         "-I" + os.path.join(REPOSITORY, "bench", "include"), "-include", "divcost_cuda.h",
         "-I" + os.path.join(REPOSITORY, "runtime", "include")] # divcost.h


def open_lines(path):
    with open(path) as file:
        return file.read().splitlines()


def run(*command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300,
                          errors="replace", stdin=subprocess.DEVNULL, **options)


def installed(name, wanted):
    """The folder in which npm has installed the packages that a package.json asks for."""
    for program in ("node", "npm"):
        if not shutil.which(program):
            raise unittest.SkipTest(program + " isn't installed")
    folder = os.path.join(FOLDER, name)
    done = os.path.join(folder, "done.json")
    if os.path.exists(done):
        with open(done) as file:
            if json.load(file) == wanted:
                return folder
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "package.json"), "w") as file:
        json.dump(wanted, file)
    result = run("npm", "install", "--omit=dev", "--omit=optional", "--ignore-scripts", "--no-audit",
                 "--no-fund", "--no-package-lock", "--fetch-retries=1", cwd=folder)
    if result.returncode != 0 and any(code in result.stdout for code in (
            "ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ETIMEDOUT", "ENETUNREACH")):
        raise unittest.SkipTest("npm's registry can't be reached")
    if result.returncode != 0:
        raise AssertionError(result.stdout)
    with open(done, "w") as file:
        json.dump(wanted, file)
    return folder


class Check(unittest.TestCase):
    """What the editor shows of a file is what `divcost check` says of it."""
    flags = FLAGS + ["--cuda-gpu-arch=sm_90"]

    def checked(self, path):
        """Line and rule of each finding."""
        done = run(DIVCOST, "check", "--plugin", PLUGIN, path, "--", *self.flags,
                   env={**os.environ, "DIVCOST_CLANG": CLANG})
        return sorted((int(line), rule) for line, rule in re.findall(
            r"^.*?:(\d+):\d+: warning: .* \[(divcost-[a-z-]+)\]", done.stdout, re.M))

    def test_as_many_diagnostics_as_findings(self):
        kernels = os.path.join(REPOSITORY, "bench", "kernels")
        files = [os.path.join(HERE, "instances.cu")] + [os.path.join(kernels, name) for name in (
            "bfs_frontier.cu", "bitonic_sort.cu", "histogram.cu", "transpose.cu")]
        client = Client([DIVCOST, "lsp"], environment={**os.environ, "DIVCOST_CLANG": CLANG})
        client.initialize(plugin=PLUGIN, flags=self.flags)
        found = 0
        for path in files:
            client.open(path)
            shown = sorted((d["range"]["start"]["line"] + 1, d["code"])
                           for d in client.diagnostics(path, seconds=60) if d["severity"] == 2)
            self.assertEqual(shown, self.checked(path), path)
            found += len(shown)
        self.assertGreater(found, 3)
        lines = open_lines(files[0])
        hover = client.at("hover", files[0], lines.index("  for (int j = begin[row * N]; j < begin[row "
                                                         "* N + 1]; ++j)"), 4)["contents"]["value"]
        self.assertRegex(hover, r"instances     the worst of 6; the others: <[a-z]+, \d>, .*\n"
                         r"  also in       other\n")
        self.assertEqual(client.end(), 0)

    def test_annotations_say_what_is_known_and_are_heeded(self):
        with open(os.path.join(HERE, "bounded.cu")) as file:
            text = file.read()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(os.path.realpath(folder), "bounded.cu")
            client = Client([DIVCOST, "lsp"], environment={**os.environ, "DIVCOST_CLANG": CLANG})
            client.initialize(plugin=PLUGIN, flags=self.flags)
            client.open(path, text)
            client.diagnostics(path, 1, 60)
            for version, (line, words) in enumerate((
                    ("  for (int j", "DIVCOST_TRIPS(uniform(0, 15))"),
                    ("__global__", "DIVCOST_LAUNCH(block=256, n=65536)")), 2):
                number = next(k for k, of in enumerate(text.splitlines()) if of.startswith(line))
                place = {"line": number, "character": 3}
                action = next(a for a in client.of("codeAction", path, context={"diagnostics": []},
                                                   range={"start": place, "end": place})
                              if a["title"].startswith("Say "))
                self.assertTrue(action["title"].endswith(": " + words), action["title"])
                for change in reversed(action["edit"]["changes"][uri_of(path)]):
                    lines = text.splitlines(True)
                    start = change["range"]["start"]
                    old = lines[start["line"]]
                    lines[start["line"]] = old[:start["character"]] + change["newText"] + \
                        old[start["character"]:]
                    text = "".join(lines)
                client.change(path, version, {"text": text})
                client.diagnostics(path, version, 60)
            lines = text.splitlines()
            loop = lines.index("  DIVCOST_TRIPS(uniform(0, 15))") + 1
            self.assertIn("uniform(0, 15), annotated",
                          client.at("hover", path, loop, 3)["contents"]["value"])
            kernel = lines.index("DIVCOST_LAUNCH(block=256, n=65536)") + 1
            hover = client.at("hover", path, kernel, 3)["contents"]["value"]
            self.assertIn("from the pragma", hover)
            self.assertIn("n = 65536", hover)
            self.assertEqual(client.end(), 0)


class Precompiled(unittest.TestCase):
    """Headers that were compiled before say what they say in the text."""
    HEADER = """#pragma once
__device__ float sum(const int *begin, const float *x, int row) {
  float all = 0;
  for (int j = begin[row]; j < begin[row + 1]; ++j) // %s
    all += x[j];
  return all;
}
"""
    SOURCE = """// Rows.
#ifdef FROM_HEADER
#define STEP 2
#else
#define STEP 1
#endif
#include "sum.cuh"

__global__ void rows(const int *begin, const float *x, float *y) {
  int row = threadIdx.x + blockIdx.x * blockDim.x;
  y[row] = sum(begin, x, row);
  for (int k = 0; k < (STEP - 1) * begin[row]; ++k)
    y[k] = 0;
}
"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.header = os.path.join(os.path.realpath(folder.name), "sum.cuh")
        self.path = os.path.join(os.path.realpath(folder.name), "rows.cu")
        self.write(self.path, self.SOURCE)
        self.client = Client([DIVCOST, "lsp"], environment={**os.environ, "DIVCOST_CLANG": CLANG})
        self.client.initialize(plugin=PLUGIN, flags=FLAGS)

    def tearDown(self):
        self.assertEqual(self.client.end(), 0)

    def write(self, path, text):
        with open(path, "w") as file:
            file.write(text)

    def wait_until(self, words):
        return self.client.wait_for(lambda m: m.get("method") == "window/logMessage" and
                                    "rows.cu: its " + words in m["params"]["message"], 60)

    def analysed_again(self):
        self.client.notify("textDocument/didSave", textDocument={"uri": uri_of(self.path)})
        return self.all_shown()

    def said_of_header(self):
        """What was published last, and heard already."""
        said = [m["params"]["diagnostics"] for m in self.client.heard
                if m.get("params", {}).get("uri") == uri_of(self.header)]
        return said[-1] if said else []

    def all_shown(self):
        """Diagnostics of the file, hints and lenses."""
        found = self.client.diagnostics(self.path, seconds=60)
        return found, self.client.of("codeLens", self.path), self.client.of("inlayHint", self.path)

    def test_a_header_may_change(self):
        self.write(self.header, self.HEADER % "" + "#define FROM_HEADER\n")
        self.client.open(self.path)
        first = self.all_shown()
        self.assertEqual(first[0], [])
        self.wait_until("headers are precompiled")
        found = self.said_of_header() # where the loop is
        self.assertEqual([d["code"] for d in found], ["divcost-data-dependent"])
        self.assertEqual(self.analysed_again(), first)
        self.assertEqual(self.said_of_header(), found)
        self.write(self.header, "\n\n" + self.HEADER % "")
        self.analysed_again()
        self.wait_until("precompiled headers don't serve")
        moved, = self.said_of_header()
        self.assertEqual(moved["range"]["start"]["line"], found[0]["range"]["start"]["line"] + 2)
        self.wait_until("headers are precompiled")
        self.client.change(self.path, 2, {"text": self.SOURCE + "int wrong = here;\n"})
        failure, = self.client.diagnostics(self.path, 2, 60)
        self.assertEqual(failure["range"]["start"], {"line": self.SOURCE.count("\n"), "character": 12})

    def test_comments_in_headers_count(self):
        self.write(self.header, self.HEADER % "NOLINT")
        self.client.open(self.path)
        self.all_shown()
        self.wait_until("headers are precompiled")
        self.analysed_again()
        self.assertEqual(self.said_of_header(), [])

    def test_pragmas_of_headers_count(self):
        self.write(self.header, "#include <divcost.h>\n" +
                   (self.HEADER % "").replace("  for", "  DIVCOST_TRIPS(const(3))\n  for"))
        self.client.open(self.path)
        first = self.all_shown()
        why = self.wait_until("headers aren't precompiled")["params"]["message"]
        self.assertIn("sum.cuh:5:3: error: '#pragma divcost trips' is lost", why)
        self.assertEqual(self.analysed_again(), first)
        self.client.open(self.header)
        self.client.diagnostics(self.header, seconds=60)
        hover = self.client.at("hover", self.header, 5, 4)["contents"]["value"]
        self.assertIn("const(3), annotated", hover)


class Session(unittest.TestCase):
    def environment(self):
        folder = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        shutil.copy(os.path.join(HERE, "rows.cu"), folder)
        return {**os.environ, "SESSION": folder, "DIVCOST": DIVCOST, "PLUGIN": PLUGIN,
                "DIVCOST_CLANG": CLANG, "FLAGS": " ".join(FLAGS), "HOME": folder}

    def test_a_session_of_neovim(self):
        if not shutil.which("nvim"):
            self.skipTest("nvim isn't installed")
        done = run("nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-c",
                   "luafile " + os.path.join(HERE, "neovim.lua"), "-c", "cquit 1",
                   env=self.environment())
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertTrue(done.stdout.rstrip().endswith("ok"), done.stdout)

    def test_a_session_of_visual_studio_codes_protocol_library(self):
        folder = installed("protocol", PROTOCOL)
        environment = {**self.environment(), "NODE_PATH": os.path.join(folder, "node_modules")}
        done = run("node", os.path.join(HERE, "vscode_protocol.js"), env=environment)
        self.assertEqual((done.returncode, done.stdout), (0, "ok\n"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[6:])
