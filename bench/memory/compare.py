#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds what divcost says of accesses to memory, without running anything, against what Nsight Compute
counted of the same lines.

  compare.py REPORT.json ... --pages SOURCE.csv ... [--rows FILE --code NAME]

Accesses and instructions are the same where a kernel's line has as many of one kind, memory and size in
both. Where a line has several such that are alike, they and their copies (unrolled) add up. Where they
differ, it isn't known which is which: each instruction must fit one of them. Said are,
per request in which some lane takes part: sectors of global, wavefronts of shared memory. A figure fits if
it lies within 1% of divcost's interval; counts of launches add up. What is known is judged apart from
what isn't (`from` derived, assumed). --rows adds what was compared to a table, a line each.
"""
import argparse
import collections
import csv
import json
import os
import re
import statistics
import sys

KINDS = [("ATOM", "atomic"), ("RED", "atomic"), ("LD", "load"), ("ST", "store")]
# Columns, as the sections and as metrics alone name them.
EXECUTED = ("Instructions Executed", "inst_executed")
LANES = ("Predicated-On Thread Instructions Executed", "thread_inst_executed_true")
SIZE = ("Access Size", "memory_access_size_type")
TAKEN = {True: ("L1 Wavefronts Shared", "memory_l1_wavefronts_shared"),
         False: ("L2 Theoretical Sectors Global", "memory_l2_theoretical_sectors_global")}
IDEAL = {shared: tuple(name + suffix for name, suffix in zip(names, (" Ideal", "_ideal")))
         for shared, names in TAKEN.items()}
OTHER_CODE = ("LDC", "LDL", "STL", "LDGSTS", "LDGDEPBAR", "LDSM", "STAS")


def read_reports(paths):
    """Of (kernel's symbol, file, line, kind, shared, bytes): the accesses of one estimate."""
    said = {}
    for path in paths:
        for kernel in json.load(open(path))["kernels"]:
            for access in kernel.get("accesses", []):
                if access["space"] == "constant" or "line" not in access:
                    continue
                key = (kernel["symbol"], os.path.basename(access["file"]), access["line"],
                       access["kind"], access["space"] == "shared", access["bytes"])
                said.setdefault(key, []).append(access)
    return said


def read_page(path, counted):
    """Adds [requests, lanes, taken, ideal] of each instruction to counted[key][address]; the address
    is that of the code, less the first one of its kernel."""
    columns, width, symbol, file, line, seen = {}, 0, "", "", 0, set()
    for row in csv.reader(open(path, errors="replace")):
        if not row:
            continue
        if row[0] == "File Path":
            file = os.path.basename(row[1])
        elif row[0] == "Function Name":
            symbol, seen = row[1], set()
        elif row[0] == "Line No":
            columns, width = {name: place for place, name in enumerate(row)}, len(row)
        elif row[0]:
            line = int(row[0])
        elif columns and len(row) == width and row[2] not in seen:
            seen.add(row[2])
            add_instruction(row, columns, symbol, file, line, counted)


def add_instruction(row, columns, symbol, file, line, counted):
    def number(names):
        text = next((row[columns[name]] for name in names if name in columns), "-")
        return float(text.replace(",", "")) if text not in ("-", "") else 0

    code = re.sub(r"^\s*(@\S+\s+)?", "", row[3])
    kind = next((kind for prefix, kind in KINDS if code.startswith(prefix)), None)
    executed = number(EXECUTED)
    lanes = number(LANES)
    if not kind or code.startswith(OTHER_CODE) or not lanes:
        return
    shared = number(TAKEN[True]) > 0
    taken, ideal = number(TAKEN[shared]), number(IDEAL[shared])
    if not taken or not ideal:
        return
    key = (symbol, file, line, kind, shared, int(number(SIZE)) // 8)
    sums = counted.setdefault(key, {}).setdefault(row[2][-5:], [0, 0, 0, 0])
    for place, more in enumerate((executed, lanes, taken, ideal)):
        sums[place] += more


def interval(value):
    return (value["low"], value["high"]) if isinstance(value, dict) else (value, value)


# What is compared: a line's accesses of one kind, memory and size.
Row = collections.namedtuple("Row", "key origin name low high ideal_low ideal_high said_lanes counted "
                             "counted_ideal executed lanes instructions")


def figure(access):
    return (*interval(access.get("sectors", access.get("conflicts"))), *interval(access["ideal"]),
            access["from"], access["class"], access["lanes"])


def row_of(key, figures, counts, instructions):
    low, high, ideal_low, ideal_high, origin, name, said_lanes = figures
    executed, lanes, taken, ideal = counts
    return Row(key, origin, name, low, high, ideal_low, ideal_high, said_lanes, taken, ideal, executed, lanes,
               instructions)


def compare(said, counted):
    """Rows; of lines with several accesses that differ, whether each instruction fits one; and why
    others aren't compared: Counter."""
    rows, several, left = [], [], collections.Counter()
    for key, instructions in sorted(counted.items()):
        accesses = said.get(key)
        if accesses is None:
            left["no access of that line, kind and size"] += len(instructions)
            continue
        figures = {figure(access) for access in accesses if access.get("requests", 0) > 0}
        if not figures:
            left["not reached"] += len(instructions)
        elif len(figures) == 1:
            rows.append(row_of(key, *figures, map(sum, zip(*instructions.values())), len(instructions)))
        else:
            several += [any(fits(row_of(key, said_of, counts, 1)) for said_of in figures)
                        for counts in instructions.values()]
    return rows, several, left


def fits(row):
    """Requests without lanes count nothing, and how many there are isn't known: sectors for each that is
    executed tell where all have lanes, otherwise the ratio to the ideal does."""
    ratio = row.counted / row.counted_ideal
    if row.low / row.ideal_high * 0.99 <= ratio <= row.high / max(row.ideal_low, 1) * 1.01:
        return True
    return row.low * 0.99 <= row.counted / row.executed <= row.high * 1.01


def has_said_lanes(row):
    return abs(row.lanes / row.executed - row.said_lanes) <= 0.02 * row.said_lanes


def share(rows):
    good = sum(map(fits, rows))
    return f"{good} of {len(rows)}" + (f" ({100 * good / len(rows):.1f}%)" if rows else "")


def report(rows, several, left):
    exact = [row for row in rows if row.origin == "derived"]
    told = [row for row in exact if has_said_lanes(row)]
    print(f"lanes and their addresses known: {share(told)} fit; a single figure "
          f"{share([row for row in told if row.low == row.high])}")
    print(f"  their addresses, but other lanes ran than those of full warps: "
          f"{share([row for row in exact if not has_said_lanes(row)])}")
    for name in sorted({row.name for row in told}):
        print(f"  {name}: {share([row for row in told if row.name == name])}")
    wide = [row for row in rows if row.origin != "derived"]
    print(f"not known: {share(wide)} lie in the interval")
    if wide:
        widths = sorted(row.high / row.low for row in wide)
        print(f"  its width (high / low): median {statistics.median(widths):.3g}, greatest {widths[-1]:.3g}")
    for name in sorted({row.name for row in wide}):
        print(f"  {name}: {share([row for row in wide if row.name == name])}")
    if several:
        print(f"lines with accesses that differ: {sum(several)} of {len(several)} instructions fit one of them")
    print(f"{len({row.key[0] for row in rows})} kernels, {sum(row.instructions for row in rows)} instructions")
    for why, count in left.most_common():
        print(f"not compared: {count} instructions: {why}")


def write_rows(rows, code, file):
    if file.tell() == 0:
        print("code", "fits", "symbol", "file", "line", "kind", "memory", "bytes", *Row._fields[1:], sep="\t",
              file=file)
    for row in rows:
        key = [*row.key[:4], "shared" if row.key[4] else "global", row.key[5]]
        print(code, "yes" if fits(row) else "no", *key,
              *(f"{x:g}" if isinstance(x, (int, float)) else x for x in row[1:]), sep="\t", file=file)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("reports", nargs="+")
    parser.add_argument("--pages", nargs="+", required=True)
    parser.add_argument("--rows", metavar="FILE")
    parser.add_argument("--code", default="", help="what the pages are of")
    options = parser.parse_args()
    counted = {}
    for path in options.pages:
        read_page(path, counted)
    rows, several, left = compare(read_reports(options.reports), counted)
    report(rows, several, left)
    if options.rows:
        with open(options.rows, "a") as file:
            write_rows(rows, options.code, file)


if __name__ == "__main__":
    sys.exit(main())
