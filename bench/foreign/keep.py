#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps what measure.py measured: a row for each drawn kernel of a half, or why it dropped out.

  keep.py RESULTS OUT.tsv --half open|sealed|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth

The figures are sums over the launches, and `time_us`, too: `launches` is how many were measured, `stand_for` how many
these stand for (launches.py), by which they are weighted. `block` has all shapes of blocks, `grid` is that of the
largest launch, and so are `registers` and `shared`. `efficiency` is thread_inst / (32 * inst): the share of lanes
that were active.
"""
import argparse
import collections
import csv
import io
import os
import re
import sys
import tarfile

import launches
import programs

COLUMNS = ["repository", "file", "kernel", "program", "dropped", "launches", "stand_for", "inst", "thread_inst",
           "thread_inst_pred_on", "efficiency", "time_us", "block", "grid", "registers", "shared",
           "lowest", "highest"]
SUMS = {"inst": "smsp__inst_executed.sum", "thread_inst": "smsp__thread_inst_executed.sum",
        "thread_inst_pred_on": "smsp__thread_inst_executed_pred_on.sum",
        "time": "gpu__time_duration.sum"}
TO_BASE = {"second": 1e9, "s": 1e9, "msecond": 1e6, "ms": 1e6, "usecond": 1e3, "us": 1e3,
           "nsecond": 1, "ns": 1, "Kbyte": 1e3, "Mbyte": 1e6, "Gbyte": 1e9}


def names_in(name):
    """Its namespaces and its name, without what it returns, template and parameters."""
    depth, out = 0, ""
    for letter in name.replace("(anonymous namespace)", "anonymous"):
        if letter == "(" and depth == 0:
            break
        depth += (letter == "<") - (letter == ">")
        if depth == 0 and letter != ">":
            out += letter
    return out.strip().split(" ")[-1].split("::")


def number(text, unit=""):
    value = float(text.replace(",", ""))
    return value * TO_BASE.get(unit, 1)


def shape(text):
    """(x, y, z) of "(128, 1, 1)"."""
    return tuple(int(digits) for digits in re.findall(r"\d+", text))


def size(of):
    product = 1
    for one in of:
        product *= one
    return product


def launches_in(text):
    """A dictionary for each launch of a CSV of ncu."""
    rows = csv.reader(line for line in io.StringIO(text) if line[:1] == '"')
    header, found = None, {}
    for row in rows:
        if header is None or row == header:
            header = row
            continue
        if len(row) != len(header):
            continue  # cut off
        cells = dict(zip(header, row))
        launch = found.setdefault(cells["ID"], {"names": names_in(cells["Kernel Name"]),
                                                "block": shape(cells["Block Size"]),
                                                "grid": shape(cells["Grid Size"])})
        try:
            value = number(cells["Metric Value"], cells.get("Metric Unit", ""))
        except ValueError:
            continue  # "n/a"
        if value == value:  # "nan": what ncu couldn't measure
            launch[cells["Metric Name"]] = value
    counted = collections.Counter()
    for launch in found.values():
        launch["weight"] = launches.weight(counted[launch["names"][-1]])
        counted[launch["names"][-1]] += 1
    return [launch for launch in found.values()
            if launch.get(SUMS["inst"]) and SUMS["thread_inst"] in launch]


def launches_of(drawn, program, measured):
    """Those of a drawn kernel. If the program has two of its name, the file has the namespace."""
    own = [launch for launch in measured if launch["names"][-1] == drawn["kernel"]]
    if sum(row["kernel"] == drawn["kernel"] for row in program.rows) > 1:
        parts = re.split("[^A-Za-z0-9]", drawn["file"])
        own = [launch for launch in own if set(launch["names"][:-1]) & set(parts)]
    return own


def row_of(drawn, program, measured, statuses):
    """Its cells."""
    cells = {column: "-" for column in COLUMNS}
    cells.update({column: drawn[column] for column in ("repository", "file", "kernel")})
    cells["program"] = program.name if program else "-"
    own = launches_of(drawn, program, measured) if program else []
    if not own:
        cells["dropped"] = why(program, statuses)
        return cells
    sums = {key: sum(launch[metric] * launch["weight"] for launch in own) for key, metric in SUMS.items()
            if all(metric in launch for launch in own)}
    largest = max(own, key=lambda launch: (size(launch["grid"]), size(launch["block"])))
    shares = [launch[SUMS["thread_inst"]] / (32 * launch[SUMS["inst"]]) for launch in own]
    cells.update({key: "%d" % value for key, value in sums.items() if key != "time"})
    cells.update({
        "launches": str(len(own)), "stand_for": str(sum(launch["weight"] for launch in own)),
        "time_us": "%.1f" % (sums["time"] / 1000) if "time" in sums else "-",
        "efficiency": "%.4f" % (sums["thread_inst"] / (32 * sums["inst"])),
        "block": " ".join(sorted({"x".join(map(str, launch["block"])) for launch in own})),
        "grid": "x".join(map(str, largest["grid"])),
        "registers": "%d" % largest.get("launch__registers_per_thread", -1),
        "shared": "%d" % largest.get("launch__shared_mem_per_block_static", -1),
        "lowest": "%.4f" % min(shares), "highest": "%.4f" % max(shares)})
    return cells


def why(program, statuses):
    if program is None:
        return "no program"
    if program.dropped:
        return program.dropped
    own = [row for row in statuses if row["program"] == program.name]
    if not own:
        return "not built"
    return "not launched; " + ", ".join("%s %s" % (row["phase"], row["status"]) for row in own)


def rows_of(half, contents, found):
    """All rows; `contents` is {name: text} of the archive."""
    statuses = list(csv.DictReader(io.StringIO(contents.get("status.tsv", "")), delimiter="\t"))
    measured = {}
    for name, text in contents.items():
        if name.endswith(".csv"):
            measured.setdefault(name.rsplit(".", 2)[0], []).extend(launches_in(text))
    rows = []
    for drawn in programs.drawn():
        if drawn["half"] == half:
            own = next((program for program in found if drawn in program.rows), None)
            rows.append(row_of(drawn, own, measured.get(own.name, []) if own else [], statuses))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("results")
    parser.add_argument("out")
    parser.add_argument("--half", choices=programs.SETS, required=True)
    arguments = parser.parse_args()
    contents = {}
    with tarfile.open(os.path.join(arguments.results, arguments.half + ".tar.gz")) as tar:
        for member in tar.getmembers():
            if member.isfile():
                contents[os.path.basename(member.name)] = \
                    tar.extractfile(member).read().decode(errors="replace")
    rows = rows_of(arguments.half, contents, programs.programs())
    with open(arguments.out, "w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n",
                                quoting=csv.QUOTE_NONE, escapechar="\\")
        writer.writeheader()
        writer.writerows(rows)
    kept = sum(row["dropped"] == "-" for row in rows)
    print("%d kernels measured, %d dropped out" % (kept, len(rows) - kept))
    return 0


if __name__ == "__main__":
    sys.exit(main())
