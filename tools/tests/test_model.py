#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_model.py DIVCOST [TEST ...]: the command `divcost model`; all of it, or these tests."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from pseudo_terminal import on_terminal

DIVCOST = os.path.abspath(sys.argv[1])
UTF8 = {**os.environ, "LC_ALL": "C.UTF-8"}


def run(*arguments, **options):
    return subprocess.run([DIVCOST, "model", *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=300, encoding="utf-8", **options)


def answer(*arguments):
    done = run(*arguments, "--json")
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


def drawn(arguments, columns, environment):
    """What is printed on a terminal of so many columns."""
    status, text = on_terminal([DIVCOST, "model", *arguments], columns, env=environment)
    assert status == 0
    return text


class Usage(unittest.TestCase):
    def refused(self, words, *arguments, end="; see divcost model --help"):
        done = run(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "divcost: " + words + end + "\n")

    def wrong(self, words, *arguments):
        done = run(*arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertEqual(done.stderr, "divcost: " + words + "\n")

    def test_wrong_options_are_status_2_and_say_what_is_wrong(self):
        law = "const(1)"
        self.refused("model needs a distribution, as in divcost model \"geometric(0.05)\"")
        self.refused("model takes one distribution; put quotes around it. Too much: '+'", law, "+", law)
        self.refused("unknown option '--frobnicate'", law, "--frobnicate")
        self.refused("unknown option '--frobnicate=3'", law, "--frobnicate=3")
        self.refused("unknown option '--json=1'", law, "--json=1",
                     end=", did you mean '--json'? See divcost model --help")
        self.refused("a value is missing behind '-n'", law, "-n")
        self.refused("--lanes is '0', but must be a whole number from 1 to 1024", law, "-n", "0")
        self.refused("--lanes is '1025', but must be a whole number from 1 to 1024", law,
                     "--lanes=1025")
        self.refused("--lanes is '3x', but must be a whole number from 1 to 1024", law, "-n", "3x")
        self.refused("--cost is 'lanes', but must be a+b*lanes, or a list of numbers with commas",
                     law, "--cost", "lanes")
        self.refused("--cost is '1,,2', but must be a+b*lanes, or a list of numbers with commas",
                     law, "--cost", "1,,2")
        self.refused("--slots is '132', but must be PxS, as in 132x4, each from 1 to 65536", law,
                     "--slots", "132")
        self.refused("--grid is '-1', but must be a whole number from 1 to 2147483648", law,
                     "--grid", "-1")
        self.refused("--simulate is 'all', but must be a whole number from 32 to 4294967296", law,
                     "--simulate=all")
        self.refused("--seed is '18446744073709551616', but must be a whole number below 2^64",
                     law, "--seed", "18446744073709551616")
        self.refused("model takes one of a distribution, --counts, --affine, --table1", law, "--table1")
        self.refused("model takes one of a distribution, --counts, --affine, --table1", "--affine", "1,1,1",
                     "--counts", "1")
        self.refused("--counts, --affine and --table1 take no options of distributions", "--table1",
                     "--per-warp")
        for option in ("--cost=5", "--block-warps=2", "--grid=2", "--simulate", "--per-warp"):
            self.refused("--counts, --affine and --table1 take no options of distributions", "--counts",
                         "1,2", option)
        for counts in ("1,,2", "", "1.5"):
            self.refused("--counts is '%s', but must be whole numbers with commas, as in 3,5,8"
                         % counts, "--counts", counts)
        self.refused("--affine is '1,2', but must be base,stride,warps, as in 1024,-1,32",
                     "--affine", "1,2")
        self.refused("blocks and grids of --per-warp have no formula: add --simulate",
                     "0.5*const(1)+0.5*const(2)", "--per-warp", "--grid", "4")

    def test_no_option_is_taken_and_ignored(self):
        law = "const(1)"
        for option in ("-n3", "--lanes=3"):
            words = ["-n", "3"] if option == "-n3" else [option]
            self.refused("--table1 takes no --lanes: its rows are for 2, 4, 8, 16 and 32 lanes",
                         "--table1", *words)
        self.refused("--counts, --affine and --table1 take no options of distributions", "--table1",
                     "--slots=2x2")
        for option in ("--seed=1", "--slots=2x2"):
            self.refused("--counts, --affine and --table1 take no options of distributions", "--affine",
                         "1,1,1", option)
        self.refused("--slots are those of a grid: add --grid", law, "--slots", "2x2")
        self.refused("--seed is of the simulation: add --simulate", law, "--seed", "1")
        self.assertEqual(run(law, "--simulate=64", "--seed", "1").returncode, 0)
        self.assertEqual(run(law, "--grid", "6", "--slots", "2x2").returncode, 0)

    def test_arguments_out_of_range_are_status_2(self):
        self.wrong("p of geometric is 5, but must be in (0, 1]", "geometric(5)")
        self.wrong("a block has 33 warps of 32 lanes, but must have 1 to 1024 lanes in total",
                   "const(1)", "--block-warps", "33")
        self.wrong("the cost of an iteration with 5 active lanes is -1, but must be in [0, 1e+12]",
                   "const(1)", "--cost", "4+-1*lanes")
        self.wrong("the table of iteration costs has 2 entries, but must have one for each of 1 to "
                   "32 active lanes", "const(1)", "--cost", "4,5")
        self.wrong("the trip count of lane 1 is -2, but must be from 0 to 8796093022208",
                   "--counts", "1,-2")
        self.wrong("base is 8796093022209, but must be from -8796093022208 to 8796093022208",
                   "--affine", "8796093022209,0,1")
        self.wrong("--per-warp needs a mixture, whose components are then distributions of whole warps",
                   "const(1)", "--per-warp")

    def test_a_law_that_cannot_be_read_is_shown_with_the_place(self):
        done = run("0.9*const(1) + 0.1*geometrc(0.01)")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        first, law, place = done.stderr.splitlines()
        self.assertIn("unknown distribution 'geometrc'", first)
        self.assertEqual(law[place.index("^"):][:8], "geometrc")

    def test_help(self):
        done = run("--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
        for option in ("--lanes", "--per-warp", "--cost", "--block-warps", "--grid", "--slots",
                       "--simulate", "--seed", "--counts", "--affine", "--json", "--table1"):
            self.assertIn(option, done.stdout)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_full_disk_is_a_failure(self):
        for arguments in (["const(1)"], ["const(1)", "--json"], ["--help"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([DIVCOST, "model", *arguments], stdout=full,
                                      stderr=subprocess.PIPE, universal_newlines=True)
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, "divcost: standard output: No space left on device\n")

    def test_a_closed_output_is_a_failure(self):
        for arguments in (["const(1)"], ["const(1)", "--json"]):
            done = subprocess.run([DIVCOST, "model", *arguments], stderr=subprocess.PIPE,
                                  universal_newlines=True, preexec_fn=lambda: os.close(1))
            self.assertEqual(done.returncode, 1)
            self.assertIn("divcost: standard output: ", done.stderr)


class Figures(unittest.TestCase):
    def test_keys(self):
        keys = {"law", "lanes", "trips", "maximum", "mean", "variance", "aggregate", "efficiency",
                "worst", "quantiles", "quantiles_from", "distinct", "divergent_exits", "depth",
                "depth_exceeds", "what_if"}
        self.assertEqual(set(answer("geometric(0.05)")), keys)
        everything = answer("geometric(0.05)", "--cost", "12+0.5*lanes", "--block-warps", "2",
                            "--grid", "100", "--simulate=6400")
        self.assertEqual(set(everything), keys | {"cost", "block", "grid", "simulated"})
        self.assertNotIn("depth_exceeds", answer("geometric(0.5)", "-n", "129"))

    def test_expected_and_aggregate_are_told_apart(self):
        zipf = answer("zipf(2,1000)")
        self.assertAlmostEqual(zipf["mean"], 10.52, delta=0.005)
        self.assertAlmostEqual(zipf["aggregate"], 14.80, delta=0.005)
        text = run("zipf(2,1000)").stdout
        self.assertRegex(text, r"aggregate +14\.8 +total slots over total work: what a kernel")
        self.assertRegex(text, r"expected +10\.52 +mean over warps")

    def test_figures_agree_with_each_other(self):
        figures = answer("negbin(5,0.3)", "-n", "16", "--block-warps", "1", "--grid", "1",
                         "--cost", "5")
        self.assertAlmostEqual(figures["mean"], 2.123, delta=0.0005)
        self.assertAlmostEqual(figures["efficiency"] * figures["aggregate"], 1)
        self.assertAlmostEqual(figures["aggregate"],
                               figures["maximum"] / figures["trips"]["mean"])
        self.assertAlmostEqual(figures["cost"]["aggregate"], figures["aggregate"])
        self.assertAlmostEqual(figures["cost"]["cycles"], 5 * figures["maximum"])
        self.assertAlmostEqual(figures["block"]["iterations"], figures["maximum"])
        self.assertAlmostEqual(figures["block"]["waiting"], 0)
        self.assertTrue(figures["grid"]["exact"])
        self.assertAlmostEqual(figures["grid"]["iterations"], figures["maximum"])
        depth = [figures["depth_exceeds"][str(k)] for k in range(1, 17)]
        self.assertEqual(sorted(depth, reverse=True), depth)
        self.assertAlmostEqual(sum(depth) + 1, figures["depth"])
        quantiles = list(figures["quantiles"].values())
        self.assertEqual(sorted(quantiles), quantiles)
        self.assertEqual(len(quantiles), 7)

    def test_quantiles(self):
        two = answer("list(1:1, 3:1)", "-n", "2") # X is 1 or 3/2, equally likely
        self.assertEqual(two["quantiles_from"], "exact")
        self.assertEqual(two["quantiles"], {"0.01": 1, "0.05": 1, "0.25": 1, "0.5": 1, "0.75": 1.5,
                                            "0.95": 1.5, "0.99": 1.5})
        three = "0.3*const(5) + 0.3*uniform(1,4) + 0.4*geometric(0.1)"
        exact, sample = answer(three), answer("0.5*(%s) + 0.5*(%s)" % (three, three), "--per-warp")
        self.assertEqual(sample["quantiles_from"], "simulated")
        for share, value in exact["quantiles"].items():
            self.assertAlmostEqual(sample["quantiles"][share] / value, 1, delta=0.02)
        wide = answer("uniform(1,4000)")
        self.assertEqual(wide["quantiles_from"], "grid")
        for share, value in answer("uniform(1,900)")["quantiles"].items():
            self.assertAlmostEqual(wide["quantiles"][share] / value, 1, delta=0.005)

    def test_long_distributions_are_kept_whole(self):
        law = "list(%s)" % ", ".join("%d:1" % k for k in range(1000))
        self.assertEqual(answer(law, "-n", "2")["law"].count(":"), 1000)
        self.assertIn("..., 2 lanes\n", run(law, "-n", "2").stdout)

    def test_histograms_are_read_from_files(self):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("# trips\n1 3\n5 1\n")
            file.flush()
            law = 'histogram("%s")' % file.name
            figures = answer(law)
            self.assertEqual(figures["mean"], answer("list(1:0.75, 5:0.25)")["mean"])
            self.assertEqual(answer(figures["law"])["mean"], figures["mean"])
            file.write("x\n")
            file.flush()
            done = run(law)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(file.name + "': line 4: ", done.stderr)
        done = run(law)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn(file.name, done.stderr)
        self.assertIn("No such file or directory", done.stderr)

    def test_what_if(self):
        figures = answer("geometric(0.05)", "--block-warps", "4", "--grid", "100")
        changes = [[row["change"], *(row[k] for k in ("lanes_per_item", "classes", "warps")
                                     if k in row)] for row in figures["what_if"]]
        self.assertEqual(changes, [["today"]] + [["shared", k] for k in (2, 4, 8, 16, 32)]
                         + [["binned", k] for k in (2, 4, 8, 16)]
                         + [["sorted", 4], ["sorted", 400]])
        rows = figures["what_if"]
        self.assertEqual(rows[0]["aggregate"], figures["aggregate"])
        self.assertAlmostEqual(rows[0]["expected"], figures["mean"], delta=1e-12)
        binned = [row["aggregate"] for row in rows[6:10]]
        self.assertEqual(sorted(binned, reverse=True), binned)
        self.assertLess(rows[11]["aggregate"], rows[10]["aggregate"])
        self.assertEqual(len(answer("const(3)", "-n", "12")["what_if"]), 1 + 2 + 4 + 1)
        huge = answer("const(3)", "--block-warps", "32", "--grid", "2147483648")["what_if"]
        self.assertEqual([row["warps"] for row in huge if row["change"] == "sorted"], [32])

    def test_warps_of_one_kind_lose_nothing(self):
        law = "0.9*const(1) + 0.1*const(1000)"
        apart = answer(law, "--per-warp")
        self.assertAlmostEqual(apart["aggregate"], 1)
        self.assertAlmostEqual(apart["mean"], 1)
        self.assertAlmostEqual(apart["variance"], 0)
        self.assertGreater(answer(law)["aggregate"], 9)
        self.assertAlmostEqual(apart["trips"]["mean"], 100.9)

    def test_known_counts(self):
        counts = answer("--counts", "1,2,3,6,0,0,0,0,5", "-n", "4")
        self.assertAlmostEqual(counts["mean"], 7 / 3)
        self.assertAlmostEqual(counts["aggregate"], 44 / 17)
        self.assertAlmostEqual(counts["efficiency"], 17 / 44)
        self.assertAlmostEqual(counts["what_if"][0]["aggregate"], 4 * (0 + 5 + 6) / 17)
        triangle = answer("--affine", "64,-1,2")
        self.assertAlmostEqual(triangle["aggregate"], 32 * (64 + 32) / (64 * 65 / 2))
        listed = answer("--counts", ",".join(str(64 - k) for k in range(64)))
        self.assertAlmostEqual(listed["mean"], triangle["mean"])
        self.assertIn("aggregate 1.47692  total slots", run("--affine=64,-1,2").stdout)

    def near(self, simulated, value):
        self.assertLessEqual(abs(simulated["value"] - value), 5 * simulated["error"] + 1e-9)

    def test_simulation_agrees(self):
        law = "0.5*uniform(1,5) + 0.5*geometric(0.1)"
        for more in ([], ["--per-warp"]):
            figures = answer(law, "--cost", "10+1*lanes", "--simulate=16384", *more)
            simulated = figures["simulated"]
            for key in ("mean", "variance", "aggregate", "efficiency", "maximum"):
                self.near(simulated[key], figures[key])
            self.near(simulated["cycles"], figures["cost"]["cycles"])
            self.near(simulated["cost_expected"], figures["cost"]["expected"])
        grid = answer(law, "--block-warps", "2", "--grid", "6", "--slots", "3x2",
                      "--simulate=24000")
        self.assertEqual(grid["simulated"]["replications"], 2000)
        self.near(grid["simulated"]["block"], grid["block"]["iterations"])
        self.near(grid["simulated"]["grid"], grid["grid"]["iterations"])
        self.near(grid["simulated"]["grid_efficiency"], grid["grid"]["efficiency"])

    def test_the_seed_decides(self):
        a, again, b = (run("geometric(0.1)", "--simulate=6400", "--seed", seed).stdout
                       for seed in ("1", "1", "2"))
        self.assertEqual(a, again)
        self.assertNotEqual(a, b)

    def test_a_listed_cost_is_the_linear_one(self):
        listed = ",".join(str(12 + a / 2) for a in range(1, 33))
        a = answer("geometric(0.05)", "--cost", listed)["cost"]
        b = answer("geometric(0.05)", "--cost", "12 + 0.5*lanes")["cost"]
        for key in a:
            self.assertAlmostEqual(a[key] / b[key], 1, delta=1e-11)

    def test_table_1(self):
        done = run("--table1")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        rows = [line.split() for line in done.stdout.splitlines() if re.match(r"\S+\)", line)]
        self.assertEqual(len(rows), 25)
        for law, n, paper, ours, paper_simulated, simulated, error, measured, aggregate in rows:
            self.assertEqual(paper, ours)
            self.assertLess(abs(float(simulated) - float(paper_simulated)),
                            5 * 1.42 * float(error) + 0.0015)
        table = json.loads(run("--table1", "--simulate=1024", "--json").stdout)
        self.assertEqual(len(table), 25)
        cell = next(c for c in table if c["law"] == "geometric(0.05)" and c["lanes"] == 32)
        self.assertEqual(cell["paper"], {"modelled": 3.979, "simulated": 3.979, "measured": 3.915})
        self.assertAlmostEqual(cell["mean"], 3.978577995589, delta=1e-11)


class Drawing(unittest.TestCase):
    def test_bars_are_as_wide_as_the_terminal(self):
        environment = {**UTF8, "TERM": "dumb"}
        for columns in (40, 80, 120):
            text = drawn(["uniform(1,30)"], columns, environment)
            widths = [len(line.rstrip()) for line in text.splitlines() if "█" in line]
            self.assertEqual(max(widths), columns)
            self.assertGreater(len(widths), 10)

    def test_ascii_where_the_locale_is(self):
        text = run("geometric(0.05)", env={**os.environ, "LC_ALL": "C"}).stdout
        self.assertTrue(text.isascii())
        self.assertIn("####", text)
        self.assertIn("█", run("geometric(0.05)", env=UTF8).stdout)

    def test_colour_on_a_terminal_only(self):
        self.assertNotIn("\033", run("geometric(0.05)", env={**UTF8, "TERM": "xterm"}).stdout)
        environment = {**UTF8, "TERM": "xterm"}
        environment.pop("NO_COLOR", None)
        self.assertIn("\033[", drawn(["geometric(0.05)"], 80, environment))
        environment["NO_COLOR"] = "1"
        self.assertNotIn("\033[", drawn(["geometric(0.05)"], 80, environment))

    def test_no_line_ends_in_blanks_or_exceeds_100_columns(self):
        for law in ("geometric(0.05)", "const(7)", "list(0:1, 8796093022208:1)", "zipf(2,1000)"):
            for line in run(law, "--block-warps", "4", "--grid", "500", env=UTF8).stdout.splitlines():
                self.assertEqual(line, line.rstrip())
                self.assertLessEqual(len(line), 100)

    def test_shares_sum_to_1(self):
        text = run("geometric(0.05)", env=UTF8).stdout
        shares = [float(s) for s in re.findall(r"^ .*?(\d+\.\d)%(?:  [^ \d]|$)", text, re.M)]
        self.assertAlmostEqual(sum(shares), 200, delta=2) # of both drawings


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
