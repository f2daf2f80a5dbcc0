#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the plugin says of each workload, given its launch, parameters and laws.

Reads DIR/workloads.tsv (gpu-workloads --describe DIR) and compiles the kernel of each workload with
the plugin: the launch as a pragma before the kernel, the histograms of the trip counts as an
annotation file, once as clang builds it and once as nvcc does. Writes DIR/estimates.tsv, a line for each kernel
and build, and DIR/estimates-loops.tsv, a line for each loop with a tally, beside what the tally says. '-' stands for
what isn't known."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

from compare_workloads import BUILDS

BENCH = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KERNELS = os.path.join(BENCH, "kernels")
KERNEL_COLUMNS = ["workload", "build", "efficiency_low", "efficiency_high", "emulated",
                  "instructions_low", "instructions_high", "cycles_low", "cycles_high", "imbalance_low", "imbalance_high", "reconvergence_low",
                  "reconvergence_high", "share_low", "share_high", "branches_low",
                  "branches_high"]
LOOP_COLUMNS = ["workload", "build", "line", "quality", "lanes", "from", "efficiency", "efficiency_host",
                "exits", "exits_host", "entries", "entries_host"]


def read_tsv(path):
    """The rows of a file of tab-separated values, as dictionaries; lines with # are comments."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def write_tsv(path, columns, rows):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\t".join(columns) + "\n")
        for row in rows:
            file.write("\t".join(str(row.get(c, "-")) for c in columns) + "\n")


def launch_pragma(rows):
    clauses = [f"block=({rows[0]['block']},1)", f"grid=({rows[0]['grid']},1)"]
    if rows[0]["parameters"] != "-":
        clauses += rows[0]["parameters"].split(",")
    return f'_Pragma("divcost launch({", ".join(clauses)})") '


def with_launch(text, rows):
    """The kernel's source with the launch before the kernel, on the same line as the kernel."""
    name = re.match(r"_Z(\d+)", rows[0]["symbol"])
    name = rows[0]["symbol"][name.end():name.end() + int(name.group(1))]
    changed, count = re.subn(rf"^__global__ void {name}\(", launch_pragma(rows) + r"\g<0>", text,
                             flags=re.M)
    if count != 1:
        sys.exit(f"{rows[0]['file']}.cu: no kernel {name} at the beginning of a line")
    return changed


def greatest_of_warp(counts):
    """E[max] / E[W] of 32 independent draws: the aggregate imbalance."""
    total, mean, greatest, below = sum(counts.values()), 0.0, 0.0, 0.0
    for value, count in sorted(counts.items()):
        mean += value * count / total
        at = below + count / total
        greatest += value * (at ** 32 - below ** 32)
        below = at
    return greatest / mean if mean else 1.0


def correlation(folder, row):
    """How alike the lanes of a warp must be for the efficiency that the host counted: that of
    independent lanes is 1 / A, and R = (A - 1/e) / (A - 1) (docs/annotations.md)."""
    with open(os.path.join(folder, row["histogram"]), encoding="utf-8") as file:
        pairs = [line.split() for line in file if line.strip() and not line.startswith("#")]
    independent = greatest_of_warp({int(value): float(count) for value, count in pairs})
    # Of the lanes that enter; a warp at the edge has fewer than 32.
    issued = float(row["iterations"]) * float(row["entering"]) / float(row["entries"])
    efficiency = float(row["trips"]) / issued if issued else 0.0
    if row["lanes"] != "dependent" or independent <= 1 or efficiency <= 0:
        return 0.0
    return min(1.0, max(0.0, (independent - 1 / efficiency) / (independent - 1)))


def law(folder, row):
    path = os.path.join(os.path.abspath(folder), row["histogram"])
    alike = correlation(folder, row)
    return f'histogram("{path}")' + (f", per_warp_correlated({alike:.6f})" if alike else "")


def annotations(folder, rows):
    loops = [{"file": rows[0]["file"] + ".cu", "line": int(row["line"]), "trips": law(folder, row)}
             for row in rows if row["line"] != "-"]
    return {"divcost-annotations": 1, "loops": loops}


def compile_workload(options, folder, rows, build):
    """The report of the kernel's file, compiled with the launch and laws of one workload, as it would be of a build."""
    with tempfile.TemporaryDirectory() as work:
        source = os.path.join(work, rows[0]["file"] + ".cu")
        report, notes = os.path.join(work, "report.json"), os.path.join(work, "laws.json")
        with open(os.path.join(KERNELS, rows[0]["file"] + ".cu"), encoding="utf-8") as file:
            text = with_launch(file.read(), rows)
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        with open(notes, "w", encoding="utf-8") as file:
            json.dump(annotations(folder, rows), file)
        command = [options.clang, f"-fplugin={options.plugin}",
                   f"-fplugin-arg-divcost-report={report}",
                   f"-fplugin-arg-divcost-annotations={notes}", f"-fplugin-arg-divcost-compiler={build}",
                   "-fplugin-arg-divcost-no-warn=imbalance,data-dependent,branch,efficiency", "-x", "cuda",
                   "--cuda-device-only", "-S", "-o", os.devnull, f"--cuda-gpu-arch={options.arch}",
                   "-O2", "-Wno-unknown-cuda-version", "-Werror=backend-plugin", *options.flag,
                   source]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            sys.exit(f"{rows[0]['workload']}: {' '.join(command)}\n{done.stderr}")
        with open(report, encoding="utf-8") as file:
            return json.load(file)


def span(row, name, figure):
    """A figure of the report, which may be a span or absent, as two columns."""
    if figure is not None:
        ends = (figure["low"], figure["high"]) if isinstance(figure, dict) else (figure, figure)
        row[name + "_low"], row[name + "_high"] = ends


def kernel_row(rows, estimate, build):
    row = {"workload": rows[0]["workload"], "build": build, "emulated": int(estimate.get("emulated", False))}
    cycles = estimate.get("cycles", {})
    span(row, "efficiency", estimate.get("efficiency"))
    span(row, "instructions", estimate.get("instructions"))
    span(row, "cycles", cycles.get("total"))
    span(row, "imbalance", cycles.get("imbalance"))
    span(row, "reconvergence", cycles.get("reconvergence"))
    span(row, "share", estimate.get("share"))
    span(row, "branches", estimate.get("divergent_branches"))
    return row


def plain(figure):
    return "-" if figure is None or isinstance(figure, dict) else figure


def loop_rows(rows, kernel, estimate, build):
    result = []
    grid = [int(n) for n in rows[0]["grid"].split(",")]
    block = [int(n) for n in rows[0]["block"].split(",")]
    warps = grid[0] * grid[1] * -(-block[0] * block[1] // 32)
    for tally in rows:
        for loop, figures in zip(kernel["loops"], estimate["loops"]):
            if str(loop["line"]) != tally["line"]:
                continue
            result.append({
                "workload": rows[0]["workload"], "build": build, "line": tally["line"],
                "quality": tally["quality"], "lanes": tally["lanes"], "from": figures["from"],
                "efficiency": plain(figures.get("efficiency")),
                "efficiency_host": tally["efficiency"],
                "exits": plain(figures.get("divergent_exits")),
                "exits_host": f"{float(tally['exits']) / float(tally['entries']):.6g}",
                "entries": plain(figures.get("entries")),
                "entries_host": f"{float(tally['entries']) / warps:.6g}"})
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("folder", metavar="DIR", help="with workloads.tsv; results go there")
    parser.add_argument("--plugin", required=True, help="divcost.so")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--flag", action="append", default=[],
                        help="one more argument for clang, such as --flag=-nocudalib")
    options = parser.parse_args()
    workloads = {}
    for row in read_tsv(os.path.join(options.folder, "workloads.tsv")):
        workloads.setdefault(row["workload"], []).append(row)
    kernels, loops = [], []
    for build in BUILDS:
        for rows in workloads.values():
            report = compile_workload(options, options.folder, rows, build)
            kernel = next(k for k in report["kernels"] if k["symbol"] == rows[0]["symbol"])
            kernels.append(kernel_row(rows, kernel["estimates"][0], build))
            loops += loop_rows(rows, kernel, kernel["estimates"][0], build)
    write_tsv(os.path.join(options.folder, "estimates.tsv"), KERNEL_COLUMNS, kernels)
    write_tsv(os.path.join(options.folder, "estimates-loops.tsv"), LOOP_COLUMNS, loops)


if __name__ == "__main__":
    main()
