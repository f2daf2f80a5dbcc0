#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_what_if.py DIVCOST SAMPLES: `divcost what-if`."""
import json
import math

from reports import Case, load, main, only, replace_text, run, sample


def poisson(mean, k):
    return math.exp(k * math.log(mean) - mean - math.lgamma(k + 1))


def shared_aggregate(mean, lanes, per_item):
    """per_item * E[max of lanes / per_item of ceil(W / per_item)] / E[W] for Poisson's distribution."""
    below, maximum = 0.0, 0.0
    top = int(mean + 20 * math.sqrt(mean)) + 40
    cumulative = [0.0]
    for k in range(top):
        cumulative.append(cumulative[-1] + poisson(mean, k))
    for rounds in range(top // per_item + 1): # E[max] = sum of P(max > rounds)
        below = cumulative[min(rounds * per_item + 1, top)] # P(W <= rounds * per_item)
        maximum += 1 - below ** (lanes // per_item)
    return per_item * maximum / mean


class WhatIf(Case):
    def changed_report(self, *arguments):
        return json.loads(self.done("what-if", "--json", *arguments))

    def spmv(self, *arguments):
        return next(kernel for kernel in self.changed_report(*arguments, sample())["kernels"]
                    if kernel["name"].startswith("spmv"))

    def test_another_law_has_the_figures_of_a_report_that_was_made_with_it(self):
        made = self.changed("made.json",
                            lambda report: replace_text(report, "poisson(30)", "zipf(2,1000)"))
        made = json.loads(self.done("report", "--json", made))["kernels"]
        made = next(kernel for kernel in made if kernel["name"].startswith("spmv"))
        for where in ("sparse.cu:8", "src/sparse.cu:8", "0123456789abcdef"):
            kernel = self.spmv("--trips", where + "=zipf(2,1000)")
            self.assertEqual(kernel["estimates"][0]["cycles"], made["estimates"][0]["cycles"])
            self.assertEqual(kernel["loops"][0]["imbalance"], made["loops"][0]["imbalance"])
            self.assertEqual(kernel["loops"][0]["trips"]["distribution_at"], "what-if")

    def test_correlated_lanes(self):
        independent = self.spmv("--trips", "sparse.cu:8=poisson(30)")["loops"][0]["imbalance"]
        half = self.spmv("--trips", "sparse.cu:8=poisson(30), per_warp_correlated(0.5)")
        self.assertAlmostEqual(half["loops"][0]["imbalance"]["aggregate"],
                               0.5 + 0.5 * independent["aggregate"], 6)

    def test_a_loop_that_is_derived_takes_the_law_too(self):
        def trips(*more):
            report = self.changed_report("--param", "g=5000", *more, sample())
            return next(loop["trips"] for kernel in report["kernels"] for loop in kernel["loops"]
                        if loop["id"] == "1111111111111111")
        self.assertEqual(trips()["from"], "derived")
        distribution = trips("--trips", "1111111111111111=const(7)")
        self.assertEqual((distribution["from"], distribution["mean"]), ("annotated", 7))

    def test_blocks_change_and_grids_cover_as_much(self):
        kernel = self.spmv("--block", "64")
        self.assertEqual(kernel["block"], [64, 1, 1])
        self.assertEqual(kernel["block_from"], "option")
        # 16 blocks of 256 and 32 of 128 are both 64 of 64
        self.assertEqual([(e["arch"], e["grid"]) for e in kernel["estimates"]],
                         [("sm_80", [64, 1, 1]), ("sm_90", [64, 1, 1])])
        self.assertEqual(self.spmv("--block=8x4")["block"], [8, 4, 1])

    def test_parameters_get_values(self):
        kernels = self.changed_report("--param", "n=100", sample())["kernels"]
        kernel = next(kernel for kernel in kernels if kernel["name"].startswith("saxpy"))
        self.assertEqual(kernel["values"], [{"name": "n", "position": 0, "value": 100}])
        self.refused(1, "--param nobody: no kernel has a parameter of this name", "what-if",
                     "--param", "nobody=1", sample())

    def test_a_parameter_that_decides_nothing_is_refused(self):
        self.refused(1, "--param rows: no trip count, condition or address depends on this parameter", "what-if",
                     "--param", "rows=1", sample())

    def test_another_architecture(self):
        report = self.changed_report("--arch", "sm_50", sample())
        self.assertEqual(report["archs"], ["sm_50"])
        estimates = [e for kernel in report["kernels"] for e in kernel["estimates"]]
        self.assertEqual({(e["arch"], e["rules"]) for e in estimates}, {("sm_50", "stack")})

    def test_the_changed_report_is_a_report(self):
        for question in (["--block", "64"], ["--trips", "sparse.cu:8=poisson(10)"],
                         ["--arch", "sm_52"], ["--param", "n=7"]):
            text = self.done("what-if", "--json", *question, sample())
            self.assertEqual(self.done("report", "--json", self.write("again.json", text)), text)

    def test_the_changed_report_has_no_findings_with_the_old_figures(self):
        def rules(text):
            return {finding["rule"] for kernel in json.loads(text)["kernels"]
                    for finding in kernel["findings"]}
        self.assertIn("imbalance", rules(self.done("report", "--json", sample())))
        changed = self.done("what-if", "--json", "--trips", "sparse.cu:8=const(10)", sample())
        self.assertFalse(rules(changed) & {"imbalance", "data-dependent"})

    def test_lanes_that_share_items(self):
        for lanes in (2, 8, 16): # with 32 it is 1.40 again
            text = self.done("what-if", "--granularity", str(lanes), sample())
            figures = text[text.index("spmv_csr"):].split("\n\n")[0].splitlines()
            row = next(line.split() for line in figures if line.startswith("    imbalance"))
            self.assertAlmostEqual(float(row[1]), shared_aggregate(30, 32, 1), delta=0.005)
            self.assertAlmostEqual(float(row[2]), shared_aggregate(30, 32, lanes), delta=0.005)
            self.assertIn("issue cycles/32", text)
        self.refused(2, "--granularity has no --json", "what-if", "--json", "--granularity", "8",
                     sample())

    def test_before_and_after_stand_side_by_side(self):
        text = self.done("what-if", "--trips", "sparse.cu:8=const(30)", sample())
        self.assertTrue(text.startswith("what if: sparse.cu:8=const(30)\n\nspmv_csr("))
        self.assertRegex(text, r"\n  lost +39% +0%\n")
        self.assertRegex(text, r"\n    trips +poisson\(30\) +const\(30\)\n")
        self.assertTrue(text.endswith("\n2 kernels stay as they are\n"))

    def test_a_place_without_a_loop_names_the_nearest(self):
        self.refused(1, "--trips sparse.cu:9=const(1): no loop is there; the nearest is at "
                        "src/sparse.cu:8, id 0123456789abcdef", "what-if", "--trips",
                     "sparse.cu:9=const(1)", sample())
        self.refused(1, "the nearest is at src/sparse.cu:8", "what-if", "--trips",
                     "sprase.cu:8=const(1)", sample())
        self.refused(1, "no loop is there", "what-if", "--trips", "0123456789abcdee=const(1)",
                     sample())

    def test_questions_that_mean_nothing_are_wrong_usage(self):
        for words in (["--block", "0"], ["--block", "2000"], ["--block", "64,64"], ["--block", "a"],
                      ["--block", "8,8,8,8"], ["--param", "n"], ["--param", "=1"],
                      ["--param", "n=x"], ["--param", "n=99999999999999999999"],
                      ["--arch", "sm_1"], ["--granularity", "3"], ["--granularity", "64"],
                      ["--trips", "a.cu:1"], ["--trips", "a.cu=const(1)"],
                      ["--trips", "a.cu:0=const(1)"], ["--trips", "a.cu:1=poisson(-1)"],
                      ["--trips", "a.cu:1=poisson(3), x"], ["--block"], ["--bloc", "1"], []):
            done = run("what-if", *words, sample())
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertTrue(done.stderr.startswith("divcost: "), words)
        self.assertEqual(run("what-if", "--block", "64").returncode, 2)
        self.assertIn("usage: divcost what-if", self.done("what-if", "--help"))


if __name__ == "__main__":
    main()
