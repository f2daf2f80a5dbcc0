#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds what the plugin says of the drawn kernels, without a profile, against what was measured.

  judge.py CHECKOUTS MEASURED.tsv [--half open|sealed|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth] [--plugin FILE] [--cuda FOLDER] [--reports FOLDER]
           [--pages ARCHIVE | --profiles ARCHIVE] [--divcost COMMAND] [--compiler nvcc|clang]

MEASURED.tsv is what keep.py wrote of the half. A kernel loses if less than 0.9 of its lanes were active. It
is warned of if it has a finding with a price (not one about a barrier or memory), or one names it that stands at
another kernel, in a function that both call. Instances of a template count as one
kernel, with the hull of their intervals: which of them was launched isn't known. `--reports` keeps the
plugin's reports, and uses those that are there. With `--pages`, an archive of measure.py --pages, the plugin
is given what `divcost profile import-ncu` makes of it, and how much of what idles it finds a loop or branch
for is said, too; kernels that the archive doesn't have are left out. `--profiles` does the same with the
profiles of record.py, and holds the efficiency that they give against what was measured. `--compiler` is the
one that built what was counted.
"""
import argparse
import concurrent.futures
import csv
import glob
import json
import math
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile

import build
import keep
import programs

LOSES = 0.9
OTHERS = ("barrier", "coalescing", "bank-conflict", "constant")  # say nothing of idle lanes
NEAR = 0.005 # a measured efficiency to an end of an interval
FLAGS = ["-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90", "-O3", "-std=gnu++17", "-w",
         "-Wno-unknown-cuda-version", "-Wno-c++11-narrowing", "-fno-strict-return",
         "-include", os.path.join(programs.HERE, "compat.h")]


def sources_of(program, root):
    """Those that have device code."""
    found = [path for pattern in program.sources for path in build.matching(root, pattern)]
    found = [path for path in found if os.path.isfile(path)]
    return [path for path in found if path.endswith((".cu", ".cuh"))] or found


def compile_file(options, program, source, root, report, code):
    """With the plugin, as the program's own flags have it; `code` says what becomes of it, and what else the plugin is
    given."""
    flags = program.clang_flags(linking=False)
    flags += programs.RELOCATABLE if "-rdc=true" in program.flags else []
    # As nvcc does: CUDA's libraries, and the host compiler's omp.h.
    folders = ["-isystem", os.path.join(options.cuda, "include", "cccl"), "-idirafter", options.host_include]
    command = [options.clang, *FLAGS, "--cuda-path=" + options.cuda, *flags, *folders,
               "-fplugin=" + os.path.abspath(options.plugin), "-fplugin-arg-divcost-report=" + report, *code, source]
    done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace")
    if done.returncode != 0:
        raise OSError("%s: %s" % (source, done.stdout.strip()[-400:]))


def compile_one(options, program, source, root, report):
    measured, profile = (os.path.join(os.path.dirname(report), name) for name in ("measured.json", "all.divprof"))
    # A profile's blocks are those of the pipeline, which knows the device library.
    code = ["-S", "-o", os.devnull] if os.path.exists(profile) else ["-fsyntax-only"]
    code += ["-fplugin-arg-divcost-compiler=nvcc"] if options.compiler == "nvcc" else []
    code += ["-fplugin-arg-divcost-measured=" + measured] if os.path.exists(measured) else []
    code += ["-fplugin-arg-divcost-profile-use=" + profile] if os.path.exists(profile) else []
    compile_file(options, program, source, root, report, code)


def import_pages(options, program, folder):
    """What ncu counted of a program, as the plugin reads it; nothing where it counted nothing."""
    with tarfile.open(options.pages) as tar:
        names = [n for n in tar.getnames() if os.path.basename(n).startswith(program.name + ".") and n.endswith(".csv")
                 and os.path.basename(n)[len(program.name) + 1:].split(".")[0].isdigit()]
        for name in names:
            with open(os.path.join(folder, os.path.basename(name)), "wb") as file:
                file.write(tar.extractfile(name).read())
    files = [os.path.join(folder, os.path.basename(name)) for name in names]
    files = [file for file in files if os.path.getsize(file)]
    if files:
        done = subprocess.run([os.path.abspath(options.divcost), "profile", "import-ncu", "-o",
                               os.path.join(folder, "measured.json"), *files], stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise OSError("%s: %s" % (program.name, done.stderr.strip()))


def merge_profiles(options, program, folder):
    """What a program's runs recorded, as one profile; nothing where they recorded nothing."""
    with tarfile.open(options.profiles) as tar:
        names = [n for n in tar.getnames() if os.path.basename(n).startswith(program.name + ".") and
                 n.endswith(".divprof") and os.path.basename(n)[len(program.name) + 1:].split(".")[0].isdigit()]
        for name in names:
            with open(os.path.join(folder, os.path.basename(name)), "wb") as file:
                file.write(tar.extractfile(name).read())
    if names:
        done = subprocess.run([os.path.abspath(options.divcost), "profile", "merge", "-o",
                               os.path.join(folder, "all.divprof"),
                               *[os.path.join(folder, os.path.basename(name)) for name in names]],
                              stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            raise OSError("%s: %s" % (program.name, done.stderr.strip()))


def kernels_of(options, program):
    """What the reports of a program have of its kernels, and what went wrong."""
    root = program.root(options.checkouts)
    kernels, failed = [], []
    folder = os.path.join(options.reports, program.name)
    os.makedirs(folder, exist_ok=True)
    try:
        for line in program.replace:
            build.replace(root, line)
        if options.pages and not os.path.exists(os.path.join(folder, "measured.json")):
            import_pages(options, program, folder)
        if options.profiles and not os.path.exists(os.path.join(folder, "all.divprof")):
            merge_profiles(options, program, folder)
        for number, source in enumerate(sources_of(program, root)):
            report = os.path.join(folder, "%d.json" % number)
            if not os.path.exists(report):
                compile_one(options, program, source, root, report)
            with open(report, encoding="utf-8") as file:
                kernels += json.load(file)["kernels"]
    except OSError as error:
        failed.append(str(error))
    return kernels, failed


def ends_of(estimates, name):
    """Lowest and highest of a figure over all estimates."""
    ends = [e[name] for e in estimates if name in e]
    ends = [(e["low"], e["high"]) if isinstance(e, dict) else (e, e) for e in ends]
    return (min(low for low, _ in ends), max(high for _, high in ends)) if ends else (math.nan, math.nan)


def said_of(own, kernels):
    """Of instances of a kernel, among all of the program: the expected efficiency, the certain one, rules of findings."""
    estimates = [e for k in own for e in k["estimates"]]
    return (ends_of(estimates, "expected_efficiency"), ends_of(estimates, "certain_efficiency"),
            {f["rule"] for f in findings_of(own, kernels)})


def findings_of(own, kernels):
    """Their findings, and those of other kernels of the program that name one of them."""
    names = {k["name"] for k in own}
    found = [f for k in own for f in k["findings"]]
    found += [f for k in kernels if k["name"] not in names for f in k["findings"] if names & set(f.get("others", []))]
    return [f for f in found if not f["rule"].startswith(OTHERS) and not f["suppressed"]]


def places_of(own, kernels):
    """Where they are warned of, and whether only of what may be lost, if lanes aren't alike."""
    return {(f["file"], f.get("line"), f["rule"]): " may " in f["message"] for f in findings_of(own, kernels)}


def wilson(hits, n, z=1.96):
    """A confidence interval of 95% for a share: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927)."""
    if n == 0:
        return 0.0, 1.0
    p, d = hits / n, 1 + z * z / n
    centre, half = (p + z * z / (2 * n)) / d, z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / d
    return max(0.0, centre - half), min(1.0, centre + half)


def share(what, hits, n):
    low, high = wilson(hits, n)
    print("%-44s %3d of %3d  %5.1f%%  (%.0f%% to %.0f%%)" % (what, hits, n, 100 * hits / max(1, n), 100 * low,
                                                           100 * high))


def has(interval, truth):
    return interval[0] - NEAR <= truth <= interval[1] + NEAR


def say_findings(rows):
    """Of (kernel, truth, expected, certain, rules, recorded efficiencies)."""
    losing = [r for r in rows if r[1] < LOSES]
    warned = [r for r in rows if r[4]]
    print("\n%d kernels, of which %d lose" % (len(rows), len(losing)))
    share("recall: losing kernels that are warned of", sum(bool(r[4]) for r in losing), len(losing))
    share("precision: warned kernels that lose", sum(r[1] < LOSES for r in warned), len(warned))


def say_needless(places, lines):
    """Warnings of kernels that don't lose: whether one is there, and so often."""
    for what, count in (("", len(places)), (", of what may be lost", sum(places.values()))):
        print("warnings of kernels that don't lose%s: %d in %d lines, %.2f per 1000" %
              (what, count, lines, 1000 * count / max(1, lines)))


def count_lines(path):
    with open(path, "rb") as file:
        return sum(1 for _ in file)


def intervals_of(rows):
    """Of the same rows."""
    judged = [r for r in rows if not math.isnan(r[2][0])]
    if not judged:
        return
    for what, at in (("certain", 3), ("expected", 2)):
        share("the %s interval has the truth (to %g)" % (what, NEAR), sum(has(r[at], r[1]) for r in judged),
              len(judged))
        print("median width %.3f" % statistics.median(r[at][1] - r[at][0] for r in judged))


def say_mapped(kernels):
    """How much of the lane-slots that idle, weighted by the kernels' time, is at a loop or branch of theirs."""
    ways = {"at a loop or branch": lambda p: "loop" in p or "branch" in p,
            "at the start": lambda p: not {"loop", "branch", "location"} & set(p),
            "at a line with neither": lambda p: "location" in p and "loop" not in p and "branch" not in p}
    sums = dict.fromkeys(ways, 0.0)
    idle = 1e-99
    for k in kernels:
        time = k["measured"].get("seconds", 0)
        idle += time * (1 - k["measured"]["efficiency"])
        for way, is_one in ways.items():
            sums[way] += time * sum(p["share"] for p in k["measured"]["parts"] if is_one(p))
    print("of the lane-time that idles: " + ", ".join("%.1f%% %s" % (100 * sums[w] / idle, w) for w in ways))


def say_recorded(rows):
    """How near the efficiencies are that profiles give; of several instances of a template the nearest."""
    losing = [r for r in rows if r[1] < LOSES]
    for what, of in (("all", rows), ("those that lose", losing)):
        far = [min(abs(e - r[1]) for e in r[5]) for r in of]
        share("efficiency within 5 points, %s" % what, sum(f <= 0.05 for f in far), len(of))
        print("median distance %.3f" % (statistics.median(far) if far else 0))


def judge(options):
    with open(options.measured, newline="") as file:
        measured = {(r["repository"], r["file"], r["kernel"]): r
                    for r in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)}
    chosen = [p for p in programs.programs() if p.half == options.half]
    if not all((r["repository"], r["file"], r["kernel"]) in measured for p in chosen for r in p.rows):
        sys.exit("judge.py: %s isn't what keep.py wrote of --half %s" % (options.measured, options.half))
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda program: kernels_of(options, program), chosen))
    rows, failures, counted, needless = [], [], [], {}
    for program, (kernels, failed) in zip(chosen, results):
        failures += failed
        for drawn in program.rows:
            truth = measured[drawn["repository"], drawn["file"], drawn["kernel"]]
            if truth["dropped"] != "-":
                continue
            file = os.path.basename(drawn["file"])
            own = [k for k in kernels if keep.names_in(k["name"])[-1] == drawn["kernel"] and
                   os.path.basename(k["file"]) == file]
            if not own:
                failures.append("%s: no report of %s" % (program.name, drawn["kernel"]))
                continue
            if options.pages or options.profiles:
                own = [k for k in own if "measured" in k]
                counted += own
                if not own:
                    failures.append("%s: no counts of %s" % (program.name, drawn["kernel"]))
                    continue
            if float(truth["efficiency"]) >= LOSES:
                needless.update(places_of(own, kernels))
            rows.append((drawn["kernel"] + " " + program.name, float(truth["efficiency"]), *said_of(own, kernels),
                         [k["measured"]["efficiency"] for k in own if "measured" in k]))
    if not rows:
        sys.exit("judge.py: no report of any kernel: %s" % (failures[0] if failures else "none was measured"))
    for name, truth, expected, certain, rules, recorded in sorted(rows, key=lambda row: row[1]):
        if options.profiles:
            print("%-50s %.3f  %s  %s" % (name[:50], truth, " ".join("%.3f" % e for e in recorded),
                                         " ".join(sorted(rules))))
            continue
        intervals = "" if options.pages else "  %.3f..%.3f %s %.3f..%.3f %s" % (
            *expected, " " if has(expected, truth) else "!", *certain, " " if has(certain, truth) else "!")
        print("%-50s %.3f%s %s" % (name[:50], truth, intervals, " ".join(sorted(rules))))
    say_findings(rows)
    files = {path for program in chosen for path in sources_of(program, program.root(options.checkouts))}
    say_needless(needless, sum(map(count_lines, files)))
    if options.pages:
        say_mapped(counted)
    elif options.profiles:
        say_recorded(rows)
    else:
        intervals_of(rows)
    for failure in failures:
        print("left out: " + failure)


def host_include():
    return subprocess.run(["gcc", "-print-file-name=include"], stdout=subprocess.PIPE, text=True,
                          check=True).stdout.strip()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", metavar="CHECKOUTS")
    parser.add_argument("measured", metavar="MEASURED.tsv")
    parser.add_argument("--half", choices=programs.SETS, default="open")
    parser.add_argument("--plugin", default="build/pass/divcost.so")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--cuda", default="/usr/local/cuda", metavar="FOLDER")
    parser.add_argument("--reports", metavar="FOLDER")
    parser.add_argument("--pages", metavar="ARCHIVE")
    parser.add_argument("--profiles", metavar="ARCHIVE")
    parser.add_argument("--divcost", default="build/tools/divcost", metavar="COMMAND")
    parser.add_argument("--compiler", choices=("nvcc", "clang"), default="nvcc")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.host_include = host_include()
    if options.reports:
        judge(options)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        options.reports = folder
        judge(options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
