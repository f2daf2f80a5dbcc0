#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_planted.py BUILD CLANG: the oracle finds nothing wrong with right reports, and each wrong claim that
is put into them."""
import copy
import json
import os
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

from compile import Failure, Tools, build_unit, run_unit  # noqa: E402
from generate import generate  # noqa: E402
from program import unit_text  # noqa: E402

LAUNCHES, SEED = 200, 1


class Planted(unittest.TestCase):
    tools = None

    @classmethod
    def setUpClass(cls):
        cls.keeper = tempfile.TemporaryDirectory(prefix="oracle")
        cls.folder = cls.keeper.name
        with open(os.path.join(HERE, "planted.cu"), encoding="utf-8") as stream:
            build_unit(cls.tools, stream.read(), cls.folder)
        with open(os.path.join(cls.folder, "unit.json"), encoding="utf-8") as stream:
            cls.unit = json.load(stream)

    @classmethod
    def tearDownClass(cls):
        cls.keeper.cleanup()

    def run_with(self, change):
        """Outcomes with a report that was changed."""
        unit = copy.deepcopy(self.unit)
        kernels = {k["symbol"]: k for k in unit["kernels"]}
        change(kernels)
        with open(os.path.join(self.folder, "unit.json"), "w", encoding="utf-8") as stream:
            json.dump(unit, stream)
        return run_unit(self.tools, self.folder, LAUNCHES, SEED)

    def kinds(self, change, kernel):
        return {v[0] for v in self.run_with(change)[kernel].violations}

    def loop(self, kernels, kernel, index=0):
        return kernels[kernel]["skeleton"]["loops"][index]

    def test_right_reports_are_right(self):
        outcomes = self.run_with(lambda kernels: None)
        self.assertEqual(sorted(outcomes), ["k0", "k1", "k2", "k3", "k4"])
        for outcome in outcomes.values():
            self.assertEqual(outcome.violations, [])
            self.assertEqual(outcome.errors, [])
        for name in ("k0", "k1", "k2", "k3"):
            self.assertGreater(outcomes[name].figures["alike"], 1000)
            self.assertGreater(outcomes[name].figures["expressions"] + outcomes[name].figures["bounds"], 1000)

    def test_classes(self):
        for kernel, index, wrong, kind in (("k0", 0, "uniform", "uniform"), ("k0", 0, "warp-uniform", "warp-uniform"),
                                           ("k0", 0, "strided", "strided"), ("k1", 0, "uniform", "uniform"),
                                           ("k2", 1, "block-uniform", "block-uniform"),
                                           ("k2", 1, "strided", "strided"), ("k3", 0, "warp-uniform", "warp-uniform")):
            def change(kernels):
                loop = self.loop(kernels, kernel, index)
                loop["class"] = wrong
                loop.pop("condition", None)
            self.assertIn(kind, self.kinds(change, kernel), (kernel, wrong))

    def with_constant(self, kernels, kernel, value):
        nodes = kernels[kernel]["skeleton"]["nodes"]
        nodes.append(["const", 64, 0, value])
        return len(nodes) - 1

    def test_trip_counts(self):
        def loop_of(kernels):
            self.loop(kernels, "k1")["trips"] = self.with_constant(kernels, "k1", 5)
        self.assertIn("trips", self.kinds(loop_of, "k1"))
        self.assertIn("most", self.kinds(loop_of, "k1"))
        self.assertIn("estimate", self.kinds(loop_of, "k1"))

        def exit_of(kernels):
            self.loop(kernels, "k1")["exits"][0][3] = self.with_constant(kernels, "k1", 6)
        self.assertIn("exit-trips", self.kinds(exit_of, "k1"))

    def test_exits(self):
        def change(kernels):
            for one in self.loop(kernels, "k0")["exits"]:
                one[2] = 0
        self.assertIn("exit", self.kinds(change, "k0"))

    def test_conditions(self):
        self.assertIn("|k| <=", self.strings("k2", "condition"))

        def change(kernels):
            for loop in kernels["k2"]["skeleton"]["loops"]:
                loop.pop("condition", None)
        self.assertIn("strided", self.kinds(change, "k2"))

    def strings(self, kernel, member):
        skeleton = next(k for k in self.unit["kernels"] if k["symbol"] == kernel)["skeleton"]
        return " / ".join(skeleton["strings"][loop[member]] for loop in skeleton["loops"] if member in loop)

    def test_a_condition_on_rows(self):
        self.assertIn("if blockDim.x is a multiple of 32", self.strings("k3", "condition"))

        def change(kernels):
            strings = kernels["k3"]["skeleton"]["strings"]
            for k, text in enumerate(strings):
                strings[k] = text.replace("warp-uniform if blockDim.x", "block-uniform if blockDim.x")
        self.assertIn("block-uniform", self.kinds(change, "k3"))

    def test_an_unknown_condition_is_an_error(self):
        def change(kernels):
            kernels["k0"]["skeleton"]["strings"].append("if the moon is full")
            self.loop(kernels, "k0")["condition"] = len(kernels["k0"]["skeleton"]["strings"]) - 1
        errors = self.run_with(change)["k0"].errors
        self.assertEqual(errors, ["unknown condition: if the moon is full"])

    def test_barriers(self):
        def change(kernels):
            findings = kernels["k4"]["findings"]
            self.assertIn("barrier", [f["rule"] for f in findings])
            kernels["k4"]["findings"] = [f for f in findings if f["rule"] != "barrier"]
        self.assertIn("barrier", self.kinds(change, "k4"))

    def test_a_report_that_cannot_be_read(self):
        def change(kernels):
            self.loop(kernels, "k0")["header"] = 10 ** 6
        self.assertIn("unreadable report", self.run_with(change)["-"].errors[0])

    def test_a_loop_that_the_report_does_not_have(self):
        def change(kernels):
            for location in kernels["k1"]["skeleton"]["locations"]:
                location[1] += 1000
        figures = self.run_with(change)["k1"].figures
        self.assertEqual(figures["unclaimed"], figures["entries"])


class Generator(unittest.TestCase):
    def test_a_program_follows_from_seed_and_number(self):
        self.assertEqual(unit_text([generate("a", 3)]), unit_text([generate("a", 3)]))
        self.assertNotEqual(unit_text([generate("a", 3)]), unit_text([generate("b", 3)]))

    def test_what_does_not_compile_is_told(self):
        with tempfile.TemporaryDirectory(prefix="oracle") as folder:
            with self.assertRaises(Failure):
                build_unit(Planted.tools, "this is no program", folder)


if __name__ == "__main__":
    Planted.tools = Tools(sys.argv[1], sys.argv[2])
    unittest.main(argv=sys.argv[:1])
