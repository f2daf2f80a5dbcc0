# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Profiles written and read as docs/profile.md describes the format, by nothing but that page: for
tests. Loops, bodies and kernels are dictionaries with the names of the page; "lanes" and "sums" of a
loop are by bin, the "blocks" of a body by number, as (warps, lanes)."""
import struct

EXACT, BINS = 1024, 1112
TEXTS = ("kernel", "path", "function")
COUNTS = ("entries", "warp_iterations", "pairs", "spread", "parted")
LOOP, BODY, KERNEL = 0, 1, 2


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


def record_of_body(body):
    out = b"".join(text(body[name]) for name in TEXTS) + struct.pack("<Q", body["hash"])
    out += number(len(body["blocks"]))
    last = 0
    for k, (warps, lanes) in sorted(body["blocks"].items()):
        out += number(k - last) + number(warps) + number(lanes)
        last = k
    return out


def record_of_kernel(kernel, version):
    out = text(kernel["symbol"]) + number(kernel["more"]) + number(len(kernel["launches"]))
    for grid, block, shared, count in sorted(kernel["launches"]):
        out += b"".join(number(n) for n in (*grid, *block, shared, count))
    if version < 3:
        return out
    out += number(len(kernel.get("params", ())))
    for position, kind, more, values in kernel.get("params", ()):
        out += number(position) + number(kind) + number(more) + number(len(values))
        for value, count in values:
            out += number(value << 1 if value >= 0 else ~(value << 1)) + number(count)
    return out


def write(path, loops, runs=1, bodies=(), kernels=(), version=3):
    """Version 1 has loops alone, version 2 no parameters."""
    def kind(of):
        return number(of) if version > 1 else b""
    records = [kind(LOOP) + record(loop) for loop in sorted(loops, key=key)]
    records += [kind(BODY) + record_of_body(body) for body in bodies]
    records += [kind(KERNEL) + record_of_kernel(kernel, version) for kernel in kernels]
    content = b"".join(struct.pack("<II", len(data), checksum(data)) + data for data in records)
    header = b"divprof\n" + struct.pack("<IIQQ", version, len(records), runs, 40 + len(content))
    with open(path, "wb") as file:
        file.write(header + struct.pack("<II", checksum(header), 0) + content)


def read(source):
    """The loops and the number of runs, from a path or from bytes."""
    loops, runs, _, _ = read_all(source)
    return loops, runs


def read_all(source):
    """The loops, the number of runs, bodies and kernels."""
    data = source
    if not isinstance(source, bytes):
        with open(source, "rb") as file:
            data = file.read()
    assert data[:8] == b"divprof\n" and checksum(data[:32]) == struct.unpack("<I", data[32:36])[0]
    version, count, runs, length = struct.unpack("<IIQQ", data[8:32])
    assert version in (1, 2, 3) and length == len(data)
    at, loops, bodies, kernels = 40, [], [], []

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

    def take_hash():
        nonlocal at
        at += 8
        return struct.unpack("<Q", data[at - 8:at])[0]

    def take_body():
        body, k = {name: take_text() for name in TEXTS}, 0
        body["hash"], body["blocks"] = take_hash(), {}
        for _ in range(take()):
            k += take()
            warps = take()
            body["blocks"][k] = (warps, take())
        return body

    def take_kernel():
        kernel = {"symbol": take_text(), "more": take(), "launches": []}
        for _ in range(take()):
            dimensions = [take() for _ in range(6)]
            shared = take()
            kernel["launches"].append((tuple(dimensions[:3]), tuple(dimensions[3:]), shared, take()))
        kernel["params"] = [take_param() for _ in range(take())] if version > 2 else []
        return kernel

    def take_param():
        position, kind, more = take(), take(), take()
        values = []
        for _ in range(take()):
            value = take()
            values.append((~(value >> 1) if value & 1 else value >> 1, take()))
        return position, kind, more, values

    for _ in range(count):
        size, total = struct.unpack("<II", data[at:at + 8])
        at += 8
        assert checksum(data[at:at + size]) == total
        kind = take() if version > 1 else LOOP
        if kind == BODY:
            bodies.append(take_body())
            continue
        if kind == KERNEL:
            kernels.append(take_kernel())
            continue
        loop = {name: take_text() for name in TEXTS}
        loop["number"] = take()
        loop["hash"] = take_hash()
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
    return loops, runs, bodies, kernels
