#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registers that ptxas gives the kernels of CUDA files, compiled by nvcc and by clang, beside what
divcost estimates of them.

  registers.py collect OUT ROOT... [--plugin divcost.so] [--jobs N]
  registers.py table OUT...
  registers.py fit OUT...

collect compiles each .cu file under the ROOTs for sm_90, and leaves ptxas's words and divcost's report in
OUT, a folder; what is there already isn't compiled again, but for the reports if --plugin names a plugin.
table prints how good the estimates are, of kernels that no library brought (cub, thrust): all rows with
--rows. fit prints the constants of cost-models/src/estimate/occupancy.c as they follow from these kernels.
"""
import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import re
import subprocess
import sys

ARCH = "sm_90"
SECONDS = 240

def cuda_files(roots):
    for root in roots:
        if os.path.isfile(root):
            yield os.path.dirname(root) or ".", root
            continue
        for folder, folders, names in os.walk(root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(names):
                if name.endswith(".cu"):
                    yield root, os.path.join(folder, name)


def includes(root, path):
    """The file's folder, those above it as far as the root, and folders of headers beside them."""
    found, folder = [], os.path.dirname(os.path.abspath(path))
    while folder.startswith(os.path.abspath(root)):
        found.append(folder)
        for name in ("include", "inc", "Common", "common", "common/inc", "src"):
            if os.path.isdir(os.path.join(folder, name)):
                found.append(os.path.join(folder, name))
        if folder == os.path.dirname(folder):
            break
        folder = os.path.dirname(folder)
    return ["-I" + name for name in found]


def cuda_root():
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if os.path.exists(os.path.join(folder, "nvcc")):
            return os.path.dirname(os.path.realpath(folder))
    sys.exit("registers.py: there is no nvcc on the PATH: registers are what its ptxas says")


def commands(root, path, base, plugin):
    """By name: a command, and the file that its words go to."""
    flags = includes(root, path) + ["-O3", "-std=c++17", "-w"]
    clang = ["clang++-22", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=" + ARCH,
             "--cuda-path=" + cuda_root(), "-isystem", os.path.join(cuda_root(), "include", "cccl"),
             "-Wno-unknown-cuda-version", *flags, os.path.abspath(path)]
    found = {
        "nvcc": ["nvcc", "-cubin", "-arch=" + ARCH, "-Xptxas", "-v", *flags, os.path.abspath(path),
                 "-o", base + ".nvcc.cubin"],
        "clang": [*clang, "-Xcuda-ptxas", "-v", "-c", "-o", base + ".clang.cubin"],
    }
    if plugin:
        found["report"] = [*clang, "-fsyntax-only", "-fplugin=" + os.path.abspath(plugin),
                           "-fplugin-arg-divcost-report=" + base + ".json"]
    return found


def collect_file(root, path, out, plugin):
    base = os.path.join(out, hashlib.sha256(os.path.abspath(path).encode()).hexdigest()[:16])
    with open(base + ".name", "w", encoding="utf-8") as file:
        file.write(os.path.relpath(path, os.path.dirname(os.path.abspath(root))) + "\n")
    for name, command in commands(root, path, base, plugin).items():
        words = base + "." + name + ".txt"
        if name != "report" and os.path.exists(words):
            continue
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=SECONDS, cwd=out, check=False)
            text = done.stdout.decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            text = "took too long\n"
        with open(words, "w", encoding="utf-8") as file:
            file.write(text)
        for left in (base + ".nvcc.cubin", base + ".clang.cubin"):
            if os.path.exists(left):
                os.remove(left)


def collect(arguments):
    os.makedirs(arguments.out, exist_ok=True)
    files = list(cuda_files(arguments.roots))
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        todo = [pool.submit(collect_file, root, path, os.path.abspath(arguments.out),
                            arguments.plugin) for root, path in files]
        for number, result in enumerate(concurrent.futures.as_completed(todo), 1):
            result.result()
            if sys.stderr.isatty():
                sys.stderr.write("\r%d of %d files" % (number, len(files)))
    print("%d files" % len(files))


ENTRY = re.compile(r"Compiling entry function '([^']+)' for")
USED = re.compile(r"Used (\d+) registers")
SPILLS = re.compile(r"(\d+) bytes spill stores")
SHARED = re.compile(r"(\d+) bytes smem")


def ptxas_words(text):
    """Of each kernel: registers, bytes of spills, bytes of static shared memory."""
    found, kernel, spills = {}, None, 0
    for line in text.splitlines():
        if match := ENTRY.search(line):
            kernel, spills = match.group(1), 0
        if match := SPILLS.search(line):
            spills = int(match.group(1))
        if kernel and (match := USED.search(line)):
            shared = SHARED.search(line)
            found[kernel] = (int(match.group(1)), spills, int(shared.group(1)) if shared else 0)
            kernel = None
    return found


def read(path):
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except OSError:
        return ""


def is_librarys(symbol):
    return any(name in symbol for name in ("3cub", "6thrust", "CUB_", "THRUST_"))


def blocks_of(threads, registers, shared):
    """Blocks that an SM of sm_90 holds, as cost-models/src/occupancy has it."""
    warps = (threads + 31) // 32
    of_warp = (32 * registers + 255) // 256 * 256
    return min(64 // warps, 32, 65536 // 4 // of_warp * 4 // warps,
               233472 // ((shared + 1024 + 127) // 128 * 128))


def ends(figure):
    return (figure["low"], figure["high"]) if isinstance(figure, dict) else (figure, figure)


def measure(kernel, words):
    """What ptxas said beside what divcost has; None: divcost didn't look at the kernel's code."""
    resources, found = kernel["skeleton"].get("resources", {}), kernel.get("estimates", [])
    if not found or "occupancy" not in found[0]:
        return None
    occupancy, block = found[0]["occupancy"], found[0]["block"]
    low, high = ends(occupancy["registers"])
    return {"registers": words[0], "spills": words[1], "shared": words[2], "live": resources.get("live"),
            "low": low, "high": high, "static": resources["shared"], "blocks": ends(occupancy["blocks"]),
            "true": blocks_of(block[0] * block[1] * block[2], words[0],
                              words[2] + found[0].get("shared", 0)),
            "code": sum(row[6] for row in kernel["skeleton"]["blocks"] if len(row) > 6)}


def rows_of(out):
    """(file, kernel's symbol, compiler, what was measured), each kernel of a compiler once."""
    seen = set()
    for name in sorted(os.listdir(out)):
        if not name.endswith(".name"):
            continue
        base = os.path.join(out, name[:-len(".name")])
        source, report = read(os.path.join(out, name)).strip(), read(base + ".json")
        said = {compiler: ptxas_words(read("%s.%s.txt" % (base, compiler)))
                for compiler in ("nvcc", "clang")}
        for kernel in json.loads(report)["kernels"] if report else []:
            symbol = kernel["symbol"]
            for compiler, words in said.items():
                row = measure(kernel, words[symbol]) if symbol in words else None
                if row and not is_librarys(symbol) and (symbol, compiler) not in seen:
                    seen.add((symbol, compiler))
                    yield source, symbol, compiler, row


def share(of):
    of = list(of)
    return "%d of %d (%.0f%%)" % (sum(of), len(of), 100 * sum(of) / max(1, len(of)))


def quantile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def table(arguments):
    rows = [row for out in arguments.out for row in rows_of(out)]
    if arguments.rows:
        print("file\tkernel\tcompiler\tregisters\tlow\thigh\tlive\tspills\tshared\tstatic")
        for source, symbol, compiler, row in rows:
            print(source, symbol, compiler, *(row[name] if row[name] is not None else "-" for name in (
                "registers", "low", "high", "live", "spills", "shared", "static")), sep="\t")
        return
    print("| compiler | kernels | not estimated | registers within the interval | below it | above it | "
          "its width, median | occupancy one number | of these, right | occupancy within its interval | "
          "shared memory equal |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for compiler in ("nvcc", "clang"):
        mine = [row for _, _, name, row in rows if name == compiler]
        some = [row for row in mine if row["live"] is not None]
        one = [row for row in some if row["blocks"][0] == row["blocks"][1]]
        print("| %s | %d | %d | %s | %d | %d | %g | %s | %s | %s | %s |" % (
            compiler, len(mine), len(mine) - len(some),
            share(row["low"] <= row["registers"] <= row["high"] for row in some),
            sum(row["registers"] < row["low"] for row in some),
            sum(row["registers"] > row["high"] for row in some),
            quantile([row["high"] - row["low"] for row in some], 0.5),
            share(row["blocks"][0] == row["blocks"][1] for row in some),
            share(row["true"] == row["blocks"][0] for row in one),
            share(row["blocks"][0] <= row["true"] <= row["blocks"][1] for row in some),
            share(row["shared"] == row["static"] for row in mine)))


def solve(matrix, right):
    """Gauss, with pivots; the matrix is small and regular."""
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for k in range(len(rows)):
        pivot = max(range(k, len(rows)), key=lambda n: abs(rows[n][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for n in range(len(rows)):
            factor = rows[n][k] / rows[k][k] if n != k else 0
            rows[n] = [a - factor * b for a, b in zip(rows[n], rows[k])]
    return [row[-1] / row[k] for k, row in enumerate(rows)]


def fit(arguments):
    """Least absolute deviations of log2(registers), by least squares weighted again and again."""
    rows = [row for out in arguments.out for _, _, _, row in rows_of(out) if row["live"] is not None]
    points = [(1.0, math.log2(row["live"] + 8), math.log2(row["code"] + 1)) for row in rows]
    wanted = [math.log2(row["registers"]) for row in rows]
    weights, x = [1.0] * len(rows), [0.0] * 3
    for _ in range(50):
        x = solve([[sum(w * p[i] * p[j] for w, p in zip(weights, points)) for j in range(3)]
                   for i in range(3)],
                  [sum(w * p[i] * y for w, p, y in zip(weights, points, wanted)) for i in range(3)])
        errors = [y - sum(a * b for a, b in zip(p, x)) for p, y in zip(points, wanted)]
        weights = [1 / max(0.05, abs(error)) for error in errors]
    print("%d kernels: SCALE %.3f, OF_LIVE %.3f, OF_CODE %.3f, LEAST %.3f, MOST %.3f" % (
        len(rows), 2 ** x[0], x[1], x[2], 2 ** quantile(errors, 0.05), 2 ** quantile(errors, 0.95)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    sub = parser.add_subparsers(dest="command", required=True)
    first = sub.add_parser("collect", help="compile, and keep what ptxas and divcost say")
    first.add_argument("out", help="folder that the words go to")
    first.add_argument("roots", nargs="+", metavar="ROOT", help=".cu file, or folder of such files")
    first.add_argument("--plugin", help="divcost.so; without it: no reports")
    first.add_argument("--jobs", type=int, default=1)
    first.set_defaults(do=collect)
    second = sub.add_parser("table", help="how good the estimates are")
    second.add_argument("out", nargs="+")
    second.add_argument("--rows", action="store_true", help="all kernels, tab-separated")
    second.set_defaults(do=table)
    third = sub.add_parser("fit", help="the constants of the estimate, from these kernels")
    third.add_argument("out", nargs="+")
    third.set_defaults(do=fit)
    arguments = parser.parse_args()
    arguments.do(arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
