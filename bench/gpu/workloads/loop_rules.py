#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What loops have in machine code besides what they compute: small loops, compiled by nvcc and clang.

  loop_rules.py --cuda-path DIR --tsv FILE [--clang COMMAND]

For each loop and compiler, of the loop in machine code: its instructions; registers that are copied
(MOV, and IMAD that multiplies nothing); instructions that read constants (parameters); YIELD; jumps
back (branches without a condition); LEA, by which an index that was widened elsewhere goes into an
address; EXIT. `pointers` are the arrays that each iteration goes on in by a constant. Needs a CUDA
Toolkit, no GPU."""

import os
import subprocess
import tempfile

import machine_code
import unroll_rules

LEA, CONSTANTS, YIELD, EXIT = 0x011, (0xB82, 0xAB9), 0x946, 0x94D

KERNEL = """extern "C" __global__ void k{number}(const int *__restrict__ a, float *o, int n, const float *__restrict__ v,
    const float *__restrict__ x, const float *__restrict__ w, int *p) {{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  {body}
}}
"""
BEHIND = " o[t] = s;"
EACH = "_Pragma(\"unroll 1\") for (int j = a[t]; j < n; ++j) "

# name: arrays that advance, code
LOOPS = {
    "one array": (1, EACH + "s += v[j];"),
    "product of two": (2, EACH + "s += v[j] * x[j];"),
    "product of three": (3, EACH + "s += v[j] * x[j] * w[j];"),
    "by steps of 32": (2, "_Pragma(\"unroll 1\") for (int j = t; j < n; j += 32) s += v[j] * x[j];"),
    "copy": (2, "_Pragma(\"unroll 1\") for (int j = t; j < n; j += 256) o[j] = x[j];"),
    "sum into": (2, "_Pragma(\"unroll 1\") for (int j = t * n; j < (t + 1) * n; ++j) o[j] += v[j];"),
    "of unsigned": (2, "_Pragma(\"unroll 1\") for (unsigned j = a[t]; j < (unsigned)n; ++j) s += v[j] * x[j];"),
    "of long": (2, "_Pragma(\"unroll 1\") for (long j = a[t]; j < n; ++j) s += v[j] * x[j];"),
    "two pointers": (2, "const float *b = v + t * n, *c = x + t; _Pragma(\"unroll 1\") for (int j = 0; j < n; ++j) s += *b++ * *c++;"),
    "two rows": (2, "_Pragma(\"unroll 1\") for (int j = 0; j < n; ++j) s += v[t + j] * v[n * t + j];"),
    "neighbours and another": (2, EACH + "s += v[2 * j] * v[2 * j + 1] * x[j];"),
    "with an if": (2, EACH + "if (a[j] > t) s += v[j];"),
    "with a function": (2, EACH + "s += v[j] * __expf(x[j]);"),
    "gather": (1, EACH + "s += x[a[j]];"),
    "product with a gather": (2, EACH + "s += v[j] * x[a[j]];"),
    "scatter": (2, "_Pragma(\"unroll 1\") for (int j = t; j < n; j += 7) o[a[j]] = v[j];"),
    "two gathers": (1, EACH + "s += v[a[j]] * x[a[j]];"),
    "row and column": (1, "_Pragma(\"unroll 1\") for (int j = 0; j < n; ++j) s += v[t * n + j] * x[j * n + blockIdx.y];"),
    "steps of a parameter": (0, "_Pragma(\"unroll 1\") for (int j = t; j < n; j += gridDim.x) o[j] = x[j];"),
    "two exits": (0, EACH + "{ if (v[j] > x[j]) break; s += v[j]; }"),
    "list": (0, "int i = a[t]; while (i != 0) { s += 1; i = a[i]; }"),
    "list, two arrays": (0, "int i = a[t]; while (i != 0) { s += x[i]; i = a[i]; }"),
    "list, two blocks": (0, "int i = a[t]; while (i != 0) { if (x[i] < s) break; s += 1; i = a[i]; }"),
    "bisection": (0, "int l = 0, h = n; while (l < h) { int m = (l + h) / 2; if (x[m] < v[t]) l = m + 1; else h = m; } s = l;"),
    "atomic, unused": (0, "int i = a[t]; while (i != 0) { atomicAdd(p + i, 1); i = a[i]; }"),
    "atomic, used": (0, "int i = a[t]; while (i != 0) { s += atomicAdd(p + i, 3); i = a[i]; }"),
    "atomic that ends it": (0, "while (atomicAdd(p + t % 7, 1) < n) o[t] += 1;"),
    "atomic, or a count, that ends it": (0, "_Pragma(\"unroll 1\") for (int j = 0; j < n; ++j) if (atomicAdd(p + (t + j) % 7, 1) == 0) break;"),
    "compare and swap": (0, "int old = p[t % 7], as; do { as = old; old = atomicCAS(p + t % 7, as, as * 3 + 1); } while (old != as);"),
    "lock": (0, "while (atomicCAS(p + t % 7, 0, 1) != 0); atomicExch(p + t % 7, 0);"),
    "compare and swap, shared": (0, "__shared__ int q[8]; q[t & 7] = 0; __syncthreads(); int old = q[t & 7], as; do { as = old; old = atomicCAS(q + (t & 7), as, as * 3 + 1); } while (old != as);"),
    "queue": (0, "while (true) { int i = 0; if (t % 32 == 0) i = atomicAdd(p, 1); i = __shfl_sync(~0u, i, 0); if (i >= n) break; o[i * 32 + t % 32] = x[i]; }"),
    "queue, one lane writes": (0, "while (true) { int i = 0; if (t % 32 == 0) i = atomicAdd(p, 1); i = __shfl_sync(~0u, i, 0); if (i >= n) break; if (t % 32 == 0) o[i] = x[i]; }"),
}

# The same, of loops behind which the kernel ends; and with the store behind, as "not last".
ROW = "_Pragma(\"unroll 1\") for (int j = a[t]; j < a[t + 1]; ++j) "
LAST = {
    "own row, last": (2, ROW + "o[j] = x[j];"),
    "two rows, last": (2, "_Pragma(\"unroll 1\") for (int j = 0; j < n; ++j) o[t + j] = v[n * t + j];"),
    "by steps of 256, last": (2, "_Pragma(\"unroll 1\") for (int j = t; j < n; j += 256) o[j] = x[j];"),
    "steps of a parameter, last": (0, "_Pragma(\"unroll 1\") for (int j = t; j < n; j += gridDim.x) o[j] = x[j];"),
    "sum into, last": (2, "_Pragma(\"unroll 1\") for (int j = t * n; j < (t + 1) * n; ++j) o[j] += v[j];"),
    "scatter, last": (1, ROW + "p[a[j]] = 1;"),
    "atomic, last": (1, ROW + "atomicAdd(p + a[j], 1);"),
    "atomic and an if, last": (1, ROW + "if (atomicMin(p + a[j], 7) > 7) *o = 1;"),
    "with an if, last": (1, ROW + "if (p[a[j]] == 0) p[a[j]] = 1;"),
    "with an if, bound read again, last": (1, "_Pragma(\"unroll 1\") for (int j = p[t]; j < p[t + 1]; ++j) if (p[a[j]] == 0) { p[a[j]] = 1; *o = 1; }"),
    "with an if, steps of 256, last": (2, "_Pragma(\"unroll 1\") for (int j = t; j < n; j += 256) if (v[j] > 1) o[j] = 1;"),
    "with an if, steps of a parameter, last": (0, "_Pragma(\"unroll 1\") for (int j = t; j < n; j += gridDim.x) if (v[j] > 1) o[j] = 1;"),
    "three arrays, last": (3, "_Pragma(\"unroll 1\") for (int j = t; j < n; j += 256) { if (v[j] > 1) atomicAdd(o + j, 1); p[j] = 2; }"),
    "two exits, last": (2, ROW + "{ if (v[j] > x[j]) break; p[a[t]] = j; }"),
    "list, last": (0, "int i = a[t]; while (i != 0) { p[i] = 1; i = a[i]; }"),
    "list with an if, last": (0, "int i = a[t]; while (i != 0) { if (v[i] > 1) p[i] = 1; i = a[i]; }"),
}
ALL = {**LOOPS, **LAST, **{name.replace("last", "not last"): loop for name, loop in LAST.items()}}


def compilers(options):
    yield "nvcc", [*unroll_rules.nvcc_command(options), "-cubin"]
    yield "clang", [*unroll_rules.clang_command(options, "-O2"), "-c"]


def compile_all(command):
    with tempfile.TemporaryDirectory() as work:
        source, image = os.path.join(work, "loops.cu"), os.path.join(work, "loops.cubin")
        with open(source, "w", encoding="utf-8") as file:
            for number, name in enumerate(ALL):
                body = ALL[name][1] + ("" if name in LAST else BEHIND)
                file.write(KERNEL.format(number=number, body=body))
        subprocess.run([*command, "-o", image, source], check=True)
        return machine_code.read_kernels(image)


def largest_loop(instructions):
    """That of the source: a retry of the compiler's within it is smaller."""
    graph = machine_code.Code(instructions)
    return max((graph.body(loop) for loop in graph.all_loops()), key=len, default=[])


def describe(body):
    first = min((i.at for i in body), default=0)
    return (len(body), sum(i.copies for i in body), sum(i.opcode in CONSTANTS for i in body),
            sum(i.opcode == YIELD for i in body),
            sum(i.opcode == machine_code.BRANCH and not i.conditional and first <= i.target <= i.at for i in body),
            sum(i.opcode & 0x1FF == LEA for i in body), sum(i.opcode == EXIT for i in body))


def main():
    options = unroll_rules.read_options(__doc__, clang=True)
    with unroll_rules.begin_table(options, "nvcc") as file:
        file.write("loop\tcompiler\tpointers\tinstructions\tcopies\tconstants\tyields\tjumps\tlea\texits\n")
        for name, command in compilers(options):
            kernels = compile_all(command)
            for number, (loop, (pointers, _)) in enumerate(ALL.items()):
                found = describe(largest_loop(kernels[f"k{number}"]))
                file.write("\t".join(map(str, (loop, name, pointers, *found))) + "\n")


if __name__ == "__main__":
    main()
