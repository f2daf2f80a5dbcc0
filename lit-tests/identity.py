#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows that the plugin doesn't change the code: compiles each file with and without it and compares
the outputs byte for byte, with and without -g, at -O0 to -O3, for each architecture.

  identity.py --clang clang++-22 --plugin build/pass/divcost.so bench/kernels/*.cu
      PTX for sm_70, sm_80, sm_90, without a CUDA Toolkit
  identity.py ... --thin
      the same, each file at each -O with one of the architectures in turn
  identity.py ... --toolkit --objects
      whole objects for sm_80 and sm_90, host code included, plain and with -fgpu-rdc (under an
      explicit -cuid=: the default one hashes the command line, the plugin's options among it)

With the plugin a report is written, so that all of it runs, or, in turns, only warnings are asked
for, which takes another way. Ends with a line "N identical, M
different"; exit code 1 if anything differs or doesn't compile.
"""
import argparse
import itertools
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEVELS = ["-O0", "-O1", "-O2", "-O3"]


def flags_for_cuda(arguments):
    if arguments.toolkit:
        return ["-x", "cuda", "-Wno-unknown-cuda-version"]
    return ["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-path=/nonexistent",
            "--cuda-feature=+ptx78", "-I" + os.path.join(REPOSITORY, "bench", "include"),
            "-include", "divcost_cuda.h"]


def output(command, folder):
    """What a compilation leaves in the file "out", and an empty text; or nothing and what it says.
    The folder is then empty again: its name is in debug information, so both compilations need the
    same."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          errors="replace")
    content = b""
    if done.returncode == 0:
        with open(os.path.join(folder, "out"), "rb") as file:
            content = file.read()
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    return content, "" if done.returncode == 0 else done.stdout


def compare(arguments, source, arch, flags, report):
    """None if equal, else what is wrong."""
    command = [arguments.clang, *flags_for_cuda(arguments), "--cuda-gpu-arch=" + arch, "-w", *flags]
    if arguments.objects:
        command += ["-c", "-o", "out"]
        if "-g" in flags and "-O0" in flags:
            # Here ptxas writes the name of its input into the object: a random one otherwise, and
            # clang alone isn't deterministic.
            command.append("-save-temps=obj")
    else:
        command += ["--cuda-device-only", "-S", "-o", "out"]
    command.append(os.path.abspath(source))
    plugin = ["-fplugin=" + os.path.abspath(arguments.plugin)]
    if report:
        plugin.append("-fplugin-arg-divcost-report=report.json")
    with tempfile.TemporaryDirectory() as folder:
        before, error_before = output(command, folder)
        after, error_after = output(command + plugin, folder)
    if error_before:
        return "doesn't compile: %s\n%s" % (" ".join(command), error_before)
    if error_after:
        return "doesn't compile with the plugin: %s\n%s" % (" ".join(command + plugin), error_after)
    if before != after:
        return "differs: " + " ".join(command + plugin)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--arch", action="append", help="instead of the usual ones; repeatable")
    parser.add_argument("--toolkit", action="store_true", help="with the CUDA Toolkit's headers")
    parser.add_argument("--objects", action="store_true", help="whole objects; needs --toolkit")
    parser.add_argument("--thin", action="store_true", help="a third of the combinations")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    if arguments.objects and not arguments.toolkit:
        parser.error("objects need ptxas: add --toolkit")
    archs = arguments.arch or (["sm_80", "sm_90"] if arguments.objects
                               else ["sm_70", "sm_80", "sm_90"])
    linking = [[], ["-fgpu-rdc", "-cuid=identity"]] if arguments.objects else [[]]
    work = []
    for number, source in enumerate(arguments.files):
        for (level, arch), debug, link in itertools.product(
                itertools.product(range(len(LEVELS)), range(len(archs))), [[], ["-g"]], linking):
            if arguments.thin and (number + level) % len(archs) != arch:
                continue
            # Each file has both, for each architecture and level.
            report = (number + level + arch + bool(debug)) % 2 == 0
            work.append((source, archs[arch], [LEVELS[level], *debug, *link], report))
    different = 0
    with ThreadPoolExecutor(arguments.jobs) as pool:
        jobs = pool.map(lambda w: compare(arguments, *w), work)
        for done, (item, wrong) in enumerate(zip(work, jobs), 1):
            if wrong:
                different += 1
                print("%s %s %s: %s" % (item[0], item[1], " ".join(item[2]), wrong))
            if sys.stderr.isatty():
                print("\r%d of %d " % (done, len(work)), end="", file=sys.stderr, flush=True)
    print("%d identical, %d different" % (len(work) - different, different))
    return 1 if different or not work else 0


if __name__ == "__main__":
    sys.exit(main())
