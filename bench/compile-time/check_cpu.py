#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_cpu.py DIVCOST BUILD [EVERY]: the processor time of `divcost check` on the CUDA files of a
build, with warnings alone, beside that of clang compiling them for the device: machine code and
all, one file after the other, the two of a file side by side. Of every EVERY-th file (default 1).
Needs a CUDA Toolkit, for ptxas."""
import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile

DIVCOST, BUILD = sys.argv[1:3]
EVERY = int(sys.argv[3]) if len(sys.argv) > 3 else 1
# What makes the analysis of a compilation.
OF_ANALYSIS = ("-fsyntax-only", "-Wno-everything", "-Wbackend-plugin", "-Wno-error=backend-plugin")


def seconds(words, folder):
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime
    before = spent()
    subprocess.run(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=True)
    return spent() - before


def main():
    with open(os.path.join(BUILD, "compile_commands.json")) as file:
        entries = [entry for entry in json.load(file) if entry["file"].endswith(".cu")]
    all_check = all_plain = 0
    print("  check  plain  ratio  file (seconds of processor time)")
    with tempfile.TemporaryDirectory() as folder:
        for entry in entries[::EVERY]:
            path = os.path.join(entry["directory"], entry["file"])
            line = subprocess.run([DIVCOST, "check", "-p", BUILD, "--print-command", path],
                                  stdout=subprocess.PIPE, universal_newlines=True,
                                  check=True).stdout.strip()
            place, command = line.split(" && ", 1)
            check = shlex.split(command)
            plain = [word for word in check
                     if not word.startswith("-fplugin") and word not in OF_ANALYSIS]
            plain += ["-w", "-c", "-o", os.path.join(folder, "x.o")]
            times = [seconds(words, shlex.split(place)[1]) for words in (check, plain)]
            all_check += times[0]
            all_plain += times[1]
            print("%7.1f%7.1f%7.2f  %s" % (*times, times[0] / times[1], os.path.basename(path)),
                  flush=True)
    print("%7.1f%7.1f%7.2f  all of them" % (all_check, all_plain, all_check / all_plain))


if __name__ == "__main__":
    main()
