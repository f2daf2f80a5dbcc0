#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_not_analysed.py DIVCOST SAMPLES: a kernel at which the analysis has stopped, in everything that
the command makes of reports; the other kernels keep their figures."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "html"))
from page_block import block
from reports import Case, load, main, only, run, sample

STOPPED = "_Z13state_machinePKiPii"
REASON = "its divergence analysis stops after 40,000,000 steps, the limit"


def path():
    return sample("not_analysed")


class Formats(Case):
    def test_json_has_the_kernel_its_reason_and_no_figure(self):
        report = json.loads(self.done("report", "--json", path()))
        self.assertEqual([k["symbol"] for k in report["kernels"]][3], STOPPED)
        stopped = report["kernels"][3]
        self.assertIn(REASON, stopped["not_analysed"])
        self.assertEqual((stopped["loops"], stopped["skeleton"]["blocks"]), ([], []))
        self.assertEqual([(e["arch"], e["cycles"]) for e in stopped["estimates"]],
                         [("sm_80", {}), ("sm_90", {})])
        self.assertEqual([f["rule"] for f in stopped["findings"]], ["gave-up"])
        self.assertEqual(report["kernels"][:3],
                         json.loads(self.done("report", "--json", sample()))["kernels"])

    def test_text_says_why_and_ranks_the_kernel_last(self):
        text = self.done("report", path())
        words = " ".join(text.split())
        self.assertIn("not analysed " + REASON, words)
        summary = [line for line in text.splitlines() if line.endswith("state_machine")]
        self.assertEqual(summary[0].split(), ["-", "-", "-", "state_machine"])
        self.assertNotIn("-1", words)

    def test_rows_have_the_reason_and_no_figure(self):
        rows = [json.loads(line) for line in self.done("report", "--jsonl", path()).splitlines()]
        stopped = [row for row in rows if row["symbol"] == STOPPED]
        self.assertEqual([(row["row"], row["arch"], row["loops"]) for row in stopped],
                         [("kernel", "sm_80", 0), ("kernel", "sm_90", 0)])
        for row in stopped:
            self.assertIn(REASON, row["not_analysed"])
            self.assertFalse([key for key in row if key.endswith("_low")])
        self.assertFalse([row for row in rows if row["symbol"] != STOPPED and "not_analysed" in row])

    def test_sarif_has_the_finding(self):
        log = json.loads(self.done("report", "--sarif", path()))
        results = [r for r in log["runs"][0]["results"] if r["ruleId"] == "gave-up"]
        self.assertEqual([r["level"] for r in results], ["warning"])

    def test_page_has_the_kernel(self):
        done = run("report", "--html", path())
        if "this build has no HTML report" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        number = next(k for k, row in enumerate(json.loads(block(done.stdout, "index"))["kernels"]) if row[19] == STOPPED)
        self.assertIn('"not_analysed":"' + REASON, block(done.stdout, "k%d" % number))


class Commands(Case):
    def test_merging_keeps_it_and_an_analysis_that_ends_replaces_it(self):
        twice = json.loads(self.done("report", "--json", path(), path()))
        self.assertEqual(len(twice["kernels"]), 4)
        self.assertEqual(len(twice["kernels"][3]["findings"]), 1)

    def test_what_if_leaves_it_as_it_is(self):
        text = self.done("what-if", "--block", "64", path())
        self.assertNotIn("-1", text)
        report = json.loads(self.done("what-if", "--block", "64", "--json", path()))
        self.assertIn(REASON, report["kernels"][3]["not_analysed"])
        self.assertEqual(report["kernels"][3]["block"], [64, 1, 1])

    def test_diff_says_that_it_is_not_analysed_any_more(self):
        def stop(report): # spmv_csr, which loses most
            skeleton = report["kernels"][0]["skeleton"]
            skeleton["strings"].append(REASON)
            skeleton["not_analysed"] = len(skeleton["strings"]) - 1
            for name in ("blocks", "loops", "branches", "barriers"):
                skeleton[name] = []
            report["kernels"][0]["estimates"] = report["kernels"][0]["findings"] = []
        after = self.changed("after.json", stop)
        text = self.done("diff", sample(), after)
        self.assertIn("0 lose more, 0 less, 1 differ otherwise", text)
        self.assertIn("after: not analysed: " + REASON, text)
        both = json.loads(self.done("diff", "--json", sample(), after))
        self.assertEqual(both["kernels"][0]["after"], {"not_analysed": REASON})

    def test_the_gate_fails_by_the_rule_and_else_says_what_it_could_not_judge(self):
        done = run("report", "--fail-on", "gave-up", path())
        self.assertEqual(done.returncode, 1)
        self.assertIn("src/sparse.cu:40:17: kernel 'state_machine", done.stderr)
        self.assertEqual(run("report", "--fail-on", "gave-up", sample()).returncode, 0)
        done = run("report", "--fail-on", "lost=0.99", path())
        self.assertEqual(done.returncode, 0)
        self.assertIn("1 kernel was not analysed, so --fail-on says nothing of it; the condition "
                      "gave-up fails for such kernels", done.stderr)
        self.assertNotIn("not analysed", run("report", "--fail-on", "lost=0.99", sample()).stderr)

    def test_it_cannot_be_emulated(self):
        self.refused(1, "the kernel was not analysed: " + REASON,
                     "emulate", path(), "--kernel", "state_machine")


main()
