#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what gpu-herding measured, and prints a table of it.

    plot_herding.py FOLDER OUT    FOLDER: herding.tsv, herding-cycles.tsv, herding-*.pgm

OUT/herding.png: time and wrong bytes against the share of the exits forced to the majority, one
warp's cycles of an iteration. OUT/herding-SET.png: the pictures, and where they are wrong.
"""
import os
import statistics
import sys

from tables import matplotlib_or_skip, read_table

plt = matplotlib_or_skip()
SHARES = [0, 4, 7, 10]  # of the pictures, in tenths: as in gpu_herding.c
SETS = ["mandelbrot", "julia"]


def read_pieces(path):
    """The pictures of a file: by share, above the whole set, below a piece in full size."""
    with open(path, "rb") as file:
        magic, width, height, most = file.readline(), *file.readline().split(), file.readline()
        if magic != b"P5\n" or most != b"255\n":
            sys.exit("%s: not a grey picture as gpu-herding writes them" % path)
        import numpy
        grey = numpy.frombuffer(file.read(), dtype=numpy.uint8).reshape(int(height), int(width))
    side = int(width) // len(SHARES)
    return [grey[:, k * side:(k + 1) * side].astype(int) for k in range(len(SHARES))]


def draw_pictures(source, target, origin):
    pieces = read_pieces(source)
    side = pieces[0].shape[1]
    rows = [(slice(0, side), False), (slice(side, 2 * side), False), (slice(side, 2 * side), True)]
    figure, axes = plt.subplots(3, len(SHARES), figsize=(10, 7.9))
    for column, (share, piece) in enumerate(zip(SHARES, pieces)):
        for axis, (part, difference) in zip(axes[:, column], rows):
            shown = abs(piece - pieces[0])[part] if difference else piece[part]
            axis.imshow(shown ** 0.5, cmap="gray" if difference else "magma", vmin=0, vmax=250 ** 0.5,
                        interpolation="nearest")
            axis.set_xticks([])
            axis.set_yticks([])
        axes[0, column].set_title("%d%% forced" % (10 * share))
    for axis, label in zip(axes[:, 0], ["whole set", "piece, full size", "its error"]):
        axis.set_ylabel(label)
    figure.text(0.99, 0.005, origin, ha="right", fontsize=6)
    figure.tight_layout()
    figure.savefig(target, dpi=80)
    plt.close(figure)


def by_share(rows, column):
    """[(share, mean of the choices)], shares in percent, and all the points."""
    points = [(10 * int(row["share"]), float(row[column])) for row in rows if int(row["share"]) >= 0]
    shares = sorted({share for share, _ in points})
    return shares, [statistics.mean(y for x, y in points if x == share) for share in shares], points


# Of each set the widths of a warp, in pixels.
WARPS = {"mandelbrot": (8, 32), "julia": (8, 32), "flat": (8,)}


def select(rows, name, width):
    return [row for row in rows if row["set"] == name and row["warp_width"] == str(width)]


def draw_measurements(times, latencies, target, origin):
    figure, axes = plt.subplots(1, 3, figsize=(11, 3.6))
    for color, (name, widths) in enumerate(WARPS.items()):
        for width, style in zip(widths, ("-", "--")):
            rows = select(times, name, width)
            shares, means, points = by_share(rows, "milliseconds")
            label = "%s, %dx%d" % (name, width, 32 // width)
            axes[0].plot(shares, [mean / means[0] for mean in means], style, color="C%d" % color,
                         label=label)
            axes[0].plot(*zip(*((x, y / means[0]) for x, y in points)), ".", ms=3,
                         color="C%d" % color)
            if name != "flat":
                shares, means, points = by_share(rows, "wrong")
                axes[1].plot(shares, [100 * mean for mean in means], style, color="C%d" % color,
                             label=label)
    shares, means, _ = by_share(latencies, "cycles")
    axes[2].plot(shares, [mean / float(latencies[0]["iterations"]) for mean in means], "k-")
    for axis, label in zip(axes, ["time, none forced = 1", "wrong bytes, %",
                                  "one warp: cycles of an iteration"]):
        axis.set_xlabel("exits forced to the majority, %")
        axis.set_ylabel(label)
        axis.set_ylim(bottom=0)
    axes[0].legend(fontsize=6)
    axes[1].legend(fontsize=6)
    figure.text(0.99, 0.005, origin, ha="right", fontsize=6)
    figure.tight_layout()
    figure.savefig(target, dpi=100)
    plt.close(figure)


def print_table(times):
    print("set\twarp\tkernel\tms\tagainst plain\twrong %\tefficiency %\tunlike emulation")
    for name, widths in WARPS.items():
        for width in widths:
            rows = select(times, name, width)
            plain = next(float(row["milliseconds"]) for row in rows if row["kernel"] == "plain")
            for row in rows:
                time = float(row["milliseconds"])
                print("%s\t%dx%d\t%s\t%.4f\t%.3f\t%.3f\t%.2f\t%s" % (
                    name, width, 32 // width, row["kernel"], time, time / plain,
                    100 * float(row["wrong"]), 100 * float(row["efficiency"]),
                    row["unlike_emulation"]))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, out = sys.argv[1:]
    origin, times = read_table(os.path.join(folder, "herding.tsv"))
    _, latencies = read_table(os.path.join(folder, "herding-cycles.tsv"))
    os.makedirs(out, exist_ok=True)
    draw_measurements(times, latencies, os.path.join(out, "herding.png"), origin)
    for name in SETS:
        draw_pictures(os.path.join(folder, "herding-%s.pgm" % name),
                      os.path.join(out, "herding-%s.png" % name), origin)
    print_table(times)


if __name__ == "__main__":
    main()
