#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stands in for NVIDIA's ncu: runs the program on the made-up GPU of bench/gpu/tests/fake_driver.c
and prints, in ncu's format, what an H200 would count in its launches, from a model of each kernel
that has nothing of the emulator. What DIVCOST_FAKE_NCU says:

  (nothing)     the counters of an H200
  branches      one divergent branch more in one launch
  threads       a third more instructions in one launch
  permission    the driver doesn't let this user read them
  error, fails  another error of ncu's; a status and no words
  garbage       no table; short: one launch less; n/a: a metric that isn't there; other: another
                kernel's; column: a column less
  endless       prints without end; hangs: doesn't, with a child that doesn't either
"""
import os
import subprocess
import sys
import tempfile

RUNS = 3  # of the code in each launch
OTHER = 62  # instructions around the code in a launch


def loop(limits):
    """(instructions of each lane alone, of the warp more, divergent branches) of one run."""
    return [4 * n for n in limits], len(set(limits)) - 1, len(set(limits)) - 1


def nest(limits):
    parts = len(set(limits)) - 1
    for i in range(max(limits)):
        parts += len({n for n in limits if n > i}) - 1
    return [n * (4 * n + 6) for n in limits], parts, parts


def branch(length, has_else):
    def counts(choices):
        parts = int(0 < sum(choices) < 32)
        sides = (length + 1 if has_else else 0, length + 1)
        return [sides[c] for c in choices], parts * (1 + sides[0]), parts
    return counts


KERNELS = {"single_loop": loop, "double_loop": nest, "if_128": branch(128, False),
           "if_else_128": branch(128, True)}
# Columns that ncu 2025.3.1 prints unasked: on an H200 its header has 10,728 characters.
UNASKED = [f"device__attribute_max_surfacecubemap_layered_layers_{n}" for n in range(264)]
COLUMNS = ["ID", "Process ID", "Process Name", "Host Name", "Kernel Name", *UNASKED,
           "smsp__inst_executed.sum", "smsp__cycles_active.avg",
           "smsp__sass_branch_targets_threads_divergent.sum",
           "smsp__thread_inst_executed_per_inst_executed.ratio"]


def table(launches, asked):
    lines = [COLUMNS, [""] * (5 + len(UNASKED)) + ["inst", "cycle", "branches", ""]]
    for number, (kernel, *values) in enumerate(launches):
        alone, more, parts = KERNELS[kernel]([int(v) for v in values])
        lanes = sum(OTHER + RUNS * n for n in alone)
        warp = OTHER + RUNS * (max(alone) + more)
        parts *= RUNS
        if number == 5:
            parts += asked == "branches"
            warp = warp * 4 // 3 if asked == "threads" else warp
            kernel = "saxpy(float)" if asked == "other" else kernel
        ratio = "n/a" if number == 5 and asked == "n/a" else f"{lanes / warp:.2f}"
        lines.append([str(number), "17", "divcost", "127.0.0.1", kernel, *["1,024"] * len(UNASKED),
                      f"{warp:,}", "3.5", f"{parts:,}", ratio])
    lines = lines[:-1] if asked == "short" else lines
    lines = [line[:-1] for line in lines] if asked == "column" else lines
    return "".join(",".join(f'"{field}"' for field in line) + "\n" for line in lines)


def hang():
    subprocess.run(["sleep", "1000"], check=False)


def main():
    asked = os.environ.get("DIVCOST_FAKE_NCU", "")
    if "DIVCOST_FAKE_NCU_ARGUMENTS" in os.environ:
        with open(os.environ["DIVCOST_FAKE_NCU_ARGUMENTS"], "w", encoding="utf-8") as file:
            file.write("\n".join(sys.argv[1:] + [os.environ["HOME"]]))
    with open(os.path.join(os.environ["HOME"], "left-behind"), "w", encoding="utf-8") as file:
        file.write(asked)
    print("==WARNING== Note: Running with unmodified GPU clocks. If not controlled otherwise, "
          "profiling results may be inconsistent.\n==PROF== Connected to process 17", flush=True)
    if asked == "permission":
        print("==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
              "Performance Counters on the target device 0.")
        sys.exit(1)
    if asked == "error":
        print("==ERROR== Failed to prepare kernel for profiling")
        sys.exit(9)
    if asked == "fails":
        sys.exit(3)
    if asked == "garbage":
        print("\x01\x02 nothing of the kind")
        return
    if asked == "hangs":
        hang()
    while asked == "endless":
        print("x" * 100000)
    program = next(k for k, word in enumerate(sys.argv) if word.endswith("divcost"))
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        subprocess.run(sys.argv[program:], env={**os.environ, "DIVCOST_FAKE_LOG": log}, check=True)
        with open(log, encoding="utf-8") as file:
            launches = [line.split() for line in file]
    print("==PROF== Disconnected from process 17")
    print(table(launches, asked), end="")
    print("==WARNING== Profiling results may be inconsistent.")


if __name__ == "__main__":
    main()
