#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies what evaluate.py reads of the results of bench/profile/measure.sh into a folder to be kept:
source files by name alone, without the folders of the machine where they were compiled.

  keep.py RESULTS FOLDER
"""
import glob
import os
import struct
import sys

HEADER = struct.Struct("<8sIIQQ")  # then a checksum and 0: docs/profile.md, format
PLACE = struct.Struct("<II")


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


def by_name(record):
    """The record with the last part of its file's name."""
    at = 0
    for _ in ("kernel", "path", "function"):
        length, at = number(record, at)
        at += length
    at = number(record, at)[1] + 8  # the loop's number, and a hash
    length, begin = number(record, at)
    name = os.path.basename(record[begin:begin + length])
    return record[:at] + leb128(len(name)) + name + record[begin + length:]


def profile(data):
    magic, version, loops, runs, _ = HEADER.unpack_from(data)
    at, records = 40, b""
    for _ in range(loops):
        length, expected = PLACE.unpack_from(data, at)
        record = data[at + PLACE.size:at + PLACE.size + length]
        if checksum(record) != expected:
            sys.exit("byte %d: not the record's checksum" % at)
        at += PLACE.size + length
        record = by_name(record)
        records += PLACE.pack(len(record), checksum(record)) + record
    header = HEADER.pack(magic, version, loops, runs, 40 + len(records))
    return header + struct.pack("<II", checksum(header), 0) + records


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    results, folder = sys.argv[1:]
    for pattern in ("gpu.txt", "plain[0-9].tsv", "profiled[0-9].tsv", "*/by_hand.txt",
                    "*/known.txt", "ncu_*.csv", "c*/counts.divprof", "one_*/counts.divprof"):
        for path in glob.glob(os.path.join(results, pattern)):
            target = os.path.join(folder, os.path.relpath(path, results))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            data = open(path, "rb").read()
            if path.endswith(".divprof"):
                data = profile(data)
            elif path.endswith(".csv"):  # the table alone
                data = b"".join(line for line in data.splitlines(True) if line[:1] == b'"')
            with open(target, "wb") as file:
                file.write(data)


main()
