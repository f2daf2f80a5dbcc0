#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_arrows.py ROOT: includes point one way, between top-level folders and between rooms.

Reads every #include "..." of our C, C++ and CUDA files. ROOMS and HEADERS are all that it knows: which
folder may include from which others (from itself it always may), and whose each public header is.
docs/internals/architecture.md draws the same."""
import os
import re
import sys
import tempfile
import unittest

# A folder: what it may include from directly. What those may include from, it may, too. Of bench and
# tools, TOP/tests is every folder of tests.
ROOMS = {
    "cost-models/src/base": "",
    "cost-models/src/math": "cost-models/src/base",
    "cost-models/src/files": "cost-models/src/base",
    "cost-models/src/expr": "cost-models/src/base",
    "cost-models/src/distribution": "cost-models/src/math",
    "cost-models/src/imbalance": "cost-models/src/distribution",
    "cost-models/src/kernel": "cost-models/src/expr cost-models/src/distribution",
    "cost-models/src/arch": "cost-models/src/kernel",
    "cost-models/src/memory": "cost-models/src/kernel",
    "cost-models/src/occupancy": "cost-models/src/base",
    "cost-models/src/time": "cost-models/src/arch",
    "cost-models/src/measured": "cost-models/src/base",
    "cost-models/src/emulator": "cost-models/src/arch",
    "cost-models/src/estimate":
        "cost-models/src/emulator cost-models/src/imbalance cost-models/src/memory "
        "cost-models/src/occupancy cost-models/src/time",
    "cost-models/src/unit": "cost-models/src/estimate cost-models/src/measured",
    "cost-models/src/json": "cost-models/src/unit cost-models/src/files",
    "cost-models/src/report": "cost-models/src/json",
    "cost-models/tests": "cost-models/src/report",
    "cost-models/fuzz": "cost-models/src/report pass/findings",
    "pass/analysis": "cost-models/include",
    "pass/findings": "pass/analysis",
    "pass/ir": "pass/findings",
    "pass/profile": "pass/ir",
    "pass/clang": "pass/profile",
    "pass/tests": "pass/analysis",
    "runtime": "cost-models/include",
    "bench": "cost-models/include",
    "bench/tests": "bench cost-models/tests",
    "tools": "cost-models/include bench",
    "tools/fuzz": "tools cost-models/fuzz",
    "tools/lsp/fuzz": "tools cost-models/fuzz",
    "tools/tests": "tools cost-models/tests",
    "lit-tests": "cost-models/include bench",
}

# The headers of cost-models/include/divcost, by the room of the model that they are of; to all other
# folders they are one, cost-models/include.
HEADERS = {
    "base": "edit_distance error hash name_list parallel path string_set version",
    "math": "random",
    "files": "input replace",
    "expr": "expr",
    "distribution": "assumed distribution histogram sampler",
    "imbalance": "cost grid imbalance imbalance_pmf reconvergence simulate workload",
    "kernel": "kernel rules",
    "arch": "arch machine machine_code",
    "memory": "memory",
    "occupancy": "occupancy",
    "time": "time",
    "emulator": "emulator program",
    "estimate": "estimate",
    "unit": "block_counts embedded flat profile unit what_if",
    "json": "config files",
    "measured": "measured ptxas waits",
    "report": "divcost instances number report words",
}

MODEL, PUBLIC = "cost-models/src", "cost-models/include"
KINDS = (".c", ".h", ".cpp", ".cu", ".cuh", ".def")
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')


def below(folder):
    """The folder, and all that it may include from."""
    found = {folder}
    for other in ROOMS.get(folder, "").split():
        found |= below(other)
    return found


def room_of_header(path):
    name = os.path.splitext(os.path.basename(path))[0]
    return next((MODEL + "/" + room for room, names in HEADERS.items() if name in names.split()), None)


def folder_of(path):
    """The most special folder of ROOMS that a file is in."""
    if path.startswith(PUBLIC):
        return room_of_header(path)
    parts = path.split("/")[:-1]
    if parts[0] in ("bench", "tools") and "tests" in parts:
        return parts[0] + "/tests"
    return next(("/".join(parts[:n]) for n in range(len(parts), 0, -1) if "/".join(parts[:n]) in ROOMS), None)


def find(root, path, name):
    """The file of ours that is included; None: it is none of ours."""
    top = path.split("/")[0]
    places = [os.path.dirname(path), MODEL, PUBLIC, "cost-models/tests", "cost-models/fuzz", top,
              top + "/include", top + "/src", "pass", "tools", "bench/gpu", "bench"]
    for folder in places + ["/".join(path.split("/")[:n]) for n in range(path.count("/"), 0, -1)]:
        found = os.path.normpath(os.path.join(folder, name))
        if os.path.isfile(os.path.join(root, found)):
            return found
    return None


def may_include(path, included):
    here, there = folder_of(path), folder_of(included)
    if included.startswith(PUBLIC) and not (path.startswith(MODEL) or path.startswith(PUBLIC)):
        return PUBLIC in below(here) or any(room.startswith(MODEL) for room in below(here))
    return there in below(here)


def files(root):
    for top in sorted({room.split("/")[0] for room in ROOMS}):
        for folder, folders, names in os.walk(os.path.join(root, top)):
            folders[:] = sorted(set(folders) - {"node_modules"})
            for name in sorted(names):
                if name.endswith(KINDS):
                    yield os.path.relpath(os.path.join(folder, name), root)


def check(root):
    """(what is wrong, how many includes were looked at)"""
    wrong, looked_at = [], 0
    for path in files(root):
        if not folder_of(path):
            wrong.append("%s: in no folder that ROOMS or HEADERS names" % path)
            continue
        with open(os.path.join(root, path), encoding="utf-8", errors="replace") as file:
            found = [(number, match[1]) for number, line in enumerate(file, 1) if (match := INCLUDE.match(line))]
        for number, name in found:
            included = find(root, path, name)
            if not included:
                continue
            looked_at += 1
            if not may_include(path, included):
                wrong.append("%s:%d: %s may not include from %s, where '%s' is" % (
                    path, number, folder_of(path), folder_of(included), name))
    return wrong, looked_at


class Tree(unittest.TestCase):
    root = None

    def test_includes_point_one_way(self):
        wrong, looked_at = check(self.root)
        self.assertEqual(wrong, [])
        self.assertGreater(looked_at, 500)

    def test_every_public_header_has_a_room_and_every_folder_is_there(self):
        names = {os.path.splitext(name)[0] for name in os.listdir(os.path.join(self.root, PUBLIC, "divcost"))}
        self.assertEqual(names, set(" ".join(HEADERS.values()).split()))
        self.assertEqual(set(ROOMS), {folder_of(path) for path in files(self.root)})

    def test_the_page_draws_every_room(self):
        with open(os.path.join(self.root, "docs", "internals", "architecture.md"), encoding="utf-8") as file:
            page = file.read()
        for folder in ROOMS:
            if folder.startswith((MODEL, "pass/")) and folder != "pass/tests":
                self.assertRegex(page, r"`%s/`" % re.escape(folder.split("/")[-1]))


class Made(unittest.TestCase):
    """Small trees with an arrow that runs back up."""

    def wrong_in(self, path, text, included):
        with tempfile.TemporaryDirectory() as root:
            for name, content in ((path, text), (included, "")):
                os.makedirs(os.path.join(root, os.path.dirname(name)), exist_ok=True)
                with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                    file.write(content)
            return check(root)[0]

    def test_a_room_must_not_include_from_one_above(self):
        wrong = self.wrong_in("cost-models/src/math/fft.c", '#include "estimate/walk.h"\n',
                              "cost-models/src/estimate/walk.h")
        self.assertEqual(wrong, ["cost-models/src/math/fft.c:1: cost-models/src/math may not include from "
                                 "cost-models/src/estimate, where 'estimate/walk.h' is"])

    def test_nor_a_public_header_of_one_above(self):
        self.assertTrue(self.wrong_in("cost-models/include/divcost/expr.h", '\n# include "divcost/unit.h"\n',
                                      "cost-models/include/divcost/unit.h"))

    def test_nor_the_model_from_other_folders(self):
        self.assertTrue(self.wrong_in("cost-models/src/unit/unit.c", '#include "report/gate.h"\n',
                                      "tools/report/gate.h"))

    def test_nor_the_analysis_from_the_rest_of_the_plugin(self):
        self.assertTrue(self.wrong_in("pass/analysis/exits.c", '#include "ir/lower.h"\n', "pass/ir/lower.h"))

    def test_nor_the_command_from_inside_the_model(self):
        self.assertTrue(self.wrong_in("tools/check/run.c", '#include "json/json_internal.h"\n',
                                      "cost-models/src/json/json_internal.h"))

    def test_what_is_below_may_be_included(self):
        self.assertEqual(self.wrong_in("cost-models/src/unit/unit.c", '#include "kernel/equal.h"\n',
                                       "cost-models/src/kernel/equal.h"), [])
        self.assertEqual(self.wrong_in("tools/check/run.c", '#include "divcost/unit.h"\n',
                                       "cost-models/include/divcost/unit.h"), [])


if __name__ == "__main__":
    Tree.root = os.path.abspath(sys.argv.pop(1))
    unittest.main()
