#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies what evaluate.py reads of the results of bench/profile/measure.sh into a folder to be kept:
source files by name alone, without the folders of the machine where they were compiled; what ncu
counted, in a file for each workload.

  keep.py RESULTS FOLDER
"""
import csv
import glob
import io
import os
import struct
import sys

import machine_loops
import workloads

HEADER = struct.Struct("<8sIIQQ")  # then a checksum and 0: docs/profile.md, format
PLACE = struct.Struct("<II")
LOOP = 0


def checksum(data):
    value = 0x811c9dc5
    for byte in data:
        value = (value ^ byte) * 0x01000193 & 0xffffffff
    return value


def number(data, at):
    """The LEB128 number at `at`, and where it ends."""
    value = shift = 0
    while True:
        value |= (data[at] & 0x7f) << shift
        shift, at = shift + 7, at + 1
        if data[at - 1] < 0x80:
            return value, at


def leb128(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def by_name(record, at):
    """The record of a loop, which begins there, with the last part of its file's name."""
    for _ in ("kernel", "path", "function"):
        length, at = number(record, at)
        at += length
    at = number(record, at)[1] + 8  # the loop's number, and a hash
    length, begin = number(record, at)
    name = os.path.basename(record[begin:begin + length])
    return record[:at] + leb128(len(name)) + name + record[begin + length:]


def profile(data):
    magic, version, count, runs, _ = HEADER.unpack_from(data)
    at, records = 40, b""
    for _ in range(count):
        length, expected = PLACE.unpack_from(data, at)
        record = data[at + PLACE.size:at + PLACE.size + length]
        if checksum(record) != expected:
            sys.exit("byte %d: not the record's checksum" % at)
        at += PLACE.size + length
        if version == 1:
            record = by_name(record, 0)
        elif record[0] == LOOP:  # others name no file
            record = by_name(record, 1)
        records += PLACE.pack(len(record), checksum(record)) + record
    header = HEADER.pack(magic, version, count, runs, 40 + len(records))
    return header + struct.pack("<II", checksum(header), 0) + records


def table(rows):
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    return out.getvalue()


def text_of(path):
    with open(path, errors="replace") as file:
        return file.read()


def names_of(path):
    """The workloads that ran, from what time_kernels printed (and perhaps ncu)."""
    rows = (line.split("\t") for line in text_of(path).splitlines())
    return [row[0] for row in rows if len(row) == 3]


def of_kernels(results):
    """{file: text}: ncu's figures of whole kernels."""
    path = os.path.join(results, "ncu.csv")
    if not os.path.exists(path):
        return {}
    header, *rows = (row for row in csv.reader(line for line in text_of(path).splitlines()
                                              if line[:1] == '"'))
    launch, kernel = header.index("ID"), header.index("Kernel Name")
    ids = sorted({int(row[launch]) for row in rows})
    kernels = {int(row[launch]): row[kernel] for row in rows}
    own = workloads.by_workload(names_of(os.path.join(results, "ncu.tsv")),
                                [kernels[k] for k in ids])
    return {"ncu_%s.csv" % name: table([header] + [row for row in rows
                                                   if ids.index(int(row[launch])) in places])
            for name, places in own.items()}


def of_instructions(results):
    """The same of each instruction, by its distance from the first."""
    path = os.path.join(results, "source.csv")
    if not os.path.exists(path):
        return {}
    launches = machine_loops.read(text_of(path).splitlines())
    if launches[::2] == launches[1::2]:  # some ncu print each of them twice
        launches = launches[::2]
    own = workloads.by_workload(names_of(os.path.join(results, "source.tsv")),
                                [kernel for kernel, _ in launches])
    out = {}
    for name, places in own.items():
        rows = []
        for kernel, instructions in (launches[k] for k in places):
            rows += [("Kernel Name", kernel), machine_loops.COLUMNS]
            rows += [("0x%x" % i.address, *i[1:]) for i in machine_loops.from_zero(instructions)]
        out["source_%s.csv" % name] = table(rows)
    return out


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    results, folder = sys.argv[1:]
    for pattern in ("gpu.txt", "plain[0-9].tsv", "profiled[0-9].tsv", "*/by_hand.txt",
                    "*/known.txt", "c*/counts.divprof", "one_*/counts.divprof",
                    "behind_*/counts.divprof"):
        for path in glob.glob(os.path.join(results, pattern)):
            target = os.path.join(folder, os.path.relpath(path, results))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            data = open(path, "rb").read()
            if path.endswith(".divprof"):
                data = profile(data)
            with open(target, "wb") as file:
                file.write(data)
    for name, text in {**of_kernels(results), **of_instructions(results)}.items():
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
