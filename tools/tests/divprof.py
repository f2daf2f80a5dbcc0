# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiles written and read as docs/profile.md describes the format, by nothing but that page: for
tests. A loop is a dictionary with the names of the page; "lanes" and "sums" are by bin."""
import struct

EXACT, BINS = 1024, 1112
TEXTS = ("kernel", "path", "function")
COUNTS = ("entries", "warp_iterations", "pairs", "spread", "parted")


def checksum(data):
    value = 0x811c9dc5
    for byte in data:
        value = (value ^ byte) * 0x01000193 & 0xffffffff
    return value


def number(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7f | 0x80])
        value >>= 7
    return out + bytes([value])


def text(value):
    return number(len(value.encode())) + value.encode()


def bin_of(trips):
    if trips < EXACT:
        return trips
    octave = trips.bit_length() - 1
    return EXACT + (octave - 10) * 4 + (trips >> (octave - 2) & 3)


def loop_of(warps, **names):
    """The loop with the counts of these entries: a list of trip counts for each."""
    loop = {"kernel": "kernel", "path": "", "function": "kernel", "number": 0, "hash": 1,
            "file": "/a.cu", "line": 1, "column": 3, "level": 3, "lanes": {}, "sums": {},
            **dict.fromkeys(COUNTS, 0), **names}
    for trips in warps:
        n = len(trips)
        loop["entries"] += 1
        loop["warp_iterations"] += max(trips)
        if max(trips) < 4096:
            loop["pairs"] += n * (n - 1) // 2
            loop["spread"] += n * sum(w * w for w in trips) - sum(trips) ** 2
        for w in trips:
            k = bin_of(w)
            loop["lanes"][k] = loop["lanes"].get(k, 0) + 1
            if k >= EXACT:
                loop["sums"][k] = loop["sums"].get(k, 0) + w
    return loop


def key(loop):
    return tuple(loop[name].encode() for name in TEXTS) + (loop["number"], loop["hash"])


def record(loop):
    out = b"".join(text(loop[name]) for name in TEXTS) + number(loop["number"])
    out += struct.pack("<Q", loop["hash"]) + text(loop["file"])
    out += b"".join(number(loop[name]) for name in ("line", "column", "level") + COUNTS)
    out += number(len(loop["lanes"]))
    last = 0
    for k in sorted(loop["lanes"]):
        out += number(k - last) + number(loop["lanes"][k])
        if k >= EXACT:
            out += number(loop["sums"][k])
        last = k
    return out


def write(path, loops, runs=1):
    body = b""
    for loop in sorted(loops, key=key):
        data = record(loop)
        body += struct.pack("<II", len(data), checksum(data)) + data
    header = b"divprof\n" + struct.pack("<IIQQ", 1, len(loops), runs, 40 + len(body))
    with open(path, "wb") as file:
        file.write(header + struct.pack("<II", checksum(header), 0) + body)


def read(source):
    """The loops and the number of runs, from a path or from bytes."""
    data = source
    if not isinstance(source, bytes):
        with open(source, "rb") as file:
            data = file.read()
    assert data[:8] == b"divprof\n" and checksum(data[:32]) == struct.unpack("<I", data[32:36])[0]
    version, count, runs, length = struct.unpack("<IIQQ", data[8:32])
    assert version == 1 and length == len(data)
    at, loops = 40, []

    def take():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def take_text():
        nonlocal at
        size = take()
        at += size
        return data[at - size:at].decode()

    for _ in range(count):
        size, total = struct.unpack("<II", data[at:at + 8])
        at += 8
        assert checksum(data[at:at + size]) == total
        loop = {name: take_text() for name in TEXTS}
        loop["number"] = take()
        loop["hash"] = struct.unpack("<Q", data[at:at + 8])[0]
        at += 8
        loop["file"] = take_text()
        for name in ("line", "column", "level") + COUNTS:
            loop[name] = take()
        loop["lanes"], loop["sums"], k = {}, {}, 0
        for _ in range(take()):
            k += take()
            loop["lanes"][k] = take()
            if k >= EXACT:
                loop["sums"][k] = take()
        loops.append(loop)
    assert at == len(data)
    return loops, runs
