#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks divcost of pairs: tells it what the table knows of loops and launch, and keeps its reports.

  annotate.py NAME... --plugin PLUGIN --out DIR
  annotate.py --all --plugin PLUGIN --out DIR [--half open]
  annotate.py --markers

For each pair come out DIR/NAME.json, the report, and DIR/NAME/: the kernel's source with the launch
and the arrays' extents before the kernel, on the same line, so that lines stay, and the chance of
branches of two sides in their conditions; the annotations of its loops; what clang
said. Loops are found by their markers. --markers only looks whether the sources have all markers
that the tables name, at loops and branches, and compiles nothing.
"""
import argparse
import json
import os
import re
import subprocess
import sys

import tables

STATEMENTS = {"loop": r"\b(for|while|do)\b", "branch": r"\b(if|switch)\b"}


def named(text):
    """From the markers of a cell to what is said of them, without the scope."""
    parts = [part.split("=", 1) for part in text.split(";")] if text != "-" else []
    return {name.strip(): value.split(" @")[0].strip() for name, value in parts}


def marked_line(lines, kind, marker, file):
    """The number of the line with the statement that a marker is beside."""
    found = [number for number, line in enumerate(lines, 1)
             if re.search(r"// %s: %s$" % (kind, re.escape(marker)), line)]
    if len(found) != 1 or not re.search(STATEMENTS[kind], lines[found[0] - 1].split("//")[0]):
        sys.exit("%s: not one %s with the marker %s" % (file, kind, marker))
    return found[0]


def source_lines(row):
    with open(os.path.join(tables.HERE, row["file"]), encoding="utf-8") as file:
        return file.read().splitlines()


def loops_of(row, lines):
    return [{"file": row["file"], "line": marked_line(lines, "loop", marker, row["file"]), "trips": trips}
            for marker, trips in named(row["loops"]).items()]


SIZES = {"char": 1, "short": 2, "int": 4, "unsigned": 4, "float": 4, "double": 8, "float2": 8, "int2": 8,
         "uint2": 8, "long long": 8, "unsigned long long": 8, "float4": 16, "int4": 16, "uint4": 16}


def element_size(row, text, name):
    """Bytes of what a parameter points to."""
    declared = re.search(r"([\w ]+?)\s*\*\s*(?:__restrict__)?\s*%s\b" % re.escape(name), text)
    kind = declared and re.sub(r"\b(const|unsigned(?= char| short| int\b))\b", "", declared.group(1)).strip()
    if kind not in SIZES:
        sys.exit("%s: of %s it isn't known what it points to (%s)" % (row["file"], name, kind))
    return SIZES[kind]


def extents_of(row, text):
    sizes = [part.split("=") for part in row["extents"].split(",")] if row["extents"] != "-" else []
    return ["extent(%s, %d)" % (name, max(1, int(size) // element_size(row, text, name))) for name, size in sizes]


def with_chances(row, lines):
    """The source, with the chance of each branch of two sides that is told in its condition."""
    lines = list(lines)
    for marker, share in named(row["branches"]).items():
        at = marked_line(lines, "branch", marker, row["file"]) - 1
        changed = re.sub(r"\bif \((.*)\)(\s*\{?\s*//)", r"if (__builtin_expect_with_probability((\1) != 0, 1, %s))\2"
                         % share, lines[at])
        if re.fullmatch(r"[\d.]+", share):
            lines[at] = changed
    return lines


def with_launch(row, lines):
    """The source, with the launch in front of its kernel."""
    kernel_text = "\n".join(lines)
    kernel_text = kernel_text[re.search(r"\b%s\(" % row["kernel"], kernel_text).start():]
    launch = ", ".join(["block=%s" % row["block"], "grid=%s" % row["grid"], row["parameters"].replace(",", ", "),
                        "l2=warm"] + extents_of(row, kernel_text))
    kernels = [place for place, line in enumerate(lines) if line.startswith("__global__")
               and re.search(r"\b%s\(" % row["kernel"], " ".join(lines[place:place + 3]))]
    if len(kernels) != 1:
        sys.exit("%s: not one kernel %s" % (row["file"], row["kernel"]))
    lines = list(lines)
    lines[kernels[0]] = "_Pragma(\"divcost launch(%s)\") %s" % (launch, lines[kernels[0]])
    return "\n".join(lines) + "\n"


def annotate(row, plugin, out):
    """Whether clang took it."""
    lines = source_lines(row)
    folder, report = os.path.join(out, row["name"]), os.path.join(out, row["name"] + ".json")
    os.makedirs(folder, exist_ok=True)
    source, notes = os.path.join(folder, row["file"]), os.path.join(folder, "annotations.json")
    with open(source, "w", encoding="utf-8") as file:
        file.write(with_launch(row, with_chances(row, lines)))
    with open(notes, "w", encoding="utf-8") as file:
        json.dump({"divcost-annotations": 1, "loops": loops_of(row, lines)}, file, indent=1)
    command = ["clang++-22", "-x", "cuda", "--cuda-gpu-arch=sm_90", "--cuda-path=" + tables.cuda_root(), "-O3",
               "-std=c++17", "--cuda-device-only", "-fsyntax-only", "-Wno-unknown-cuda-version",
               "-fplugin=" + plugin, "-fplugin-arg-divcost-arch=sm_90", "-fplugin-arg-divcost-report=" + report,
               "-fplugin-arg-divcost-annotations=" + notes, source]
    with open(os.path.join(folder, "clang.txt"), "w", encoding="utf-8") as log:
        status = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT).returncode
    return status == 0 and os.path.exists(report)


def look_at_markers(rows):
    for row in rows:
        lines = source_lines(row)
        loops_of(row, lines)
        with_launch(row, lines)
        for marker in named(row["branches"]):
            marked_line(lines, "branch", marker, row["file"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--half", choices=tables.HALVES, action="append")
    parser.add_argument("--markers", action="store_true")
    parser.add_argument("--plugin")
    parser.add_argument("--out")
    arguments = parser.parse_args()
    rows = tables.read_all(arguments.half or tables.HALVES)
    if arguments.markers:
        look_at_markers(rows)
        return 0
    if not arguments.plugin or not arguments.out:
        sys.exit("annotate.py: --plugin and --out are needed")
    unknown = set(arguments.names) - {row["name"] for row in rows}
    if unknown or not (arguments.names or arguments.all):
        sys.exit("annotate.py: names of pairs, or --all; there is no %s" % (", ".join(sorted(unknown)) or "name"))
    failed = [row["name"] for row in rows if (arguments.all or row["name"] in arguments.names)
              and not annotate(row, os.path.abspath(arguments.plugin), os.path.abspath(arguments.out))]
    if failed:
        print("clang failed on: %s" % ", ".join(failed))
    return len(failed) > 0


if __name__ == "__main__":
    sys.exit(main())
