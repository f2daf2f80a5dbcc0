#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where ptxas has lanes that part come together again, if an operation for several lanes stands in one of
the ways: branches and loops around such operations, compiled by nvcc.

  reconvergence_rules.py --cuda-path DIR --tsv FILE

For each shape and operation the machine code, as its branches (bra, brx, exit; ? where a predicate
guards it), what makes lanes meet (bssy in front, bsync where they do), and the stores of each stretch
of the source, by its letter. Needs a CUDA Toolkit, no GPU."""

import os
import re
import subprocess
import sys
import tempfile

import machine_code
import unroll_rules

STORE, STORES = 0x186, 12
KEPT = {machine_code.BRANCH: "bra", machine_code.BRANCH_INDIRECT: "brx", machine_code.EXIT: "exit",
        machine_code.BARRIER_SET: "bssy", machine_code.BARRIER_WAIT: "bsync"}

# A letter is a stretch that is too long to be predicated, * the operation.
SHAPES = {
    "if": "if (a[i] > 0) { A * B } C",
    "if, else": "if (a[i] > 0) { A * B } else { C } D",
    "if in an if": "if (a[i] > 0) { A if (a[i + 1] > 0) { B * C } D } E",
    "if at the end of an if": "if (a[i] > 0) { A if (a[i + 1] > 0) { B * C } } D",
    "if at the end of two ifs": "if (a[i] > 0) { A if (a[i + 1] > 0) { B if (a[i + 4] > 1) { C * D } } } E",
    "if and ...": "if (a[i] > 0 && a[i + 1] > 0) { B * C } D",
    "two ifs in an if": "if (a[i] > 0) { A if (a[i + 1] > 0) { B if (a[i + 4] > 1) { C * D } E } F } G",
    "uniform if in an if": "if (a[i] > 0) { A if (n > 3) { B * C } D } E",
    "if in a loop": "for (int k = 0; k < n; k++) { if (a[i + k] > 0) { A * B } C } D",
    "if in a loop of other trips": "for (int k = 0; k < i; k++) { A if (a[k + i] > 2) { B * C } D } E",
    "loop of other trips": "_Pragma(\"unroll 1\") for (int k = 0; k < i; k++) { A * B } C",
    "loop in an if": "if (a[i] > 0) { A _Pragma(\"unroll 1\") for (int k = 0; k < n; k++) { B * C } D } E",
}
OPERATIONS = {
    "none": "",
    "__syncthreads()": "__syncthreads();",
    "bar.sync 1, 64": "asm volatile(\"bar.sync 1, 64;\");",
    "__syncwarp()": "__syncwarp();",
    "__syncwarp(m)": "__syncwarp(m);",
    "__shfl_down_sync(~0u)": "a[i + 7] = __shfl_down_sync(~0u, a[i + 9], 1);",
    "__shfl_down_sync(0xffff)": "a[i + 7] = __shfl_down_sync(0xffff, a[i + 9], 1);",
    "__shfl_down_sync(m)": "a[i + 7] = __shfl_down_sync(m, a[i + 9], 1);",
    "__ballot_sync(~0u)": "a[i + 7] = __ballot_sync(~0u, a[i + 9] > 1);",
    "__activemask()": "a[i + 7] = __activemask();",
    "atomicAdd": "atomicAdd(a + 3, 2.f);",
}


def stretch(letter):
    first = 100 * (ord(letter) - ord("A") + 1)
    return "".join(f"a[i + {first + k}] = a[i * {first // 2 + k}] * 3.f; " for k in range(STORES))


def write_source(path):
    """Which letter stands in which line of it."""
    lines, letters = [], {}
    for s, shape in enumerate(SHAPES.values()):
        for o, operation in enumerate(OPERATIONS.values()):
            lines.append(f'extern "C" __global__ void k{s}_{o}(float *a, int n, unsigned m) {{ int i = threadIdx.x;')
            for part in re.split(r"\b([A-Z])\b|(\* [A-Z])", shape):
                part = part or ""
                if part.startswith("* "):
                    lines.append(operation)
                    part = part[2:]
                if re.fullmatch("[A-Z]", part):
                    lines.append(stretch(part))
                    letters[len(lines)] = part
                else:
                    lines.append(part)
            lines.append("}")
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    return letters


def describe(code, letters):
    words = []
    for instruction in code:
        letter = letters.get(instruction.line)
        if instruction.opcode in KEPT:
            guarded = instruction.conditional and KEPT[instruction.opcode] not in ("bssy", "bsync")
            words.append(KEPT[instruction.opcode] + ("?" if guarded else ""))
        elif instruction.opcode & 0x1ff == STORE and letter and words[-1:] != [letter]:
            words.append(letter)
        if instruction.opcode == machine_code.EXIT and not instruction.conditional:
            break  # behind it are functions
    return " ".join(words)


def compile_all(options):
    """The machine code of each kernel, and the letters of its source's lines."""
    with tempfile.TemporaryDirectory() as work:
        source, image = os.path.join(work, "shapes.cu"), os.path.join(work, "shapes.cubin")
        letters = write_source(source)
        subprocess.run([os.path.join(options.cuda_path, "bin", "nvcc"), "-arch=sm_90", "-lineinfo", "-cubin", "-o",
                        image, source], check=True)
        return machine_code.read_kernels(image), letters


def main():
    options = unroll_rules.read_options(__doc__)
    kernels, letters = compile_all(options)
    with unroll_rules.begin_table(options, "nvcc") as file:
        file.write("shape\toperation\tmachine code\n")
        for s, shape in enumerate(SHAPES):
            for o, operation in enumerate(OPERATIONS):
                file.write(f"{shape}\t{operation}\t{describe(kernels[f'k{s}_{o}'], letters)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
