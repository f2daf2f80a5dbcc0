#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of others.py and its models, on a report that was made up: what must come out was reckoned
by hand."""
import json
import os
import statistics
import tempfile
import unittest

import other_models
import others

MACHINE = {"clock": 1e9, "sms": 2, "schedulers": 4, "issue": 1, "l1": 40, "l2": 230, "l2_far": 250, "dram": 640,
           "l1_request": 1, "l1_line": 1, "l2_sector": 2, "l2_line_sector": 1, "dram_sector": 4, "dram_line_sector": 2,
           "l1_bytes": 1024, "l2_bytes": 65536}

# Parameters: a, of 4096 bytes, read in rows; b, of 131072, gathered by 8 lanes at a time. Its blocks
# are 8 of 2 warps.
REPORT = {"kernels": [{
    "accesses": [
        {"space": "global", "kind": "load", "bytes": 4, "class": "row", "requests": 1, "lanes": 32, "sectors": 4},
        {"space": "global", "kind": "load", "bytes": 4, "class": "gather", "requests": 10, "lanes": 8,
         "sectors": {"low": 1, "high": 32}},
        {"space": "shared", "kind": "load", "bytes": 4, "class": "row", "requests": 7, "lanes": 32, "sectors": 1}],
    "estimates": [{
        "block": [64, 1, 1], "grid": [8, 1, 1], "instructions": 100, "efficiency": 0.25, "share": 0.75,
        "cycles": {"total": 220, "imbalance": 150, "reconvergence": 20},
        "occupancy": {"blocks": {"low": 1, "high": 3}}, "loops": [{"entries": 2, "mean_trips": 5}],
        "time": {"seconds": {"low": 1e-6, "high": 4e-6}, "alike": 1e-6, "lost": {"low": 0.2, "high": 0.6},
                 "bound": "dram"}}],
    "skeleton": {
        "params": [[0], [1]], "extents": [[0, 4096], [1, 131072]],
        "nodes": [["param", 64, 0, 0], ["param", 64, 0, 1]],
        "blocks": [[[1], -1], [[1], 0]], "barriers": [[0, 0, 0, 0, False], [1, 0, 0, 0, False], [1, 0, 0, 0, True]],
        "accesses": [[0, "global", "load", 4, 3, 0, 0, 0], [0, "global", "load", 4, 3, 1, 0, 1],
                     [0, "shared", "load", 4, 3, 1, 0, -1]]}}]}

# The paper's example, of 80 blocks of 128 threads on an FX 5600.
EXAMPLE = other_models.HongKim(
    mem_ld=420, departure_coalesced=4, departure_uncoalesced=10, issue_cycles=4, bandwidth=80e9, clock=1e9,
    uncoalesced_per_warp=32, load_bytes_per_warp=128, computation=27, coalesced=0, uncoalesced=6, synchronisations=6,
    active_warps=20, active_blocks=5, active_sms=16, repetitions=1)


def made_up():
    return other_models.facts_of(REPORT, MACHINE)


class Facts(unittest.TestCase):
    def test_of_a_warp(self):
        facts = made_up()
        self.assertEqual((facts.instructions, facts.instructions_alike), (100, 25))
        self.assertEqual((facts.cycles, facts.cycles_alike, facts.share), (200, 50, 0.75))
        self.assertEqual((facts.blocks, facts.warps, facts.resident), (8, 2, 2))
        self.assertEqual(facts.barriers, 1 + 2 * 5)

    def test_lanes_that_may_decide_alike(self):
        """The ends of intervals of a branch: alike at the one, each for itself at the other."""
        report = json.loads(json.dumps(REPORT))
        report["kernels"][0]["estimates"][0].update(
            instructions={"low": 50, "high": 100}, efficiency={"low": 0.5, "high": 1}, share=0,
            cycles={"total": {"low": 100, "high": 210}, "imbalance": 0, "reconvergence": {"low": 0, "high": 10}})
        facts = other_models.facts_of(report, MACHINE)
        self.assertEqual((facts.instructions, facts.instructions_alike), (100, 50))
        self.assertEqual((facts.cycles, facts.cycles_alike), (200, 100))

    def test_requests(self):
        """a is asked for more often for its size, so L2 has it whole, and of b (65536 - 4096) bytes."""
        row, gather = made_up().requests
        self.assertEqual(row, other_models.Request(1, 32, True, 1, 4, 4, 0))
        self.assertEqual(gather, other_models.Request(10, 8, False, 8, 8, 8, 1 - 61440 / 131072))

    def test_requests_alike(self):
        _, gather = other_models.alike(made_up().requests)
        self.assertEqual(gather[:6], (2.5, 32, False, 32, 32, 32))

    def test_arrays_that_l1_holds_are_read_once(self):
        report = json.loads(json.dumps(REPORT))
        report["kernels"][0]["skeleton"]["extents"][1][1] = 640  # 20 sectors on 2 SMs, 160 requests
        self.assertEqual(other_models.facts_of(report, MACHINE).requests[1].beyond_l1, 0.25)

    def test_steps(self):
        skeleton = {"params": [[0], [1, 24]], "nodes": [
            ["iv", 32, 0, 0], ["iv", 32, 0, 1], ["const", 32, 0, 4], ["param", 32, 0, 1], ["load", 32, 3, 0],
            ["mul", 32, 3, 0, 0, 3], ["add", 32, 3, 0, 5, 4], ["zext", 64, 3, 0, 6], ["mul", 64, 3, 0, 2, 7],
            ["load", 32, 3, 1, 0]]}
        self.assertEqual(other_models.step_of(skeleton, 8, 0), 96)  # 4 * (24 * i0 + load)
        self.assertEqual(other_models.step_of(skeleton, 8, 1), 0)
        self.assertIsNone(other_models.step_of(skeleton, 9, 0))


class Models(unittest.TestCase):
    def test_zero_and_slots(self):
        self.assertEqual(other_models.zero(made_up(), MACHINE).s, 0)
        self.assertEqual(other_models.slots(made_up(), MACHINE).s, 0.75)

    def test_paths(self):
        """16 warps issue 100 instructions each by 8 schedulers; 200 cycles of each, 50 if alike."""
        found = other_models.paths(made_up(), MACHINE)
        self.assertAlmostEqual(found.seconds, 200e-9)
        self.assertAlmostEqual(found.alike, 50e-9)
        self.assertAlmostEqual(found.s, 0.75)

    def test_roofline_of_memory(self):
        """Of an SM 8 warps; each 4 sectors of a line and 80 apart, of which 42.5 come from DRAM."""
        now = other_models.roofs(made_up(), 100, MACHINE)
        self.assertAlmostEqual(now["issue"], 200e-9)
        self.assertAlmostEqual(now["l2"], 8 * (4 * 1 + 80 * 2) * 1e-9)
        self.assertAlmostEqual(now["dram"], 8 * 42.5 * 4 * 1e-9)
        found = other_models.roofline(made_up(), MACHINE)
        self.assertEqual((found.s, found.why), (0, "dram"))
        self.assertAlmostEqual(found.seconds, 1360e-9)

    def test_roofline_of_issue(self):
        found = other_models.roofline(made_up()._replace(requests=[]), MACHINE)
        self.assertAlmostEqual(found.seconds, 200e-9)
        self.assertAlmostEqual(found.s, 0.75)

    def test_divcost(self):
        found = other_models.divcost(made_up(), MACHINE)
        self.assertAlmostEqual(found.seconds, 2e-6)
        self.assertAlmostEqual(found.s, 0.4)
        self.assertIsNone(other_models.divcost(made_up()._replace(time={"unknown": "trips"}), MACHINE))


class HongKim(unittest.TestCase):
    def test_example_of_the_paper(self):
        """Which says 50738 cycles, with MWP rounded to 2.28."""
        cycles, equation = other_models.hong_kim_cycles(EXAMPLE)
        self.assertEqual(equation, "23")
        self.assertAlmostEqual(cycles, 6 * 730 * 20 / 2.28125 + 22 * 1.28125 + 320 * 1.28125 * 6 * 5)
        self.assertLess(abs(cycles / 50738 - 1), 0.001)

    def simple(self, **changes):
        return EXAMPLE._replace(mem_ld=400, departure_coalesced=10, load_bytes_per_warp=0, uncoalesced=0,
                                uncoalesced_per_warp=0, synchronisations=0, **changes)

    def test_few_warps(self):
        """Computation 20, memory 800 cycles of each of 4 warps, thrice."""
        found = other_models.hong_kim_cycles(self.simple(
            issue_cycles=2, computation=8, coalesced=2, active_warps=4, repetitions=3))
        self.assertEqual(found, ((800 + 20 + 10 * 3) * 3, "22"))

    def test_computation(self):
        found = other_models.hong_kim_cycles(self.simple(issue_cycles=1, computation=299, coalesced=1, active_warps=8))
        self.assertEqual(found, (400 + 300 * 8, "24"))

    def test_more_computation_than_memory(self):
        """As printed, and by MWP and CWP alone."""
        inputs = self.simple(issue_cycles=1, computation=599, coalesced=1, active_warps=8)
        self.assertEqual(other_models.hong_kim_cycles(inputs), (400 * 8 / 8 + 600 * 7, "23"))
        self.assertEqual(other_models.hong_kim_cycles(inputs, by_computation=False), (400 + 600 * 8, "24"))

    def test_bandwidth(self):
        """64 bytes in 400 cycles of one warp, at 1 GHz, is 0.16 GB/s; 2 SMs, 0.64 GB/s: MWP is 2."""
        found = other_models.hong_kim_cycles(self.simple(
            issue_cycles=1, computation=0, coalesced=1, active_warps=8, active_sms=2, bandwidth=0.64e9)._replace(
                load_bytes_per_warp=64))
        self.assertEqual(found, (400 * 8 / 2 + 1 * 1, "23"))

    def test_inputs(self):
        facts = made_up()
        inputs = other_models.hong_kim_inputs(facts, 100, facts.requests, MACHINE)
        self.assertAlmostEqual(inputs.mem_ld, (240 + 10 * (240 + 0.53125 * 400)) / 11)
        self.assertAlmostEqual(inputs.departure_coalesced, 4)
        self.assertAlmostEqual(inputs.departure_uncoalesced, 0.46875 * 2 + 0.53125 * 4)
        self.assertAlmostEqual(inputs.load_bytes_per_warp, 10 * 8 * 0.53125 * 32 / 11)
        self.assertEqual(inputs.bandwidth, 32e9)
        self.assertEqual((inputs.computation, inputs.coalesced, inputs.uncoalesced), (89, 1, 10))
        self.assertEqual((inputs.issue_cycles, inputs.uncoalesced_per_warp), (0.25, 8))
        self.assertEqual((inputs.active_warps, inputs.active_blocks, inputs.active_sms), (4, 2, 2))
        self.assertEqual(inputs.repetitions, 2)


class Summaries(unittest.TestCase):
    def test_most_of(self):
        self.assertEqual(others.most_of(range(1, 11)), 9)
        self.assertEqual(others.most_of(range(1, 42)), 37)
        self.assertEqual(others.most_of([3]), 3)

    def test_bootstrap(self):
        values = [k / 100 for k in range(101)]
        ends = others.bootstrap(values, statistics.median)
        self.assertEqual(ends, others.bootstrap(values, statistics.median))
        self.assertTrue(0.35 < ends[0] < 0.45 and 0.55 < ends[1] < 0.65)
        self.assertEqual(others.bootstrap([2, 2, 2], others.most_of), (2, 2))

    def test_line(self):
        self.assertEqual(others.line_through([(0, 1), (1, 3), (2, 5)]), (2, 1, 0))

    def test_documents(self):
        text = "a\n<!-- others.py: begin open -->\nold\n<!-- others.py: end open -->\nb\n"
        self.assertEqual(others.replace_part(text, "open", "new\n"), text.replace("old", "new"))
        with self.assertRaises(SystemExit):
            others.replace_part("a\n", "open", "new\n")

    def test_rows(self):
        """A pair that was measured, one that came out wrong, one without a report."""
        pairs = [{"name": name, "expected": "dram"} for name in ("right", "wrong", "missing")]
        times = "# GPU\npair\torder\tmedian\tleast\tgreatest\tchecked\n" + "".join(
            "%s\t%s\t%s\t0\t0\t%s\n" % (name, order, seconds, "no" if name == "wrong" else "ok")
            for name in ("right", "wrong", "missing") for order, seconds in (("mixed", 4e-6), ("alike", 3e-6)))
        with tempfile.TemporaryDirectory() as folder:
            for name in ("right", "wrong"):
                with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
                    json.dump(REPORT, file)
            path = os.path.join(folder, "open-nvcc.tsv")
            with open(path, "w", encoding="utf-8") as file:
                file.write(times)
            measured = {"nvcc": others.measured_times(path), "clang": {}}
            rows, left_out = others.compare(pairs, folder, measured, MACHINE)
            others.write_tsv(path, rows)
        self.assertEqual([(row["pair"], row["build"]) for row in rows], [("right", "nvcc")])
        self.assertEqual(len(left_out), 5)
        self.assertAlmostEqual(others.distances(rows, "zero")[0], 0.25)
        self.assertAlmostEqual(others.factors(rows, "divcost")[0], 2)
        self.assertEqual(others.factors(rows, "slots"), [])
        self.assertIn("| nvcc | always 0 | 1 | 0.250 [0.250, 0.250] |", others.markdown(rows))


if __name__ == "__main__":
    unittest.main()
