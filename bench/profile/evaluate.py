#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what bench/profile/measure.sh left, and prints four tables: what profiling costs, whether
counts equal those of counters written by hand, the SIMT efficiency against a profiler's, and
estimates with and without the profile against the efficiency that was measured.

  evaluate.py RESULTS --build build [--clang clang++-22]

Exit status 1 if a bound of docs/profile.md doesn't hold.
"""
import argparse
import collections
import csv
import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MEDIAN, WORST = 1.3, 3.0           # time with profiling over time without
NEAR_PROFILER, NEAR_ESTIMATE = 0.01, 0.03
EXACT = 1024

# The kernel file of each workload that isn't called after it.
FILES = {"spmv_poisson": "spmv_csr_scalar", "spmv_geometric": "spmv_csr_scalar",
         "spmv_two_kinds": "spmv_csr_scalar", "hash_insert": "hash_probe",
         "hash_lookup": "hash_probe"}
# Where nearly all instructions are one loop's, so that the profiler's figure is the loop's.
LOOP_DOMINATED = ("mandelbrot", "julia", "spmv_poisson", "spmv_geometric", "spmv_two_kinds")
failures = []


def expect(good, what):
    if not good:
        failures.append(what)
    return "" if good else "  <-- " + what


def shown(arguments, path):
    tool = os.path.join(arguments.build, "tools", "divcost")
    text = subprocess.run([tool, "profile", "show", "--json", path], stdout=subprocess.PIPE,
                          check=True).stdout
    return json.loads(text)["loops"]


def overhead(results):
    def times(kind):
        best = {}
        for path in glob.glob("%s/%s[0-9].tsv" % (results, kind)):
            for line in open(path):
                name, _, median = line.split("\t")
                best[name] = min(best.get(name, float("inf")), float(median))
        return best
    plain, profiled = times("plain"), times("profiled")
    print("workload             plain ms   profiled   ratio")
    ratios = []
    for name in plain:
        if name not in profiled:
            print("%-20s missing%s" % (name, expect(False, name + " did not run")))
            continue
        ratios.append(profiled[name] / plain[name])
        print("%-20s %8.4f   %8.4f   %5.2f" % (name, plain[name], profiled[name], ratios[-1]))
    if ratios:
        print("median %.2f%s, worst %.2f%s\n" % (
            statistics.median(ratios), expect(statistics.median(ratios) <= MEDIAN, "median overhead"),
            max(ratios), expect(max(ratios) <= WORST, "worst overhead")))


def by_hand(path):
    """(file, line) -> {trips: entries}, with EXACT for all from there on; and their sums."""
    counts, sums = collections.defaultdict(collections.Counter), collections.Counter()
    for line in open(path):
        file, number, trips, *rest = line.split()
        key = file, int(number)
        counts[key][EXACT if trips == "+" else int(trips)] += int(rest[0])
        sums[key] += int(rest[1]) if trips == "+" else int(trips) * int(rest[0])
    return counts, sums


def truth(arguments, results, kind):
    path = os.path.join(results, kind, "counts.divprof")
    if not os.path.exists(path):
        print("%s: no profile%s" % (kind, expect(False, kind + " left no profile")))
        return
    counts, sums = by_hand(os.path.join(results, kind, "by_hand.txt"))
    recorded, totals = collections.defaultdict(collections.Counter), collections.Counter()
    parted = 0
    for loop in shown(arguments, path):
        key = os.path.basename(loop["file"]), loop["line"]
        for start, lanes, total in loop["histogram"]:
            recorded[key][min(start, EXACT)] += lanes
            totals[key] += total
        if loop["parted"] and loop["level"] != "divergent":
            parted += 1
            print("%s:%d: called %s, and %d lanes part" % (*key, loop["level"], loop["parted"]))
    equal = [key for key in recorded if recorded[key] == counts[key] and totals[key] == sums[key]]
    for key in sorted(set(recorded) - set(equal)):
        print("%s:%d differs: by hand %s, recorded %s" % (*key, dict(counts[key]), dict(recorded[key])))
    missing = sorted(set(counts) - set(recorded))
    entries = sum(sum(recorded[key].values()) for key in equal)
    print("%s: %d of %d recorded loops equal the counters by hand, bin by bin (%d entries of lanes); "
          "%d loops not recorded%s%s" % (
              kind, len(equal), len(recorded), entries, len(missing),
              expect(recorded and len(equal) == len(recorded), kind + ": counts differ"),
              expect(parted == 0, kind + ": a uniform loop diverges")))
    if kind == "checked" and missing:
        print("  not recorded: " + ", ".join("%s:%d" % key for key in missing))


def known(arguments, results):
    for folder in sorted(glob.glob(results + "/one_*/")):
        if not os.path.exists(folder + "known.txt"):
            continue
        name = os.path.basename(folder[:-1])[len("one_"):]
        lanes, iterations = map(int, open(folder + "known.txt").read().split())
        loops = shown(arguments, folder + "counts.divprof")
        good = len(loops) == 1 and (loops[0]["lanes"], loops[0]["iterations"]) == (lanes, iterations)
        print("%s: %d entries of lanes, %d iterations by the host, %s%s" % (
            name, lanes, iterations, ", ".join("%d, %d recorded" % (loop["lanes"], loop["iterations"])
                                               for loop in loops),
            expect(good, name + ": not what the host knows")))


def active_threads(path):
    """Instructions and active threads per instruction over all launches, from ncu's CSV."""
    if not os.path.exists(path):
        return None
    rows = [row for row in csv.reader(open(path, errors="replace")) if len(row) > 10]
    if not rows:
        return None
    name, value, launch = (rows[0].index(column) for column in ("Metric Name", "Metric Value", "ID"))
    launches = collections.defaultdict(dict)
    for row in rows[1:]:
        launches[row[launch]][row[name]] = float(row[value].replace(",", ""))
    weights = [l["smsp__inst_executed.sum"] for l in launches.values()]
    ratios = [l["smsp__thread_inst_executed_per_inst_executed.ratio"] for l in launches.values()]
    return sum(w * r for w, r in zip(weights, ratios)) / sum(weights) if weights else None


def profiler(arguments, results):
    print("\nworkload             recorder   profiler   (lanes per instruction / 32)")
    for folder in sorted(glob.glob(results + "/one_*/")):
        name = os.path.basename(folder[:-1])[len("one_"):]
        threads = active_threads("%s/ncu_%s.csv" % (results, name))
        loops = shown(arguments, folder + "counts.divprof")
        iterations = sum(loop["iterations"] for loop in loops)
        slots = sum(32 * loop["warp_iterations"] for loop in loops)
        if threads is None or not slots:
            continue
        difference = iterations / slots - threads / 32
        near = name not in LOOP_DOMINATED or abs(difference) <= NEAR_PROFILER
        print("%-20s %7.1f%%   %7.1f%%   %+.1f%%%s" % (
            name, 100 * iterations / slots, 100 * threads / 32, 100 * difference,
            expect(near, name + ": not the profiler's efficiency")))


def estimates(arguments, source, profile):
    """line -> (where from, low, high) of the efficiency of each loop."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "unit.json")
        command = [arguments.clang, "-fplugin=" + os.path.join(arguments.build, "pass", "divcost.so"),
                   "-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent",
                   "--cuda-feature=+ptx78", "-I" + os.path.join(REPOSITORY, "bench", "include"),
                   "-include", "divcost_cuda.h", "--cuda-gpu-arch=sm_90", "--cuda-device-only", "-O3",
                   "-std=c++17", "-w", "-fsyntax-only", source,
                   "-fplugin-arg-divcost-report=" + report]
        if profile:
            command.append("-fplugin-arg-divcost-profile-use=" + profile)
        subprocess.run(command, check=True)
        unit = json.load(open(report))
    out = {}
    for kernel in unit["kernels"]:
        for loop in kernel["loops"]:
            efficiency = loop.get("efficiency")
            if isinstance(efficiency, dict):
                out[loop["line"]] = loop["trips"]["from"], efficiency["low"], efficiency["high"]
            elif efficiency is not None:
                out[loop["line"]] = loop["trips"]["from"], efficiency, efficiency
    return out


def closing(arguments, results):
    print("\nworkload             loop                    measured  with profile          without")
    for folder in sorted(glob.glob(results + "/one_*/")):
        name = os.path.basename(folder[:-1])[len("one_"):]
        file = FILES.get(name, name)
        source = os.path.join(REPOSITORY, "bench", "kernels", file + ".cu")
        profile = folder + "counts.divprof"
        if not os.path.exists(profile):
            print("%-20s no profile%s" % (name, expect(False, name + " left no profile")))
            continue
        with_it, without = estimates(arguments, source, profile), estimates(arguments, source, None)
        for loop in shown(arguments, profile):
            line = loop["line"]
            if line not in with_it or os.path.basename(loop["file"]) != file + ".cu":
                continue
            source_of, low, high = with_it[line]
            error = max(abs(low - loop["efficiency"]), abs(high - loop["efficiency"]))
            other = without.get(line, ("-", 0, 0))
            print("%-20s %-22s %8.1f%%  %6.1f%% (%s)%s  %5.1f%%..%.1f%% (%s)" % (
                name, "%s.cu:%d" % (file, line), 100 * loop["efficiency"], 100 * low, source_of,
                expect(source_of != "profile" or error <= NEAR_ESTIMATE * loop["efficiency"],
                       "%s: estimate off by %.1f%%" % (name, 100 * error / loop["efficiency"])),
                100 * other[1], 100 * other[2], other[0]))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results")
    parser.add_argument("--build", default="build")
    parser.add_argument("--clang", default="clang++-22")
    arguments = parser.parse_args()
    overhead(arguments.results)
    truth(arguments, arguments.results, "counted")
    truth(arguments, arguments.results, "checked")
    known(arguments, arguments.results)
    profiler(arguments, arguments.results)
    closing(arguments, arguments.results)
    for failure in failures:
        print("FAILED: " + failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
