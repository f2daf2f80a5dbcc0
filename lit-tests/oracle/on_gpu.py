#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The oracle's programs on a GPU, every loop of them counted (docs/profile.md, profile-check): no loop that
is called uniform may diverge, and lanes must do there what they do on the CPU.

  on_gpu.py build FOLDER --build build --programs 2048 [--seed S]   needs clang, the plugin, a CUDA Toolkit
  on_gpu.py run FOLDER                                              needs a GPU and nothing else
  on_gpu.py check FOLDER --build build                              needs divcost

Exit status of check: 0, 1 where a claim is broken or something is counted that wasn't done, 2 where it can't
be told."""
import argparse
import collections
import concurrent.futures
import glob
import json
import os
import subprocess
import sys

from compile import Failure, HERE, ROOT, Tools, build_unit, finish
from generate import generate
from oracle import hash_of
from program import unit_text

BATCH = 64  # programs in a file
PROFILE = "counts.divprof"
SAFE = 60  # seconds that a batch may take on the GPU


# ---- build --------------------------------------------------------------------------------------

def table_text(programs):
    """What follows a file of programs, so that on_gpu/replay.cu finds them."""
    lines = ["#ifdef __CUDA__", '#include "on_gpu/replay.h"', "extern const replay_program replay_programs[] = {"]
    lines += ['  {"%s", (const void *)%s},' % (p.kernel, p.kernel) for p in programs]
    return "\n".join(lines + ["  {0, 0}};", "#endif", ""])


def compile_recorded(tools, options, folder):
    cuda = ["-w", "-O2", "-std=c++17", "--cuda-gpu-arch=" + options.arch, "--cuda-path=" + options.cuda,
            "--no-cuda-include-ptx=all", "-Wno-unknown-cuda-version", "-I", HERE,
            "-I", os.path.join(ROOT, "cost-models", "include")]
    plugin = ["-fplugin=" + os.path.abspath(tools.plugin()), "-fplugin-arg-divcost-no-warn=all",
              "-fplugin-arg-divcost-profile-check=" + PROFILE]
    finish([tools.clang, *cuda, *plugin, "-c", "unit.cu", "-o", "unit.o"], folder)
    # Launches tell the recorder of themselves, so what launches is compiled with the plugin, too.
    finish([tools.clang, *cuda, *plugin, "-c", os.path.join(HERE, "on_gpu", "replay.cu"), "-o", "replay.o"], folder)
    finish([tools.clang, "unit.o", "replay.o", os.path.join(os.path.abspath(tools.build), "runtime",
                                                            "libdivcost-profile.a"),
            "-L" + os.path.join(options.cuda, "lib64"), "-lcudart_static", "-ldl", "-lrt", "-lpthread", "-lstdc++",
            "-s", "-o", "replay"], folder)


def build_batch(arguments):
    tools, options, numbers, folder = arguments
    os.makedirs(folder, exist_ok=True)
    programs = [generate(options.seed, number) for number in numbers]
    build_unit(tools, unit_text(programs) + table_text(programs), folder)
    finish([os.path.abspath(tools.runner()), "./unit.so", "unit.json", str(options.launches),
            str(abs(hash_of(options.seed))), "tape"], folder)
    compile_recorded(tools, options, folder)
    for name in ("unit.so", "unit.json", "unit.o", "replay.o"):
        os.remove(os.path.join(folder, name))
    return folder


def build(options):
    tools = Tools(options.build, options.clang)
    batches = [(tools, options, range(first, min(first + BATCH, options.programs)),
                os.path.join(os.path.abspath(options.folder), "batch%03d" % (first // BATCH)))
               for first in range(0, options.programs, BATCH)]
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        for count, folder in enumerate(pool.map(build_batch, batches), 1):
            print("built %s (%d of %d)" % (os.path.basename(folder), count, len(batches)), flush=True)
    return 0


# ---- run ----------------------------------------------------------------------------------------

def run_batch(folder):
    """Kernels that hang or fail lose what was counted before them: they are left out, and all begins anew."""
    left_out, text = [], ""
    while True:
        profile = os.path.join(folder, PROFILE)
        if os.path.exists(profile):
            os.remove(profile)
        done = subprocess.run(["./replay", "tape", *(words[1] for words in left_out)], cwd=folder, timeout=SAFE,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        text = done.stdout
        lines = [line.split(None, 2) for line in text.splitlines()]
        lost = [words for words in lines if words and words[0] in ("hangs", "fails")]
        if done.returncode != 3 or not lost or len(left_out) >= BATCH:
            break
        left_out.append(lost[0])
    with open(os.path.join(folder, "output"), "w", encoding="utf-8") as stream:
        stream.write(text + "".join(" ".join(words) + "\n" for words in left_out))
    return folder, done.returncode, len(left_out)


def run(options):
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for folder, status, left_out in pool.map(run_batch, folders(options)):
            bad += status != 0
            print("%s: status %d, %d kernels left out" % (os.path.basename(folder), status, left_out), flush=True)
    return 1 if bad else 0


def folders(options):
    return sorted(glob.glob(os.path.join(os.path.abspath(options.folder), "batch*")))


# ---- check --------------------------------------------------------------------------------------

def read_tape(path, left_out):
    """Lanes' entries and iterations by line, of the launches that were repeated."""
    done, kernels, skip = collections.Counter(), set(), False
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            words = line.split()
            if words[0] == "launch":
                skip = words[1] in left_out
                if not skip:
                    kernels.add(words[1])
            elif words[0] == "loop" and not skip:
                done[int(words[1]), "entries"] += int(words[2])
                done[int(words[1]), "trips"] += int(words[3])
    return done, kernels


def read_profile(tools, folder):
    """The loops of a profile, as `divcost profile show --json` has them."""
    text = finish([os.path.join(os.path.abspath(tools.build), "tools", "divcost"), "profile", "show", "--json",
                   PROFILE], folder)
    return json.loads(text)["loops"]


def check_batch(tools, folder, tally):
    with open(os.path.join(folder, "output"), encoding="utf-8") as stream:
        lines = [line.split() for line in stream]
    left_out = {words[1] for words in lines if words[0] in ("hangs", "fails")}
    done, kernels = read_tape(os.path.join(folder, "tape"), left_out)
    tally["kernels"] += len(kernels)
    tally["left out"] += len(left_out)
    for words in lines:
        if words[0] == "done":
            tally["launches"] += int(words[1])
            tally["launches with the same memory"] += int(words[2])
    counted = collections.Counter()
    for loop in read_profile(tools, folder):
        uniform = loop["level"] != "divergent"
        tally["loops"] += 1
        tally["loops, called uniform"] += uniform
        tally["loops, called divergent, lanes differ"] += not uniform and loop["parted"] > 0
        if uniform and loop["parted"]:
            tally["violations"] += 1
            print("%s: %s line %d: %s, and %d lanes differ" %
                  (os.path.basename(folder), loop["kernel"], loop["line"], loop["level"], loop["parted"]))
        counted[loop["line"], "entries"] += loop["lanes"]
        counted[loop["line"], "trips"] += loop["iterations"]
    for line in {line for line, _ in counted}:
        here = [counted[line, what] - done[line, what] for what in ("entries", "trips")]
        word = "equal" if here == [0, 0] else "more" if max(here) > 0 else "fewer"
        tally["lines, counts %s" % word] += 1
        if word == "more":
            print("%s: line %d: %d entries and %d iterations more than on the CPU" %
                  (os.path.basename(folder), line, *here))


def check(options):
    tools, tally = Tools(options.build, options.clang), collections.Counter()
    for folder in folders(options):
        check_batch(tools, folder, tally)
    for name, count in sorted(tally.items()):
        print("%s: %d" % (name, count))
    return 1 if tally["violations"] or tally["lines, counts more"] else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["build", "run", "check"])
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--build", default="build", help="divcost's build folder (default: build)")
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--cuda", default="/usr/local/cuda", help="the CUDA Toolkit")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--programs", type=int, default=2048)
    parser.add_argument("--launches", type=int, default=40, help="of each program")
    parser.add_argument("--seed", default="gpu")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    try:
        return {"build": build, "run": run, "check": check}[options.step](options)
    except Failure as error:
        print("on_gpu.py: %s" % error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
