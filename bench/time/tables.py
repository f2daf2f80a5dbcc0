# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and writes the tables of pairs."""
import os
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
COLUMNS = ["name", "file", "kernel", "block", "grid", "parameters", "loops", "branches", "extents",
           "expected", "seed", "half"]
# Halves of two sets, both opened by now, and the third to the seventh set, all of which is sealed.
SETS = (("open", "sealed"), ("open2", "sealed2"))
ALL_SEALED = ("sealed3", "sealed4", "sealed5", "sealed6", "sealed7")
HALVES = SETS[0] + SETS[1] + ALL_SEALED
EXPECTED = ("alu", "sfu", "l1", "l2", "dram", "latency", "mix")
UNDRAWN = "pairs2.tsv"


def of_half(half):
    return "pairs-%s.tsv" % half


def read(name):
    """The rows of a table of this folder; none if it isn't there."""
    path = os.path.join(HERE, name)
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    if lines[0].split("\t") != COLUMNS:
        sys.exit("%s: the columns must be: %s" % (name, ", ".join(COLUMNS)))
    rows = []
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(COLUMNS):
            sys.exit("%s:%d: %d columns instead of %d" % (name, number, len(cells), len(COLUMNS)))
        rows.append(dict(zip(COLUMNS, cells)))
    return rows


def read_all(halves=HALVES):
    """The pairs of these halves, and those that aren't drawn yet."""
    rows = [row for half in halves for row in read(of_half(half))] + read(UNDRAWN)
    return sorted(rows, key=lambda row: row["name"])


def write(name, rows):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        for row in [dict(zip(COLUMNS, COLUMNS))] + rows:
            file.write("\t".join(row[column] for column in COLUMNS) + "\n")


def cuda_root():
    nvcc = shutil.which("nvcc")
    if not nvcc:
        sys.exit("there is no nvcc, and so no CUDA Toolkit")
    return os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))
