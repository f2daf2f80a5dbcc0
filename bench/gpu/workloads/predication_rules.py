#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which branches ptxas makes none of: ifs whose body grows, in several places, compiled by nvcc.

  predication_rules.py --cuda-path DIR --tsv FILE

For each kind of body and place: the longest body that is issued under a predicate, as the number of
times that it repeats its statement, and of instructions that have a predicate then. Likewise between
barriers for forms of the if: with several conditions, and with an else. Needs a CUDA Toolkit, no GPU."""

import os
import subprocess
import sys
import tempfile

import machine_code
import unroll_rules

MOST = 24
HEAD = """extern "C" __global__ void %s(int m, const float *x, const float *w, float *y, int s) {
  __shared__ float sh[1024];
  int t = threadIdx.x, l = t & 31, row0 = (blockIdx.x * 256 + t) / 32, nw = 8 * gridDim.x;
  float u = s;
"""
LOOP = "_Pragma(\"unroll 1\") for (int row = row0; row < m; row += nw) { float v = x[row + l]; "
G, O = "const float *g = x + t * s; ", "float *o = y + t * s; "
SHARE, WAIT = "sh[t] = v; ", "__syncthreads(); "


def repeated(text):
    return lambda n: "".join(text.replace("#", str(64 * k)) for k in range(n))


# A body that has its statement n times.
BODIES = {
    "fma": repeated("u = u * u + v; "),
    "int multiply, add": lambda n: "int q = __float_as_int(u); " + "q = q * s + row0; " * n +
                                   "u = __int_as_float(q); ",
    "global store": repeated("o[#] = v; "),
    "global store, n fma": lambda n: repeated("u = u * u + v; ")(n) + "o[0] = u; ",
    "shared load": repeated("u += sh[t + #]; "),
    "shared store": repeated("sh[t + #] = v; "),
    "fast division": repeated("u = __fdividef(v, u); "),
    "global load": repeated("u += g[#]; "),
    "global load through a parameter": repeated("u += w[#]; "),
    "1 global load, n fma": lambda n: "u += g[0]; " + repeated("u = u * u + v; ")(n),
    "4 global loads, n fma": lambda n: repeated("u += g[#]; ")(4) + repeated("u = u * u + v; ")(n),
    "global load to global store": repeated("o[#] = g[#]; "),
    "global load to shared store": repeated("sh[t + #] = g[#]; "),
    "global load by what was loaded": lambda n: "const float *h = g; " +
        "h = *(const float *const *)h; " * n + "u += (float)(long long)h; ",
}

# In an if, behind another one that is long, and so many instructions.
MEETING = f"float v = x[row0 + l], z = s * .5f; {G}{O}if (w[row0] > 0) {{ if (z > 3) {{ %s }} %s"
STEP = "z = z * z + v; "


def behind_another(steps):
    return MEETING % (STEP * 20, STEP * steps), "} y[t] = u + z + sh[t ^ 1];", 2


# Where the if stands: code before, and behind, and how many branches are there without it.
PLACES = {
    "between barriers": (f"float v = x[row0 + l]; {G}{O}{SHARE}{WAIT}", f"{WAIT}y[t] = u + sh[t ^ 1];", 0),
    "at the end of the kernel": (f"float v = x[row0 + l]; {G}{O}{SHARE}", "y[t] = u + sh[t ^ 1];", 0),
    "at the end of a loop": (f"{G}{O}{LOOP}", "} y[t] = u + sh[t ^ 1];", 2),
    "at the end of a loop, behind a barrier": (f"{G}{O}{LOOP}{SHARE}{WAIT}", "} y[t] = u + sh[t ^ 1];", 2),
    "in a loop, between barriers": (f"{G}{O}{LOOP}{SHARE}{WAIT}", f"{WAIT}}} y[t] = u + sh[t ^ 1];", 2),
    "in an if, behind another and 2 fma": behind_another(2),
    "in an if, behind another and 3 fma": behind_another(3),
}


# What else an if may look like, with the body for @, between barriers.
IF = "if (v < 0) { @ }"
FORMS = {
    "a && b": "if (v < 0 && z > 2) { @ }",
    "a && b, which is read from memory": "if (v < 0 && g[3] > 2) { @ }",
    "a && (one instruction, then b)": "if (v < 0) { u *= z; if (z > 2) { @ } }",
    "the same in else": IF + " else { @ }",
    "one instruction in else": IF + " else { u = u * v + u; }",
    "in else, which has one instruction": "if (v < 0) { u = u * v + u; } else { @ }",
    "and then a store, as in else": "if (v < 0) { @ o[0] = u; } else { o[l] = v; }",
    "and then a maximum of doubles": "if (v < 0) { @ sd[t] = fmax(sd[t], sd[t ^ 64]); }",
    "and then a store through a parameter": "if (v < 0) { @ y[l] = v; }",
}
WITH_DOUBLES = f"__shared__ double sd[512]; float v = x[row0 + l], z = w[row0 + l]; {G}{O}sd[t] = z; {SHARE}{WAIT}"
BEHIND = f"{WAIT}y[t] = u + sh[t ^ 1] + sd[t ^ 2];"


def kernel(name, body, place):
    if place in FORMS:
        return f"{HEAD % name}{WITH_DOUBLES}{FORMS[place].replace('@', body)} {BEHIND}\n}}\n"
    before, behind, _ = PLACES[place]
    return f"{HEAD % name}{before}{IF.replace('@', body)} {behind}\n}}\n"


def compile_all(options, names):
    """The machine code of each (body, place or form, n), by the names of its kernel."""
    with tempfile.TemporaryDirectory() as work:
        path, image = os.path.join(work, "ifs.cu"), os.path.join(work, "ifs.cubin")
        with open(path, "w", encoding="utf-8") as file:
            for name, (body, place, n) in names.items():
                file.write(kernel(name, BODIES[body](n), place))
        subprocess.run([os.path.join(options.cuda_path, "bin", "nvcc"), "-w", "-arch=sm_90", "-O3",
                        "-cubin", "-o", image, path], check=True)
        return machine_code.read_kernels(image)


def is_predicated(code, place):
    jumps = sum(i.conditional and i.opcode in (machine_code.BRANCH, machine_code.EXIT) for i in code)
    return jumps <= (0 if place in FORMS else PLACES[place][2])


def under_predicates(code):
    return sum(i.conditional and i.opcode not in (machine_code.BRANCH, machine_code.EXIT)
               for i in code)


def longest(kernels, names, body, place):
    """The greatest n up to which all are predicated, with that one's instructions."""
    found = "0"
    for name, (of, where, n) in names.items():
        if (of, where) == (body, place):
            if not is_predicated(kernels[name], place):
                break
            found = f"{n} ({under_predicates(kernels[name])})"
    return found


def main():
    options = unroll_rules.read_options(__doc__)
    of_form = ["fma", "int multiply, add", "global store", "shared load", "shared store", "global load"]
    cases = [(b, p, n) for b in BODIES for p in PLACES for n in range(1, MOST + 1)]
    cases += [(b, p, n) for b in of_form for p in FORMS for n in range(1, MOST + 1)]
    names = {f"if_{k}": case for k, case in enumerate(cases)}
    kernels = compile_all(options, names)
    with unroll_rules.begin_table(options, "nvcc") as file:
        file.write("\t".join(["body", *PLACES]) + "\n")
        for body in BODIES:
            file.write("\t".join([body, *(longest(kernels, names, body, p) for p in PLACES)]) + "\n")
        file.write("\t".join(["form", *of_form]) + "\n")
        for form in FORMS:
            file.write("\t".join([form, *(longest(kernels, names, b, form) for b in of_form)]) + "\n")


if __name__ == "__main__":
    sys.exit(main())
