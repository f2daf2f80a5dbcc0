#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What becomes of barriers that threads miss: on the hardware, under compute-sanitizer, by the PTX ISA,
and what divcost says.

  missed_barriers.py build FOLDER [--nvcc NVCC] [--arch sm_90] [--clang CLANG] [--plugin FILE]
  missed_barriers.py run FOLDER [--timeout 20] [--no-synccheck]

`build` needs nvcc, clang and the plugin, and no GPU: it leaves the program (which needs no CUDA library)
and divcost's findings in FOLDER. `run` needs a GPU, and compute-sanitizer unless it is left out; it runs
each case in a process of its own, ends those that hang, and prints the table in Markdown.
"""
import argparse
import json
import os
import shutil
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BLOCK = "128"  # threads of missed_barriers.cu

# By the PTX ISA an aligned barrier in conditional code wants the condition to be the same for all
# threads of the CTA.
UNDEFINED = "undefined: the condition differs"
DEFINED = "defined"
ISA = {
    "early_return": UNDEFINED, "rest_in_branch": UNDEFINED, "leavers_return": UNDEFINED,
    "own_rounds": UNDEFINED, "store_behind": UNDEFINED, "store_and_return": UNDEFINED,
    "next_round": UNDEFINED, "store_behind_loop": UNDEFINED, "spin_behind": UNDEFINED,
    "both_sides": UNDEFINED, "both_sides_one_more": UNDEFINED, "warps_part": UNDEFINED,
    "warp_barrier_missed": "undefined: lanes of the mask do not come",
    "counted": DEFINED + ": a barrier of two warps", "arrive_and_wait": DEFINED + ": arrive and wait",
    "padded": DEFINED, "rounded": DEFINED, "shared_flag": DEFINED, "same_words": DEFINED,
}


def build(arguments):
    os.makedirs(arguments.folder, exist_ok=True)
    program = os.path.join(arguments.folder, "run_missed_barriers")
    subprocess.run([arguments.nvcc, "-O2", "-arch=" + arguments.arch, "-cudart", "static", "-o", program,
                    os.path.join(HERE, "run_missed_barriers.cu")], check=True)
    include = os.path.join(HERE, os.pardir, "include")
    report = os.path.join(arguments.folder, "missed_barriers.json")
    subprocess.run([arguments.clang, "-fplugin=" + arguments.plugin, "-fplugin-arg-divcost-report=" + report,
                    "-fplugin-arg-divcost-block=" + BLOCK, "-w", "-x", "cuda", "-O2", "-nocudainc", "-nocudalib",
                    "--cuda-path=/nonexistent", "--cuda-feature=+ptx78", "--cuda-gpu-arch=" + arguments.arch,
                    "--cuda-device-only", "-S", "-o", os.devnull, "-I" + include, "-include", "divcost_cuda.h",
                    os.path.join(HERE, "missed_barriers.cu")], check=True)


def said(folder):
    """Of each kernel the rules of its findings about barriers."""
    with open(os.path.join(folder, "missed_barriers.json")) as file:
        kernels = json.load(file)["kernels"]
    rules = {kernel["name"].split("(")[0]: sorted({finding["rule"] for finding in kernel["findings"]
                                                   if finding["rule"].startswith("barrier")})
             for kernel in kernels}
    words = {"barrier": "warning", "barrier-exited": "remark"}
    return {name: ", ".join(words[rule] for rule in found) or "nothing" for name, found in rules.items()}


def run(command, timeout):
    """The last line of what a command prints, or that it hangs; and all of it."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8",
                               errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)  # the sanitizer's child, too, which has the pipe
        output, _ = process.communicate()
        return "hangs", output
    lines = output.strip().splitlines()
    return (lines[-1] if lines else "exit status %d" % process.returncode), output


def sanitizer_words(last, output):
    errors = [line.split("ERROR SUMMARY:")[1].strip() for line in output.splitlines() if "ERROR SUMMARY:" in line]
    kinds = sorted({line.split("=========", 1)[1].strip() for line in output.splitlines()
                    if "Barrier error" in line or "Divergent thread" in line})
    what = errors[-1] if errors else last
    return what + (": " + "; ".join(kinds) if kinds else "")


def table(arguments):
    program = os.path.join(arguments.folder, "run_missed_barriers")
    sanitizer = None if arguments.no_synccheck else shutil.which(arguments.sanitizer)
    if not sanitizer and not arguments.no_synccheck:
        sys.exit("%s isn't there; --no-synccheck does without" % arguments.sanitizer)
    verdicts = said(arguments.folder)
    names = subprocess.run([program], check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout.split()
    if sorted(names) != sorted(ISA) or sorted(names) != sorted(verdicts):
        sys.exit("the program, this table and the report have different cases")
    print("| case | hardware | synccheck | PTX ISA | divcost |\n|---|---|---|---|---|")
    for name in names:
        hardware, _ = run([program, name], arguments.timeout)
        checked = "not run"
        if sanitizer:
            checked = sanitizer_words(*run([sanitizer, "--tool", "synccheck", program, name],
                                           3 * arguments.timeout))
        print("| `%s` | %s | %s | %s | %s |" % (name, hardware, checked, ISA[name], verdicts[name]), flush=True)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("step", choices=("build", "run"))
parser.add_argument("folder")
parser.add_argument("--nvcc", default="nvcc")
parser.add_argument("--arch", default="sm_90")
parser.add_argument("--clang", default="clang++-22")
parser.add_argument("--plugin", default="build/pass/divcost.so")
parser.add_argument("--sanitizer", default="compute-sanitizer")
parser.add_argument("--timeout", type=float, default=20, help="seconds until a kernel counts as hanging")
parser.add_argument("--no-synccheck", action="store_true")
given = parser.parse_args()
build(given) if given.step == "build" else table(given)
