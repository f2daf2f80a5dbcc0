#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what bench/profile/measure.sh left, and prints four tables: what profiling costs, whether
counts equal those of counters written by hand, the SIMT efficiency against a profiler's, and
estimates with and without the profile against the efficiency that was measured.

  evaluate.py RESULTS --build build [--clang clang++-22]

Exit status 1 if a bound of docs/lab/recorder.md doesn't hold.
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

import machine_loops
import workloads

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MEDIAN, WORST = 1.3, 3.0           # time with profiling over time without
NEAR_PROFILER, NEAR_ESTIMATE = 0.01, 0.03  # relative
DOMINATES = 0.99                   # of the instructions of a kernel, those of warps and of threads,
                                   # whose ratio is its efficiency
EXACT = 1024
# Loops behind divergent ones, in kernels of which blocks behind are counted.
BEHIND = {"matrix_power": "matrix_power.cu:44"}

failures = []


def expect(good, what):
    if not good:
        failures.append(what)
    return "" if good else "  <-- " + what


def shown(arguments, path, what="loops"):
    tool = os.path.join(arguments.build, "tools", "divcost")
    text = subprocess.run([tool, "profile", "show", "--json", path], stdout=subprocess.PIPE,
                          check=True).stdout
    return json.loads(text)[what]


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


def main_loop(loops, workload):
    """That of the workload's kernel in which warps are most often."""
    kernel = workloads.kernel_of(workload)
    own = [loop for loop in loops if "%d%s" % (len(kernel), kernel) in loop["kernel"]]
    return max(own, key=lambda loop: loop["warp_iterations"], default=None)


def known(arguments, results):
    print("lanes that entered, iterations of lanes, and of warps:")
    for folder in sorted(glob.glob(results + "/one_*/")):
        if not os.path.exists(folder + "known.txt"):
            continue
        name = os.path.basename(folder[:-1])[len("one_"):]
        host = [int(word) for word in open(folder + "known.txt").read().split()]
        if host[-1] == 0:  # in which warps the lanes were
            host.pop()
        loop = main_loop(shown(arguments, folder + "counts.divprof"), name)
        recorded = [loop[key] for key in ("lanes", "iterations", "warp_iterations")] if loop else []
        print("%s: %s by the host, %s recorded%s" % (
            name, ", ".join("%d" % word for word in host), ", ".join("%d" % word for word in recorded),
            expect(host == recorded[:len(host)], name + ": not what the host knows")))


def active_threads(path, kernel):
    """Lanes per instruction / 32 over all launches of the kernel, from ncu's CSV; None without."""
    if not os.path.exists(path):
        return None
    with open(path, errors="replace") as file:
        rows = [row for row in csv.reader(file) if len(row) > 10]
    if not rows:
        return None
    name, value, launch, symbol = (rows[0].index(column) for column in (
        "Metric Name", "Metric Value", "ID", "Kernel Name"))
    launches = collections.defaultdict(dict)
    for row in rows[1:]:
        if workloads.name_of(row[symbol]) == kernel:
            launches[row[launch]][row[name]] = float(row[value].replace(",", ""))
    weights = [l["smsp__inst_executed.sum"] for l in launches.values()]
    ratios = [l["smsp__thread_inst_executed_per_inst_executed.ratio"] for l in launches.values()]
    return sum(w * r for w, r in zip(weights, ratios)) / sum(weights) / 32 if weights else None


def instruction_figures(path, workload):
    if not os.path.exists(path):
        return None
    with open(path) as file:
        launches = machine_loops.read(file)
    return machine_loops.figures([instructions for _, instructions in launches],
                                 workloads.DEPTHS.get(workloads.short(workload), 1))


def profiler(arguments, results):
    print("\nSIMT efficiency       recorder   profiler: kernel    loop  of lanes' and warps' instructions")
    compared = 0
    for folder in sorted(glob.glob(results + "/one_*/")):
        name = os.path.basename(folder[:-1])[len("one_"):]
        whole = active_threads("%s/ncu_%s.csv" % (results, name), workloads.kernel_of(name))
        loop = main_loop(shown(arguments, folder + "counts.divprof"), name)
        inside = instruction_figures("%s/source_%s.csv" % (results, name), name)
        if whole is None or not loop:
            continue
        recorded, remark, near = loop["efficiency"], "", True
        if inside and workloads.short(name) in workloads.OTHER_LOOPS:
            remark = "  with other loops"
        elif inside and inside.parted:
            remark = "  parts lanes"
        elif inside and min(inside.share, inside.threads) >= DOMINATES:
            compared += 1
            near = abs(recorded / whole - 1) <= NEAR_PROFILER
            remark = "  dominates"
        print("%-22s %6.1f%%   %6.1f%% (%+6.1f%%)  %s%s%s" % (
            name, 100 * recorded, 100 * whole, 100 * (recorded / whole - 1),
            "%5.1f%%  %5.1f%% %5.1f%%" % tuple(100 * x for x in inside[2::-1]) if inside else
            "    -       -      -", remark, expect(near, name + ": not the profiler's efficiency")))
    print("%d loops dominate their kernel%s" % (
        compared, expect(compared, "no loop could be compared with the profiler")))


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
        file = workloads.file_of(name)
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


def behind(arguments, results):
    """Loops behind a divergent one, the last ones of their kernels: the warps that come there are whole."""
    print("\nloop behind a divergent one   lanes of a warp in it")
    found = 0
    for folder in sorted(glob.glob(results + "/behind_*/")):
        name = os.path.basename(folder[:-1])[len("behind_"):]
        for body in shown(arguments, folder + "counts.divprof", "bodies"):
            if body["path"] == "" and name in body["function"]:
                found += 1
                last = body["blocks"][-1]
                print("%-28s %6.1f%s" % (BEHIND[name], last["lanes"] / last["warps"], expect(
                    last["lanes"] == 32 * last["warps"], BEHIND[name] + ": warps were parted")))
    expect(found == len(BEHIND), "loops behind divergent ones weren't recorded")


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
    behind(arguments, arguments.results)
    for failure in failures:
        print("FAILED: " + failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
