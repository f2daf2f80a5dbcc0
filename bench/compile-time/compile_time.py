#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the plugin adds to the CPU time of device compilation.

  compile_time.py --plugin build/pass/divcost.so bench/kernels/*.cu       with a CUDA Toolkit, or
                  --stand-in                                              with our own small header
                  --instructions                                          exact, on a busy machine too
  compile_time.py --plugin build/pass/divcost.so --corpus DIR             what lit-tests/corpus/
                                                                          corpus.py compiled in DIR

User and system time (wait4) of compilations to PTX, clang's part alone; with --objects of whole
device compilations, ptxas included, as a user's build runs them. Each round compiles a file without
and with the plugin at the same time, on a core each, which they swap in the next round: what else
the machine does slows both. A file's figure is the median over the rounds of with/without, beside it
the least and the greatest; the last line gives the median and the worst file, and how far a file's
rounds lie apart (the median over the files of greatest - least). Use an idle machine with two cores
to spare; the spread says whether it was.

With --instructions those of user space are counted instead (valgrind: a compilation takes half a
minute); files go side by side. The same compilation comes out the same to a thousandth wherever and
however often it is counted, but where things lie in memory decides which pointers meet in clang's
hash tables, and that alone is up to a hundredth: so each round defines a macro with a longer name,
for both sides, which moves what comes after it.
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def start(command, core):
    child = os.fork()
    if child == 0:
        os.sched_setaffinity(0, [core])
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        try:
            os.execvp(command[0], command)
        finally:
            os._exit(127)
    return child


def cpu_seconds(child):
    """User and system time of a command that was started, and its children; None if it fails."""
    _, status, usage = os.wait4(child, 0)
    return usage.ru_utime + usage.ru_stime if status == 0 else None


def instructions(command):
    """10^9 of them, of a compilation, which clang does in its own process; None if it fails."""
    count = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=" + os.devnull]
    ended = subprocess.run(count + command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                           text=True)
    found = re.search(r"I +refs: +([0-9,]+)", ended.stderr)
    return int(found[1].replace(",", "")) / 1e9 if found and ended.returncode == 0 else None


def whole(command, work):
    """The same compilation down to an object: ptxas runs too."""
    command = ["-c" if word == "-S" else word for word in command]
    command[command.index("-o") + 1] = os.path.join(work, "device.o")
    return command


def measure(base, plugin, rounds):
    """Seconds without the plugin, ratios with/without; None if a compilation fails."""
    cores = sorted(os.sched_getaffinity(0))[:2]
    seconds, ratios = [], []
    for number in range(rounds + 1):
        children = [start(command, core) for command, core in zip((base, base + plugin), cores)]
        without, with_ = map(cpu_seconds, children)
        if without is None or with_ is None:
            return None
        if number > 0:  # the first warms the caches
            seconds.append(without)
            ratios.append(with_ / without)
        cores.reverse()
    return statistics.median(seconds), ratios


def count(base, plugin, rounds):
    """The same, of 10^9 instructions."""
    counts, ratios = [], []
    for number in range(rounds):
        moved = base + ["-DDIVCOST_LAYOUT_%s" % (37 * number * "X")]
        without = instructions(moved)
        with_ = without and instructions(moved + plugin)
        if not with_:
            return None
        counts.append(without)
        ratios.append(with_ / without)
    return statistics.median(counts), ratios


def commands_for_files(arguments):
    cuda = ["-x", "cuda", "-Wno-unknown-cuda-version"]
    if arguments.stand_in:
        cuda = ["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent",
                "--cuda-feature=+ptx78", "-I" + os.path.join(REPOSITORY, "bench", "include"),
                "-include", "divcost_cuda.h"]
    for source in arguments.files:
        yield source, [arguments.clang, *cuda, "--cuda-gpu-arch=" + arguments.arch,
                       "--cuda-device-only", "-S", "-w", "-o", os.devnull, source]


def commands_of_corpus(folder):
    """The compilations that corpus.py found to work, without the plugin's arguments."""
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".result"):
            continue
        with open(os.path.join(folder, name)) as file:
            result = json.load(file)
        if result["outcome"] != "compiled":
            continue
        command = [word for word in result["command"] if not word.startswith("-fplugin")
                   and not word.startswith("-O") and word != "-MD"]
        dependencies = command.index("-MF")
        del command[dependencies:dependencies + 2]
        yield result["corpus"] + "/" + result["source"], command


def run(arguments, work, folder):
    plugin = ["-fplugin=" + os.path.abspath(arguments.plugin)]
    plugin += shlex.split(arguments.plugin_arguments)
    if arguments.objects:  # in the place of the other side's
        plugin += ["-o", os.path.join(folder, "with.o")]
    for level in arguments.level or ["-O2"]:
        if arguments.instructions:
            pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
            results = pool.map(lambda one: count(one[1] + [level], plugin, arguments.rounds), work)
        else:
            results = (measure(command + [level], plugin, arguments.rounds) for _, command in work)
        summarise(arguments, level, zip((name for name, _ in work), results))


def summarise(arguments, level, results):
    unit = "G instructions" if arguments.instructions else "s"
    figures, spreads = [], []
    for name, measured in results:
        if measured is None:
            print("%-60s doesn't compile" % name)
            continue
        cost, ratios = measured
        figures.append((statistics.median(ratios) - 1, cost, name))
        spreads.append(max(ratios) - min(ratios))
        if not arguments.quiet:
            apart = "  (%+.1f to %+.1f)" % (100 * (min(ratios) - 1), 100 * (max(ratios) - 1))
            print("%-60s %8.3f %s  %+6.1f%%%s" % (name[-60:], cost, unit, 100 * figures[-1][0],
                                                 apart if len(ratios) > 1 else ""), flush=True)
    if not figures:
        sys.exit("compile_time.py: nothing compiles")
    figures.sort()
    added = sum(share * cost for share, cost, _ in figures)
    print("%s to %s, %d files, %s: median %+.1f%%, worst %+.1f%% (%s), in all %+.1f%%%s" % (
        level, "objects" if arguments.objects else "PTX", len(figures),
        "%sin %d rounds" % ("instructions " if arguments.instructions else "", arguments.rounds),
        100 * statistics.median(share for share, _, _ in figures), 100 * figures[-1][0],
        figures[-1][2], 100 * added / sum(cost for _, cost, _ in figures),
        "; spread %.1f%%" % (100 * statistics.median(spreads))))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--plugin-arguments", default="", help="more for the side with the plugin")
    parser.add_argument("--arch", default="sm_80")
    parser.add_argument("--level", action="append", help="-O2 by default; repeatable (--level=-O0)")
    parser.add_argument("--rounds", type=int, help="6 by default, even: the cores are swapped; with "
                        "--instructions 3")
    parser.add_argument("--objects", action="store_true",
                        help="whole device compilations, with ptxas (needs a CUDA Toolkit)")
    parser.add_argument("--instructions", action="store_true",
                        help="count instructions in place of time (needs valgrind)")
    parser.add_argument("--corpus", help="folder of corpus.py's results")
    parser.add_argument("--stand-in", action="store_true",
                        help="without a toolkit: files compile in a tenth of the time, of which the "
                        "plugin's share is then larger")
    parser.add_argument("--quiet", action="store_true", help="the summary only")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    if arguments.rounds is None:
        arguments.rounds = 3 if arguments.instructions else 6
    if arguments.rounds < 1:
        parser.error("--rounds is a whole number from 1 on")
    work = list(commands_for_files(arguments))
    if arguments.corpus:
        work += list(commands_of_corpus(arguments.corpus))
    if not work:
        parser.error("nothing to compile: name files, or a --corpus")
    if arguments.objects and arguments.stand_in:
        parser.error("--objects needs a CUDA Toolkit, --stand-in has none")
    if not arguments.instructions and len(os.sched_getaffinity(0)) < 2:
        parser.error("times are those of two compilations side by side, and there is one core")
    if arguments.objects and arguments.instructions:
        parser.error("--instructions counts clang's own, --objects runs ptxas too")
    with tempfile.TemporaryDirectory() as folder:
        if arguments.objects:
            work = [(name, whole(command, folder)) for name, command in work]
        run(arguments, work, folder)


if __name__ == "__main__":
    sys.exit(main())
