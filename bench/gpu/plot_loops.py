#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws what gpu-measure measured of loops, branches and crowds of warps.

    plot_loops.py FOLDER PREDICTIONS OUT    FOLDER: loops.tsv, branches.tsv, throughput.tsv;
                                            PREDICTIONS: what predict-results printed of them

OUT/loops.png: the loops of Bialas and Strzelecki, measured and predicted, and where the cycles show.
OUT/branches.png: ifs by the length of their bodies. OUT/throughput.png: many warps.
"""
import os
import sys

from tables import matplotlib_or_skip, read_table

plt = matplotlib_or_skip()
BUILD = "nvcc"


def select(rows, **wanted):
    return [row for row in rows if all(row[name] == value for name, value in wanted.items())]


def series(rows, x="parameter", y="cycles"):
    return [int(row[x]) for row in rows], [float(row[y]) for row in rows]


def draw_patterns(axis, predictions, kernel):
    """Dots that were measured on the lines that are predicted."""
    for colour, (pattern, label) in enumerate((
            ("paper", "32 - n lanes leave first, together"), ("alone", "n lanes leave alone"))):
        rows = select(predictions, build=BUILD, kernel=kernel, pattern=pattern)
        axis.plot(*series(rows, y="predicted"), "-", color="C%d" % colour, lw=1)
        axis.plot(*series(rows, y="measured"), ".", color="C%d" % colour, ms=5, label=label)
    axis.set_xlabel("n, lanes that leave early at different times")
    axis.set_ylabel("cycles of the warp")
    axis.set_title(kernel.replace("_", " ") + ": dots measured, lines predicted", fontsize=9)
    axis.legend(fontsize=7)


def draw_precise(axis, loops):
    """What each iteration takes more than without divergence; the last is the end of the loop."""
    def iterations(n):
        rows = select(loops, build=BUILD, kernel="single_loop_precise", pattern="paper", parameter=n)
        clocks = [float(row["cycles"]) for row in rows]
        return [clocks[0]] + [b - a for a, b in zip(clocks, clocks[1:])]
    plain = iterations("0")
    for colour, n in enumerate(("31", "15", "1")):
        more = [a - b for a, b in zip(iterations(n), plain)]
        axis.step(range(len(more)), more, where="mid", color="C%d" % (colour + 2), label="n = " + n)
    axis.set_xlabel("iteration; 32 is the end of the loop")
    axis.set_ylabel("cycles more than for n = 0")
    axis.set_title("where the cycles show (lanes as in the paper)", fontsize=9)
    axis.legend(fontsize=7)


def draw_unrolled(axis, loops):
    for colour, (kernel, build) in enumerate((("single_loop", "nvcc"), ("single_loop_unrolled", "nvcc"),
                                              ("single_loop_unrolled", "clang"))):
        rows = select(loops, build=build, kernel=kernel, pattern="paper")
        axis.plot(*series(rows), ".-", ms=4, lw=0.7, color="C%d" % (colour + 4),
                  label="%s, %s" % (kernel.replace("_", " "), build))
    axis.set_xlabel("n")
    axis.set_ylabel("cycles of the warp")
    axis.set_title("unrolled as the compiler likes", fontsize=9)
    axis.legend(fontsize=7)


def draw_loops(loops, predictions, target, origin):
    figure, axes = plt.subplots(2, 2, figsize=(9, 6.4))
    draw_patterns(axes[0][0], predictions, "single_loop")
    draw_patterns(axes[0][1], predictions, "double_loop")
    draw_precise(axes[1][0], loops)
    draw_unrolled(axes[1][1], loops)
    finish(figure, target, origin)


def draw_branches(branches, target, origin):
    """Cycles more than the sides take by themselves, where half of the lanes go each way."""
    def cycles(build, kernel, skipping):
        return float(select(branches, build=build, kernel=kernel, pattern="skip",
                            parameter=skipping)[0]["cycles"])
    figure, axis = plt.subplots(figsize=(6, 3.2))
    for mark, build in (("o", "nvcc"), ("x", "clang")):
        for colour, kind in enumerate(("if_", "if_else_")):
            kernels = [row["kernel"] for row in select(branches, build=build, pattern="skip",
                                                       parameter="16")
                       if row["kernel"].rstrip("0123456789") == kind]
            lengths = [int(kernel.rsplit("_", 1)[1]) for kernel in kernels]
            # Without divergence: one side; or both, of which the clock and the test count once.
            alone = [cycles(build, kernel, "0") if kind == "if_" else
                     cycles(build, kernel, "0") + cycles(build, kernel, "32")
                     - cycles(build, "if_%d" % length, "32")
                     for kernel, length in zip(kernels, lengths)]
            shown = [(length, cycles(build, kernel, "16") - base)
                     for kernel, length, base in zip(kernels, lengths, alone)
                     if kind == "if_" or length >= 8]
            axis.plot(*zip(*shown), mark, color="C%d" % colour, mfc="none", label="%s, %s" % (
                "if" if kind == "if_" else "if-else", build))
    axis.set_xscale("log", base=2)
    axis.set_ylim(-2, 24)
    axis.set_xlabel("additions in a side, each waiting for the one before")
    axis.set_ylabel("cycles more than the sides")
    axis.set_title("16 of 32 lanes go each way", fontsize=9)
    axis.legend(fontsize=7)
    finish(figure, target, origin)


def draw_throughput(throughput, target, origin):
    """Of all warps of a multiprocessor, per divergent exit, warp and scheduler."""
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.2))
    for colour, kernel in enumerate(("busy_1", "busy_8", "busy_64")):
        per_exit, per_warp, crowds = [], [], [1, 2, 4, 8, 16, 32]
        for warps in crowds:
            rows = select(throughput, build=BUILD, kernel=kernel, pattern="paper", warps=str(warps))
            x, y = series(rows)
            per_exit.append((y[31] - y[16]) / 15)
            per_warp.append(per_exit[-1] / max(1, warps / 4))
        label = kernel.replace("busy_", "") + " additions in an iteration"
        axes[0].plot(crowds, per_exit, ".-", color="C%d" % colour, label=label)
        axes[1].plot(crowds, per_warp, ".-", color="C%d" % colour, label=label)
    for axis, title in zip(axes, ("until the last warp is done", "per warp of a scheduler")):
        axis.set_xscale("log", base=2)
        axis.set_xlabel("warps of a multiprocessor")
        axis.set_ylabel("cycles for each divergent exit")
        axis.set_ylim(bottom=0)
        axis.set_title(title, fontsize=9)
        axis.legend(fontsize=7)
    finish(figure, target, origin)


def finish(figure, target, origin):
    figure.text(0.995, 0.005, origin, ha="right", fontsize=6, color="grey")
    figure.tight_layout(rect=(0, 0.02, 1, 1))
    figure.savefig(target, dpi=110, metadata={"Software": None})
    plt.close(figure)


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    folder, predictions, out = sys.argv[1:]
    origin, loops = read_table(os.path.join(folder, "loops.tsv"))
    _, branches = read_table(os.path.join(folder, "branches.tsv"))
    _, throughput = read_table(os.path.join(folder, "throughput.tsv"))
    _, predicted = read_table(predictions)
    os.makedirs(out, exist_ok=True)
    draw_loops(loops, predicted, os.path.join(out, "loops.png"), origin)
    draw_branches(branches, os.path.join(out, "branches.png"), origin)
    draw_throughput(throughput, os.path.join(out, "throughput.png"), origin)


if __name__ == "__main__":
    main()
