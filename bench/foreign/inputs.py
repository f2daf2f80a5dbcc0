#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the inputs of the foreign programs, always the same ones.

  inputs.py FOLDER
"""
import array
import concurrent.futures
import math
import os
import random
import struct
import sys

VERTICES, EDGES = 1 << 16, 1 << 20  # of the R-MAT graph, both directions counted
ROADS, ROAD_EDGES = 1 << 15, 1 << 18
SMALL, SMALL_EDGES = 512, 1 << 13
GRID = 512
PLACES = 100000


def rmat(lots, levels, edges, cuts, symmetric):
    """{vertex: neighbours} of an R-MAT graph without loops and double edges."""
    neighbours = [set() for _ in range(1 << levels)]
    one, two, three = cuts
    count = 0
    while count < edges:
        begin = end = 0
        for _ in range(levels):
            lot = lots.random()
            begin += begin + (lot >= two)
            end += end + (one <= lot < two or lot >= three)
        if begin != end and end not in neighbours[begin]:
            neighbours[begin].add(end)
            count += 1
            if symmetric:
                neighbours[end].add(begin)
                count += 1
    return [sorted(of) for of in neighbours]


def skewed(symmetric):
    return rmat(random.Random("rmat %d" % symmetric), 16, EDGES, (0.57, 0.76, 0.95), symmetric)


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", newline="\n") as file:
        file.write(text)


def write_bytes(folder, name, *arrays):
    with open(os.path.join(folder, name), "wb") as file:
        for one in arrays:
            if sys.byteorder == "big" and isinstance(one, array.array):
                one.byteswap()
            file.write(one)


def weight(begin, end):
    """The same in both directions."""
    low, high = min(begin, end), max(begin, end)
    return (low * 7919 + high * 104729) % 997 + 1


def offsets_of(graph):
    offsets = [0]
    for of in graph:
        offsets.append(offsets[-1] + len(of))
    return offsets


def write_ecl(folder, name, graph):
    offsets = offsets_of(graph)
    write_bytes(folder, name, array.array("i", [len(graph), offsets[-1]]), array.array("i", offsets),
                array.array("i", [end for of in graph for end in of]),
                array.array("i", [weight(begin, end) for begin, of in enumerate(graph)
                                  for end in of]))


def undirected(folder):
    graph = skewed(True)
    write_ecl(folder, "rmat.egr", graph)
    # What gardenia's programs for mining read.
    offsets = offsets_of(graph)
    write(folder, "rmat.meta.txt", "%d\n%d\n4\n%d\n" % (len(graph), offsets[-1],
                                                        max(len(of) for of in graph)))
    write_bytes(folder, "rmat.vertex.bin", array.array("q", offsets))
    write_bytes(folder, "rmat.edge.bin", array.array("i", [end for of in graph for end in of]))
    # Nodes with the first edge and the number of edges, then edges with costs.
    lines = ["%d" % len(graph), "%d" % offsets[-1], "0"]
    lines += ["%d %d" % (offsets[at], len(of)) for at, of in enumerate(graph)]
    lines += ["%d %d" % (end, weight(begin, end)) for begin, of in enumerate(graph) for end in of]
    write(folder, "chai_graph.txt", "\n".join(lines) + "\n")


def directed(folder):
    graph = skewed(False)
    write_ecl(folder, "directed.egr", graph)
    lines = ["%%MatrixMarket matrix coordinate integer general",
             "%d %d %d" % (len(graph), len(graph), sum(len(of) for of in graph))]
    lines += ["%d %d %d" % (begin + 1, end + 1, weight(begin, end))
              for begin, of in enumerate(graph) for end in of]
    write(folder, "rmat.mtx", "\n".join(lines) + "\n")


def dimacs(folder):
    for name, levels, edges in (("roads.gr", 15, ROAD_EDGES), ("small.gr", 9, SMALL_EDGES)):
        graph = rmat(random.Random(name), levels, edges, (0.45, 0.67, 0.89), False)
        lines = ["c made by inputs.py", "p sp %d %d" % (len(graph), edges)]
        lines += ["a %d %d %d" % (begin + 1, end + 1, weight(begin, end))
                  for begin, of in enumerate(graph) for end in of]
        write(folder, name, "\n".join(lines) + "\n")


def stencil(folder):
    """Of five points, as the generator of 1fni/cuda-spmv-benchmark has it."""
    lines = []
    for row in range(GRID):
        for column in range(GRID):
            at = row * GRID + column + 1
            near = [(row > 0, at - GRID, "-1.0"), (column > 0, at - 1, "-1.0"), (True, at, "5.0"),
                    (column < GRID - 1, at + 1, "-1.0"), (row < GRID - 1, at + GRID, "-1.0")]
            lines += ["%d %d %s" % (at, to, value) for there, to, value in near if there]
    head = ["%%MatrixMarket matrix coordinate real general", "%% STENCIL_GRID_SIZE %d" % GRID,
            "%d %d %d" % (GRID * GRID, GRID * GRID, len(lines))]
    write(folder, "stencil.mtx", "\n".join(head + lines) + "\n")


def numbers(folder):
    lots = random.Random("numbers")
    write(folder, "numbers.txt", "".join("%d\n" % int(lots.random() * 10000000)
                                         for _ in range(1 << 20)))
    # A walk with waves, as measured data have them.
    value, values = 0.0, []
    for at in range(1 << 20):
        value += lots.random() - 0.5
        values.append(value + 10 * math.sin(at / 100))
    write_bytes(folder, "doubles.bin", array.array("d", values))
    write_bytes(folder, "singles.bin", array.array("f", values))
    write_bytes(folder, "text.bin", bytes(32 + int(lots.random() * 95) for _ in range(1 << 22)))
    write_bytes(folder, "key16.bin", bytes(int(lots.random() * 256) for _ in range(16)))
    for name in ("protein_a.txt", "protein_b.txt"):
        write(folder, name, "".join("ARNDCQEGHILKMFPSTWYV"[int(lots.random() * 20)]
                                    for _ in range(2000)) + "\n")


def bitmap_head(width, height, bits):
    """Of a BMP whose rows are multiples of four bytes."""
    palette, size = (1024 if bits == 8 else 0), width * height * bits // 8
    return (struct.pack("<2sIHHI", b"BM", 54 + palette + size, 0, 0, 54 + palette) +
            struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, 0, size, 2835, 2835, 0, 0))


def points(folder):
    lots = random.Random("points")
    write(folder, "cities.txt", "".join("%d %.1f %.1f\n" % (at + 1, lots.random() * 4000,
                                                            lots.random() * 2000)
                                        for at in range(100)))
    lines = ["4096", "16"] + [",".join("%.4f" % lots.random() for _ in range(16))
                              for _ in range(4096)]
    write(folder, "points.csv", "\n".join(lines) + "\n")
    # Two in three are in clusters.
    centres = [(lots.random() * 1000, lots.random() * 1000) for _ in range(200)]
    lines = []
    for _ in range(PLACES):
        where = centres[int(lots.random() * 300) % 300 % 200] if lots.random() < 2 / 3 else None
        if where:
            lines.append("%.4f,%.4f" % (where[0] + lots.random() * 20 - 10,
                                        where[1] + lots.random() * 20 - 10))
        else:
            lines.append("%.4f,%.4f" % (lots.random() * 1000, lots.random() * 1000))
    write(folder, "places.csv", "\n".join(lines) + "\n")
    width, height = 1024, 768
    pixels = bytearray()
    for row in range(height):
        for column in range(width):
            light = int(127 + 100 * math.sin(row / 31) * math.cos(column / 47) +
                        lots.random() * 20)
            pixels += bytes((light, 255 - light, (row ^ column) & 255))
    write_bytes(folder, "picture.ppm", b"P6\n%d %d\n255\n" % (width, height), bytes(pixels))
    write_bytes(folder, "picture.bmp", bitmap_head(width, height, 24), bytes(pixels))
    grey = bytes(pixels[::3])
    write_bytes(folder, "grey.bmp", bitmap_head(width, height, 8),
                b"".join(bytes((light, light, light, 0)) for light in range(256)), grey)


def make(folder):
    os.makedirs(folder, exist_ok=True)
    with concurrent.futures.ProcessPoolExecutor() as pool:
        for made in [pool.submit(one, folder) for one in (undirected, directed, dimacs, stencil,
                                                          numbers, points)]:
            made.result()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    make(sys.argv[1])
