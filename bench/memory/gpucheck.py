#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sets what divcost says of Rodinia's accesses and branches beside what GPUCheck's code says of them.

  gpucheck.py RODINIA [--plugin divcost.so] [--out DIR] [--rows differs|all]

RODINIA is a checkout of yuhc/gpu-rodinia. Its .cu are compiled by lit-tests/corpus/corpus.py, with the
plugin and a report each; what is in --out already is not compiled again. GPUCheck isn't run: what it
says is read from bench/results/gpucheck-rodinia.tsv (docs/lab/gpucheck.md has where that is from), a
row for each line of the source that it looks at. Prints Markdown: totals by program, accesses and
branches crossed, and the lines, as GPUCheck names nothing finer.

A line is compared by the worst of it. Of accesses to global memory, and to constants, divcost says
  more      that a request touches 1.5 times the sectors that it needs, or more, at the least
  fits      that it touches what it needs (rows; one address; less than 1.5 times it at the most)
  interval  that it may be the one or the other: something isn't known
  idle      nothing, because no lane gets there in the launch that is estimated
  none      nothing: no such access is left when the code is optimised, it is to shared memory, or
            a copy of a whole structure
Of branches: whether lanes of a warp may part (parts), it follows that none do (together), or no
branch of the line is left (none): selects, predicates and unrolled loops.
GPUCheck reports a line, or doesn't.
"""
import argparse
import collections
import csv
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
REPORTED = ("counted", "not evaluated")
ENOUGH = 1.5
ACCESS = ("more", "interval", "fits", "idle", "none")
BRANCH = ("parts", "together", "none")
RULES = ("coalescing", "bank-conflict", "constant", "branch", "imbalance", "data-dependent")

Line = collections.namedtuple("Line", "file line what gpucheck requests divcost shown rules")


def interval(value):
    return (value["low"], value["high"]) if isinstance(value, dict) else (value, value)


def text_of(value):
    low, high = (round(x, 2) for x in interval(value))
    return f"{low:g}" if low == high else f"{low:g}..{high:g}"


def taken(access):
    return access["sectors"] if "sectors" in access else access["conflicts"]


def judge_access(access):
    if "class" not in access:
        return "idle"
    low, high = interval(taken(access))
    ideal_low, ideal_high = interval(access["ideal"])
    if access["space"] != "shared" and access["class"] in ("same", "row") or high < ENOUGH * ideal_low:
        return "fits"
    return "more" if low >= ENOUGH * ideal_high else "interval"


def show_access(access):
    if "class" not in access:
        return f"{access['kind']}: not reached"
    return (f"{access['kind']} {access['class']}: {text_of(taken(access))} of "
            f"{text_of(access['ideal'])}")


class Said:
    """What the reports say: of (file, line), for accesses, those to shared memory and branches, the
    worst; and the rules that name the line."""

    def __init__(self):
        self.accesses, self.branches, self.shared = {}, {}, {}
        self.rules = collections.defaultdict(set)

    def add(self, kernel, checkout):
        def place(path, line):
            path = os.path.normpath(path)
            inside = path.startswith(checkout + os.sep)
            return (os.path.relpath(path, checkout), line) if inside else None

        for access in kernel.get("accesses", []):
            key = "line" in access and place(access["file"], access["line"])
            if key:
                table = self.shared if access["space"] == "shared" else self.accesses
                self.worst(table, key, ACCESS, judge_access(access), show_access(access))
        skeleton = kernel.get("skeleton", {})
        for *_, level, _, _, location in skeleton.get("branches", []):
            file, line = skeleton["locations"][location][:2] if location >= 0 else (-1, 0)
            key = file >= 0 and place(skeleton["strings"][file], line)
            if key:
                self.worst(self.branches, key, BRANCH, "parts" if level == 3 else "together", "")
        for finding in kernel.get("findings", []):
            key = finding["rule"] in RULES and place(finding.get("file", ""), finding.get("line"))
            if key and not finding["suppressed"]:
                self.rules[key].add(finding["rule"])

    @staticmethod
    def worst(table, key, order, verdict, shown):
        old = table.get(key)
        if old is None or order.index(verdict) < order.index(old[0]):
            table[key] = (verdict, shown)


def read_reports(folder, checkout):
    """A kernel that several units have counts once, as the unit has it that tells its launch."""
    kernels = {}
    for path in sorted(glob.glob(os.path.join(folder, "*.json"))):
        with open(path) as file:
            for kernel in json.load(file)["kernels"]:
                key = (kernel["symbol"], kernel.get("file"))
                assumed = kernel.get("block_from", "assumed") == "assumed"
                if key not in kernels or assumed < kernels[key][0]:
                    kernels[key] = (assumed, kernel)
    said = Said()
    for _, kernel in kernels.values():
        said.add(kernel, checkout)
    return said, len(kernels)


def compare(rows, said):
    """A Line for each that either looks at."""
    unanswered = {row["file"] for row in rows if row["what"] == "file"}
    gpucheck = {(row["file"], int(row["line"]), row["what"]): row for row in rows
                if row["what"] != "file"}
    keys = set(gpucheck)
    keys |= {(*key, "access") for key in said.accesses} | {(*key, "branch") for key in said.branches}
    for file, line, what in sorted(keys):
        if file in unanswered:
            continue
        row = gpucheck.get((file, line, what), {"says": "-", "requests": "-"})
        table = said.accesses if what == "access" else said.branches
        verdict, shown = table.get((file, line), ("none", ""))
        yield Line(file, line, what, row["says"], row["requests"], verdict, shown,
                   ", ".join(sorted(said.rules.get((file, line), ()))))


def differs(line):
    reported = line.gpucheck in REPORTED
    return line.divcost in ("fits", "together") if reported else line.divcost in ("more", "parts")


def print_cross(lines, what, verdicts):
    print(f"\n| GPUCheck, of a line's {'accesses' if what == 'access' else 'branches'} | "
          + " | ".join(f"divcost: {verdict}" for verdict in verdicts) + " |")
    print("|---" * (len(verdicts) + 1) + "|")
    counts = collections.Counter((line.gpucheck, line.divcost) for line in lines if line.what == what)
    for says, name in (("counted", "reports, as counted"),
                       ("not evaluated", "reports what it can't evaluate"),
                       ("quiet", "counts, and is quiet"), ("same", "takes it for the same in all lanes"),
                       ("-", "doesn't look")):
        print(f"| {name} | " + " | ".join(str(counts[says, verdict]) for verdict in verdicts) + " |")


def print_programs(lines):
    print("\n| program | accesses: both | only GPUCheck | only divcost | GPUCheck, and an interval "
          "| branches: both | only GPUCheck | only divcost |\n" + "|---" * 8 + "|")
    counts = collections.defaultdict(collections.Counter)
    for line in lines:
        reported = line.gpucheck in REPORTED
        counts[line.file.split("/")[1]][line.what, reported, line.divcost] += 1
    total = collections.Counter()
    for of in counts.values():
        total.update(of)
    for program, of in [*sorted(counts.items()), ("all", total)]:
        print(f"| {program} | {of['access', True, 'more']} | {of['access', True, 'fits']} | "
              f"{of['access', False, 'more']} | {of['access', True, 'interval']} | "
              f"{of['branch', True, 'parts']} | {of['branch', True, 'together']} | "
              f"{of['branch', False, 'parts']} |")


def print_rest(lines, said):
    found = [line for line in lines if line.what == "access" and line.gpucheck in REPORTED]
    warned = sum("coalescing" in line.rules for line in found)
    print(f"\nOf the {len(found)} lines whose accesses GPUCheck reports, divcost's rule coalescing warns "
          f"of {warned}.")
    verdicts = collections.Counter(verdict for verdict, _ in said.shared.values())
    print(f"Lines that access shared memory, which GPUCheck leaves out: {len(said.shared)}; "
          "divcost says " + ", ".join(f"{verdicts[verdict]} {verdict}" for verdict in ACCESS[:4]) + ".")
    for rule in ("coalescing", "bank-conflict", "constant"):
        places = sorted(f"{file}:{line}" for (file, line), rules in said.rules.items() if rule in rules)
        print(f"divcost's rule {rule} warns of {len(places)} lines" + (": " if places else "")
              + ", ".join(places))


def print_lines(lines, rows):
    print("\n| line | what | GPUCheck | divcost | warning |\n|---|---|---|---|---|")
    for line in lines:
        if rows == "all" or differs(line):
            says = line.gpucheck + (f" {line.requests}" if line.requests != "-" else "")
            verdict = line.divcost + (f" ({line.shown})" if line.shown else "")
            print(f"| {line.file}:{line.line} | {line.what} | {says} | {verdict} | {line.rules} |")


def compile_all(options, folder):
    corpus = os.path.join(REPOSITORY, "lit-tests", "corpus", "corpus.py")
    done = subprocess.run([sys.executable, corpus, "compile", "--out", folder, "--plugin", options.plugin,
                           "--clang", options.clang, "--arch", options.arch,
                           "rodinia=" + options.rodinia],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
    if done.returncode:
        sys.exit(f"gpucheck.py: {corpus} failed:\n{done.stdout[-2000:]}")
    outcomes = collections.Counter()
    for path in glob.glob(os.path.join(folder, "*.result")):
        with open(path) as file:
            outcomes[json.load(file)["outcome"]] += 1
    return outcomes


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rodinia", metavar="RODINIA")
    parser.add_argument("--plugin", default=os.path.join(REPOSITORY, "build", "pass", "divcost.so"))
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--out", metavar="DIR", help="keeps the reports there")
    parser.add_argument("--says", metavar="FILE", help="what GPUCheck says, as a table",
                        default=os.path.join(REPOSITORY, "bench", "results", "gpucheck-rodinia.tsv"))
    parser.add_argument("--rows", choices=("differs", "all"), default="differs",
                        help="lines that are printed")
    options = parser.parse_args()
    options.rodinia = os.path.realpath(options.rodinia)
    for path, what in ((os.path.join(options.rodinia, "cuda"), "no checkout of yuhc/gpu-rodinia"),
                       (options.plugin, "no plugin; build it, or say --plugin"),
                       (options.says, "no such file")):
        if not os.path.exists(path):
            sys.exit(f"gpucheck.py: {path}: {what}")
    if not shutil.which(options.clang):
        sys.exit(f"gpucheck.py: {options.clang}: not found; say --clang")
    options.plugin = os.path.realpath(options.plugin)
    with open(options.says) as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.out or scratch
        outcomes = compile_all(options, folder)
        said, kernels = read_reports(folder, options.rodinia)
    lines = list(compare(rows, said))
    print(f"{outcomes['compiled']} of {sum(outcomes.values())} files compile; {kernels} kernels")
    print_programs(lines)
    print_cross(lines, "access", ACCESS)
    print_cross(lines, "branch", BRANCH)
    print_rest(lines, said)
    print_lines(lines, options.rows)


if __name__ == "__main__":
    sys.exit(main())
