#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which loops compilers unroll, and by how much: loops in CUDA whose bodies grow, compiled and counted.

  compiler_unroll_rules.py --cuda-path DIR --tsv FILE [--clang COMMAND]

For each compiler, body and number of iterations (n: not known): the copies of a statement in a loop
of the PTX, by LLVM, and in one of the machine code, where ptxas has unrolled it too, with the number
of statements up to which there are so many; `all`: there is no loop. Needs a CUDA Toolkit, no GPU."""

import collections
import os
import re
import subprocess
import tempfile

import machine_code
import unroll_rules

# A statement, with k for its number; what it is in PTX and in machine code.
BODIES = {
    "fma": ("s = s * t + {k}.5f;", r"fma\.rn", 0x23),
    "load": ("s += a[i + n * {k}];", r"ld\.global", 0x181),
    "store": ("b[i + n * {k}] = s;", r"st\.global", 0x186),
    "barrier": ("s += a[i + n * {k}]; __syncthreads();", r"bar\.sync", 0x11D),
    "load, long": ("s += a[i + n * {k}];", r"ld\.global", 0x181),
    "load, long from 32 bits": ("s += a[i + n * {k}];", r"ld\.global", 0x181),
    "load, index": ("s += a[i * n + {k}];", r"ld\.global", 0x181),
    "load, unsigned index": ("s += a[i * n + {k}];", r"ld\.global", 0x181),
    "load, index by constants": ("s += a[i * 64 + n + {k}];", r"ld\.global", 0x181),
}
# How bodies count that don't count from 0 in 32 bits.
HEADS = {
    "load, long": "long i = 0; i < (long)n * n; i++",
    "load, long from 32 bits": "long i = n / 3; i < (long)n * n; i++",
    "load, unsigned index": "unsigned i = 0; i < n; i++",
}
STATEMENTS = {"n": range(1, 61), "barrier": range(1, 5), "load, long": range(1, 13),
              "load, long from 32 bits": range(1, 13), "load, index": range(1, 5),
              "load, unsigned index": range(1, 5), "load, index by constants": range(1, 5)}
TRIPS = {3: range(1, 101), 9: range(1, 61), 16: range(1, 61), 50: range(1, 21), 64: range(1, 41), 1000: range(1, 13)}
KERNEL = """extern "C" __global__ void {name}(float *a, float *b, int n) {{
  float s = b[0], t = b[1];
  for ({head}) {{ {body} }}
  b[2] = s;
}}
"""


def cases():
    """(body, trips, statements)"""
    for body in BODIES:
        for count in STATEMENTS.get(body, STATEMENTS["n"]):
            yield body, "n", count
    for trips, counts in TRIPS.items():
        for count in counts:
            yield "fma", trips, count


def name_of(case):
    return "k_" + re.sub(r"\W+", "_", "_".join(map(str, case)))


def source():
    return "".join(KERNEL.format(
        name=name_of(case), head=HEADS.get(case[0], f"int i = 0; i < {case[1]}; i++"),
        body=" ".join(BODIES[case[0]][0].format(k=k) for k in range(case[2]))) for case in cases())


def compilers(options):
    nvcc = unroll_rules.nvcc_command(options)
    yield "nvcc", nvcc + ["-ptx"], nvcc + ["-cubin"]
    for level in ("-O2", "-O3"):
        clang = unroll_rules.clang_command(options, level)
        yield "clang " + level, clang + ["-S"], clang + ["-c"]


def in_ptx(text, case):
    body = re.search(r"\.entry %s\(.*?\n}" % name_of(case), text, re.S)[0]
    if "bra" not in body:
        return "all"
    blocks = re.split(r"\n\$L\w+:", body)
    return max(len(re.findall(BODIES[case[0]][1], block)) for block in blocks) // case[2]


def in_machine(kernels, case):
    graph = machine_code.Code(kernels[name_of(case)])
    loops = [graph.body(one) for one in graph.all_loops()]
    counts = [sum(i.opcode & 0x1FF == BODIES[case[0]][2] for i in loop) for loop in loops]
    return max(counts) // case[2] if counts else "all"


def ranges(found):
    """[(statements, copies)] as "copies up to statements"."""
    last = [f"{copies} up to {count}" for (count, copies), after in zip(found, found[1:] + [(0, None)])
            if copies != after[1]]
    return ", ".join(last)


def compile_all(ptx, machine):
    with tempfile.TemporaryDirectory() as work:
        path, text, image = (os.path.join(work, "loops." + end) for end in ("cu", "ptx", "cubin"))
        with open(path, "w", encoding="utf-8") as file:
            file.write(source())
        for command, result in ((ptx, text), (machine, image)):
            subprocess.run([*command, "-o", result, path], check=True)
        with open(text, encoding="utf-8") as file:
            return file.read(), machine_code.read_kernels(image)


def main():
    options = unroll_rules.read_options(__doc__, clang=True)
    with unroll_rules.begin_table(options, "nvcc") as file:
        file.write("compiler\tbody\ttrips\tin_ptx\tin_machine_code\n")
        for name, ptx, machine in compilers(options):
            text, kernels = compile_all(ptx, machine)
            found = collections.defaultdict(list)
            for case in cases():
                found[case[:2]].append((case[2], in_ptx(text, case), in_machine(kernels, case)))
            for (body, trips), rows in found.items():
                file.write(f"{name}\t{body}\t{trips}\t{ranges([r[:2] for r in rows])}\t"
                           f"{ranges([(r[0], r[2]) for r in rows])}\n")


if __name__ == "__main__":
    main()
