#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_gate.py DIVCOST SAMPLES: --fail-on, --baseline and --write-baseline."""
import copy
import json
import os

import jsonschema

from reports import Case, load, main, only, replace_text, run, sample


SCHEMA = os.path.join(os.path.dirname(__file__), "../../docs/divcost-baseline-1.schema.json")


def findings(report):
    return [finding for kernel in report["kernels"] for finding in kernel["findings"]]


class FailOn(Case):
    def status(self, conditions, path=None, words=""):
        done = run("report", "--json", "--fail-on", conditions, path or sample())
        self.assertEqual(json.loads(done.stdout)["divcost"], 1) # the report is there all the same
        self.assertIn(words, done.stderr)
        return done.returncode

    def test_any_and_rules_fail_where_there_is_such_a_finding(self):
        self.assertEqual(self.status("any", words="divcost: 2 findings fail by --fail-on"), 1)
        self.assertEqual(self.status("imbalance", words="src/sparse.cu:8:3: loop loses"), 1)
        self.assertEqual(self.status("barrier", words="[divcost-barrier]"), 1)
        self.assertEqual(self.status("gave-up"), 0)
        self.assertEqual(self.status("gave-up,data-dependent,barrier"), 1)

    def test_imbalance_counts_from_its_least_value(self):
        # poisson(30) over 32 lanes: an aggregate imbalance of 1.396
        self.assertEqual(self.status("imbalance=1.39", words="(imbalance=1.39)"), 1)
        self.assertEqual(self.status("imbalance=1.40"), 0)

    def test_lost_is_the_kernels_share_at_its_low_end(self):
        report = json.loads(self.done("report", "--json", sample()))
        lost = [kernel["estimates"][0]["share"] for kernel in report["kernels"]
                if "share" in kernel["estimates"][0]]
        low = sorted(share["low"] if isinstance(share, dict) else share for share in lost)[-1]
        self.assertEqual(self.status("lost=%.4f" % (low - 0.001), words="[divcost-lost]"), 1)
        self.assertEqual(self.status("lost=%.4f" % (low + 0.001)), 0)
        self.assertEqual(self.status("lost=%.2f%%" % (100 * low + 0.1)), 0)

    def test_what_is_suppressed_or_ignored_never_fails(self):
        def suppress(report):
            for kernel in report["kernels"]:
                for finding in kernel["findings"]:
                    finding["suppressed"] = True
                strings = kernel["skeleton"]["strings"]
                strings.append("rows are short")
                for loop in kernel["skeleton"]["loops"]:
                    loop["ignored"] = len(strings) - 1
        path = self.changed("suppressed.json", suppress)
        self.assertEqual(self.status("any", path), 0)
        self.assertEqual(self.status("imbalance=1", path), 0)
        only_loops = self.changed("spmv.json", lambda report: (suppress(report),
                                                               only(report, "spmv")))
        self.assertEqual(self.status("lost=10%", only_loops), 0)

    def test_conditions_that_mean_nothing_are_wrong_usage(self):
        for text in ("", "imbalance=0.5", "imbalance=33", "lost=2", "lost=-1", "lost=nan", "all",
                     "any,", "imbalance=2x", "barrier=1", "imbalance="):
            done = run("report", "--fail-on=" + text, sample())
            self.assertEqual((done.returncode, done.stdout), (2, ""), text)
        self.refused(2, "conditions are missing after '--fail-on'", "report", sample(), "--fail-on")
        for text in (",", "any,", ",any", "any,,barrier"):
            self.refused(2, "--fail-on has a comma with no condition at one side: '%s'" % text,
                         "report", sample(), "--fail-on", text)
        self.refused(2, "more than 16", "report", sample(), "--fail-on", ",".join(["any"] * 17))


class Baseline(Case):
    def report(self, *arguments):
        done = run("report", "--sarif", *arguments)
        return done.returncode, done.stderr, json.loads(done.stdout)["runs"][0]["results"]

    def written(self, *reports):
        path = self.path("baseline.json")
        self.report("--write-baseline", path, *reports)
        return path

    def test_it_is_sorted_a_finding_a_line_and_stable(self):
        path = self.written(sample())
        with open(path) as file:
            lines = file.read().splitlines()
        self.assertEqual(lines[0], '{"divcost-baseline": 1, "findings": [')
        self.assertEqual(lines[-1], "]}")
        entries = load(path)["findings"]
        jsonschema.Draft202012Validator(load(SCHEMA)).validate(load(path))
        self.assertEqual(len(lines), len(entries) + 2)
        self.assertEqual(entries, sorted(entries, key=lambda e: (e["file"], e["rule"])))
        self.assertEqual({(e["rule"], e["fingerprint"]) for e in entries},
                         {(f["rule"], f["fingerprint"]) for f in findings(load(sample()))})
        # the order of the arguments and of the files' kernels doesn't show
        again = self.path("again.json")
        run("report", "--write-baseline", again, sample("sample_90"), sample("sample_80"))
        with open(path) as one, open(again) as other:
            self.assertEqual(one.read(), other.read())

    def test_only_new_findings_fail(self):
        def lose_barrier(report):
            for kernel in report["kernels"]:
                kernel["findings"] = [f for f in kernel["findings"] if f["rule"] != "barrier"]
        old = self.changed("old.json", lose_barrier)
        path = self.written(old)
        status, said, results = self.report("--fail-on", "any", "--baseline", path, old)
        self.assertEqual(status, 0)
        self.assertEqual(said, "divcost: %s: 1 finding known, 0 new\n" % path)
        self.assertEqual([r["baselineState"] for r in results], ["unchanged"])
        status, said, results = self.report("--fail-on", "any", "--baseline", path, sample())
        self.assertEqual(status, 1)
        self.assertIn("src/sparse.cu:22:5: new: __syncthreads()", said)
        self.assertIn("1 new finding fails by --fail-on", said)
        self.assertEqual({r["ruleId"]: r["baselineState"] for r in results},
                         {"imbalance": "unchanged", "barrier": "new"})

    def test_a_baseline_alone_informs_and_never_fails(self):
        path = self.written(self.changed("none.json", lambda report: [
            kernel.update(findings=[]) for kernel in report["kernels"]]))
        status, said, _ = self.report("--baseline", path, sample())
        self.assertEqual((status, said), (0, "divcost: %s: 0 findings known, 2 new\n" % path))

    def test_what_is_gone_is_said_and_dropped_on_request(self):
        path = self.written(sample())
        clean = self.changed("clean.json", lambda report: [
            kernel.update(findings=[]) for kernel in report["kernels"]])
        status, said, results = self.report("--fail-on", "any", "--baseline", path, clean)
        self.assertEqual(status, 0)
        self.assertIn("2 findings of %s are no longer there: --write-baseline would drop them" %
                      path, said)
        self.assertEqual([r["baselineState"] for r in results], ["absent", "absent"])
        self.report("--baseline", path, "--write-baseline", path, clean)
        self.assertEqual(load(path)["findings"], [])

    def test_a_message_with_other_figures_is_the_same_finding(self):
        path = self.written(sample())
        def word(report):
            findings(report)[0]["message"] = "loop loses 41% of the kernel's issue cycles"
        status, _, results = self.report("--fail-on", "any", "--baseline", path,
                                         self.changed("other.json", word))
        self.assertEqual(status, 0)
        self.assertEqual(sorted(r["baselineState"] for r in results), ["unchanged", "updated"])

    def test_equal_fingerprints_count(self):
        report = load(sample())
        only(report, "spmv")
        other = copy.deepcopy(report)
        replace_text(other, "sparse.cu", "copy.cu") # a kernel of a file, and its copy
        one, two = self.write("one.json", report), self.write("two.json", other)
        path = self.written(one)
        status, said, _ = self.report("--fail-on", "any", "--baseline", path, one, two)
        self.assertEqual(status, 1)
        self.assertIn("1 finding known, 1 new", said)
        self.assertIn("src/copy.cu:8:3: new", said) # which of them is known is told by the file
        path = self.written(one, two)
        self.assertEqual(len(load(path)["findings"]), 2)
        self.assertEqual(self.report("--fail-on", "any", "--baseline", path, one, two)[0], 0)
        self.assertIn("1 finding of", self.report("--baseline", path, two)[1])

    def test_baselines_know_barriers_by_their_former_fingerprints(self):
        report = load(sample())
        kernel = next(k for k in report["kernels"]
                      if any(f["rule"] == "barrier" for f in k["findings"]))
        finding = next(f for f in kernel["findings"] if f["rule"] == "barrier")
        second = dict(finding, fingerprint="00000000000000b2")
        path = self.written(sample())
        content = load(path)
        entry = next(e for e in content["findings"] if e["rule"] == "barrier")
        former = 0xcbf29ce484222325 + 2 # the rule's number
        for byte in (kernel["symbol"] + entry["message"]).encode():
            former = (former ^ byte) * 0x100000001b3 % 2**64
        entry["fingerprint"] = "%016x" % former
        self.write("baseline.json", content)
        status, said, results = self.report("--fail-on", "any", "--baseline", path, sample())
        self.assertEqual((status, said), (0, "divcost: %s: 2 findings known, 0 new\n" % path))
        self.assertEqual({r["baselineState"] for r in results}, {"unchanged"})
        # one entry is one barrier, and not one of another kind
        kernel["findings"].append(second)
        status, said, _ = self.report("--fail-on", "any", "--baseline", path,
                                      self.write("two.json", report))
        self.assertEqual(status, 1)
        self.assertIn("1 finding known, 1 new", said)
        for f in (finding, second):
            f["message"] = f["message"].replace("__syncthreads()", "__syncwarp()")
        said = self.report("--baseline", path, self.write("warp.json", report))[1]
        self.assertIn("1 finding known, 1 new", said)
        # what a message says may change
        kernel["findings"].remove(second)
        finding["message"] = "__syncthreads() waits for threads that may not come"
        other = self.write("other.json", report)
        status, _, results = self.report("--fail-on", "any", "--baseline", path, other)
        self.assertEqual(status, 0)
        self.assertEqual({r["ruleId"]: r["baselineState"] for r in results},
                         {"imbalance": "unchanged", "barrier": "updated"})
        # a baseline that is written has the fingerprint that counts from then on
        self.report("--baseline", path, "--write-baseline", path, sample())
        entries = {e["rule"]: e["fingerprint"] for e in load(path)["findings"]}
        self.assertEqual(entries["barrier"], next(f["fingerprint"] for f in findings(load(sample()))
                                                  if f["rule"] == "barrier"))

    def test_a_kernel_of_several_units_is_one(self):
        path = self.written(sample(), sample())
        self.assertEqual(len(load(path)["findings"]), 2)

    def test_losses_of_kernels_can_be_known_too(self):
        path = self.path("lost.json")
        self.report("--fail-on", "lost=10%", "--write-baseline", path, sample())
        self.assertIn("lost", {entry["rule"] for entry in load(path)["findings"]})
        self.assertEqual(self.report("--fail-on", "lost=10%", "--baseline", path, sample())[0], 0)
        self.assertNotIn("no longer", self.report("--baseline", path, sample())[1])

    def test_paths_are_from_the_baselines_folder(self):
        path = self.changed("report.json", lambda report: replace_text(
            report, "src/sparse.cu", self.path("src/sparse.cu")))
        self.assertEqual({entry["file"] for entry in load(self.written(path))["findings"]},
                         {"src/sparse.cu"})

    def test_a_bad_baseline_is_said_where(self):
        entry = {"rule": "imbalance", "fingerprint": "0123456789abcdef"}
        for content, words in (("", "line 1"), ("[]", "is no baseline"), ('{"divcost": 1}', "no bas"),
                               ({"divcost-baseline": 2, "findings": []}, "must be 1"),
                               ({"divcost-baseline": 1}, "findings: must be an array"),
                               ({"divcost-baseline": 1, "findings": [entry, 7]}, "findings[1]"),
                               ({"divcost-baseline": 1, "findings": [{**entry, "rule": 1}]},
                                "findings[0]"),
                               ({"divcost-baseline": 1, "findings": [{**entry, "fingerprint": "x"}]},
                                "16 hexadecimal digits")):
            self.refused(1, words, "report", "--baseline", self.write("bad.json", content), sample())
        self.refused(1, "--write-baseline makes one", "report", "--baseline", self.path("none"),
                     sample())

    def test_a_baseline_that_cannot_be_written_leaves_the_old_one(self):
        path = self.written(sample())
        before = os.stat(path)
        done = run("report", "--write-baseline", self.path("nowhere", "b.json"), sample())
        self.assertEqual(done.returncode, 1)
        self.assertIn("No such file", done.stderr)
        if os.path.exists("/dev/full"):
            done = run("report", "--write-baseline", "/dev/full", sample())
            self.assertEqual(done.returncode, 1)
            self.assertIn("No space left", done.stderr)
        self.assertEqual(os.stat(path), before)


if __name__ == "__main__":
    main()
