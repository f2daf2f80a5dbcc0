#!/usr/bin/env python3
# Part of divcost, under the Apache License v2.0 with LLVM Exceptions. See LICENSE.txt.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which loops ptxas unrolls: small ones in PTX, each with another property, compiled and counted.

  unroll_rules.py --cuda-path DIR --tsv FILE

For each loop: how many instructions its body has in PTX, and the copies of it in each loop of the
machine code, and in all of it. Needs a CUDA Toolkit, no GPU."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

import machine_code

HEAD = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 n, .param .u32 s) {
.reg .pred %p<9>; .reg .b32 %r<99>; .reg .b64 %rd<299>; .reg .f32 %f<99>;
.shared .align 4 .b8 sh[4096];
ld.param.u64 %rd1,[a]; cvta.to.global.u64 %rd2,%rd1; ld.param.u32 %r1,[n]; ld.param.u32 %r9,[s];
mov.u32 %r3,%tid.x; mul.wide.u32 %rd3,%r3,4; add.s64 %rd2,%rd2,%rd3;
ld.global.u32 %r2,[%rd2];
mov.f32 %f1,0f3F800000; mov.u32 %r5,0; cvt.u64.u32 %rd9,%r9; mov.u64 %rd7,0;
"""
GUARD = "setp.lt.s32 %p1,%r2,1;\n@%p1 bra END;\n"
END = "END:\nst.global.f32 [%rd2+8],%f1;\nret;\n}\n"
POINTERS = "".join(f"ld.global.u64 %rd{200 + k},[%rd2+{8 * k}];\n" for k in range(32))
UP, BELOW, BACK = "add.s32 %r5,%r5,1;\n", "setp.lt.s32 %p2,%r5,%r2;\n", "@%p2 bra L;\n"


def fma(count):
    return "fma.rn.f32 %f1,%f1,%f1,%f1;\n" * count


def loads(count):
    """Through pointers that aren't near each other: three instructions each, and one."""
    return "".join(f"add.s64 %rd{100 + k},%rd{200 + k},%rd7;\nld.global.f32 %f2,[%rd{100 + k}];\n"
                   "add.f32 %f1,%f1,%f2;\n" for k in range(count)) + "add.s64 %rd7,%rd7,%rd9;\n"


def stores(count):
    return "".join(f"st.global.f32 [%rd2+{64 * k}],%f1;\n" for k in range(count))


def loop(body, before=GUARD, step=UP, test=BELOW, back=BACK):
    return HEAD + POINTERS + before + "L:\n" + body + step + test + back + END


def cases():
    """(name, PTX, instructions of the body)"""
    small, result = fma(4), []

    def add(name, body, **parts):
        text = loop(body, **parts)
        result.append((name, text, body.count(";") + "".join(
            parts.get(k, d) for k, d in (("step", UP), ("test", BELOW), ("back", BACK))).count(";")))

    for count in (1, 4, 16, 18, 19, 24, 64):
        add(f"{count} fma", fma(count))
    for count in (1, 8, 14, 16, 32):
        add(f"{count} loads", loads(count))
    for count in (18, 28, 32):
        add(f"4 loads, {count} fma", loads(4) + fma(count))
    for count in (4, 6, 8, 10):
        add(f"{count} stores", stores(count) + fma(1))
    store = "add.s64 %rd150,%rd220,%rd7;\nst.global.f32 [%rd150],%f2;\n"
    add("2 loads, store", loads(2) + store)
    add("2 ld.global.nc, store", loads(2).replace("ld.global.f32", "ld.global.nc.f32") + store)
    add("6 ld.global.nc, store", loads(6).replace("ld.global.f32", "ld.global.nc.f32") + store)
    add("shared load, 18 fma", "ld.shared.f32 %f2,[sh+4];\nadd.f32 %f1,%f1,%f2;\n" + fma(18))
    add("step 4", small, step="add.s32 %r5,%r5,4;\n")
    add("step -1", small, step="add.s32 %r2,%r2,-1;\n", test="setp.gt.s32 %p2,%r2,0;\n")
    add("step unknown", small, step="add.s32 %r5,%r5,%r9;\n")
    add("until !=", small, test="setp.ne.s32 %p2,%r5,%r2;\n")
    add("until == leaves", small, test="setp.eq.s32 %p2,%r5,%r2;\n",
        back="@%p2 bra END;\nbra.uni L;\n")
    add("unsigned", small, test="setp.lt.u32 %p2,%r5,%r2;\n")
    add("no guard", small, before="")
    add("bound read again", small + "ld.volatile.global.u32 %r2,[%rd2+16];\n")
    condition = "setp.gt.f32 %p3,%f1,0f40000000;\n@%p3 bra "
    add("if, predicated", small + condition + "M;\n" + fma(1) + "M:\n")
    add("if, a branch", small + condition + "M;\n" + "sin.approx.f32 %f1,%f1;\n" * 20 + "M:\n")
    add("second exit", small + condition + "END;\n")
    add("barrier", small + "bar.sync 0;\n")
    add("shuffle", small + "shfl.sync.bfly.b32 %f1,%f1,1,31,-1;\n")
    add("atomic", small + "atom.global.add.u32 %r7,[%rd2+64],%r5;\n")
    add("pragma nounroll", '.pragma "nounroll";\n' + small)
    for trips in (4, 64, 1000):
        add(f"{trips} trips", small, before="", test=f"setp.lt.s32 %p2,%r5,{trips};\n")
    return result


def assemble(options, text):
    with tempfile.TemporaryDirectory() as work:
        path, image = os.path.join(work, "loop.ptx"), os.path.join(work, "loop.cubin")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([os.path.join(options.cuda_path, "bin", "ptxas"), "-arch=sm_90", "-O3",
                        "-o", image, path], check=True)
        return next(iter(machine_code.read_kernels(image).values()))


def copies(options, text):
    """(copies in each loop, copies in all): of what the body has most of, once in PTX or more."""
    code = assemble(options, text)
    body = text[text.index("L:\n"):]
    kinds = [(0x23, r"fma\.rn"), (0x186, r"st\.global"), (0x21, r"add\.f32")]
    opcode, count = max(((o, len(re.findall(p, body)) - (o == 0x186)) for o, p in kinds),
                        key=lambda pair: pair[1])

    def of(instructions):
        return round(sum(i.opcode & 0x1FF == opcode for i in instructions) / count)

    graph = machine_code.Code(code)
    return [of(graph.body(one)) for one in graph.all_loops()], of(code)


def read_options(description, clang=False):
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cuda-path", required=True, metavar="DIR")
    parser.add_argument("--tsv", required=True, metavar="FILE")
    if clang:
        parser.add_argument("--clang", default="clang++-22", metavar="COMMAND")
    return parser.parse_args()


def nvcc_command(options):
    return [os.path.join(options.cuda_path, "bin", "nvcc"), "-w", "-arch=sm_90", "-O3"]


def clang_command(options, level):
    return [options.clang, "-w", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_90",
            "--cuda-path=" + options.cuda_path, "-Wno-unknown-cuda-version", level]


def begin_table(options, compiler):
    """The file, with a first line that says what made it."""
    done = subprocess.run([os.path.join(options.cuda_path, "bin", compiler), "--version"],
                          capture_output=True, text=True, check=True)
    file = open(options.tsv, "w", encoding="utf-8")
    file.write(f"# {compiler} " + re.search(r"V([\d.]+)", done.stdout).group(1) + "\n")
    return file


def main():
    options = read_options(__doc__)
    with begin_table(options, "ptxas") as file:
        file.write("loop\tinstructions\tcopies\tin_all\n")
        for name, text, instructions in cases():
            loops, every = copies(options, text)
            file.write(f"{name}\t{instructions}\t{','.join(map(str, loops)) or '-'}\t{every}\n")


if __name__ == "__main__":
    sys.exit(main())
