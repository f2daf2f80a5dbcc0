#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What other models of time say of the pairs, from the same facts, beside what was measured.

  others.py --half open --reports DIR --measured DIR [--tsv FILE] [--markdown FILE] [--docs FILE]

--reports: NAME.json of each pair (annotate.py). --measured: HALF-nvcc.tsv and HALF-clang.tsv, what
run_pairs printed. --docs: the tables of this document, between its markers, are written anew.
Prints a row for each build and model: how far its s, (T - T alike) / max(T, T alike), is from the
one measured, in the median, of 90% of the pairs at most, and at worst; and likewise by which factor
its T differs, as items are. In brackets: 95% of what comes out if the pairs are drawn anew
(bootstrap). --tsv: a row for each pair and build, with each model's s, T, T alike and what decided
(of Hong and Kim the equation). The models are in other_models.py and docs/lab/time-models.md.

A pair that wasn't measured, came out wrong, or has no report is left out, and said so.
"""
import argparse
import collections
import json
import math
import os
import random
import statistics
import sys

import other_models
import tables

TOP = os.path.dirname(os.path.dirname(tables.HERE))
MACHINE = os.path.join(TOP, "cost-models", "data", "sm_90.json")
BRANCHES = os.path.join(TOP, "bench", "results", "h200", "branches.tsv")
LOOPS = os.path.join(TOP, "bench", "results", "h200", "loops.tsv")
BEGIN, END = "<!-- others.py: begin %s -->\n", "<!-- others.py: end %s -->\n"
BUILDS = ("nvcc", "clang")
TITLES = {"zero": "always 0", "slots": "issue slots lost", "roofline": "roofline",
          "hong_kim": "Hong and Kim, as printed", "hong_kim_cwp": "Hong and Kim, by MWP and CWP",
          "paths": "linear in paths", "divcost": "divcost's `time`"}
SAMPLES, SEED = 2000, 20260723


# ---- statistics ---------------------------------------------------------------------------------


def most_of(values, share=0.9):
    """The least of the values that so large a share of them is no larger than."""
    return sorted(values)[math.ceil(share * len(values) - 1e-9) - 1]


def bootstrap(values, statistic, samples=SAMPLES, seed=SEED):
    """Ends of the interval that holds the middle 95% of the statistic of samples of the values, as
    many, each drawn from all. The same for the same values and seed."""
    draw = random.Random(seed)
    found = sorted(statistic(draw.choices(values, k=len(values))) for _ in range(samples))
    return found[math.ceil(0.025 * samples) - 1], found[math.ceil(0.975 * samples) - 1]


# ---- pairs --------------------------------------------------------------------------------------


def measured_times(path):
    """From pair and order to the median seconds, of what came out right."""
    times = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith(("#", "pair\t")):
                name, order, median, _, _, checked = line.rstrip("\n").split("\t")
                if checked == "ok":
                    times[name, order] = float(median)
    return times


def read_facts(folder, name, machine):
    path = os.path.join(folder, name + ".json")
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return other_models.facts_of(json.load(file), machine)


def compare(pairs, reports, measured, machine):
    """Rows: pair, build, expected, measured seconds, alike and s, and of each model its Prediction;
    and the pairs that were left out."""
    rows, left_out = [], []
    facts = {pair["name"]: read_facts(reports, pair["name"], machine) for pair in pairs}
    for build in BUILDS:
        times = measured[build]
        for pair in pairs:
            name = pair["name"]
            mixed, same = times.get((name, "mixed")), times.get((name, "alike"))
            if facts[name] is None or mixed is None or same is None:
                left_out.append("%s (%s)" % (name, build))
                continue
            rows.append({"pair": name, "build": build, "expected": pair["expected"],
                         "measured": other_models.prediction(mixed, same, "-"),
                         "models": {key: model(facts[name], machine) for key, model in other_models.MODELS.items()}})
    return rows, left_out


def distances(rows, model):
    return [abs(row["models"][model].s - row["measured"].s) for row in rows if row["models"][model]]


def factors(rows, model):
    """By which the times as items are differ, 1 or more."""
    return [math.exp(abs(math.log(row["models"][model].seconds / row["measured"].seconds))) for row in rows
            if row["models"][model] and row["models"][model].seconds]


# ---- writing ------------------------------------------------------------------------------------


def write_tsv(path, rows):
    names = list(other_models.MODELS)
    with open(path, "w", encoding="utf-8") as file:
        columns = ["pair", "build", "expected"] + ["%s_%s" % (what, name) for name in ["measured"] + names
                                                   for what in ("s", "seconds", "alike", "why")]
        file.write("\t".join(columns) + "\n")
        for row in rows:
            cells = [row["pair"], row["build"], row["expected"]]
            for found in [row["measured"]] + [row["models"][name] for name in names]:
                found = found or other_models.Prediction(None, None, None, "-")
                cells += ["-" if value is None else value if isinstance(value, str) else "%.4g" % value
                          for value in (found.s, found.seconds, found.alike, found.why)]
            file.write("\t".join(cells) + "\n")


def with_interval(values, statistic, form):
    return "%s [%s, %s]" % tuple(form % value for value in (statistic(values),) + bootstrap(values, statistic))


def summary(rows):
    """A header, and a row for each build and model."""
    table = [["build", "model", "pairs", "s: median", "s: 90%", "s: worst", "T: median", "T: 90%"]]
    for build in BUILDS:
        of_build = [row for row in rows if row["build"] == build]
        for model in other_models.MODELS:
            apart, by = distances(of_build, model), factors(of_build, model)
            if not apart:
                continue
            table.append([build, TITLES[model], str(len(apart)), with_interval(apart, statistics.median, "%.3f"),
                          with_interval(apart, most_of, "%.2f"), "%.2f" % max(apart)]
                         + ([with_interval(by, statistics.median, "%.2f"), with_interval(by, most_of, "%.1f")] if by
                            else ["-", "-"]))
    return table


def by_expected(rows):
    """The median distance in s, by what the pairs were expected to be bound by."""
    groups = collections.OrderedDict((bound, [row for row in rows if row["expected"] == bound])
                                     for bound in tables.EXPECTED)
    table = [["model"] + list(groups)]
    for model in other_models.MODELS:
        cells = [distances(group, model) for group in groups.values()]
        table.append([TITLES[model]] + ["%.3f" % statistics.median(apart) if apart else "-" for apart in cells])
    return table


def markdown_table(table):
    lines = ["| " + " | ".join(row) + " |" for row in table]
    return "\n".join([lines[0], "|---" * len(table[0]) + "|"] + lines[1:]) + "\n"


def markdown(rows):
    return "%s\nThe median distance in s, both builds, by what pairs were expected to be bound by:\n\n%s" % (
        markdown_table(summary(rows)), markdown_table(by_expected(rows)))


def replace_part(text, part, new):
    before, begin, rest = text.partition(BEGIN % part)
    _, end, after = rest.partition(END % part)
    if not begin or not end:
        sys.exit("others.py: the document has no lines %s and %s" % ((BEGIN % part).strip(), (END % part).strip()))
    return before + begin + new + end + after


def write_docs(path, half, rows):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = replace_part(replace_part(text, half, markdown(rows)), "paths", markdown_table(path_costs()))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


# ---- one warp's paths, by microbenchmarks --------------------------------------------------------


def cycles_of(path):
    """From build, kernel, pattern and parameter to cycles."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return {(row["build"], row["kernel"], row["pattern"], int(row["parameter"])): float(row["cycles"])
            for row in (dict(zip(lines[0], line)) for line in lines[1:])}


def line_through(points):
    """Slope, intercept and greatest distance of the least squares' line."""
    xs, ys = zip(*points)
    x, y = statistics.fmean(xs), statistics.fmean(ys)
    slope = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a in xs)
    return slope, y - slope * x, max(abs(b - y - slope * (a - x)) for a, b in points)


def path_costs(branches=BRANCHES, loops=LOOPS):
    """What is measured of one warp, as lines: cycles by how long paths are, how many they are, how
    many lanes leave alone."""
    table = [["build", "one warp, cycles", "over", "slope", "at 0", "off at most"]]
    cycles, of_loops = cycles_of(branches), cycles_of(loops)
    lengths, lanes = (20, 24, 32, 64, 128), 32
    for build in BUILDS:
        series = [
            ("`if`, no lane skips", "additions of the path",
             [(n, cycles[build, "if_%d" % n, "skip", 0]) for n in lengths]),
            ("`if`, one lane skips", "additions of the path",
             [(n, cycles[build, "if_%d" % n, "skip", 1]) for n in lengths]),
            ("`if` / `else`, mean of all one way and all the other", "additions of a path",
             [(n, (cycles[build, "if_else_%d" % n, "skip", 0] + cycles[build, "if_else_%d" % n, "skip", lanes]) / 2)
              for n in lengths]),
            ("`if` / `else`, half of the lanes each", "additions of a path",
             [(n, cycles[build, "if_else_%d" % n, "skip", 16]) for n in lengths]),
            ("`switch` of 32 cases, 32 additions each", "paths taken",
             [(k, cycles[build, "switch_32", "depths", k]) for k in range(1, lanes + 1)]),
            ("a loop that lanes leave one by one", "exits",
             [(n, of_loops[build, "single_loop", "alone", n]) for n in range(lanes)])]
        table += [[build, what, over] + ["%.1f" % value for value in line_through(points)]
                  for what, over, points in series]
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--half", choices=tables.HALVES, required=True)
    parser.add_argument("--reports", required=True, metavar="DIR")
    parser.add_argument("--measured", required=True, metavar="DIR")
    for name in ("--tsv", "--markdown", "--docs"):
        parser.add_argument(name, metavar="FILE")
    options = parser.parse_args()
    machine = other_models.machine_of(MACHINE)
    measured = {build: measured_times(os.path.join(options.measured, "%s-%s.tsv" % (options.half, build)))
                for build in BUILDS}
    rows, left_out = compare(tables.read(tables.of_half(options.half)), options.reports, measured, machine)
    if left_out:
        print("left out: %s" % ", ".join(left_out))
    if not rows:
        sys.exit("others.py: there is no pair with a report and times")
    if options.tsv:
        write_tsv(options.tsv, rows)
    if options.markdown:
        with open(options.markdown, "w", encoding="utf-8") as file:
            file.write(markdown(rows))
    if options.docs:
        write_docs(options.docs, options.half, rows)
    for row in summary(rows):
        print("\t".join(row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
